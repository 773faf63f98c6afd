"""The kinds of planted irregularities: where each can stand, and what it does there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from ledger.events import (
    AreasLit,
    BettingOpened,
    DeviceInspected,
    DiceShaken,
    DiceThrown,
    LightsCleared,
    NoMoreBetsAnnounced,
    RollCalled,
    SettledAs,
    ShakerCovered,
    ShakerUncovered,
    SpinCalled,
    SupervisorPresent,
    ValuesEntered,
    WagerPlaced,
    WagerSettled,
    WheelSpun,
)
from ledger.floor import plant_counts as counts
from ledger.floor import plant_house as house
from ledger.floor import plant_money as money
from ledger.floor import plant_play as play
from ledger.floor import plant_table as table
from ledger.floor.day import Day
from ledger.floor.draft import Draft
from ledger.floor.plant_house import Lasting
from ledger.floor.state import Kind
from ledger.floor.tables import TableSpec

Edit = Callable[[Draft, TableSpec, Random], None]


@dataclass(frozen=True, slots=True)
class PlantKind:
    """One kind of irregularity.

    Args:
        name: as it is asked for.
        what: in plain words.
        game: the tables at which it makes sense.
        step: the kind of step it changes.
        fits: whether a step offers what it needs.
        edit: the change, None where ``lasting`` makes it.
        code: the first finding it leads to, and ``cite`` where, at a dice table.
        wagers: whether only a table that records wagers can show it.
        notice: the change it makes to the notice that preceded the step.
        lasting: makes a change that lasts as long as the simulation.
        last_round: whether only the last round of a day will do.
        eve: whether dice are placed a day too early for it.
        leans: whether it can be shown only while limits, staff and dice are known for certain.
        usual: the tables among which the seed chooses, None for all of ``game`` that record wagers.
    """

    name: str
    what: str
    game: Callable[[TableSpec], bool]
    step: Kind
    fits: Callable[[Draft], bool]
    edit: Edit | None
    code: str
    cite: str
    wagers: bool = False
    notice: Callable[[Draft], None] | None = None
    lasting: Callable[[TableSpec, Random, Day], Lasting] | None = None
    last_round: bool = False
    eve: bool = False
    leans: bool = False
    usual: Callable[[TableSpec], bool] | None = None


_PLAIN: Final = (
    AreasLit, BettingOpened, DiceShaken, DiceThrown, LightsCleared, NoMoreBetsAnnounced, RollCalled,
    ShakerCovered, ShakerUncovered, SpinCalled, ValuesEntered, WagerPlaced, WagerSettled, WheelSpun,
)  # fmt: skip


def plain(draft: Draft) -> bool:
    """A round without any irregularity and without a multiplier."""
    return not money.multiplied(draft) and all(isinstance(fact, _PLAIN) for fact in draft.facts)


def some_wager(draft: Draft) -> bool:
    """A plain round in which a wager is settled."""
    return plain(draft) and any(isinstance(fact, WagerSettled) for fact in draft.facts)


def settled(draft: Draft) -> bool:
    """Any round in which a wager is settled."""
    return any(isinstance(fact, WagerSettled) for fact in draft.facts)


def some_loser(draft: Draft) -> bool:
    """A plain round in which a wager loses."""
    return plain(draft) and bool(money.losers(draft))


def some_winner(draft: Draft) -> bool:
    """A plain round in which a wager wins enough to be paid wrongly."""
    return plain(draft) and bool(money.plain_winners(draft))


def both(draft: Draft) -> bool:
    """A plain round with losing and winning wagers."""
    return some_loser(draft) and bool(draft.settled(SettledAs.WON))


def small_loser(draft: Draft) -> bool:
    """A plain round in which a wager loses that could have been smaller than allowed."""
    return plain(draft) and bool(money.small_losers(draft))


def big_loser(draft: Draft) -> bool:
    """A plain round in which a wager near the maximum loses."""
    return plain(draft) and bool(money.big_losers(draft))


def bonus(draft: Draft) -> bool:
    """A bonus round with a winner."""
    return bool(money.multiplier_winners(draft))


def supervised(draft: Draft) -> bool:
    """A round that was settled before a floorperson."""
    return any(isinstance(fact, SupervisorPresent) for fact in draft.facts)


def trial(draft: Draft) -> bool:
    """An opening at which devices are tried."""
    return any(isinstance(fact, DeviceInspected) for fact in draft.facts)


def anything(draft: Draft) -> bool:  # noqa: ARG001
    """Any step will do."""
    return True


def every(spec: TableSpec) -> bool:  # noqa: ARG001
    """All tables."""
    return True


def dice(spec: TableSpec) -> bool:
    """Sic Bo tables."""
    return spec.is_dice


def manual(spec: TableSpec) -> bool:
    """Sic Bo tables with a manual shaker."""
    return spec.is_dice and not spec.automated


def without_hand_shaker(spec: TableSpec) -> bool:
    """Tables where a hole in the record leaves nothing else in doubt.

    At a manual shaker it leaves open whether an automated one stood there too (§ 539.7(d)).
    """
    return spec.sees_wagers and not manual(spec)


def wheel(spec: TableSpec) -> bool:
    """Dreamcatcher tables."""
    return not spec.is_dice


RECORD: Final = ("gap", "conflict")
"""Codes of what is wrong with the record itself: after it, what outlives a round is in doubt."""

_R, _O, _L = Kind.ROUND, Kind.OPENING, Kind.LIMITS

# fmt: off
_ALL: Final = (
    #         kind                            what                                                          at      in  offered by    change                                code                            cite
    PlantKind("overpaid",                     "a winner is paid too much",                                  every,  _R, some_winner,  money.overpaid,                       "wager_overpaid",               "539.6(b)", wagers=True),
    PlantKind("underpaid",                    "a winner is paid too little",                                every,  _R, some_winner,  money.underpaid,                      "wager_underpaid",              "539.6(b)", wagers=True),
    PlantKind("losing_wager_not_taken",       "a losing stake is left with the patron",                     every,  _R, some_loser,   money.losing_wager_not_taken,         "stake_taken_wrong",            "539.5(e)", wagers=True),
    PlantKind("wager_left_unsettled",         "a losing wager is never settled",                            every,  _R, some_loser,   money.unsettled_wager,                "wager_unsettled",              "539.5(e)", wagers=True),
    PlantKind("winner_taken",                 "a winning wager is collected",                               every,  _R, some_winner,  money.winner_taken,                   "wrong_outcome",                "539.4(c)", wagers=True),
    PlantKind("settled_twice",                "a winner is paid a second time",                             every,  _R, some_winner,  money.settled_twice,                  "wager_overpaid",               "539.6(b)", wagers=True),
    PlantKind("multiplier_not_applied",       "a bonus round is paid without its multiplier",               wheel,  _R, bonus,        money.multiplier_not_applied,         "wager_underpaid",              "689.3(b)", wagers=True),
    PlantKind("over_limit",                   "a wager above the maximum is accepted",                      every,  _R, big_loser,    money.over_limit,                     "wager_over_limit",             "521.7(c)", wagers=True, leans=True),
    PlantKind("under_limit",                  "a wager below the minimum is accepted",                      every,  _R, small_loser,  money.under_limit,                    "wager_under_limit",            "521.7(c)", wagers=True, leans=True),
    PlantKind("cash_wager",                   "a spoken wager with cash is accepted",                       dice,   _R, some_loser,   money.cash_wager,                     "wager_not_in_chips",           "539.4(a)", wagers=True),
    PlantKind("late_wager",                   "a wager comes after 'no more bets'",                         every,  _R, some_wager,   play.late_wager,                      "late_wager",                   "539.5(b)", wagers=True),
    PlantKind("late_take_down",               "a losing wager is lifted after the result",                  every,  _R, some_loser,   play.late_take_down,                  "late_take_down",               "539.4(c)", wagers=True),
    PlantKind("paid_before_collecting",       "a winner is paid before the losers are collected",           every,  _R, both,         play.paid_before_collecting,          "paid_before_collecting",       "539.5(e)", wagers=True),
    PlantKind("missing_no_more_bets",         "nobody announces 'no more bets'",                            every,  _R, plain,        play.missing_no_more_bets,            "no_more_bets_missing",         "539.5(b)"),
    PlantKind("two_shakes",                   "the shaker is shaken twice",                                 manual, _R, plain,        play.two_shakes,                      "too_few_shakes",               "539.5(c)(1)"),
    PlantKind("two_revolutions",              "a spin of two revolutions is settled on",                    wheel,  _R, some_wager,   play.two_revolutions,                 "settled_on_void_spin",         "689.2(b)"),
    PlantKind("spun_by_patron",               "a patron spins the wheel",                                   wheel,  _R, some_wager,   play.spun_by_patron,                  "spun_by_other",                "689.2(b)"),
    PlantKind("wrong_result_called",          "another result is called than shown",                        every,  _R, plain,        play.wrong_result_called,             "wrong_call",                   "539.5(d)"),
    PlantKind("no_roll_not_called",           "a die leans and the roll is settled",                        dice,   _R, plain,        play.no_roll_not_called,              "no_roll_not_called",           "539.7(a)"),
    PlantKind("no_roll_without_cause",        "a good roll is called off",                                  dice,   _R, plain,        play.no_roll_without_cause,           "no_roll_without_cause",        "539.7(a)"),
    PlantKind("lights_not_cleared",           "areas stay lit into the next round",                         dice,   _R, plain,        play.lights_not_cleared,              "lights_not_cleared",           "539.5(f)"),
    PlantKind("device_fault_unsupervised",    "nobody watches the settlement when the device has failed",   dice,   _R, supervised,   play.device_fault_unsupervised,       "device_fault_unsupervised",    "539.7(b)", wagers=True),
    PlantKind("table_closed_with_open_round", "the table closes on wagers that nobody settled",             wheel,  _R, settled,      play.open_round,                      "wager_unsettled",              "689.2(e)", wagers=True, last_round=True),
    PlantKind("lost_event",                   "a fact never arrives",                                       every,  _R, plain,        play.lost_event,                      "gap",                          "L.1", usual=without_hand_shaker),
    PlantKind("conflicting_event",            "two records under one number",                               every,  _R, plain,        play.conflicting_event,               "conflict",                     "L.2", usual=without_hand_shaker),
    PlantKind("shaker_unattended",            "a dealer leaves before the next has come",                   dice,   Kind.RELIEF, table.is_dealer_relief, table.shaker_unattended, "shaker_unattended",       "539.1(f)", leans=True),
    PlantKind("inspection_missing",           "the electrical device is not tried before opening",          dice,   _O, trial,        table.inspection_missing,             "inspection_missing",           "539.5(a)"),
    PlantKind("inspection_by_wrong_person",   "another pit's floorperson tries the device",                 dice,   _O, trial,        table.inspection_by_wrong_person,     "inspection_by_wrong_person",   "539.5(a)"),
    PlantKind("limit_changed_without_notice", "limits change with neither sign nor announcement",           every,  _L, table.changes_while_playing, table.limit_changed_without_notice, "limits_sign_missing", "521.8(c)(2)(ii)", notice=table.drop_notice, leans=True),
    PlantKind("limits_sign_missing",          "no sign tells of a change of limits",                        every,  _L, table.changes_while_playing, table.change_sign_missing, "limits_sign_missing",     "521.8(c)(2)(ii)", notice=table.drop_sign, leans=True),
    PlantKind("limits_not_announced",         "a change of limits is not announced",                        every,  _L, table.changes_while_playing, table.change_not_announced, "limits_change_not_announced", "521.8(c)(2)(iii)", notice=table.drop_announcement, leans=True),
    PlantKind("dice_over_24_hours",           "dice are used for more than 24 hours",                       dice,   Kind.DICE, anything, None,                              "dice_over_24_hours",           "539.2(b)", eve=True, leans=True),
    PlantKind("fill_not_recorded",            "chips are brought and no fact says so",                      every,  Kind.RACK, counts.has_fill, counts.fill_not_recorded,           "win_differs",                  "L.8"),
    PlantKind("wrong_closer",                 "the inventory is miscounted at closing",                     every,  Kind.CLOSING, anything, counts.wrong_closer,                "win_differs",                  "L.8"),
    PlantKind("box_count_short",              "a note is missing from a box when it is counted",            every,  Kind.COUNT, counts.has_cash, counts.box_count_short,            "win_differs",                  "L.8"),
    PlantKind("paytable_below_floor",         "a filed row of odds lies below the list",                    dice,   Kind.HOUSE, anything, None,                             "paytable_below_floor",         "539.6(b)", lasting=house.paytable_below_floor),
    PlantKind("unapproved_layout",            "the layout has no approval",                                 every,  Kind.HOUSE, anything, None,                             "layout_not_approved",          "539.1(c)", lasting=house.unapproved_layout),
    PlantKind("unapproved_shaker",            "the shaker lacks an approval",                               dice,   Kind.HOUSE, anything, None,                             "equipment_not_approved",       "539.1(d)", lasting=house.unapproved_shaker),
    PlantKind("unapproved_sign",              "a sign has no approval",                                     every,  Kind.HOUSE, anything, None,                             "sign_not_approved",            "521.8(d)", lasting=house.unapproved_sign),
)
# fmt: on

KINDS: Final = {kind.name: kind for kind in _ALL}
"""Every kind by its name."""
