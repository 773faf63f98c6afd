"""A fact dated 9998: the night and every command stay with the ledger's own days, and are as quick.

Work is counted in gaming days whose bounds are asked for, never in time.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

from ledger.audit import gaming_days
from ledger.events import Fact
from ledger.floor import FIRST_DAY
from ledger.replay import Replay
from tests.analytics import given
from tests.audit.test_far_dates import DAYS_WALKED, days_walked, noon
from tests.cli.conftest import Command

FAR = date(9998, 5, 5)
OWN = FIRST_DAY.isoformat()


def sent() -> list[Fact]:
    """A day of tables and coupons."""
    return given.facts(scale=0.02, coupons=True)


def typed(stream: str) -> Fact:
    """The last fact of a stream once more, dated years off."""
    last = max((fact for fact in sent() if fact.stream == stream), key=lambda fact: fact.seq)
    return replace(last, seq=last.seq + 1, event_time=noon(FAR))


def test_no_command_means_the_far_day_or_walks_to_it(command: Command, tmp_path: Path) -> None:
    """At a table, in the house's office and of the coupons at once."""
    far = map(typed, ("SB-01", "house", "coupons/finance"))
    floor = given.ledger(tmp_path / "ledger", [*sent(), *far])
    out = tmp_path / "out"
    with days_walked() as walked:
        done = command(
            "night", "--out", out, "--processes", "1", "--ledger", floor, "--format", "json"
        )
        assert done.code in (0, 1), done.err
        assert [path.name for path in out.iterdir() if path.name[:1].isdigit()] == [OWN]
        data = json.loads(next(out.rglob("actions.json")).read_bytes())
        assert "date_far_off" in {one["code"] for one in data}
        (report,) = out.rglob("report.txt")
        assert str(FAR) in report.read_text(encoding="utf-8")
        tables = command("tables", "--ledger", floor, "--format", "json")
        assert {row["gaming_day"] for row in tables.json} == {OWN}
        listed = command("actions", "list", "--ledger", floor, "--format", "json")
        assert {one["gaming_day"] for one in listed.json} == {OWN}
        audit = command("audit", "--ledger", floor, "--format", "json")
        assert audit.json["gaming_day"] == OWN
        rounds = command("rounds", "--ledger", floor, "--format", "json")
        assert {one["gaming_day"] for one in rounds.json} == {OWN}
        for words in (("coupons", "form", "daily"), ("coupons", "reconcile")):
            form = command(*words, "--ledger", floor)
            assert (form.code in (0, 1), OWN in form.out, "9998" in form.out.splitlines()[0]) == (
                True, True, False,
            ), (words, form.err)  # fmt: skip
        forms = command("coupons", "forms", "--out", tmp_path / "forms", "--ledger", floor)
        assert forms.code in (0, 1), forms.err
        assert not [path for path in (tmp_path / "forms").rglob("*") if "9998" in path.name]
        query = "SELECT DISTINCT gaming_day FROM findings ORDER BY 1"
        days = command("sql", query, "--ledger", floor, "--format", "json").json
        assert days[0]["gaming_day"] == OWN
        held = [day.isoformat() for day in gaming_days(Replay.open(floor))]
        assert [row["gaming_day"] for row in days] == held
    assert held == [OWN, FAR.isoformat()]
    assert len(walked) < DAYS_WALKED
