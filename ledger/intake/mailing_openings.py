"""Which openings belong to one row of a mailing list: a corrected name leaves the one before it.

Law: 58 Pa. Code § 525.21(q)(2)(i), (q)(4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.codec import decode
from ledger.events import Fact, MailListSupplied
from ledger.intake.erasable import ErasableStore
from ledger.replay import FactStep, Problem, Replay


def with_earlier_names(
    replay: Replay, store: ErasableStore, openings: Iterable[str]
) -> tuple[str, ...]:
    """Openings, and those that corrections of the same rows left or brought and the store has.

    Args:
        replay: the ledger's.
        store: its erasable store.
        openings: the numbers that were named.
    """
    rows: dict[tuple[str, int, str], set[str]] = {}
    for fact in _versions(replay):
        for line in fact.lines:
            if line.serial is not None and line.opening is not None:
                rows.setdefault((fact.stream, fact.seq, line.serial), set()).add(line.opening)
    named = tuple(dict.fromkeys(openings))
    beside = {one for row in rows.values() if row.intersection(named) for one in row}
    more = sorted(beside.difference(named))
    return (*named, *(one for one in more if store.keeps(one)))


def mailed_serials(replay: Replay, openings: Iterable[str]) -> frozenset[str]:
    """Return the serial numbers of the coupons that went to the persons behind openings.

    Args:
        replay: the ledger's.
        openings: the numbers of the openings.
    """
    wanted, only = frozenset(openings), ("MailListSupplied",)
    steps = replay.walk(replay.streams_with(only), only=only)
    lists = [step.fact for step in steps if isinstance(step, FactStep)]
    return frozenset(
        line.serial
        for fact in (*lists, *_versions(replay))
        if isinstance(fact, MailListSupplied)
        for line in fact.lines
        if line.opening in wanted and line.serial is not None
    )


def _versions(replay: Replay) -> Iterator[MailListSupplied]:
    """Every version of the mailing lists that somebody corrected."""
    for amendment in replay.amendments():
        stream, seq = amendment.fact.amended_stream, amendment.fact.amended_seq
        amended = replay.amended(stream, seq)
        first = replay.fact(stream, seq) if amended is None else amended.before
        versions: list[Fact | None] = [first]
        if amendment.fact.replacement is not None and amendment.problem is not Problem.UNUSABLE:
            versions.append(decode(amendment.fact.replacement))
        for fact in versions:
            if isinstance(fact, MailListSupplied):
                yield fact
