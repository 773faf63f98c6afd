"""What a report leans on: takings of month and year, and actions of earlier nights still open."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ledger.audit import read_office
from ledger.casework import Action, actions_of, close
from ledger.log.signed_file_index import Seals
from ledger.night import run_night, run_nights
from ledger.night.earlier_reports import NONE, EarlierReports, periods_of, read_earlier_reports
from ledger.night.errors import IssueDamaged
from ledger.replay import Replay
from ledger.reports.night import Takings
from tests.night import scene
from tests.night.scene import CLOSED_AT, DAY
from tests.night.test_actions_of_a_night import append

NEXT = date(2021, 3, 16)
A_DAY = 86_400_000_000


def takings(day: date, cents: int | None) -> Takings:
    """A day with a drop and nothing else."""
    return Takings(first=day, last=day, days=1, drop_cents=cents)


def sums(day: date, *before: Takings) -> list[int | None]:
    """Drop of the day before, of month and year; the day itself has 1.00."""
    plain = EarlierReports(takings={one.last: one for one in before}).plain()
    found = periods_of(plain, day, takings(day, 100))
    return [None if one is None else one.drop_cents for one in found]


def test_month_and_year_begin_where_the_calendar_has_them() -> None:
    """A day of another month counts for the year only; nothing earlier is not recorded."""
    march, february = takings(date(2021, 3, 14), 20), takings(date(2021, 2, 28), 3)
    assert sums(DAY, march, february) == [20, 120, 123]
    assert sums(DAY) == [None, None, None]
    assert sums(DAY, takings(date(2021, 3, 1), None)) == [None, 100, 100]
    assert sums(date(2021, 3, 1), february) == [3, 100, 103]
    assert sums(date(2021, 1, 1)) == [None, 100, 100]


def test_the_reports_of_the_days_before_are_read_and_named(tmp_path: Path) -> None:
    """The second night knows the first one's figures and its open actions, by its manifest."""
    ledger, out = scene.ledger(tmp_path / "ledger", scene.two_days()), tmp_path / "out"
    first, second = run_nights(ledger, [DAY, NEXT], out=out, processes=1)
    told = second.issue.manifest["earlier"]
    assert [one["manifest"] for one in told["reports"]] == [first.issue.digest.hex()]
    assert [one["last"] for one in told["takings"]] == [str(DAY)]
    waiting = len(first.actions)
    assert told["open"] == [[str(DAY), waiting]]
    page = (second.issue.path / "report.html").read_text(encoding="utf-8")
    assert f"{waiting} more from earlier nights" in page
    assert first.issue.manifest["earlier"] == NONE.plain()
    assert "earlier nights not recorded" in (first.issue.path / "report.txt").read_text()


def test_an_action_that_was_closed_is_not_open(tmp_path: Path) -> None:
    """One closed after its report is taken off; the others still wait."""
    ledger, out = scene.ledger(tmp_path / "ledger", scene.two_days()), tmp_path / "out"
    waiting = len(run_night(ledger, DAY, out=out, processes=1).actions)
    replay = Replay.open(ledger)
    (action,) = [one for one in actions_of(replay, DAY).actions if one.code == "wager_underpaid"]
    at = CLOSED_AT + A_DAY
    append(ledger, close(replay, read_office(replay), action, "paid", "P-1", at), at)
    found = run_night(ledger, NEXT, out=out, processes=1).issue.manifest["earlier"]
    assert found["open"] == [[str(DAY), waiting - 1]]


def test_a_report_that_was_damaged_is_not_leant_on(tmp_path: Path) -> None:
    """Figures of a file that is not what was issued never reach another report."""
    ledger, out = scene.ledger(tmp_path / "ledger", scene.two_days()), tmp_path / "out"
    issue = run_night(ledger, DAY, out=out, processes=1).issue
    (issue.path / "tables.json").write_bytes(b"[]")
    nothing: tuple[Action, ...] = ()
    with pytest.raises(IssueDamaged):
        read_earlier_reports(out, NEXT, Seals.of(ledger), nothing)
