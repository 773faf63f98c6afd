"""A profile: a TOML file that says what the columns of a sheet are and what a row becomes.

``profiles/README.md`` says how one is written. A profile is read once and checked whole: every
event, field and column that it names must exist, and a value must fit its field's type.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from datetime import date, time
from hashlib import sha256
from keyword import iskeyword
from pathlib import Path
from typing import Any, Final, TypeVar, overload
from zoneinfo import available_timezones

from ledger.events import EVENTS
from ledger.intake import cells
from ledger.intake.cells import Reader, Serial
from ledger.intake.fact_templates import (
    EACH,
    PART,
    PARTS,
    ROWS,
    WHOLE,
    Kind,
    Templates,
    outside_rows,
)
from ledger.intake.import_errors import ProfileUnknown, ProfileWrong
from ledger.intake.profile_columns import Column, FactRow, Moment, Personal, Profile, Skips

PROFILES: Final = Path(__file__).parent / "profiles"
HEADER: Final = ("stream", "seq", "event_time", "source", "recorded_by")
TOTALS: Final = ["total", "totals", "grand total", "subtotal", "sub-total", "sum"]
"""How a row of totals begins, if a profile does not say otherwise."""
OPENING: Final = Kind(str)
COMMITMENT: Final = Kind(bytes)


def profile_names() -> list[str]:
    """The profiles that come with the product."""
    return sorted(path.stem for path in PROFILES.glob("*.toml"))


def profile_text(name: str, own: str) -> str:
    """A built-in profile's text under another name, to be changed.

    Args:
        name: of the profile.
        own: the name of the copy.

    Raises:
        ProfileUnknown: there is none.
    """
    if name not in profile_names():
        raise ProfileUnknown(name, profile_names())
    text = (PROFILES / f"{name}.toml").read_text(encoding="utf-8")
    return text.replace(f'profile = "{name}"', f"profile = {json.dumps(own)}", 1)


def load_profile(name: str) -> Profile:
    """A profile by its name, or by the path of a file of one's own.

    Raises:
        ProfileUnknown: there is none.
        ProfileWrong: it cannot be used.
    """
    path = PROFILES / f"{name}.toml" if name in profile_names() else Path(name)
    if path.suffix != ".toml" or not path.is_file():
        raise ProfileUnknown(name, profile_names())
    return parse_profile(path.read_bytes(), path.name)


def parse_profile(content: bytes, where: str) -> Profile:
    """Read the bytes of a profile.

    Raises:
        ProfileWrong: it cannot be used.
    """
    try:
        root = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileWrong(where, f"no TOML ({error})") from error
    return _ProfileReader(root, where).profile(sha256(content).hexdigest())


Entry = TypeVar("Entry")


class _ProfileReader:
    """One profile while it is read."""

    def __init__(self, root: dict[str, Any], where: str) -> None:
        self.root = root
        self.where = where

    def wrong(self, problem: str) -> ProfileWrong:
        return ProfileWrong(self.where, problem)

    @overload
    def take(self, table: dict[str, object], name: str, kind: type[Entry]) -> Entry: ...

    @overload
    def take(
        self, table: dict[str, object], name: str, kind: type[Entry], default: None
    ) -> Entry | None: ...

    @overload
    def take(
        self, table: dict[str, object], name: str, kind: type[Entry], default: Entry
    ) -> Entry: ...

    def take(
        self, table: dict[str, object], name: str, kind: type[object], default: object = ...
    ) -> object:
        """One entry of a table, of the right type; ``default``, if any, where there is none."""
        entry = table.get(name, default)
        if entry is ...:
            raise self.wrong(f"{name} is not said")
        if entry is not default and not isinstance(entry, kind):
            raise self.wrong(f"{name} is no {kind.__name__}")
        return entry

    def texts(
        self, table: dict[str, object], name: str, default: list[str], place: str
    ) -> tuple[str, ...]:
        """One text or several."""
        texts = table.get(name, default)
        several = [texts] if isinstance(texts, str) else texts
        if not isinstance(several, list) or not all(isinstance(one, str) for one in several):
            raise self.wrong(f"{place}: {name} is a text or several")
        if not several and default and default is not TOTALS:
            raise self.wrong(f"{place}: {name} is empty")
        return tuple(several)

    def bound(
        self, table: dict[str, object], name: str, default: int | None, place: str
    ) -> int | None:
        """A least or greatest number, if any."""
        bound = table.get(name, default)
        if bound is not None and type(bound) is not int:
            raise self.wrong(f"{place}: {name} is no whole number")
        return bound

    def only(self, table: dict[str, object], names: str, place: str) -> None:
        unknown = sorted(set(table) - set(names.split()))
        if unknown:
            raise self.wrong(f"{place} has no entry {unknown[0]!r}")

    def profile(self, digest: str) -> Profile:
        root = self.root
        self.only(
            root,
            "profile about key scope group stream source clock_uncertainty_seconds time_zone"
            " encoding separator columns moments facts skip sheet personal",
            "a profile",
        )
        columns = {
            name: self.column(name, one) for name, one in self.take(root, "columns", dict).items()
        }
        moments = {
            name: self.moment(name, one, columns)
            for name, one in self.take(root, "moments", dict).items()
        }
        key = self.named(self.take(root, "key", list), columns)
        for name in {*columns, *moments}:
            if not name.isidentifier() or iskeyword(name) or name in (PART, PARTS, ROWS, EACH):
                raise self.wrong(f"{name!r} is no name for a column or a moment")
            if name in columns and name in moments:
                raise self.wrong(f"{name!r} is a column and a moment")
        zone = self.take(root, "time_zone", str, None)
        if zone is not None and zone not in available_timezones():
            raise self.wrong(f"there is no time zone {zone!r}")
        encoding = self.take(root, "encoding", str, "utf-8")
        if not cells.is_encoding(encoding):
            raise self.wrong(f"there is no encoding {encoding!r}")
        separator = self.take(root, "separator", str, None)
        if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
            raise self.wrong("separator is one character")
        stream = self.take(root, "stream", str)
        try:
            stream.format_map(dict.fromkeys(columns, ""))
        except (KeyError, ValueError, IndexError, AttributeError) as error:
            raise self.wrong(f"stream names what is no column: {error}") from None
        rows = self.take(root, "facts", list)
        if not rows or not key:
            raise self.wrong("a row must have a key and become at least one fact")
        kinds = {name: column.holds for name, column in columns.items()}
        kinds |= dict.fromkeys(moments, WHOLE)
        personal = self.personal(self.take(root, "personal", dict, None), columns)
        if personal is not None:
            del kinds[personal.name], kinds[personal.address]
            kinds |= dict.fromkeys(("name_commitment", "address_commitment"), COMMITMENT)
            kinds["opening"] = OPENING
        templates = Templates(kinds, {}, self.wrong)
        return Profile(
            name=self.take(root, "profile", str),
            about=self.take(root, "about", str),
            sha256=digest,
            key=key,
            scope=self.named(self.take(root, "scope", list, []), columns),
            group=self.named(self.take(root, "group", list, []), columns),
            stream=stream,
            source=self.take(root, "source", str),
            clock_uncertainty_micros=self.take(root, "clock_uncertainty_seconds", int) * 1_000_000,
            time_zone=zone,
            encoding=encoding,
            separator=separator,
            columns=columns,
            moments=moments,
            facts=tuple(self.fact(one, columns, moments, templates) for one in rows),
            constants=templates.constants,
            of_group=frozenset(outside_rows([one.get("fields", {}) for one in rows], columns)),
            skips=self.skips(self.take(root, "skip", dict, {}), columns),
            sheet=self.take(root, "sheet", str, None),
            personal=personal,
        )

    def skips(self, table: dict[str, object], columns: dict[str, Column]) -> Skips:
        """Which rows are skipped."""
        self.only(table, "totals blank words", "skip")
        blank = self.named(self.take(table, "blank", list, []), columns)
        if blank and not any(columns[name].required for name in blank):
            raise self.wrong("skip: a blank slip lacks a column that must be filled")
        words = self.take(table, "words", dict, {})
        self.named(list(words), columns)
        return Skips(
            tuple(word.casefold() for word in self.texts(table, "totals", TOTALS, "skip")),
            blank,
            tuple(
                (name, tuple(word.casefold() for word in self.texts(words, name, [], "skip")))
                for name in words
            ),
        )

    def personal(
        self, table: dict[str, object] | None, columns: dict[str, Column]
    ) -> Personal | None:
        """The columns that no fact may hold."""
        if table is None:
            return None
        self.only(table, "name address", "personal")
        both = self.named([table.get("name"), table.get("address")], columns)
        if any(columns[name].kind != "text" or not columns[name].required for name in both):
            raise self.wrong("personal: name and address are texts that must be filled")
        parts = (self.take(self.root, part, list, []) for part in ("key", "scope", "group"))
        if any(name in part for part in parts for name in both):
            raise self.wrong("personal: a name or an address is no part of a key")
        return Personal(*both)

    def named(self, names: Sequence[object], columns: dict[str, Column]) -> tuple[str, ...]:
        known: list[str] = []
        for name in names:
            if not isinstance(name, str) or name not in columns:
                raise self.wrong(f"{name!r} is no column")
            known.append(name)
        return tuple(known)

    def column(self, name: str, table: object) -> Column:
        if not isinstance(table, dict):
            raise self.wrong(f"column {name} is no table")
        self.only(
            table,
            "heading kind required minimum maximum unit decimal words separator of formats total",
            f"column {name}",
        )
        kind = self.take(table, "kind", str, "text")
        headings = self.texts(table, "heading", [name.replace("_", " ")], f"column {name}")
        formats = ("%Y-%m-%d", *self.texts(table, "formats", [], f"column {name}"))
        return Column(
            name=name,
            headings=headings,
            required=self.take(table, "required", bool, True),
            kind=kind,
            formats=formats,
            read=None if kind == "date" else self.reader(name, kind, table),
            total=self.take(table, "total", bool, kind == "money"),
            holds=self.holds(kind, table),
        )

    def holds(self, kind: str, table: dict[str, Any]) -> Kind:
        """What the values of a column are."""
        match kind:
            case "whole" | "money" | "milliseconds":
                return WHOLE
            case "date":
                return Kind(date)
            case "time":
                return Kind(time)
            case "choice":
                return Kind(str, words=tuple(table["words"].values()))
            case "list":
                return Kind(tuple, element=self.holds(table.get("of", "text"), table))
            case "serial":
                return Kind(Serial)
            case "yes_no":
                return Kind(bool)
            case _:
                return Kind(str)

    def reader(self, name: str, kind: str, table: dict[str, Any]) -> Reader:
        match kind:
            case "text" | "offset":
                return cells.text
            case "whole":
                least, most = (self.bound(table, one, None, name) for one in ("minimum", "maximum"))
                return cells.whole(least, most)
            case "money":
                decimal, unit = table.get("decimal", "."), table.get("unit", "dollars")
                if decimal not in (".", ",") or unit not in ("dollars", "cents"):
                    raise self.wrong(f"column {name}: decimal is . or , and unit dollars or cents")
                return cells.money(decimal, unit, self.bound(table, "minimum", 0, name))
            case "milliseconds":
                return cells.milliseconds
            case "serial":
                return cells.serial
            case "yes_no":
                return cells.yes_no
            case "time":
                return cells.clock
            case "choice":
                words = self.take(table, "words", dict)
                if not words or not all(isinstance(word, str) for word in words.values()):
                    raise self.wrong(f"column {name}: words are texts")
                return cells.choice(words)
            case "list":
                inner = table.get("of", "text")
                if inner in ("list", "date"):
                    raise self.wrong(f"column {name}: a list of {inner} cannot be read")
                sep = self.take(table, "separator", str, ";")
                if not sep.strip() and sep != " ":
                    raise self.wrong(f"column {name}: separator is empty")
                return cells.several(sep, self.reader(name, inner, table))
            case _:
                raise self.wrong(f"column {name} has no kind {kind!r}")

    def moment(self, name: str, table: object, columns: dict[str, Column]) -> Moment:
        if not isinstance(table, dict):
            raise self.wrong(f"moment {name} is no table")
        self.only(table, "date time offset gaming_day", f"moment {name}")
        used = [table.get(part) for part in ("date", "time", "offset") if part in table]
        self.named(used, columns)
        day, clock = self.take(table, "date", str), self.take(table, "time", str)
        if columns[day].kind != "date" or columns[clock].kind != "time":
            raise self.wrong(f"moment {name} is made of a date and a time")
        return Moment(
            name, day, clock, table.get("offset"), self.take(table, "gaming_day", bool, False)
        )

    def fact(
        self, table: object, columns: dict[str, Column], moments: dict[str, Moment],
        templates: Templates,
    ) -> FactRow:  # fmt: skip
        if not isinstance(table, dict):
            raise self.wrong("a fact is a table")
        self.only(table, "event at plus_seconds only fields", "a fact")
        name = self.take(table, "event", str)
        event = EVENTS.get(name)
        if event is None:
            raise self.wrong(f"there is no event {name!r}")
        at = self.take(table, "at", str)
        if at not in moments:
            raise self.wrong(f"{name} happens at {at!r}, which is no moment")
        seconds = table.get("plus_seconds", 0)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):
            raise self.wrong(f"{name}: plus_seconds is no number")
        parts = templates.parts(event, self.take(table, "fields", dict, {}), name, HEADER)
        record = ", ".join(f"{field!r}: {source}" for field, source in parts)
        return FactRow(
            event=event,
            at=at,
            plus_micros=round(seconds * 1_000_000),
            only=self.conditions(self.take(table, "only", dict, {}), columns, name),
            parts=tuple(parts),
            make=templates.function(f"{{{record}}}"),
        )

    def conditions(
        self, only: dict[str, object], columns: dict[str, Column], event: str
    ) -> tuple[tuple[str, tuple[str, ...] | None], ...]:
        """For which rows a fact is: a column and the values it must have, None for any."""
        self.named(list(only), columns)
        when: list[tuple[str, tuple[str, ...] | None]] = []
        for name, among in only.items():
            if among is True:
                when.append((name, None))
                continue
            values = self.texts(only, name, [], event)
            known = columns[name].holds.words
            if known is None or not values or any(value not in known for value in values):
                raise self.wrong(f"{event}: only {name!r} is true, or words of that column")
            when.append((name, values))
        return tuple(when)
