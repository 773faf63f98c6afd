"""A short day of Three Dice Football, and what may be wrong in one of its games.

In the eighth game W48 to W52 are laid before the first throw, W53, W54 and W55 before the third,
fourth and fifth; the fifth scores, and an Extra Point wager, W49, has its roll thrown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple

from ledger import events
from tests.engine import floor_day
from tests.rounds.football_days import (
    Facts,
    after,
    changed_at,
    counted_in_box,
    coupon_day,
    dice_a_day_old,
    moved_to,
    of_kinds,
    settlement,
    with_coupon,
    without,
)
from tests.rounds.test_in_order import honest_day, renumbered

TABLE: Final = "FB-02"
GAME: Final = 8
"""The game in which most days have something wrong; it scores on its fifth play."""
AT_ONCE: Final = 150_000
WON, LOST = events.SettledAs.WON, events.SettledAs.LOST
THROWN, CALLED = events.DiceThrownByHand, events.RollCalled
ANNOUNCED, MARKED = events.DownAnnounced, events.MarkersPlaced
OPENED, PLACED, SETTLED = events.BettingOpened, events.WagerPlaced, events.WagerSettled
CHIPS: Final = events.Instrument.CHIPS


def the_day() -> Facts:
    """The day."""
    return list(honest_day(1, TABLE))


# --- places and facts of it -----------------------------------------------------------------------


def nth(facts: Facts, number: int, kind: type[events.Fact], which: int = 0) -> int:
    """The place of a fact of a kind in a game: the first, or that after so many others."""
    opens = of_kinds(facts, OPENED)
    return [place for place in of_kinds(facts, kind) if place >= opens[number - 1]][which]


def placed(facts: Facts, wager_id: str) -> int:
    """The place where a wager is placed."""
    places = of_kinds(facts, PLACED)
    return next(place for place in places if getattr(facts[place], "wager_id", None) == wager_id)


def settled(facts: Facts, wager_id: str) -> int:
    """The place where a wager is settled."""
    place = settlement(facts, wager_id)
    assert place is not None
    return place


def fact_more(
    number: int, after_kind: type[events.Fact], which: int, kind: type[events.Fact], **fields: Any
) -> Facts:
    """The day with one more fact in a game, after one of a kind."""
    facts = the_day()
    return after(facts, nth(facts, number, after_kind, which), kind, AT_ONCE, **fields)


def otherwise(number: int, kind: type[events.Fact], which: int, **fields: Any) -> Facts:
    """The day with a fact of a game that says otherwise."""
    facts = the_day()
    return changed_at(facts, nth(facts, number, kind, which), **fields)


def missing(number: int, kind: type[events.Fact], which: int) -> Facts:
    """The day without a fact of a game."""
    facts = the_day()
    return without(facts, nth(facts, number, kind, which))


def settled_as(facts: Facts, wager_id: str, outcome: events.SettledAs, cents: int) -> Facts:
    """The facts with a wager that is settled otherwise: so much paid, or taken."""
    amounts = (cents, 0) if outcome is WON else (0, cents)
    fields = dict(zip(("winnings_cents", "stake_taken_cents"), amounts, strict=True))
    return changed_at(facts, settled(facts, wager_id), outcome=outcome, **fields)


def never_settled(facts: Facts, *wager_ids: str) -> Facts:
    """The facts in which some wagers are not settled."""
    return without(facts, *[settled(facts, wager_id) for wager_id in wager_ids])


def settled_after(facts: Facts, wager_id: str, where: int) -> Facts:
    """The facts in which a wager is settled just after another fact."""
    return moved_to(facts, settled(facts, wager_id), where, AT_ONCE)


def one_more(
    facts: Facts, where: int, wager: str, last: str, outcome: events.SettledAs, cents: int = 1_000
) -> Facts:
    """The facts with one more wager of $10, settled just after another one.

    Args:
        facts: of the day.
        where: after which place it is laid.
        wager: its name.
        last: after the settlement of which wager it is settled.
        outcome, cents: as what, and how much is paid or taken.
    """
    laid = {"wager_id": "more", "wager": wager, "picks": (), "stake_cents": 1_000, "coupons": ()}
    who = {"position": "1", "patron": None, "instrument": CHIPS}
    facts = after(facts, where, PLACED, AT_ONCE, **laid, **who)
    act = {"wager_id": "more", "outcome": LOST, "winnings_cents": 0, "stake_taken_cents": 0}
    facts = after(facts, settled(facts, last), SETTLED, AT_ONCE, **act)
    return settled_as(facts, "more", outcome, cents)


def raise_by(wager_id: str, cents: int = 500) -> dict[str, Any]:
    """What the fact says by which a wager is raised."""
    return {"wager_id": wager_id, "added_cents": cents, "instrument": CHIPS}


# --- wagers touched while they may not be ---------------------------------------------------------


def full_game_placed_late() -> Facts:
    """A Touchdown wager is placed after the first play, and paid as it wins."""
    facts = the_day()
    return one_more(facts, nth(facts, GAME, ANNOUNCED), "Touchdown", "W50", WON)


def full_game_raised_late() -> Facts:
    """W48 is raised after the first play, and collected with what was added."""
    facts = fact_more(GAME, ANNOUNCED, 0, events.WagerIncreased, **raise_by("W48"))
    return settled_as(facts, "W48", LOST, 4_500)


def full_game_moved_late() -> Facts:
    """W48 is moved to another full game wager after the first play, which loses too."""
    to = {"wager_id": "W48", "wager": "Quick Strike TD", "picks": ()}
    return fact_more(GAME, ANNOUNCED, 0, events.WagerMoved, **to)


def full_game_lifted_late() -> Facts:
    """W51 is taken down after the first play."""
    gone = {"wager_id": "W51", "taken_cents": None}
    return never_settled(fact_more(GAME, ANNOUNCED, 0, events.WagerTakenDown, **gone), "W51")


def placed_after_the_throw() -> Facts:
    """A single play wager is placed between a throw and its call, and paid as it wins."""
    facts = the_day()
    return one_more(facts, nth(facts, GAME, THROWN, 2), "Over Four Yards", "W53", WON)


def raised_after_the_throw() -> Facts:
    """W53 is raised between its throw and the call, and paid with what was added."""
    facts = fact_more(GAME, THROWN, 2, events.WagerIncreased, **raise_by("W53"))
    return settled_as(facts, "W53", WON, 2_500)


def lifted_after_the_throw() -> Facts:
    """W54 is taken down between the throw by which it loses and the call."""
    gone = {"wager_id": "W54", "taken_cents": None}
    return never_settled(fact_more(GAME, THROWN, 3, events.WagerTakenDown, **gone), "W54")


def moved_after_the_throw() -> Facts:
    """W54 is moved between its throw and the call to where it wins, and paid there."""
    to = {"wager_id": "W54", "wager": "Under Four Yards", "picks": ()}
    return settled_as(fact_more(GAME, THROWN, 3, events.WagerMoved, **to), "W54", WON, 2_000)


def moved_to_a_closed_wager() -> Facts:
    """W53 is moved to the Touchdown after the second play, and paid as it wins."""
    facts = the_day()
    to = {"wager_id": "W53", "wager": "Touchdown", "picks": ()}
    facts = after(facts, placed(facts, "W53"), events.WagerMoved, AT_ONCE, **to)
    return settled_after(facts, "W53", settled(facts, "W50"))


def raised_once_decided() -> Facts:
    """W53 is raised when its throw was called, and paid with what was added."""
    facts = fact_more(GAME, CALLED, 2, events.WagerIncreased, **raise_by("W53"))
    return settled_as(facts, "W53", WON, 2_500)


def handed_back_after_the_throw() -> Facts:
    """W54 is handed back once the throw by which it loses was called."""
    back = {"wager_id": "W54", "returned_cents": None, "reason": None}
    return never_settled(fact_more(GAME, CALLED, 3, events.WagerReturned, **back), "W54")


def outside_the_limits() -> Facts:
    """W53 is far above the maximum as the throw comes, and paid."""
    facts = the_day()
    facts = changed_at(facts, placed(facts, "W53"), stake_cents=100_000)
    return settled_as(facts, "W53", WON, 100_000)


def outside_until_the_first_throw() -> Facts:
    """W17, which was handed back before the first throw of the third game, stays and is paid."""
    facts = the_day()
    facts = without(facts, nth(facts, 3, events.WagerReturned))
    won = {"wager_id": "W17", "outcome": WON, "winnings_cents": 30_500, "stake_taken_cents": 0}
    return after(facts, settled(facts, "W13"), SETTLED, AT_ONCE, **won)


def id_used_twice() -> Facts:
    """W54 is laid under the id of W53, which was settled, and settled so."""
    facts = the_day()
    facts = changed_at(facts, placed(facts, "W54"), wager_id="W53")
    return changed_at(facts, settled(facts, "W54"), wager_id="W53")


# --- settlements ----------------------------------------------------------------------------------


def settled_before_its_throw() -> Facts:
    """W54 is collected as soon as it lies there."""
    facts = the_day()
    return settled_after(facts, "W54", placed(facts, "W54"))


def full_game_settled_before_its_end() -> Facts:
    """W51 is collected after the first play."""
    facts = the_day()
    return settled_after(facts, "W51", nth(facts, GAME, ANNOUNCED))


def settled_after_the_next_throw() -> Facts:
    """W53 is paid once the next throw was called."""
    facts = the_day()
    return settled_after(facts, "W53", nth(facts, GAME, CALLED, 3))


def winner_of_the_last_play_collected() -> Facts:
    """W41 wins by the play that ends the sixth game, and is collected."""
    return settled_as(the_day(), "W41", LOST, 2_000)


def defense_not_first() -> Facts:
    """After a score a Defense wager is collected after another one."""
    facts = the_day()
    return one_more(facts, placed(facts, "W48"), "Defense", "W48", LOST)


def touchdown_before_the_roll() -> Facts:
    """W50 is paid before the extra point roll."""
    facts = the_day()
    return settled_after(facts, "W50", settled(facts, "W55"))


def changed_places(facts: Facts, one_id: str, other_id: str) -> Facts:
    """The facts with two wagers settled each in the other's place."""
    one, other = settled(facts, one_id), settled(facts, other_id)
    first, second = facts[one], facts[other]
    facts[one] = replace(second, event_time=first.event_time)
    facts[other] = replace(first, event_time=second.event_time)
    return renumbered(facts)


