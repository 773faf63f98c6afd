"""The schemas keep their promise, and each way of breaking it is seen.

The rules are ours (``ledger.codec.compatibility``); the ``avro`` package is the second opinion: what
we allow it must call compatible, both ways.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Any

import avro.schema
import pytest
from avro.compatibility import ReaderWriterCompatibilityChecker, SchemaCompatibilityType

from ledger.codec import SchemaUnusable, compatibility, registry, schemas_folder
from ledger.codec.compatibility import Kind, check_schemas
from ledger.codec.upcast import UPCASTS

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the published schemas."""
    copied = tmp_path / "schemas"
    shutil.copytree(Path(str(schemas_folder())), copied, ignore=shutil.ignore_patterns("samples"))
    return copied


def reads(reader: str, writer: str) -> bool:
    """Whether the ``avro`` package lets one schema read what the other wrote."""
    checker = ReaderWriterCompatibilityChecker()
    result = checker.get_compatibility(avro.schema.parse(reader), avro.schema.parse(writer))
    return bool(result.compatibility is SchemaCompatibilityType.compatible)


def publish(folder: Path, name: str, change: Change, version: int = 2) -> str:
    """Publish the next version of an event, with a change; hand back its text."""
    path = next(folder.glob(f"*/{name}.{version - 1}.avsc"))
    schema = json.loads(path.read_text())
    change(schema)
    text = json.dumps(schema)
    path.with_name(f"{name}.{version}.avsc").write_text(text)
    lock = folder / "published.lock"
    number = max(int(line.split()[0]) for line in lock.read_text().splitlines()[1:]) + 1
    digest = sha256(text.encode()).hexdigest()
    lock.write_text(lock.read_text() + f"{number} pitledger.{name} {version} {digest}\n")
    return text


def kinds(folder: Path) -> set[Kind]:
    """The kinds of problems, without those that every new version has until code follows."""
    follow = {Kind.NO_UPCAST, Kind.CLASS_DIFFERS}
    return {problem.kind for problem in check_schemas(folder)} - follow


def field(schema: Any, name: str) -> Any:
    """One field of a record."""
    return next(one for one in schema["fields"] if one["name"] == name)


def test_the_published_schemas_have_no_problem() -> None:
    assert [str(problem) for problem in check_schemas()] == []


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", sorted({schema.name for schema in registry()}))
def test_all_versions_read_all_others(name: str) -> None:
    versions = [schema for schema in registry() if schema.name == name]
    for reader, writer in [*permutations(versions, 2), *zip(versions, versions, strict=True)]:
        assert reads(reader.text, writer.text)


def test_every_older_version_has_its_step() -> None:
    older = {
        (schema.name, schema.version)
        for schema in registry()
        if schema.version < registry().by_name(schema.name).version
    }
    assert set(UPCASTS) == older == {
        ("StaffRelieved", 1), ("RoundObserved", 1), ("ObservationConfirmed", 1),
        ("ActionTaken", 1), ("ActionNoted", 1), ("ActionClosed", 1), ("CauseSuppressed", 1),
        ("FactAmended", 1), ("FactsAdded", 1), ("ReportSigned", 1), ("CouponFormSigned", 1),
    }  # fmt: skip


NULLABLE = {"name": "note", "type": ["null", "string"], "doc": "in plain words", "default": None}


@pytest.mark.by_turns(2)
@pytest.mark.parametrize(
    "change",
    [
        lambda s: s["fields"].append(NULLABLE),
        lambda s: s["fields"].insert(6, NULLABLE),
        lambda s: s["fields"].remove(field(s, "thrown_by")),
        lambda s: s.update(doc="Said better."),
        lambda s: field(s, "dice").update(doc="Said better."),
        lambda s: field(s, "dice")["type"]["items"]["fields"].append(NULLABLE),
        lambda s: field(field(s, "dice")["type"]["items"], "rest")["type"]["symbols"].insert(
            7, "LOST"
        ),
        lambda s: field(field(s, "dice")["type"]["items"], "rest")["type"]["symbols"].append(
            "LOST"
        ),
    ],
)
def test_an_allowed_change_is_allowed_by_both(folder: Path, change: Change) -> None:
    before = registry().by_name("DiceThrown").text
    after = publish(folder, "DiceThrown", change)
    assert kinds(folder) == set()
    assert reads(before, after)
    assert reads(after, before)


