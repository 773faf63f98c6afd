"""The printed law: pages say what the tables hold, and plain data keeps its form."""

import json
from dataclasses import replace

import pytest

from ledger.games import BY_KEY, ROOMS
from ledger.law import (
    Evidence,
    coverage,
    finding_codes,
    obligations,
    other_texts,
    readings,
    sections,
)
from ledger.law.findings import CodeUnknown
from ledger.reports import (
    RoomUnknown,
    codes_text,
    coverage_text,
    explain_text,
    law_coverage,
    law_explain,
    law_readings,
    law_show,
    names,
    readings_text,
    room_named,
    show_text,
)
from ledger.reports.law.coverage import evidence_of, totals
from ledger.reports.law.printed_rows import rows_of, show


def test_what_can_be_shown():
    assert names() == (*BY_KEY, "match_play", "general", "providers", "ledger")


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", names())
def test_a_page_shows_each_section_of_its_chapter_once(name: str):
    chapter, shown = show(name)
    number = chapter.edition.chapter
    assert [s.section for s in shown] == [s for s in sections() if s.partition(".")[0] == number]
    page = show_text(name)
    assert all(page.count(f"\n§ {s.section}  ") == 1 for s in shown)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.key)
def test_a_page_shows_every_row_of_every_table(room):
    shown = [row for section in show(room.key)[1] for row in section.rows]
    tables = [row.table for row in shown]
    assert tables.count("wager") == len(room.wagers)
    assert tables.count("payout") == len(room.payouts)
    assert tables.count("requirement") == len(room.requirements)
    assert tables.count("duty") + tables.count("check") == len(room.duties)
    assert tables.count("multiplier") == (2 if room.key == "dreamcatcher" else 0)
    assert tables.count("ranking") == (9 if room.key == "asia_poker" else 0)
    assert tables.count("doubt") == len(room.taints)
    own = sum(map(tables.count, ("multiplier", "table", "ranking", "doubt")))
    assert len(shown) - own == len(rows_of(room))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dreamcatcher", "The 54 sections, clockwise: 7x, 2, 1, 5,"),
        ("three_dice_football", "A throw is decided in this order: Trips TD (1/36 of throws), turnover"),
        ("three_dice_football", "After a score wagers are settled so: Defense; then"),
        ("props_and_hops", "Hop the Left: which combinations win is filed; at most 11 of the 36 ways"),
        ("asia_poker", "Straight: ranks above three of a kind."),
        ("asia_poker", "Paytable C: Natural straight flush 50 to 1, Four of a kind 25 to 1."),
    ],
)  # fmt: skip
def test_a_page_shows_the_tables_that_only_one_room_has(name: str, said: str):
    assert said in " ".join(show_text(name).split())


def test_a_row_stands_beside_its_section_in_english():
    page = show_text("sic_bo")
    section = page[page.index("§ 539.3(6)") : page.index("§ 539.3(7)")]
    assert " ".join(section.split()) == (
        "§ 539.3(6) Small Bet wager Small Bet wins when the total is 4, 5, 6, 7, 8, 9, 10, but not"
        " when all three dice show the same number; otherwise it loses."
    )
    assert "Three of a Kind pays no less than 150 to 1." in page
    assert "The wager on 40 pays no less than 40 to 1." in show_text("dreamcatcher")


def test_a_page_says_how_its_text_stands():
    assert "lapsed on April 3, 2012. § 625a followed; its text is not held." in show_text("sic_bo")
    assert "No text is known from then to May 25, 2024" in " ".join(
        show_text("dreamcatcher").split()
    )
    assert "In force from August 27, 2016; the text held names no end." in show_text(
        "props_and_hops"
    )
    assert "names no end. § 659a follows it; its text is not held." in show_text("asia_poker")
    assert "In force on every day." in show_text("ledger")


def test_the_other_text_of_chapter_577_is_named_where_its_letters_differ():
    page = " ".join(show_text("three_dice_football").split())
    assert "A further text is held, the compilation of 13 July 2012" in page
    assert (
        "§ 577.2(c) Drop box and tip box in approved places [§ 577.2(e) in the compilation" in page
    )
    (text,) = other_texts("577")
    assert set(text.letters) <= set(sections())
    assert len(text.letters) == 7 + 1 + 2 + 6
    assert law_show("three_dice_football")["other_texts"][0]["letters"]["577.3(b)(6)(vi)"] == (
        "577.3(b)(6)(F)"
    )
    assert law_show("sic_bo")["other_texts"] == []


def test_no_page_leaves_a_section_without_a_word():
    for name in (room.key for room in ROOMS):
        for section in show(name)[1]:
            below = [s for s in sections() if s.startswith(section.section + "(")]
            said = section.rows or section.elsewhere or section.not_modelled
            top = section.section.count(".") == 0 or "(" not in section.section
            assert said or below or top, section.section


