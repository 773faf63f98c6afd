"""What is in force at a table on a day: each line with its authority, and nothing made up."""

from __future__ import annotations

import json
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ledger.audit import DayUnknown
from ledger.audit.in_force import InForce, in_force
from ledger.replay import Replay
from ledger.reports import in_force_data, in_force_page
from ledger.reports.in_force.filings import _option
from tests.conformance.translate import defaults_of, translate, vocabulary
from tests.engine import Scene, floor_day, log_of, sic_bo
from tests.games.facts import fact

EXAMPLES = Path(__file__).parents[1] / "conformance" / "examples"


def read(facts: Any, day: date, table: str | None = None) -> InForce:
    return in_force(Replay(log_of(facts)), day, table=table)


def of(scene: Scene) -> InForce:
    return read(scene.build(), scene.day)


def case(name: str, day: date) -> InForce:
    document = json.loads((EXAMPLES / "own_providers.json").read_text(encoding="utf-8"))
    chosen = next(one for one in document["cases"] if one["id"] == name)
    speaks = vocabulary(document)
    return read(translate(chosen, speaks, defaults_of(document, speaks)).ready.facts, day)


def lines(found: InForce, group: str, table: int = 0) -> list[dict[str, Any]]:
    page = in_force_data(found)["tables"][table]
    return [line for line in page["lines"] if line["group"] == group]


def says(found: InForce, group: str) -> list[str]:
    return [line["says"] for line in lines(found, group)]


def page(found: InForce, *, staff: bool = False, width: int = 100) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        console.print(in_force_page(found, staff=staff))
    return captured.get()


def test_each_line_of_a_filing_names_its_section_and_its_facts() -> None:
    scene = sic_bo(odds=[("Three of a Kind", None, "180:1")])
    found = of(scene)
    [filed] = lines(found, "submission")
    assert filed["says"].startswith("RS-1, filed ")
    assert filed["authority"][0].startswith("§ 521.8(b) (40 Pa.B. 1740")
    facts = {(fact.stream, fact.seq): type(fact).__name__ for fact in scene.build()}
    assert [facts[(ref["stream"], ref["seq"])] for ref in filed["facts"]] == [
        "RulesSubmissionFiled",
        "RulesSubmissionApproved",
    ]
    assert says(found, "odds") == [
        "Three of a Kind pays 180 to 1; the chapter wants no less than 150 to 1",
        "the other 22 of 23 lines as in the chapter",
    ]
    assert lines(found, "odds")[0]["authority"][0].startswith("§ 539.6(b)")


def test_odds_below_the_floor_say_by_what_they_are_judged() -> None:
    found = of(sic_bo(odds=[("Three of a Kind", None, "140:1")]))
    assert says(found, "odds")[0].endswith(
        "no less than 150 to 1, and by that it is judged: 150 to 1"
    )


def test_what_is_filed_and_not_approved_is_pending_and_not_in_force() -> None:
    scene = sic_bo()
    scene.file("RS-2", -3600, odds=[("Three of a Kind", None, "200:1")], approved=None)
    found = of(scene)
    assert says(found, "pending") == ["RS-2 is filed and not approved: not in force"]
    assert [one.partition(",")[0] for one in says(found, "submission")] == ["RS-1"]


def test_a_submission_approved_during_the_day_takes_the_place_of_the_one_before() -> None:
    scene = sic_bo()
    scene.file("RS-2", 3600, odds=[("Three of a Kind", None, "200:1")], supersedes="RS-1")
    found = of(scene)
    first, second = lines(found, "submission")
    assert (first["says"][:4], second["says"][:4]) == ("RS-1", "RS-2")
    assert first["until"] == second["since"]
    assert second["until"] is None
    assert "13:00:00  submission: RS-2" in page(found)


def test_nothing_filed_is_not_recorded_and_nothing_else_is_said_of_it() -> None:
    scene = sic_bo().drop("RulesSubmissionFiled").drop("RulesSubmissionApproved")
    found = of(scene)
    [line] = lines(found, "submission")
    assert line["standing"] == "not recorded"
    assert line["facts"] == []
    assert lines(found, "odds") == []


