"""Dreamcatcher, given, when, then: each rule on both sides of its edge."""

from __future__ import annotations

from typing import Any, Final

import pytest

from ledger.events import SectionOdds
from ledger.games import BY_KEY
from ledger.games.room import Annulled, Breach, Decided, Multiplied, Undecidable, Unsure
from ledger.kernel import Odds
from tests.games.facts import NOON, SECOND, Table, ending, filing, follow, rules_of, told

ROOM: Final = BY_KEY["dreamcatcher"]
RIM: Final = [
    "7x",
    "2",
    "1",
    "5",
    "1",
    "2",
    "5",
    "1",
    "2",
    "10",
    "1",
    "2",
    "1",
    "20",
    "1",
    "2",
    "1",
    "2",
    "1",
    "5",
    "1",
    "2",
    "10",
    "1",
    "5",
    "1",
    "2",
    "2x",
    "1",
    "5",
    "1",
    "40",
    "2",
    "1",
    "2",
    "1",
    "10",
    "2",
    "1",
    "5",
    "1",
    "2",
    "1",
    "5",
    "2",
    "1",
    "20",
    "1",
    "2",
    "1",
    "10",
    "1",
    "2",
    "1",
]
TEN, TWO_X, SEVEN_X, FORTY = 9, 27, 0, 31
VOID: Final = {"clapper": "BETWEEN_SECTIONS", "between": (52, 53)}
SHORT: Final = {"revolutions_thousandths": 2_999, "section": TEN}


def table() -> Table:
    """A wheel in use and a wager on 10."""
    facts = Table()("WheelPlaced", -10, wheel="W-1", sections=tuple(RIM))
    return facts("BettingOpened", 0)("WagerPlaced", 5, wager_id="W1", wager="10", stake_cents=500)


def closed() -> Table:
    """The same, and betting closed."""
    return table()("NoMoreBetsAnnounced", 10)


def spun(*spins: dict[str, Any]) -> Table:
    """The same, and spins one after the other."""
    facts = closed()
    for number, spin in enumerate(spins):
        facts("WheelSpun", 30 + 20 * number, **spin)
    return facts


def said(facts: Table) -> list[str]:
    """What is told of the last fact."""
    return told(follow(ROOM, facts.facts)[0][-1])


def at_the_end(facts: Table) -> list[str]:
    return told(ending(ROOM, facts.facts))


def settled(facts: Table, outcome: str = "WON") -> Table:
    return facts("WagerSettled", wager_id="W1", outcome=outcome)


# --- § 689.1 -------------------------------------------------------------------------------------

ODDS: Final = tuple((number, f"{number} to 1") for number in ("1", "2", "5", "10", "20", "40"))
MISPAINTED: Final = [*RIM[:28], "2", *RIM[29:]]
SWAPPED: Final = [*RIM[:1], RIM[2], RIM[1], *RIM[3:]]


