"""Cases by the command: from a complaint to its close, who is refused, and what a refusal leaves."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from ledger.casework import person_proofs
from ledger.casework.cases import CaseFiles
from ledger.cli import main
from ledger.evidence.verify import judged, members_of
from ledger.log import read_log
from ledger.replay import Replay
from tests.cli.given import Ran
from tests.evidence.packs import changed

ROUND = "SB-01:517"  # the planted one of this seed: a winning Small Bet was collected
PEOPLE = ("IT-1", "S-1", "S-2", "SS-1", "SS-2", "F-11", "M-1", "FS-1", "IA-1", "D-SB-01-1")
Act = Callable[..., Ran]


def run(*words: str) -> Ran:
    """Run a command in this process, as the environment is."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("COLUMNS", "100")
        patch.setattr("sys.stdin", io.StringIO())
        code = main(list(words))
    return Ran(code, out.getvalue(), err.getvalue())


def folder_hash(folder: Path) -> str:
    """One hash over all files of a ledger, its caches left out."""
    hasher = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "cache" not in path.parts:
            hasher.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return hasher.hexdigest()


@pytest.fixture(scope="module")
def cheap() -> Iterator[None]:
    """Pass phrases that take no time: what they cost is not what is tested here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(person_proofs, "MEMORY_KIB", 64)
        patch.setattr(person_proofs, "ITERATIONS", 1)
        yield


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory, cheap: None) -> Path:
    """A short simulated day on which some people can prove who acts."""
    folder = tmp_path_factory.mktemp("cases") / "ledger"
    words = ("floor", "simulate", "--seed", "144", "--scale", "10000", "--coupons")
    assert run(*words, "--plant", "winner_taken@SB-01", "--ledger", str(folder)).code == 0
    for person in PEOPLE:
        enrolled = enroll(folder, person, None if person == PEOPLE[0] else PEOPLE[0])
        assert enrolled.code == 0, enrolled.err
    return folder


def phrase(folder: Path, person: str) -> str:
    """The file of a person's pass phrase, beside the ledger."""
    path = folder.parent / f"{person}.phrase"
    path.write_text(f"violin harbor ninety {hashlib.md5(person.encode()).hexdigest()[:6]}\n")
    return str(path)


def enroll(folder: Path, person: str, by: str | None) -> Ran:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PITLEDGER_NEW_PASS_PHRASE_FILE", phrase(folder, person))
        patch.setenv("PITLEDGER_PASS_PHRASE_FILE", phrase(folder, by or person))
        words = () if by is None else ("--by", by)
        return run("person", "enroll", person, *words, "--ledger", str(folder))


@pytest.fixture(scope="module")
def act(ledger: Path) -> Act:
    """Runs `pitledger case ...` as a person who proves it."""

    def acting(person: str, *words: str, asks: bool = False) -> Ran:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PITLEDGER_PASS_PHRASE_FILE", phrase(ledger, person))
            who = "--as" if asks else "--by"
            return run("case", *words, who, person, "--ledger", str(ledger))

    return acting


def opened(act: Act, *words: str) -> str:
    """The number of a new case."""
    ran = act("S-1", "open", "A patron complains", *words)
    assert ran.code == 0, ran.err
    return ran.out.split()[1].rstrip(":")


