"""Amendments in the audit: L.9, the day restated, and the same digest as if it had been said so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest

from ledger.audit import DayAudit, audit_day
from ledger.codec import frame
from ledger.events import Fact, FactAmended, FactsAdded, WagerSettled
from ledger.floor import FIRST_DAY
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay
from tests.engine import floor_day, judged, log_of, ref, table_day

TABLE = "DC-01"


@cache
def facts() -> tuple[Fact, ...]:
    return table_day(TABLE)


def won() -> WagerSettled:
    return next(f for f in facts() if isinstance(f, WagerSettled) and f.winnings_cents)


def amendment(old: Fact, new: Fact | None, number: int = 1, **more: object) -> FactAmended:
    values: dict[str, object] = {
        "stream": "amendments", "seq": number, "event_time": old.event_time + 86_400_000_000, "source": "desk",
        "recorded_by": "M-1", "amended_stream": old.stream, "amended_seq": old.seq,
        "replacement": None if new is None else frame(new), "reason": "typed wrong", "amended_by": "M-1",
        "approved_by": "M-2", "approved_time": None, "file_sha256": None,
        "proof": None, "approval_proof": None,
    }  # fmt: skip
    return FactAmended(**{**values, **more})  # type: ignore[arg-type]


def of_facts(audit: DayAudit) -> list[str]:
    """What is said of anything but the sources of amendments, which no one registered here."""
    return [f"{f.code} {f.facts}" for f in audit.findings if f.stream != "amendments"]


def test_a_wrong_payment_that_was_amended_is_paid_right() -> None:
    right = won()
    wrong = replace(right, winnings_cents=right.winnings_cents + 100)
    recorded = [wrong if fact is right else fact for fact in facts()]
    assert {f.code for f in judged(recorded).findings} == {"wager_overpaid", "win_differs"}
    audit = judged([*recorded, amendment(wrong, right)])
    assert of_facts(audit) == []
    assert [(one.before, one.after) for one in audit.amended] == [(wrong, right)]
    assert judged(recorded).amended == ()


def test_the_digest_is_that_of_the_facts_as_amended() -> None:
    right = won()
    wrong = replace(right, winnings_cents=right.winnings_cents + 100)
    restated = judged([*facts(), amendment(right, wrong)])
    assert restated.digest == judged([wrong if fact is right else fact for fact in facts()]).digest
    assert restated.digest != judged(facts()).digest
    taken_back = judged([*facts(), amendment(right, wrong), amendment(right, right, 2)])
    assert taken_back.digest == judged(facts()).digest
    orders = ([*facts(), amendment(right, wrong)], [amendment(right, wrong), *facts()])
    assert len({judged(order).digest for order in orders}) == 1


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"approved_by": None}, "amendment_not_approved"),
        ({"approved_by": "M-1"}, "amendment_not_approved"),
        ({"approved_by": "m_1 "}, "amendment_not_approved"),
        ({"approved_by": "M1"}, "amendment_not_approved"),
        ({"approved_by": "E-2"}, "amendment_not_entitled"),
        ({"approved_by": "D-DC-01-1"}, "amendment_not_entitled"),
        ({"replacement": b"\x00"}, "amendment_unusable"),
        ({"amended_seq": 999_999}, "amendment_of_nothing"),
    ],
)
def test_l9_one_that_changes_nothing(more: dict[str, object], code: str) -> None:
    one = won()
    changes = {**more, "event_time": one.event_time + 1}
    audit = judged([*facts(), amendment(one, None, **changes)])
    found = [f for f in audit.findings if f.code.startswith("amendment_")]
    assert [(f.code, f.citations[0].section, f.certainty) for f in found] == [
        (code, "L.9", "broken")
    ]
    assert found[0].facts[-1].stream == "amendments"
    assert audit.amended == ()
    others = {f.code for f in audit.findings} - {code}
    assert others <= {"control_total_differs", "source_not_registered"}  # of that stream


def test_l9_an_approval_that_nobody_can_check_counts_and_is_told() -> None:
    one = won()
    people = ("PersonCredentialled", "CredentialDescribed")
    kept = [fact for fact in facts() if type(fact).__name__ not in people]
    wrong = replace(one, winnings_cents=one.winnings_cents + 100)
    audit = judged([*kept, amendment(one, wrong)])
    (found,) = (f for f in audit.findings if f.code == "approval_not_checked")
    assert (found.citations[0].section, found.certainty) == ("L.9", "unknown")
    assert audit.amended
    assert audit.unchecked > 100


def test_l9_an_addition_needs_a_second_person() -> None:
    one = won()
    added = FactsAdded(
        stream="cases/additions", seq=1, event_time=one.event_time + 1, source="pitledger",
        recorded_by="M-1", added_stream=one.stream, first_seq=one.seq, last_seq=one.seq,
        reason="typed from the log", added_by="M-1", approved_by="M-2", approved_time=None,
        file_sha256=None,
        proof=None,
        approval_proof=None,
    )  # fmt: skip
    codes = {
        approver: {
            f.code
            for f in judged([*facts(), replace(added, approved_by=approver)]).findings
            if f.code.startswith(("addition", "approval"))
        }
        for approver in ("M-2", "M-1", "m 1", "E-2", "D-DC-01-1", None)
    }
    assert codes == {"M-2": set()} | {
        one: {"addition_not_approved"} for one in ("M-1", "m 1", "E-2", "D-DC-01-1", None)
    }


def test_l9_is_told_on_the_day_of_the_fact() -> None:
    two, _ = floor_day(days=2)
    one = next(f for f in two if isinstance(f, WagerSettled))
    late = amendment(one, None, approved_by=None)  # made on the second day
    replay = Replay(log_of([*two, late]))
    first, second = (audit_day(replay, FIRST_DAY + timedelta(days=n)) for n in (0, 1))
    assert [f.facts for f in first.findings if f.code == "amendment_not_approved"] == [
        (ref(one), ref(late))
    ]
    assert "amendment_not_approved" not in {f.code for f in second.findings}


def _audits(folder: Path, appended: Iterable[Fact], *, carried: bool) -> list[DayAudit]:
    with open_log(folder) as log:
        log.append([Arrival(frame(one)) for one in appended], 2)
    replay = Replay.open(folder)
    cache_folder = folder / "cache" / "carried" if carried else None
    return [audit_day(replay, FIRST_DAY + timedelta(days=n), carried=cache_folder) for n in (0, 1)]


@pytest.mark.full
def test_carried_states_do_not_outlive_an_amendment(tmp_path: Path) -> None:
    two, _ = floor_day(days=2)
    opened = next(f for f in two if type(f).__name__ == "LimitsSet")
    for name in ("carried", "plain"):
        init(tmp_path / name, origin="engine.example", property="Example", record_time=1)
        _audits(tmp_path / name, two, carried=name == "carried")
    change = amendment(opened, None)
    with_states = _audits(tmp_path / "carried", [change], carried=True)
    without = _audits(tmp_path / "plain", [change], carried=False)
    assert [one.digest for one in with_states] == [one.digest for one in without]
    again = _audits(tmp_path / "carried", [], carried=True)
    assert [one.digest for one in again] == [one.digest for one in without]
    processes = audit_day(Replay.open(tmp_path / "plain"), FIRST_DAY, processes=2)
    assert (processes.digest, processes.amended) == (without[0].digest, without[0].amended)