def wheel(**said_of_it: Any) -> list[str]:
    """What is told of a wheel that is as the chapter wants but for this."""
    odds = said_of_it.pop("odds", ODDS)
    right: dict[str, Any] = {
        "wheel": "W-1", "sections": tuple(RIM), "read_clockwise": True, "diameter_thousandths": 66_000,
        "clapper": True, "equally_spaced": True,
        "odds_shown": None if odds is None else tuple(SectionOdds(section=s, odds=o) for s, o in odds),
    }  # fmt: skip
    return said(Table()("WheelPlaced", **{**right, **said_of_it}))


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("placed", "then"),
    [
        pytest.param({}, [], id="689.1-as-it-should-be"),
        pytest.param({"diameter_thousandths": 60_000}, [], id="689.1(a)#1-five-feet"),
        pytest.param(
            {"diameter_thousandths": 59_999}, ["wheel_too_small 689.1(a)"], id="689.1(a)#1-less"
        ),
        pytest.param(
            {"diameter_thousandths": None}, ["wheel_too_small 689.1(a) ?"], id="689.1(a)#1-unknown"
        ),
        pytest.param(
            {"equally_spaced": False}, ["wheel_sections_wrong 689.1(a)"], id="689.1(a)#2-uneven"
        ),
        pytest.param(
            {"equally_spaced": None}, ["wheel_sections_wrong 689.1(a) ?"], id="689.1(a)#2-unknown"
        ),
        pytest.param(
            {"sections": tuple(MISPAINTED)},
            ["wheel_sections_wrong 689.1(a)", "wheel_sections_wrong 689.1(a)"],
            id="689.1(a)#3-and-#4-mispainted",
        ),
        pytest.param(
            {"sections": tuple(RIM[20:] + RIM[:20])}, [], id="689.1(b)#1-any-section-first"
        ),
        pytest.param(
            {"sections": tuple(SWAPPED)},
            ["wheel_order_wrong 689.1(b)"],
            id="689.1(b)#1-two-swapped",
        ),
        pytest.param(
            {"sections": tuple(RIM[::-1])},
            ["wheel_order_wrong 689.1(b)"],
            id="689.1(b)#2-mirror-image",
        ),
        pytest.param(
            {"sections": tuple(RIM[::-1]), "equally_spaced": False},
            ["wheel_sections_wrong 689.1(a)", "wheel_order_wrong 689.1(b)"],
            id="689.1(b)#2-mirror-image-and-uneven",
        ),
        pytest.param(
            {"sections": tuple(RIM[::-1]), "read_clockwise": False},
            [],
            id="689.1(b)#2-read-the-other-way",
        ),
        pytest.param(
            {"read_clockwise": False},
            ["wheel_order_wrong 689.1(b)"],
            id="689.1(b)#2-runs-the-other-way",
        ),
        pytest.param(
            {"read_clockwise": None}, ["wheel_order_wrong 689.1(b) ?"], id="689.1(b)#2-unknown"
        ),
        pytest.param({"clapper": False}, ["clapper_missing 689.1(e)"], id="689.1(e)-none"),
        pytest.param({"clapper": None}, ["clapper_missing 689.1(e) ?"], id="689.1(e)-unknown"),
        pytest.param({"odds": None}, ["layout_odds_wrong 689.1(c) ?"], id="689.1(c)#1-unknown"),
        pytest.param(
            {"odds": ODDS[1:]}, ["layout_odds_wrong 689.1(c)"], id="689.1(c)#1-one-missing"
        ),
        pytest.param(
            {"odds": (("1", "4 to 1"), *ODDS[1:])},
            ["layout_odds_wrong 689.1(c)"],
            id="689.1(c)#1-other",
        ),
        pytest.param(
            {"odds": (("1", "2 for 1"), *ODDS[1:])},
            ["layout_odds_wrong 689.1(c)"],
            id="689.1(c)#1-for",
        ),
        pytest.param({"odds": (("1", "1:1"), *ODDS[1:])}, [], id="689.1(c)#1-with-a-colon"),
        pytest.param(
            {"odds": (*ODDS, ("2x", "2 to 1"))}, [], id="689.1(c)#1-multipliers-have-none"
        ),
    ],
)
def test_wheel(placed: dict[str, Any], then: list[str]) -> None:
    assert wheel(**placed) == then


@pytest.mark.parametrize(
    ("filed", "shown", "then"),
    [
        pytest.param("6 to 1", "6 to 1", [], id="689.1(c)#1-as-filed"),
        pytest.param("6 to 1", "5 to 1", [], id="689.1(c)#1-as-listed"),
        pytest.param("6 to 1", "7 to 1", ["layout_odds_wrong 689.1(c)"], id="689.1(c)#1-neither"),
        pytest.param("4 to 1", "5 to 1", [], id="689.1(c)#1-lower-filed-is-not-in-force"),
    ],
)
def test_wheel_shows_the_odds_in_force(filed: str, shown: str, then: list[str]) -> None:
    odds = Odds(int(filed[0]), 1)
    placed = Table()(
        "WheelPlaced", wheel="W-1", sections=tuple(RIM), read_clockwise=True, diameter_thousandths=66_000,
        clapper=True, equally_spaced=True,
        odds_shown=tuple(SectionOdds(section=s, odds=shown if s == "5" else o) for s, o in ODDS),
    )  # fmt: skip
    for known in (True, False):
        rules = rules_of(ROOM, filing(**{"5": odds}), filing_known=known)
        assert told(follow(ROOM, placed.facts, rules)[0][-1]) == [
            word if known else f"{word} ?" for word in then
        ]


