"""Plants in a round of Props & Hops."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from ledger import events
from ledger.floor.draft import Draft
from ledger.floor.plant_play import last_of
from ledger.floor.plant_settled import losers
from ledger.floor.props_and_hops_payouts import LAMMERS, SHAKE
from ledger.floor.tables import TableSpec

_LATER: Final = 250_000
_SEVEN: Final = 7
_LAMMER_FACTS: Final = (events.LammersPlaced, events.LammerCollected, events.LammersCleared)
_PLAIN: Final = (
    events.BettingOpened, events.DiceShaken, events.DiceThrown, events.NoMoreBetsAnnounced, events.PlayerShook, events.RollCalled, events.ShakerCovered,
    events.ShakerOffered, events.ShakerPassed, events.ShakerUncovered, events.WagerPlaced, events.WagerSettled, *_LAMMER_FACTS,
)  # fmt: skip


def plain(draft: Draft) -> bool:
    """A round without any irregularity."""
    return all(isinstance(fact, _PLAIN) for fact in draft.facts)


def some_wager(draft: Draft) -> bool:
    """A plain round whose last wager is on its own roll."""
    placed = [fact for fact in draft.facts if isinstance(fact, events.WagerPlaced)]
    return plain(draft) and bool(placed) and placed[-1].wager != SHAKE


def alone(draft: Draft) -> bool:
    """A plain round without a Six Eight Shake and without a 7: what it rolled has no consequence."""
    shakes = any(isinstance(fact, _LAMMER_FACTS) for fact in draft.facts) or draft.step.live
    quiet = plain(draft) and not shakes and sum(faces_of(draft)) != _SEVEN
    return quiet and any(isinstance(fact, events.WagerSettled) for fact in draft.facts)


def both(draft: Draft) -> bool:
    """A plain round with losing and winning wagers."""
    return (
        plain(draft)
        and bool(draft.settled(events.SettledAs.LOST))
        and bool(draft.settled(events.SettledAs.WON))
    )


def settled(draft: Draft) -> bool:
    """A plain round in which a wager is settled."""
    return plain(draft) and any(isinstance(fact, events.WagerSettled) for fact in draft.facts)


def shaken_again(draft: Draft) -> bool:
    """A plain round before which the dealer shook, as after each round."""
    return plain(draft) and isinstance(draft.facts[0], events.ShakerCovered)


def fresh_shake(draft: Draft) -> bool:
    """A plain round in which a Six Eight Shake was placed."""
    return plain(draft) and bool(_shakes(draft))


def lammer(draft: Draft) -> bool:
    """A plain round in which a lammer was collected."""
    return plain(draft) and any(isinstance(fact, events.LammerCollected) for fact in draft.facts)


def somebody_else(draft: Draft) -> bool:
    """A plain round in which another player than the one who shakes has a wager."""
    return plain(draft) and bool(_others(draft))


def same_shaker(draft: Draft) -> bool:
    """A plain round in which the shaker stayed where it was, and another player has a wager."""
    passed = any(isinstance(fact, events.ShakerPassed) for fact in draft.facts)
    return shaken_again(draft) and somebody_else(draft) and not passed


def faces_of(draft: Draft) -> tuple[int, int]:
    first, second = last_of(draft, events.DiceThrown).dice
    return first.face or 0, second.face or 0


def _shakes(draft: Draft) -> list[events.WagerPlaced]:
    return [f for f in draft.facts if isinstance(f, events.WagerPlaced) and f.wager == SHAKE]


def _others(draft: Draft) -> list[events.WagerPlaced]:
    shaker = last_of(draft, events.PlayerShook).position
    return [f for f in draft.facts if isinstance(f, events.WagerPlaced) and f.position != shaker]


def late_wager(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The last wager comes after "no more bets", before the shaker is shaken."""
    placed, closed = last_of(draft, events.WagerPlaced), last_of(draft, events.NoMoreBetsAnnounced)
    late = replace(placed, event_time=closed.event_time + _LATER)
    draft.remove(placed)
    draft.insert(late)
    draft.find("late_wager", "668a.3(e)", late)


