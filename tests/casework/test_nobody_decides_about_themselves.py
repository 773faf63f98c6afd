"""Every act × everyone who may stand in some relation to what it is about: by command and on record.

A person whom the command refuses decides nothing where the same act arrives as a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from ledger.audit import HouseRecord, read_office
from ledger.casework import (
    Action,
    ActionRefused,
    ActionStatus,
    CredentialNotHeld,
    NotEntitled,
    actions_of,
    close,
    note,
    suppress,
    take,
)
from ledger.events import Fact
from ledger.kernel import Severity
from ledger.replay import Replay
from tests.cli.given import told
from tests.cli.test_people import facts
from tests.engine import log_of

DAY = date(2021, 3, 15)
AT = 1_700_000_000_000_000
"""When everybody acts: long after the day."""
Act = Callable[[Replay, HouseRecord, Action, str], tuple[Fact, ...]]

ACTS: dict[str, Act] = {
    "take": lambda replay, house, action, by: take(replay, house, action, by, AT),
    "note": lambda replay, house, action, by: note(replay, house, action, "seen", by, AT),
    "close": lambda replay, house, action, by: close(replay, house, action, "paid", by, AT),
    "put off": lambda replay, house, action, by: suppress(
        replay, house, action, DAY, "known", by, AT
    ),
}
WHO_DID = {"take": "taken_by", "note": "noted_by", "close": "closed_by", "put off": "suppressed_by"}

# Who they are; of what they may do, the acts in the order of ``ACTS``: take, note, close, put off.
# fmt: off
MATRIX = [
    #  person     relation                                              take   note   close  put off
    ("D-1",      "whom it is about",                                    (False, True,  False, False)),
    ("d-1",      "whom it is about, in small letters",                  (False, True,  False, False)),
    ("\uff24-1", "whom it is about, in wide letters",                   (False, True,  False, False)),
    ("D1",       "whom it is about, without the separator",             (False, False, False, False)),
    ("D-1B",     "whom it is about, by another credential",             (False, True,  False, False)),
    ("F-1",      "who supervised the table",                            (False, True,  False, False)),
    ("f_1",      "who supervised the table, otherwise written",         (False, True,  False, False)),
    ("F-1B",     "who supervised the table, by another credential",     (False, True,  False, False)),
    ("S-1",      "who recorded what it is about",                       (False, True,  False, False)),
    ("S-2",      "who added what it is about",                          (False, True,  False, False)),
    ("F-2C",     "who approved that addition",                          (False, True,  False, False)),
    ("K-1",      "a manager of another department",                     (False, True,  False, False)),
    ("X-9",      "nobody on the roster",                                (False, False, False, False)),
    ("R-1",      "whose credential was revoked",                        (False, False, False, False)),
    ("E-1",      "whose credential has expired",                        (False, False, False, False)),
    ("D-2",      "another dealer",                                      (True,  True,  False, False)),
    ("F-2",      "another supervisor",                                  (True,  True,  True,  True)),
    ("f 2",      "another supervisor, otherwise written",               (True,  True,  True,  True)),
]
SECOND = [
    #  person    may be the second after F-2
    ("F-2",      False),
    ("F-2B",     False),
    ("f 2",      False),
    ("F2",       False),
    ("F-3",      True),
    ("D-1",      False),
    ("F-1B",     False),
    ("S-1",      False),
    ("D-2",      False),
    ("K-1",      False),
    ("X-9",      False),
    ("R-1",      False),
    ("E-1",      False),
]
# fmt: on


@cache
def sent() -> tuple[Fact, ...]:
    """The small day; who recorded and who added the settlement are supervisors, too."""
    floor = {"department": "table games", "role": "FLOORPERSON", "revoked": False}
    more = told(
        "people/more",
        *(
            (-3500, "PersonCredentialled", {**floor, "person": person})
            for person in ("D-1B", "S-1", "S-2", "F-2C")
        ),
        (-3400, "CredentialDescribed", {"person": "D-1B", "same_person_as": "D-1"}),
    )
    day = [
        replace(one, recorded_by="S-1") if (one.stream, one.seq) == ("SB-01", 16) else one
        for one in facts()
    ]
    added = {"added_stream": "SB-01", "first_seq": 16, "last_seq": 16, "reason": "from the log"}
    people = {"added_by": "S-2", "approved_by": "F-2C", "recorded_by": "S-2"}
    return (*day, *more, *told("cases/additions", (3000, "FactsAdded", {**added, **people})))


def seen(more: Iterable[Fact] = ()) -> tuple[Replay, HouseRecord, Action]:
    """The ledger, and the action about the unpaid wager."""
    replay = Replay(log_of([*sent(), *more]))
    house = read_office(replay)
    of_day = actions_of(replay, DAY, house=house)
    (action,) = (one for one in of_day.actions if one.code == "wager_underpaid")
    return replay, house, action


@cache
def undecided() -> tuple[Replay, HouseRecord, Action]:
    return seen()


def does(act: str, by: str, where: tuple[Replay, HouseRecord, Action]) -> tuple[Fact, ...] | None:
    """What the command appends; None where it refuses."""
    try:
        return ACTS[act](*where, by)
    except (NotEntitled, CredentialNotHeld, ActionRefused):
        return None


def forged(act: str, by: str, like: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The same act as another person's, as a line that no command checked."""
    return tuple(
        replace(fact, recorded_by=by, **{WHO_DID[act]: by}) if hasattr(fact, WHO_DID[act]) else fact
        for fact in like
    )


