"""Plants in a game of Three Dice Football."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ledger import events
from ledger.floor.draft import Draft
from ledger.floor.plant_settled import losers
from ledger.floor.tables import TableSpec
from ledger.floor.three_dice_football_payouts import (
    DEFENSE,
    EXTRA_POINT,
    FULL_GAME,
    PENALTY,
    TOUCHDOWN,
    play_of,
    yards,
)

_LATER = 250_000
"""Between two facts, in microseconds: more than clocks leave open, less than any dealer waits."""


def paid_by(wager: str) -> str:
    """The section that lists the odds of a wager."""
    return "577.8(a)" if wager in FULL_GAME else "577.8(b)"


def taken_by(wager: str) -> str:
    """The section by which a losing wager is collected."""
    return "577.6(f)" if wager in FULL_GAME else "577.6(d)"


def throws(draft: Draft) -> list[events.DiceThrownByHand]:
    """The throws of a game, in order."""
    return [fact for fact in draft.facts if isinstance(fact, events.DiceThrownByHand)]


def plain(draft: Draft) -> bool:
    """A game in which every throw counts and every die lies flat."""
    thrown = throws(draft)
    calls = sum(isinstance(fact, events.RollCalled) for fact in draft.facts)
    flat = all(die.rest is events.ThrowRest.FLAT for throw in thrown for die in throw.dice)
    return bool(thrown) and flat and len(thrown) == calls


def long(draft: Draft) -> bool:
    """A plain game of more than one play."""
    return plain(draft) and bool(_announced(draft))


def _announced(draft: Draft) -> list[events.DownAnnounced]:
    return [fact for fact in draft.facts if isinstance(fact, events.DownAnnounced)]


def _next_throw(draft: Draft, after: events.Fact) -> events.DiceThrownByHand:
    return next(throw for throw in throws(draft) if throw.event_time > after.event_time)


def _call_of(draft: Draft, throw: events.DiceThrownByHand) -> events.RollCalled:
    calls = (fact for fact in draft.facts if isinstance(fact, events.RollCalled))
    return next(call for call in calls if call.event_time > throw.event_time)


def wrong_call(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The stickperson calls another red number than the die shows."""
    called = _call_of(draft, rng.choice(throws(draft)))
    green, other, red = called.faces
    wrong = replace(called, faces=(green, other, red % 6 + 1))
    draft.swap(called, wrong)
    draft.find("wrong_call", "577.5(e)", wrong)


