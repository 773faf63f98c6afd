"""The night: same bytes however often, killed at five points, restated by a late fact, signed."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from datetime import date, timedelta
from multiprocessing import active_children
from pathlib import Path

import pytest

from ledger import events
from ledger.audit import DayUnknown, read_office
from ledger.floor import FIRST_DAY, simulate
from ledger.kernel import LedgerError
from ledger.log.signed_file_index import Seals
from ledger.night import (
    Phase,
    changes,
    changes_in_words,
    last_issue,
    read_manifest,
    run_night,
    sign_report,
)
from ledger.night.errors import (
    CountAwaited,
    DayOpen,
    NightOfAnotherLedger,
    NightRunning,
    NothingIssued,
    ReportNotSigned,
    StepLost,
)
from ledger.night.launch import locked
from ledger.night.preliminary_report import AWAITED, is_of_the_count
from ledger.night.step_input import Ground, StepInput, bounds_of_day
from ledger.night.steps import CouponDay, reconcile_coupons
from ledger.replay import Replay
from tests.analytics import given
from tests.night import scene
from tests.night.scene import DAY

ROOT = Path(__file__).parent.parent.parent
POINTS = ("locked", "step_written", "step_stored", "issue_written", "issue_named")
OFFICES = {"house", "people"}
SENT = scene.facts()
UNPAID = next(
    f
    for f in SENT
    if isinstance(f, events.WagerSettled) and (f.winnings_cents, f.stake_taken_cents) == (0, 0)
)


def files(out: Path) -> dict[str, bytes]:
    """Every file of the day's issues but the seal, which is each ledger's own."""
    root = out / DAY.isoformat()
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "manifest.index"
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scene.ledger(tmp_path_factory.mktemp("night") / "ledger")


@pytest.fixture(scope="module")
def undisturbed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    found = run_night(folder, DAY, out=out, processes=1)
    assert (found.is_new, found.issue.number) == (True, 1)
    assert found.first_line.startswith("All ")
    assert "wager_underpaid" in {finding.code for finding in found.audit.findings}
    return out


def test_two_processes_give_the_same_bytes(folder: Path, undisturbed: Path, tmp_path: Path) -> None:
    run_night(folder, DAY, out=tmp_path, processes=2)
    assert files(tmp_path) == files(undisturbed)


@pytest.fixture(scope="module")
def killed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By point, the folder of a run that was killed there."""
    outs = {point: tmp_path_factory.mktemp(point) for point in POINTS}
    words = [sys.executable, str(Path(__file__).with_name("killed.py")), str(folder), str(DAY)]
    done = subprocess.run(
        [*words, *(f"{point}={out}" for point, out in outs.items())],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=250, check=True,
    )  # fmt: skip
    assert done.stdout.split() == [word for point in POINTS for word in (point, "9")]
    return outs


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("point", POINTS)
def test_killed_and_started_again(
    folder: Path, undisturbed: Path, killed: dict[str, Path], point: str
) -> None:
    out = killed[point]
    assert ("final-1/manifest.json" in files(out)) is (point == "issue_named")
    found = run_night(folder, DAY, out=out, processes=1)
    assert found.is_new is (point != "issue_named")
    assert files(out) == files(undisturbed)
    assert list(out.rglob(".tmp-*")) == []


def test_again_it_stands(folder: Path, undisturbed: Path) -> None:
    before = files(undisturbed)
    assert not run_night(folder, DAY, out=undisturbed, processes=1).is_new
    assert files(undisturbed) == before


def test_a_late_fact_restates_the_day(tmp_path: Path) -> None:
    late = next(fact for fact in SENT if isinstance(fact, events.WagerSettled))
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
    assert found["digest_versions"] == [2, 2]


def test_the_next_day_is_no_input_to_the_day_before(tmp_path: Path) -> None:
    """Its first fact hands out the last round of each table; it is no part of that round."""
    sent = list(simulate(2021, days=2, scale=0.02).facts)
    closing = next(at for at, fact in enumerate(sent) if isinstance(fact, events.GamingDayClosed))
    ledger, out = given.ledger(tmp_path / "ledger", sent[: closing + 1]), tmp_path / "out"
    first = run_night(ledger, FIRST_DAY, out=out, processes=1)
    given.append(ledger, sent[closing + 1 :])
    again = run_night(ledger, FIRST_DAY, out=out, processes=1)
    assert again.issue.manifest["input"] == first.issue.manifest["input"]
    assert again.audit.digest == first.audit.digest
    restated = again.issue.manifest["restates"]  # how long equipment has been there by now
    assert (restated["reasons"], restated["late"]) == (["the record after the day"], [])


