"""The night: same bytes however often, killed at five points, restated by a late fact, signed."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import date
from multiprocessing import active_children
from pathlib import Path

import pytest

from ledger.audit import DayUnknown
from ledger.events import WagerSettled
from ledger.kernel import LedgerError
from ledger.night import Phase, changes, last_issue, run_night, sign_report
from ledger.night.begin import locked
from ledger.night.refusals import (
    DayOpen,
    NightOfAnotherLedger,
    NightRunning,
    ReportNotSigned,
    StepLost,
)
from tests.analytics import given

ROOT = Path(__file__).parent.parent.parent
DAY = date(2021, 6, 12)
POINTS = ("locked", "step_written", "step_stored", "issue_written", "issue_named")
SENT = given.facts("overpaid", days=2, scale=0.02)


def files(out: Path) -> dict[str, bytes]:
    root = out / DAY.isoformat()
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return given.ledger(tmp_path_factory.mktemp("night") / "ledger", SENT)


@pytest.fixture(scope="module")
def undisturbed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    found = run_night(folder, DAY, out=out, processes=1)
    assert (found.is_new, found.issue.number) == (True, 1)
    assert found.first_line.startswith("All ")
    assert "wager_overpaid" in {finding.code for finding in found.audit.findings}
    return out


def test_two_processes_give_the_same_bytes(folder: Path, undisturbed: Path, tmp_path: Path) -> None:
    run_night(folder, DAY, out=tmp_path, processes=2)
    assert files(tmp_path) == files(undisturbed)


@pytest.mark.parametrize(
    "point",
    [*POINTS[:2], *(pytest.param(point, marks=pytest.mark.full) for point in POINTS[2:])],
)
def test_killed_and_started_again(
    folder: Path, undisturbed: Path, tmp_path: Path, point: str
) -> None:
    words = [sys.executable, str(Path(__file__).with_name("killed.py"))]
    words += [str(folder), str(tmp_path), DAY.isoformat(), "1", point]
    kept = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, env=kept, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert ("final-1/manifest.json" in files(tmp_path)) is (point == "issue_named")
    found = run_night(folder, DAY, out=tmp_path, processes=1)
    assert found.is_new is (point != "issue_named")
    assert files(tmp_path) == files(undisturbed)
    assert list(tmp_path.rglob(".tmp-*")) == []


def test_again_it_stands(folder: Path, undisturbed: Path) -> None:
    before = files(undisturbed)
    assert not run_night(folder, DAY, out=undisturbed, processes=1).is_new
    assert files(undisturbed) == before


def test_a_late_fact_restates_the_day(tmp_path: Path) -> None:
    late = next(fact for fact in SENT if isinstance(fact, WagerSettled))
    key = (late.stream, late.seq)
    ledger = given.ledger(
        tmp_path / "ledger", [fact for fact in SENT if (fact.stream, fact.seq) != key]
    )
    out = tmp_path / "out"
    first = run_night(ledger, DAY, out=out, processes=1)
    assert first.first_line.startswith(f"INCOMPLETE: {late.stream} lacks 1 fact ({late.seq}) since")
    given.append(ledger, [late])
    second = run_night(ledger, DAY, out=out, processes=1)
    told = second.issue.manifest["restates"]
    assert (second.issue.number, told["issue"], told["reasons"]) == (2, 1, ["late facts"])
    assert told["late"] == [{"fact": f"{late.stream}:{late.seq}", "event": "WagerSettled"}]
    assert (out / DAY.isoformat() / "final-1" / "manifest.json").exists()
    found = changes(first.issue.manifest, second.issue.manifest)
    assert found["came"] == [f"{late.stream}:{late.seq}"]
    assert (found["left"], found["rules"], found["code"]) == ([], [], [])
    assert "audit.json" in found["outputs"]


def test_an_open_day_is_preliminary_and_says_so(tmp_path: Path) -> None:
    sent = [fact for fact in SENT if type(fact).__name__ != "GamingDayClosed"]
    ledger = given.ledger(tmp_path / "ledger", sent)
    found = run_night(ledger, DAY, out=tmp_path / "out", processes=1)
    assert found.issue.manifest["phase"] == "preliminary"
    assert found.first_line.startswith("INCOMPLETE: the day is not closed")
    with pytest.raises(DayOpen) as refusal:
        run_night(ledger, DAY, out=tmp_path / "out", phase=Phase.FINAL, processes=1)
    assert (refusal.value.code, refusal.value.exit_code) == ("day_open", 2)


def test_an_unknown_day(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DayUnknown):
        run_night(folder, date(1999, 1, 1), out=tmp_path, processes=1)


def test_two_runs_at_once(folder: Path, tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(NightRunning) as refusal:
        run_night(folder, DAY, out=tmp_path, processes=1)
    assert (refusal.value.code, refusal.value.exit_code) == ("night_running", 3)


def test_a_full_disk(folder: Path, undisturbed: Path, tmp_path: Path) -> None:
    """Files may be 4,000 bytes long, as if no more had room; then there is room again."""

    def little() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, resource.RLIM_INFINITY))

    words = [sys.executable, "-m", "ledger", "night", "--day", str(DAY), "--processes", "1"]
    done = subprocess.run(
        [*words, "--ledger", str(folder), "--out", str(tmp_path)], preexec_fn=little, cwd=ROOT,
        capture_output=True, text=True, timeout=250, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (3, "")
    assert "[night_unwritable]" in done.stderr
    assert files(tmp_path) == {}
    run_night(folder, DAY, out=tmp_path, processes=1)
    assert files(tmp_path) == files(undisturbed)


def test_the_nights_of_another_ledger(undisturbed: Path, tmp_path: Path) -> None:
    changed = [replace(fact, source="T-OTHER") if fact is SENT[0] else fact for fact in SENT]
    other = given.ledger(tmp_path / "ledger", changed)
    with pytest.raises(NightOfAnotherLedger) as refusal:
        run_night(other, DAY, out=undisturbed, processes=1)
    assert (refusal.value.code, refusal.value.exit_code) == ("night_of_another_ledger", 4)


def test_a_damaged_issue_is_named(folder: Path, tmp_path: Path) -> None:
    issue = run_night(folder, DAY, out=tmp_path, processes=1).issue
    (issue.path / "audit.json").write_bytes(b"{}")
    with pytest.raises(LedgerError) as refusal:
        run_night(folder, DAY, out=tmp_path, processes=1)
    assert (refusal.value.code, refusal.value.exit_code) == ("issue_damaged", 4)


def test_preparer_and_approver_differ(tmp_path: Path) -> None:
    ledger = given.ledger(tmp_path / "ledger", SENT)
    out = tmp_path / "out"
    run_night(ledger, DAY, out=out, processes=1)
    people = sorted({fact.person for fact in SENT if type(fact).__name__ == "PersonCredentialled"})
    after = max(fact.event_time for fact in SENT) + 1

    def sign(person: str, signed_as: str) -> str:
        fact, _ = sign_report(
            ledger, out, DAY, person=person, name="A. Name", signed_as=signed_as, at=after
        )
        return fact.person

    with pytest.raises(ReportNotSigned, match="preparer yet"):
        sign(people[1], "approver")
    with pytest.raises(ReportNotSigned, match="no credential"):
        sign("nobody", "preparer")
    assert sign(people[0], "preparer") == people[0]
    with pytest.raises(ReportNotSigned, match="preparer and approver differ"):
        sign(people[0], "approver")
    assert sign(people[1], "approver") == people[1]
    again = run_night(ledger, DAY, out=out, processes=1)
    assert not again.is_new  # a signature is no input of the day
    assert again.issue.digest == last_issue(out, DAY, Phase.FINAL).digest


def test_the_input_hash_can_be_computed_by_hand(undisturbed: Path) -> None:
    from hashlib import sha256

    manifest = json.loads(files(undisturbed)["final-1/manifest.json"])
    told = dict(manifest["input"])
    stated = told.pop("hash")
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert sha256(text.encode()).hexdigest() == stated


@pytest.mark.full
def test_a_signature_is_no_fault_of_the_day_it_is_given_on(tmp_path: Path) -> None:
    """The closing of the day could not name its stream, and no terminal writes it."""
    ledger = given.ledger(tmp_path / "ledger", SENT)
    out = tmp_path / "out"
    run_night(ledger, DAY, out=out, processes=1)
    following = date(2021, 6, 13)
    before = run_night(ledger, following, out=out, processes=1)
    person = min(fact.person for fact in SENT if type(fact).__name__ == "PersonCredentialled")
    end = max(fact.event_time for fact in SENT if type(fact).__name__ == "WagerSettled")
    sign_report(ledger, out, DAY, person=person, name="A. Name", signed_as="preparer", at=end)
    after = run_night(ledger, following, out=tmp_path / "other", processes=1)
    assert after.audit.findings == before.audit.findings
    assert after.issue.manifest["input"]["hash"] == before.issue.manifest["input"]["hash"]


def test_a_killed_process_of_the_pool(folder: Path, undisturbed: Path, tmp_path: Path) -> None:
    def kill_one(place: str) -> None:
        if place == "step_stored":
            for process in active_children():
                process.kill()

    with pytest.raises(StepLost) as refusal:
        run_night(folder, DAY, out=tmp_path, processes=2, at=kill_one)
    assert (refusal.value.code, refusal.value.exit_code) == ("night_step_lost", 3)
    assert files(tmp_path) == {}
    run_night(folder, DAY, out=tmp_path, processes=1)
    assert files(tmp_path) == files(undisturbed)


@pytest.mark.full
def test_a_damaged_output_of_a_step_is_made_again(
    folder: Path, undisturbed: Path, tmp_path: Path
) -> None:
    run_night(folder, DAY, out=tmp_path, processes=1)
    for path in (tmp_path / "work" / DAY.isoformat()).iterdir():
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert not run_night(folder, DAY, out=tmp_path, processes=1).is_new
    assert files(tmp_path) == files(undisturbed)