def winner_first() -> Facts:
    """In the second game W9, which wins, is paid before W10 is collected."""
    return changed_places(the_day(), "W10", "W9")


def taken_down_in_time() -> Facts:
    """W53 is taken down before the throw that would decide it."""
    facts = the_day()
    gone = {"wager_id": "W53", "taken_cents": None}
    facts = after(facts, placed(facts, "W53"), events.WagerTakenDown, AT_ONCE, **gone)
    return never_settled(facts, "W53")


# --- throws and calls -----------------------------------------------------------------------------


def thrown_with(serial: str) -> Facts:
    """Another die is thrown on the third play in place of the red one."""
    facts = the_day()
    throw: Any = facts[nth(facts, GAME, THROWN, 2)]
    dice = (*throw.dice[:2], replace(throw.dice[2], serial=serial))
    return otherwise(GAME, THROWN, 2, dice=dice)


def uncalled_then_extra() -> Facts:
    """The scoring throw is not called, and the extra point roll follows it at once."""
    facts = the_day()
    call = nth(facts, GAME, CALLED, 5)
    for wager_id in ("W48", "W51", "W55"):
        facts = settled_after(facts, wager_id, call)
        call = nth(facts, GAME, CALLED, 5)
    return without(facts, nth(facts, GAME, CALLED, 4), nth(facts, GAME, MARKED, 5))