def test_digests_of_two_versions_are_not_compared(undisturbed: Path) -> None:
    """An issue from before digests had versions holds one of version 1, which hashed sentences."""
    after = read_manifest(next(undisturbed.glob(f"{DAY}/*/manifest.json")))
    before = {**after, "digest": "0" * 64, "outputs": []}
    del before["digest_version"]
    found = changes(before, after)
    assert (found["digest"], found["digest_versions"]) == (True, [1, 2])
    assert any("the two cannot be compared" in line for line in changes_in_words(found))
    assert not any("the two cannot" in line for line in changes_in_words(changes(after, after)))


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
    with pytest.raises(DayUnknown) as refusal:
        run_night(folder, date(1999, 1, 1), out=tmp_path, processes=1)
    assert (refusal.value.code, refusal.value.exit_code) == ("day_unknown", 2)
    assert files(tmp_path) == {}


def test_a_day_without_events(tmp_path: Path) -> None:
    """It was closed, and no table had a fact: a page that says so, and nothing was judged."""
    sent = [replace(f, streams=()) if isinstance(f, events.GamingDayClosed) else f for f in SENT]
    ledger = scene.ledger(tmp_path / "ledger", [f for f in sent if f.stream in OFFICES])
    found = run_night(ledger, DAY, out=tmp_path / "out", processes=1)
    manifest = found.issue.manifest
    assert (manifest["phase"], manifest["rounds"]) == ("final", 0)
    assert "No table was open." in (found.issue.path / "report.txt").read_text()


def test_a_day_that_lacks_a_stream(tmp_path: Path) -> None:
    """The page is made all the same; its first line says which, and the table is unknown."""
    ledger = scene.ledger(tmp_path / "ledger", [f for f in SENT if f.stream != "DC-01"])
    found = run_night(ledger, DAY, out=tmp_path / "out", processes=1)
    assert found.first_line.startswith("INCOMPLETE: DC-01 ")
    assert found.issue.manifest["complete"] is False
    page = (found.issue.path / "report.txt").read_text()
    assert page.startswith("INCOMPLETE: terminal DC-01 ")
    assert "\nDC-01 " not in page[page.index("Tables\n") :].partition("\n\n")[0]


def test_two_runs_at_once(folder: Path, tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(NightRunning) as refusal:
        run_night(folder, DAY, out=tmp_path, processes=1)
    assert (refusal.value.code, refusal.value.exit_code) == ("night_running", 3)


def test_a_full_disk(folder: Path, undisturbed: Path, tmp_path: Path) -> None:
    """Files may be 1,000 bytes long, as if no more had room; then there is room again."""

    def little() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, resource.RLIM_INFINITY))

    words = [sys.executable, "-B", "-m", "ledger", "night", "--day", str(DAY), "--processes", "1"]
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
    other = scene.ledger(tmp_path / "ledger", changed)
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
    ledger = scene.ledger(tmp_path / "ledger")
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
    with pytest.raises(ReportNotSigned, match="No valid credential for nobody"):
        sign("nobody", "preparer")
    assert sign(people[0], "preparer") == people[0]
    with pytest.raises(ReportNotSigned, match="preparer and approver differ"):
        sign(people[0], "approver")
    assert sign(people[1], "approver") == people[1]
    again = run_night(ledger, DAY, out=out, processes=1)
    assert not again.is_new  # a signature is no input of the day
    assert again.issue.digest == last_issue(out, DAY, Phase.FINAL, Seals.of(ledger)).digest


def test_the_input_hash_can_be_computed_by_hand(undisturbed: Path) -> None:
    from hashlib import sha256

    manifest = json.loads(files(undisturbed)["final-1/manifest.json"])
    told = dict(manifest["input"])
    stated = told.pop("hash")
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert sha256(text.encode()).hexdigest() == stated


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