# --- § 689.2 -------------------------------------------------------------------------------------


def started(at: int) -> int:
    return NOON + at * SECOND


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("facts", "then"),
    [
        pytest.param(
            closed()("WheelSpun", 30, section=TEN, started_time=started(10)),
            ["Decided"],
            id="689.2(a)#1-as-it-starts",
        ),
        pytest.param(
            closed()("WheelSpun", 30, section=TEN, started_time=started(9)),
            ["no_more_bets_missing 689.2(a)", "Decided"],
            id="689.2(a)#1-while-it-turns",
        ),
        pytest.param(
            closed()("WheelSpun", 30, section=TEN), ["Decided"], id="689.2(a)#1-start-not-recorded"
        ),
        pytest.param(
            table()("WheelSpun", 30, section=TEN),
            ["Decided", "no_more_bets_missing 689.2(a)"],
            id="689.2(a)#1-never",
        ),
        pytest.param(spun({"section": TWO_X})("NoMoreBetsAnnounced"), [], id="689.2(a)#4-repeated"),
        pytest.param(
            spun(VOID, {"section": TEN, "started_time": 0}), ["Decided"], id="689.2(a)#4-respin"
        ),
        pytest.param(
            spun({"section": TEN, "role": "PATRON"}),
            ["spun_by_other 689.2(b)", "Decided"],
            id="689.2(b)#1-patron",
        ),
        pytest.param(
            spun({"section": TEN, "role": None}), ["Decided"], id="689.2(b)#1-not-recorded"
        ),
        pytest.param(
            spun({"section": TEN, "role": "UNRECOGNISED"}),
            ["spun_by_other 689.2(b) ?", "Decided"],
            id="689.2(b)#1-unclear",
        ),
        pytest.param(
            spun({"section": TEN, "direction": "COUNTERCLOCKWISE"}),
            ["Decided"],
            id="689.2(b)#2-either-way",
        ),
        pytest.param(
            spun({"section": TEN, "revolutions_thousandths": 3_000}),
            ["Decided"],
            id="689.2(b)#3-three",
        ),
        pytest.param(spun(SHORT), ["Annulled"], id="689.2(b)#3-less"),
        pytest.param(
            spun({**SHORT, "section": TWO_X}), ["Annulled"], id="689.2(b)#4-multiplier-not-earned"
        ),
        pytest.param(
            spun({"section": TEN, "revolutions_thousandths": None}),
            ["spin_validity_unknown 689.2(b) ?", "Undecidable"],
            id="689.2(b)#5-unknown",
        ),
        pytest.param(
            spun({**VOID, "revolutions_thousandths": None}),
            ["Annulled"],
            id="689.2(d)#1-void-whatever-the-turns",
        ),
        pytest.param(
            spun({"section": TEN, "clapper": None}),
            ["Decided"],
            id="689.2(c)#1-clapper-not-recorded",
        ),
        pytest.param(spun(VOID), ["Annulled"], id="689.2(d)#1-neighbours"),
        pytest.param(
            spun({**VOID, "between": (53, 0)}), ["Annulled"], id="689.2(d)#0-last-and-first-touch"
        ),
        pytest.param(
            spun({**VOID, "between": (51, 53)}),
            ["fact_contradictory 689.2(d)", "Annulled"],
            id="689.2(d)#0-apart",
        ),
        pytest.param(
            spun({**VOID, "between": (53, 54)}),
            ["fact_contradictory 689.2(d)", "Annulled"],
            id="689.2(d)#0-outside",
        ),
        pytest.param(spun({**VOID, "between": None}), ["Annulled"], id="689.2(d)#1-not-said-which"),
        pytest.param(
            spun({**VOID, "symbols": ("1", "2")}),
            ["Annulled"],
            id="689.2(d)#0-symbols-in-any-order",
        ),
        pytest.param(
            spun({**VOID, "symbols": ("1", "5")}),
            ["fact_contradictory 689.1(b)", "Annulled"],
            id="689.2(d)#0-other-symbols",
        ),
        pytest.param(
            spun({"clapper": None, "between": (52, 53)}),
            ["Annulled"],
            id="689.2(d)#1-two-sections-named",
        ),
        pytest.param(
            spun({**VOID, "section": TEN}),
            ["fact_contradictory 689.1(b)", "Annulled"],
            id="689.2(d)#0-a-section-too",
        ),
        pytest.param(
            spun({"section": TEN, "between": (9, 10)}),
            ["fact_contradictory 689.1(b)", "Decided"],
            id="689.2(d)#0-within-and-between",
        ),
        pytest.param(
            spun({"section": TEN, "symbols": ("10",)}), ["Decided"], id="689.1(b)#3-as-read"
        ),
        pytest.param(
            spun({"section": TEN, "symbols": ("1",)}),
            ["fact_contradictory 689.1(b)", "Decided"],
            id="689.1(b)#3-read-wrongly",
        ),
        pytest.param(
            spun({"section": 54}), ["fact_contradictory 689.1(b)"], id="689.1(b)#3-no-such-section"
        ),
        pytest.param(spun({"symbols": ("10",)}), ["Decided"], id="689.2(c)#5-by-symbol"),
        pytest.param(spun({}), [], id="689.2(c)#5-neither-yet"),
        pytest.param(
            spun({})("SpinCalled", result="10"), ["Decided"], id="689.2(c)#5-by-announcement"
        ),
        pytest.param(
            spun({})("SpinCalled", result="3"), [], id="689.2(c)#5-announced-what-is-not-there"
        ),
        pytest.param(spun({}, {"section": TEN}), ["Undecidable"], id="689.2(c)#5-spun-again"),
        pytest.param(
            spun({"symbols": ("3",)}), ["Undecidable"], id="689.2(c)#5-a-symbol-that-is-not-there"
        ),
        pytest.param(
            spun({"section": TEN}, {"section": FORTY}),
            ["spin_out_of_order 689.2(c)"],
            id="689.2(c)#3-spun-again",
        ),
        pytest.param(
            spun({"section": TEN}, {"section": FORTY})("SpinCalled", result="40"),
            [],
            id="689.2(c)#3-its-call",
        ),
        pytest.param(
            spun({"section": TEN}, {"section": FORTY})("SpinVoided"),
            [],
            id="689.2(c)#3-its-voiding",
        ),
        pytest.param(
            spun({"section": TEN})("SpinVoided"),
            ["valid_spin_voided 689.2(d)"],
            id="689.2(d)#4-number",
        ),
        pytest.param(
            spun({"section": TEN})("SpinVoided")("WheelSpun", section=FORTY),
            [],
            id="689.2(c)#3-in-place-of-a-voided-one",
        ),
        pytest.param(
            spun({"section": TEN})("RoundVoided")("WheelSpun", section=FORTY),
            [],
            id="689.2(c)#3-in-place-of-a-voided-round",
        ),
        pytest.param(
            spun({"section": TEN})("SpinVoided")("WheelSpun", section=FORTY)(
                "SpinCalled", result="40"
            ),
            [],
            id="689.2(d)#4-its-call",
        ),
        pytest.param(
            spun({"section": TWO_X})("SpinVoided")("WheelSpun", section=TEN)(
                "WheelSpun", section=FORTY
            ),
            ["spin_out_of_order 689.2(c)"],
            id="689.2(c)#3-after-a-voided-multiplier",
        ),
        pytest.param(
            spun({"section": TWO_X})("SpinVoided"),
            ["valid_spin_voided 689.2(d)"],
            id="689.2(d)#4-multiplier",
        ),
        pytest.param(
            spun({})("SpinVoided"),
            ["valid_spin_voided 689.2(d)"],
            id="689.2(d)#4-section-not-recorded",
        ),
        pytest.param(
            spun({"clapper": None})("SpinVoided"), ["Undecidable"], id="689.2(d)#4-nothing-recorded"
        ),
        pytest.param(spun(VOID)("SpinVoided"), [], id="689.2(d)#4-void"),
        pytest.param(
            closed()("SpinVoided"), ["fact_out_of_order 689.2"], id="689.2-void-of-no-spin"
        ),
        pytest.param(
            closed()("SpinCalled", result="10"),
            ["fact_out_of_order 689.2"],
            id="689.2-call-of-no-spin",
        ),
        pytest.param(
            spun({"section": TEN})("SpinCalled", result="10"), [], id="689.1(b)#3-called-rightly"
        ),
        pytest.param(
            spun({"section": TEN})("SpinCalled", result="20"),
            ["wrong_call 689.1(b)"],
            id="689.1(b)#3-called-wrongly",
        ),
        pytest.param(
            spun({"section": TWO_X})("SpinCalled", result="2"),
            ["wrong_call 689.1(b)"],
            id="689.2(f)#2-2x-is-not-2",
        ),
        pytest.param(spun(VOID)("SpinCalled", result="2"), [], id="689.2(d)#1-call-of-a-void-spin"),
        pytest.param(settled(spun(VOID)), ["settled_on_void_spin 689.2(d)"], id="689.2(d)#1-paid"),
        pytest.param(
            settled(spun(SHORT), "LOST"),
            ["settled_on_void_spin 689.2(b)"],
            id="689.2(b)#3-collected",
        ),
        pytest.param(
            settled(settled(spun(VOID))),
            ["settled_on_void_spin 689.2(d)"],
            id="689.2(d)#1-told-of-each",
        ),
        pytest.param(
            settled(spun(VOID, {"section": TEN})), [], id="689.2(d)#1-paid-after-the-respin"
        ),
        pytest.param(
            settled(spun(VOID), "RETURNED"),
            ["void_spin_not_respun 689.2(d)"],
            id="689.2(d)#2-settled-as-returned",
        ),
        pytest.param(
            spun(SHORT)("WagerReturned", wager_id="W1"),
            ["void_spin_not_respun 689.2(b)"],
            id="689.2(b)#4-handed-back",
        ),
        pytest.param(
            closed()("WagerReturned", wager_id="W1"), [], id="689.2(d)#2-handed-back-before-a-spin"
        ),
        pytest.param(
            settled(closed())("WheelSpun", section=TEN),
            ["settled_before_result 689.2(c)", "Decided"],
            id="689.2(c)#2-before-the-spin",
        ),
        pytest.param(
            settled(spun({"section": TWO_X})),
            [],
            id="689.2(f)#2-paid-on-a-multiplier-is-not-told-yet",
        ),
        pytest.param(
            settled(spun({"section": TWO_X}))("WheelSpun", section=TEN),
            ["settled_before_result 689.2(f)", "Decided"],
            id="689.2(f)#2-then-spun",
        ),
        pytest.param(
            settled(spun({"section": TWO_X}))("WheelSpun", **VOID),
            ["Annulled"],
            id="689.2(f)#2-then-spun-in-vain",
        ),
        pytest.param(
            closed()("RoundVoided"), ["Undecidable"], id="689.2(d)#4-round-void-without-ground"
        ),
        pytest.param(
            spun({"section": TEN})("RoundVoided"),
            ["valid_spin_voided 689.2(d)"],
            id="689.2(d)#4-round-void-after-a-number",
        ),
        pytest.param(
            closed()("DeviceFailed", device="WHEEL"),
            ["Undecidable"],
            id="689.1(e)-fails-during-the-spin",
        ),
        pytest.param(table()("DeviceFailed", device="WHEEL"), [], id="689.1(e)-fails-before"),
        pytest.param(
            spun({"section": TEN})("DeviceFailed", device="WHEEL"), [], id="689.1(e)-fails-after"
        ),
    ],
)
def test_the_last_fact(facts: Table, then: list[str]) -> None:
    assert said(facts) == then


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("facts", "then"),
    [
        pytest.param(spun({"section": TEN}), [], id="689.2(c)#1-decided"),
        pytest.param(closed(), [], id="689.2(c)#5-never-spun"),
        pytest.param(
            spun(VOID), ["void_spin_not_respun 689.2(d)"], id="689.2(d)#2-never-spun-again"
        ),
        pytest.param(
            spun(SHORT), ["void_spin_not_respun 689.2(b)"], id="689.2(b)#4-never-spun-again"
        ),
        pytest.param(settled(spun(VOID)), [], id="689.2(d)#1-told-already"),
        pytest.param(spun(VOID)("WagerReturned", wager_id="W1"), [], id="689.2(d)#2-told-already"),
        pytest.param(spun({"section": TWO_X}), ["bonus_spin_missing 689.1(d)"], id="689.1(d)#2"),
        pytest.param(
            settled(spun({"section": TWO_X})),
            ["bonus_spin_missing 689.1(d)", "settled_before_result 689.2(f)"],
            id="689.2(f)#1-paid-on-it",
        ),
        pytest.param(
            spun({"section": TWO_X}, {"section": SEVEN_X}),
            ["bonus_spin_missing 689.3(c)"],
            id="689.3(c)#1",
        ),
        pytest.param(
            spun({"section": TWO_X}, VOID),
            ["void_spin_not_respun 689.2(d)"],
            id="689.2(d)#2-in-a-bonus-round",
        ),
        pytest.param(
            Table()("BettingOpened")("NoMoreBetsAnnounced")("WheelSpun", **VOID),
            [],
            id="689.2(d)#2-nothing-stood",
        ),
        pytest.param(
            Table()("BettingOpened")("WagerPlaced", wager_id="W1", wager="1", stake_cents=5)(
                "WagerTakenDown", wager_id="W1", taken_cents=5
            )("NoMoreBetsAnnounced")("WheelSpun", **VOID),
            [],
            id="689.2(d)#2-lifted-in-time",
        ),
    ],
)
def test_the_end(facts: Table, then: list[str]) -> None:
    assert at_the_end(facts) == then