def test_readings_rounding_increments_and_limits_that_are_filed() -> None:
    scene = sic_bo()
    scene.change(
        "RulesSubmissionFiled",
        readings=[_made("ReadingChosen", reading="triple-is-a-pair", choice="exactly-two")],
        breakage=_made("Breakage", rule="DOWN", unit_cents=25),
        increment_cents=500,
    )
    found = of(scene)
    assert says(found, "reading")[0].startswith("triple-is-a-pair: 'exactly-two' in place of ")
    assert says(found, "rounding") == ["fractions go down to $0.25"]
    assert says(found, "increment") == ["wagers in multiples of $5.00"]


def _made(name: str, **said: Any) -> Any:
    from ledger.events import Breakage, ReadingChosen, Rounding

    if name == "Breakage":
        return Breakage(rule=Rounding(said["rule"]), unit_cents=said["unit_cents"])
    return ReadingChosen(**said)


def test_a_change_of_limits_shows_both_the_notice_and_the_sign() -> None:
    scene = sic_bo()
    both = {"minimum_cents": 2_500, "maximum_cents": 100_000}
    at = {"effective_time": lambda s: s.noon + 3_600_000_000}
    scene.add("LimitsSignPosted", 60, sign="LS-9", states_change=True, wager=None, **both, **at)
    scene.add("LimitsChangeAnnounced", 90, wager=None, **both, **at)
    scene.add("LimitsSet", 3600, wager=None, increment_cents=None, **both)
    found = of(scene)
    before, after = lines(found, "limits")
    assert before["until"] == after["since"]
    assert after["says"] == "all wagers: $25.00 to $1,000.00"
    [notice] = lines(found, "notice")
    assert notice["authority"][0].startswith("§ 521.8(c)(2)(iii)")
    assert "LS-9 shows all wagers: $25.00 to $1,000.00, a change from 13:00" in says(found, "sign")
    missing = [line for line in lines(found, "sign") if line["standing"] == "not recorded"]
    assert [line["says"] for line in missing] == ["no approval of LS-9"]
    assert "at 12:01" in page(found)


def test_approvals_of_layout_and_equipment_that_are_missing_are_not_recorded() -> None:
    scene = sic_bo().drop("LayoutApproved").drop("EquipmentApproved")
    found = of(scene)
    [layout] = lines(found, "layout")
    assert (layout["says"], layout["standing"]) == ("no approval of L-1", "not recorded")
    assert layout["authority"][0].startswith("§ 539.1(c)")
    gone = [line for line in lines(found, "equipment") if line["standing"] == "not recorded"]
    assert {line["authority"][0].partition(" (")[0] for line in gone} == {
        "§ 539.1(b)",
        "§ 539.1(d)",
    }


def test_a_text_that_is_continued_says_so() -> None:
    chapter, general = says(case("renewal-pending", date(2014, 6, 15)), "chapter")
    assert chapter.endswith("continued as 625a, text not held")
    assert general.endswith("continued as 601a, text not held")
    assert all(one.endswith(": in force") for one in says(of(sic_bo()), "chapter"))


def test_after_lost_facts_what_stood_before_is_not_certain() -> None:
    scene = sic_bo()
    scene.add("PatronsCounted", 10, count=0)
    facts = scene.build()
    lost = [one for one in facts if type(one).__name__ != "PatronsCounted"]
    assert lines(read(facts, scene.day), "record") == []
    found = read(lost, scene.day)
    assert len(lines(found, "record")) == 1
    assert {line["standing"] for line in lines(found, "limits")} == {"not certain"}
    assert "(not certain)" in page(found)


def test_a_service_stands_with_everything_that_clears_it() -> None:
    found = case("cleared-and-certified", date(2010, 6, 15))
    service = lines(found, "service")
    pins = [one["authority"][0].partition(" (40")[0] for one in service]
    assert pins == ["§ 528.7", "§ 528.1", "§ 528.7(1)", "§ 528.7(2)", "§ 528.7(3)"]
    assert all(one["facts"] and one["standing"] == "recorded" for one in service)
    assert says(found, "provider") == ["certification in effect to 2014-05-19 (as of 2010-06-16)"]


