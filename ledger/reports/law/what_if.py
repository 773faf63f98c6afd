"""A past day by another text, as a page and as data."""

from __future__ import annotations

from typing import Final

from ledger.audit.what_if import WhatIf
from ledger.kernel import dollars
from ledger.reports.law.odds import columns

NEVER: Final = "What if. This text is not the law in force on that day; no finding rests on it."


def whatif_data(what_if: WhatIf) -> dict[str, object]:
    """The comparison as plain data."""
    edition = what_if.amendment.text.edition
    return {
        "what_if": True,
        "gaming_day": what_if.day.isoformat(),
        "game": what_if.game,
        "chapter": edition.chapter,
        "source": edition.source,
        "since": edition.since.isoformat(),
        "rounds": what_if.rounds,
        "wagers": what_if.wagers,
        "unknown": what_if.unknown,
        "patrons_more_cents": what_if.total_cents,
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
            for one in what_if.differences
        ],
    }


def whatif_text(what_if: WhatIf) -> str:
    """The comparison as a page for people."""
    edition = what_if.amendment.text.edition
    lines = [
        NEVER,
        f"{what_if.game} on {what_if.day}: § {edition.chapter} ({edition.source}, since"
        f" {edition.since}) beside the law in force",
        "",
    ]
    if what_if.differences:
        body: list[tuple[str, ...]] = [
            (
                one.round,
                one.wager.wager_id,
                " ".join([one.wager.wager, *map(str, one.wager.picks)]),
                dollars(one.wager.stake_cents),
                _amount_words(one.law),
                _amount_words(one.other),
                _amount_words(one.cents),
            )
            for one in what_if.differences
        ]
        head = ("round", "id", "wager", "stake", "by the law", "by this text", "difference")
        lines.append(columns(head, body))
    lines.append(
        f"{len(what_if.differences)} of {what_if.wagers} wagers in {what_if.rounds} rounds differ;"
        f" patrons would have {_amount_words(what_if.total_cents)} more."
        f" Unknown by both: {what_if.unknown}."
    )
    return "\n".join(lines) + "\n"


def _amount_words(cents: int | None) -> str:
    if cents is None:
        return "unknown"
    return f"-{dollars(-cents)}" if cents < 0 else dollars(cents)