def no_extra_roll() -> Facts:
    """W49 is an Extra Point wager, and no roll is thrown for it."""
    facts = the_day()
    return without(facts, nth(facts, GAME, THROWN, 5), nth(facts, GAME, CALLED, 5))


def roll_for_nobody() -> Facts:
    """No Extra Point wager lies there, a roll is thrown, and the Touchdown is paid after it."""
    facts = the_day()
    facts = changed_at(facts, placed(facts, "W49"), wager="Defense")
    facts = settled_after(facts, "W49", nth(facts, GAME, MARKED, 5))
    return renumbered(facts)


def thrown_after_the_end() -> Facts:
    """The dice are thrown once more when the first game is over."""
    facts = the_day()
    last, again = settled(facts, "W1"), facts[nth(facts, 1, THROWN, 5)]
    again = replace(again, event_time=facts[last].event_time + AT_ONCE)
    return renumbered([*facts[: last + 1], again, *facts[last + 1 :]])


def groundless() -> Facts:
    """No roll is called without a ground before the third play, which is thrown again."""
    facts = the_day()
    throw = nth(facts, GAME, THROWN, 2)
    before = facts[throw].event_time - 3_000_000
    first = replace(facts[throw], event_time=before)
    facts = renumbered([*facts[:throw], first, *facts[throw:]])
    fields = {"reason": "whim", "called_by": caller(facts)}
    return after(facts, throw, events.NoRollCalled, AT_ONCE, **fields)