def stands(action: Action) -> tuple[Any, ...]:
    return action.status, action.suppressed_until, action.waits


@pytest.mark.row_by_row
@pytest.mark.parametrize(("person", "relation", "may"), MATRIX, ids=[row[1] for row in MATRIX])
def test_who_may_do_what(person: str, relation: str, may: tuple[bool, ...]) -> None:
    for act, allowed in zip(ACTS, may, strict=True):
        did = does(act, person, undecided())
        assert (did is not None) is allowed, (act, relation)
        if not allowed:
            like = does(act, "F-2", undecided())
            assert like is not None
            _, _, after = seen(forged(act, person, like))
            assert stands(after) == stands(undecided()[2]), (act, relation)


def test_what_who_may_does_counts() -> None:
    for act, status in (("take", ActionStatus.TAKEN), ("close", ActionStatus.CLOSED)):
        did = does(act, "F-2", undecided())
        assert did is not None
        assert seen(did)[2].status is status
    put_off = does("put off", "F-2", undecided())
    assert put_off is not None
    assert seen(put_off)[2].suppressed_until == DAY


@pytest.fixture
def critical(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every action is critical: the small day has none of money that is."""
    folding = import_module("ledger.casework.findings_to_actions")
    usual: Callable[..., Any] = folding._action  # type: ignore[attr-defined]
    monkeypatch.setattr(
        folding, "_action", lambda *words: replace(usual(*words), severity=Severity.CRITICAL)
    )


@pytest.mark.parametrize(("person", "may"), SECOND)
def test_who_may_be_the_second_person(person: str, may: bool, critical: None) -> None:
    for act, decided in (
        ("close", lambda action: action.status is ActionStatus.CLOSED),
        ("put off", lambda action: action.suppressed_until == DAY),
    ):
        first = does(act, "F-2", seen())
        assert first is not None
        waiting = seen(first)
        assert not decided(waiting[2])
        own = tuple(fact for fact in (does(act, "F-3", waiting) or ()) if fact not in first)
        assert own, act
        by = forged(act, person, own)
        assert decided(seen([*first, *by])[2]) is may, (act, person)
        again = does(act, person, waiting)
        if act == "close":
            assert (again is not None) is may, person
        elif again is not None:  # who put it off may say so again; it still waits
            assert decided(seen([*first, *again])[2]) is may, person
