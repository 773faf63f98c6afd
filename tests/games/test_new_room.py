"""A new game is one folder: what ``law new-room`` lays down is judged from facts to the night.

The package is copied, the room laid down in the copy, and every command run from there: no line
outside the room's folder and the tables of its chapter is changed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ledger.codec import to_text
from ledger.games import BY_KEY
from tests.engine import Scene, _table, faces, serials

ROOT = Path(__file__).parent.parent.parent
GAME, KEY, CHAPTER, DAY = "Lucky Die", "lucky_die", "999", date(2021, 3, 15)
WAGERS = ("Number", "High", "Low")
NEW = {
    *(f"games/{KEY}/{name}" for name in (
        "README.md", "__init__.py", "decider.py", "equipment.py", "procedure.py", "state.py",
        "terms.py", "validity.py", "wagers.py",
    )),
    f"law/editions/{CHAPTER}.toml",
    *(f"law/{folder}/{CHAPTER}.tsv" for folder in ("coverage", "index", "obligations")),
}  # fmt: skip


@dataclass(frozen=True)
class Installation:
    """A package with the new room, and where its commands are run."""

    python: str
    place: Path

    def run(self, *words: str, code: int | None = 0) -> str:
        """What a command says on both outputs; it ends with this code (None: any)."""
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        done = subprocess.run(
            [self.python, "-m", "ledger", *words],
            cwd=self.place,
            env={**kept, "PATH": os.defpath, "HOME": str(self.place), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert code is None or done.returncode == code, done.stdout[-2000:] + done.stderr[-3000:]
        return done.stdout + (done.stderr if code else "")

    def findings(self, folder: str) -> list[str]:
        """The codes of a ledger's findings on the day, sorted."""
        words = ("audit", "--day", DAY.isoformat(), "--ledger", folder, "--format", "json")
        page = json.loads(self.run(*words, code=None))
        return sorted(finding["code"] for finding in page["findings"])


def lay_down(installation: Installation) -> str:
    """Lay the room down as the checklist says."""
    words = ("law", "new-room", GAME, "--chapter", CHAPTER, "--since", "2020-01-01")
    return installation.run(*words)


