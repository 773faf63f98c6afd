"""`pitledger watch` as a person and a script meet it: once, again, handed on, refused."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from ledger.cli import watching
from ledger.cli.options import Options
from ledger.replay import Replay
from ledger.reports.watch_output import WatchLag, status_data, status_text
from ledger.watch import Told
from ledger.watch.told import alone
from tests.analytics import given
from tests.cli.given import Ran, run_here
from tests.engine import table_day

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of a short day with two plants; each test copies it."""
    folder = tmp_path_factory.mktemp("played") / "ledger"
    return given.ledger(folder, [*table_day("SB-01", "overpaid@SB-01", "late_wager@SB-01")])


@pytest.fixture
def ledger(played: Path, tmp_path: Path) -> Path:
    subprocess.run(["cp", "-r", str(played), str(tmp_path / "ledger")], check=True)
    return tmp_path / "ledger"


def watch(ledger: Path, *words: str) -> Ran:
    return run_here("watch", "--ledger", str(ledger), *words)


def test_once_and_again(ledger: Path) -> None:
    first = watch(ledger, "--once")
    assert first.code == 1, first.err
    assert "SB-01  Paid $" in first.out
    assert "medium; § 539." in first.out
    assert "SB-01  A wager was accepted after 'no more bets'." in first.out
    again = watch(ledger, "--once")
    nothing = "Nothing new: what stands was told before, or nothing was found.\n"
    assert (again.code, again.out) == (1, nothing)


def test_for_a_script(ledger: Path) -> None:
    told = [
        json.loads(line) for line in watch(ledger, "--once", "--format", "json").out.splitlines()
    ]
    by_code = {notice["code"]: notice for notice in told}
    assert {"wager_overpaid", "late_wager"} <= set(by_code)
    paid = by_code["wager_overpaid"]
    assert (paid["change"], paid["because"], paid["table"]) == ("found", "", "SB-01")
    assert paid["effect_cents"] > 0
    assert len({notice["id"] for notice in told}) == len(told)


def test_status(ledger: Path) -> None:
    before = watch(ledger, "--status", "--format", "json")
    assert (before.code, before.json["told_up_to"], before.json["running"]) == (1, 0, False)
    found = len(watch(ledger, "--once", "--format", "json").out.splitlines())
    after = watch(ledger, "--status", "--format", "json")
    assert (after.code, after.json["behind"]) == (0, 0)
    assert sum(after.json["standing"].values()) == found
    assert f"{found} findings told and standing" in watch(ledger, "--status").out
    assert before.json["entries_a_second"] is None
    assert before.json["catches_up_in_seconds"] is None
    assert before.json["behind_seconds"] > 0
    assert after.json["entries_a_second"] > 0
    assert (after.json["catches_up_in_seconds"], after.json["behind_seconds"]) == (0, None)


def test_the_status_lists_the_limits_in_force_and_names_the_default(
    ledger: Path, tmp_path: Path
) -> None:
    by_default = run_here("watch", "--status", "--ledger", str(ledger))
    assert "  silence  told after 5 min, no limit is registered: SB-01\n" in by_default.out
    sheet = tmp_path / "limits.csv"
    sheet.write_text("Since date,Since time,Table,Seconds\n06/12/2021,00:00:00,SB-01,90\n")
    done = run_here(
        "import",
        "silence-limits",
        str(sheet),
        "--ledger",
        str(ledger),
        "--commit",
        "--by",
        "E-0001",
    )
    assert done.code == 0, done.err
    text = run_here("watch", "--status", "--ledger", str(ledger)).out
    name = "imports/silence limits:1"
    assert f"  silence  told after 1 min 30 s, as registered in {name}: SB-01\n" in text
    plain = run_here("watch", "--status", "--ledger", str(ledger), "--format", "json").json
    assert plain["silence_limits"] == [
        {"table": "SB-01", "stream": None, "terminal": None, "seconds": 90.0, "is_default": False,
         "fact": name},
    ]  # fmt: skip


def test_how_far_behind_and_how_fast_it_catches_up() -> None:
    memory, lag = Told(size=100, pace=50.0), WatchLag(size=400, waits_seconds=12.0)
    assert status_data(memory, lag, is_running=True)["catches_up_in_seconds"] == 6.0
    text = status_text(memory, lag, is_running=True)
    assert "300 entries behind" in text
    assert "the first was recorded 12.0 s ago" in text
    assert "50 entries judged in a second; all are told in 6.0 s" in text


def test_two_watches(ledger: Path) -> None:
    with alone(ledger / "cache"):
        second = watch(ledger, "--once")
        assert (second.code, second.out) == (2, "")
        assert "[watch_running]" in second.err
        assert watch(ledger, "--status", "--format", "json").json["running"]
    assert watch(ledger, "--once").code == 1


