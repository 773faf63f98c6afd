"""What another text would make of a past day, wager by wager: compared, never the law in force."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from ledger.games.edition import Amendment
from ledger.kernel import dollars
from ledger.reports.law_odds import columns
from ledger.rounds import RoundResult, Settlement, WagerResult

NEVER: Final = "What if. This text is not the law in force on that day; no finding rests on it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One wager that another text settles otherwise.

    ``law`` and ``other`` are what the patron is up by, in cents; None where a text leaves it
    unknown.
    """

    round: str
    wager: WagerResult
    law: int | None
    other: int | None

    @property
    def cents(self) -> int | None:
        """How much more the patron would have, in cents."""
        if self.law is None or self.other is None:
            return None
        return self.other - self.law


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """A day by two texts. ``unknown`` is how many wagers neither text can be compared on."""

    day: date
    game: str
    amendment: Amendment
    rounds: int
    wagers: int
    unknown: int
    differences: tuple[Difference, ...]

    @property
    def total_cents(self) -> int:
        """How much more the patrons would have in all, in cents, of what can be told."""
        return sum(one.cents or 0 for one in self.differences)


def differences(
    day: date,
    game: str,
    amendment: Amendment,
    law: Iterable[RoundResult],
    other: Iterable[RoundResult],
) -> WhatIf:
    """Compare the rounds of a game by the law and by another text; both in the same order."""
    rounds = wagers = unknown = 0
    found: list[Difference] = []
    for one, two in zip(law, other, strict=True):
        if one.game != game:
            continue
        if one.round != two.round:
            raise ValueError(f"rounds out of step: {one.round} and {two.round}")
        rounds += 1
        for mine, theirs in zip(one.wagers, two.wagers, strict=True):
            wagers += 1
            due, instead = _net(mine.expected), _net(theirs.expected)
            unknown += due is None and instead is None
            if due != instead:
                found.append(Difference(round=one.round, wager=mine, law=due, other=instead))
    return WhatIf(
        day=day,
        game=game,
        amendment=amendment,
        rounds=rounds,
        wagers=wagers,
        unknown=unknown,
        differences=tuple(found),
    )


def whatif_data(found: WhatIf) -> dict[str, Any]:
    """The comparison as plain data."""
    edition = found.amendment.text.edition
    return {
        "what_if": True,
        "gaming_day": found.day.isoformat(),
        "game": found.game,
        "chapter": edition.chapter,
        "source": edition.source,
        "since": edition.since.isoformat(),
        "rounds": found.rounds,
        "wagers": found.wagers,
        "unknown": found.unknown,
        "patrons_more_cents": found.total_cents,
        "differences": [
            {
                "round": one.round,
                "wager_id": one.wager.wager_id,
                "wager": one.wager.wager,
                "picks": list(one.wager.picks),
                "stake_cents": one.wager.stake_cents,
                "law_cents": one.law,
                "other_cents": one.other,
                "difference_cents": one.cents,
            }
            for one in found.differences
        ],
    }


def whatif_text(found: WhatIf) -> str:
    """The comparison as a page for people."""
    edition = found.amendment.text.edition
    lines = [
        NEVER,
        f"{found.game} on {found.day}: § {edition.chapter} ({edition.source}, since"
        f" {edition.since}) beside the law in force",
        "",
    ]
    if found.differences:
        body: list[tuple[str, ...]] = [
            (
                one.round,
                one.wager.wager_id,
                " ".join([one.wager.wager, *map(str, one.wager.picks)]),
                dollars(one.wager.stake_cents),
                _said(one.law),
                _said(one.other),
                _said(one.cents),
            )
            for one in found.differences
        ]
        head = ("round", "id", "wager", "stake", "by the law", "by this text", "difference")
        lines.append(columns(head, body))
    lines.append(
        f"{len(found.differences)} of {found.wagers} wagers in {found.rounds} rounds differ;"
        f" patrons would have {_said(found.total_cents)} more. Unknown by both: {found.unknown}."
    )
    return "\n".join(lines) + "\n"


def _net(settled: Settlement) -> int | None:
    """What the patron is up by."""
    if settled.winnings_cents is None or settled.stake_taken_cents is None:
        return None
    return settled.winnings_cents - settled.stake_taken_cents


def _said(cents: int | None) -> str:
    if cents is None:
        return "unknown"
    return f"-{dollars(-cents)}" if cents < 0 else dollars(cents)
