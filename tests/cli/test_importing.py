"""`pitledger import`, `amend` and `property describe`, as a person meets them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.log import open_log, read_log, verify
from tests.cli import given
from tests.cli.given import Ran

Command = Callable[..., Ran]
SAMPLES = Path(__file__).parent.parent / "intake" / "samples"
WAGERS = SAMPLES / "table-wagers.csv"


@pytest.fixture
def property_ledger(empty: Path, command: Command) -> Path:
    """A fresh ledger whose property has said where it is."""
    words = ("property", "describe", "--name", "Example Casino", "--time-zone", "America/New_York")
    done = command(*words, "--by", "E-1", "--ledger", empty)
    assert (done.code, done.out) == (
        0,
        "Example Casino: America/New_York, gaming day from 06:00 (house/property:1)\n",
    )
    return empty


def size(folder: Path) -> int:
    return read_log(folder).size


# --- the property ---------------------------------------------------------------------------------


def test_a_property_is_described_once(property_ledger: Path, command: Command) -> None:
    words = ("property", "describe", "--name", "Other", "--time-zone", "Asia/Tokyo", "--by", "E-1")
    again = command(*words, "--ledger", property_ledger)
    assert again.code == 2
    assert "property_known" in again.err
    assert "Example Casino, America/New_York" in again.err


@pytest.mark.parametrize(
    ("zone", "starts"), [("Mars/Base", "06:00"), ("UTC", "25:00"), ("UTC", "six")]
)
def test_a_property_described_wrongly(
    zone: str, starts: str, empty: Path, command: Command
) -> None:
    words = ("property", "describe", "--name", "X", "--by", "E-1", "--time-zone", zone)
    said = command(*words, "--day-starts", starts, "--ledger", empty)
    assert (said.code, "property_wrong" in said.err) == (2, True)


def test_a_sheet_before_the_property_is_described(empty: Path, command: Command) -> None:
    said = command("import", "table-wagers", WAGERS, "--ledger", empty)
    assert said.code == 2
    assert "pitledger property describe" in said.err


# --- import ---------------------------------------------------------------------------------------


def test_a_preview_writes_nothing(property_ledger: Path, command: Command) -> None:
    before = size(property_ledger)
    for words in ((), ("--preview",)):
        said = command("import", "table-wagers", WAGERS, *words, "--ledger", property_ledger)
        assert said.code == 0
        assert "Preview, nothing written: 5 rows of table-wagers.csv can be imported." in said.out
        assert "10 new · 0 unchanged · 0 corrected" in said.out
        assert "stake $95.00 · winnings $855.00 · taken $50.00" in said.out
        assert "wager placed, SB-01/wagers, 06/12/2021 19:00:10: " in said.out
        assert said.out.count(" becomes") == 3
        assert "(--rows 5 shows what each row becomes)" in said.out
    every = command(
        "import", "table-wagers", WAGERS, "--rows", "5", "--ledger", property_ledger
    ).out
    shown = [line for line in every.splitlines() if line.endswith("becomes")]
    assert shown == [f"  row {number} becomes" for number in range(2, 7)]
    assert sum(", SB-01/wagers, " in line for line in every.splitlines()) == 10
    assert size(property_ledger) == before


def test_a_commit_and_the_same_file_again(property_ledger: Path, command: Command) -> None:
    words = (
        "import",
        "table-wagers",
        WAGERS,
        "--commit",
        "--by",
        "E-1",
        "--ledger",
        property_ledger,
    )
    first = command(*words, "--format", "json").json
    assert (first["rows"], first["facts"]) == (5, {
        "new": 10, "same": 0, "changed": 0, "gone": 0, "restored": 0,
    })  # fmt: skip
    assert first["tree_size"] == size(property_ledger)
    again = command(*words)
    assert again.code == 0
    assert "0 new · 10 unchanged" in again.out
    assert size(property_ledger) == first["tree_size"]
    assert verify(property_ledger).problem is None


def test_a_commit_needs_a_person(property_ledger: Path, command: Command) -> None:
    said = command("import", "table-wagers", WAGERS, "--commit", "--ledger", property_ledger)
    assert (said.code, "--by is needed" in said.err) == (2, True)
    both = command(
        "import", "table-wagers", WAGERS, "--commit", "--preview", "--ledger", property_ledger
    )
    assert both.code == 2


def test_one_bad_row_keeps_all_of_the_file_out(
    property_ledger: Path, command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "w.csv"
    path.write_text(WAGERS.read_text().replace("$50.00,chips", "fifty,chips"))
    before = size(property_ledger)
    said = command(
        "import", "table-wagers", path, "--commit", "--by", "E-1", "--ledger", property_ledger
    )
    assert said.code == 1
    assert "row 3, Stake: not an amount in dollars" in said.err
    assert "1 row of 5 refused: nothing is imported." in said.out
    assert size(property_ledger) == before


def test_a_correction_needs_a_reason_and_another_person(
    property_ledger: Path, command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "w.csv"
    words = ("import", "table-wagers", path, "--commit", "--by", "E-1", "--ledger", property_ledger)
    path.write_text(WAGERS.read_text())
    command(*words)
    path.write_text(WAGERS.read_text().replace("won,$80.00", "won,$70.00"))
    before = size(property_ledger)
    for more, missing in (
        ((), "--reason"),
        (("--reason", "typed wrong"), "--approved-by"),
        (("--reason", "typed wrong", "--approved-by", "E-1"), "--approved-by"),
    ):
        said = command(*words, *more)
        assert (said.code, "person_needed" in said.err, missing in said.err) == (2, True, True)
    assert size(property_ledger) == before
    done = command(*words, "--reason", "typed wrong", "--approved-by", "E-2")
    assert done.code == 0
    assert "winnings: was $80.00, now $70.00" in done.out
    assert "row 4 (SB-01 · W-3), SB-01/wagers:6" in done.out


def test_another_profiles_file(property_ledger: Path, command: Command) -> None:
    said = command("import", "drop-count", WAGERS, "--ledger", property_ledger)
    assert said.code == 2
    assert "headings_missing" in said.err
    assert "it has the headings of: table-wagers" in said.err
    unknown = command("import", "wagers", WAGERS, "--ledger", property_ledger)
    assert (unknown.code, "table-wagers" in unknown.err) == (2, True)


def test_two_people_at_once(property_ledger: Path, command: Command) -> None:
    words = ("import", "table-wagers", WAGERS, "--commit", "--ledger", property_ledger)
    with open_log(property_ledger):  # someone else is at it
        said = command(*words, "--by", "E-2")
    assert said.code != 0
    assert "ledger_locked" in said.err
    done: list[Ran] = []

    def one(person: str) -> None:
        done.append(given.run(*map(str, words), "--by", person))

    people = [threading.Thread(target=one, args=(name,)) for name in ("E-1", "E-2", "E-3")]
    for person in people:
        person.start()
    for person in people:
        person.join()
    good = [ran for ran in done if ran.code == 0]
    assert len([ran for ran in good if "10 new" in ran.out]) == 1
    assert all("ledger_locked" in ran.err for ran in done if ran.code != 0)
    assert "0 new · 10 unchanged" in command(*words, "--by", "E-1").out
    assert verify(property_ledger).problem is None


_KILLED = """
import os, signal, sys
import ledger.log.file_log as log
def at_point(name):
    if name == sys.argv[1]:
        os.kill(os.getpid(), signal.SIGKILL)
