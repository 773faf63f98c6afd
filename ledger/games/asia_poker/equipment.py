"""What table, layout, cards and devices must be, and what the Rules Submission may choose.

Law: §§ 575.2, 575.3, 575.4, 575.6(b)(3), (6), 575.7(e), (f), 575.11(c), 575.12(b), (c).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from ledger.events import (
    AsiaPokerOptionsFiled,
    BettingOpened,
    DealMethod,
    HouseWayFiled,
    StartMethod,
    Subject,
)
from ledger.games.asia_poker import terms
from ledger.games.asia_poker.state import State, ref_of
from ledger.games.asia_poker.terms import BONUS, DECK, LAW, MAIN, Switches
from ledger.games.asia_poker.validity import HouseWay
from ledger.games.asia_poker.wagers import PAYOUTS, PAYTABLES, BonusHand, paytable_of
from ledger.games.inspection import at_most, names_all, on_opposite_sides
from ledger.games.room import Approval, Breach, InForce, Requirement, Rules, Trial
from ledger.kernel import FactRef, Odds, Severity, dollars

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH
DICE, SHAKES = terms.DICE, terms.SHAKES
CUT_DEPTH: Final = 10
HOURS: Final = {True: 4, False: 8}
LEAST_MAXIMUM_CENTS: Final = 5_000_000

# fmt: off
REQUIREMENTS: Final = (   # § 575.2, in its own order
    #           thing            item                   what                                                    when broken          severity cite            met by
    Requirement(Subject.TABLE,  "drop_box",            "a drop box hangs on the dealer's side",                "layout_incomplete", LOW,    LAW[".2(d)#1"],  on_opposite_sides("dealer side")),
    Requirement(Subject.TABLE,  "tip_box",             "a tip box hangs on the dealer's side, on the other hand", "layout_incomplete", LOW, LAW[".2(d)#1"],  on_opposite_sides("dealer side")),
    Requirement(Subject.TABLE,  "positions",           "betting positions for at most six players",            "layout_incomplete", MEDIUM, LAW[".2(a)"],    at_most(6)),
    Requirement(Subject.LAYOUT, "holder_name_or_logo", "the name or logo of the certificate holder",           "layout_incomplete", LOW,    LAW[".2(b)(1)"]),
    Requirement(Subject.LAYOUT, "wager_areas",         "an area for the Asia Poker Wager of each player",      "layout_incomplete", LOW,    LAW[".2(b)(2)"], names_all((MAIN,))),
    Requirement(Subject.LAYOUT, "player_hand_areas",   "three areas for the hands of each player",             "layout_incomplete", LOW,    LAW[".2(b)(3)"], names_all(("high", "medium", "low"))),
    Requirement(Subject.LAYOUT, "dealer_hand_areas",   "three areas for the hands of the dealer",              "layout_incomplete", LOW,    LAW[".2(b)(4)"], names_all(("high", "medium", "low"))),
    Requirement(Subject.LAYOUT, "printed_odds",        "the payout odds of the wagers offered, there or on a sign", "payout_notice_missing", MEDIUM, LAW[".2(b)(6)"]),
)
TRIALS: Final[tuple[Trial, ...]] = ()
APPROVALS: Final = (
    #        kind          approved by                           severity cite
    Approval("MANUAL",     ("GAMING_OPERATIONS",),               MEDIUM,  LAW[".2(c)(1)#1"]),
    Approval("GENERATOR",  ("GAMING_LABORATORY_OPERATIONS",),    HIGH,    LAW[".2(c)(2)"]),
    Approval("FLAT_BUTTON", ("GAMING_OPERATIONS",),              MEDIUM,  LAW[".2(c)(3)"]),
    Approval("RESHUFFLER", ("GAMING_LABORATORY_OPERATIONS",),    MEDIUM,  LAW[".5(f)"]),
    Approval("START_MARKER", ("GAMING_OPERATIONS",),             LOW,     LAW[".5(h)#2"]),
)
# fmt: on


class Options(NamedTuple):
    """What a property filed for the game; None where nothing is filed."""

    bonus_offered: bool | None = None
    paytable: str | None = None
    adjacent: bool | None = None
    switches: Switches = terms.PLAIN
    maximum: int | None = None
    dealing: tuple[DealMethod, ...] | None = None
    starting: tuple[StartMethod, ...] | None = None
    way: HouseWay | None = None


NONE: Final = Options()


def options_of(rules: Rules) -> Options:
    """The options in force."""
    return rules.chosen if isinstance(rules.chosen, Options) else NONE


def adapt(rules: Rules) -> Rules:
    """Apply the filed options: which wagers are offered, by which paytable, how hands are set."""
    chosen = _filed(rules)
    wagers = dict(rules.wagers)
    if chosen.bonus_offered is False:
        wagers.pop(BONUS, None)
    other = PAYTABLES.get(chosen.paytable or "A", {})
    payouts = dict(rules.payouts)
    payouts[BONUS] = tuple(_by_table(line, other) for line in payouts.get(BONUS, ()))
    return replace(rules, wagers=wagers, payouts=payouts, chosen=chosen)


def _by_table(line: InForce, other: Mapping[BonusHand, Odds]) -> InForce:
    odds = other.get(BonusHand(line.payout.filed_as or ""))
    return line if odds is None else InForce(replace(line.payout, pays=odds), odds, line.filed)


def _filed(rules: Rules) -> Options:
    found = NONE
    for fact in rules.filed.options if rules.filed else ():
        match fact:
            case AsiaPokerOptionsFiled():
                found = found._replace(
                    bonus_offered=fact.bonus_offered,
                    paytable=fact.bonus_paytable,
                    adjacent=fact.adjacent_areas,
                    switches=Switches(
                        fact.a234_straight_lowest is True, fact.a234_straight_flush_lowest is True
                    ),
                    maximum=fact.maximum_payout_cents,
                    dealing=fact.dealing,
                    starting=fact.starting,
                )
            case HouseWayFiled(steps=steps) if steps:
                found = found._replace(way=HouseWay(steps))
            case _:
                pass
    if found.paytable not in PAYTABLES and rules.filed is not None:
        listed = {h: rules.filed.odds[(BONUS, h.value)] for h in BonusHand
                  if (BONUS, h.value) in rules.filed.odds}  # fmt: skip
        found = found._replace(paytable=paytable_of(listed) if listed else None)
    return found


def judge_filing(rules: Rules, minimums: Mapping[str, int]) -> tuple[Breach, ...]:
    """The filed options against the chapter: paytable, maximum payout, house way."""
    chosen = options_of(rules)
    found: list[Breach] = []
    odds = rules.filed.odds if rules.filed else {}
    listed = {hand: odds[(BONUS, hand.value)] for hand in BonusHand if (BONUS, hand.value) in odds}
    named = next((f.bonus_paytable for f in rules.filed.options
                  if isinstance(f, AsiaPokerOptionsFiled)), None) if rules.filed else None  # fmt: skip
    fits = paytable_of(listed) if listed else named
    said = ", ".join(f"{value.pays}" for value in listed.values()) or f"table {named}"
    offered = chosen.bonus_offered is not False
    wrong = fits not in PAYTABLES or (named in PAYTABLES and listed and not _same(listed, named))
    if offered and (listed or named is not None) and wrong:
        found.append(Breach(duty=rules.duty("paytable_not_allowed"), facts=(), observed=said))
    if (MAIN, None) in odds and odds[(MAIN, None)].ratio != 1:
        said = f"{MAIN} at {odds[(MAIN, None)]}"
        found.append(Breach(duty=rules.duty("paytable_not_allowed"), facts=(), observed=said))
    if chosen.maximum is not None:
        least = max(LEAST_MAXIMUM_CENTS, _most_at_minimum(minimums, offered=offered))
        if chosen.maximum < least:
            duty = rules.duty("payout_limit_too_low")
            observed = dollars(chosen.maximum)
            found.append(Breach(duty=duty, facts=(), observed=observed, expected=dollars(least)))
    if chosen.way is None:
        found.append(Breach(duty=rules.duty("house_way_not_filed"), facts=()))
    return tuple(found)


def _same(listed: Mapping[BonusHand, Odds], table: str | None) -> bool:
    whole = {BonusHand(r.filed_as): r.pays for r in PAYOUTS if r.filed_as} | PAYTABLES[table or ""]
    return all(whole[hand].ratio == odds.ratio for hand, odds in listed.items())


def _most_at_minimum(minimums: Mapping[str, int], *, offered: bool) -> int:
    """What one player could win in a round betting the minimum (§ 575.12(c))."""
    table = minimums.get("", 0)
    best = max(row.pays.pays for row in PAYOUTS if row.wager == BONUS)
    bonus = minimums.get(BONUS, table) * best if offered else 0
    return minimums.get(MAIN, table) + bonus


def decks_in_play(rules: Rules, state: State, fact: BettingOpened) -> Iterator[Breach]:
    """Each deck that comes into play: whole, with one joker, inspected and verified."""
    at = ref_of(fact)

    def told(name: str, ref: FactRef, observed: str) -> Breach:
        return Breach(duty=rules.duty(name), facts=(ref, at), observed=observed)

    for deck in state.decks:
        if deck.judged:
            continue
        jokers = 1 if deck.jokers is None else deck.jokers
        if jokers != 1:
            yield told("wrong_number_of_jokers", deck.placed, str(jokers))
        if deck.cards is not None and deck.cards - jokers != DECK - 1:
            yield told("wrong_deck_count", deck.placed, f"{deck.cards} cards")
        if jokers == 1 and (deck.jokers_made or 1) > 1 and not deck.second_joker_gone:
            yield told("second_joker_not_removed", deck.placed, deck.name)
        if not deck.prepared:
            if deck.inspected is None:
                yield told("deck_not_inspected", deck.placed, deck.name)
            elif not deck.verified:
                yield told("inspection_not_verified", deck.inspected, deck.name)
