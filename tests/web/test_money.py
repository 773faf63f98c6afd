"""Money over gaming days and the slips, against the tables' days and the facts themselves."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from ledger.audit.result import Staked
from ledger.events import CreditTaken, FillDelivered
from ledger.replay import Replay
from ledger.web.money_chart import MOST, Bars, bars_svg
from ledger.web.win_interval import half_width, variance_of
from tests.web.conftest import Served


def test_every_grouping_sums_to_the_tables_of_the_day(desk: Served) -> None:
    browser = desk.signed_in("FS-1")
    tables = browser.get("/money.json").json()["tables"]
    counted = [row["win_by_count_cents"] for row in tables]
    known = [int(cents) for cents in counted if cents is not None]
    for by in ("day", "month", "game", "table"):
        rows = browser.get(f"/money/trends.json?by={by}").json()
        assert sum(row["counted_cents"] or 0 for row in rows) == sum(known)
        assert sum(row["counted_known"] for row in rows) == len(known)
        assert sum(row["table_days"] for row in rows) == len(tables)
    page = browser.get("/money/trends?by=game").text
    assert "Sic Bo" in page
    assert '<svg class="bars"' in page
    assert "of 2</small>" in page  # one of three Sic Bo tables records no wagers


def test_a_hold_is_of_the_table_days_with_both_counts(desk: Served) -> None:
    browser = desk.signed_in("FS-1")
    tables = browser.get("/money.json").json()["tables"]
    both = [row for row in tables if row["win_by_count_cents"] is not None]
    won = sum(int(row["win_by_count_cents"]) for row in both)
    dropped = sum(int(row["cash_drop_cents"]) for row in both)
    (day,) = browser.get("/money/trends.json").json()
    assert day["hold_percent"] == f"{100 * won / dropped:.2f}"


def test_slips_are_those_on_record(desk: Served) -> None:
    browser = desk.signed_in("FS-1")
    rows = browser.get("/money/slips.json").json()
    replay = Replay.open(desk.settings.folder)
    facts = [
        step.fact
        for kind in (FillDelivered, CreditTaken)
        for stream in replay.streams_with([kind.__name__])
        for step in replay.of_kind(stream, kind)
    ]
    assert facts
    assert sorted(row["fact"] for row in rows) == sorted(f"{f.stream}:{f.seq}" for f in facts)
    assert sum(row["chips_cents"] for row in rows) == sum(fact.chips_cents for fact in facts)


def test_what_is_not_recorded_is_not_drawn_and_a_loss_goes_down() -> None:
    drawn = bars_svg(
        [
            Bars(name="<a>", counted_cents=-100, theoretical_cents=None),
            Bars(name="b", counted_cents=None, theoretical_cents=300),
        ]
    )
    assert drawn.count("<rect") == 2
    assert "&lt;a&gt;, counted win" in drawn
    assert 'class="counted" x="98" y="147"' in drawn  # below the line of zero
    named = bars_svg([Bars(name="Three Dice Football", counted_cents=-1, theoretical_cents=10_000)])
    assert ">Three Dice Football</text>" in named
    assert "-$0.01</text>" not in named  # it would lie on the figure of zero
    assert "$0.00</text>" in named
    many = [Bars(name=str(n), counted_cents=n, theoretical_cents=None) for n in range(MOST + 9)]
    assert bars_svg(many).count("<rect") == MOST
    assert bars_svg([]).startswith("<svg")


def test_a_round_s_facts_say_how_far_from_no_more_bets_they_are(desk: Served) -> None:
    page = desk.signed_in("SS-1").get("/round/SB-01:517").text
    timeline = page.partition('id="timeline"')[2].partition("</section>")[0]
    assert timeline.count(">0.000 s<") == 1
    assert "-" in timeline.partition(">0.000 s<")[0].rpartition('class="n soft">')[0]


def test_holds_stand_beside_theory_with_an_interval(desk: Served) -> None:
    browser = desk.signed_in("FS-1")
    document = browser.get("/money.json").json()
    holds = {each["table"]: each for each in document["holds"]}
    exact = {t["table_name"] for t in document["tables"] if t["theoretical_win_cents"] is not None}
    assert set(holds) == exact  # each table with an exact theoretical win has its interval
    for row in document["tables"]:
        hold = holds.get(row["table_name"])
        if hold is None:
            continue
        part = 100 * int(row["theoretical_win_cents"]) / int(row["wagered_cents"])
        assert float(hold["theoretical_percent"]) == pytest.approx(part, abs=0.005)
        low, high = float(hold["low_percent"]), float(hold["high_percent"])
        assert low < part < high
        won = 100 * int(row["win_by_rounds_cents"]) / int(row["wagered_cents"])
        assert hold["is_within"] == (low <= won <= high)
    page = browser.get("/money").text
    assert "Hold on wagers against theory" in page
    assert page.count("% to ") == len(holds)
    sums = browser.get("/money/trends.json?by=table").json()
    assert {s["name"] for s in sums if s["theoretical_half_width_cents"] is not None} == exact


def test_wagers_of_a_round_move_together_and_rounds_do_not(desk: Served) -> None:
    """Small and Big each win 105 of 216 throws: a stake of 1 has the variance 4 p (1 - p)."""
    day = date(2021, 6, 12)
    with desk.record.present() as record:
        theory = record.judged.theory
        small, big = (
            Staked(game="Sic Bo", paytable=None, wager=name, picks=(), cents=1_000)
            for name in ("Small Bet", "Big Bet")
        )
        part = 1_000_000 * 4 * (105 / 216) * (111 / 216)
        apart = variance_of(theory, day, [(small, "SB-01:1"), (big, "SB-01:2")])
        together = variance_of(theory, day, [(small, "SB-01:1"), (big, "SB-01:1")])
        unknown = replace(small, wager="No Such Bet")
        assert variance_of(theory, day, [(small, "SB-01:1"), (unknown, "SB-01:2")]) is None
    assert apart is not None
    assert apart == pytest.approx(2 * part)
    assert together == pytest.approx(4 * part)
    assert half_width(apart) == round(1.96 * apart**0.5)