def _rename_die(schema: Any) -> None:
    field(schema, "dice")["type"]["items"]["name"] = "Cube"


def _rename_rest(schema: Any) -> None:
    field(field(schema, "dice")["type"]["items"], "rest")["type"]["name"] = "Lie"


def _face(schema: Any) -> Any:
    return field(field(schema, "dice")["type"]["items"], "face")


def _symbols(schema: Any) -> Any:
    return field(field(schema, "dice")["type"]["items"], "rest")["type"]["symbols"]


REQUIRED = {"name": "table", "type": "string", "doc": "table"}
FORBIDDEN: list[tuple[str, Change, Kind, bool]] = [
    # what,                      change,                                     seen as,            avro sees it too
    ("remove a required field", lambda s: s["fields"].remove(field(s, "dice")), Kind.FIELD_REQUIRED, True),
    ("add a field without default", lambda s: s["fields"].append(REQUIRED), Kind.FIELD_REQUIRED, True),
    ("add a nullable field without default", lambda s: s["fields"].append({k: v for k, v in NULLABLE.items() if k != "default"}), Kind.FIELD_REQUIRED, True),
    ("give another default", lambda s: s["fields"].append({"name": "n", "type": "long", "doc": "n", "default": 0}), Kind.UNREADABLE, False),
    ("change a type", lambda s: field(s, "source").update(type="long"), Kind.TYPE_CHANGED, True),
    ("use a type that facts do not use", lambda s: field(s, "thrown_by").update(type=["null", "double"]), Kind.UNREADABLE, True),
    ("widen a type to bytes", lambda s: field(s, "source").update(type="bytes"), Kind.TYPE_CHANGED, False),
    ("make a field nullable", lambda s: field(s, "source").update(type=["null", "string"], default=None), Kind.TYPE_CHANGED, True),
    ("make a field required", lambda s: (field(s, "thrown_by").update(type="string"), field(s, "thrown_by").pop("default")), Kind.TYPE_CHANGED, True),
    ("rename a field", lambda s: field(s, "dice").update(name="cubes"), Kind.FIELD_REQUIRED, True),
    ("rename a record inside", _rename_die, Kind.RENAMED, True),
    ("rename an enum", _rename_rest, Kind.RENAMED, True),
    ("remove a symbol", lambda s: _symbols(s).remove("FLAT"), Kind.SYMBOL_REMOVED, False),
    ("reorder symbols", lambda s: _symbols(s).reverse(), Kind.SYMBOL_REMOVED, False),
    ("reorder fields", lambda s: s["fields"].append(s["fields"].pop(5)), Kind.FIELD_MOVED, False),
    ("reorder the head", lambda s: s["fields"].insert(0, s["fields"].pop(1)), Kind.HEAD_DIFFERS, False),
    ("tighten a bound", lambda s: _face(s)["type"][1].update(maximum=5), Kind.TYPE_CHANGED, False),
    ("loosen a bound", lambda s: _face(s)["type"][1].update(maximum=20), Kind.TYPE_CHANGED, False),
    ("drop the logical type", lambda s: field(s, "event_time")["type"].pop("logicalType"), Kind.TYPE_CHANGED, False),
    ("rename the event", lambda s: s.update(name="DiceRolled"), Kind.RENAMED, True),
    ("move the event to another namespace", lambda s: s.update(namespace="other"), Kind.MISPLACED, False),
    ("use a name of the JSON form", lambda s: s["fields"].append({**NULLABLE, "name": "version"}), Kind.RESERVED_NAME, False),
    ("leave out a doc", lambda s: s["fields"].append({k: v for k, v in NULLABLE.items() if k != "doc"}), Kind.NO_DOC, False),
]  # fmt: skip


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(
    ("change", "kind", "avro_too"),
    [row[1:] for row in FORBIDDEN],
    ids=[row[0] for row in FORBIDDEN],
)
def test_a_forbidden_change_is_seen(
    folder: Path, change: Change, kind: Kind, avro_too: bool
) -> None:
    before = registry().by_name("DiceThrown").text
    after = publish(folder, "DiceThrown", change)
    assert kind in kinds(folder)
    assert avro_too is not (reads(before, after) and reads(after, before))