def test_a_page_does_not_overflow():
    for name in names():
        assert max(map(len, show_text(name).splitlines())) <= 140


def test_an_unknown_room_is_refused_with_the_names_that_there_are():
    for ask in (law_show, room_named):
        with pytest.raises(RoomUnknown, match="no room 'roulette'") as refused:
            ask("roulette")
        assert refused.value.exit_code == 2
        assert "sic_bo" in str(refused.value.next_step)


def test_the_ledger_contract_shows_its_findings():
    page = show_text("ledger")
    for section, code in (("L.1", "gap"), ("L.2", "conflict"), ("L.7", "fact_after_close")):
        place = page.index(f"§ {section}  ")
        assert f"[{code}]" in page[place : page.find("\n§ ", place) if section != "L.7" else None]


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", names())
def test_plain_data_is_json(name: str):
    data = law_show(name)
    assert json.loads(json.dumps(data)) == data
    assert data["sections"]


def test_the_register_is_printed_whole():
    data = law_readings()
    assert [entry["id"] for entry in data] == list(readings())
    page = readings_text()
    assert all(f"\n{name}  (open" in page for name in readings())
    assert "confirm before reliance" in page
    assert json.loads(json.dumps(data)) == data


def test_coverage_has_the_form_that_scripts_rely_on():
    data = law_coverage()
    assert [entry["obligation"] for entry in data] == [row.id for row in obligations()]
    keys = ["chapter", "obligation", "status", "evidence", "by", "tests", "why"]
    assert all(list(entry) == keys for entry in data)
    assert {entry["status"] for entry in data} == {"modelled", "not modelled"}
    assert {entry["evidence"] for entry in data} == {"computed", "attested", None}
    assert json.loads(json.dumps(data)) == data


def test_totals_count_each_obligation_once_computed_first():
    counts = totals()
    assert sum(sum(kinds.values()) for kinds in counts.values()) == len(coverage())
    assert all(list(kinds) == ["computed", "attested", "not modelled"] for kinds in counts.values())
    assert counts["wager"]["not modelled"] == 0


def test_what_a_person_ticked_off_is_never_computed():
    """Rows that only an inspection, a trial or an approval carries."""
    room = BY_KEY["sic_bo"]
    requirement = room.requirements[0].cite
    entry = next(e for e in coverage() if e.evidence is Evidence.COMPUTED)
    ticked = replace(entry, by=(f"row:{requirement.section}#{requirement.part}".rstrip("#"),))
    assert evidence_of(ticked) is Evidence.ATTESTED
    wager = room.wagers[0].cite
    assert (
        evidence_of(replace(ticked, by=(*ticked.by, f"row:{wager.section}"))) is Evidence.COMPUTED
    )
    assert [e.obligation.id for e in coverage() if evidence_of(e) is not e.evidence] == []


def test_the_lists_are_summed_up_before_each_is_told():
    page = coverage_text()
    table = page[: page.index("Chapter ")].splitlines()
    lists = {e.obligation.chapter for e in coverage()}
    rows = [line.split() for line in table if line.startswith("§ ")]
    assert {row[1] for row in rows} == lists
    (everything,) = [line.split()[2:] for line in table if line.startswith("all lists")]
    sums = [sum(int(row[2 + place]) for row in rows) for place in range(4)]
    assert list(map(int, everything)) == sums
    assert sums[-1] == len(obligations()) == sum(sums[:-1])


def test_coverage_names_each_row_left_out_with_its_reason():
    page = coverage_text()
    for entry in law_coverage():
        if entry["status"] == "not modelled":
            assert entry["obligation"] in page
            assert entry["why"] in page


def test_a_code_is_explained_on_a_page():
    page = explain_text("no_roll_not_called")
    assert " ".join(page.split()).startswith(
        "no_roll_not_called"
        " A die did not lie flat on the bottom of the shaker and no roll was not called."
        " What to do: In Sic Bo all wagers of the round go back: correct what was paid and collected."
        " Elsewhere the wagers stand and the dice are shaken again: see whether they were."
        " It rests on: § 539.7(a) Dice not flat: no roll, and all wagers are returned"
    )
    assert "  § 575.13(a)  " in page
    assert "  § 668a.3(h)  " in page


def test_every_code_can_be_printed():
    for code in finding_codes():
        assert explain_text(code).startswith(f"{code}\n")
        assert json.loads(json.dumps(law_explain(code)))["code"] == code
        assert code in codes_text()


def test_an_unknown_code_is_refused():
    with pytest.raises(CodeUnknown):
        explain_text("nothing_like_it")