def test_a_table_as_it_stands(ledger: Path) -> None:
    page = watch(ledger, "--table", "sb-01", "--once")
    assert page.code == 0, page.err
    assert "SB-01, Sic Bo, as of " in page.out
    assert "Last rounds" in page.out
    plain = watch(ledger, "--table", "SB-01", "--once", "--format", "json").json
    assert plain["game"] == "Sic Bo"
    assert len(plain["over"]) <= 6
    assert {"kind", "fact", "since", "sure"} == set(plain["holds"][0])
    unknown = watch(ledger, "--table", "SB-99", "--once")
    assert (unknown.code, "[table_unknown]" in unknown.err) == (2, True)


def test_a_page_of_a_table_shows_what_lies_on_it_and_what_holds(tmp_path: Path) -> None:
    facts = table_day("SB-01")
    mine = [place for place, fact in enumerate(facts) if fact.stream.startswith("SB-01")]
    ledger = given.ledger(tmp_path / "ledger", [*facts[: mine[len(mine) * 6 // 10]]])
    page = watch(ledger, "--table", "SB-01", "--once").out
    assert re.search(r"as of \d\d:\d\d:\d\d, June 12, 2021", page)
    assert re.search(r"\d+ wagers?, \$[\d,]+\.00 at stake", page)
    holds = page[page.index("In force") : page.index("Last rounds")]
    assert "any wager: from $10.00 to $500.00 in steps of $5.00, since " in holds
    assert holds.index("dealer ") < holds.index("any wager") < holds.index("camera ")


def test_a_command_is_handed_each_finding_once(ledger: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    command = f'{sys.executable} -c \'import sys; open("{taken}", "a").write(sys.stdin.read())\''
    told = watch(ledger, "--once", "--format", "json", "--notify", command).out.splitlines()
    watch(ledger, "--once", "--notify", command)
    assert [json.loads(line) for line in taken.read_text().splitlines()] == [*map(json.loads, told)]


def test_who_does_not_take_it_is_asked_again(ledger: Path) -> None:
    """What a receiver refused waits, sealed, for the next watch."""
    refused = watch(ledger, "--once", "--notify", "false")
    assert "`false` did not take a notice" in refused.err
    found = len([line for line in refused.out.splitlines() if "; § " in line])
    assert watch(ledger, "--status", "--format", "json").json["waiting"] == found
    assert watch(ledger, "--status").code == 1
    watch(ledger, "--once", "--notify", "false")
    assert watch(ledger, "--status", "--format", "json").json["waiting"] == found


def test_a_command_that_is_not_there(ledger: Path, tmp_path: Path) -> None:
    missing = watch(ledger, "--once", "--notify", str(tmp_path / "no"))
    assert f"`{tmp_path}/no` did not take a notice" in missing.err
    assert watch(ledger, "--status", "--format", "json").json["waiting"] > 0


class _Endpoint(BaseHTTPRequestHandler):
    """Refuses the first notice that it is sent, and takes the rest; may kill who sends the second."""

    taken: list[tuple[str, dict[str, object]]]
    asked: int

    def do_POST(self) -> None:
        server = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server.asked += 1  # type: ignore[attr-defined]
        if server.asked == 1:  # type: ignore[attr-defined]
            self.send_response(503)
        else:
            server.taken.append((self.headers["Idempotency-Key"], json.loads(body)))  # type: ignore[attr-defined]
            if server.asked == 3 and server.sender is not None:  # type: ignore[attr-defined]
                server.sender.kill()  # type: ignore[attr-defined]
                server.sender.wait()  # type: ignore[attr-defined]
            self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), _Endpoint)
    server.taken, server.asked, server.sender = [], 0, None  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_address_is_asked_until_it_takes_it(ledger: Path, endpoint: HTTPServer) -> None:
    address = f"http://127.0.0.1:{endpoint.server_port}/findings"
    first = watch(ledger, "--once", "--notify", address)
    assert "answered 503" in first.err
    waiting = watch(ledger, "--status", "--format", "json").json["waiting"]
    assert waiting
    watch(ledger, "--once", "--notify", address)
    assert watch(ledger, "--status", "--format", "json").json["waiting"] == 0
    keys = [key for key, _ in endpoint.taken]  # type: ignore[attr-defined]
    assert len(keys) == len(set(keys)) == waiting


def test_killed_before_it_could_say_what_it_found_it_says_it_afterwards(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is to be said is sealed first: who comes after says it, and can withdraw it."""
    options = Options(ledger=ledger, format="json")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(watching, "emit_json_line", killed)
        teller = watching.Teller.of(options, None, [])
        with pytest.raises(KeyboardInterrupt):
            teller.look()
    assert watch(ledger, "--status", "--format", "json").json["waiting"]
    watching.Teller.of(options, None, []).look()
    notices = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"wager_overpaid", "late_wager"} <= {notice["code"] for notice in notices}
    assert watch(ledger, "--status", "--format", "json").json["waiting"] == 0


def test_killed_after_a_notice_was_taken_it_gives_that_one_again_under_its_key(
    ledger: Path, endpoint: HTTPServer
) -> None:
    address = f"http://127.0.0.1:{endpoint.server_port}/findings"
    words = [sys.executable, "-m", "ledger", "watch", "--ledger", str(ledger), "--notify", address]
    endpoint.sender = subprocess.Popen(  # type: ignore[attr-defined]
        words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    endpoint.sender.wait(60)  # type: ignore[attr-defined]
    endpoint.sender = None  # type: ignore[attr-defined]
    watch(ledger, "--once", "--notify", address)
    assert watch(ledger, "--status", "--format", "json").json["waiting"] == 0
    keys = [key for key, _ in endpoint.taken]  # type: ignore[attr-defined]
    standing = sum(watch(ledger, "--status", "--format", "json").json["standing"].values())
    assert (len(set(keys)), len(keys)) == (standing, standing + 1)
    assert keys[1] == keys[2]


def test_killed_and_started_again_it_says_what_is_left(ledger: Path) -> None:
    """Kill a following watch after its first findings, add to the ledger, start it again."""
    words = [sys.executable, "-m", "ledger", "watch", "--ledger", str(ledger), "--format", "json"]
    following = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert following.stdout is not None
    first = json.loads(following.stdout.readline())
    deadline = time.monotonic() + 60
    while watch(ledger, "--status", "--format", "json").json["told_up_to"] == 0:
        assert time.monotonic() < deadline
    following.send_signal(signal.SIGKILL)
    following.wait()
    following.stdout.close()
    assert first["id"]
    again = watch(ledger, "--once", "--format", "json")
    assert again.out == ""
    assert watch(ledger, "--status").code == 0


def test_stopped_it_ends_in_order(ledger: Path) -> None:
    words = [sys.executable, "-m", "ledger", "watch", "--ledger", str(ledger)]
    following = subprocess.Popen(
        words,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )
    assert following.stdout is not None
    assert following.stdout.readline()
    following.send_signal(signal.SIGINT)
    _, err = following.communicate(timeout=60)
    assert (following.returncode, err) == (1, "")


def test_without_the_key_it_says_so_and_remembers_nothing(ledger: Path) -> None:
    (ledger / "keys" / "signer").unlink()
    first = watch(ledger, "--once")
    assert "Nothing is remembered without the ledger's key" in first.err
    assert watch(ledger, "--once").out == first.out != ""


def test_where_nothing_can_be_written_it_says_so_and_tells_it_again(ledger: Path) -> None:
    """What a full disk does: the note cannot take its place."""
    in_its_place = ledger / "cache" / "watch" / "told"
    in_its_place.mkdir(parents=True)
    first = watch(ledger, "--once")
    assert "[watch_not_noted]" in first.err
    in_its_place.rmdir()
    again = watch(ledger, "--once")
    assert (again.out, again.err) == (first.out, "")
    assert "Nothing new" in watch(ledger, "--once").out


def test_no_ledger(tmp_path: Path) -> None:
    refused = watch(tmp_path / "nothing", "--once")
    assert (refused.code, "[ledger_missing]" in refused.err) == (3, True), refused.err
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize(
    ("took", "goes_on_alone"), [(0.001, 0.05), (0.1, 0.5), (0.25, 0.5), (0.6, 0.3), (4.0, 2.0)]
)
def test_looks_begin_so_far_apart_while_much_comes(took: float, goes_on_alone: float) -> None:
    """A short look is soon followed by another; a long one leaves the ingest its share."""
    assert watching.seconds_until_next(took) == pytest.approx(goes_on_alone)


def test_the_status_of_much_that_nobody_read_is_what_the_watch_knew(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch(ledger, "--once")
    size = Replay.open(ledger).size
    words = ("watch", "--status", "--ledger", str(ledger))
    read = run_here(*words, "--format", "json").json
    assert (read["silence_limits_up_to"], len(read["silence_limits"])) == (size, 1)
    given.append(ledger, [replace(table_day("SB-01")[-1], seq=9_999)])
    monkeypatch.setattr(watching, "READ_AT_ONCE", -1)
    monkeypatch.setattr(Replay, "open", None)
    known = run_here(*words, "--format", "json").json
    assert known["silence_limits"] == read["silence_limits"]
    assert known["silence_limits_up_to"] == size
    assert f"  silence  as known at entry {size:,}\n" in run_here(*words).out
