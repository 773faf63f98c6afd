"""The page of the shift: what the watch tells, open actions by gravity and footage, capture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from ledger.analytics import JudgedTables, open_projection
from ledger.audit import DayAudit
from ledger.casework import ActionStatus, DayActions, seen_in
from ledger.casework.action_facts import head, registered_streams, registrations
from ledger.casework.action_status import about
from ledger.cli import main
from ledger.cli.shift import logged
from ledger.codec import frame
from ledger.events import ActionTaken, ActProof, Fact, ProofKind, ShiftLogged
from ledger.log import Arrival, open_log
from ledger.log.keys import key_beside
from ledger.web.views import shift
from tests.chromium import executable
from tests.web.conftest import DAY, Served, cheap, copied
from tests.web.test_in_browser import Visitor, serving


@pytest.fixture
def folder(desk_ledger: Path, tmp_path: Path) -> Path:
    return copied(desk_ledger, tmp_path)


@pytest.fixture
def desk(folder: Path, no_key: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    cheap(monkeypatch)
    served = Served(folder)
    yield served
    served.record.close()


def watch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Say what can be said now, as `pitledger watch --once` does."""
    with monkeypatch.context() as patch:
        patch.setenv("PITLEDGER_KEY", str(key_beside(folder)))
        assert main(["watch", "--once", "--ledger", str(folder)]) in (0, 1)