# --- § 689.3 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sections", "factor", "words", "cite"),
    [
        pytest.param([TEN], 1, "10", "689.2(c)", id="689.2(c)#1"),
        pytest.param([TWO_X, TEN], 2, "2x, 10", "689.3(b)", id="689.3(b)#1"),
        pytest.param([TWO_X, SEVEN_X, TEN], 14, "2x, 7x, 10", "689.3(c)", id="689.3(c)#2"),
        pytest.param(
            [TWO_X, TWO_X, TWO_X, FORTY], 8, "2x, 2x, 2x, 40", "689.3(c)", id="689.3(c)#2-three"
        ),
        pytest.param(
            [SEVEN_X] * 17 + [FORTY],
            7**17,
            ", ".join(["7x"] * 17 + ["40"]),
            "689.3(c)",
            id="689.3(c)#1-no-upper-count",
        ),
    ],
)
def test_multipliers(sections: list[int], factor: int, words: str, cite: str) -> None:
    rulings, state = follow(ROOM, spun(*({"section": section} for section in sections)).facts)
    assert [type(r) for (r,) in rulings[-len(sections) :]] == [Multiplied] * (len(sections) - 1) + [
        Decided
    ]
    (last,) = rulings[-1]
    assert isinstance(last, Decided)
    assert (last.factor, ROOM.words_of(last.detail), last.cite.section) == (factor, words, cite)
    assert state.knowable