def digests(package: Path) -> dict[str, str]:
    """The files of a package by what is in them."""
    return {
        str(path.relative_to(package)): sha256(path.read_bytes()).hexdigest()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """A copy of the package, with the room laid down in it."""
    place = tmp_path_factory.mktemp("copied")
    for folder in ("ledger", "schemas"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, place / folder, ignore=ignored)
    before = digests(place / "ledger")
    installation = Installation(sys.executable, place)
    lay_down(installation)
    after = digests(place / "ledger")
    assert after.keys() - before.keys() == NEW
    assert {name for name in before if after.get(name) != before[name]} == set()
    return installation


def evening() -> Scene:
    """A table of the new game in order, with one honest round: 5 is thrown."""
    scene = Scene(GAME, DAY)
    approvals: list[tuple[str, dict[str, Any]]] = [
        ("GameApproved", {"game": GAME, "approved_time": None}),
        ("LayoutApproved", {"layout": "L-1", "game": GAME, "bureau": "GAMING_OPERATIONS", "boxes_approved": True}),
        ("SignApproved", {"sign": "LS-1", "location": True, "size": True, "language": True}),
    ]  # fmt: skip
    scene._office(approvals)
    _table(scene, layout=WAGERS)
    scene.add("DiceSetPlaced", -2300, dice=serials("d1"))
    scene.add("BettingOpened", 0)
    number, high, low = (
        scene.wager(1, "Number", 5, cents=1_000),
        scene.wager(2, "High", cents=2_000),
        scene.wager(3, "Low", cents=3_000),
    )
    scene.add("NoMoreBetsAnnounced", 10)
    scene.add("DiceThrown", 11, dice=faces(5))
    scene.add("RollCalled", 12, faces=[5])
    scene.lost(20, low, 3_000)
    scene.won(21, number, 4_000)
    scene.won(22, high, 2_000)
    return scene


def ledger(
    installation: Installation,
    name: str,
    change: Callable[[Scene], object] = lambda scene: scene,
    code: int = 0,
) -> str:
    """Begin a ledger with the evening, changed so; what the append said on either output."""
    scene = evening()
    change(scene)
    lines = installation.place / f"{name}.jsonl"
    lines.write_text("".join(f"{to_text(fact)}\n" for fact in scene.build()), encoding="utf-8")
    installation.run("init", "--origin", f"{name}.example/floor", "--ledger", name)
    return installation.run("append", str(lines), "--ledger", name, code=code)


def walk(installation: Installation) -> None:
    """From facts to the night: an honest evening, a wrong payout and a face that no die has."""
    shown = installation.run("law", "show", KEY)
    assert "Number wins when the number picked shows on 1 die" in shown
    assert "§ 999.5(1)" in shown
    odds = json.loads(installation.run("law", "odds", KEY, "--format", "json"))
    edges = {row["wager"]: row["house_edge"] for row in odds}
    # by hand: 1 - 5/6 of Number's 4 to 1; 1 - 2 x 2/6 of even money on two faces
    assert edges == {"Number": "1/6", "High": "1/3", "Low": "1/3"}
    ledger(installation, "honest")
    assert installation.findings("honest") == []
    page = installation.run("round", "show", "T-01:12", "--ledger", "honest")
    assert "Number" in page
    assert "Result: 5" in page
    assert "§ 999.5(1)" in page
    assert "$40.00" in page

    def overpaid(scene: Scene) -> object:
        return scene.change("WagerSettled", {"wager_id": "W1"}, winnings_cents=5_000)

    ledger(installation, "planted", overpaid)
    assert installation.findings("planted") == ["wager_overpaid"]

    def impossible(scene: Scene) -> object:
        return scene.change("DiceThrown", dice=faces(7))

    refused = ledger(installation, "refused", impossible, code=1)
    assert "dice[0].face: allowed is 1 to 6" in refused

    def unclear(scene: Scene) -> object:
        return scene.change("DiceThrown", dice=faces((5, "UNRECOGNISED")))

    ledger(installation, "unclear", unclear)
    assert "result_unknown" in installation.findings("unclear")
    for name, status, effect_cents in (("planted", "settled", 1_000), ("unclear", "unknown", 0)):
        words = ("night", "--day", DAY.isoformat(), "--ledger", name, "--out", f"{name}-nights")
        installation.run(*words, "--processes", "1", code=None)
        marts = next((installation.place / f"{name}-nights").rglob("rounds.parquet"))
        (row,) = pq.read_table(marts).to_pylist()
        assert (row["game"], row["status"], int(row["effect_cents"])) == (
            GAME, status, effect_cents,
        )  # fmt: skip
        assert (row["unknown_because"] is None) is (status == "settled")


@pytest.mark.full
def test_the_room_runs_from_its_facts_to_the_night(copied: Installation) -> None:
    assert KEY not in BY_KEY  # nothing of it is in this environment
    walk(copied)


def test_what_is_laid_down_is_in_the_house_style(copied: Installation) -> None:
    shutil.copy(ROOT / "pyproject.toml", copied.place)
    for command in (("check",), ("format", "--check")):
        words = [sys.executable, "-m", "ruff", *command, "--no-cache", f"ledger/games/{KEY}"]
        done = subprocess.run(words, cwd=copied.place, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.full
def test_what_is_laid_down_has_its_types(copied: Installation) -> None:
    words = ("-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"))
    done = subprocess.run(
        [sys.executable, *words, f"ledger/games/{KEY}"],
        cwd=copied.place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr


@pytest.mark.parametrize(
    "words",
    [
        (GAME, "--chapter", CHAPTER),  # it is there already
        ("Other Die", "--chapter", CHAPTER),  # its chapter is
        ("lucky die", "--chapter", "998"),
        ("Other Die", "--chapter", "../1"),
        ("A" + "a" * 40, "--chapter", "998"),
    ],
)
def test_what_stands_is_not_written_over(copied: Installation, words: tuple[str, ...]) -> None:
    before = digests(copied.place / "ledger")
    copied.run("law", "new-room", *words, "--since", "2020-01-01", code=2)
    assert digests(copied.place / "ledger") == before


def test_a_chapter_without_its_index_is_refused_by_name(tmp_path: Path) -> None:
    for folder in ("ledger", "schemas"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    installation = Installation(sys.executable, tmp_path)
    lay_down(installation)
    (tmp_path / "ledger" / "law" / "index" / f"{CHAPTER}.tsv").unlink()
    words = [sys.executable, "-m", "ledger", "law", "show", KEY]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert f"the law has no table index/{CHAPTER}.tsv" in done.stderr
    assert "add the file: first a line with section, heading" in done.stderr
