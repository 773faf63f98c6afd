"""Nobody decides about themselves: closing, putting off, correcting, adding, as a person meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ledger.codec import to_text
from ledger.events import Fact
from ledger.kernel import Severity
from tests.analytics.given import ledger as ledger_of
from tests.cli.conftest import Command
from tests.cli.given import DAY, told
from tests.cli.given import day as small_day

GAP = ("SB-01", 10)
"""A number of the small day that the terminal does not deliver."""


def people() -> list[Fact]:
    """The table's dealer and floorperson, three supervisors, and others who may not."""

    def held(person: str, department: str, role: str | None, **more: Any) -> dict[str, Any]:
        return {"person": person, "department": department, "role": role, "revoked": False, **more}

    rows: list[tuple[int, str, dict[str, Any]]] = [
        (-3500, "PersonCredentialled", held("D-1", "table games", "DEALER")),
        (-3500, "PersonCredentialled", held("F-1", "table games", "FLOORPERSON")),
        (-3500, "PersonCredentialled", held("F-2", "Table Games", "FLOORPERSON")),
        (-3500, "PersonCredentialled", held("F-3", "table games", "FLOORPERSON")),
        (-3500, "PersonCredentialled", held("D-2", "table games", "DEALER")),
        (-3500, "PersonCredentialled", held("K-1", "finance", "SHIFT_MANAGER")),
        (-3500, "PersonCredentialled", held("R-1", "table games", "FLOORPERSON")),
        (-3400, "PersonCredentialled", held("R-1", "table games", "FLOORPERSON", revoked=True)),
        (-3500, "PersonCredentialled", held("F-2B", "table games", "FLOORPERSON")),
        (-3400, "CredentialDescribed", {"person": "F-2B", "same_person_as": "F-2"}),
        (-3500, "PersonCredentialled", held("E-1", "table games", "FLOORPERSON")),
        (-3400, "CredentialDescribed", {"person": "E-1", "expires_time": 1}),
    ]
    return told("people", *rows)


def facts() -> list[Fact]:
    """The small day, with its floorperson at the table and the people on a roster."""
    supervised = told(
        "SB-01/staff", (-580, "StaffAssigned", {"role": "FLOORPERSON", "person": "F-1"})
    )
    return [*small_day(), *supervised, *people()]


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    return ledger_of(tmp_path / "ledger", facts())