def caller(facts: Facts) -> str:
    """Who calls the rolls of the day."""
    call: Any = facts[nth(facts, GAME, CALLED)]
    called_by: str = call.called_by
    return called_by


def disputed_after_the_call() -> Facts:
    """A face is disputed once its throw was called, and determined to be another one."""
    die = "FB-02-0001-a"
    disputed = {"die": die, "position": "1", "alternatives": (1, 6)}
    facts = fact_more(GAME, CALLED, 2, events.FaceDisputed, **disputed)
    place = nth(facts, GAME, events.FaceDisputed)
    ruled = {"die": die, "face": 1, "rethrow": False, "ruled_by": caller(facts)}
    return after(facts, place, events.DisputeRuled, AT_ONCE, **ruled)


def without_a_wager() -> Facts:
    """The Quarterback's wagers are another player's."""
    facts = the_day()
    for wager_id in ("W50", "W51", "W52"):
        facts = changed_at(facts, placed(facts, wager_id), position="2")
    return facts


def thrown_otherwise(number: int, which: int, *faces: int, is_called_so: bool = True) -> Facts:
    """A throw of a game shows other faces, and is called so or not; all else goes on as before."""
    facts = the_day()
    place = nth(facts, number, THROWN, which)
    throw: Any = facts[place]
    dice = tuple(replace(die, face=face) for die, face in zip(throw.dice, faces, strict=True))
    facts, called = changed_at(facts, place, dice=dice), nth(facts, number, CALLED, which)
    return changed_at(facts, called, faces=faces) if is_called_so else facts


def improper_throw() -> Facts:
    """The dice of the third play do not leave the hand together, and count."""
    return otherwise(GAME, THROWN, 2, released_together=False)


# --- who and what is there ------------------------------------------------------------------------


def dice_turn_a_day_old() -> Facts:
    """The dice were placed the day before, and turn a day old in the middle of the day."""
    return dice_a_day_old(the_day(), Random(1))


def as_betting_opens(kind: type[events.Fact], **fields: Any) -> Facts:
    """The day with one more fact as betting opens in the game."""
    return fact_more(GAME, OPENED, 0, kind, **fields)