def test_from_a_complaint_to_its_close(act: Act, ledger: Path, tmp_path: Path) -> None:
    words = ("--round", ROUND, "--complaint", "I had Small", "--subject", "patron:p-1")
    number = opened(act, *words, "--from", "2021-06-12 10:52", "--reported", "06/12/2021 11:05 AM")
    film = tmp_path / "small.mp4"
    film.write_bytes(b"film")
    for person, *said in (
        ("S-1", "note", number, "Small came"),
        ("S-1", "task", number, "ask the dealer", "--due", "2021-06-20"),
        ("S-1", "task", number, "--done", "1"),
        ("S-2", "pin", number, "--fact", ROUND, "--why", "it opened the round"),
        ("S-1", "media", number, str(film), "--kept-at", "shelf 3"),
        ("S-1", "media", number, str(film), "--act", "handed_over", "--to", "the Board's agent"),
        ("S-1", "footage", number, "--camera", "CAM-SB-01-A", "--from", "2021-06-12 10:50",
         "--until", "2021-06-12 10:55", "--expires", "2021-06-26"),
        ("S-1", "footage", number, "1", "--state", "held", "--why", "dispute"),
        ("SS-1", "assign", number, "--to", "S-2"),
        ("S-2", "assess", number, "--error", "dealer", "--lost", "100", "--goodwill", "$20.50"),
        ("SS-1", "decide", number, "You are right."),
        ("SS-2", "close", number, "--reason", "paid, slip D-44"),
    ):  # fmt: skip
        ran = act(person, *said)
        assert ran.code == 0, (said, ran.err)
    data = act("SS-2", "show", number, "--format", "json", asks=True).json
    assert (data["status"], data["assignee"]) == ("closed", "S-2")
    assert [task["done"] for task in data["tasks"]] == [True]
    assert data["tasks"][0]["due"] == "2021-06-20"
    assert data["footage"][0]["state"] == "HELD"
    assert [one["act"] for one in data["media"][0]] == ["ADDED", "HANDED_OVER"]
    assert data["media"][0][0]["media_sha256"] == hashlib.sha256(b"film").hexdigest()
    assert data["assessment"]["lost_cents"] == 10_000
    assert data["assessment"]["goodwill_cents"] == 2_050
    assert data["idle"] == []
    assert act("S-1", "note", number, "late note").code == 0
    assert act("S-1", "task", number, "late task").code == 2
    assert act("SS-1", "reopen", number, "--reason", "new footage").code == 0
    again = act("SS-2", "show", number, "--format", "json", asks=True)
    assert (again.code, again.json["status"], again.json["decision"]) == (1, "open", None)
    assert run("verify", "--ledger", str(ledger)).code == 0


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(
    ("person", "words", "why"),
    [
        ("S-1", ("decide", "N", "so"), "for: supervisor"),
        ("FS-1", ("media", "N", __file__), "for: surveillance, supervisor"),
        ("IA-1", ("assess", "N", "--error", "none"), "IA-1 is of auditor; to state"),
        ("D-SB-01-1", ("note", "N", "so"), "none that works with cases"),
        ("IT-1", ("note", "N", "so"), "IT-1 is of administrator; to write"),
        ("F-11", ("decide", "N", "so"), "F-11 supervised at SB-01 then"),
        ("SS-1", ("close", "N", "--reason", "so"), "not decided yet"),
        ("SS-1", ("reopen", "N", "--reason", "so"), "not closed"),
        ("S-1", ("link", "N", "N", "--why", "so"), "not linked with itself"),
        ("S-1", ("footage", "N", "--camera", "C", "--from", "2021-06-12 10:00", "--until",
                 "2021-06-12 09:00"), "ends before it begins"),
        ("S-1", ("footage", "N", "7", "--state", "held"), "no footage 7"),
        ("S-1", ("task", "N", "--done", "9"), "no task 9"),
        ("S-1", ("pin", "N", "--round", "SB-01:99999999", "--why", "so"), "no round"),
        ("S-1", ("pin", "N", "--why", "so"), "Name one piece"),
        ("S-1", ("assess", "N", "--error", "none", "--recovered", "5"), "ore was recovered than"),
        ("S-1", ("assess", "N", "--error", "none", "--lost", "1e99"), "no amount"),
        ("S-1", ("assess", "N", "--error", "none", "--lost", "-5"), "no amount"),
        ("S-1", ("note", "N", "   "), "1 to 4,000 characters"),
        ("S-1", ("note", "N", "x" * 4001), "1 to 4,000 characters"),
        ("S-1", ("note", "2021-9999", "x"), "no case"),
        ("S-1", ("note", "../../etc", "x"), "no case"),
        ("S-1", ("media", "N", "/dev/zero"), "regular file"),
        ("S-1", ("media", "N", "/no/such/file"), "cannot be read"),
        ("SS-1", ("assign", "N", "--to", "D-SB-01-1"), "none that works with cases"),
    ],
)  # fmt: skip
def test_what_is_refused_changes_nothing(
    act: Act, ledger: Path, person: str, words: tuple[str, ...], why: str, standing: str
) -> None:
    before = folder_hash(ledger)
    ran = act(person, *(standing if word == "N" else word for word in words))
    assert ran.code in (2, 3)
    assert why in " ".join(ran.err.split())
    assert folder_hash(ledger) == before


@pytest.fixture(scope="module")
def standing(act: Act) -> str:
    """An open case about the planted round, of which nobody of the staff is a subject."""
    return opened(act, "--round", ROUND)


