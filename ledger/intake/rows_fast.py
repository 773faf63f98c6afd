"""The fast way for good rows: one function compiled from a profile, which does what ``rows`` does.

Each column's cells are read once and remembered while there is room. Facts are framed from an
object that is filled anew for each row, so that no fact is built only to be written. A row with
anything wrong raises, and the readable way says what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, time
from hashlib import blake2b
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from ledger.codec import framer
from ledger.intake.cells import CellWrong
from ledger.intake.profile import HEADER, Column, FactRow
from ledger.intake.rows import HASH_BYTES, UNIT, RowReader, counted, key_hash, key_text

if TYPE_CHECKING:
    from ledger.intake.spool import Waiting

ROOM: Final = 5_000
"""How many different cells of a column are remembered."""
TIMES: Final = 90_000
"""How many times of the day: a day has 86,400 seconds."""

FastRow = Callable[[int, Sequence[str]], "list[Waiting]"]


class Remembered(dict[Any, Any]):
    """The answers of a function, as many as there is room for."""

    def __init__(self, function: Callable[[Any], Any], room: int = ROOM) -> None:
        super().__init__()
        self.function = function
        self.room = room

    def __missing__(self, asked: Any) -> Any:
        value = self.function(asked)
        if len(self) < self.room:
            self[asked] = value
        return value


def compile_rows(reader: RowReader) -> FastRow:
    """The function for one file: a row's number and cells to its facts.

    It raises ``CellWrong`` or ``NotAFact`` for a row with anything wrong.
    """
    profile = reader.profile
    names: dict[str, Any] = dict(profile.constants)
    lines = ["def row(number, cells):", *_columns(reader, names), *_moments(reader, names)]
    lanes = sorted({*profile.scope, *_in_stream(reader)})
    names |= {
        "lanes": Remembered(lambda key: reader.lane(dict(zip(lanes, key, strict=True)))),
        "key_hash": key_hash, "key_text": key_text, "blake2b": blake2b, "totals": reader.totals,
        "nothing": _nothing, "counted": counted,
    }  # fmt: skip
    named = UNIT.join(_key_part(profile.columns[name]) for name in profile.key)
    lines += [
        f"    stream, scope = lanes[({''.join(f'c_{name}, ' for name in lanes)})]",
        f"    name = f{named!r}",
        f"    key = key_hash({profile.name!r}, name, 0)",
        "    facts = []",
    ]
    for place, fact in enumerate(profile.facts):
        lines += _fact(fact, place, profile.source, names)
    lines.append("    if not facts: nothing()")
    for name in reader.totals:
        column = profile.columns[name]
        number = column.kind in ("whole", "money", "milliseconds")
        worth = f"c_{name} or 0" if number else f"counted(c_{name})"
        lines.append(f"    totals[{name!r}] += {worth}")
    lines.append("    return facts")
    exec(compile("\n".join(lines), f"<rows of {profile.name}>", "exec"), names)  # noqa: S102
    function: FastRow = names["row"]
    return function


def _columns(reader: RowReader, names: dict[str, Any]) -> list[str]:
    lines = []
    for name, column in reader.profile.columns.items():
        at = reader.columns.get(name)
        if at is None:
            lines.append(f"    c_{name} = None")
            continue
        room = TIMES if column.kind == "time" else ROOM
        names[f"r_{name}"] = Remembered(_cell(column, column.read or reader.dates), room)
        lines.append(f"    c_{name} = r_{name}[cells[{at}]]")
    return lines


def _cell(column: Column, read: Callable[[str], Any]) -> Callable[[str], Any]:
    def value(cell: str) -> Any:
        cell = cell.strip()
        if cell:
            return read(cell)
        if column.required:
            raise CellWrong("empty", "this cell must be filled")
        return None

    return value


def _moments(reader: RowReader, names: dict[str, Any]) -> list[str]:
    lines = []
    for name, moment in reader.profile.moments.items():
        names[f"m_{name}"] = Remembered(_moment(reader, gaming_day=moment.gaming_day), TIMES)
        offset = f"c_{moment.offset}" if moment.offset else "None"
        lines.append(f"    c_{name} = m_{name}[c_{moment.date}, c_{moment.time}, {offset}]")
    return lines


def _moment(
    reader: RowReader, *, gaming_day: bool
) -> Callable[[tuple[date | None, time | None, str | None]], int | None]:
    def value(said: tuple[date | None, time | None, str | None]) -> int | None:
        day, clock, offset = said
        if day is None or clock is None:
            return None
        return reader.moments.at(day, clock, offset, gaming_day=gaming_day)

    return value


def _in_stream(reader: RowReader) -> set[str]:
    from string import Formatter

    fields = (name for _, name, _, _ in Formatter().parse(reader.profile.stream))
    return {name for name in fields if name}


def _key_part(column: Column) -> str:
    """A column's value inside the row's name, as a piece of an f-string."""
    plain = column.required and column.kind in ("text", "whole", "money", "date", "time")
    return f"{{c_{column.name}}}" if plain else f"{{key_text(c_{column.name})}}"


def _fact(fact: FactRow, place: int, source: str, names: dict[str, Any]) -> list[str]:
    filled = SimpleNamespace(**dict.fromkeys(HEADER) | {"seq": 1, "source": source})
    names |= {f"f{place}": filled, f"w{place}": framer(fact.event), f"p{place}": bytes((place,))}
    lines = []
    for field, expression in fact.parts:
        if expression == "None" or expression in names:  # the same for all rows
            setattr(filled, field, names.get(expression))
        else:
            lines.append(f"f{place}.{field} = {expression}")
    conditions = [
        f"c_{name} is not None" if among is None else f"c_{name} in {among!r}"
        for name, among in fact.only
    ]
    return [
        f"    if {' and '.join(conditions) or 'True'}:",
        f"        if c_{fact.at} is None: nothing()",
        f"        at = c_{fact.at} + {fact.plus_micros}",
        f"        f{place}.stream = stream",
        f"        f{place}.event_time = at",
        *(f"        {line}" for line in lines),
        f"        framed = w{place}(f{place})",
        f"        facts.append((key + p{place}, number, {place}, at, stream, scope,"
        f" blake2b(framed, digest_size={HASH_BYTES}).digest(), framed, name))",
    ]


def _nothing() -> None:
    raise CellWrong("no_fact", "the row says nothing that happened")