real = log.open_log
import ledger.log
ledger.log.open_log = lambda *a, **k: real(*a, **k, at_point=at_point)
from ledger.cli import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("point", ["tiled", "signed"])
def test_a_machine_that_stops_during_a_commit(
    point: str, property_ledger: Path, command: Command
) -> None:
    words = [
        "import",
        "table-wagers",
        str(WAGERS),
        "--commit",
        "--by",
        "E-1",
        "--ledger",
        str(property_ledger),
    ]
    before = size(property_ledger)
    child = subprocess.run(
        [sys.executable, "-c", _KILLED, point, *words], cwd=Path(__file__).parent.parent.parent,
        env=os.environ, check=False, capture_output=True, timeout=120,
    )  # fmt: skip
    assert child.returncode == -9
    assert verify(property_ledger).problem is None
    whole = size(property_ledger) > before
    assert whole is (point == "signed")
    again = command(*words).out
    assert ("0 new · 10 unchanged" if whole else "10 new · 0 unchanged") in again
    remarks = verify(property_ledger).remarks
    assert len(remarks) == (0 if whole else 1), "what the commit had laid is kept, and named"


# --- amend ----------------------------------------------------------------------------------------


@pytest.fixture
def day(property_ledger: Path, command: Command) -> Path:
    """The samples' chips, outcomes and wagers."""
    for profile in ("fills-credits-openers", "table-outcomes", "table-wagers"):
        path = SAMPLES / f"{profile}.csv"
        done = command(
            "import", profile, path, "--commit", "--by", "E-1", "--ledger", property_ledger
        )
        assert done.code == 0
    return property_ledger