def test_findings_stand_there_as_the_watch_tells_them(
    desk: Served, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = desk.signed_in("SS-1")
    before, stamp = browser.get("/shift").text, desk.record.stamp()
    assert "No watch is running" in before
    assert "As they come" not in before
    watch(folder, monkeypatch)
    assert desk.record.stamp() != stamp  # so that open pages are told
    page = browser.get("/shift").text
    live = page.partition("As they come")[2].partition("Open actions")[0]
    assert "SB-01:517" in live
    assert "The house took" in live
    document = browser.get("/shift.json").json()["watch"]
    assert [notice["code"] for notice in document["findings"]] == ["wrong_outcome"]
    assert document["behind"] == 0


@pytest.mark.parametrize("harm", ["forged", "cut", "foreign"])
def test_what_no_key_vouches_for_is_not_told(
    desk: Served, folder: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    watch(folder, monkeypatch)
    path = folder / "cache" / "watch" / "told"
    sealed = path.read_bytes()
    assert b"The house took" in sealed
    path.write_bytes(
        {
            "forged": sealed.replace(b"The house took", b"Our friend took"),
            "cut": sealed[: len(sealed) // 2],
            "foreign": b"\xff" * 5_000,
        }[harm]
    )
    page = desk.signed_in("SS-1").get("/shift")
    assert page.status_code == 200
    assert "As they come" not in page.text
    assert "Our friend" not in page.text


def test_open_actions_stand_by_gravity_and_by_the_end_of_their_footage(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    page = browser.get("/shift").text
    actions = page.partition("<h2>Open actions")[2].partition("<h2>")[0]
    assert "1 wager settled the wrong way" in actions
    assert "over since Jul 12, 2021" in actions  # the day is of 2021, and kept for 30 days
    assert "/cases/new?action=" in actions
    (own,) = browser.get("/shift.json").json()["actions"]
    assert own["severity"] == "high"
    assert desk.signed_in("BA-1").get("/shift").text.count("/cases/new?action=") == 0
    desk.clock.at = 1_623_600_000_000_000  # June 13, 2021: recordings are still kept
    browser = desk.signed_in("SS-1")
    assert "over since" not in browser.get("/shift").text


def test_an_action_that_is_closed_or_put_off_is_not_open(
    desk: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = desk.signed_in("SS-1")
    with_acts = shift.with_acts
    for changes in (
        {"status": ActionStatus.CLOSED},
        {"suppressed_until": date(2031, 1, 1)},
    ):

        def changed(*words, changes=changes, **options):
            day = with_acts(*words, **options)
            return replace(day, actions=tuple(replace(each, **changes) for each in day.actions))

        monkeypatch.setattr(shift, "with_acts", changed)
        desk.record._of_days.clear()
        assert (
            "Every action of the last gaming days is closed or put off"
            in browser.get("/shift").text
        )


def recorded(folder: Path, *facts: Fact) -> None:
    """Append facts, and bring the read model forward, as two other processes do."""
    with open_log(folder, key=key_beside(folder)) as log:
        log.append_whole([Arrival(frame(fact)) for fact in facts], facts[-1].event_time)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PITLEDGER_KEY", str(key_beside(folder)))
        open_projection(folder)


def test_a_note_leaves_the_list_of_actions_and_an_act_is_laid_beside_it(
    desk: Served, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither has a day audited again; what the page says is what a desk says that begins then."""
    browser, at = desk.signed_in("SS-1"), desk.clock.at
    (before,) = browser.get("/shift.json").json()["actions"]
    audited: list[date] = []
    plain = JudgedTables.audit

    def noting(self: JudgedTables, day: date, **options: int) -> DayAudit:
        audited.append(day)
        return plain(self, day, **options)

    monkeypatch.setattr(JudgedTables, "audit", noting)
    proof = ActProof(how=ProofKind.PASS_PHRASE, signature=None)
    with desk.record.present() as record:
        replay, house = record.replay, record.judged.record
        (action,) = seen_in(replay, house, plain(record.judged, DAY), 30).actions
        words = {"entry": "quiet", "logged_by": "SS-1"}
        note = logged(ShiftLogged, replay, words, "SS-1", at)
        first = [*registrations(replay, registered_streams(replay), "SS-1", at, note.stream)]
    recorded(folder, *first, note)
    browser.get("/shift")  # that the ledger writes this stream is no note: all is read again
    audited.clear()
    recorded(folder, replace(note, seq=note.seq + 1, event_time=at + 1))
    assert browser.get("/shift.json").json()["actions"] == [before]
    laid: list[date] = []
    plain_acts = shift.with_acts

    def laying(*words: Any) -> DayActions:
        laid.append(words[2].gaming_day)
        return plain_acts(*words)

    monkeypatch.setattr(shift, "with_acts", laying)
    with desk.record.present() as record:
        own = head(record.replay, "SS-1", at + 2)
        taken = ActionTaken(**own, about=about(action, record.replay), taken_by="SS-1", proof=proof)
    recorded(folder, taken)
    assert browser.get("/shift.json").json()["actions"] == [before]  # it is for table games
    assert (laid, audited) == ([DAY], [])
    fresh = Served(folder)
    assert fresh.signed_in("SS-1").get("/shift.json").json()["actions"] == [before]
    fresh.record.close()


def test_each_table_says_what_it_records(desk: Served) -> None:
    browser = desk.signed_in("IA-1")
    page = browser.get("/shift").text.partition("What the tables record")[2]
    for table, words in (("SB-01", "every wager and settlement"), ("SB-03", "results only")):
        row = re.search(rf"<tr><th scope=\"row\">[^/]*{table}.*?</tr>", page)
        assert row is not None, table
        assert words in row[0]
    assert browser.get("/shift.json").json()["capture"]["SB-03"] == "outcome"


def test_while_the_read_model_is_behind_a_day_is_not_judged_for_each_entry(desk: Served) -> None:
    derived = []
    with desk.record.present() as record:
        day = record.gaming_days()[0]
        for size in (record._model_size, record._model_size - 1, record._model_size - 1):
            record._model_size = size
            for _ in range(2):
                record.of_day("x", day, lambda: derived.append(1), may_lag=True)
    assert len(derived) == 2  # as it stood, and once for the state of a model that is behind


def test_an_open_page_marks_what_came_without_being_asked(
    desk: Served, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Served(folder, hosts=("127.0.0.1",))
    with serving(served) as base, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox"], headless=True
        )
        visitor = Visitor(chromium, base, "IA-1")
        visitor.page.goto(f"{base}/shift")
        assert "As they come" not in visitor.page.inner_text("main")
        watch(folder, monkeypatch)
        visitor.page.wait_for_selector("tr.fresh", timeout=15_000)
        assert visitor.page.inner_text("#arrived") == "One line is new."
        assert "SB-01:517" in visitor.page.inner_text("tr.fresh")
        assert visitor.wrong == []
        chromium.close()