UNFIT: Final = {
    "subject": events.Subject.DICE, "subject_id": "FB-02-0001-c", "item": "condition",
    "found": False, "seen": (), "inspected_by": "F-41",
}  # fmt: skip
DEALER: Final = {"role": events.Role.DEALER, "person": "D-FB-02-2", "relieved_by": None}


def extra_point_with_a_coupon() -> Facts:
    """On a day with coupons one lies with an Extra Point wager, which is lost without its roll."""
    facts = list(coupon_day(1, TABLE))
    roll = next(
        place
        for place in of_kinds(facts, THROWN)
        if getattr(facts[place], "purpose", None) is events.ThrowPurpose.EXTRA_POINT
    )
    facts = without(facts, roll, roll + 1)
    wager: Any = next(
        facts[place]
        for place in reversed(of_kinds(facts, PLACED))
        if place < roll and getattr(facts[place], "wager", None) == "Extra Point"
    )
    facts = settled_as(facts, wager.wager_id, LOST, wager.stake_cents)
    laid = {getattr(fact, "serial", None) for fact in facts if fact.stream == TABLE}
    coupon = next(
        fact.coupons[0]
        for fact in floor_day(seed=1, scale=0.06, coupons=True)[0]
        if isinstance(fact, PLACED) and fact.coupons and fact.coupons[0].serial not in laid
        if fact.coupons[0].chips_cents <= wager.stake_cents and fact.coupons[0].serial[0] != "E"
    )
    return counted_in_box(with_coupon(facts, wager, coupon))


class Wrong(NamedTuple):
    """What is wrong: in which game, by which code it is found, and the day."""

    number: int
    code: str
    day: Callable[[], Facts]