@pytest.mark.parametrize(
    ("name", "day", "said"),
    [
        ("never-applied", "2010-06-15", "provider_not_certified"),
        ("used-after-the-cease-date", "2010-06-15", "provider_authorization_rescinded"),
        ("costs-not-known-to-be-all", "2010-06-15", "lab_costs_unpaid"),
        ("expired-at-midnight", "2014-05-19", "certification_expired"),
    ],
)
def test_a_service_that_is_not_cleared_says_what_is_lacking(name: str, day: str, said: str) -> None:
    found = case(name, date.fromisoformat(day))
    last = says(found, "service")[-1]
    assert last.endswith(said)
    assert last.startswith("cannot be shown" if "not-known" in name else "lacking")


def test_a_pending_renewal_continues_the_certification() -> None:
    found = case("renewal-pending", date(2014, 6, 15))
    [said] = says(found, "provider")
    assert said.startswith("certification in effect, continued until the Board writes")
    assert "chapter 528: continued as 613a, text not held" in says(found, "service")


def test_a_service_out_of_use_is_not_in_force_any_more() -> None:
    found = case("out-of-use-before-the-round", date(2010, 6, 17))
    assert says(found, "service") == ["none recorded in use"]


def test_a_table_of_a_game_that_no_chapter_has() -> None:
    scene = sic_bo()
    scene.lines = [line for line in scene.lines if line.kind != "TableOpened"]
    scene.add(
        "TableOpened", -1800, game="Chuck-a-Luck", layout="L-1", paytable=None, capture="COUNTS"
    )
    found = of(scene)
    assert lines(found, "chapter")[0]["standing"] == "not recorded"
    assert says(found, "approval") == ["no approval of this game"]
    assert "not recorded: no approval of this game" in page(found)


def test_a_table_that_was_never_opened_says_so() -> None:
    scene = sic_bo()
    scene.lines = [line for line in scene.lines if line.kind != "TableOpened"]
    found = of(scene)
    assert says(found, "game") == ["no opening of the table"]
    assert "open ?-?" in page(found)


def test_a_day_or_a_table_without_facts_is_refused() -> None:
    facts = sic_bo().build()
    with pytest.raises(DayUnknown):
        read(facts, date(2030, 1, 1))
    with pytest.raises(DayUnknown):
        read(facts, sic_bo().day, table="XX-01")


@pytest.mark.parametrize("width", [80, 120])
def test_a_day_of_the_floor_is_read_whole(width: int) -> None:
    facts, _ = floor_day()
    day = date(2021, 6, 12)
    found = read(facts, day)
    said = page(found, width=width)
    assert max(map(len, said.splitlines())) <= width
    known = {(fact.stream, fact.seq) for fact in facts}
    for table in in_force_data(found)["tables"]:
        groups = {line["group"] for line in table["lines"]}
        assert {"game", "chapter", "submission", "odds", "limits", "sign", "layout"} <= groups
        assert {"capture", "service", "staff", "camera"} <= groups
        assert table["opened_at"] is not None
        for line in table["lines"]:
            refs = {(ref["stream"], ref["seq"]) for ref in line["facts"]}
            assert refs <= known
            assert line["since"] is None or refs, line
            assert line["since"] is None or line["until"] is None or line["since"] <= line["until"]
    assert "--staff shows their turns" in page(found, width=300)
    assert "dealer D-SB-01-1" in page(found, staff=True)


def test_filed_options_are_told_in_words_and_dollars() -> None:
    said = fact(
        "AsiaPokerOptionsFiled", 1, 0, submission="RS-1", bonus_offered=True, adjacent_areas=False,
        maximum_payout_cents=5_000_000, dealing=[], starting=None,
    )  # fmt: skip
    text = _option(said)
    assert "bonus offered yes" in text
    assert "adjacent areas no" in text
    assert "maximum payout $50,000.00" in text
    assert "starting" not in text
    steps = fact("HouseWayFiled", 1, 0, submission="RS-1", steps=[])
    assert _option(steps) == "house way of 0 steps"


def test_one_table_alone() -> None:
    facts, _ = floor_day()
    found = in_force_data(read(facts, date(2021, 6, 12), table="SB-01"))
    assert [table["table"] for table in found["tables"]] == ["SB-01"]