def test_its_subject_is_told_of_no_case(act: Act, ledger: Path) -> None:
    number = opened(act, "--subject", "staff:s 2")
    shown = act("S-2", "show", number, asks=True)
    unknown = act("S-2", "show", "2021-9999", asks=True)
    assert shown.err.replace(number, "N") == unknown.err.replace("2021-9999", "N")
    assert number not in act("S-2", "list", "--format", "json", asks=True).out
    assert act("S-2", "note", number, "let me see").err == unknown.err.replace("2021-9999", number)
    assert number in act("S-1", "list", asks=True).out
    late = opened(act, "--round", ROUND)
    assert act("S-1", "subject", late, "staff:SS-2", "--why", "took the call").code == 0
    assert act("SS-2", "show", late, asks=True).code == 2


def test_no_search_list_or_count_has_a_case_in_it(act: Act, ledger: Path) -> None:
    """They ask nobody who they are, so a subject could read there what is kept from it."""

    def answers() -> list[tuple[int, str]]:
        words = (("find", "SB-01"), ("find", "D-SB-01-1"), ("rounds",), ("actions", "list"))
        runs = (run(*each, "--format", "json", "--ledger", str(ledger)) for each in words)
        return [(ran.code, ran.out) for ran in runs]

    before = answers()
    number = opened(act, "--round", ROUND, "--subject", "staff:D-SB-01-1")
    after = answers()
    assert after == before
    assert not any(number in out for _, out in after)


