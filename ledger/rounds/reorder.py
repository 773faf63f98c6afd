"""A round's facts in every order that clocks allow: what is told of them becomes unknown.

Law: the Ledger contract, L.5. What lies beyond the opening of a round is not turned; people and
cameras are looked for there, too (``posted``, ``ahead``).
"""

from __future__ import annotations

from itertools import dropwhile, starmap
from typing import TYPE_CHECKING

from ledger.events import BettingOpened, TableClosed, TableOpened
from ledger.games.room import Breach, Requires, Rules, Undecidable
from ledger.house.clocks import interval
from ledger.kernel import FactRef
from ledger.law import LEDGER_CONTRACT
from ledger.rounds.moments import barely_settled
from ledger.rounds.order import Hanging, Lately, started, turned
from ledger.rounds.posted import Posted, hanging_on_posts, undone
from ledger.rounds.report import as_finding
from ledger.rounds.round import Round

if TYPE_CHECKING:
    from ledger.rounds.play import TablePlay

FIRM = frozenset({BettingOpened, TableOpened, TableClosed})


def in_any_order(
    play: TablePlay, rules: Rules, new: Lately, now: Round | None, breaches: list[Breach]
) -> list[Breach]:
    """The breaches of a fact, as far as they do not hang on its order among those before it.

    ``play.lately`` holds the facts that are near enough; what was told of them is restated.
    """
    since = new.fact.event_time - play.reach
    while play.posted and play.posted[0].fact.event_time <= since:
        del play.posted[0]
    found = _in_any_order(play, rules, new, now, breaches, since)
    if play.posted:  # who came or went before the opening of the round
        found = hanging_on_posts(rules.room, rules, play.office, play.posted, new, found)
    return found


def _in_any_order(
    play: TablePlay, rules: Rules, new: Lately, now: Round | None, breaches: list[Breach],
    since: int,
) -> list[Breach]:  # fmt: skip
    fact = new.fact
    near = dropwhile(lambda one: one.fact.event_time <= since, starmap(Lately, play.lately))
    lately = list(near)
    play.lately = [] if type(fact) in FIRM else [*lately, new]
    if type(fact) in FIRM:
        play.posted.extend(Posted(one.fact) for one in lately if undone(one.fact) is not None)
        return breaches
    if not lately and not new.rulings:
        return breaches
    if now is not None:
        for ruling in new.rulings:
            if isinstance(ruling, Requires):
                now.early_by[ruling.fact] = fact
                breaches.extend(barely_settled(play.office, now, ruling, fact))
    room, office = rules.room, play.office
    closed = now.closed_by if now is not None else None
    found = started(room, rules, office, closed, new)
    found = found or (turned(room, rules, office, lately, new) if lately else None)
    if found is None:
        return breaches
    for hanging in found.falls:
        if hanging.fact is fact:
            breaches = [hanging.told() if b is hanging.breach else b for b in breaches]
        else:
            restate(play, hanging, now)
    breaches.extend(hanging.told() for hanging in found.comes)
    if found.outcome is not None and now is not None and now.resolution is not None:
        why = f"the clocks leave open what came first ({interval(found.outcome)})"
        ref = FactRef(fact.stream, fact.seq)
        now.resolution = Undecidable(why=why, cite=LEDGER_CONTRACT[".5"], fact=ref)
    return breaches


def restate(play: TablePlay, hanging: Hanging, now: Round | None) -> None:
    """What was told as broken hangs on an order that is not known."""
    told = hanging.told()
    findings = play.findings if now is None else now.findings
    for place, finding in enumerate(findings):
        if finding.code == told.duty.code and finding.facts == told.facts:
            findings[place] = as_finding(
                told,
                day=finding.gaming_day,
                stream=finding.stream,
                round_id=finding.round,
                facts=told.facts,
            )
