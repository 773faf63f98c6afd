"""Plants in what is staked, paid and taken."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from ledger import events
from ledger.floor import asia_poker_payouts, dreamcatcher_payouts, sic_bo_payouts
from ledger.floor.draft import Draft
from ledger.floor.patron_habits import CHIP
from ledger.floor.tables import TableSpec

_PAID: Final = {sic_bo_payouts.NAME: "539.6(b)", dreamcatcher_payouts.NAME: "689.3(a)"}
_COLLECTED: Final = {
    sic_bo_payouts.NAME: "539.5(e)",
    dreamcatcher_payouts.NAME: "689.2(e)",
    asia_poker_payouts.NAME: "575.11(f)(1)",
}
_POSITION: Final = {
    sic_bo_payouts.NAME: "539.4(c)",
    dreamcatcher_payouts.NAME: "689.2(c)",
    asia_poker_payouts.NAME: "575.11(f)(2)",
}
_SPOKEN: Final = {sic_bo_payouts.NAME: "539.4(a)", asia_poker_payouts.NAME: "575.7(a)"}


def _collected(spec: TableSpec, draft: Draft, fact: events.WagerSettled) -> str:
    """The section by which a losing wager is collected."""
    placed = draft.standing()[fact.wager_id].placed
    if spec.is_cards and placed.wager == asia_poker_payouts.BONUS:
        return "575.11(h)(1)"
    given_up = [f.position for f in draft.facts if isinstance(f, events.HandSurrendered)]
    return "575.11(d)" if placed.position in given_up else _COLLECTED[spec.game]


def _paid(spec: TableSpec, draft: Draft, fact: events.WagerSettled) -> str:
    """The section of the odds of a wager."""
    if spec.is_cards:
        wager = draft.standing()[fact.wager_id].area[0]
        return "575.12(a)" if wager == asia_poker_payouts.MAIN else "575.12(b)"
    return _PAID[spec.game]


def multiplied(draft: Draft) -> int:
    """How often the wheel stopped on a multiplier."""
    return sum(
        isinstance(f, events.SpinCalled) and f.result in dreamcatcher_payouts.TIMES
        for f in draft.facts
    )


def plain_winners(draft: Draft) -> list[events.WagerSettled]:
    """Winners that are paid by a floor: no One of a Kind, no multiplier."""
    if multiplied(draft):
        return []
    wagers = draft.standing()
    return [
        fact
        for fact in draft.settled(events.SettledAs.WON)
        if wagers[fact.wager_id].area[0] != sic_bo_payouts.ONE and fact.winnings_cents >= 2 * CHIP
    ]


def losers(draft: Draft) -> list[events.WagerSettled]:
    """Settlements by which a stake was taken."""
    return draft.settled(events.SettledAs.LOST)


def overpaid(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A winner gets a chip or a stake too much."""
    fact = rng.choice(plain_winners(draft))
    stake = draft.standing()[fact.wager_id].stake
    new = replace(fact, winnings_cents=fact.winnings_cents + rng.choice((CHIP, stake)))
    draft.swap(fact, new)
    draft.find("wager_overpaid", _paid(spec, draft, new), new)