def test_a_damaged_output_of_a_step_is_made_again(
    folder: Path, undisturbed: Path, tmp_path: Path
) -> None:
    run_night(folder, DAY, out=tmp_path, processes=1)
    for path in (tmp_path / "work" / DAY.isoformat()).iterdir():
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert not run_night(folder, DAY, out=tmp_path, processes=1).is_new
    assert files(tmp_path) == files(undisturbed)


def test_a_kept_night_that_was_damaged_is_made_again(
    folder: Path, undisturbed: Path, tmp_path: Path
) -> None:
    """The cache of the days that detections look back at: other bytes move nothing."""
    (kept,) = (folder / "cache" / "nights").iterdir()
    data = kept.read_bytes()
    kept.write_bytes(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])
    run_night(folder, DAY, out=tmp_path, processes=1)
    assert files(tmp_path) == files(undisturbed)
    assert kept.read_bytes() == data


def test_the_caches_of_another_ledger(folder: Path, undisturbed: Path, tmp_path: Path) -> None:
    """A read model of another ledger in the place of this one's is not taken for it."""
    changed = [replace(f, winnings_cents=5_000) if f is UNPAID else f for f in SENT]
    other = scene.ledger(tmp_path / "other", changed)
    run_night(other, DAY, out=tmp_path / "first", processes=1)
    mine = scene.ledger(tmp_path / "mine")
    shutil.copytree(other / "cache", mine / "cache", dirs_exist_ok=True)
    run_night(mine, DAY, out=tmp_path / "second", processes=1)
    assert files(tmp_path / "second") == files(undisturbed)
    assert files(tmp_path / "first") != files(undisturbed)


def test_a_signature_is_no_fault_of_the_day_it_is_given_on_nor_of_the_day_signed(
    tmp_path: Path,
) -> None:
    """It is given on the day after, whose closing cannot name its stream; no terminal writes it."""
    following = DAY + timedelta(days=1)
    ledger = scene.ledger(tmp_path / "ledger", scene.two_days())
    out, other = tmp_path / "out", tmp_path / "other"
    before = [run_night(ledger, day, out=out, processes=1) for day in (DAY, following)]
    at = scene.CLOSED_AT + 10 * 3600 * 1_000_000
    assert read_office(Replay.open(ledger)).clock.day_of(at) == following
    for person, signed_as in (("P-1", "preparer"), ("P-2", "approver")):
        sign_report(ledger, out, DAY, person=person, name="A. Name", signed_as=signed_as, at=at)
    for day, was in zip((DAY, following), before, strict=True):
        assert not run_night(ledger, day, out=out, processes=1).is_new
        now = run_night(ledger, day, out=other, processes=1)
        assert now.audit.findings == was.audit.findings
        assert now.audit.digest == was.audit.digest
        assert now.readiness.lines == was.readiness.lines
        for name in ("input", "digest", "events", "findings", "complete", "first_line"):
            assert now.issue.manifest[name] == was.issue.manifest[name]


# --- before the count and after it ----------------------------------------------------------------


def test_a_preliminary_night_awaits_the_count_and_a_final_one_has_it(tmp_path: Path) -> None:
    ledger = scene.ledger(tmp_path / "ledger", scene.with_box(counted=False))
    out = tmp_path / "out"
    first = run_night(ledger, DAY, out=out, processes=1)
    assert first.issue.path.name == "preliminary-1"
    with pytest.raises(CountAwaited) as refusal:
        run_night(ledger, DAY, out=out, phase=Phase.FINAL, processes=1)
    assert (refusal.value.code, refusal.value.exit_code) == ("count_awaited", 2)
    with pytest.raises(NothingIssued) as unsigned:
        sign_report(
            ledger, out, DAY, person="P-1", name="A. Name", signed_as="preparer",
            at=scene.CLOSED_AT + 1,
        )  # fmt: skip
    assert (unsigned.value.code, unsigned.value.exit_code) == ("night_not_issued", 2)
    given.append(ledger, [scene.count()])
    final = run_night(ledger, DAY, out=out, processes=1)
    assert final.issue.path.name == "final-1"
    row = next(one for one in final.audit.accounts if one.table == "SB-01")
    assert (row.drop_cents, row.by_count_cents, row.awaiting) == (7_000, 9_000, ())
    assert "win_differs" in {one.code for one in final.audit.findings}