def call_missing(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The numbers of a throw are not called."""
    throw = rng.choice(throws(draft))
    draft.remove(_call_of(draft, throw))
    draft.find("roll_not_called", "577.5(e)", throw)


def call_by_dealer(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The dealer calls the numbers in the stickperson's place."""
    called = _call_of(draft, rng.choice(throws(draft)))
    dealer = next(fact.placed_by for fact in draft.facts if isinstance(fact, events.MarkersPlaced))
    wrong = replace(called, called_by=dealer, recorded_by=dealer)
    draft.swap(called, wrong)
    draft.find("not_by_stickperson", "577.4(a)", wrong)


def not_together(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The dice leave the hand one after the other, and the throw counts."""
    throw = rng.choice(throws(draft))
    wrong = replace(throw, released_together=False)
    draft.swap(throw, wrong)
    draft.find("improper_throw", "577.5(a)", wrong)


def others(draft: Draft) -> list[events.WagerPlaced]:
    """Wagers of patrons who do not throw."""
    thrower = throws(draft)[0].position
    return [
        fact
        for fact in draft.facts
        if isinstance(fact, events.WagerPlaced) and fact.position != thrower
    ]


def somebody_else(draft: Draft) -> bool:
    """A plain game in which another patron than the Quarterback plays."""
    return plain(draft) and bool(others(draft))


def wrong_quarterback(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Another patron throws the last time."""
    throw, other = throws(draft)[-1], rng.choice(others(draft))
    wrong = replace(throw, position=other.position, thrown_by=other.patron)
    draft.swap(throw, wrong)
    draft.find("wrong_quarterback", "577.4(c)", wrong)


def chosen(draft: Draft) -> bool:
    """A plain game for which dice were chosen."""
    return plain(draft) and any(isinstance(fact, events.DiceReturnedToCup) for fact in draft.facts)


def other_die(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A green die is thrown that lay in the cup."""
    cup = next(fact.dice for fact in draft.facts if isinstance(fact, events.DiceReturnedToCup))
    throw = rng.choice(throws(draft))
    wrong = replace(throw, dice=(replace(throw.dice[0], serial=cup[0]), *throw.dice[1:]))
    draft.swap(throw, wrong)
    draft.find("wrong_dice_thrown", "577.4(c)", wrong)


def announcement_missing(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Down and distance are not announced, and the dice are thrown again."""
    announced = rng.choice(_announced(draft))
    draft.remove(announced)
    draft.find("announcement_missing", "577.6(d)", _next_throw(draft, announced))


def marker_misplaced(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The Yard Marker lies a yard too far back after a play."""
    announced = rng.choice(_announced(draft))
    before = [throw for throw in throws(draft) if throw.event_time < announced.event_time][-1]
    marks = [fact for fact in draft.facts if isinstance(fact, events.MarkersPlaced)]
    marked = [mark for mark in marks if mark.event_time < announced.event_time][-1]
    assert marked.yard is not None, "the game goes on"
    wrong = replace(marked, yard=marked.yard + 1)
    draft.swap(marked, wrong)
    green, other, red = (die.face or 0 for die in before.dice)
    throw = (green, other, red)
    if play_of(throw) == PENALTY:
        cite = "577.6(c)(2)"
    else:
        cite = "577.6(c)(1)" if yards(throw) else "577.6(c)(3)"
    draft.find("marker_misplaced", cite, wrong)


def full_game_losers(draft: Draft) -> list[events.WagerSettled]:
    """Losing full game wagers whose absence changes nothing else in the game."""
    wagers = draft.standing()
    mine = {wager.wager_id for wager in others(draft)}
    return [
        fact
        for fact in losers(draft)
        if fact.wager_id in mine
        and wagers[fact.wager_id].area[0] in FULL_GAME
        and wagers[fact.wager_id].area[0] != EXTRA_POINT
    ]


def some_full_game_loser(draft: Draft) -> bool:
    """A plain game that another patron than the Quarterback loses a full game wager on."""
    return plain(draft) and bool(full_game_losers(draft))


def late_take_down(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A losing full game wager is lifted after the first throw."""
    lost = rng.choice(full_game_losers(draft))
    called = _call_of(draft, throws(draft)[0])
    lifted = events.WagerTakenDown(
        stream=lost.stream,
        seq=0,
        event_time=called.event_time + _LATER,
        source=lost.source,
        recorded_by=lost.recorded_by,
        wager_id=lost.wager_id,
        taken_cents=None,
    )
    draft.remove(lost)
    draft.insert(lifted)
    draft.find("late_take_down", "577.3(c)", lifted)


def _order(draft: Draft) -> tuple[events.WagerSettled, events.WagerSettled] | None:
    """After a score: the last Defense Wager collected, and the last wager settled before Touchdown."""
    wagers = draft.standing()
    down = [throw for throw in throws(draft) if throw.purpose is events.ThrowPurpose.DOWN]
    end = [
        fact
        for fact in draft.facts
        if isinstance(fact, events.WagerSettled) and fact.event_time > down[-1].event_time
    ]
    names = [wagers[fact.wager_id].area[0] for fact in end]
    if DEFENSE not in names or names[0] != DEFENSE:
        return None
    last = max(number for number, name in enumerate(names) if name == DEFENSE)
    later = [n for n in range(last + 1, len(end)) if names[n] not in (TOUCHDOWN, EXTRA_POINT)]
    return (end[last], end[later[-1]]) if later else None


def scored_with_defense(draft: Draft) -> bool:
    """A plain game that ends by a score, with a Defense Wager and another to be settled after it."""
    scored = any(isinstance(fact, events.MarkersPlaced) and fact.yard == 0 for fact in draft.facts)
    return scored and plain(draft) and _order(draft) is not None


def settled_out_of_order(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A Defense Wager is collected after the wagers that come later."""
    pair = _order(draft)
    assert pair is not None, "the game fits"
    first, second = pair
    late = replace(first, event_time=second.event_time)
    draft.swap(first, replace(second, event_time=first.event_time))
    draft.swap(second, late)
    draft.find("settlement_out_of_order", "577.6(f)(1)", late)


def camera_lost(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A camera has no picture while the dice are thrown."""
    mark = next(fact for fact in draft.facts if isinstance(fact, events.MarkersPlaced))
    last = draft.facts[-1]
    camera = f"CAM-{spec.name}-B"
    draft.insert(
        events.CameraLost(
            stream=mark.stream, seq=0, event_time=mark.event_time + _LATER, source=mark.source,
            recorded_by=None, camera=camera,
        )
    )  # fmt: skip
    draft.insert(
        events.CameraRestored(
            stream=mark.stream, seq=0, event_time=last.event_time + _LATER, source=mark.source,
            recorded_by=None, camera=camera,
        )
    )  # fmt: skip
    draft.find("camera_missing", "577.9(a)", throws(draft)[0])


def stickperson_away(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The stickperson is relieved by nobody, and the game goes on without."""
    mark = next(fact for fact in draft.facts if isinstance(fact, events.MarkersPlaced))
    last = draft.facts[-1]
    stick = _call_of(draft, throws(draft)[0]).called_by
    assert stick is not None, "somebody called"
    draft.insert(
        events.StaffRelieved(
            stream=mark.stream, seq=0, event_time=mark.event_time + _LATER, source=mark.source,
            recorded_by=stick, role=events.Role.STICKPERSON, person=stick, relieved_by=None,
        )
    )  # fmt: skip
    draft.insert(
        events.StaffAssigned(
            stream=mark.stream, seq=0, event_time=last.event_time + _LATER, source=mark.source,
            recorded_by=stick, role=events.Role.STICKPERSON, person=stick,
        )
    )  # fmt: skip
    first = throws(draft)[0]
    draft.find("understaffed", "577.9(b)", first)
    draft.find("no_stickperson", "577.9(b)", first)