@pytest.fixture
def critical(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every action is critical: the small day has none that is."""
    folding = import_module("ledger.casework.fold")
    usual: Callable[..., Any] = folding._action  # type: ignore[attr-defined]

    def grave(*words: Any) -> Any:
        return replace(usual(*words), severity=Severity.CRITICAL)

    monkeypatch.setattr(folding, "_action", grave)


def unpaid(command: Command, floor: Path) -> dict[str, Any]:
    done = command("actions", "list", "--all", "--ledger", floor, "--format", "json")
    (one,) = (one for one in json.loads(done.out) if one["code"] == "wager_underpaid")
    shown = command("actions", "show", one["id"], "--ledger", floor, "--format", "json")
    found: dict[str, Any] = json.loads(shown.out)
    return found


# fmt: off
WHO = [
    ("D-1",        "not_entitled",         "D-1 is who it is about: nobody decides about themselves"),
    ("d-1",        "not_entitled",         "nobody decides about themselves"),
    ("D\u20111",   "not_entitled",         "nobody decides about themselves"),
    ("F-1",        "not_entitled",         "F-1 supervised at SB-01 then: nobody decides about themselves"),
    ("K-1",        "not_entitled",         "K-1 is of finance; this is for table games"),
    ("R-1",        "credential_not_held",  "it was revoked"),
    ("E-1",        "credential_not_held",  "it has expired"),
    ("X-9",        "credential_not_held",  "it was never recorded"),
]
# fmt: on
DID = [
    ("take",),
    ("close", "--reason", "x"),
    ("suppress", "--until", "2021-03-16", "--reason", "x"),
]


@pytest.mark.parametrize(("by", "code", "says"), WHO)
@pytest.mark.parametrize("words", DID, ids=lambda words: words[0])
def test_who_may_not_decide(
    command: Command, floor: Path, words: tuple[str, ...], by: str, code: str, says: str
) -> None:
    name = unpaid(command, floor)["id"]
    did, *more = words
    done = command("actions", did, name, *more, "--by", by, "--ledger", floor)
    assert (done.code, done.out) == (2, "")
    assert f"[{code}]" in done.err
    assert says in done.err
    assert unpaid(command, floor)["status"] == "open"


def test_a_member_takes_and_does_not_close(command: Command, floor: Path) -> None:
    name = unpaid(command, floor)["id"]
    assert command("actions", "take", name, "--by", "D-2", "--ledger", floor).code == 0
    done = command("actions", "close", name, "--reason", "x", "--by", "D-2", "--ledger", floor)
    assert (done.code, "D-2 is a member; to close an action takes a supervisor" in done.err) == (
        2,
        True,
    )
    assert unpaid(command, floor)["status"] == "taken"


def test_a_critical_action_is_closed_by_two_persons(
    command: Command, floor: Path, critical: None
) -> None:
    before = unpaid(command, floor)
    assert before["waits_for"].startswith("two persons, each a supervisor of table games")
    assert before["concerned"]["D-1"] == "is who it is about"
    words = ("actions", "close", before["id"], "--reason", "paid", "--ledger", floor)
    first = command(*words, "--by", "F-2")
    assert (first.code, "closing proposed by F-2; it waits for a second person" in first.out) == (
        0,
        True,
    )
    proposed = unpaid(command, floor)
    assert (proposed["status"], proposed["in_hand"]) == ("closing proposed", "F-2")
    assert proposed["waits_for"] == "a second person of table games, not F-2"
    page = command("actions", "list", "--ledger", floor)
    assert (page.code, "waits for a second person of table games, not F-2" in page.out) == (1, True)
    shown = command("actions", "show", before["id"], "--ledger", floor).out
    assert "D-1 is who it is about" in shown
    for again in ("F-2", "f 2", "F2", "F-2B"):
        refused = command(*words, "--by", again)
        assert (refused.code, "a second person is needed" in refused.err) == (2, True), again
    second = command(*words, "--by", "F-3")
    assert (second.code, "closed by F-3" in second.out) == (0, True)
    closed = unpaid(command, floor)
    assert (closed["status"], closed["waits_for"]) == ("closed", None)


def test_a_critical_cause_is_put_off_by_two_persons(
    command: Command, floor: Path, critical: None
) -> None:
    words = ("actions", "suppress", unpaid(command, floor)["id"], "--until", DAY, "--reason", "x")
    first = command(*words, "--by", "F-2", "--ledger", floor)
    assert (first.code, "waiting for a second person" in first.out) == (0, True)
    one = unpaid(command, floor)
    assert (one["suppressed_until"], "not F-2" in one["waits_for"]) == (None, True)
    assert command(*words, "--by", "F-3", "--ledger", floor).code == 0
    assert unpaid(command, floor)["suppressed_until"] == DAY


def test_an_act_that_came_by_another_way_does_not_count(
    command: Command, floor: Path, tmp_path: Path
) -> None:
    """The accused dealer's closing, appended as a line, stays on the record and closes nothing."""
    name = unpaid(command, floor)["id"]
    assert command(
        "actions", "close", name, "--reason", "paid", "--by", "F-2", "--ledger", floor
    ).code == 0  # fmt: skip
    lines = command("cat", "--ledger", floor).out.splitlines()
    (real,) = (one for one in map(json.loads, lines) if one["event"] == "ActionClosed")
    del real["position"]
    other = ledger_of(tmp_path / "other", facts())
    path = tmp_path / "forged.jsonl"
    for by, why in (("D-1", "nobody decides about themselves"), ("X-9", "never recorded")):
        forged = {**real, "recorded_by": by, "closed_by": by}
        if by == "X-9":
            forged["seq"] = 2
        path.write_text(json.dumps(forged) + "\n")
        assert command("append", path, "--ledger", other).code == 0
        one = unpaid(command, other)
        assert one["status"] == "open"
        assert [act["counts"] for act in one["done"]][-1] is False
        assert why in one["done"][-1]["why_not"]
    assert "DOES NOT COUNT" in command("actions", "show", name, "--ledger", other).out


# --- filling a gap by hand ------------------------------------------------------------------------


@pytest.fixture
def with_gap(tmp_path: Path) -> tuple[Path, Path]:
    """A ledger that lacks one fact of SB-01, and a file that holds it."""
    kept = [one for one in facts() if (one.stream, one.seq) != GAP]
    (lost,) = (one for one in facts() if (one.stream, one.seq) == GAP)
    path = tmp_path / "lost.jsonl"
    path.write_text(to_text(lost) + "\n", encoding="utf-8")
    return ledger_of(tmp_path / "ledger", kept), path


def test_a_gap_is_not_filled_by_one_person(command: Command, with_gap: tuple[Path, Path]) -> None:
    floor, path = with_gap
    for strict in ((), ("--strict",)):
        done = command("append", path, *strict, "--ledger", floor, "--format", "json")
        assert (done.code, done.json["accepted"], done.json["refused"]) == (1, 0, 1)
        assert "gap_needs_approval" in done.err
    words = ("append", path, "--ledger", floor, "--reason", "from the printed log")
    for named, code in (
        (("--by", "F-2"), "person_needed"),
        (("--by", "F-2", "--approved-by", "f 2"), "person_needed"),
        (("--by", "F-2", "--approved-by", "F-2B"), "not_entitled"),
        (("--by", "F-2", "--approved-by", "D-2"), "not_entitled"),
        (("--by", "F-2", "--approved-by", "X-9"), "credential_not_held"),
        (("--by", "X-9", "--approved-by", "F-2"), "credential_not_held"),
    ):
        refused = command(*words, *named)
        assert (refused.code, f"[{code}]" in refused.err) == (2, True), named


def test_a_gap_that_two_persons_filled_is_marked_everywhere(
    command: Command, with_gap: tuple[Path, Path]
) -> None:
    floor, path = with_gap
    people = ("--by", "F-2", "--approved-by", "F-3", "--reason", "from the printed log")
    done = command("append", path, *people, "--ledger", floor, "--format", "json")
    assert (done.code, done.json["accepted"]) == (0, 1), done.err
    said = "added by F-2, approved by F-3"
    for words in (
        ("rounds",),
        ("round", "show", "SB-01:6"),
        ("round", "show", "SB-01:6", "--format", "html"),
        ("audit", "--day", DAY),
    ):
        page = " ".join(command(*words, "--ledger", floor).out.split())
        assert said in page, words
        assert "after its day was closed" in page
        assert "claims terminal T-SB-01" in page
    data = command("rounds", "--ledger", floor, "--format", "json").json
    (row,) = (one for one in data if one["round"] == "SB-01:6")
    assert [(one["seq"], one["added_by"], one["after_close"]) for one in row["marked"]] == [
        (GAP[1], "F-2", True)
    ]
    shown = command("round", "show", "SB-01:6", "--ledger", floor, "--format", "json").json
    assert [one["terminal"] for one in shown["marked"]] == ["T-SB-01"]
    audit = command("audit", "--day", DAY, "--ledger", floor, "--format", "json").json
    assert [one["approved_by"] for one in audit["marked"]] == ["F-3"]
    assert not {one["code"] for one in audit["findings"]} & {"gap", "addition_not_approved"}
    assert command("verify", "--ledger", floor).code == 0


# --- correcting -----------------------------------------------------------------------------------


def test_who_approves_a_correction(command: Command, floor: Path) -> None:
    words = ("amend", "SB-01", "14", "--withdraw", "--reason", "x", "--ledger", floor)
    for by, approver, code in (
        ("F-2", "f-2", "person_needed"),
        ("F-2", "F-2B", "not_entitled"),
        ("F-2", "D-2", "not_entitled"),
        ("F-2", "R-1", "credential_not_held"),
        ("F-2", "E-1", "credential_not_held"),
        ("F-2", "X-9", "credential_not_held"),
        ("R-1", "F-2", "credential_not_held"),
    ):
        done = command(*words, "--by", by, "--approved-by", approver)
        assert (done.code, f"[{code}]" in done.err) == (2, True), (by, approver, done.err)
    done = command(*words, "--by", "D-2", "--approved-by", "F-2", "--format", "json")
    assert (done.code, done.json["checked"]) == (0, True), done.err


def test_a_correction_without_a_roster_says_that_nothing_was_checked(
    command: Command, made: Path, tmp_path: Path
) -> None:
    floor = ledger_of(tmp_path / "ledger", small_day())
    words = (
        "amend",
        "SB-01",
        "14",
        "--withdraw",
        "--reason",
        "x",
        "--by",
        "E-1",
        "--ledger",
        floor,
    )
    assert command(*words, "--approved-by", "e 1").code == 2
    done = command(*words, "--approved-by", "E-2")
    assert (done.code, "NOT CHECKED" in done.out) == (0, True)
    audit = command("audit", "--day", DAY, "--ledger", floor, "--format", "json").json
    assert {
        (one["code"], one["certainty"])
        for one in audit["findings"]
        if one["code"] == "approval_not_checked"
    } == {("approval_not_checked", "unknown")}
