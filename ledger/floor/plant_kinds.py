"""The kinds of planted irregularities: where each can stand, and what it does there."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from ledger import events
from ledger.floor import plant_counts as counts
from ledger.floor import plant_football as football
from ledger.floor import plant_house as house
from ledger.floor import plant_money as money
from ledger.floor import plant_play as play
from ledger.floor import plant_poker as poker
from ledger.floor import plant_props as props
from ledger.floor import plant_props_filed as filed
from ledger.floor import plant_services as services
from ledger.floor import plant_settled as paid
from ledger.floor import plant_table as table
from ledger.floor.day import Day
from ledger.floor.draft import Draft
from ledger.floor.plant_house import LastingPlant
from ledger.floor.table_state import Kind
from ledger.floor.tables import TableSpec
from ledger.kernel.quick_dataclass import dataclass

Edit = Callable[[Draft, TableSpec, Random], None]


@dataclass(frozen=True, slots=True)
class PlantKind:
    """One kind of irregularity.

    Args:
        name: as it is asked for.
        description: in plain words.
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
    description: str
    game: Callable[[TableSpec], bool]
    step: Kind
    fits: Callable[[Draft], bool]
    edit: Edit | None
    code: str
    cite: str
    wagers: bool = False
    notice: Callable[[Draft], None] | None = None
    lasting: Callable[[TableSpec, Random, Day], LastingPlant] | None = None
    last_round: bool = False
    eve: bool = False
    leans: bool = False
    usual: Callable[[TableSpec], bool] | None = None


_PLAIN: Final = (
    events.AreasLit, events.BettingOpened, events.DiceShaken, events.DiceThrown, events.LightsCleared, events.NoMoreBetsAnnounced, events.RollCalled,
    events.ShakerCovered, events.ShakerUncovered, events.SpinCalled, events.ValuesEntered, events.WagerPlaced, events.WagerSettled, events.WheelSpun,
)  # fmt: skip


def plain(draft: Draft) -> bool:
    """A round without any irregularity and without a multiplier."""
    ordinary = all(isinstance(fact, _PLAIN) for fact in draft.facts) or poker.dealt(draft)
    return ordinary and not money.multiplied(draft)


def some_wager(draft: Draft) -> bool:
    """A plain round in which a wager is settled."""
    return plain(draft) and any(isinstance(fact, events.WagerSettled) for fact in draft.facts)


def settled(draft: Draft) -> bool:
    """Any round in which a wager is settled."""
    return any(isinstance(fact, events.WagerSettled) for fact in draft.facts)


def some_loser(draft: Draft) -> bool:
    """A plain round in which a wager loses."""
    return plain(draft) and bool(money.losers(draft))


def some_winner(draft: Draft) -> bool:
    """A plain round in which a wager wins enough to be paid wrongly."""
    return plain(draft) and bool(money.plain_winners(draft))


def both(draft: Draft) -> bool:
    """A plain round with losing and winning wagers."""
    return some_loser(draft) and bool(draft.settled(events.SettledAs.WON))


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
    return any(isinstance(fact, events.SupervisorPresent) for fact in draft.facts)


def trial(draft: Draft) -> bool:
    """An opening at which devices are tried."""
    return any(isinstance(fact, events.DeviceInspected) for fact in draft.facts)


def anything(draft: Draft) -> bool:  # noqa: ARG001
    """Any step will do."""
    return True


def anywhere(spec: TableSpec) -> bool:  # noqa: ARG001
    """A table of any game."""
    return True


def every(spec: TableSpec) -> bool:
    """All Sic Bo, Dreamcatcher and Asia Poker tables."""
    return dice_or_wheel(spec) or spec.is_cards


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
    return spec.sees_wagers and dice_or_wheel(spec) and not manual(spec)


def wheel(spec: TableSpec) -> bool:
    """Dreamcatcher tables."""
    return spec.is_wheel


def dice_or_wheel(spec: TableSpec) -> bool:
    """Sic Bo and Dreamcatcher tables."""
    return spec.is_dice or spec.is_wheel


