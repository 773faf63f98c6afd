"""What a Rules Submission changes: odds other than the chapter's, readings, options, rounding.

Law: §§ 521.7(d), 521.8(b); the rooms' rows for odds. Readings: floors, breakage, payout-limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import date

from ledger.events import Fact, HopGroupsFiled, HouseWayFiled, WagersOfferedFiled
from ledger.games.room import InForce as Judged
from ledger.games.room import Room, rules_on
from ledger.house import Submission
from ledger.house.filed_options import unused
from ledger.house.office import as_filed
from ledger.kernel import dollars
from ledger.law import GENERAL, readings
from ledger.reports.in_force.line import Line, refs, words


def filing_lines(
    room: Room, known: Submission, day: date, since: int, until: int | None
) -> Iterator[Line]:
    """The lines of one submission, for the time that it is in force.

    Args:
        room: the room of the game.
        known: the submission.
        day: the gaming day by whose law it is read.
        since: from when it is in force, microseconds UTC.
        until: until when, microseconds UTC; None: still at the day's end.
    """
    for line in _lines(room, known, day):
        yield Line(line.group, line.says, since, until, line.cites, line.facts, line.standing)


def _lines(room: Room, known: Submission, day: date) -> Iterator[Line]:
    yield from _odds(room, known, day)
    filed, by = known.filed, (known.ref,)
    for chosen in filed.readings:
        why = unused(chosen.reading, chosen.choice)
        entry = readings().get(chosen.reading)
        instead = f" in place of {entry.choice!r}" if entry is not None else ""
        sentence = f"{chosen.reading}: {chosen.choice!r}{instead}" + (f"; {why}" if why else "")
        yield Line("reading", sentence, cites=(GENERAL[".8(b)#1"],), facts=by)
    if not filed.readings:
        yield Line("reading", "none filed: the product's own choices hold", facts=by)
    if filed.breakage is not None:
        unit = dollars(filed.breakage.unit_cents)
        sentence = f"fractions go {words(filed.breakage.rule)} to {unit}"
        yield Line("rounding", sentence, cites=(GENERAL[".8(b)#1"],), facts=by)
    if filed.increment_cents is not None:
        sentence = f"wagers in multiples of {dollars(filed.increment_cents)}"
        yield Line("increment", sentence, cites=(GENERAL[".7(d)#2"],), facts=by)
    if filed.payout_limit is not None:
        limit = filed.payout_limit
        sentence = f"payouts up to {dollars(limit.limit_cents)} by {words(limit.scope)}"
        yield Line("payout limit", sentence, cites=(GENERAL[".8(b)#1"],), facts=by)
    for option in known.options:
        yield Line("option", _option(option), cites=(GENERAL[".8(b)#1"],), facts=refs(option))


def _odds(room: Room, known: Submission, day: date) -> Iterator[Line]:
    """Each line of which other odds than the chapter's are filed, and what it is judged by."""
    filed = as_filed(known)
    other = 0
    lines = [one for rows in rules_on(room, day, filed).payouts.values() for one in rows]
    for line in lines:
        row = line.payout
        named = filed.odds.get((row.wager, row.filed_as))
        if named is None and row.filed_as is not None:
            named = filed.odds.get((row.wager, None))
        if named is None or named.ratio == row.pays.ratio:
            continue
        other += 1
        title = row.wager if row.filed_as is None else f"{row.wager} on {row.filed_as}"
        sentence = f"{title} pays {named}; the chapter {_wants(line)} {row.pays}"
        if not line.filed:
            sentence += f", and by that it is judged: {line.odds}"
        yield Line("odds", sentence, cites=(row.cite,), facts=(known.ref,))
    word = "all" if not other else f"the other {len(lines) - other} of"
    cites = tuple(dict.fromkeys(line.payout.cite for line in lines))[:1]
    yield Line(
        "odds", f"{word} {len(lines)} lines as in the chapter", cites=cites, facts=(known.ref,)
    )


def _wants(line: Judged) -> str:
    return "fixes" if line.payout.fixed else "wants no less than"


def _option(option: Fact) -> str:
    """A filed option in a few words."""
    match option:
        case WagersOfferedFiled():
            return f"wagers offered: {', '.join(option.wagers)}"
        case HopGroupsFiled():
            groups = "; ".join(
                f"{group.wager}: {len(group.combinations)} combinations" for group in option.groups
            )
            return f"hop groups: {groups}"
        case HouseWayFiled():
            count = len(option.steps)
            return f"house way of {count} step{'s' if count != 1 else ''}"
        case _:
            stated = ((field.name, getattr(option, field.name)) for field in fields(option)[6:])
            return ", ".join(_named(name, value) for name, value in stated if value is not None)


def _named(name: str, filed: object) -> str:
    """A filed value with its name; amounts in dollars."""
    if name.endswith("_cents") and isinstance(filed, int):
        return f"{words(name.removesuffix('_cents'))} {dollars(filed)}"
    return f"{words(name)} {_value(filed)}"


def _value(filed: object) -> str:
    match filed:
        case bool():
            return "yes" if filed else "no"
        case tuple():
            return " or ".join(words(str(one)) for one in filed) or "none"
        case _:
            return str(filed)