def missing_no_more_bets(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Nobody says "no more bets"."""
    draft.remove(last_of(draft, events.NoMoreBetsAnnounced))
    draft.find("no_more_bets_missing", "668a.3(e)", last_of(draft, events.PlayerShook))


def two_shakes(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The player shakes the shaker twice."""
    shook = last_of(draft, events.PlayerShook)
    twice = replace(shook, shakes=2)
    draft.swap(shook, twice)
    draft.find("too_few_shakes", "668a.3(f)", twice)


def wrong_call(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The dealer announces another number than a die shows."""
    called = last_of(draft, events.RollCalled)
    wrong = replace(called, faces=(called.faces[0] % 6 + 1, called.faces[1]))
    draft.swap(called, wrong)
    draft.find("wrong_call", "668a.3(h)", wrong)


def paid_before_collecting(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A winner is paid while losing wagers still lie there."""
    winner = draft.settled(events.SettledAs.WON)[0]
    rest = [f for f in draft.facts if isinstance(f, events.WagerSettled) and f is not winner]
    early = in_order(draft, [winner, *rest])[0]
    draft.find("paid_before_collecting", "668a.3(i)", early)


def in_order(draft: Draft, order: list[events.WagerSettled]) -> list[events.WagerSettled]:
    """Put settlements into the moments of the round's settlements, in this order."""
    slots = [fact for fact in draft.facts if isinstance(fact, events.WagerSettled)]
    moved = [
        replace(fact, event_time=slot.event_time) for slot, fact in zip(slots, order, strict=True)
    ]
    places = [
        number for number, fact in enumerate(draft.facts) if isinstance(fact, events.WagerSettled)
    ]
    for place, fact in zip(places, moved, strict=True):
        draft.facts[place] = fact
    return moved


def dealer_did_not_shake(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The round opens and the dealer has not shaken since the last one."""
    draft.facts = [
        fact
        for fact in draft.facts
        if not isinstance(fact, events.ShakerCovered | events.DiceShaken)
    ]
    draft.find("dealer_shake_missing", "668a.3(j)", last_of(draft, events.BettingOpened))


def covered_early(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The shaker is covered before the wagers are settled."""
    opened, called = last_of(draft, events.ShakerUncovered), last_of(draft, events.RollCalled)
    covered = events.ShakerCovered(
        stream=opened.stream, seq=0, event_time=called.event_time + _LATER, source=opened.source,
        recorded_by=None, shaker=opened.shaker,
    )  # fmt: skip
    draft.insert(covered)
    draft.find("shaker_covered_early", "668a.3(g)", covered)


def lid_lifted(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The player takes off the lid, and the dice are used as they lie."""
    shook, called = last_of(draft, events.PlayerShook), last_of(draft, events.RollCalled)
    draft.insert(
        events.LidLiftedByPlayer(
            stream=called.stream, seq=0, event_time=shook.event_time + _LATER, source=called.source,
            recorded_by=called.recorded_by, shaker=shook.shaker, position=shook.position,
            patron=shook.patron, faces=faces_of(draft),
        )
    )  # fmt: skip
    draft.find("player_uncovered_and_not_reshaken", "668a.3(f)", last_of(draft, events.DiceThrown))
    for fact in draft.facts:
        if isinstance(fact, events.WagerSettled):
            draft.find("settled_on_no_roll", "668a.3(f)", fact)


def no_roll_not_called(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A die falls out or lies badly, and the dealer settles as if nothing were wrong."""
    thrown = last_of(draft, events.DiceThrown)
    rest = rng.choice(
        (events.Rest.OUTSIDE_SHAKER, events.Rest.ON_A_DIE, events.Rest.ONE_SIDE_PROPPED)
    )
    cite = "668a.3(g)" if rest is events.Rest.OUTSIDE_SHAKER else "668a.3(h)"
    first, second = thrown.dice
    bad = replace(thrown, dice=(first, replace(second, rest=rest)))
    draft.swap(thrown, bad)
    draft.find("no_roll_not_called", cite, bad)
    for fact in draft.facts:
        if isinstance(fact, events.WagerSettled):
            draft.find("settled_on_no_roll", cite, fact)


def no_roll_without_cause(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Both dice lie flat; the dealer calls no roll and hands everything back."""
    called = last_of(draft, events.RollCalled)
    no_roll = events.NoRollCalled(
        stream=called.stream, seq=0, event_time=called.event_time, source=called.source,
        recorded_by=called.recorded_by, reason="the dealer was not content",
        called_by=called.called_by,
    )  # fmt: skip
    draft.swap(called, no_roll)
    draft.find("no_roll_without_cause", "668a.3(h)", no_roll)
    for fact in list(draft.facts):
        if isinstance(fact, events.WagerSettled):
            handed = replace(
                fact, outcome=events.SettledAs.RETURNED, winnings_cents=0, stake_taken_cents=0
            )
            draft.swap(fact, handed)
            draft.find("wrong_outcome", "668a.3(i)", handed)


def take_down_refused(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A player wants a Six Eight Shake back before a 7 and is refused."""
    placed, closed = rng.choice(_shakes(draft)), last_of(draft, events.NoMoreBetsAnnounced)
    refused = events.TakeDownRefused(
        stream=closed.stream, seq=0, event_time=closed.event_time + _LATER, source=closed.source,
        recorded_by=closed.recorded_by, wager_id=placed.wager_id, reason="after 'no more bets'",
    )  # fmt: skip
    draft.insert(refused)
    draft.find("take_down_refused", "668a.2(f)(8)", refused)


def wrong_lammer(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The lammer of another combination is moved to the circles."""
    collected = last_of(draft, events.LammerCollected)
    other = rng.choice([word for word in LAMMERS if word != collected.combination])
    wrong = replace(collected, combination=other)
    draft.swap(collected, wrong)
    draft.find("lammer_wrong", "668a.3(i)", wrong)


def left_seat(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A player with a wager on the layout gets up, and comes back."""
    placed, closed = rng.choice(_others(draft)), last_of(draft, events.NoMoreBetsAnnounced)
    assert placed.position is not None, "wagers come from seats"
    left = events.PositionLeft(
        stream=closed.stream, seq=0, event_time=closed.event_time + _LATER, source=closed.source,
        recorded_by=closed.recorded_by, position=placed.position, patron=placed.patron,
    )  # fmt: skip
    back = events.PositionTaken(
        stream=closed.stream, seq=0, event_time=closed.event_time + 2 * _LATER, source=closed.source,
        recorded_by=closed.recorded_by, position=placed.position, patron=placed.patron,
    )  # fmt: skip
    draft.insert(left)
    draft.insert(back)
    draft.find("left_seat_during_round", "668a.2(c)", left)


def seventh_seat(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A wager comes from a place that the table does not have."""
    placed = draft.standing()[rng.choice(losers(draft)).wager_id].placed
    strange = replace(placed, position="7")
    draft.swap(placed, strange)
    draft.find("position_not_on_table", "668a.1(a)", strange)


def wrong_shaker(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Another player shakes before the one whose turn it is."""
    offered, other = last_of(draft, events.ShakerOffered), rng.choice(_others(draft))
    wrong = replace(
        last_of(draft, events.PlayerShook), event_time=offered.event_time + _LATER, position=other.position,
        patron=other.patron,
    )  # fmt: skip
    draft.insert(wrong)
    draft.find("wrong_shaker", "668a.3(k)", wrong)


def unattended(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The dealer leaves before the next one has come."""
    assigned, relieved = last_of(draft, events.StaffAssigned), last_of(draft, events.StaffRelieved)
    draft.facts = []
    gone = replace(relieved, event_time=assigned.event_time, relieved_by=None)
    draft.insert(gone)
    draft.insert(replace(assigned, event_time=relieved.event_time))
    draft.find("shaker_unattended", "668a.3(c)", gone)
