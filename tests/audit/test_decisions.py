"""Decisions that reached the record without the command, and may not count: L.10."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from ledger import events
from ledger.audit import DayAudit, day_of, gaming_days, joined, read_office
from ledger.audit.joined_day import findings_on_notes
from ledger.audit.recorders import of_offices
from ledger.codec import frame
from ledger.floor import FIRST_DAY
from ledger.kernel import FactRef
from ledger.log import Arrival
from ledger.replay import Replay
from tests.engine import judged, log_of, ref, table_day

TABLE = "DC-01"
DAY = FIRST_DAY.isoformat()


@cache
def facts() -> tuple[events.Fact, ...]:
    return table_day(TABLE)


@cache
def settled() -> events.WagerSettled:
    return next(fact for fact in facts() if isinstance(fact, events.WagerSettled))


@cache
def standing_there(role: events.Role) -> str:
    """Who stood at the table in a role when the wager was settled."""
    before = [
        fact
        for fact in facts()
        if isinstance(fact, events.StaffAssigned)
        and fact.role is role
        and fact.stream.startswith(TABLE)
        and fact.event_time <= settled().event_time
    ]
    return max(before, key=lambda fact: fact.event_time).person


def head(by: str | None, number: int = 1, stream: str = "cases/actions") -> dict[str, object]:
    at = settled().event_time + 3_600_000_000
    return {"stream": stream, "seq": number, "event_time": at, "source": "pitledger", "recorded_by": by}  # fmt: skip


def about(subject: str) -> events.ActionAbout:
    one = settled()
    return events.ActionAbout(
        action="0" * 16, for_gaming_day=DAY, code="wager_underpaid", section="689.3", table=TABLE,
        subject=subject, certain=True, first_stream=one.stream, first_seq=one.seq,
        first_time=one.event_time, last_time=one.event_time, findings=1, overpaid_cents=0,
        underpaid_cents=500, evidence=b"", tree_size=1, root=b"",
    )  # fmt: skip


def taken(by: str, subject: str = "") -> events.Fact:
    return events.ActionTaken(**head(by), about=about(subject), taken_by=by, proof=None)  # type: ignore[arg-type]


def noted(by: str, subject: str = "") -> events.Fact:
    return events.ActionNoted(
        **head(by), about=about(subject), note="seen", noted_by=by, proof=None
    )  # type: ignore[arg-type]


def closed(by: str, subject: str = "") -> events.Fact:
    return events.ActionClosed(
        **head(by), about=about(subject), reason="paid", closed_by=by, proof=None
    )  # type: ignore[arg-type]


def put_off(by: str, subject: str = "") -> events.Fact:
    return events.CauseSuppressed(
        **head(by), about="0" * 16, for_gaming_day=DAY, code="wager_underpaid", table=TABLE,
        subject=subject, until=DAY, reason="known", suppressed_by=by, proof=None,
    )  # type: ignore[arg-type]  # fmt: skip


def report(by: str, as_: events.ReportSigner, number: int = 1) -> events.ReportSigned:
    return events.ReportSigned(
        **head(by, number, "cases/reports"), for_gaming_day=DAY, issue=1, signed_as=as_, person=by,
        printed_name="A. Person", signed_time=1, manifest_sha256=b"m" * 32, input_sha256=b"",
        tree_size=1, root=b"", proof=None,
    )  # type: ignore[arg-type]  # fmt: skip


def idle(audit: DayAudit) -> list[str]:
    return [one.sentence for one in audit.findings if one.code == "decision_not_entitled"]


DECIDED: list[Callable[[str, str], events.Fact]] = [taken, closed, put_off]


@pytest.mark.row_by_row
@pytest.mark.parametrize("decided", DECIDED)
@pytest.mark.parametrize("spelt", ["{}", " {} ", "lower"])
def test_l10_who_it_is_about_decides_nothing(
    decided: Callable[[str, str], events.Fact], spelt: str
) -> None:
    floorperson = standing_there(events.Role.FLOORPERSON)
    by = floorperson.lower() if spelt == "lower" else spelt.format(floorperson)
    fact = decided(by, f"person {floorperson}")
    audit = judged([*facts(), fact])
    (finding,) = (one for one in audit.findings if one.code == "decision_not_entitled")
    assert f"{by} is who it is about: nobody decides about themselves" in finding.sentence
    assert (finding.citations[0].section, finding.facts) == ("L.10", (ref(fact),))


@pytest.mark.parametrize("decided", [taken, closed])
def test_l10_who_stood_at_the_table_decides_nothing(decided: Callable[[str], events.Fact]) -> None:
    for role in (events.Role.FLOORPERSON, events.Role.DEALER):
        (sentence,) = idle(judged([*facts(), decided(standing_there(role))]))
        assert "nobody decides about themselves" in sentence
        assert role is events.Role.DEALER or f"supervised at {TABLE} then" in sentence


@pytest.mark.parametrize("decided", [closed, put_off])
def test_l10_the_rank_must_be_high_enough(decided: Callable[[str], events.Fact]) -> None:
    other = "D-99"
    known = events.PersonCredentialled(
        stream="house/more", seq=1, event_time=facts()[0].event_time, source="T", recorded_by=None,
        person=other, department="table games", role=events.Role.DEALER, revoked=False,
    )  # fmt: skip
    (sentence,) = idle(judged([*facts(), known, decided(other)]))
    assert f"{other} is a member; to " in sentence


@pytest.mark.parametrize("decided", [taken, closed, put_off, noted])
def test_l10_in_the_name_of_another_or_without_a_credential(
    decided: Callable[[str], events.Fact],
) -> None:
    assert idle(judged([*facts(), decided("M-1")])) == []
    other = replace(decided("M-1"), recorded_by="M-2")
    (sentence,) = idle(judged([*facts(), other]))
    assert "M-2 recorded it in the name of M-1" in sentence
    audit = judged([*facts(), decided("X-9")])  # told by who recorded it, once
    assert "X-9" in {
        one.observed for one in audit.findings if one.code == "recorder_not_credentialed"
    }
    assert idle(audit) == []
    (sentence,) = idle(judged([*facts(), replace(decided("X-9"), recorded_by=None)]))
    assert "No valid credential for X-9 on this date: it was never recorded" in sentence


def test_l10_preparer_and_approver_of_a_report_are_two_persons() -> None:
    first = report("M-1", events.ReportSigner.PREPARER)
    assert idle(judged([*facts(), first, report("M-2", events.ReportSigner.APPROVER, 2)])) == []
    for same in ("M-1", "m 1", "M1"):
        (sentence,) = idle(judged([*facts(), first, report(same, events.ReportSigner.APPROVER, 2)]))
        assert f"{same} and M-1 are one person" in sentence
    dealer = standing_there(events.Role.DEALER)
    (sentence,) = idle(judged([*facts(), first, report(dealer, events.ReportSigner.APPROVER, 2)]))
    assert f"{dealer} is a member" in sentence


def test_no_other_finding_names_what_a_person_noted() -> None:
    """Who brings a read model forward asks for these findings alone where a note came."""
    notes: list[events.Fact] = [
        replace(decided(by), seq=number, recorded_by=recorder)
        for number, (decided, by, recorder) in enumerate(
            [
                (taken, "M-1", "M-1"),
                (noted, "X-9", "X-9"),  # no credential
                (noted, "X-9", None),
                (closed, standing_there(events.Role.FLOORPERSON), None),  # about themselves
                (put_off, "M-1", "M-2"),  # in another's name
                (noted, "M-1", "M-1"),
                (noted, "M-1", "M-1"),
            ],
            start=1,
        )
    ]
    notes[-2] = replace(notes[-2], event_time=notes[-2].event_time - 10**9)  # out of order
    elsewhere = replace(report("M-1", events.ReportSigner.PREPARER), stream="people/more", seq=1)
    elsewhere = replace(elsewhere, event_time=elsewhere.event_time + 20 * 365 * 86_400 * 10**6)
    odd_key = Arrival(frame(report("M-1", events.ReportSigner.PREPARER)), key=b"cases/others")
    replay = Replay(log_of([*facts(), *notes, elsewhere, odd_key]))
    house, refs = read_office(replay), {*map(ref, [*notes, elsewhere]), FactRef("cases/reports", 1)}
    codes = set()
    for day in gaming_days(replay):
        span = day_of(house.clock, day)
        named = [
            finding
            for finding in joined(replay, house, span, (), (), {}).findings
            if not refs.isdisjoint(finding.facts)
        ]
        streams = {one.stream for one in refs}
        own = [*findings_on_notes(replay, house, span, of_offices(replay, span), streams)]
        assert all(finding in own for finding in named)
        codes |= {finding.code for finding in named}
    assert codes >= {
        "date_far_off", "decision_not_entitled", "key_differs", "out_of_order",
        "recorder_not_credentialed",
    }  # fmt: skip