def shaker(spec: TableSpec) -> bool:
    """Sic Bo and Asia Poker tables with a shaker that someone must watch."""
    return spec.has_shaker and not spec.is_props


def without_wheel(spec: TableSpec) -> bool:
    """Sic Bo and Asia Poker tables: their chapters forbid spoken wagers."""
    return spec.is_dice or spec.is_cards


def cards(spec: TableSpec) -> bool:
    """Asia Poker tables."""
    return spec.is_cards


def two_decks(spec: TableSpec) -> bool:
    """Asia Poker tables dealt from two decks; by default no dealer sets hands otherwise there.

    Where no house way is filed, hands cannot be set in another.
    """
    return spec.is_cards and not spec.has_shaker


def cards_and_dice(spec: TableSpec) -> bool:
    """Asia Poker tables whose start is found with a shaker, dealt from one deck."""
    return spec.is_cards and spec.has_shaker


def field(spec: TableSpec) -> bool:
    """Three Dice Football tables."""
    return spec.is_football


def hops(spec: TableSpec) -> bool:
    """Props & Hops tables."""
    return spec.is_props


def field_winner(draft: Draft) -> bool:
    """A plain game with a winner paid enough to be paid wrongly."""
    return football.plain(draft) and bool(paid.winners(draft))


def field_loser(draft: Draft) -> bool:
    """A plain game with a losing wager."""
    return football.plain(draft) and bool(paid.losers(draft))


def hops_winner(draft: Draft) -> bool:
    """A plain round of Props & Hops with a winner paid enough to be paid wrongly."""
    return props.plain(draft) and bool(paid.winners(draft))