def test_a_preliminary_night_says_nothing_that_the_count_shows(tmp_path: Path) -> None:
    """Though the count is on the record already: its report is as it was without it."""
    said = []
    for counted in (False, True):
        ledger = scene.ledger(tmp_path / str(counted), scene.with_box(counted=counted))
        found = run_night(
            ledger, DAY, out=tmp_path / f"out{counted}", phase=Phase.PRELIMINARY, processes=1
        )
        assert not AWAITED & {one.code for one in found.audit.findings}
        told = files(tmp_path / f"out{counted}")
        said.append({n: told[f"preliminary-1/{n}"] for n in ("audit.json", "tables.json")})
        page = told["preliminary-1/report.txt"].decode()
        assert "PRELIMINARY" in page
        assert "awaiting count" in page
        assert "A preliminary report is not signed." in page
    row = next(one for one in json.loads(said[1]["tables.json"]) if one["table"] == "SB-01")
    assert (row["cash_drop_cents"], row["win_by_count_cents"]) == (None, None)


@pytest.fixture(scope="module")
def counted_coupons() -> list[events.Fact]:
    """A short day of the floor with coupons, all of whose boxes are counted."""
    return given.facts(coupons=True, scale=0.03)


def uncounted(sent: list[events.Fact], kept: Collection[events.Fact] = ()) -> list[events.Fact]:
    """The same day before its count was entered, but for what is kept of it."""
    seqs: Counter[str] = Counter()
    found: list[events.Fact] = []
    for fact in sorted(sent, key=lambda one: (one.stream, one.seq)):
        if fact in kept or not is_of_the_count(fact, FIRST_DAY):
            seqs[fact.stream] += 1
            found.append(replace(fact, seq=seqs[fact.stream]))
    return [
        replace(
            one,
            streams=tuple(
                events.StreamEnd(stream=end.stream, last_seq=seqs[end.stream])
                for end in one.streams
                if seqs[end.stream]
            ),
        )
        if isinstance(one, events.GamingDayClosed)
        else one
        for one in found
    ]


def test_coupons_that_are_counted_already_await_their_count_in_a_preliminary_night(
    tmp_path: Path, counted_coupons: list[events.Fact]
) -> None:
    """Reconciliation and forms are as they were before anything, or one part of two, was counted."""
    half = next(one for one in counted_coupons if isinstance(one, events.CouponsCounted))
    in_parts = [replace(one, parts=2) if one is half else one for one in counted_coupons]
    days = {
        "before": uncounted(counted_coupons),
        "counted": counted_coupons,
        "half": uncounted(in_parts, [replace(half, parts=2)]),
    }
    said = {}
    for name, sent in days.items():
        ledger = given.ledger(tmp_path / name, sent)
        ground = Ground(Replay.open(ledger), ledger)
        day = bounds_of_day(ground, FIRST_DAY)
        for phase in Phase:
            said[name, phase] = reconcile_coupons(StepInput(ground=ground, day=day, phase=phase))
    before = said["before", Phase.PRELIMINARY]
    for name in ("counted", "half"):
        assert said[name, Phase.PRELIMINARY].files == before.files
        assert said[name, Phase.PRELIMINARY].result == before.result
    final: CouponDay = said["counted", Phase.FINAL].result
    assert final.line == "2021-06-12: balances to the serial number."
    assert {one.name for one in final.balances} > {one.name for one in before.result.balances}
    coupons: CouponDay = before.result
    assert coupons.line == (
        "2021-06-12: balances to the serial number. 11 drop boxes await their count."
    )
    assert [one for one in coupons.balances if one.difference] == []
    told = json.loads(before.files["coupons.json"])
    assert (told["balanced"], told["awaiting_count"], told["findings"]) == (False, 11, [])


def test_a_temporary_folder_with_a_long_name_holds_up_no_night(tmp_path: Path) -> None:
    deep = tmp_path / ("a" * 90)
    deep.mkdir()
    words = (
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from ledger.night import processes_ready\n"
        "with ProcessPoolExecutor(1, mp_context=processes_ready()) as pool:\n"
        "    print(pool.submit(abs, -3).result())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", words],
        env={**os.environ, "TMPDIR": str(deep)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.returncode) == ("3\n", 0), ran.stderr
