"""The one writer: groups, repeats beyond a restart, who may ask it, and what hinders it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from ledger import events
from ledger.casework.cases import STREAM, CaseFiles
from ledger.cli import desk_writer, writing
from ledger.cli.desk_writer import DeskWriter, serve_connections
from ledger.cli.errors import WriterRunning
from ledger.cli.lent_ledger import LentLedger
from ledger.cli.recorded_requests import RecordedRequests
from ledger.cli.wall_clock import read_clock
from ledger.log import Arrival, FileLog, open_log, read_log
from ledger.log.keys import key_beside
from ledger.replay import Replay
from ledger.web import writer_socket
from ledger.web.writer_socket import LONGEST, WriterAway, ask_writer, writer_folder
from tests.log.kafka_helpers import wager
from tests.web.conftest import PHRASE, Served, cheap, copied


class Running:
    """A writer in this process, at its socket."""

    def __init__(self, folder: Path, key: Path | None = None) -> None:
        self.folder, self.key = folder, key
        self.tickets: dict[str, str] = {}
        self.start()

    def start(self) -> None:
        own = writer_folder(self.folder)
        listening, self.lock = writing._listen(self.folder, own)
        self.writer = DeskWriter(self.folder, own, read_clock, self.key)
        self.is_over = Event()
        self.threads = [
            Thread(target=self.writer.run, daemon=True),
            Thread(
                target=serve_connections, args=(self.writer, listening, self.is_over), daemon=True
            ),
        ]
        self.listening = listening
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        self.is_over.set()
        self.writer.stop()
        for thread in self.threads:
            thread.join()
        self.listening.close()
        self.lock.close()

    def sign_in(self, person: str) -> None:
        answer = self.ask(act="sign_in", person=person, pass_phrase=PHRASE)
        assert answer["ok"], answer
        self.tickets[person] = answer["ticket"]

    def ask(self, **request: Any) -> dict[str, Any]:
        answer: dict[str, Any] = ask_writer(self.folder, request)
        return answer

    def act(self, person: str, name: str, number: str = "", **more: Any) -> dict[str, Any]:
        request = {
            "act": name, "person": person, "case": number, "ticket": self.tickets.get(person, ""),
            "id": more.pop("id", os.urandom(12).hex()),
            "pass_phrase": more.pop("pass_phrase", ""),
        }  # fmt: skip
        return self.ask(**request, fields=more)

    def cases(self) -> CaseFiles:
        return CaseFiles.read(Replay.open(self.folder))


@contextmanager
def served_with_writer(folder: Path, **more: Any) -> Iterator[Served]:
    """A desk and its writer by one clock; the test may stop the writer as ``Served.running``."""
    running, served = Running(folder, key_beside(folder)), Served(folder, **more)
    running.writer._clock = served.clock
    served.running = running
    try:
        yield served
    finally:
        if not running.is_over.is_set():
            running.stop()
        served.record.close()


@pytest.fixture
def folder(desk_ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cheap(monkeypatch)
    return copied(desk_ledger, tmp_path)


@pytest.fixture
def running(folder: Path) -> Iterator[Running]:
    writer = Running(folder)
    writer.sign_in("S-1")
    yield writer
    writer.stop()


def opened(running: Running, **more: str) -> str:
    answer = running.act("S-1", "open", summary="Small Bet collected", **more)
    assert answer["ok"], answer
    number: str = answer["case"]
    return number


def test_what_is_acknowledged_is_on_the_record(running: Running) -> None:
    number = opened(running, round="SB-01:517", staff="D-SB-01-1", patron="p-17")
    assert running.act("S-1", "note", number, text="2 2 4; it is Small.")["ok"]
    case = running.cases().files[number]
    assert [note.note for note in case.notes] == ["2 2 4; it is Small."]
    assert [matter.reference for matter in case.matters] == ["SB-01:517"]
    assert case.notes[0].proof.how is events.ProofKind.PASS_PHRASE
    assert case.idle == ()


def test_a_request_that_comes_again_is_not_done_twice_also_after_a_restart(
    running: Running,
) -> None:
    number = opened(running)
    first = running.act("S-1", "note", number, id="a" * 16, text="once")
    again = running.act("S-1", "note", number, id="a" * 16, text="once")
    assert (first["ok"], again["ok"], again.get("repeated")) == (True, True, True)
    running.stop()
    running.start()
    running.sign_in("S-1")
    later = running.act("S-1", "note", number, id="a" * 16, text="once")
    assert later == {"ok": True, "case": number, "repeated": True}
    other = running.act("S-1", "note", number, id="a" * 16, text="otherwise")
    assert "recorded before" in other["problem"]
    assert [note.note for note in running.cases().files[number].notes] == ["once"]


def test_what_was_noted_and_never_appended_is_done_when_it_comes_again(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = opened(running)
    append = FileLog.append_whole

    def fails(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FileLog, "append_whole", fails)
    broken = running.act("S-1", "note", number, id="b" * 16, text="kept")
    assert not broken["ok"]
    monkeypatch.setattr(FileLog, "append_whole", append)
    assert running.act("S-1", "note", number, id="b" * 16, text="kept") == {
        "ok": True, "case": number,
    }  # fmt: skip
    assert len(running.cases().files[number].notes) == 1


def test_a_cut_line_of_the_requests_is_passed_over(folder: Path) -> None:
    own = writer_folder(folder)
    own.mkdir()
    (own / "requests").write_text('{"id": "x", "con', encoding="utf-8")
    assert RecordedRequests(own).found("x", Replay.open(folder)) is None
    assert (own / "requests").read_text("utf-8") == ""


def test_acts_that_come_together_share_checkpoints_and_all_are_recorded(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = opened(running)
    appended = []
    append = FileLog.append_whole

    def counted(log: FileLog, *words: Any) -> Any:
        time.sleep(0.05)
        appended.append(1)
        return append(log, *words)

    monkeypatch.setattr(FileLog, "append_whole", counted)
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(lambda n: running.act("S-1", "note", number, text=f"n{n}"), range(40))
        )
    assert all(answer["ok"] for answer in answers), answers
    assert len(appended) < 20
    case = running.cases().files[number]
    assert sorted(note.note for note in case.notes) == sorted(f"n{n}" for n in range(40))
    assert [note.seq for note in case.notes] == sorted(note.seq for note in case.notes)
    assert case.idle == ()


def test_an_entry_of_the_shift_and_acts_of_cases_stand_in_one_queue(running: Running) -> None:
    number = opened(running)
    acts = [("note", number, {"text": "a"}), ("log", "", {"entry": "camera cleaned"})] * 6
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda a: running.act("S-1", a[0], a[1], **a[2]), acts))
    assert all(answer["ok"] for answer in answers), answers
    assert len(running.cases().files[number].notes) == 6


def test_two_people_who_close_one_case_close_it_once(running: Running) -> None:
    number = opened(running)
    phrase = {"pass_phrase": PHRASE}
    assert running.act("SS-1", "decide", number, decision="You are right.", **phrase)["ok"]
    with ThreadPoolExecutor(2) as pool:
        answers = list(
            pool.map(
                lambda _: running.act("SS-2", "close", number, reason="paid", **phrase), range(2)
            )
        )
    assert sorted(answer["ok"] for answer in answers) == [False, True]
    assert any("is closed" in answer.get("problem", "") for answer in answers)


@pytest.mark.parametrize("name", ["decide", "close", "reopen", "sign", "handover"])
def test_what_weighs_needs_the_pass_phrase_again(running: Running, name: str) -> None:
    running.sign_in("SS-1")
    answer = running.act("SS-1", name, "2021-0001", decision="x")
    assert (answer["ok"], answer["code"]) == (False, "proof_needed")


def test_nobody_acts_for_another_person(running: Running) -> None:
    number = opened(running)
    running.tickets["SS-1"] = running.tickets["S-1"]
    assert running.act("SS-1", "note", number, text="x")["code"] == "proof_needed"
    running.tickets["SS-1"] = "forged"
    assert running.act("SS-1", "note", number, text="x")["code"] == "proof_needed"
    wrong = running.act("SS-1", "note", number, text="x", pass_phrase="wrong phrase for sure")
    assert wrong["code"] == "person_not_proved"
    unknown = running.act("GHOST", "note", number, text="x", pass_phrase=PHRASE)
    assert unknown["code"] == "person_not_proved"
    assert running.cases().files[number].notes == ()


def test_a_ticket_ends_when_its_person_signs_out(running: Running) -> None:
    number = opened(running)
    assert running.ask(act="sign_out", ticket=running.tickets["S-1"])["ok"]
    assert running.act("S-1", "note", number, text="x")["code"] == "proof_needed"
    back = running.act("S-1", "note", number, text="x", pass_phrase=PHRASE)
    running.tickets["S-1"] = back["ticket"]
    assert running.act("S-1", "note", number, text="y")["ok"]


@pytest.mark.parametrize(
    ("person", "name", "why"),
    [
        ("FS-1", "decide", "is for: supervisor"),
        ("IT-1", "note", "is for: surveillance"),
        ("IA-1", "close", "is for: supervisor"),
    ],
)
def test_the_rights_are_those_of_the_command_line(
    running: Running, person: str, name: str, why: str
) -> None:
    number = opened(running)
    fields = {"text": "x", "decision": "x", "reason": "x", "pass_phrase": PHRASE}
    answer = running.act(person, name, number, **fields)
    assert why in answer["problem"], answer


def test_a_subject_is_told_of_no_case(running: Running) -> None:
    number = opened(running, staff="SS-1")
    phrase = {"pass_phrase": PHRASE}
    own = running.act("SS-1", "note", number, text="x", **phrase)
    none = running.act("SS-1", "note", "2021-9999", text="x", **phrase)
    assert own["problem"].replace(number, "") == none["problem"].replace("2021-9999", "")


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"\n", b"[]\n", b"7\n", b'"x"\n', b"{", b"{}\n", b'{"act": 7}\n', b"\xff\xfe\n"),
        *(b'{"act": "note", "fields": 3}\n', b'{"act":"note","fields":{"a":1}}\n'),
        b'{"act": "rm -rf", "person": "S-1"}\n',
    ],
)
def test_what_is_no_request_is_refused_and_the_writer_goes_on(
    running: Running, line: bytes
) -> None:
    with socket.socket(socket.AF_UNIX) as own, writer_socket.socket_address(running.folder) as at:
        own.settimeout(10)
        own.connect(at)
        own.sendall(line)
        own.shutdown(socket.SHUT_WR)
        answer = writer_socket.read_line(own)
    assert answer is None or json.loads(answer)["ok"] is False
    assert running.ask(act="ping") == {"ok": True}


def test_a_fault_of_the_writer_is_told_and_it_goes_on(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise RecursionError

    monkeypatch.setattr(DeskWriter, "_check", fails)
    answer = running.act("S-1", "note", "2021-0001", text="x")
    assert (answer["ok"], answer["code"]) == (False, "writer_failed")
    assert running.ask(act="ping") == {"ok": True}


def test_a_request_without_end_is_cut_off(running: Running) -> None:
    with pytest.raises(WriterAway):
        ask_writer(running.folder, {"act": "x" * LONGEST})
    assert running.ask(act="ping") == {"ok": True}


def test_another_user_hears_nothing(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_writer, "is_own_user", lambda _: False)
    with pytest.raises(WriterAway):
        running.ask(act="ping")


def test_the_desk_talks_to_no_other_user(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_socket, "is_own_user", lambda _: False)
    with pytest.raises(WriterAway):
        running.ask(act="ping")


def test_the_socket_is_for_its_user_alone(running: Running) -> None:
    assert writer_folder(running.folder).stat().st_mode & 0o077 == 0


def test_one_process_writes_for_a_ledger(running: Running) -> None:
    with pytest.raises(WriterRunning):
        writing._listen(running.folder, writer_folder(running.folder))


def test_a_ledger_that_is_open_elsewhere_is_waited_for(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = opened(running)
    with ThreadPoolExecutor(1) as pool:
        with open_log(running.folder):
            asked = pool.submit(running.act, "S-1", "note", number, text="x")
            time.sleep(0.3)
            assert not asked.done()
        assert asked.result()["ok"]
    monkeypatch.setattr(desk_writer, "LOCKED_SECONDS", 0.1)
    with open_log(running.folder):
        assert running.act("S-1", "note", number, text="y")["code"] == "ledger_locked"
    assert [note.note for note in running.cases().files[number].notes] == ["x"]


def test_a_command_that_appends_for_long_lets_the_desk_in_between(running: Running) -> None:
    number = opened(running)
    is_over, appended = Event(), Counter[str]()

    def go_on(ledger: LentLedger) -> None:
        while not is_over.is_set():
            log = ledger.lend(is_over.is_set)
            log.append([Arrival(wager("SB-09", appended.total() + 1))], read_clock())
            appended["here"] += 1

    with LentLedger(running.folder, lambda: open_log(running.folder)) as ledger:
        thread = Thread(target=go_on, args=(ledger,))
        thread.start()
        answers = [running.act("S-1", "note", number, text=text) for text in "xyz"]
        is_over.set()
        thread.join()
    assert all(answer["ok"] for answer in answers)
    assert [note.note for note in running.cases().files[number].notes] == ["x", "y", "z"]
    assert Replay.open(running.folder).extent("SB-09").facts == appended.total()


def test_what_others_appended_meanwhile_counts(running: Running) -> None:
    from ledger.codec import frame
    from ledger.log import Arrival

    number = opened(running)
    cases = running.cases()
    at = read_clock()
    proof = events.ActProof(how=events.ProofKind.PASS_PHRASE, signature=None)
    head = cases.head("S-1", at)
    other = events.CaseNoted(**head, case_number=number, note="b", noted_by="S-1", proof=proof)
    with open_log(running.folder) as log:
        log.append_whole([Arrival(frame(other))], at)
    assert running.act("S-1", "note", number, text="c")["ok"]
    assert [note.note for note in running.cases().files[number].notes] == ["b", "c"]
    assert {note.stream for note in running.cases().files[number].notes} == {STREAM}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_desk_that_is_stopped_stops_its_writer(folder: Path, number: signal.Signals) -> None:
    environment = {**os.environ, "PITLEDGER_KEY": str(key_beside(folder))}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    words = [sys.executable, "-m", "ledger", "serve", "--ledger", str(folder), "--port", port]
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    for _ in range(400):
        try:
            ask_writer(folder, {"act": "ping"})
            socket.create_connection(("127.0.0.1", int(port))).close()
        except (WriterAway, OSError):
            time.sleep(0.05)
        else:
            break
    process.send_signal(number)
    process.wait(20)
    with pytest.raises(WriterAway):
        ask_writer(folder, {"act": "ping"})


def test_a_writer_that_is_killed_is_away_and_its_successor_knows_what_it_did(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {**os.environ, "PITLEDGER_KEY": str(key_beside(folder))}
    words = [sys.executable, "-m", "ledger", "serve", "writer", "--ledger", str(folder)]

    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(words, env=environment)
        for _ in range(200):
            try:
                ask_writer(folder, {"act": "ping"})
            except WriterAway:
                time.sleep(0.05)
            else:
                return process
        raise AssertionError("the writer does not answer")

    with pytest.raises(WriterAway):
        ask_writer(folder, {"act": "ping"})
    process = start()
    size = read_log(folder).size
    process.send_signal(signal.SIGKILL)
    process.wait()
    with pytest.raises(WriterAway, match="does not answer"):
        ask_writer(folder, {"act": "ping"})
    process = start()
    process.terminate()
    assert process.wait(10) == 0
    assert read_log(folder).size == size
