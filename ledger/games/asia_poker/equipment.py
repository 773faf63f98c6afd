"""What table, layout, cards and devices must be, and what the Rules Submission may choose.

Law: §§ 575.2, 575.3, 575.4, 575.6(b)(3), (6), 575.7(e), (f), 575.11(c), 575.12(b), (c).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from ledger import events
from ledger.games.asia_poker import terms
from ledger.games.asia_poker.state import Deck, State, all_judged
from ledger.games.asia_poker.terms import BONUS, DECK, LAW, MAIN, Switches
from ledger.games.asia_poker.validity import HouseWay, can_be_run
from ledger.games.asia_poker.wagers import PAYOUTS, PAYTABLES, BonusHand, tables_of
from ledger.games.inspection import at_most, names_all, on_opposite_sides
from ledger.games.room import Approval, Breach, InForce, Requirement, Rules, Trial
from ledger.kernel import Certainty, FactRef, Odds, Severity, dollars, plural, ref_of

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH
DICE, SHAKES = terms.DICE, terms.SHAKES
CUT_DEPTH: Final = 10
COVER_CARDS: Final = 2
HOURS: Final = {True: 4, False: 8}
LEAST_MAXIMUM_CENTS: Final = 5_000_000
POSTED_LIMIT: Final = "posted limit applies"

# fmt: off
REQUIREMENTS: Final = (   # § 575.2, in its own order
    #           thing            feature                required                                                when broken          severity cite            met by
    Requirement(events.Subject.TABLE,  "drop_box",            "a drop box hangs on the dealer's side",                "layout_incomplete", LOW,    LAW[".2(d)#1"],  on_opposite_sides("dealer side")),
    Requirement(events.Subject.TABLE,  "tip_box",             "a tip box hangs on the dealer's side, on the other hand", "layout_incomplete", LOW, LAW[".2(d)#1"],  on_opposite_sides("dealer side")),
    Requirement(events.Subject.TABLE,  "positions",           "betting positions for at most six players",            "layout_incomplete", MEDIUM, LAW[".2(a)"],    at_most(6)),
    Requirement(events.Subject.LAYOUT, "holder_name_or_logo", "the name or logo of the certificate holder",           "layout_incomplete", LOW,    LAW[".2(b)(1)"]),
    Requirement(events.Subject.LAYOUT, "wager_areas",         "an area for the Asia Poker Wager of each player",      "layout_incomplete", LOW,    LAW[".2(b)(2)"], names_all((MAIN,))),
    Requirement(events.Subject.LAYOUT, "player_hand_areas",   "three areas for the hands of each player",             "layout_incomplete", LOW,    LAW[".2(b)(3)"], names_all(("high", "medium", "low"))),
    Requirement(events.Subject.LAYOUT, "dealer_hand_areas",   "three areas for the hands of the dealer",              "layout_incomplete", LOW,    LAW[".2(b)(4)"], names_all(("high", "medium", "low"))),
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
    """What a property filed for the game; None where nothing is filed.

    Args:
        bonus_offered: the Bonus Wager is offered.
        tables: the paytables that the filing may mean: one, unless it is not clear.
        adjacent: a player may wager on two adjacent areas.
        switches: how ace, 2, 3 and 4 rank.
        maximum: the maximum payout in cents.
        dealing: the ways of dealing.
        starting: the ways of determining the start.
        way: the house way.
    """

    bonus_offered: bool | None = None
    tables: tuple[str, ...] = ()
    adjacent: bool | None = None
    switches: Switches = terms.PLAIN
    maximum: int | None = None
    dealing: tuple[events.DealMethod, ...] | None = None
    starting: tuple[events.StartMethod, ...] | None = None
    way: HouseWay | None = None


NONE: Final = Options()


def options_of(rules: Rules) -> Options:
    """Return the options in force."""
    chosen = rules.chosen
    return chosen if type(chosen) is Options else NONE


def adapt(rules: Rules) -> Rules:
    """Apply the filed options: which wagers are offered, by which paytable, how hands are set."""
    chosen = _filed(rules)
    wagers = dict(rules.wagers)
    if chosen.bonus_offered is False:
        wagers.pop(BONUS, None)
    other = PAYTABLES.get(chosen.tables[0] if chosen.tables else "A", {})
    payouts = dict(rules.payouts)
    payouts[BONUS] = tuple(_by_table(line, other) for line in payouts.get(BONUS, ()))
    return replace(rules, wagers=wagers, payouts=payouts, chosen=chosen)


def _by_table(line: InForce, other: Mapping[BonusHand, Odds]) -> InForce:
    odds = other.get(BonusHand(line.payout.filed_as or ""))
    return line if odds is None else InForce(replace(line.payout, pays=odds), odds, line.filed)


def _filed(rules: Rules) -> Options:
    options, named = NONE, None
    for fact in rules.filed.options if rules.filed else ():
        match fact:
            case events.AsiaPokerOptionsFiled():
                named = fact.bonus_paytable
                options = options._replace(
                    bonus_offered=fact.bonus_offered,
                    adjacent=fact.adjacent_areas,
                    switches=Switches(
                        fact.a234_straight_lowest is True, fact.a234_straight_flush_lowest is True
                    ),
                    maximum=fact.maximum_payout_cents,
                    dealing=fact.dealing,
                    starting=fact.starting,
                )
            case events.HouseWayFiled(steps=steps):
                options = options._replace(way=HouseWay(steps))
            case _:
                pass
    if rules.filed is None:
        return options._replace(tables=tuple(PAYTABLES))
    listed = _listed(rules)
    if options.bonus_offered is None and rules.filing_known:  # § 575.7(e): only if specified
        options = options._replace(bonus_offered=bool(listed) or named is not None)
    fitting = tables_of(listed)
    if named in PAYTABLES:
        fitting = (named,)
    return options._replace(tables=fitting or tuple(PAYTABLES))


def _listed(rules: Rules) -> dict[BonusHand, Odds]:
    """Return the lines of the Bonus Wager that the filing has."""
    odds = rules.filed.odds if rules.filed else {}
    return {hand: odds[(BONUS, hand.value)] for hand in BonusHand if (BONUS, hand.value) in odds}


def least_maximum(minimums: Mapping[str, int], *, offered: bool) -> int:
    """Return the least maximum payout that may be filed (§ 575.12(c)), in cents.

    Args:
        minimums: the table minimums in cents, by kind of wager ("" for all others).
        offered: whether the Bonus Wager is offered.
    """
    return max(LEAST_MAXIMUM_CENTS, _most_at_minimum(minimums, offered=offered))


def judge_filing(rules: Rules, minimums: Mapping[str, int]) -> tuple[Breach, ...]:
    """Compare the filed options with the chapter: paytable, maximum payout, house way.

    ``minimums`` are as in ``least_maximum``.
    """
    chosen = options_of(rules)
    breaches: list[Breach] = []
    odds = rules.filed.odds if rules.filed else {}
    offered = chosen.bonus_offered is not False
    wrong = _paytable_wrong(rules) if offered else None
    if wrong is not None:
        breaches.append(Breach(duty=rules.duty("paytable_not_allowed"), facts=(), observed=wrong))
    if (MAIN, None) in odds and odds[(MAIN, None)].ratio != 1:
        pays = str(odds[(MAIN, None)])
        duty = rules.duty("paytable_not_allowed@.12(a)")
        breaches.append(Breach(duty=duty, facts=(), observed=pays))
    if chosen.maximum is not None:
        least = least_maximum(minimums, offered=offered)
        if chosen.maximum < least:
            duty = rules.duty("payout_limit_too_low")
            observed = dollars(chosen.maximum)
            breaches.append(Breach(duty=duty, facts=(), observed=observed, expected=dollars(least)))
    if chosen.way is None:
        breaches.append(Breach(duty=rules.duty("house_way_not_filed"), facts=()))
    elif not can_be_run(chosen.way):
        unsure = Certainty.UNKNOWN
        breaches.append(Breach(duty=rules.duty("house_way_not_filed"), facts=(), certainty=unsure))
    return tuple(breaches)


def _paytable_wrong(rules: Rules) -> str | None:
    """Return why the filed lines of the Bonus Wager are none of the three tables (§ 575.12(b))."""
    listed = _listed(rules)
    options = rules.filed.options if rules.filed else ()
    named = [f.bonus_paytable for f in options if isinstance(f, events.AsiaPokerOptionsFiled)]
    name = named[-1] if named else None
    whole = rules.filed.odds.get((BONUS, None)) if rules.filed else None
    if whole is not None:
        return f"{whole} for every hand"
    if name is not None and name not in PAYTABLES:
        return f"table {name}"
    if not listed:
        return None if name is not None else "not filed"
    if not tables_of(listed) or (name is not None and not _same(listed, name)):
        return ", ".join(str(value.pays) for value in listed.values())
    missing = [hand.value for hand in BonusHand if hand not in listed]
    return f"without a line for {', '.join(missing)}" if missing else None


def _same(listed: Mapping[BonusHand, Odds], table: str | None) -> bool:
    whole = {BonusHand(r.filed_as): r.pays for r in PAYOUTS if r.filed_as} | PAYTABLES[table or ""]
    return all(whole[hand].ratio == odds.ratio for hand, odds in listed.items())


def _most_at_minimum(minimums: Mapping[str, int], *, offered: bool) -> int:
    """Return what one player could win in a round betting the minimum, in cents (§ 575.12(c))."""
    table = minimums.get("", 0)
    best = max(row.pays.pays for row in PAYOUTS if row.wager == BONUS)
    bonus = minimums.get(BONUS, table) * best if offered else 0
    return minimums.get(MAIN, table) + bonus


def notices(
    rules: Rules, state: State, fact: events.TableOpened | events.BettingOpened
) -> Iterator[Breach]:
    """Report what layout and signs do not show of the wagers offered, until one of them changes.

    Law: § 575.2(b)(5)-(7).
    """
    table, chosen = state.table, options_of(rules)
    sure = Certainty.BROKEN if state.sure else Certainty.UNKNOWN
    lacking: list[tuple[str, Certainty, str | None]] = []
    areas = table.look("wager_areas") if BONUS in rules.wagers else None
    if areas is not None and BONUS not in areas.seen:
        lacking.append(("layout_incomplete", sure, None))
    odds = None if table.odds_signs else table.look("printed_odds")
    if not table.odds_signs and (odds is None or not odds.as_required):
        known = odds is not None and odds.as_required is not None
        lacking.append(("payout_notice_missing", sure if known else Certainty.UNKNOWN, None))
    if chosen.maximum is not None:
        look, posted = table.look("payout_limit"), chosen.maximum in table.limit_signs.values()
        stated = look is not None and look.as_required and str(chosen.maximum) in look.seen
        generic = look is not None and look.as_required and POSTED_LIMIT in look.seen
        if not stated and not (generic and posted):
            certainty = Certainty.UNKNOWN if look is None or look.as_required is None else sure
            lacking.append(("payout_limit_not_posted", certainty, dollars(chosen.maximum)))
    for name, certainty, expected in lacking:
        if name not in table.reported:
            yield Breach(
                duty=rules.duty(name), facts=(ref_of(fact),), certainty=certainty, expected=expected
            )


def maximum_too_low(rules: Rules, state: State, fact: events.LimitsSet) -> Iterator[Breach]:
    """Report a minimum raised so far that the filed maximum payout is too low (§ 575.12(c))."""
    chosen = options_of(rules)
    if chosen.maximum is None or state.table.layout is None or fact.minimum_cents is None:
        return
    offered = chosen.bonus_offered is not False
    before = least_maximum(state.table.minimums, offered=offered)
    raised = {**state.table.minimums, (fact.wager or ""): fact.minimum_cents}
    after = least_maximum(raised, offered=offered)
    if before <= chosen.maximum < after:
        yield Breach(
            duty=rules.duty("payout_limit_too_low"), facts=(ref_of(fact),),
            observed=dollars(chosen.maximum), expected=dollars(after),
        )  # fmt: skip


def placed(rules: Rules, state: State, fact: events.DeckPlaced) -> Iterator[Breach]:
    """Judge a deck that comes to the table: at most two, with distinct backs (§ 575.3(a), (b))."""
    others = [deck for deck in state.decks if deck.name != fact.deck]
    refs = (*(deck.placed for deck in others), ref_of(fact))
    if len(others) > 1:
        observed = f"{len(others) + 1} decks at the table"
        yield Breach(duty=rules.duty("wrong_deck_count"), facts=refs, observed=observed)
    for other in others:
        same = fact.back is not None and other.back == fact.back
        unknown = fact.back is None or other.back is None
        if same or unknown:
            yield Breach(
                duty=rules.duty("deck_backs_not_distinct"),
                facts=(other.placed, ref_of(fact)),
                observed=fact.back if same else "not recorded",
                certainty=Certainty.BROKEN if same else Certainty.UNKNOWN,
            )


def decks_in_play(rules: Rules, state: State, fact: events.BettingOpened) -> Iterator[Breach]:
    """Judge each deck that comes into play: whole, with one joker, inspected and verified."""
    if all_judged(state):
        return
    at = ref_of(fact)

    def breach_of(
        name: str, ref: FactRef, observed: str, certainty: Certainty = Certainty.BROKEN
    ) -> Breach:
        facts = (ref, at)
        return Breach(duty=rules.duty(name), facts=facts, observed=observed, certainty=certainty)

    yield from _cover_cards(state, breach_of)
    for deck in state.decks:
        if not deck.count_judged:
            yield from _counted(deck, breach_of)
        if deck.judged:
            continue
        two = (deck.jokers_made or 1) > 1
        if two and deck.jokers in (None, 1) and not deck.second_joker_gone:
            yield breach_of("second_joker_not_removed", deck.placed, deck.name)
        if not deck.prepared:
            yield from _inspected(state, deck, breach_of)
            if deck.inspected is None:
                yield breach_of("deck_not_inspected", deck.placed, deck.name)
            elif deck.verified_by is None:
                yield breach_of("inspection_not_verified", deck.inspected, deck.name)
            elif deck.verified_by not in state.table.floor:
                sure = Certainty.BROKEN if state.sure and state.table.floor else Certainty.UNKNOWN
                named = f"{deck.name} (verified by {deck.verified_by})"
                yield breach_of("inspection_not_verified", deck.inspected, named, sure)


def _inspected(state: State, deck: Deck, breach_of: Callable[..., Breach]) -> Iterator[Breach]:
    """Judge by whom a deck was inspected, and with what result (§ 575.4(a))."""
    dealers = state.table.dealers
    if deck.inspected is not None and deck.inspected_by not in dealers:
        sure = Certainty.BROKEN if state.sure and dealers else Certainty.UNKNOWN
        observed = f"{deck.name} (inspected by {deck.inspected_by}, no dealer of the table)"
        yield breach_of("deck_not_inspected", deck.inspected, observed, sure)
    if deck.inspected is not None and deck.unfit:
        yield breach_of("deck_with_defects_used", deck.inspected, deck.name)


def spread(rules: Rules, state: State, fact: events.CardsSpread) -> Iterator[Breach]:
    """Judge the spread of a new deck: face up; between rounds either side will do (§ 575.5(e))."""
    deck = state.deck_named(fact.deck)
    if deck is None or fact.face_up is not False or deck.prepared:
        return
    if not (deck.used or deck.shuffled or deck.kept):
        duty = rules.duty("cards_not_spread_face_up")
        yield Breach(duty=duty, facts=(deck.placed, ref_of(fact)), observed=deck.name)


def _counted(deck: Deck, breach_of: Callable[..., Breach]) -> Iterator[Breach]:
    """Judge how many cards and jokers a deck has (§ 575.3(a))."""
    jokers = 1 if deck.jokers is None else deck.jokers
    if jokers != 1:
        two = jokers > 1 and (deck.jokers_made or 1) > 1
        name = "wrong_number_of_jokers@.3(a)#3" if two else "wrong_number_of_jokers@.3(a)#2"
        yield breach_of(name, deck.counted, plural(jokers, "joker"))
    if deck.cards is not None and deck.cards - jokers != DECK - 1:
        yield breach_of("wrong_deck_count", deck.counted, plural(deck.cards, "card"))
    elif deck.amiss and jokers == 1:
        yield breach_of(
            "wrong_deck_count", deck.counted, f"missing or too many: {', '.join(deck.amiss)}"
        )


def _cover_cards(state: State, breach_of: Callable[..., Breach]) -> Iterator[Breach]:
    """Check for two cover cards, and one more as a marker of the start (§§ 575.3(a), 575.5(h))."""
    known = [deck.cover_cards for deck in state.decks if deck.cover_cards is not None]
    if not known or len(known) < len(state.decks) or all(deck.judged for deck in state.decks):
        return
    most = COVER_CARDS * len(known) + 1
    if not COVER_CARDS <= sum(known) <= most:
        yield breach_of(
            "wrong_number_of_cover_cards", state.decks[-1].placed, plural(sum(known), "cover card")
        )