def test_an_action_brings_the_facts_it_rests_on(act: Act, ledger: Path) -> None:
    """Who stood at the table then is concerned by a case from an action, as by one of the round."""
    actions = run("actions", "list", "--format", "json", "--ledger", str(ledger)).json
    action = next(one for one in actions if one["table"] == "SB-01")
    number = opened(act, "--action", action["id"][:6])
    data = act("S-1", "show", number, "--format", "json", asks=True).json
    kinds = [matter["kind"] for matter in data["opened"]["about"]]
    assert data["opened"]["about"][0] == {"kind": "ACTION", "reference": action["id"]}
    assert set(kinds[1:]) == {"FACT"}
    refused = act("F-11", "decide", number, "so")
    assert "F-11 supervised at SB-01 then" in refused.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--action", "ffffffffffff"), "action_unknown"),
        (("--alert", "ffffffffffff"), "night_not_issued"),
        (("--coupon", "P25-0099999"), "command_wrong"),
        (("--coupon", "<script>"), "serial_unreadable"),
        (("--round", "SB-01:99999999"), "command_wrong"),
    ],
)
def test_what_is_not_on_record_opens_no_case(
    act: Act, ledger: Path, tmp_path: Path, words: tuple[str, ...], code: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("PITLEDGER_NIGHT", str(tmp_path / "none"))
    before = folder_hash(ledger)
    ran = act("S-1", "open", "A patron complains", *words)
    assert (ran.code in (2, 3), f"[{code}]" in ran.err) == (True, True), ran.err
    assert folder_hash(ledger) == before


def test_a_coupon_brings_the_steps_of_its_way(act: Act, ledger: Path) -> None:
    outstanding = run("coupons", "outstanding", "--format", "json", "--ledger", str(ledger)).json
    serial = outstanding[0]["from"]
    number = opened(act, "--coupon", serial)
    about = act("S-1", "show", number, "--format", "json", asks=True).json["opened"]["about"]
    assert about[0] == {"kind": "COUPON", "reference": serial}
    assert {matter["kind"] for matter in about[1:]} == {"FACT"}
    film = ("--camera", "C", "--from", "2021-06-12 10:00", "--until", "2021-06-12 10:05")
    assert act("S-1", "footage", number, *film, "--state", "held").code == 0
    assert CaseFiles.read(Replay.open(ledger)).held_coupons() == {serial}


def test_a_history_has_the_cases_that_its_reader_may_see(act: Act, ledger: Path) -> None:
    number = opened(act, "--round", ROUND, "--subject", "staff:D-SB-01-1", "--subject", "staff:S-2")

    def told(person: str | None, *words: str) -> str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PITLEDGER_PASS_PHRASE_FILE", phrase(ledger, person or "S-1"))
            asks = () if person is None else ("--as", person)
            ran = run("history", "dealer", "D-SB-01-1", *asks, *words, "--ledger", str(ledger))
        return ran.out + ran.err

    assert f"case {number}, open: A patron complains" in told("S-1")
    assert number not in told("S-2")
    assert number not in told("S-2", "--format", "json")
    assert number not in told(None)
    assert "--as CREDENTIAL" in told(None)
    assert "none that works with cases" not in told("M-1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PITLEDGER_PASS_PHRASE_FILE", phrase(ledger, "S-2"))
        stolen = run("history", "dealer", "D-SB-01-1", "--as", "S-1", "--ledger", str(ledger))
    assert "[person_not_proved]" in stolen.err
    assert number not in stolen.out


def test_nobody_acts_by_a_typed_credential(
    ledger: Path, standing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = folder_hash(ledger)
    note = ("case", "note", standing, "x", "--by", "S-1", "--ledger", str(ledger))
    monkeypatch.setenv("PITLEDGER_PASS_PHRASE_FILE", phrase(ledger, "S-2"))
    assert "not the pass phrase" in run(*note).err
    monkeypatch.delenv("PITLEDGER_PASS_PHRASE_FILE")
    assert "asked for at a terminal" in run(*note).err
    other = ("case", "note", standing, "x", "--by", "C-1", "--ledger", str(ledger))
    assert "cannot prove yet" in run(*other).err
    assert folder_hash(ledger) == before
    assert enroll(ledger, "C-1", "S-1").code == 2  # nobody of administration
    assert enroll(ledger, "C-1", None).code == 2  # others are enrolled already


def test_a_look_at_a_reference_is_recorded_once_a_sitting(act: Act, ledger: Path) -> None:
    number = opened(act, "--subject", "patron:p-SB-01-77")

    def looks() -> int:
        cat = run("cat", "--ledger", str(ledger)).out
        return sum(json.loads(line)["event"] == "PatronReferenceSeen" for line in cat.splitlines())

    before = looks()
    assert "p-SB-01-77" not in act("S-1", "show", number, asks=True).out
    assert "p-SB-01-77" not in act("S-1", "show", number, "--format", "json", asks=True).out
    assert looks() == before
    shown = act("S-1", "show", number, "--reveal", "--sitting", "desk 1", asks=True)
    assert "p-SB-01-77" in shown.out
    act("S-1", "show", number, "--reveal", "--sitting", "desk 1", asks=True)
    assert looks() == before + 1
    act("S-2", "show", number, "--reveal", "--sitting", "desk 1", asks=True)
    act("S-1", "show", number, "--reveal", "--sitting", "desk 2", asks=True)
    assert looks() == before + 3


def test_whom_a_case_with_held_footage_is_about_is_not_forgotten(
    act: Act, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = opened(act, "--subject", "patron:p-SB-01-78")
    forget = ("person", "forget", "p-SB-01-78", "--by", "IT-1", "--ledger", str(ledger))
    monkeypatch.setenv("PITLEDGER_PASS_PHRASE_FILE", phrase(ledger, "IT-1"))

    def is_held(*words: str) -> bool:
        ran = run(*forget, *words)
        assert not {"not_proved", "not_entitled"} & set(ran.err.replace("]", "[").split("["))
        assert number not in ran.err  # its subject may be who asks
        return ran.code == 2 and "held_by_case" in ran.err

    assert not is_held()
    film = ("--camera", "C", "--from", "2021-06-12 10:00", "--until", "2021-06-12 10:05")
    assert act("S-1", "footage", number, *film, "--state", "held").code == 0
    assert is_held()
    assert is_held("--dry-run")
    assert act("S-1", "footage", number, "1", "--state", "released").code == 0
    assert not is_held()


def test_media_that_changed_or_is_gone_is_told(act: Act, tmp_path: Path) -> None:
    number = opened(act)
    for name in ("a.mp4", "b.mp4", "c.mp4"):
        (tmp_path / name).write_bytes(name.encode())
        assert act("S-1", "media", number, str(tmp_path / name)).code == 0
    (tmp_path / "b.mp4").write_bytes(b"b.mp5")
    (tmp_path / "c.mp4").unlink()
    checked = act("S-1", "check", number, str(tmp_path), "--format", "json", asks=True)
    assert (checked.code, [one["state"] for one in checked.json]) == (
        1,
        ["unchanged", "changed", "missing"],
    )
    assert "no such file" in act("S-1", "media", number, str(tmp_path / "b.mp4"), "--act", "viewed").err  # fmt: skip


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "=1+1", "a\x1b[2Jb", "\u202etxt"])
def test_hostile_text_is_text(act: Act, text: str) -> None:
    number = opened(act, "--complaint", text)
    page = act("S-1", "show", number, asks=True).out
    assert "\x1b[2J" not in page
    assert "\u202e" not in page
    data = act("S-1", "show", number, "--format", "json", asks=True).json
    assert data["opened"]["complaint"] == text


def test_two_sign_a_letter(act: Act, ledger: Path, tmp_path: Path) -> None:
    number = opened(act, "--round", ROUND)
    wager = ("--to", "patron", "--wager", "W113")
    name = ("--name", "Surveillance operator one")

    def sign(person: str, *words: str) -> Ran:
        return act(person, "sign", number, *words)

    early = sign("SS-1", *wager, "--as", "approver", "--name", "Surveillance supervisor one")
    assert "its preparer signs first" in early.err
    assert sign("S-1", *wager, "--as", "preparer", *name).code == 0
    assert "already" in sign("S-2", *wager, "--as", "preparer", "--name", "Surveillance operator two").err  # fmt: skip
    assert "on the record, not" in sign("SS-1", *wager, "--as", "approver", "--name", "Eve").err
    half = act("S-1", "letter", number, "--to", "patron", asks=True)
    assert half.code == 1
    assert "not signed yet" in half.out
    last = sign("SS-1", "--to", "patron", "--as", "approver", "--name", "Surveillance supervisor one")  # fmt: skip
    assert last.code == 0, last.err
    whole = act("S-1", "letter", number, "--to", "patron", asks=True)
    assert whole.code == 0
    assert "$50.00 on Small Bet" in whole.out
    assert "D-SB-01" not in whole.out
    pdf = tmp_path / "letter.pdf"
    words = ("--to", "board", "--print", "pdf", "--out", str(pdf))
    assert act("S-1", "letter", number, *words, asks=True).code == 1
    assert pdf.read_bytes().startswith(b"%PDF")
    assert act("SS-2", "decide", number, "You are right.").code == 0
    anew = act("S-1", "letter", number, "--to", "patron", asks=True)
    assert anew.out.count("not signed yet") == 2  # what was signed said nothing of it
    packed_letters(ledger, number, tmp_path, whole.out)


def packed_letters(ledger: Path, number: str, folder: Path, signed: str) -> None:
    """The pack has the letter as it was signed, although the case went on; its twin has none."""
    full, twin = folder / "full.zip", folder / "twin.zip"
    assert packed(ledger, number, full).code == 0
    assert packed(ledger, number, twin, "--redact", "all").code == 0
    assert not [name for name in members_of(twin.read_bytes()) if name.startswith("letters/")]
    members, verifier = members_of(full.read_bytes()), str(read_log(ledger).verifier)
    text, document, page = sorted(
        (name for name in members if name.startswith("letters/")), key=lambda name: name[-1:]
    )[::-1]
    assert (members[text].decode(), document[-5:], page[-5:]) == (signed, ".json", ".html")
    assert document[8:-5] == hashlib.sha256(members[document]).hexdigest()
    assert b"$50.00 on Small Bet" in members[page]
    assert judged(full.read_bytes(), verifier)[0] == 0
    for name, old, new in (
        (text, b"$50.00", b"$5,000"),
        (text, b"$50.00", b"$50"),  # its words stand elsewhere, in dates and in the digest
        (page, b"Small Bet", b"Big Bet"),
        (document, b"Small", b"Large"),
    ):

        def lie(
            members: dict[str, bytes], name: str = name, old: bytes = old, new: bytes = new
        ) -> None:
            members[name] = members[name].replace(old, new)

        code, lines = judged(changed(full.read_bytes(), lie, strip=True), verifier)
        assert (code, "is no letter of the case" in lines[-1]) == (4, True), lines

    def alone(members: dict[str, bytes]) -> None:
        members[f"letters/{'0' * 64}.txt"] = members[text]

    assert judged(changed(full.read_bytes(), alone, strip=True), verifier)[0] == 4


# --- its pack -------------------------------------------------------------------------------------


def packed(ledger: Path, number: str, out: Path, *words: str, person: str = "S-1") -> Ran:
    """Pack a case as a person who proves it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PITLEDGER_PASS_PHRASE_FILE", phrase(ledger, person))
        named = ("--case", number, "--as", person, "--out", str(out), "--ledger", str(ledger))
        return run("pack", *named, *words)


@pytest.fixture(scope="module")
def disputed(act: Act, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A case with a subject, a file, a pinned fact and a note; and the folder of its file."""
    number = opened(
        act, "--round", ROUND, "--complaint", "I had Small", "--subject", "patron:p-SB-01-99",
        "--subject", "staff:S-2",
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("media")
    (folder / "small.mp4").write_bytes(b"film")
    assert act("S-1", "media", number, str(folder / "small.mp4")).code == 0
    assert act("S-1", "pin", number, "--fact", ROUND, "--why", "it opened the round").code == 0
    assert act("S-1", "note", number, "seen with p-SB-01-99").code == 0
    return number, folder


def test_the_pack_of_a_case_proves_its_file_and_its_rounds(
    ledger: Path, disputed: tuple[str, Path], tmp_path: Path
) -> None:
    number, folder = disputed
    first, again, whole = (tmp_path / name for name in ("a.zip", "b.zip", "c.zip"))
    ran = packed(ledger, number, first)
    assert (ran.code, f"Case {number} packed" in ran.out) == (0, True), ran.err
    assert packed(ledger, number, again).code == 0
    assert packed(ledger, number, whole, "--media", str(folder)).code == 0
    assert first.read_bytes() == again.read_bytes()
    verifier = str(read_log(ledger).verifier)
    for file in (first, whole):
        assert judged(file.read_bytes(), verifier)[0] == 0
    members = members_of(whole.read_bytes())
    assert members[f"media/{hashlib.sha256(b'film').hexdigest()}"] == b"film"
    kinds = [json.loads(line)["event"] for line in members["facts.jsonl"].splitlines()]
    assert {"CaseOpened", "CaseMediaHandled", "CaseNoted", "PersonEnrolled", "WagerSettled"} <= set(
        kinds
    )
    page = members["report.html"].decode()
    assert "A patron complains" in page
    assert "I had Small" in page
    assert "$50 on Small Bet" in page
    look = [line for line in run("cat", "--ledger", str(ledger)).out.splitlines()
            if '"PatronReferenceSeen"' in line and number in line]  # fmt: skip
    assert len(look) == 1, "whoever packs a patron's reference has looked at it"


def test_the_twin_of_a_case_names_nobody(
    ledger: Path, disputed: tuple[str, Path], tmp_path: Path
) -> None:
    number, _ = disputed
    full, twin = tmp_path / "full.zip", tmp_path / "twin.zip"
    assert packed(ledger, number, full).code == 0
    assert packed(ledger, number, twin, "--redact", "all").code == 0
    assert judged(twin.read_bytes(), str(read_log(ledger).verifier))[0] == 0
    of_full, of_twin = members_of(full.read_bytes()), members_of(twin.read_bytes())
    assert of_full["checkpoint"] == of_twin["checkpoint"]
    content = b"".join(of_twin.values())
    for text in (b"p-SB-01-99", b"S-2", b"I had Small", b"D-SB-01-1", b"A patron complains"):
        assert text in b"".join(of_full.values()), text
        assert text not in content, text


@pytest.mark.parametrize(
    ("person", "words", "code"),
    [
        ("S-2", (), "case_unknown"),
        ("D-SB-01-1", (), "case_refused"),
        ("S-1", ("--media", "/no/such/folder"), "pack_media_changed"),
        ("S-1", ("--media", ".", "--redact", "all"), "command_wrong"),
        ("S-1", ("--round", ROUND), "command_wrong"),
        ("S-1", ("--size", "99999999"), "pack_size_unknown"),
    ],
)
def test_a_case_is_not_packed(
    ledger: Path, disputed: tuple[str, Path], tmp_path: Path, person: str,
    words: tuple[str, ...], code: str,
) -> None:  # fmt: skip
    ran = packed(ledger, disputed[0], tmp_path / "x.zip", *words, person=person)
    assert (ran.code in (2, 3), f"[{code}]" in ran.err) == (True, True), ran.err
    assert not (tmp_path / "x.zip").exists()


def test_a_file_that_is_another_now_is_not_packed(
    ledger: Path, disputed: tuple[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "small.mp4").write_bytes(b"other film")
    ran = packed(ledger, disputed[0], tmp_path / "x.zip", "--media", str(tmp_path))
    assert (ran.code, "small.mp4 is changed" in ran.err) == (2, True)


def test_a_changed_byte_of_the_pack_of_a_case_is_refused(
    ledger: Path, disputed: tuple[str, Path], tmp_path: Path
) -> None:
    whole = tmp_path / "c.zip"
    assert packed(ledger, disputed[0], whole).code == 0
    content, verifier = whole.read_bytes(), str(read_log(ledger).verifier)
    for at in range(0, len(content), len(content) // 60):
        changed = bytearray(content)
        changed[at] ^= 1 << at % 8
        code, lines = judged(bytes(changed), verifier)
        assert (code, lines[-1].startswith("REFUSED: ")) == (4, True), at
