"""The fast way for good rows: one function compiled from a profile, which does what ``rows`` does.

Each column's cells are read once and remembered while there is room, and so are the bytes of a
field: most cells say what a cell above them said. A fact is put together from the bytes of its
fields and never built. A row with anything wrong raises, and the readable way says what.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, time
from typing import Any, Final, TypeVar

from ledger.codec import FRAME_BYTES, Fault, NotAFact, pieces
from ledger.intake.cells import CellWrong
from ledger.intake.profile_columns import Column, FactRow
from ledger.intake.rows import UNIT, FastRow, RowReader, counted, key_hash, key_text

ROOM: Final = 20_000
"""How many different cells of a column are remembered."""

_COLUMN: Final = re.compile(r"\bc_(\w+)\b")


Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Remembered(dict[Asked, Answer]):
    """The answers of a function; when there is no more room, all are forgotten."""

    def __init__(self, function: Callable[[Asked], Answer], room: int = ROOM) -> None:
        super().__init__()
        self.function = function
        self.room = room

    def __missing__(self, asked: Asked) -> Answer:
        answer = self.function(asked)
        if len(self) >= self.room:
            self.clear()
        self[asked] = answer
        return answer


def compile_rows(reader: RowReader) -> FastRow | None:
    """The function for one file: a row's number and cells to its facts.

    Args:
        reader: of that file; totals, warnings and streams are kept there.

    Returns:
        The function, which raises ``CellWrong`` or ``NotAFact`` for a row with anything wrong. None
        if rows wait for their group, names are kept apart, or what the profile says of all rows
        cannot stand in a fact.
    """
    profile = reader.profile
    if profile.group or profile.personal:
        return None
    names: dict[str, Any] = dict(profile.constants)
    lines = ["def row(number, cells):", *_columns(reader, names), *_moments(reader, names)]
    lanes = sorted({*profile.scope, *_in_stream(reader)})
    names |= {
        "lanes": Remembered(lambda key: reader.lane(dict(zip(lanes, key, strict=True)))),
        "key_hash": key_hash, "key_text": key_text, "totals": reader.totals,
        "nothing": _nothing, "counted": counted, "oversize": _oversize, "check": reader.check,
        "warn": reader.warn,
    }  # fmt: skip
    if reader.check is not None:
        pairs = ", ".join(f"{name!r}: c_{name}" for name in (*profile.columns, *profile.moments))
        lines += [
            f"    values = {{{pairs}}}",
            "    remarks = list(check(values))",
            "    if any(r.is_refused for r in remarks): nothing()",
        ]
    named = UNIT.join(_key_part(profile.columns[name]) for name in profile.key)
    lines += [
        f"    lane = lanes[({''.join(f'c_{name}, ' for name in lanes)})]",
        f"    name = f{named!r}",
        f"    key = key_hash({profile.name!r}, name, 0)",
        "    facts = []",
    ]
    try:
        for place, fact in enumerate(profile.facts):
            lines += _fact(reader, fact, place, names)
    except NotAFact:
        return None
    lines.append("    if not facts: nothing()")
    for name in reader.totals:
        column = profile.columns[name]
        number = column.kind in ("whole", "money", "milliseconds")
        worth = f"c_{name} or 0" if number else f"counted(c_{name})"
        lines.append(f"    totals[{name!r}] += {worth}")
    if reader.check is not None:
        lines.append("    if remarks: warn(number, remarks, values)")
    lines.append("    return facts")
    exec(compile("\n".join(lines), f"<rows of {profile.name}>", "exec"), names)  # noqa: S102
    function: FastRow = names["row"]
    return function


def _alone(reader: RowReader, name: str) -> bool:
    """Whether a column says another thing in nearly every row: nothing is gained by remembering."""
    profile = reader.profile
    return name in profile.key and name not in profile.scope


def _columns(reader: RowReader, names: dict[str, object]) -> list[str]:
    lines = []
    for name, column in reader.profile.columns.items():
        at = reader.columns.get(name)
        if at is None:
            lines.append(f"    c_{name} = None")
            continue
        read = _cell(column, column.read or reader.dates)
        if _alone(reader, name):
            names[f"r_{name}"] = read
            lines.append(f"    c_{name} = r_{name}(cells[{at}])")
        else:
            names[f"r_{name}"] = Remembered(read)
            lines.append(f"    c_{name} = r_{name}[cells[{at}]]")
    return lines


def _cell(column: Column, read: Callable[[str], object]) -> Callable[[str], object]:
    def read_cell(cell: str) -> object:
        cell = cell.strip()
        if cell:
            return read(cell)
        if column.required:
            raise CellWrong("empty", "this cell must be filled")
        return None

    return read_cell


def _moments(reader: RowReader, names: dict[str, object]) -> list[str]:
    lines = []
    for name, moment in reader.profile.moments.items():
        names[f"m_{name}"] = Remembered(_moment(reader, gaming_day=moment.gaming_day))
        offset = f"c_{moment.offset}" if moment.offset else "None"
        lines.append(f"    c_{name} = m_{name}[c_{moment.date}, c_{moment.time}, {offset}]")
    return lines


def _moment(
    reader: RowReader, *, gaming_day: bool
) -> Callable[[tuple[date | None, time | None, str | None]], int | None]:
    def read_moment(parts: tuple[date | None, time | None, str | None]) -> int | None:
        day, clock, offset = parts
        if day is None or clock is None:
            return None
        return reader.moments.at(day, clock, offset, gaming_day=gaming_day)

    return read_moment


def _in_stream(reader: RowReader) -> set[str]:
    from string import Formatter

    fields = (name for _, name, _, _ in Formatter().parse(reader.profile.stream))
    return {name for name in fields if name}


def _key_part(column: Column) -> str:
    """A column's value inside the row's name, as a piece of an f-string."""
    plain = column.required and column.kind in ("text", "whole", "money", "date", "time")
    return f"{{c_{column.name}}}" if plain else f"{{key_text(c_{column.name})}}"


def _fact(reader: RowReader, fact: FactRow, place: int, names: dict[str, object]) -> list[str]:
    """The lines that put one fact together."""
    header, write = pieces(fact.event)
    stream, moment = write["stream"], write["event_time"]
    names |= {
        f"p{place}": bytes((place,)),
        f"s{place}": Remembered(lambda lane: stream(reader.lanes.stream(lane))),
        f"t{place}": Remembered(lambda at: moment(at + fact.plus_micros)),
    }
    parts: list[bytes | str] = [
        header, f"s{place}[lane]", write["seq"](1), f"t{place}[c_{fact.at}]",
        write["source"](reader.profile.source), write["recorded_by"](None),
    ]  # fmt: skip
    for number, (field, expression) in enumerate(fact.parts):
        parts.append(_piece(reader, write[field], expression, f"w{place}_{number}", names))
    conditions = [
        f"c_{name} is not None" if among is None else f"c_{name} in {among!r}"
        for name, among in fact.only
    ]
    at = f"c_{fact.at} + {fact.plus_micros}" if fact.plus_micros else f"c_{fact.at}"
    return [
        f"    if {' and '.join(conditions) or 'True'}:",
        f"        if c_{fact.at} is None: nothing()",
        f"        framed = {_joined(parts, f'j{place}', names)}",
        f"        if len(framed) > {FRAME_BYTES}: oversize()",
        f"        facts.append((key + p{place}, number, {at}, lane, framed, name))",
    ]


def _piece(
    reader: RowReader, write: Callable[[Any], bytes], expression: str, name: str,
    names: dict[str, object],
) -> bytes | str:  # fmt: skip
    """The bytes of a field: themselves if all rows have the same, else an expression."""
    known = {*reader.profile.columns, *reader.profile.moments}
    columns = [one for one in dict.fromkeys(_COLUMN.findall(expression)) if one in known]
    if not columns:
        return write(eval(expression, names))  # noqa: S307 - made by ``templates``, no text of people
    if any(_alone(reader, column) for column in columns):
        names[name] = write
        return f"{name}({expression})"
    arguments = ", ".join(f"c_{column}" for column in columns)
    source = f"lambda {arguments}: write({expression})"
    if len(columns) > 1:
        source = f"lambda said: ({source})(*said)"
    names[name] = Remembered(eval(source, {**names, "write": write}))  # noqa: S307 - as above
    return f"{name}[{arguments}]"


def _joined(parts: list[bytes | str], name: str, names: dict[str, object]) -> str:
    """An expression that puts bytes together; those that never change are put together now."""
    out: list[str] = []
    same = b""
    for number, part in enumerate([*parts, ""]):
        if isinstance(part, bytes):
            same += part
            continue
        if same:
            names[f"{name}_{number}"] = same
            out.append(f"{name}_{number}")
            same = b""
        if part:
            out.append(part)
    return f"b''.join(({', '.join(out)},))"


def _nothing() -> None:
    raise CellWrong("no_fact", "nothing in this row is an event")


def _oversize() -> None:
    raise NotAFact(Fault.OVERSIZE, "this value cannot be framed", "")