def test_a_symbol_without_a_default_cannot_come(folder: Path) -> None:
    def change(schema: Any) -> None:
        _symbols(schema).append("LOST")
        del field(field(schema, "dice")["type"]["items"], "rest")["type"]["default"]

    publish(folder, "DiceThrown", change)
    assert Kind.NO_UNRECOGNISED in kinds(folder)


def test_an_enum_has_the_symbol_for_newer_producers(folder: Path) -> None:
    def change(schema: Any) -> None:
        _symbols(schema).remove("UNRECOGNISED")
        field(field(schema, "dice")["type"]["items"], "rest")["type"]["default"] = "FLAT"

    publish(folder, "DiceThrown", change)
    assert Kind.NO_UNRECOGNISED in kinds(folder)


def test_every_pair_of_versions_is_compared_not_only_neighbours(folder: Path) -> None:
    publish(folder, "DiceThrown", lambda s: s["fields"].remove(field(s, "thrown_by")))
    publish(
        folder,
        "DiceThrown",
        lambda s: s["fields"].append({**NULLABLE, "name": "thrown_by", "type": ["null", "long"]}),
        version=3,
    )
    where = {
        problem.where for problem in check_schemas(folder) if problem.kind is Kind.TYPE_CHANGED
    }
    assert where == {"DiceThrown 1 to 3.thrown_by"}


def test_an_edited_file_is_seen(folder: Path) -> None:
    path = folder / "dice" / "DiceThrown.1.avsc"
    path.write_text(path.read_text() + " ")
    assert kinds(folder) == {Kind.EDITED}


def test_files_that_are_missing_or_drafts_or_elsewhere_are_seen(folder: Path) -> None:
    shutil.copy(folder / "dice" / "DiceThrown.1.avsc", folder / "dice" / "DiceThrown.2.avsc")
    assert kinds(folder) == {Kind.UNPUBLISHED}
    shutil.move(folder / "dice" / "DiceThrown.2.avsc", folder / "wheel" / "DiceThrown.1.avsc")
    (folder / "dice" / "DiceThrown.1.avsc").unlink()
    assert kinds(folder) == {Kind.MISPLACED}
    (folder / "wheel" / "DiceThrown.1.avsc").unlink()
    assert kinds(folder) == {Kind.MISSING}


def test_holes_in_the_lock_are_seen(folder: Path) -> None:
    lock = folder / "published.lock"
    lines = lock.read_text().splitlines()
    lock.write_text("\n".join(line for line in lines if "ShiftLogged 1" not in line) + "\n")
    assert {Kind.LOCK_ORDER, Kind.UNPUBLISHED, Kind.MISSING} == kinds(folder)
    lock.write_text("\n".join(line for line in lines if "StaffRelieved 1" not in line) + "\n")
    assert Kind.LOCK_ORDER in kinds(folder)


def test_what_is_no_schema_is_seen(folder: Path) -> None:
    for text in ("", "[", '{"type": "record", "name": "DiceThrown", "fields": []}', '"string"'):
        (folder / "dice" / "DiceThrown.1.avsc").write_text(text)
        assert Kind.EDITED in kinds(folder)
    (folder / "published.lock").write_text("nothing\n")
    with pytest.raises(SchemaUnusable):
        check_schemas(folder)


def test_a_dataclass_that_differs_is_seen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(folder, "DiceThrown", lambda s: s["fields"].append(NULLABLE))
    seen = {(problem.kind, problem.where) for problem in check_schemas(folder)}
    assert seen == {(Kind.NO_UPCAST, "DiceThrown"), (Kind.CLASS_DIFFERS, "DiceThrown")}
    known = dict(compatibility.classes())
    for name, other in (("Die", known["DieIdentity"]), ("Rest", known["Role"]), ("Seen", None)):
        changed = {**known, name: other}
        monkeypatch.setattr(compatibility, "classes", lambda changed=changed: changed)
        assert (Kind.CLASS_DIFFERS, name) in {(p.kind, p.where) for p in check_schemas()}


def test_an_event_without_a_schema_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compatibility, "EVENTS", {**compatibility.EVENTS, "Unheard": object})
    assert {(p.kind, p.where) for p in check_schemas()} == {(Kind.MISSING, "Unheard")}
