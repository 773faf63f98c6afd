"""What a wager comes to and what the house did: breakage, payout limits, differences to the cent.

Figures beside the cases: winnings = stake x odds (x multiplier), by hand.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger import events
from tests.engine import Scene, codes, dreamcatcher, judged, roll, said, seen, sic_bo, spin


def money(scene: Scene) -> list[str]:
    """The findings about wagers."""
    return [c for c in scene.said() if c.startswith(("wager_", "wrong_", "stake_", "payout_"))]


# --- breakage -------------------------------------------------------------------------------------


def paid_on_one(odds: str, cents: int, paid: int, rule: str | None, unit: int) -> Scene:
    """A stake on 1 at filed odds wins."""
    scene = dreamcatcher(odds=(("1", None, odds),))
    breakage = events.Breakage(rule=events.Rounding(rule), unit_cents=unit) if rule else None
    scene.change("RulesSubmissionFiled", breakage=breakage)
    scene.add("BettingOpened", 0)
    scene.wager(1, "1", cents=cents)
    spin(scene, 10, "1")
    scene.won(30, "W1", paid)
    return scene


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("odds", "cents", "rule", "unit", "due"),
    [
        pytest.param("3:2", 505, "DOWN", 1, 757, id="757.5 down to the cent"),
        pytest.param("3:2", 505, "NEAREST", 1, 758, id="757.5 nearest, the half up"),
        pytest.param("3:2", 505, "UP", 1, 758, id="757.5 up to the cent"),
        pytest.param("6:5", 502, "NEAREST", 1, 602, id="602.4 nearest"),
        pytest.param("6:5", 503, "NEAREST", 1, 604, id="603.6 nearest"),
        pytest.param("3:2", 505, "DOWN", 25, 750, id="757.5 down to a quarter"),
        pytest.param("3:2", 505, "NEAREST", 25, 750, id="757.5 nearest quarter"),
        pytest.param("3:2", 505, "UP", 25, 775, id="757.5 up to a quarter"),
        pytest.param("3:2", 525, "NEAREST", 25, 800, id="787.5 nearest quarter, the half up"),
        pytest.param("3:2", 600, "UP", 100, 900, id="900 is whole dollars"),
        pytest.param("3:2", 600, "DOWN", 100, 900, id="900 is whole dollars, down"),
        pytest.param("3:2", 600, None, 1, 900, id="900 is whole cents, nothing filed"),
        pytest.param("3:2", 600, "EXACT", 1, 900, id="900 is whole cents, exact"),
        pytest.param("3:2", 666, "DOWN", 100, 900, id="999 down to a dollar"),
    ],
)
def test_a_fraction_is_paid_by_the_filed_rule(
    odds: str, cents: int, rule: str | None, unit: int, due: int
) -> None:
    assert money(paid_on_one(odds, cents, due, rule, unit)) == []
    for off, code in ((1, "wager_overpaid"), (-1, "wager_underpaid")):
        audit = paid_on_one(odds, cents, due + off, rule, unit).audit()
        found = [f for f in audit.findings if f.code.startswith("wager_")]
        assert [(f.code, f.effect_cents) for f in found] == [(code, off)]


@pytest.mark.parametrize("rule", [None, "EXACT"])
@pytest.mark.parametrize("paid", [757, 758])
def test_a_fraction_without_a_rule_is_told(rule: str | None, paid: int) -> None:
    """Reading breakage: neither 757 nor 758 is 757.5."""
    assert money(paid_on_one("3:2", 505, paid, rule, 1)) == ["wager_not_whole_cents 689.3(a)"]


@pytest.mark.parametrize("paid", [757, 758])
def test_a_rule_in_a_word_we_do_not_know_is_unknown(paid: int) -> None:
    found = paid_on_one("3:2", 505, paid, "UNRECOGNISED", 1).audit().findings
    assert not [f for f in found if f.code.startswith("wager_") and f.certainty == "broken"]


def test_the_multiplier_works_before_the_rounding() -> None:
    """3 to 2, twice, on $5.05: 1515 cents, no fraction is left."""
    scene = dreamcatcher(odds=(("1", None, "3:2"),))
    scene.change(
        "RulesSubmissionFiled", breakage=events.Breakage(rule=events.Rounding.DOWN, unit_cents=1)
    )
    scene.add("BettingOpened", 0)
    scene.wager(1, "1", cents=505)
    spin(scene, 10, "2x", "1")
    scene.won(40, "W1", 1_515)
    assert money(scene) == []


# --- payout limits -----------------------------------------------------------------------------------

PATRON, TABLE = events.LimitScope.PATRON_AND_ROUND, events.LimitScope.TABLE_AND_ROUND


def limited(
    limit: int, scope: events.LimitScope, *wagers: tuple[str | None, int, int], **filed: Any
) -> Scene:
    """Winners on 2 at 2 to 1 under a payout limit: patron, stake, paid."""
    scene = dreamcatcher()
    scene.change(
        "RulesSubmissionFiled",
        payout_limit=events.PayoutLimit(limit_cents=limit, scope=scope),
        **filed,
    )
    scene.add("BettingOpened", 0)
    names = [scene.wager(1 + n, "2", cents=c, patron=p) for n, (p, c, _) in enumerate(wagers)]
    spin(scene, 10, "2")
    for number, (name, (_, _, paid)) in enumerate(zip(names, wagers, strict=True)):
        scene.won(30 + number, name, paid)
    return scene


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("limit", "scope", "wagers", "told"),
    [
        pytest.param(4_000, PATRON, [("A", 2_000, 4_000)], [], id="689.1(g)(4): exactly the limit"),
        pytest.param(4_000, PATRON, [("A", 2_000, 4_001)], ["wager_overpaid"], id="689.1(g)(4): the limit is reached, not passed"),
        pytest.param(3_999, PATRON, [("A", 2_000, 3_999)], [], id="689.1(g)(4): one cent below is cut"),
        pytest.param(3_999, PATRON, [("A", 2_000, 4_000)], ["payout_limit_not_applied"], id="689.1(g)(4): not cut"),
        pytest.param(3_000, PATRON, [("A", 2_000, 2_999)], ["wager_underpaid"], id="689.1(g)(4): cut too far"),
        pytest.param(3_000, PATRON, [("A", 1_000, 1_000), ("A", 2_000, 2_000)], [], id="one patron: 2000 and 4000 share 3000 in proportion"),
        pytest.param(3_000, PATRON, [("A", 1_000, 1_500), ("A", 2_000, 1_500)], ["payout_limit_not_applied", "wager_underpaid"], id="one patron: shared in halves"),
        pytest.param(3_000, PATRON, [("A", 1_500, 3_000), ("B", 1_500, 3_000)], [], id="two patrons have a limit each"),
        pytest.param(3_000, TABLE, [("A", 1_500, 1_500), ("B", 1_500, 1_500)], [], id="per table: two patrons share 3000"),
        pytest.param(3_000, TABLE, [("A", 1_500, 3_000), ("B", 1_500, 3_000)], ["payout_limit_not_applied"] * 2, id="per table: each was paid in full"),
        pytest.param(1_000, TABLE, [("A", 1_000, 333), ("B", 1_000, 333), ("C", 1_000, 333)], [], id="1000 in three: a third of a cent is left"),
    ],
)  # fmt: skip
def test_a_payout_limit(
    limit: int, scope: events.LimitScope, wagers: list[tuple[str, int, int]], told: list[str]
) -> None:
    found = limited(limit, scope, *wagers).audit().findings
    assert sorted(f.code for f in found) == sorted(told)
    assert all(f.certainty == "broken" for f in found)


@pytest.mark.parametrize("paid", [3_000, 4_000])
def test_whether_the_layout_shows_the_limit_is_not_known(paid: int) -> None:
    """Reading payout-limit: it binds only if shown; either amount may be right."""
    scene = limited(3_000, PATRON, ("A", 2_000, paid)).drop("ItemInspected", item="stated_limits")
    assert [f.code for f in scene.audit().findings if f.certainty == "broken"] == []


@pytest.mark.parametrize(("paid", "told"), [(4_000, set()), (3_000, {"wager_underpaid"})])
def test_a_limit_that_the_layout_does_not_show_binds_nobody(paid: int, told: set[str]) -> None:
    scene = limited(3_000, PATRON, ("A", 2_000, paid))
    scene.change("ItemInspected", {"item": "stated_limits"}, seen=seen("minimum", "maximum"))
    found = codes(scene.audit().findings) - {"layout_incomplete"}
    assert found == told


def test_the_filed_reading_per_table() -> None:
    chosen = [events.ReadingChosen(reading="payout-limit", choice="table-and-round")]
    scene = limited(3_000, PATRON, ("A", 1_500, 1_500), ("B", 1_500, 1_500), readings=chosen)
    assert codes(scene.audit().findings) == set()


@pytest.mark.parametrize("paid", [1_500, 3_000])
def test_a_scope_in_a_word_we_do_not_know_is_unknown(paid: int) -> None:
    scene = limited(3_000, events.LimitScope.UNRECOGNISED, ("A", 1_500, paid), ("B", 1_500, paid))
    assert [f for f in scene.audit().findings if f.certainty == "broken"] == []


@pytest.mark.parametrize("paid", [1_500, 3_000])
def test_whose_wagers_they_are_is_not_known(paid: int) -> None:
    """Without a patron reference two winners may be one patron's, or two patrons'."""
    scene = limited(3_000, PATRON, (None, 1_500, paid), (None, 1_500, paid))
    assert [f for f in scene.audit().findings if f.certainty == "broken"] == []


# --- nothing filed, or nobody knows ---------------------------------------------------------------------


def small(paid: int) -> Scene:
    """Ten dollars on Small win even money (539.6(b))."""
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet", cents=1_000)
    roll(scene, 10, 1, 2, 3)
    scene.won(20, "W1", paid)
    scene.add("LightsCleared", 30)
    return scene


@pytest.mark.parametrize(
    ("paid", "told", "effect"),
    [
        (1_000, [], None),
        (999, ["wager_underpaid 539.6(b)"], -1),
        (0, ["wager_underpaid 539.6(b)"], -1_000),
        (1_001, ["wager_overpaid 539.6(b)"], 1),
        (2_000, ["wager_overpaid 539.6(b)"], 1_000),
    ],
)
def test_the_effect_is_the_difference(paid: int, told: list[str], effect: int | None) -> None:
    audit = small(paid).audit()
    assert said(audit.findings) == told
    assert [f.effect_cents for f in audit.findings] == ([] if effect is None else [effect])


@pytest.mark.parametrize(("paid", "told"), [(1_000, []), (999, ["wager_underpaid 539.6(b)"]), (2_000, ["wager_overpaid 539.6(b) ?"])])  # fmt: skip
def test_without_a_submission_the_floor_has_no_ceiling(paid: int, told: list[str]) -> None:
    scene = small(paid).drop("RulesSubmissionApproved")
    assert [c for c in scene.said() if c.startswith("wager_")] == told


def outcome(kind: str, paid: int, taken: int) -> Scene:
    scene = small(1_000).drop("WagerSettled")
    values = {"wager_id": "W1", "outcome": kind, "winnings_cents": paid, "stake_taken_cents": taken}
    scene.add("WagerSettled", 20, **values)
    return scene


@pytest.mark.parametrize(
    ("kind", "paid", "taken", "code", "effect"),
    [
        ("LOST", 0, 1_000, "wrong_outcome", -2_000),
        ("RETURNED", 0, 0, "wrong_outcome", -1_000),
        ("WON", 1_000, 100, "stake_taken_wrong", -100),
    ],
)
def test_a_winner_treated_otherwise(
    kind: str, paid: int, taken: int, code: str, effect: int
) -> None:
    found = outcome(kind, paid, taken).audit().findings
    assert [(f.code, f.effect_cents) for f in found] == [(code, effect)]


def test_an_outcome_in_a_word_we_do_not_know_is_unknown() -> None:
    audit = outcome("UNRECOGNISED", 1_000, 0).audit()
    assert not [f for f in audit.findings if f.certainty == "broken"]
    assert audit.findings or audit.unknown_rounds


def test_a_winner_never_settled() -> None:
    audit = small(1_000).drop("WagerSettled").audit()
    found = [f for f in audit.findings if f.code == "wager_unsettled"]
    assert [f.effect_cents for f in found] == [-1_000]


def test_settled_twice() -> None:
    scene = small(1_000)
    scene.won(21, "W1", 1_000)
    found = scene.audit().findings
    assert [(f.code, f.effect_cents) for f in found] == [("wager_overpaid", 1_000)]
    assert "539.5(e)" in {c.section for c in found[0].citations}


def acts(*said: tuple[str, int, int]) -> Scene:
    """A $10.00 wager at 1 to 1 wins, and is settled by these acts: outcome, paid, taken."""
    scene = small(1_000).drop("WagerSettled")
    for number, (kind, paid, taken) in enumerate(said):
        values = {"winnings_cents": paid, "stake_taken_cents": taken}
        scene.add("WagerSettled", 20 + number, wager_id="W1", outcome=kind, **values)
    return scene


def loser(*said: tuple[str, int, int]) -> Scene:
    """The same where the wager loses."""
    return acts(*said).change("WagerPlaced", wager="Big Bet")


CORRECTED = "settlement_corrected"


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("scene", "told", "left"),
    [
        pytest.param(acts(("WON", 400, 0), ("WON", 600, 0)), [(CORRECTED, 0)], 0, id="an underpayment made good"),
        pytest.param(acts(("WON", 400, 0), ("WON", 300, 0), ("WON", 300, 0)), [(CORRECTED, 0)], 0, id="made good in three"),
        pytest.param(acts(("WON", 1_400, 0), ("LOST", 0, 400)), [(CORRECTED, 0)], 0, id="an overpayment taken back"),
        pytest.param(acts(("LOST", 0, 1_000), ("WON", 2_000, 0)), [(CORRECTED, 0)], 0, id="a winner collected, then paid with the stake"),
        pytest.param(acts(("WON", 1_000, 0), ("WON", 1_000, 0), ("LOST", 0, 1_000)), [(CORRECTED, 0)], 0, id="paid twice and taken back"),
        pytest.param(acts(("WON", 400, 0), ("WON", 500, 0)), [("wager_underpaid", -100)], -100, id="made good in part"),
        pytest.param(acts(("WON", 400, 0), ("WON", 700, 0)), [("wager_overpaid", 100)], 100, id="made good with too much"),
        pytest.param(acts(("LOST", 0, 1_000), ("WON", 1_000, 0)), [("wrong_outcome", -1_000)], -1_000, id="a winner collected, then paid without the stake"),
        pytest.param(acts(("WON", 1_000, 0), ("WON", 1_000, 0)), [("wager_overpaid", 1_000)], 1_000, id="paid twice"),
        pytest.param(acts(("WON", 1_000, 0), ("RETURNED", 0, 0)), [("wager_settled_twice", 0)], 0, id="paid, and told as handed back"),
        pytest.param(loser(("LOST", 0, 400), ("LOST", 0, 600)), [(CORRECTED, 0)], 0, id="a stake collected in two"),
        pytest.param(loser(("WON", 1_000, 0), ("LOST", 0, 2_000)), [(CORRECTED, 0)], 0, id="a loser paid, then collected with the winnings"),
        pytest.param(loser(("LOST", 0, 400), ("LOST", 0, 500)), [("stake_taken_wrong", 100)], 100, id="collected in part twice"),
        pytest.param(loser(("LOST", 0, 1_000), ("RETURNED", 0, 0)), [("wager_settled_twice", 1_000)], 1_000, id="collected and handed back"),
    ],
)  # fmt: skip
def test_several_acts_come_to_their_sum(
    scene: Scene, told: list[tuple[str, int]], left: int
) -> None:
    findings = scene.audit().findings
    assert [(f.code, f.effect_cents) for f in findings] == told
    wager = scene.result("W1")
    assert wager.difference_cents == left
    assert wager.observed is not None
    assert len(wager.observed.facts) == len(scene.lines_of("WagerSettled"))


def test_what_happened_is_told_of_an_underpayment_made_good() -> None:
    (finding,) = acts(("WON", 400, 0), ("WON", 600, 0)).audit().findings
    assert finding.sentence == "Corrected: paid $4.00, then paid $6.00; the wager wins $10.00."
    assert finding.severity == "low"
    assert finding.citations[0].section == "539.5(e)"


def test_a_filing_that_may_have_been_lost_accuses_nobody() -> None:
    """A gap in the office before the round: the odds in force may be others."""
    scene = small(1_500)
    scene.house("ClockChecked", -3_600, checked_source="X", offset_micros=0)
    facts = [f for f in scene.build() if type(f).__name__ != "ClockChecked"]
    audit = judged(facts, scene.day)
    assert {f.code for f in audit.findings if f.certainty == "broken"} == {"gap"}


def test_a_settlement_says_its_outcome_and_odds_as_values() -> None:
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    won, lost = scene.wager(1, "One of a Kind", 3), scene.wager(2, "Small Bet")
    roll(scene, 20, 3, 3, 6)
    scene.won(30, won, 2_000)
    scene.lost(31, lost)
    (result,) = scene.rounds()
    assert result.outcome == (3, 3, 6)
    assert {(w.wager_id, w.outcome, str(w.odds), w.factor) for w in result.wagers} == {
        (won, (3, 3, 6), "2 to 1", 1),
        (lost, (3, 3, 6), "None", 1),
    }


def test_a_multiplied_settlement_says_its_factor() -> None:
    scene = dreamcatcher()
    scene.add("BettingOpened", 0)
    won = scene.wager(1, "10")
    spin(scene, 20, "2x", "7x", "10")
    scene.won(60, won, 140_000)
    wager = scene.result(won)
    assert (wager.outcome, str(wager.odds), wager.factor) == ("10", "10 to 1", 14)
    assert wager.odds is not None
    assert wager.expected.winnings_cents == wager.odds.times(14).winnings(wager.stake_cents)
