"""Who holds a credential, of which rank, and who may do what: act × role × relation."""

from __future__ import annotations

import pytest

from ledger import events
from ledger.law import acts
from ledger.replay import Holding, Roster, person_key, roster_of

NOW = 1_000
"""When everybody acts; credentials are recorded from 10 on."""
DECIDING = ("take", "close", "suppress", "approve", "prepare report", "approve report")
DEPARTMENT = "table games"


def held(
    person: str,
    department: str = DEPARTMENT,
    role: events.Role | None = events.Role.FLOORPERSON,
    *,
    at: int = 10,
    revoked: bool = False,
) -> tuple[int, events.Fact]:
    fact = events.PersonCredentialled(
        stream="house", seq=at, event_time=at, source="T", recorded_by=None, person=person,
        department=department, role=role, revoked=revoked,
    )  # fmt: skip
    return at, fact


def described(
    person: str,
    *,
    at: int = 20,
    rank: events.StaffRank | None = None,
    name: str | None = None,
    same: str | None = None,
    ends: int | None = None,
) -> tuple[int, events.Fact]:
    fact = events.CredentialDescribed(
        stream="house", seq=at, event_time=at, source="T", recorded_by=None, person=person,
        rank=rank, printed_name=name, same_person_as=same, expires_time=ends,
    )  # fmt: skip
    return at, fact


def full() -> Roster:
    return roster_of(
        [
            held("F-1"),
            held("F-2"),
            held("D-1", role=events.Role.DEALER),
            held("M-1", role=events.Role.SHIFT_MANAGER),
            held("N-1", role=None),
            held("K-1", "FINANCE"),
            held("R-1"),
            held("R-1", at=30, revoked=True),
            held("E-1"),
            described("E-1", ends=500),
            held("F-1B"),
            described("F-1B", same="F-1", name="Ada Example"),
        ]
    )


# fmt: off
CASES = [
    #  who          concerned                     why it is barred, None where it is not
    ("F-2",         {},                           None),
    ("M-1",         {},                           None),
    (" f_2 ",       {},                           None),
    ("F-2",         {"F-2": "dealt"},             "F-2 dealt: nobody decides about themselves"),
    ("F-2",         {"F-2": "supervised"},        "F-2 supervised: nobody decides about themselves"),
    ("F-2",         {"F-2": "signed"},            "F-2 signed: nobody decides about themselves"),
    ("f-2",         {"F-2": "dealt"},             "f-2 dealt: nobody decides about themselves"),
    ("Ｆ－２",       {"F-2": "dealt"},             "Ｆ－２ dealt: nobody decides about themselves"),
    ("F-2\u200b",   {"F-2": "dealt"},             "F-2\u200b dealt: nobody decides about themselves"),
    ("F2",          {"F-2": "dealt"},             "F2 dealt: nobody decides about themselves"),
    ("F-1B",        {"F-1": "dealt"},             "F-1B dealt: nobody decides about themselves"),
    ("R-1",         {},                           "No valid credential for R-1 on this date: it was revoked"),
    ("E-1",         {},                           "No valid credential for E-1 on this date: it has expired"),
    ("X-9",         {},                           "No valid credential for X-9 on this date: it was never recorded"),
]
# fmt: on


@pytest.mark.row_by_row
@pytest.mark.parametrize("act", DECIDING)
@pytest.mark.parametrize(("person", "concerned", "why"), CASES)
def test_who_may_decide(act: str, person: str, concerned: dict[str, str], why: str | None) -> None:
    bar = full().bar(acts()[act], person, NOW, department=DEPARTMENT, concerned=concerned)
    assert (bar and bar.why) == why


@pytest.mark.parametrize("act", ["close", "suppress", "approve", "approve report"])
def test_the_rank_must_be_stated_and_high_enough(act: str) -> None:
    row = acts()[act]
    low = full().bar(row, "D-1", NOW, department=DEPARTMENT)
    assert low is not None
    assert low.why.startswith("D-1 is a member; to ")
    unknown = full().bar(row, "N-1", NOW, department=DEPARTMENT)
    assert unknown is not None
    assert unknown.why.startswith("The record states no rank for N-1")


@pytest.mark.parametrize("act", ["take", "close", "suppress"])
def test_only_the_department_addressed_decides(act: str) -> None:
    bar = full().bar(acts()[act], "K-1", NOW, department=DEPARTMENT)
    assert bar is not None
    assert bar.why == "K-1 is of finance; this is for table games"
    assert full().bar(acts()[act], "K-1", NOW, department="Finance") is None


def test_anybody_with_a_credential_may_write_a_note_even_whom_it_concerns() -> None:
    assert full().bar(acts()["note"], "D-1", NOW, concerned={"D-1": "dealt"}) is None
    assert full().bar(acts()["note"], "X-9", NOW) is not None


@pytest.mark.parametrize("first", ["F-2", "f-2", "F 2", "F2"])
def test_the_second_person_is_another_person(first: str) -> None:
    bar = full().bar(acts()["approve"], "F-2", NOW, others=[first])
    assert bar is not None
    assert "are one person; a second person is needed" in bar.why
    assert full().bar(acts()["approve"], "F-2", NOW, others=["F-1"]) is None
    again = full().bar(acts()["approve"], "F-1B", NOW, others=["F-1"])
    assert again is not None
    assert "one person" in again.why


def test_without_a_roster_nothing_is_checked_and_spellings_still_count() -> None:
    nobody = Roster()
    assert not nobody.is_known
    assert nobody.holding("F-1", NOW) is Holding.UNKNOWN
    assert nobody.bar(acts()["close"], "F-1", NOW, department=DEPARTMENT) is None
    assert nobody.require(acts()["close"], "F-1", NOW, department=DEPARTMENT) is False
    assert full().require(acts()["close"], "F-2", NOW, department=DEPARTMENT) is True
    assert nobody.bar(acts()["close"], "F-1", NOW, concerned={"f1": "dealt"}) is not None


def test_a_credential_holds_from_its_fact_to_its_end() -> None:
    roster = full()
    assert roster.holding("E-1", 499) is Holding.HELD
    assert roster.holding("E-1", 500) is Holding.EXPIRED
    assert roster.holding("R-1", 29) is Holding.HELD
    assert roster.holding("R-1", 30) is Holding.REVOKED
    assert roster.holding("F-1", 9) is Holding.UNKNOWN  # nobody's credential was recorded yet
    assert roster.held_until("E-1", 25) == (500, Holding.HELD)
    assert roster.held_until("R-1", 12) == (30, Holding.HELD)


def test_a_name_beside_a_credential_is_that_of_the_record() -> None:
    assert full().name_differs("F-1B", "ada  EXAMPLE", NOW) is None
    assert full().name_differs("F-1B", "Bea Example", NOW) == "Ada Example"
    assert full().name_differs("F-2", "Anybody", NOW) is None  # the record has no name


def test_a_later_rank_counts_from_its_fact_on() -> None:
    facts = [held("N-1", role=None), described("N-1", at=50, rank=events.StaffRank.MANAGER)]
    roster = roster_of(facts)
    assert [roster.rank("N-1", at) for at in (40, 60)] == [None, "manager"]


def test_separators_tell_two_recorded_credentials_apart() -> None:
    roster = roster_of([held("D-1-11"), held("D-11-1")])
    assert not roster.are_one("D-1-11", "D-11-1")
    assert person_key("D-1-11") != person_key("D-11-1")