WRONG: Final[dict[str, Wrong]] = {
    "full game placed late": Wrong(GAME, "late_wager", full_game_placed_late),
    "full game raised late": Wrong(GAME, "late_wager", full_game_raised_late),
    "full game moved late": Wrong(GAME, "late_take_down", full_game_moved_late),
    "full game lifted late": Wrong(GAME, "late_take_down", full_game_lifted_late),
    "placed after the throw": Wrong(GAME, "late_wager", placed_after_the_throw),
    "raised after the throw": Wrong(GAME, "late_wager", raised_after_the_throw),
    "lifted after the throw": Wrong(GAME, "late_take_down", lifted_after_the_throw),
    "moved after the throw": Wrong(GAME, "late_take_down", moved_after_the_throw),
    "moved to a closed wager": Wrong(GAME, "late_wager", moved_to_a_closed_wager),
    "raised once decided": Wrong(GAME, "late_wager", raised_once_decided),
    "handed back after the throw": Wrong(GAME, "wrong_outcome", handed_back_after_the_throw),
    "outside the limits": Wrong(GAME, "wager_over_limit", outside_the_limits),
    "outside until the first throw": Wrong(3, "wager_over_limit", outside_until_the_first_throw),
    "an id used twice": Wrong(GAME, "wager_settled_twice", id_used_twice),
    "settled before its throw": Wrong(GAME, "settled_before_result", settled_before_its_throw),
    "full game settled before its end": Wrong(GAME, "settled_before_result", full_game_settled_before_its_end),
    "settled after the next throw": Wrong(GAME, "unsettled_before_next_throw", settled_after_the_next_throw),
    "never settled": Wrong(GAME, "wager_unsettled", lambda: never_settled(the_day(), "W51")),
    "a winner of the last play collected": Wrong(6, "wrong_outcome", winner_of_the_last_play_collected),
    "a loser paid": Wrong(GAME, "wrong_outcome", lambda: settled_as(the_day(), "W54", WON, 2_000)),
    "paid too much": Wrong(GAME, "wager_overpaid", lambda: settled_as(the_day(), "W53", WON, 2_500)),
    "taken too little": Wrong(GAME, "stake_taken_wrong", lambda: settled_as(the_day(), "W54", LOST, 1_500)),
    "Defense not first": Wrong(GAME, "settlement_out_of_order", defense_not_first),
    "Touchdown before the roll": Wrong(GAME, "settlement_out_of_order", touchdown_before_the_roll),
    "Touchdown before Game Length": Wrong(1, "settlement_out_of_order", lambda: changed_places(the_day(), "W2", "W1")),
    "Touchdown last without a score": Wrong(6, "settlement_out_of_order", lambda: changed_places(the_day(), "W37", "W40")),
    "Extra Point not first without a score": Wrong(4, "settlement_out_of_order", lambda: changed_places(the_day(), "W20", "W19")),
    "a wrong call": Wrong(GAME, "wrong_call", lambda: otherwise(GAME, CALLED, 2, faces=(6, 3, 4))),
    "another play": Wrong(1, "marker_misplaced", lambda: thrown_otherwise(1, 1, 3, 6, 3)),
    "another play than was called": Wrong(1, "wrong_call", lambda: thrown_otherwise(1, 1, 3, 6, 3, is_called_so=False)),
    "another extra point": Wrong(GAME, "wrong_outcome", lambda: thrown_otherwise(GAME, 5, 1, 2, 3)),
    "called by another": Wrong(GAME, "not_by_stickperson", lambda: otherwise(GAME, CALLED, 2, called_by="D-FB-02-1")),
    "no call": Wrong(9, "roll_not_called", lambda: missing(9, CALLED, 2)),
    "uncalled before the roll": Wrong(GAME, "roll_not_called", uncalled_then_extra),
    "thrown by another": Wrong(GAME, "wrong_quarterback", lambda: otherwise(GAME, THROWN, 2, position="2")),
    "a die not selected": Wrong(GAME, "wrong_dice_thrown", lambda: thrown_with("FB-02-0001-e")),
    "an improper throw": Wrong(GAME, "improper_throw", improper_throw),
    "thrown after the end": Wrong(1, "throw_after_game_over", thrown_after_the_end),
    "no roll without a ground": Wrong(GAME, "no_roll_without_cause", groundless),
    "disputed after the call": Wrong(GAME, "marker_misplaced", disputed_after_the_call),
    "the Quarterback without a wager": Wrong(GAME, "player_without_wager", without_a_wager),
    "no extra point roll": Wrong(GAME, "extra_point_not_thrown", no_extra_roll),
    "a roll for nobody": Wrong(GAME, "unsettled_before_next_throw", roll_for_nobody),
    "markers at another yard": Wrong(GAME, "marker_misplaced", lambda: otherwise(GAME, MARKED, 2, yard=3)),
    "another down announced": Wrong(GAME, "marker_misplaced", lambda: otherwise(GAME, ANNOUNCED, 1, down=events.Down.FIRST_DOWN)),
    "no announcement": Wrong(GAME, "announcement_missing", lambda: missing(GAME, ANNOUNCED, 1)),
    "no turnover announced": Wrong(4, "announcement_missing", lambda: missing(4, events.TurnoverAnnounced, 0)),
    "dice a day old": Wrong(0, "dice_over_24_hours", dice_turn_a_day_old),
    "a die lost": Wrong(GAME, "lost_die_set_not_changed", lambda: as_betting_opens(events.DieLost, die="FB-02-0001-c", colour=None)),
    "a die unfit": Wrong(GAME, "unfit_dice_used", lambda: as_betting_opens(events.ItemInspected, **UNFIT)),
    "a camera lost": Wrong(GAME, "camera_missing", lambda: as_betting_opens(events.CameraLost, camera="CAM-FB-02-A")),
    "dealers fewer": Wrong(GAME, "understaffed", lambda: as_betting_opens(events.StaffRelieved, **DEALER)),
}  # fmt: skip