def underpaid(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A winner gets a chip too little, or half."""
    fact = rng.choice(plain_winners(draft))
    short = rng.choice((CHIP, fact.winnings_cents // (2 * CHIP) * CHIP))
    new = replace(fact, winnings_cents=fact.winnings_cents - short)
    draft.swap(fact, new)
    draft.find("wager_underpaid", _paid(spec, draft, new), new)


def losing_wager_not_taken(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A loser keeps the stake, though the wager is settled as lost."""
    fact = rng.choice(losers(draft))
    new = replace(fact, stake_taken_cents=0)
    draft.swap(fact, new)
    draft.find("stake_taken_wrong", _collected(spec, draft, fact), new)


def unsettled_wager(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A losing wager is neither collected nor paid."""
    fact = rng.choice(losers(draft))
    cite, placed = _collected(spec, draft, fact), draft.standing()[fact.wager_id].placed
    draft.remove(fact)
    draft.find("wager_unsettled", cite, placed)


def winner_taken(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A winner is collected as if it had lost."""
    fact = rng.choice(plain_winners(draft))
    stake = draft.standing()[fact.wager_id].stake
    new = replace(fact, outcome=events.SettledAs.LOST, winnings_cents=0, stake_taken_cents=stake)
    draft.swap(fact, new)
    draft.find("wrong_outcome", _POSITION[spec.game], new)


def settled_twice(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A winner is paid a second time."""
    winners = plain_winners(draft)
    fact = rng.choice(winners)
    last = draft.settled(events.SettledAs.WON)[-1]
    again = replace(fact, event_time=last.event_time + 300_000)
    draft.insert(again)
    draft.find("wager_overpaid", _paid(spec, draft, fact), fact, again)


def multiplier_winners(draft: Draft) -> list[events.WagerSettled]:
    """Winners whose odds were multiplied, uncapped."""
    times = multiplied(draft)
    wagers = draft.standing()
    return [
        fact
        for fact in draft.settled(events.SettledAs.WON)
        if times
        and fact.winnings_cents % _unmultiplied(wagers[fact.wager_id].area[0], 1) == 0
        and fact.winnings_cents
        >= 2 * _unmultiplied(wagers[fact.wager_id].area[0], wagers[fact.wager_id].stake)
    ]


def _unmultiplied(number: str, stake: int) -> int:
    return dreamcatcher_payouts.LEAST[number] * stake


def multiplier_not_applied(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A winner of a bonus round is paid as if the wheel had never stopped on a multiplier."""
    fact = rng.choice(multiplier_winners(draft))
    wager = draft.standing()[fact.wager_id]
    new = replace(fact, winnings_cents=_unmultiplied(wager.area[0], wager.stake))
    cite = "689.3(b)" if multiplied(draft) == 1 else "689.3(c)"
    draft.swap(fact, new)
    draft.find("wager_underpaid", cite, new)


def big_losers(draft: Draft) -> list[events.WagerSettled]:
    """Losing wagers of half the maximum or more, as they were placed."""
    limits = draft.step.limits
    wagers = draft.standing()
    return [
        fact
        for fact in losers(draft)
        if limits is not None
        and 2 * fact.stake_taken_cents >= limits.highest(wagers[fact.wager_id].area[0])
    ]


def small_losers(draft: Draft) -> list[events.WagerSettled]:
    """Losing wagers under the table's minimum, where something lies below that."""
    limits = draft.step.limits
    if limits is None or limits.minimum < 2 * CHIP:
        return []
    wagers = draft.standing()
    return [f for f in losers(draft) if wagers[f.wager_id].area[0] != limits.long_wager]


def _restake(draft: Draft, fact: events.WagerSettled, stake: int) -> events.Fact:
    placed = draft.standing()[fact.wager_id].placed
    restaked = replace(placed, stake_cents=stake)
    draft.swap(placed, restaked)
    draft.swap(fact, replace(fact, stake_taken_cents=stake))
    return restaked


def over_limit(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A chip above the maximum, accepted, and lost whole as it must be."""
    fact = rng.choice(big_losers(draft))
    assert draft.step.limits is not None, "rounds have limits"
    wager = draft.standing()[fact.wager_id].area[0]
    placed = _restake(draft, fact, draft.step.limits.highest(wager) + CHIP)
    draft.find("wager_over_limit", "521.7(c)", placed)


def under_limit(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A chip below the minimum, accepted, and lost whole as it must be."""
    fact = rng.choice(small_losers(draft))
    assert draft.step.limits is not None, "rounds have limits"
    placed = _restake(draft, fact, draft.step.limits.minimum - CHIP)
    draft.find("wager_under_limit", "521.7(c)", placed)


def cash_wager(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """A wager spoken, with cash, is accepted."""
    placed = draft.standing()[rng.choice(losers(draft)).wager_id].placed
    spoken = replace(placed, instrument=events.Instrument.SPOKEN_WITH_CASH)
    draft.swap(placed, spoken)
    draft.find("wager_not_in_chips", _SPOKEN[spec.game], spoken)