def hops_loser(draft: Draft) -> bool:
    """A plain round of Props & Hops with a losing wager placed in it."""
    return props.plain(draft) and bool(paid.losers(draft))


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
    PlantKind("cash_wager",                   "a spoken wager with cash is accepted",                       without_wheel, _R, some_loser,   money.cash_wager,                     "wager_not_in_chips",           "539.4(a)", wagers=True),
    PlantKind("late_wager",                   "a wager comes after 'no more bets'",                         every,  _R, some_wager,   play.late_wager,                      "late_wager",                   "539.5(b)", wagers=True),
    PlantKind("late_take_down",               "a losing wager is lifted after the result",                  dice_or_wheel, _R, some_loser,   play.late_take_down,                  "late_take_down",               "539.4(c)", wagers=True),
    PlantKind("paid_before_collecting",       "a winner is paid before the losers are collected",           dice_or_wheel, _R, both,         play.paid_before_collecting,          "paid_before_collecting",       "539.5(e)", wagers=True),
    PlantKind("missing_no_more_bets",         "nobody announces 'no more bets'",                            every,  _R, plain,        play.missing_no_more_bets,            "no_more_bets_missing",         "539.5(b)"),
    PlantKind("recorded_by_stranger",         "somebody without a credential records a fact",               every,  _R, plain,        play.recorded_by_stranger,            "recorder_not_credentialed",    "L.10"),
    PlantKind("two_shakes",                   "the shaker is shaken twice",                                 manual, _R, plain,        play.two_shakes,                      "too_few_shakes",               "539.5(c)(1)"),
    PlantKind("two_revolutions",              "a spin of two revolutions is settled on",                    wheel,  _R, some_wager,   play.two_revolutions,                 "settled_on_void_spin",         "689.2(b)"),
    PlantKind("spun_by_patron",               "a patron spins the wheel",                                   wheel,  _R, some_wager,   play.spun_by_patron,                  "spun_by_other",                "689.2(b)"),
    PlantKind("wrong_result_called",          "another result is called than shown",                        dice_or_wheel, _R, plain,        play.wrong_result_called,             "wrong_call",                   "539.5(d)"),
    PlantKind("no_roll_not_called",           "a die leans and the roll is settled",                        dice,   _R, plain,        play.no_roll_not_called,              "no_roll_not_called",           "539.7(a)"),
    PlantKind("no_roll_without_cause",        "a good roll is called off",                                  dice,   _R, plain,        play.no_roll_without_cause,           "no_roll_without_cause",        "539.7(a)"),
    PlantKind("lights_not_cleared",           "areas stay lit into the next round",                         dice,   _R, plain,        play.lights_not_cleared,              "lights_not_cleared",           "539.5(f)"),
    PlantKind("device_fault_unsupervised",    "nobody watches the settlement when the device has failed",   dice,   _R, supervised,   play.device_fault_unsupervised,       "device_fault_unsupervised",    "539.7(b)", wagers=True),
    PlantKind("table_closed_with_open_round", "the table closes on wagers that nobody settled",             wheel,  _R, settled,      play.open_round,                      "wager_unsettled",              "689.2(e)", wagers=True, last_round=True),
    PlantKind("lost_event",                   "a fact never arrives",                                       dice_or_wheel, _R, plain,        play.lost_event,                      "gap",                          "L.1", usual=without_hand_shaker),
    PlantKind("conflicting_event",            "two records under one number",                               dice_or_wheel, _R, plain,        play.conflicting_event,               "conflict",                     "L.2", usual=without_hand_shaker),
    PlantKind("shaker_unattended",            "a dealer leaves before the next has come",                   shaker, Kind.RELIEF, table.is_dealer_relief, table.shaker_unattended, "shaker_unattended",       "539.1(f)", leans=True),
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
    PlantKind("service_uncertified",          "a provider's service is used without certification",         anywhere, Kind.HOUSE, anything, None,                             "provider_not_certified",       "528.1",    lasting=services.uncertified),
    PlantKind("service_not_tested",           "a service is used that no laboratory approved",              anywhere, Kind.HOUSE, anything, None,                             "service_not_lab_approved",     "528.7(1)", lasting=services.not_tested),
    PlantKind("service_costs_unpaid",         "a service is used, its laboratory was never paid",           anywhere, Kind.HOUSE, anything, None,                             "lab_costs_unpaid",             "528.7(2)", lasting=services.costs_unpaid),
    PlantKind("service_not_permitted",        "a service is used before its use is permitted",              anywhere, Kind.HOUSE, anything, None,                             "service_not_approved_for_use", "528.7(3)", lasting=services.not_permitted),
    PlantKind("deck_not_shuffled",            "the cards are dealt again unshuffled",                       cards_and_dice, _R, poker.dealt, poker.deck_not_shuffled,     "deck_not_shuffled",            "575.5(a)"),
    PlantKind("second_joker_left",            "a second joker is not torn",                                 cards_and_dice, _O, poker.joker_opening, poker.second_joker_left, "second_joker_not_removed", "575.4(b)"),
    PlantKind("deck_not_verified",            "the floorperson does not verify the inspection of a deck",   cards,  _O, anything,     poker.deck_not_verified,              "inspection_not_verified",      "575.4(a)"),
    PlantKind("start_miscounted",             "the first card goes one place too far",                      cards,  _R, poker.dealt,  poker.start_miscounted,               "wrong_start_position",         "575.5(g)(1)(iii)"),
    PlantKind("dice_mistotalled",             "another total is announced than the dice show",              cards_and_dice, _R, poker.dealt, poker.dice_mistotalled,      "dice_total_wrong",             "575.5(g)(1)(ii)"),
    PlantKind("start_shaken_twice",           "the shaker is shaken twice before the deal",                 cards_and_dice, _R, poker.dealt, poker.start_shaken_twice,    "too_few_shakes",               "575.5(g)(1)(i)"),
    PlantKind("start_die_leaning",            "a leaning die is counted for the start",                     cards_and_dice, _R, poker.dealt, poker.start_die_leaning,     "no_roll_not_called",           "575.13(a)"),
    PlantKind("stub_shown",                   "the four cards that remain are exposed",                     cards,  _R, poker.dealt,  poker.stub_shown,                     "remaining_cards_exposed",      "575.8(d)"),
    PlantKind("empty_stack_shown",            "the cards of a place without a wager are exposed",           cards,  _R, poker.alone,  poker.empty_stack_shown,              "empty_stack_exposed",          "575.8(f)"),
    PlantKind("dealer_card_shown",            "a card of the dealer is exposed and the round goes on",      cards,  _R, poker.dealt,  poker.dealer_card_shown,              "void_round_settled",           "575.13(e)", wagers=True),
    PlantKind("surrendered_cards_shown",      "surrendered cards are exposed",                              cards,  _R, poker.surrendered, poker.surrendered_cards_shown,   "surrendered_cards_exposed",    "575.11(d)", wagers=True),
    PlantKind("dealer_set_otherwise",         "the dealer does not set the hands in the filed way",         cards,  _R, poker.otherwise_set, poker.dealer_set_otherwise,    "dealer_hand_set_wrong",        "575.11(c)", wagers=True, usual=cards_and_dice),
    PlantKind("hands_touched_again",          "a player takes up hands that were set",                      cards,  _R, poker.shown,  poker.hands_touched_again,            "hand_changed_after_set",       "575.11(a)(3)", wagers=True),
    PlantKind("surrender_with_bonus",         "a player with a Bonus Wager surrenders",                     cards,  _R, poker.losing_beside_bonus, poker.surrender_with_bonus, "surrender_with_bonus",      "575.11(d)", wagers=True),
    PlantKind("bonus_settled_first",          "a Bonus Wager is settled before the Asia Poker Wager",       cards,  _R, poker.losing_beside_bonus, poker.bonus_settled_first, "bonus_settled_first",        "575.11(h)", wagers=True),
    PlantKind("maximum_too_low",              "the filed maximum payout is below the least",                cards,  Kind.HOUSE, anything, None,                             "payout_limit_too_low",         "575.12(c)", lasting=poker.maximum_too_low),
    PlantKind("house_way_missing",            "nobody filed how the dealer's hands are set",                cards,  Kind.HOUSE, anything, None,                             "house_way_not_filed",          "575.11(c)", lasting=poker.house_way_missing, usual=two_decks),
    PlantKind("football_overpaid",            "a winner is paid too much",                                  field,  _R, field_winner, paid.overpaid(football.paid_by),      "wager_overpaid",               "577.8(a)", wagers=True),
    PlantKind("football_underpaid",           "a winner is paid too little",                                field,  _R, field_winner, paid.underpaid(football.paid_by),     "wager_underpaid",              "577.8(a)", wagers=True),
    PlantKind("football_loser_not_taken",     "a losing stake is left with the patron",                     field,  _R, field_loser,  paid.not_taken(football.taken_by),    "stake_taken_wrong",            "577.6(f)", wagers=True),
    PlantKind("football_winner_taken",        "a winning wager is collected",                               field,  _R, field_winner, paid.winner_taken("577.6(d)"),        "wrong_outcome",                "577.6(d)", wagers=True),
    PlantKind("football_unsettled",           "a losing wager is never settled",                            field,  _R, field_loser,  paid.unsettled(football.taken_by),    "wager_unsettled",              "577.6(f)", wagers=True),
    PlantKind("football_cash_wager",          "a spoken wager with cash is accepted",                       field,  _R, field_loser,  paid.cash("577.3(a)"),                "wager_not_in_chips",           "577.3(a)", wagers=True),
    PlantKind("football_late_take_down",      "a full game wager is lifted after the first throw",          field,  _R, football.some_full_game_loser, football.late_take_down, "late_take_down",          "577.3(c)", wagers=True),
    PlantKind("football_out_of_order",        "a Defense Wager is collected after what comes later",        field,  _R, football.scored_with_defense, football.settled_out_of_order, "settlement_out_of_order", "577.6(f)(1)", wagers=True),
    PlantKind("football_wrong_call",          "other numbers are called than shown",                        field,  _R, football.plain, football.wrong_call,                "wrong_call",                   "577.5(e)"),
    PlantKind("football_call_missing",        "the numbers of a throw are not called",                      field,  _R, football.long, football.call_missing,               "roll_not_called",              "577.5(e)"),
    PlantKind("football_call_by_dealer",      "the dealer calls in the stickperson's place",                field,  _R, football.plain, football.call_by_dealer,            "not_by_stickperson",           "577.4(a)"),
    PlantKind("football_not_together",        "dice leave the hand one by one and the throw counts",        field,  _R, football.plain, football.not_together,              "improper_throw",               "577.5(a)"),
    PlantKind("football_wrong_quarterback",   "another patron throws",                                      field,  _R, football.somebody_else, football.wrong_quarterback, "wrong_quarterback",            "577.4(c)"),
    PlantKind("football_other_die",           "a die is thrown that lay in the cup",                        field,  _R, football.chosen, football.other_die,                "wrong_dice_thrown",            "577.4(c)"),
    PlantKind("football_not_announced",       "down and distance are not announced",                        field,  _R, football.long, football.announcement_missing,       "announcement_missing",         "577.6(d)"),
    PlantKind("football_marker_misplaced",    "the Yard Marker lies a yard too far back",                   field,  _R, football.long, football.marker_misplaced,           "marker_misplaced",             "577.6(c)(1)"),
    PlantKind("football_camera_lost",         "a camera has no picture while dice are thrown",              field,  _R, football.plain, football.camera_lost,               "camera_missing",               "577.9(a)"),
    PlantKind("football_stickperson_away",    "a game is played without a stickperson",                     field,  _R, football.plain, football.stickperson_away,          "understaffed",                 "577.9(b)"),
    PlantKind("football_odds_filed",          "fixed odds are filed and printed otherwise",                 field,  Kind.HOUSE, anything, None,                             "paytable_not_as_fixed",        "577.8(a)", lasting=paid.other_odds("football_odds_filed", "Game Changer", (6, 1), "577.8(a)")),
    PlantKind("football_unapproved_layout",   "the layout has no approval",                                 field,  Kind.HOUSE, anything, None,                             "layout_not_approved",          "577.2(b)", lasting=paid.unapproved_layout("football_unapproved_layout", "577.2(b)")),
    PlantKind("props_overpaid",               "a winner is paid too much",                                  hops,   _R, hops_winner,  paid.overpaid("668a.4"),              "wager_overpaid",               "668a.4", wagers=True),
    PlantKind("props_underpaid",              "a winner is paid too little",                                hops,   _R, hops_winner,  paid.underpaid("668a.4"),             "wager_underpaid",              "668a.4", wagers=True),
    PlantKind("props_loser_not_taken",        "a losing stake is left with the patron",                     hops,   _R, hops_loser,   paid.not_taken("668a.3(i)"),          "stake_taken_wrong",            "668a.3(i)", wagers=True),
    PlantKind("props_winner_taken",           "a winning wager is collected",                               hops,   _R, hops_winner,  paid.winner_taken("668a.3(i)"),       "wrong_outcome",                "668a.3(i)", wagers=True),
    PlantKind("props_unsettled",              "a losing wager is never settled",                            hops,   _R, hops_loser,   paid.unsettled("668a.3(i)"),          "wager_unsettled",              "668a.3(i)", wagers=True),
    PlantKind("props_cash_wager",             "a spoken wager with cash is accepted",                       hops,   _R, hops_loser,   paid.cash("668a.2(b)"),               "wager_not_in_chips",           "668a.2(b)", wagers=True),
    PlantKind("props_seventh_seat",           "a wager comes from a seventh seat",                          hops,   _R, hops_loser,   props.seventh_seat,                   "position_not_on_table",        "668a.1(a)", wagers=True),
    PlantKind("props_late_wager",             "a wager comes after 'no more bets'",                         hops,   _R, props.some_wager, props.late_wager,                 "late_wager",                   "668a.3(e)", wagers=True),
    PlantKind("props_paid_before_collecting", "a winner is paid before the losers are collected",           hops,   _R, props.both,   props.paid_before_collecting,         "paid_before_collecting",       "668a.3(i)", wagers=True),
    PlantKind("props_no_more_bets_missing",   "nobody announces 'no more bets'",                            hops,   _R, props.plain,  props.missing_no_more_bets,           "no_more_bets_missing",         "668a.3(e)"),
    PlantKind("props_two_shakes",             "the player shakes the shaker twice",                         hops,   _R, props.plain,  props.two_shakes,                     "too_few_shakes",               "668a.3(f)"),
    PlantKind("props_wrong_shaker",           "another player than the one due shakes",                     hops,   _R, props.same_shaker, props.wrong_shaker,              "wrong_shaker",                 "668a.3(k)"),
    PlantKind("props_wrong_call",             "another number is announced than shown",                     hops,   _R, props.plain,  props.wrong_call,                     "wrong_call",                   "668a.3(h)"),
    PlantKind("props_dealer_did_not_shake",   "the dealer does not shake between two rounds",               hops,   _R, props.shaken_again, props.dealer_did_not_shake,     "dealer_shake_missing",         "668a.3(j)"),
    PlantKind("props_covered_early",          "the shaker is covered before all is settled",                hops,   _R, props.settled, props.covered_early,                 "shaker_covered_early",         "668a.3(g)"),
    PlantKind("props_lid_lifted",             "the player took off the lid and the dice are used",          hops,   _R, props.alone,  props.lid_lifted,                     "player_uncovered_and_not_reshaken", "668a.3(f)", wagers=True),
    PlantKind("props_no_roll_not_called",     "a die lies badly and the roll is settled",                   hops,   _R, props.alone,  props.no_roll_not_called,             "no_roll_not_called",           "668a.3(h)", wagers=True),
    PlantKind("props_no_roll_without_cause",  "a good roll is called off",                                  hops,   _R, props.alone,  props.no_roll_without_cause,          "no_roll_without_cause",        "668a.3(h)", wagers=True),
    PlantKind("props_take_down_refused",      "a Six Eight Shake is not given back before a 7",             hops,   _R, props.fresh_shake, props.take_down_refused,         "take_down_refused",            "668a.2(f)(8)", wagers=True),
    PlantKind("props_wrong_lammer",           "the lammer of another combination is collected",             hops,   _R, props.lammer, props.wrong_lammer,                   "lammer_wrong",                 "668a.3(i)"),
    PlantKind("props_left_seat",              "a player gets up with a wager on the layout",                hops,   _R, props.somebody_else, props.left_seat,               "left_seat_during_round",       "668a.2(c)", wagers=True),
    PlantKind("props_unattended",             "a dealer leaves before the next has come",                   hops,   Kind.RELIEF, table.is_dealer_relief, props.unattended, "shaker_unattended",            "668a.3(c)", leans=True),
    PlantKind("props_hop_group_missing",      "no filing says what a hop wager covers",                     hops,   Kind.HOUSE, anything, None,                             "hop_groups_not_filed",         "668a.2(f)(3)", lasting=filed.hop_group_missing),
    PlantKind("props_hop_group_generous",     "a filed hop group leaves the house no edge",                 hops,   Kind.HOUSE, anything, None,                             "hop_group_too_generous",       "668a.2(f)(4)", lasting=filed.hop_group_generous),
    PlantKind("props_odds_filed",             "fixed odds are filed and printed otherwise",                 hops,   Kind.HOUSE, anything, None,                             "paytable_not_as_fixed",        "668a.4", lasting=paid.other_odds("props_odds_filed", "Any Number", (16, 1), "668a.4")),
    PlantKind("props_unapproved_layout",      "the layout has no approval",                                 hops,   Kind.HOUSE, anything, None,                             "layout_not_approved",          "668a.1(b)", lasting=paid.unapproved_layout("props_unapproved_layout", "668a.1(b)")),
    PlantKind("props_unapproved_shaker",      "the shaker has no approval",                                 hops,   Kind.HOUSE, anything, None,                             "equipment_not_approved",       "668a.3(b)", lasting=filed.unapproved_shaker),
)
# fmt: on

KINDS: Final = {kind.name: kind for kind in _ALL}
"""Every kind by its name."""
