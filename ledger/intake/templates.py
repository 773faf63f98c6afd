"""Templates of facts: what fills a field from the values of a row, checked against its type.

``"$column"`` is a column's value or a moment; a table fills a nested record; a list a list, whose
items may each hang on a column (``given``). ``{ rows = ... }`` makes one item of each row of a
group, ``{ each = column, of = ... }`` one of each value of a list.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, time
from enum import StrEnum
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from ledger.events import Fact

Cells = Mapping[str, Any]
"""The values of a row by column; None where a cell is empty."""
Make = Callable[[Cells], Any]
Wrong = Callable[[str], Exception]
"""Makes the refusal of a problem."""

PART: Final = "part"
PARTS: Final = "parts"
ROWS: Final = "rows"
EACH: Final = "each"
"""Names a template may use beside the columns: the number of this fact among those of a group of
rows, how many there are, the rows of the group, and one item of a list."""


class Templates:
    """Reads templates.

    Args:
        names: columns and moments that may be named.
        wrong: makes a refusal.
    """

    def __init__(self, names: set[str], wrong: Wrong) -> None:
        self.names = {*names, PART, PARTS}
        self.wrong = wrong

    def item(self, hint: Any, said: Any, where: str) -> tuple[str | None, Make]:
        """One item of a list, and the column without which there is none."""
        given = None
        if isinstance(said, dict) and "given" in said:
            given = str(said["given"]).removeprefix("$")
            if given not in self.names:
                raise self.wrong(f"{where}: {given!r} is no column")
            said = {name: one for name, one in said.items() if name != "given"}
        return given, self.maker(hint, said, where)

    def maker(self, hint: Any, said: Any, where: str, *, optional: bool = False) -> Make:
        """What makes a value of a type from a row."""
        if get_origin(hint) in (Union, types.UnionType):
            inner = next(one for one in get_args(hint) if one is not type(None))
            return self.maker(inner, said, where, optional=True)
        if isinstance(said, str) and said.startswith("$"):
            if said[1:] not in self.names:
                raise self.wrong(f"{where}: {said[1:]!r} is no column")
            return _column(said[1:], hint, optional)
        if get_origin(hint) is tuple:
            item = get_args(hint)[0]
            if isinstance(said, dict) and set(said) == {ROWS}:
                return _of_rows(self.maker(item, said[ROWS], where))
            if isinstance(said, dict) and set(said) == {EACH, "of"}:
                self._known(said[EACH], where)
                inner = Templates(self.names | {EACH}, self.wrong)
                return _of_items(said[EACH], inner.maker(item, said["of"], where))
            if not isinstance(said, list):
                raise self.wrong(f"{where} is a list")
            return _several(tuple(self.item(item, one, where) for one in said))
        if is_dataclass(hint) and isinstance(hint, type):
            if not isinstance(said, dict):
                raise self.wrong(f"{where} is a table")
            inner_hints = get_type_hints(hint)
            parts: dict[str, Make] = {}
            for one in fields(hint):
                if one.name in said:
                    inner_where = f"{where}.{one.name}"
                    parts[one.name] = self.maker(inner_hints[one.name], said[one.name], inner_where)
                elif type(None) in get_args(inner_hints[one.name]):
                    parts[one.name] = nothing
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

    def _known(self, name: Any, where: str) -> None:
        if name not in self.names:
            raise self.wrong(f"{where}: {name!r} is no column")


def nothing(_: Cells) -> None:
    """What was not recorded."""
    return


def _column(name: str, hint: Any, optional: bool) -> Make:
    if get_origin(hint) is tuple:
        item = get_args(hint)[0]
        if isinstance(item, type) and issubclass(item, StrEnum):
            return lambda row: tuple(item(one) for one in row[name] or ())
        return lambda row: row[name] or ()
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        absent = None if optional else hint("UNRECOGNISED")
        return lambda row: absent if row[name] is None else hint(row[name])
    if hint is str:
        return lambda row: _as_text(row[name])
    return lambda row: row[name]


def _as_text(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | time) else value


def _several(items: tuple[tuple[str | None, Make], ...]) -> Make:
    return lambda row: tuple(
        make(row) for given, make in items if given is None or row[given] is not None
    )


def _of_rows(make: Make) -> Make:
    return lambda row: tuple(make(one) for one in row[ROWS])


def _of_items(name: str, make: Make) -> Make:
    return lambda row: tuple(make({**row, EACH: one}) for one in row[name] or ())


def _part(kind: Callable[..., Any], parts: dict[str, Make]) -> Make:
    pairs = tuple(parts.items())
    return lambda row: kind(**{name: make(row) for name, make in pairs})


def made(event: Callable[..., Fact], makers: dict[str, Make]) -> Callable[..., Fact]:
    """What makes a fact from the values of a row and its first five fields."""
    pairs = tuple(makers.items())

    def make(row: Cells, header: dict[str, Any]) -> Fact:
        for name, one in pairs:
            header[name] = one(row)
        return event(**header)

    return make
