"""The pages of the law and of the ledger: what they show, against what they show it of."""

from __future__ import annotations

import re
from fractions import Fraction

from ledger.log import read_log
from tests.web.conftest import Served


def test_a_chapter_s_rows_stand_beside_its_sections(desk: Served) -> None:
    page = desk.signed_in("IA-1").get("/law/sic_bo").text
    section = page.partition('id="s539.1(b)"')[2].partition("</section>")[0]
    assert "An approved electrical device into which the dice are entered" in section
    assert "a device into which the dealer enters each die" in section
    assert 'href="/law/interpretations#failure-before-the-result"' in section
    assert "<p>Each Sic Bo table must have an electrical device" in section
    sheet = desk.signed_in("IA-1").get("/law/sic_bo.csv").text
    assert "Each Sic Bo table must have an electrical device" in sheet


def test_each_section_of_a_round_leads_to_its_text(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    page = browser.get("/round/SB-01:517").text
    links = re.findall(r'<dt><a href="(/law/[a-z_]+)#(s[^"]+)">', page)
    assert ("/law/sic_bo", "s539.6(b)") in links
    for address, anchor in links:
        section = (
            browser.get(address).text.partition(f'id="{anchor}"')[2].partition("</section>")[0]
        )
        assert "<p>" in section, anchor


def test_interpretations_say_question_answer_others_and_effect(desk: Served) -> None:
    page = desk.signed_in("IA-1").get("/law/interpretations").text
    own = page.partition('id="touchdown-at-zero"')[2].partition("</section>")[0]
    assert "A touchdown is made when the marker reaches 0 or goes beyond." in own
    assert "Or: The marker must go beyond 0." in own
    assert "favours the player" in own


def test_odds_are_those_that_were_found_elsewhere(desk: Served) -> None:
    """House edges of Sic Bo as published: Small 1/36, One of a Kind 17/216 (house style, 8)."""
    lines = desk.signed_in("IA-1").get("/law/sic_bo/odds.json").json()
    edges = {line["wager"]: Fraction(line["house_edge"]) for line in lines if line["house_edge"]}
    assert edges["Small Bet"] == Fraction(1, 36)
    assert edges["One of a Kind"] == Fraction(17, 216)


def test_coverage_adds_up_and_gives_a_reason_for_what_is_not_modelled(desk: Served) -> None:
    browser = desk.signed_in("IA-1")
    rows = browser.get("/law/coverage.json").json()
    missing = [row for row in rows if row["status"] == "not modelled"]
    assert missing
    assert all(row["why"] for row in missing)
    page = browser.get("/law/coverage").text
    assert f"Not modelled, and why <small>{len(missing)}</small>" in page


def test_entries_are_listed_and_acts_with_cases_are_not_told(desk: Served) -> None:
    browser = desk.signed_in("IA-1")
    last = browser.get("/ledger/entries.json").json()
    size = read_log(desk.settings.folder).size
    assert last["tree_size"] == size
    assert [row["position"] for row in last["entries"]] == list(range(size - 50, size))
    assert "enrolled_by" not in str(last)
    assert "not shown here" in str(last)
    first = browser.get("/ledger/entries?from=0").text
    assert 'href="/ledger/49"' in first
    assert 'href="/ledger/entries?from=50"' in first
    assert browser.get(f"/ledger/entries?from={size}").text.count("has no entry there") == 1


def test_an_entry_is_told_in_words_without_its_patron(desk: Served) -> None:
    browser = desk.signed_in("IA-1")
    with desk.record.present() as record:
        wager = record.round("SB-01:517").result.wagers[0]
        position = record.position_of(wager.placed)
    page = browser.get(f"/ledger/{position}").text
    assert f"{wager.wager_id}: " in page
    assert " by Patron A" in page
    assert wager.patron not in page
    assert "June 12, 2021, " in page
    assert f'href="/round/{str(wager.placed).replace(":", "%3A")}"' in page
    with desk.record.present() as record:
        last = record.replay.size - 1
    assert 'class="verdict"' not in browser.get(f"/ledger/{last}").text  # an act with a person


def test_a_schema_says_what_each_field_holds(desk: Served) -> None:
    page = desk.signed_in("IT-1").get("/ledger/schemas/WagerPlaced").text
    assert "stake_cents" in page
    assert (
        'href="/ledger/schemas/WagerPlaced"' in desk.signed_in("IT-1").get("/ledger/schemas").text
    )
