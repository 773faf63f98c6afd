"""The event dictionary: every published event by subject, its fields, words and an example."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from infra.site.markdown import escaped, link, table
from infra.site.pages import Page
from ledger.codec import Schema, registry, sample_of
from ledger.events import SUBJECTS
from ledger.reports.schema_page import schema_data

OVERVIEW: Final = "events/index.md"
HEADER: Final = ("stream", "seq", "event_time", "source", "recorded_by")
"""The fields that every event begins with; the overview alone shows them."""


@cache
def events_of() -> Mapping[str, str]:
    """The page on which each event stands."""
    return {name: f"events/{subject}.md" for name, subject in SUBJECTS.items()}


def event_pages() -> list[Page]:
    """The overview and a page for each subject."""
    schemas = {name: registry().by_name(name) for name in sorted(SUBJECTS)}
    subjects = sorted(set(SUBJECTS.values()))
    pages = [
        _subject(subject, [s for n, s in schemas.items() if SUBJECTS[n] == subject])
        for subject in subjects
    ]
    return [_overview(schemas), *pages]


def _overview(schemas: Mapping[str, Schema]) -> Page:
    header = _fields(schema_data(next(iter(schemas.values())), None), HEADER)
    rows = [
        (link(f"`{name}`", f"{SUBJECTS[name]}.md#{name}"), SUBJECTS[name], escaped(_means(schema)))
        for name, schema in schemas.items()
    ]
    lines = [
        "# Events",
        "",
        f"{len(rows)} events, in {len(set(SUBJECTS.values()))} subjects. Every event is a fact of"
        " one stream and begins with the same fields:",
        "",
        *table(("field", "holds", "means"), header),
        "What the words inside the fields mean stands in"
        f" {link('the conventions', '../schemas/conventions.md')}; how an event may change, in"
        f" {link('the contract', '../schemas/index.md')}.",
        "",
        *table(("event", "subject", "means"), rows),
    ]
    return Page(path=OVERVIEW, title="Events", text="\n".join(lines))


def _subject(subject: str, schemas: list[Schema]) -> Page:
    lines = [f"# Events: {subject}", ""]
    for schema in schemas:
        lines += _event(schema)
    return Page(path=f"events/{subject}.md", title=subject.capitalize(), text="\n".join(lines))


def _event(schema: Schema) -> Iterator[str]:
    """One event in its newest version."""
    yield from (f"## {schema.name} {{#{schema.name}}}", "", escaped(_means(schema)), "")
    if schema.version > 1:
        yield from (f"Version {schema.version}; earlier versions are still read.", "")
    event = schema_data(schema, None)
    own = [row["field"] for row in event["fields"] if row["field"] not in HEADER]
    if own:
        yield from table(("field", "holds", "means"), _fields(event, own))
    for name, words in _enums(json.loads(schema.text)).items():
        yield from (f"`{name}`: {escaped(words)}", "")
    sample = sample_of(schema)
    if sample is not None:
        example = json.dumps(sample, ensure_ascii=False, indent=2).splitlines()
        yield from ('??? note "Example"', "", "    ```json")
        yield from (f"    {line}" for line in example)
        yield from ("    ```", "")


def _means(schema: Schema) -> str:
    return str(schema_data(schema, None)["means"])


def _fields(
    event: Mapping[str, Any], names: list[str] | tuple[str, ...]
) -> list[tuple[str, str, str]]:
    return [
        (
            f"`{row['field']}`",
            escaped(row["holds"] + (" or null" if row["may_be_null"] else "")),
            escaped(row["means"]),
        )
        for row in event["fields"]
        if row["field"] in names
    ]


def _enums(kind: Any) -> dict[str, str]:
    """The closed lists of words inside a schema that explain themselves, by name."""
    match kind:
        case {"type": "enum", "name": str(name), "doc": str(words)}:
            return {name: words}
        case dict():
            return {name: words for part in kind.values() for name, words in _enums(part).items()}
        case list():
            return {name: words for part in kind for name, words in _enums(part).items()}
    return {}
