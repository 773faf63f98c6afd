"""What a round's page says of the table then, and of what recordings tell."""

from __future__ import annotations

import pytest

from ledger.audit.in_force import in_force
from ledger.replay import Replay
from ledger.reports.round_accounts import AccountRow
from ledger.web.table_then import held_during, offset_words
from ledger.web.views import round_of_play
from tests.web.conftest import Served

ROUND = "SB-01:517"


def test_who_and_what_was_at_the_table_is_what_the_facts_say(desk: Served) -> None:
    with desk.record.present() as record:
        seen = record.round(ROUND)
        shown = held_during(record, seen)
    opened, ended = seen.result.opened_at, seen.ends_at
    table = in_force(Replay.open(desk.settings.folder), seen.result.gaming_day, table="SB-01")
    spans = [
        span
        for span in table.tables[0].spans
        if span.begins <= ended and (span.ends is None or span.ends >= opened)
    ]
    assert len(shown) == sum(span.kind != "camera" for span in spans)
    dealers = [span for span in spans if span.kind == "staff"]
    assert dealers
    page = desk.signed_in("SS-1").get(f"/round/{ROUND}").text
    section = page.partition('id="then"')[2].partition("</section>")[0]
    for span in dealers:
        assert span.fact.person in section
    assert "shaker, since" in section
    assert "Limits, signs and devices" in section
    for source in {step.fact.source for step in seen.steps}:
        assert f"Clock of {source}" in section or f"<bdi>{source}" in section


def test_what_a_recording_tells_otherwise_is_marked(
    desk: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = AccountRow(subject="throw <1>", terminal="2 2 4", dealer="2 2 4", tapes=("2 2 5",),
                     differs=True)  # fmt: skip
    monkeypatch.setattr(round_of_play, "account_rows", lambda _seen: iter([row]))
    page = desk.signed_in("SS-1").get(f"/round/{ROUND}").text
    section = page.partition('id="accounts"')[2].partition("</section>")[0]
    assert '<span class="mark">≠</span>' in section
    assert "throw &lt;1&gt;" in section
    assert section.count("2 2 4") == 2


def test_a_round_that_no_recording_was_watched_of_has_no_accounts(desk: Served) -> None:
    assert 'id="accounts"' not in desk.signed_in("SS-1").get(f"/round/{ROUND}").text


def test_a_clock_that_is_off_by_next_to_nothing_is_in_step() -> None:
    for offset in (-999, 0, 999):
        assert offset_words(offset, is_off=False) == "in step when last checked"
    assert offset_words(1_000, is_off=False) == "0.001 s ahead when last checked"
    beyond = offset_words(-400_000, is_off=True)
    assert beyond == "0.400 s behind when last checked, more than is allowed"