def test_689_2_d_3_a_void_takes_no_multiplier_away() -> None:
    (last,) = follow(ROOM, spun({"section": SEVEN_X}, VOID, SHORT, {"section": TEN}).facts)[0][-1]
    assert isinstance(last, Decided)
    assert (last.factor, ROOM.words_of(last.detail)) == (7, "7x, 10")


def test_689_3_c_3_multipliers_end_with_the_round() -> None:
    facts = spun({"section": SEVEN_X}, {"section": TEN})
    facts("BettingOpened", 200)("NoMoreBetsAnnounced", 210)("WheelSpun", 230, section=TEN)
    (last,) = follow(ROOM, facts.facts)[0][-1]
    assert isinstance(last, Decided)
    assert (last.factor, ROOM.words_of(last.detail)) == (1, "10")


# --- what is known -------------------------------------------------------------------------------


def test_between_comes_before_too_short() -> None:
    (ruling,) = follow(ROOM, spun({**VOID, "revolutions_thousandths": 10}).facts)[0][-1]
    assert isinstance(ruling, Annulled)
    assert ruling.row.cite.section == "689.2(d)"


def test_betting_is_open_until_the_call_or_the_spin() -> None:
    open_after = {}
    for name, facts in {
        "opened": table(),
        "called": closed(),
        "spun": table()("WheelSpun", **VOID),
    }.items():
        open_after[name] = follow(ROOM, facts.facts)[1].betting_open
    assert open_after == {"opened": True, "called": False, "spun": False}


