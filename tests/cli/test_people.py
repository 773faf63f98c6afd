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
        (-3500, "PersonCredentialled", held("F-1B", "table games", "FLOORPERSON")),
        (-3400, "CredentialDescribed", {"person": "F-1B", "same_person_as": "F-1"}),
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
    folding = import_module("ledger.casework.findings_to_actions")
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


@pytest.mark.by_turns(3)
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
        assert "sent as terminal T-SB-01" in page
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


# fmt: off
NEVER = [
    #  author    approver        what stands against it, in the command's words and in the record's
    ("D-2",      "F-1",          "F-1 supervised at SB-01 then: nobody decides about themselves"),
    ("D-2",      "f 1",          "f 1 supervised at SB-01 then: nobody decides about themselves"),
    ("D-2",      "F-1B",         "F-1B supervised at SB-01 then: nobody decides about themselves"),
    ("D-2",      "D-1",          "D-1 dealt at SB-01 then: nobody decides about themselves"),
    ("D-2",      "F-3",          "F-3 recorded what it is about: nobody decides about themselves"),
    ("D-2",      "\uff26-3",     "\uff26-3 recorded what it is about: nobody decides about themselves"),
    ("D-2",      "R-1",          "it was revoked"),
    ("D-2",      "E-1",          "it has expired"),
    ("D-2",      "X-9",          "it was never recorded"),
    ("D-2",      "D-2B",         "D-2B is a member; to approve a correction or an addition takes a supervisor"),
    ("X-9",      "F-2",          "it was never recorded"),
    ("R-1",      "F-2",          "it was revoked"),
    ("E-1",      "F-2",          "it has expired"),
]
OF_ONE = [("F-2", "F-2"), ("F-2", "f_2"), ("F-2", "F2"), ("F-2", "F-2B"), ("F-2B", "F-2")]
# fmt: on
RECORDED = ("SB-01", 15)
"""A fact of the small day that F-3 recorded."""


def recorded() -> list[Fact]:
    """The day with a fact that a supervisor recorded, and one more dealer."""
    also = told(
        "people/more",
        (-3300, "PersonCredentialled", {
            "person": "D-2B", "department": "table games", "role": "DEALER", "revoked": False,
        }),
    )  # fmt: skip
    return [
        *(replace(one, recorded_by="F-3") if (one.stream, one.seq) == RECORDED else one for one in facts()),
        *also,
    ]  # fmt: skip


def forged(kind: str, by: str, approver: str | None) -> list[Fact]:
    """An amendment or an addition as a line that no command checked."""
    about = {"reason": "x", "approved_by": approver, "recorded_by": by}
    stream, seq = RECORDED
    if kind == "FactAmended":
        said = {"amended_stream": stream, "amended_seq": seq, "replacement": None, "amended_by": by}
    else:
        said = {"added_stream": stream, "first_seq": seq, "last_seq": seq, "added_by": by}
    return told("amendments", (3000, kind, {**about, **said}))


def judged(folder: Path, command: Command) -> list[dict[str, Any]]:
    audit = command("audit", "--day", DAY, "--ledger", folder, "--format", "json").json
    return [one for one in audit["findings"] if one["code"] in (
        "amendment_not_entitled", "amendment_not_approved", "addition_not_approved",
    )]  # fmt: skip


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(("by", "approver", "why"), NEVER)
def test_a_correction_that_the_command_refuses_is_a_finding_where_it_arrives_as_a_fact(
    command: Command, tmp_path: Path, by: str, approver: str, why: str
) -> None:
    floor = ledger_of(tmp_path / "ledger", recorded())
    words = ("amend", RECORDED[0], str(RECORDED[1]), "--withdraw", "--reason", "x")
    refused = command(*words, "--by", by, "--approved-by", approver, "--ledger", floor)
    assert (refused.code, why in " ".join(refused.err.split())) == (2, True), refused.err
    path = tmp_path / "forged.jsonl"
    path.write_text(to_text(*forged("FactAmended", by, approver)) + "\n", encoding="utf-8")
    assert command("append", path, "--ledger", floor).code == 0
    (finding,) = judged(floor, command)
    assert (finding["code"], finding["citations"][0]["section"]) == (
        "amendment_not_entitled",
        "L.9",
    )
    assert why in finding["observed"]
    shown = command("round", "show", "SB-01:6", "--ledger", floor, "--format", "json").json
    assert not shown.get("amended")


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(("by", "approver", "why"), NEVER)
def test_an_addition_that_the_command_refuses_is_a_finding_where_it_arrives_as_a_fact(
    command: Command, tmp_path: Path, by: str, approver: str, why: str
) -> None:
    sent = recorded()
    lost = next(one for one in sent if (one.stream, one.seq) == RECORDED)
    floor = ledger_of(tmp_path / "ledger", [one for one in sent if one is not lost])
    path = tmp_path / "lost.jsonl"
    path.write_text(to_text(lost) + "\n", encoding="utf-8")
    words = ("append", path, "--reason", "x", "--by", by, "--approved-by", approver)
    refused = command(*words, "--ledger", floor)
    assert (refused.code, why in " ".join(refused.err.split())) == (2, True), refused.err
    other = ledger_of(tmp_path / "other", [*recorded(), *forged("FactsAdded", by, approver)])
    (finding,) = judged(other, command)
    assert (finding["code"], finding["citations"][0]["section"]) == ("addition_not_approved", "L.9")
    assert why in finding["sentence"]


@pytest.mark.parametrize(("by", "approver"), OF_ONE)
def test_two_spellings_of_one_person_are_a_finding(
    command: Command, tmp_path: Path, by: str, approver: str
) -> None:
    for kind, code in (
        ("FactAmended", "amendment_not_approved"),
        ("FactsAdded", "addition_not_approved"),
    ):
        floor = ledger_of(tmp_path / kind, [*recorded(), *forged(kind, by, approver)])
        assert [one["code"] for one in judged(floor, command)] == [code]


def test_who_corrected_or_added_a_fact_does_not_approve_its_next_correction(
    command: Command, tmp_path: Path
) -> None:
    first = forged("FactAmended", "F-2", "K-1")[0]
    second = replace(
        first, seq=2, event_time=first.event_time + 1, amended_by="D-2", approved_by="F-2"
    )  # type: ignore[call-arg]
    floor = ledger_of(tmp_path / "ledger", [*recorded(), first, second])
    (finding,) = judged(floor, command)
    assert finding["observed"] == "F-2 corrected it before: nobody decides about themselves"
    added = replace(forged("FactsAdded", "F-2", "K-1")[0], stream="cases/additions")
    after = replace(second, seq=1)
    other = ledger_of(tmp_path / "other", [*recorded(), added, after])
    (finding,) = judged(other, command)
    assert finding["observed"] == "F-2 added what it is about: nobody decides about themselves"


def test_who_stands_in_the_new_fact_does_not_approve_it(command: Command, tmp_path: Path) -> None:
    """A dealer's settlement becomes another one's: that is about both."""
    floor = ledger_of(tmp_path / "ledger", recorded())
    fact = next(one for one in recorded() if (one.stream, one.seq) == RECORDED)
    path = tmp_path / "new.json"
    path.write_text(to_text(replace(fact, recorded_by="F-2")), encoding="utf-8")
    words = ("amend", *map(str, RECORDED), "--file", path, "--reason", "x", "--by", "D-2")
    refused = command(*words, "--approved-by", "F-2", "--ledger", floor)
    assert (refused.code, "F-2 recorded what it is about" in refused.err) == (2, True), refused.err
    assert command(*words, "--approved-by", "K-1", "--ledger", floor).code == 0
