"""A profile: a TOML file that says what the columns of a sheet are and what a row becomes.

``profiles/README.md`` says how one is written. A profile is read once and checked whole: every
event, field and column that it names must exist, and a value must fit its field's type.
"""

from __future__ import annotations

import tomllib
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, time
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from ledger.events import EVENTS, Fact
from ledger.intake import cells
from ledger.intake.cells import Reader
from ledger.intake.refusals import ProfileUnknown, ProfileWrong

PROFILES: Final = Path(__file__).parent / "profiles"
HEADER: Final = ("stream", "seq", "event_time", "source", "recorded_by")

Cells = Mapping[str, Any]
"""The values of a row by column; None where a cell is empty."""
Make = Callable[[Cells], Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its headings, whether it must be filled, its kind, and how a cell is read.

    ``total`` says that the file's control totals count it: "sum" or "count".
    """

    name: str
    headings: tuple[str, ...]
    required: bool
    kind: str
    formats: tuple[str, ...]
    read: Reader | None
    total: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time that a row names: its columns, and what the date stands for."""

    name: str
    date: str
    time: str
    offset: str | None
    gaming_day: bool


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact that a row becomes: its event, when it happened, and what fills its fields.

    ``given`` names the column without which there is no such fact.
    """

    event: type[Fact]
    at: str
    plus_micros: int
    given: str | None
    make: Callable[[Cells, dict[str, Any]], Fact]


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile, read and checked."""

    name: str
    about: str
    sha256: str
    key: tuple[str, ...]
    scope: tuple[str, ...]
    stream: str
    source: str
    clock_uncertainty_micros: int
    time_zone: str | None
    encoding: str
    separator: str | None
    columns: dict[str, Column]
    moments: dict[str, Moment]
    facts: tuple[FactRow, ...]

    @property
    def needed(self) -> set[str]:
        """The columns that a file must have."""
        return {name for name, column in self.columns.items() if column.required}

    @property
    def headings(self) -> dict[str, tuple[str, ...]]:
        """The headings that a column may have, by column."""
        return {name: column.headings for name, column in self.columns.items()}


def profile_names() -> list[str]:
    """The profiles that come with the product."""
    return sorted(path.stem for path in PROFILES.glob("*.toml"))


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


def parse_profile(data: bytes, where: str) -> Profile:
    """Read the bytes of a profile.

    Raises:
        ProfileWrong: it cannot be used.
    """
    try:
        said = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileWrong(where, f"no TOML ({error})") from error
    return _Reading(said, where).profile(sha256(data).hexdigest())


class _Reading:
    """One profile while it is read."""

    def __init__(self, said: dict[str, Any], where: str) -> None:
        self.said = said
        self.where = where

    def wrong(self, problem: str) -> ProfileWrong:
        return ProfileWrong(self.where, problem)

    def take(self, said: dict[str, Any], name: str, kind: type, default: Any = ...) -> Any:
        """One entry of a table, of the right type."""
        value = said.get(name, default)
        if value is ...:
            raise self.wrong(f"{name} is not said")
        if value is not default and not isinstance(value, kind):
            raise self.wrong(f"{name} is no {kind.__name__}")
        return value

    def only(self, said: dict[str, Any], names: str, what: str) -> None:
        unknown = sorted(set(said) - set(names.split()))
        if unknown:
            raise self.wrong(f"{what} has no entry {unknown[0]!r}")

    def profile(self, digest: str) -> Profile:
        said = self.said
        self.only(
            said,
            "profile about key scope stream source clock_uncertainty_seconds time_zone encoding"
            " separator columns moments facts",
            "a profile",
        )
        columns = {
            name: self.column(name, one) for name, one in self.take(said, "columns", dict).items()
        }
        moments = {
            name: self.moment(name, one, columns)
            for name, one in self.take(said, "moments", dict).items()
        }
        key = self.named(self.take(said, "key", list), columns)
        stream = self.take(said, "stream", str)
        try:
            stream.format_map(dict.fromkeys(columns, ""))
        except (KeyError, ValueError, IndexError) as error:
            raise self.wrong(f"stream names what is no column: {error}") from None
        rows = self.take(said, "facts", list)
        if not rows or not key:
            raise self.wrong("a row must have a key and become at least one fact")
        return Profile(
            name=self.take(said, "profile", str),
            about=self.take(said, "about", str),
            sha256=digest,
            key=key,
            scope=self.named(self.take(said, "scope", list, []), columns),
            stream=stream,
            source=self.take(said, "source", str),
            clock_uncertainty_micros=self.take(said, "clock_uncertainty_seconds", int) * 1_000_000,
            time_zone=self.take(said, "time_zone", str, None),
            encoding=self.take(said, "encoding", str, "utf-8"),
            separator=self.take(said, "separator", str, None),
            columns=columns,
            moments=moments,
            facts=tuple(self.fact(one, columns, moments) for one in rows),
        )

    def named(self, names: list[Any], columns: dict[str, Column]) -> tuple[str, ...]:
        for name in names:
            if name not in columns:
                raise self.wrong(f"{name!r} is no column")
        return tuple(names)

    def column(self, name: str, said: Any) -> Column:
        if not isinstance(said, dict):
            raise self.wrong(f"column {name} is no table")
        self.only(
            said,
            "heading kind required minimum maximum unit decimal words separator of formats total",
            f"column {name}",
        )
        kind = self.take(said, "kind", str, "text")
        heading = said.get("heading", name.replace("_", " "))
        headings = (heading,) if isinstance(heading, str) else tuple(heading)
        formats = ("%Y-%m-%d", *self.take(said, "formats", list, []))
        return Column(
            name=name,
            headings=headings,
            required=self.take(said, "required", bool, True),
            kind=kind,
            formats=formats,
            read=None if kind == "date" else self.reader(name, kind, said),
            total=self.take(said, "total", bool, kind == "money"),
        )

    def reader(self, name: str, kind: str, said: dict[str, Any]) -> Reader:
        match kind:
            case "text" | "offset":
                return cells.text
            case "whole":
                return cells.whole(said.get("minimum"), said.get("maximum"))
            case "money":
                decimal, unit = said.get("decimal", "."), said.get("unit", "dollars")
                if decimal not in (".", ",") or unit not in ("dollars", "cents"):
                    raise self.wrong(f"column {name}: decimal is . or , and unit dollars or cents")
                return cells.money(decimal, unit, said.get("minimum", 0))
            case "time":
                return cells.clock
            case "choice":
                return cells.choice(self.take(said, "words", dict))
            case "list":
                inner = said.get("of", "text")
                if inner in ("list", "date"):
                    raise self.wrong(f"column {name}: a list of {inner} cannot be read")
                sep = self.take(said, "separator", str, ";")
                return cells.several(sep, self.reader(name, inner, said))
            case _:
                raise self.wrong(f"column {name} has no kind {kind!r}")

    def moment(self, name: str, said: Any, columns: dict[str, Column]) -> Moment:
        self.only(said, "date time offset gaming_day", f"moment {name}")
        used = [said.get(part) for part in ("date", "time", "offset") if part in said]
        self.named(used, columns)
        day, clock = self.take(said, "date", str), self.take(said, "time", str)
        if columns[day].kind != "date" or columns[clock].kind != "time":
            raise self.wrong(f"moment {name} is made of a date and a time")
        return Moment(name, day, clock, said.get("offset"), said.get("gaming_day", False))

    def fact(self, said: Any, columns: dict[str, Column], moments: dict[str, Moment]) -> FactRow:
        self.only(said, "event at plus_seconds given fields", "a fact")
        name = self.take(said, "event", str)
        event = EVENTS.get(name)
        if event is None:
            raise self.wrong(f"there is no event {name!r}")
        at = self.take(said, "at", str)
        if at not in moments:
            raise self.wrong(f"{name} happens at {at!r}, which is no moment")
        given = said.get("given")
        if given is not None:
            self.named([given], columns)
        filled = self.take(said, "fields", dict, {})
        hints = get_type_hints(event)
        makers: dict[str, Make] = {}
        for one in fields(event):
            if one.name in HEADER:
                continue
            if one.name not in filled:
                if type(None) not in get_args(hints[one.name]):
                    raise self.wrong(f"{name}.{one.name} is not filled")
                makers[one.name] = _nothing
            else:
                where = f"{name}.{one.name}"
                names = set(columns) | set(moments)
                makers[one.name] = self.maker(hints[one.name], filled[one.name], names, where)
        for extra in set(filled) - set(makers):
            raise self.wrong(f"{name} has no field {extra!r} to fill")
        seconds = said.get("plus_seconds", 0)
        return FactRow(event, at, round(seconds * 1_000_000), given, _made(event, makers))

    def maker(self, hint: Any, said: Any, names: set[str], where: str) -> Make:
        """What makes a value of a type from a row."""
        if get_origin(hint) in (Union, types.UnionType):
            inner = next(one for one in get_args(hint) if one is not type(None))
            return self.maker(inner, said, names, where)
        if isinstance(said, str) and said.startswith("$"):
            if said[1:] not in names:
                raise self.wrong(f"{where}: {said[1:]!r} is no column")
            return _column(said[1:], hint)
        if get_origin(hint) is tuple:
            item = get_args(hint)[0]
            if not isinstance(said, list):
                raise self.wrong(f"{where} is a list")
            return _several(tuple(self.maker(item, one, names, where) for one in said))
        if is_dataclass(hint) and isinstance(hint, type):
            if not isinstance(said, dict):
                raise self.wrong(f"{where} is a table")
            inner_hints = get_type_hints(hint)
            parts: dict[str, Make] = {}
            for one in fields(hint):
                if one.name in said:
                    inner_where = f"{where}.{one.name}"
                    parts[one.name] = self.maker(
                        inner_hints[one.name], said[one.name], names, inner_where
                    )
                elif type(None) in get_args(inner_hints[one.name]):
                    parts[one.name] = _nothing
                else:
                    raise self.wrong(f"{where}.{one.name} is not filled")
            for extra in set(said) - set(parts):
                raise self.wrong(f"{where} has no field {extra!r}")
            return _part(hint, parts)
        try:
            value = hint(said) if issubclass(hint, StrEnum) else said
        except ValueError:
            raise self.wrong(f"{where}: {said!r} is not among its symbols") from None
        if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
            raise self.wrong(f"{where} is no {hint.__name__}")
        return lambda _: value


def _nothing(_: Cells) -> None:
    return None


def _column(name: str, hint: Any) -> Make:
    if get_origin(hint) is tuple:
        item = get_args(hint)[0]
        if isinstance(item, type) and issubclass(item, StrEnum):
            return lambda row: tuple(item(one) for one in row[name] or ())
        return lambda row: row[name] or ()
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return lambda row: None if row[name] is None else hint(row[name])
    if hint is str:
        return lambda row: _as_text(row[name])
    return lambda row: row[name]


def _as_text(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | time) else value


def _several(items: tuple[Make, ...]) -> Make:
    return lambda row: tuple(make(row) for make in items)


def _part(kind: Callable[..., Any], parts: dict[str, Make]) -> Make:
    pairs = tuple(parts.items())
    return lambda row: kind(**{name: make(row) for name, make in pairs})


def _made(event: Callable[..., Fact], makers: dict[str, Make]) -> Callable[..., Fact]:
    pairs = tuple(makers.items())

    def make(row: Cells, header: dict[str, Any]) -> Fact:
        for name, one in pairs:
            header[name] = one(row)
        return event(**header)

    return make