def test_nothing_can_be_known_until_a_spin_counts() -> None:
    known = [
        follow(ROOM, facts.facts)[1].knowable
        for facts in (closed(), spun(VOID), spun(SHORT), spun({"section": TWO_X}))
    ]
    assert known == [False, False, False, True]


@pytest.mark.parametrize("lost", ["WheelRemoved", "gap", "never"])
def test_without_a_wheel_the_index_says_nothing(lost: str) -> None:
    facts = closed().facts[1 if lost == "never" else 0 :]
    _, state = follow(ROOM, facts)
    if lost == "WheelRemoved":
        state = follow(ROOM, closed()("WheelRemoved").facts)[1]
    elif lost == "gap":
        state = ROOM.evolve(follow(ROOM, table().facts[:1])[1], Unsure("T-01"))
    assert state.sections is None
    spin = Table()("BettingOpened")("NoMoreBetsAnnounced")("WheelSpun", section=TEN)
    assert said(spin) == []
    assert said(spin("SpinCalled", result="10")) == ["Decided"]


def test_another_wheel_than_the_one_in_use_may_go() -> None:
    assert follow(ROOM, closed()("WheelRemoved", wheel="W-2").facts)[1].sections == tuple(RIM)


def test_after_a_gap_a_round_says_nothing_until_the_next_one() -> None:
    state = ROOM.evolve(follow(ROOM, spun({"section": TWO_X}).facts)[1], Unsure("T-01"))
    rest = Table()("WheelSpun", section=TEN, symbols=("10",))("WheelSpun", symbols=("5",))(
        "SpinVoided"
    )
    for fact in rest.facts:
        assert ROOM.decide(rules_of(ROOM), state, fact) == ()
        state = ROOM.evolve(state, fact)
    assert state.in_round
    assert not ROOM.is_over(state)
    again = ROOM.evolve(state, Table()("BettingOpened").facts[0])
    assert again.betting_open


def test_spins_outside_a_round_are_nobodys() -> None:
    assert said(Table()("WheelSpun", section=TEN)) == []


def test_a_round_that_cannot_be_judged_stays_so() -> None:
    facts = spun({"section": TEN, "revolutions_thousandths": None}, {"section": TEN})("SpinVoided")
    rulings = follow(ROOM, facts.facts)[0]
    assert isinstance(rulings[-3][-1], Undecidable)
    assert rulings[-2:] == [(), ()]


def test_a_breach_names_the_facts_it_rests_on() -> None:
    (breach,) = follow(ROOM, settled(spun(VOID)).facts)[0][-1]
    assert isinstance(breach, Breach)
    assert [ref.seq for ref in breach.facts] == [5, 6]
    assert breach.wager == "W1"
