"""The simulated floor and the demonstration: the same bytes, and a truth that is not believed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.cli import demo
from ledger.cli.simulated_ledger import Wish
from ledger.floor import MAILED_PATRONS, Plant, Simulation, simulate
from ledger.reports import not_on_pages
from tests.cli.conftest import Command
from tests.cli.given import copied, run

ROOT = Path(__file__).parent.parent.parent
TRUTH_KEYS = {"kind", "gaming_day", "round", "stream", "seq", "code", "cite"}


def bytes_of(folder: Path) -> dict[str, str]:
    """Every file of a ledger but its cache, hashed."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "cache" not in path.parts
    }


@pytest.mark.full
def test_the_same_seed_gives_the_same_bytes(simulated: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "again", tmp_path / "out.jsonl"
    words = ("floor", "simulate", "--ledger", str(folder), "--seed", "5", "--scale", "50000")
    plants = ("--plant", "all", "--plant", "overpaid@SB-03")
    said = run(*words, *plants, "--out", str(out), PYTHONHASHSEED="77")
    assert said.code == 0
    assert bytes_of(folder) == bytes_of(simulated)
    cat = run("cat", "--plain", "--ledger", str(folder))
    lines, told = out.read_text().splitlines(), cat.out.splitlines()
    known = set(told)
    assert told == [line for line in lines if line in known]
    assert len(lines) - len(told) == 1, "the planted conflict is in the quarantine"


def test_the_truth_stands_beside(simulated: Path) -> None:
    truth = json.loads((simulated / "truth.json").read_text())
    assert all(set(row) >= TRUTH_KEYS for row in truth)
    hidden = [row for row in truth if not row["detectable"]]
    # counts that are wrong at one table on one day are told in one finding
    assert {row["kind"] for row in hidden} == {"overpaid", "box_count_short"}
    assert all(row["why"] for row in hidden)


@pytest.mark.full
def test_coupons_come_with_their_plants_and_no_name_is_written(
    command: Command, tmp_path: Path
) -> None:
    folder, out = tmp_path / "coupons", tmp_path / "out.jsonl"
    words = ("--seed", "3", "--coupons", "--plant", "coupon_not_in_box@SB-01", "--out", out)
    said = command("floor", "simulate", "--ledger", folder, *words)
    assert said.code == 0, said.err
    (row,) = json.loads((folder / "truth.json").read_text())
    assert (row["code"], len(row["serials"])) == ("redeemed_not_dropped", 1)
    assert row["serials"][0] in out.read_text()
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for name, address in MAILED_PATRONS:
        assert name.split()[-1].encode() not in written
        assert address.split(",")[0].encode() not in written


def test_a_ledger_that_holds_facts_is_refused(
    command: Command, made: Path, simulated: Path
) -> None:
    for folder in (made, simulated):
        before = bytes_of(folder)
        said = command("floor", "simulate", "--ledger", folder, "--seed", "5")
        assert (said.code, said.out) == (2, "")
        assert "[ledger_holds_facts]" in said.err
        other = command("floor", "simulate", "--ledger", folder, "--seed", "6", "--continue")
        assert other.code == 2
        assert "[other_simulation]" in other.err
        assert bytes_of(folder) == before


@pytest.mark.full
def test_going_on_adds_only_what_is_missing(tmp_path: Path) -> None:
    small = ("--scale", "10000", "--format", "json")
    words = ("floor", "simulate", "--seed", "3", *small, "--ledger")
    two = run(*words, str(tmp_path / "two"), "--days", "2").json
    one = run(*words, str(tmp_path / "one"))
    assert one.code == 0
    more = run(*words, str(tmp_path / "one"), "--days", "2", "--continue").json
    assert more["facts"] == two["facts"]
    assert 0 < more["added"] < more["facts"]
    assert more["tree_size"] == two["tree_size"]


@pytest.mark.parametrize(
    "words",
    [
        ("--seed", "1", "--plant", "nonsense"),
        ("--seed", "1", "--plant", "overpaid:0"),
        ("--seed", "1", "--plant", "overpaid@XX-01"),
        ("--seed", "1", "--plant", "two_shakes@DC-01"),
        ("--seed", "1", "--plant", "device_fault_unsupervised:1000"),
        ("--seed", "1", "--days", "0"),
        ("--seed", "one"),
        (),
    ],
)
def test_a_wish_that_makes_no_sense_makes_no_ledger(
    command: Command, tmp_path: Path, words: tuple[str, ...]
) -> None:
    said = command("floor", "simulate", "--ledger", tmp_path / "none", *words)
    assert (said.code, said.out) == (2, "")
    assert not (tmp_path / "none").exists()


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The nights of the simulated day: what was done once stands."""
    return tmp_path_factory.mktemp("nights")


@pytest.mark.full
def test_the_demonstration_agrees(command: Command, simulated: Path, nights: Path) -> None:
    words = ("demo", "--ledger", simulated, "--out", nights, "--processes", "1")
    said = command(*words, "--format", "json")
    assert said.code == 0
    assert said.json["agrees"] is True
    assert said.json["invented"] == said.json["not_on_report"] == []
    seen = [one for one in said.json["planted"] if one["detectable"]]
    assert len({one["kind"] for one in seen}) >= 15
    assert all(one["found"] for one in seen)
    page = command(*words)
    assert "The reports match what was planted" in page.out
    for word in ("capture level", "in force", "events", "digest", "invisible to any record"):
        assert word in page.out
    assert page.out.index("capture level") < page.out.index("in force")
    assert page.out.rstrip().endswith(f"Report: {nights / 'demo.html'}".splitlines()[-1])
    html = (nights / "demo.html").read_text()
    assert html.index('id="capture"') < html.index("in force") < html.index('id="actions"')
    for kind in {one["kind"] for one in seen}:
        assert kind.replace("_", " ") in html


@pytest.mark.full
def test_a_late_fact_restates_the_second_day(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The whole of the demonstration on a floor that opens for a few minutes."""
    plants = [Plant.parse(one) for one in ("overpaid", "coupon_not_in_box")]

    def short(wish: Wish) -> Simulation:
        return simulate(wish.seed, wish.first_day, wish.days, plants, coupons=True, scale=0.03)

    monkeypatch.setattr(Wish, "draw", short)
    monkeypatch.setattr(demo, "AFTER", 0)
    folder, out = tmp_path / "ledger", tmp_path / "nights"
    done = demo.run_demo(folder, 2021, 1, lambda _done, _total: None, out=out)
    assert done.agrees, (done.comparison.missed, done.comparison.invented, done.not_on_report)
    told = done.restated
    assert told is not None
    assert told.gaming_day == demo.LATE_DAY
    assert told.reasons == ("late facts",)
    assert [one.split()[1] for one in told.late] == ["CouponRedeemed"]
    assert told.signed_forms == ("MPC-REC-2021-06-13 issue 1",)
    assert told.signed_reports == ("approver IA-2", "preparer IA-1")
    assert [(str(one.audit.gaming_day), one.issue, one.stands) for one in done.nights] == [
        ("2021-06-12", "final 1", True),
        ("2021-06-13", "final 1", False),
        ("2021-06-13", "final 2", True),
        ("2021-06-14", "final 1", True),
    ]
    former = done.nights[1]
    assert former.first_line.startswith("INCOMPLETE: ")
    html = Path(done.report).read_text()
    for word in (told.late[0], *told.signed_forms, "overpaid", "coupon not in box"):
        assert word in html
    for one in done.nights:
        assert f'href="{one.page.relative_to(out)}"' in html
    hidden = list(not_on_pages(done.comparison, [(one, "") for one in done.nights]))
    assert len(hidden) == len(done.comparison.matches)
    (folder / "truth.json").write_text("[]")
    again = demo.run_demo(folder, 2021, 1, lambda _done, _total: None, out=out)
    assert not again.agrees
    assert len(again.comparison.invented) == 3


@pytest.mark.full
@pytest.mark.timeout(900)
def test_the_demonstration_needs_nothing(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "ledger", "demo", "--seed", "9"]
    done = subprocess.run(
        words, cwd=ROOT, env=os.environ | {"TMPDIR": str(tmp_path)}, capture_output=True,
        text=True, timeout=850, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    report = Path(done.stdout.rstrip().rpartition("Report:")[2].replace("\n", "").strip())
    assert report.is_relative_to(tmp_path)
    assert "A late fact restates 2021-06-13" in done.stdout
    assert "signed forms affected: MPC-REC-2021-06-13 issue 1" in done.stdout


@pytest.mark.full
@pytest.mark.parametrize("change", ["row taken away", "row added", "another code", "another fact"])
def test_a_truth_that_was_tampered_with(
    command: Command, simulated: Path, nights: Path, tmp_path: Path, change: str
) -> None:
    folder = tmp_path / "copy"
    copied(simulated, folder)
    path = folder / "truth.json"
    truth = json.loads(path.read_text())
    found = next(row for row in truth if row["code"] == "wager_underpaid")
    match change:
        case "row taken away":
            truth.remove(found)
        case "row added":
            truth.append({**found, "round": None, "seq": [found["seq"][0] + 1]})
        case "another code":
            found["code"] = "wager_overpaid"
        case "another fact":
            found["seq"] = [1]
    path.write_text(json.dumps(truth))
    said = command("demo", "--ledger", folder, "--out", nights, "--processes", "1")
    assert said.code == 1
    assert "do NOT match" in said.out


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"kind": "x"}]'])
def test_a_truth_that_cannot_be_read(
    command: Command, simulated: Path, tmp_path: Path, text: str
) -> None:
    folder = tmp_path / "copy"
    copied(simulated, folder)
    (folder / "truth.json").write_text(text)
    said = command("demo", "--ledger", folder)
    assert (said.code, said.out) == (3, "")
    assert "[truth_unreadable]" in said.err