def test_one_fact_is_amended_and_every_page_shows_both(
    day: Path, command: Command, tmp_path: Path
) -> None:
    lines = command("cat", "--ledger", day).out.splitlines()
    old = next(line for line in map(json.loads, lines) if line["event"] == "DiceThrown")
    old.pop("position")
    path = tmp_path / "new.json"
    old["dice"][0]["face"] = 6
    path.write_text(json.dumps(old))
    where = (old["stream"], str(old["seq"]))
    words = ("amend", *where, "--file", path, "--ledger", day, "--reason", "the sheet says 6")
    for people in (("--by", "E-1", "--approved-by", "E-1"), ("--by", "E-1", "--approved-by", "")):
        assert command(*words, *people).code == 2
    done = command(*words, "--by", "E-1", "--approved-by", "E-2")
    assert done.code == 0
    assert "Reason: the sheet says 6. Amended by E-1, approved by E-2 (amendments:1)" in done.out
    page = command("audit", "--day", "2021-06-12", "--ledger", day).out
    assert "Amended after recording: 1 fact" in page
    assert "dice thrown SB-01/sheet:4" in page
    assert "Restated: " in page
    assert "new:  SB-01/sheet:1: The dealer announced" in page
    data = command("audit", "--day", "2021-06-12", "--ledger", day, "--format", "json").json
    assert [
        (one["before"]["dice"][0]["face"], one["now"]["dice"][0]["face"]) for one in data["amended"]
    ] == [(2, 6)]
    difference = data["restated"]
    came = {"wrong_call", "wrong_outcome", "approval_not_checked"}
    assert {one["code"] for one in difference["came"]} == came
    assert (difference["went"], difference["tables"]) == ([], [])
    assert difference["digest_before"] != data["digest"]
    assert difference["findings_before"] == len(data["findings"]) - len(difference["came"])
    shown = command("round", "show", "SB-01/sheet:1", "--ledger", day)
    assert "Amended after recording: 1 fact" in shown.out
    assert "dice at rest: die 6, die 3, die 4" in shown.out
    assert [
        f["code"]
        for f in command(
            "round", "show", "SB-01/sheet:1", "--ledger", day, "--format", "json"
        ).json["findings"]
    ].count("wrong_call") == 1
    other = command("round", "show", "SB-01/sheet:6", "--ledger", day).out
    assert "Amended" not in other
    same = command(*words, "--by", "E-1", "--approved-by", "E-2")
    assert (same.code, "says so already" in same.err) == (2, True)


def test_a_fact_is_withdrawn(day: Path, command: Command) -> None:
    words = ("amend", "SB-01/sheet", "5", "--withdraw", "--by", "E-1", "--approved-by", "E-2")
    done = command(*words, "--reason", "it was called at another table", "--ledger", day)
    assert done.code == 0
    assert "withdrawn; it said" in done.out
    shown = command("round", "show", "SB-01/sheet:1", "--ledger", day).out
    assert "roll called SB-01/sheet:5: withdrawn" in shown
    assert "facts are missing" not in shown
    gone = command(
        "amend",
        "SB-01/sheet",
        "1",
        "--withdraw",
        "--by",
        "E-1",
        "--approved-by",
        "E-2",
        "--reason",
        "x",
        "--ledger",
        day,
    )
    assert gone.code == 0
    assert command("round", "show", "SB-01/sheet:1", "--ledger", day).code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("SB-01/sheet", "99", "--withdraw"), "the ledger has no fact SB-01/sheet:99"),
        (("nowhere", "1", "--withdraw"), "the ledger has no fact nowhere:1"),
        (("SB-01/sheet", "4"), "Give --file or --withdraw"),
    ],
)
def test_an_amendment_that_would_change_nothing(
    words: tuple[str, ...], said: str, day: Path, command: Command
) -> None:
    people = ("--by", "E-1", "--approved-by", "E-2", "--reason", "x", "--ledger", day)
    before = size(day)
    ran = command("amend", *words, *people)
    assert (ran.code, said in ran.err) == (2, True)
    assert size(day) == before


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"event": "X"}', "\x00", '{"event": "BettingOpened"}']
)
def test_a_new_fact_that_is_none(text: str, day: Path, command: Command, tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    path.write_text(text)
    people = ("--by", "E-1", "--approved-by", "E-2", "--reason", "x", "--ledger", day)
    ran = command("amend", "SB-01/sheet", "4", "--file", path, *people)
    assert (ran.code, "amendment_wrong" in ran.err) == (2, True)
    other = command("amend", "SB-01/sheet", "4", "--file", tmp_path / "none.json", *people)
    assert other.code in (2, 3)