def test_the_demonstration_leaves_other_ledgers_alone(command: Command, made: Path) -> None:
    before = bytes_of(made)
    said = command("demo", "--ledger", made)
    assert said.code == 2
    assert "[ledger_holds_facts]" in said.err
    assert bytes_of(made) == before


def test_a_day_has_about_as_many_events_as_asked_for(command: Command, tmp_path: Path) -> None:
    words = ("floor", "simulate", "--seed", "3", "--scale", "20000", "--ledger")
    text = command(*words, tmp_path / "once").out
    assert "wanted   about 20,000 events a day; " in text
    assert command(*words, tmp_path / "once").code == 2, "a ledger that holds facts is refused"
    again = command(*words, tmp_path / "again", "--format", "json").json
    assert bytes_of(tmp_path / "once") == bytes_of(tmp_path / "again")
    assert abs(again["facts"] / 20_000 - 1) <= 0.05
    assert (again["wanted"], f"the result is {again['facts']:,} a day" in text) == (20_000, True)


@pytest.mark.parametrize("scale", ["0", "-5", "9999", "6250001", "many"])
def test_a_day_that_no_floor_has_is_refused(command: Command, tmp_path: Path, scale: str) -> None:
    said = command("floor", "simulate", "--seed", "1", "--scale", scale, "--ledger", tmp_path / "x")
    assert (said.code, said.out) == (2, "")
    assert not (tmp_path / "x").exists()


@pytest.mark.full
def test_many_tables_play_lawfully(command: Command, tmp_path: Path) -> None:
    """Each further table has its own approvals, staff, equipment and coupons."""
    words = ("--seed", "5", "--scale", "140000", "--coupons", "--plant", "overpaid@DC-02")
    folder = tmp_path / "ledger"
    assert command("floor", "simulate", *words, "--ledger", folder).code == 0
    day = command("audit", "--day", "2021-06-12", "--ledger", folder, "--format", "json").json
    assert [one["code"] for one in day["findings"]] == ["wager_overpaid"]
    assert {one["table"] for one in day["capture"]} >= {"SB-11", "AP-12", "FB-11", "PH-12", "DC-11"}
