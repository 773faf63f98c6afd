"""`pitledger observe` as a person meets it: forms, refusals, the second person, and the pages."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from ledger.casework import FormWrong, parse_form
from ledger.casework.person_proofs import NotProved, PersonProofs
from ledger.codec import to_text
from ledger.kernel import table_of
from ledger.log import read_log
from tests.audit.tape import day_facts, enrolled
from tests.cli.conftest import Command
from tests.cli.given import Ran, copied, run

ROUND, DAY = "SB-01:50", "2021-06-12"
TABLES = {"SB-01", "DC-01", "AP-01"}
TIME = "2021-06-12 09:57:56"
"""Local; the round was from 09:57:45 to 09:58:08."""
AGREES = f"""
table = "SB-01"
camera = "CAM-SB-01-A"
time = "{TIME}"
dice = ["red 6", "white 2", "blue 1"]
[[wager]]
id = "W4"
name = "Big Bet"
stake = 25
paid = 0
collected = 25
"""
DIFFERS = AGREES.replace("white 2", "white 4")


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tables of a small simulated day; it is only read."""
    folder = tmp_path_factory.mktemp("observing")
    facts = [one for one in day_facts() if table_of(one.stream) in TABLES or is_office(one.stream)]
    at = max(fact.event_time for fact in facts)
    facts += enrolled("S-1", "S-2", "SS-1", "SS-2", "D-SB-01-1", at=at)
    path = folder / "day.jsonl"
    path.write_text("".join(f"{to_text(one)}\n" for one in facts), encoding="utf-8")
    ledger = folder / "ledger"
    assert run("init", "--origin", "test.example/tape", "--ledger", str(ledger)).code == 0
    assert run("append", str(path), "--ledger", str(ledger)).code == 0
    assert run("rounds", "--ledger", str(ledger)).code in (0, 1)
    return ledger


def is_office(stream: str) -> bool:
    return table_of(stream)[:3] not in ("SB-", "DC-", "AP-", "PH-", "FB-")


@pytest.fixture
def desk(floor: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that ledger, as the default one."""
    folder = copied(floor, tmp_path / "ledger")
    phrase = tmp_path / "phrase"
    phrase.write_text("what a person knows\n", encoding="utf-8")
    monkeypatch.setenv("PITLEDGER_LEDGER", str(folder))
    monkeypatch.setenv("PITLEDGER_PASS_PHRASE_FILE", str(phrase))
    monkeypatch.setattr(PersonProofs, "prove", proved)
    return folder


def proved(_: PersonProofs, person: str, pass_phrase: str, at: int) -> None:
    """What every person here knows, without the time that a real proof takes."""
    if pass_phrase != "what a person knows":
        raise NotProved(f"This is not the pass phrase of {person}.", next_step="again")


def state(command: Command, tmp_path: Path, form: str, by: str = "S-1") -> Ran:
    path = tmp_path / "form.toml"
    path.write_text(form, encoding="utf-8")
    return command("observe", path, "--by", by)


def size(folder: Path) -> int:
    return read_log(folder).size


# ---------------------------------------------------------------------------- two persons


def test_nobody_observes_or_confirms_by_a_typed_credential(
    command: Command, desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert state(command, tmp_path, DIFFERS).code == 0
    before = size(desk)
    (tmp_path / "phrase").write_text("what another person knows\n", encoding="utf-8")
    for said in (
        state(command, tmp_path, DIFFERS.replace("white 4", "white 5")),
        command("observe", "confirm", "1", "--by", "SS-1"),
    ):
        assert (said.code, "[person_not_proved]" in said.err) == (2, True)
    monkeypatch.delenv("PITLEDGER_PASS_PHRASE_FILE")
    asked = command("observe", "confirm", "1", "--by", "SS-1")
    assert "asked for at a terminal" in asked.err
    assert size(desk) == before


def test_one_person_states_and_another_confirms(
    command: Command, desk: Path, tmp_path: Path
) -> None:
    assert "changes no verdict" not in command("round", "show", ROUND).out
    said = state(command, tmp_path, DIFFERS)
    assert (said.code, said.err) == (0, "")
    assert "pitledger observe confirm 1" in said.out
    waiting = command("observe", "list")
    assert (waiting.code, "not confirmed" in waiting.out) == (1, True)
    shown = command("round", "show", ROUND)
    assert shown.out.startswith("1 wager settled correctly")
    assert "it changes no verdict" in shown.out

    assert command("observe", "confirm", "1", "--by", "SS-1").code == 0
    assert command("observe", "list").code == 0
    shown = command("round", "show", ROUND)
    # 6 + 4 + 1 = 11 is big: $25 wins $25, and $25 was collected
    assert shown.out.startswith("By the tape: W4, $25 on Big Bet: The house took $25.00; the wager")
    assert "wins $25.00. The patron lost $50.00." in " ".join(shown.out.split())
    assert "throw 1 ≠" in shown.out
    assert "tape-and-terminal" in shown.out
    data = command("round", "show", ROUND, "--format", "json").json["accounts"]
    assert (data["stands_on"], data["observation"]) == ("tape", 1)
    assert data["terminal"]["shown"] == "1 2 6"
    assert data["tapes"][0]["judged"]["shown"] == "1 4 6"
    assert data["dealer"]["called"] == {"throw 1": "called 6 2 1"}
    assert [one["code"] for one in command("audit", "--format", "json").json["findings"]].count(
        "tape_differs"
    ) == 1


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ("S-1", "a second person is needed"),
        ("s_1", "a second person is needed"),
        ("S-2", "takes a supervisor or above"),
        ("D-SB-01-1", "dealt at SB-01 then"),
        ("FR-1", "is of finance"),
        ("Z-99", "holds no credential"),
        (" ", "named by a credential number"),
    ],
)
def test_who_may_not_confirm_is_refused(
    command: Command, desk: Path, tmp_path: Path, by: str, why: str
) -> None:
    assert state(command, tmp_path, DIFFERS).code == 0
    before = size(desk)
    said = command("observe", "confirm", "1", "--by", by)
    assert (said.code, why in said.err, size(desk)) == (2, True, before)


@pytest.mark.parametrize("number", ["2", "0", "x", "-1", "1" * 40, "SB-01:50", ""])
def test_an_observation_that_is_not_there_is_not_confirmed(
    command: Command, desk: Path, tmp_path: Path, number: str
) -> None:
    assert state(command, tmp_path, DIFFERS).code == 0
    said = command("observe", "confirm", number, "--by", "SS-1")
    assert (said.code, "[observation_unknown]" in said.err) == (2, True)


def test_what_was_said_is_not_said_twice(command: Command, desk: Path, tmp_path: Path) -> None:
    assert state(command, tmp_path, DIFFERS).code == 0
    before = size(desk)
    again = state(command, tmp_path, DIFFERS)
    assert (again.code, "says the same already" in again.err, size(desk)) == (2, True, before)
    assert command("observe", "confirm", "1", "--by", "SS-1").code == 0
    twice = command("observe", "confirm", "1", "--by", "SS-2")
    assert (twice.code, "was confirmed by SS-1 already" in twice.err) == (2, True)


def test_a_wrong_one_is_replaced(command: Command, desk: Path, tmp_path: Path) -> None:
    assert state(command, tmp_path, DIFFERS).code == 0
    assert command("observe", "confirm", "1", "--by", "SS-1").code == 0
    assert state(command, tmp_path, f"replaces = 1\n{AGREES}").code == 0
    assert command("observe", "confirm", "3", "--by", "SS-2").code == 0
    assert command("round", "show", ROUND).code == 0
    assert [one["replaced_by"] for one in command("observe", "list", "--format", "json").json] == [
        3,
        None,
    ]
    other = state(command, tmp_path, f"replaces = 1\n{DIFFERS}")
    assert (other.code, "was replaced by observation 3" in other.err) == (2, True)


def test_the_dealer_states_nothing_about_the_round(
    command: Command, desk: Path, tmp_path: Path
) -> None:
    said = state(command, tmp_path, AGREES, by="D-SB-01-1")
    assert (said.code, "nobody decides about themselves" in said.err) == (2, True)


# ---------------------------------------------------------------------------- bad forms


REFUSED = {
    "no table": (AGREES.replace('table = "SB-01"', ""), "a text is missing here"),
    "another table": (AGREES.replace('"SB-01"', '"SB-77"'), "SB-77"),
    "another camera": (AGREES.replace("CAM-SB-01-A", "CAM-DC-01-A"), "No camera CAM-DC-01-A"),
    "before the ledger": (AGREES.replace("2021", "1999"), "The ledger has no fact of 1999"),
    "after the ledger": (AGREES.replace("2021", "2031"), "The ledger has no fact of 2031"),
    "between rounds": (AGREES.replace("09:57:56", "07:00:00"), "No round of SB-01 was under way"),
    "several rounds": (AGREES.replace("09:57:56", "09:58"), "rounds of SB-01 were under way then"),
    "the camera runs ahead": (
        f"camera_ahead = 10000\n{AGREES}",
        "check the time, and the offset of the camera's clock",
    ),
    "another round": (f'round = "SB-01:42"\n{AGREES}', "SB-01:42 was not under way"),
    "no round": (f'round = "SB-01:9999"\n{AGREES}', "was not under way"),
    "a seven": (AGREES.replace("red 6", "red 7"), "a die has no face 7"),
    "a nought": (AGREES.replace('"red 6"', "0"), "a die has no face 0"),
    "two dice": (AGREES.replace('"red 6", ', ""), "is played with 3 dice"),
    "thirteen dice": (AGREES.replace('["red 6"', f"[{'1, ' * 12}2"), "more than 12 dice"),
    "a die in words": (AGREES.replace('"red 6"', '"red six"'), "a die is a number from 1 to 6"),
    "a die as truth": (AGREES.replace('"red 6"', "true"), "a text is missing here"),
    "dice and throws": (f"throws = [[1, 2, 3]]\n{AGREES}", "not both"),
    "a wheel": (f'sections = ["5"]\n{AGREES}', "No wheel is on record at SB-01"),
    "cards": (
        f'{AGREES}[[hand]]\nseat = "1"\nhigh = "AS 10H JOKER 4D"\n',
        "Sic Bo has no cards",
    ),
    "no such card": (f'{AGREES}[[hand]]\nseat = "1"\nhigh = "1S"\n', '"1S" is no card'),
    "a card twice": (
        f'{AGREES}[[hand]]\nseat = "1"\nhigh = "AS 10H"\nlow = "AS"\n',
        "AS lies twice, at seat 1 and seat 1",
    ),
    "no such wager": (AGREES.replace("W4", "W99"), "has no wager W99 on record"),
    "a wager of another game": (AGREES.replace("Big Bet", "Touchdown"), "has no wager Touchdown"),
    "picks where there are none": (
        AGREES.replace('name = "Big Bet"', 'name = "Big Bet"\npicks = [3]'),
        "has no picks 3",
    ),
    "a wager twice": (f'{AGREES}[[wager]]\nid = "W4"\nname = "Big Bet"\nstake = 1\n', "W4 stands"),
    "a negative stake": (AGREES.replace("stake = 25", 'stake = "-25"'), "no wager has such"),
    "a stake in thirds": (AGREES.replace("stake = 25", "stake = 8.333"), "an amount of dollars"),
    "an endless stake": (AGREES.replace("stake = 25", "stake = inf"), "an amount of dollars"),
    "a stake of a googol": (AGREES.replace("stake = 25", f"stake = 1{'0' * 90}"), "such an amount"),
    "more collected than staked": (AGREES.replace("collected = 25", "collected = 26"), "more was"),
    "paid on nothing": (AGREES.replace("stake = 25", "stake = 0"), "nothing can be paid"),
    "an unknown field": (f'dealer = "D-1"\n{AGREES}', "it has no such field"),
    "a table of another kind": (f"{AGREES}[[wager.more]]\nx = 1\n", "it has no such field"),
    "a date alone": (AGREES.replace(f'"{TIME}"', "2021-06-12"), "the time of day is missing"),
    "a time in words": (AGREES.replace(TIME, "half past nine"), "a date and a time are wanted"),
    "the first year": (AGREES.replace("2021", "0001"), "no clock shows such a time"),
    "the last year": (AGREES.replace("2021-06-12", "9999-12-31"), "no clock shows such a time"),
    "a clock that is a year off": (f"camera_ahead = 31536000\n{AGREES}", "tells no time"),
    "a clock that is no number": (f"camera_ahead = nan\n{AGREES}", "tells no time"),
    "a hidden character": (AGREES.replace("CAM-SB-01-A", "CAM-\\u202eSB"), "nobody sees"),
    "a note that steers a terminal": (f'note = "\\u001b[2J"\n{AGREES}', "nobody sees"),
    "a note without an end": (f'note = "{"x" * 2_001}"\n{AGREES}', "more than 2,000 characters"),
    "nothing": ("", "a date and a time are wanted"),
    "nothing seen": (
        f'table = "SB-01"\ncamera = "CAM-SB-01-A"\ntime = "{TIME}"\ndice = ["?", "?", "?"]\n',
        "it says nothing that was seen",
    ),
    "no TOML": ("table = = 1", "it is not TOML"),
    "nested without end": (f"x = {'[' * 5_000}", "it is not TOML"),
    "huge": (f"# {'x' * 70_000}", "more than 65,536 bytes"),
    "of another round": (f"replaces = 7\n{AGREES}", "Observation 7 is none of this round"),
}


@pytest.mark.by_turns(4)
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_and_nothing_changes(
    command: Command, desk: Path, tmp_path: Path, case: str
) -> None:
    form, why = REFUSED[case]
    before = size(desk)
    said = state(command, tmp_path, form)
    assert (said.code, size(desk)) == (2, before), said.err
    assert why in " ".join(said.err.split()), said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("document", [b"\xff\xfe", b"\x00", b"\x80 = 1"])
def test_bytes_that_are_no_form(document: bytes) -> None:
    with pytest.raises(FormWrong):
        parse_form(document)


def test_several_rounds_are_listed_and_one_of_them_can_be_named(
    command: Command, desk: Path, tmp_path: Path
) -> None:
    form = AGREES.replace("09:57:56", "09:58")
    said = state(command, tmp_path, form)
    assert "SB-01:50 from 09:57:45" in said.err
    assert state(command, tmp_path, f'round = "sb-01:50"\n{form}').code == 0


def test_the_wheel_has_that_section_or_it_is_refused(
    command: Command, desk: Path, tmp_path: Path
) -> None:
    form = (
        'table = "DC-01"\nround = "DC-01:53"\ncamera = "CAM-DC-01-A"\n'
        'time = "2021-06-12T12:58:36Z"\nsections = ["SECTION"]\nrevolutions = [4.5]\n'
    )
    said = state(command, tmp_path, form.replace("SECTION", "37"))
    assert (said.code, "has no section 37" in said.err) == (2, True)
    few = state(command, tmp_path, form.replace("[4.5]", "[4, 5]"))
    assert (few.code, "one number for each" in few.err) == (2, True)


def test_a_hand_has_as_many_cards_as_it_must(command: Command, desk: Path, tmp_path: Path) -> None:
    shown = command("observe", "--form", "AP-01:133").out
    form = shown.replace('high = "cannot see"', 'high = "AS KD"', 1)
    said = state(command, tmp_path, form)
    assert (said.code, "the high hand has 2 cards, not 4" in said.err) == (2, True)
    elsewhere = state(command, tmp_path, form.replace('seat = "1"', 'seat = "9"', 1))
    assert (elsewhere.code, "No cards were dealt to seat 9" in elsewhere.err) == (2, True)


def test_the_empty_form_is_a_form_in_which_nothing_is_seen(
    command: Command, desk: Path, tmp_path: Path
) -> None:
    shown = command("observe", "--form", ROUND)
    assert shown.code == 0
    said = state(command, tmp_path, shown.out)
    assert (said.code, "it says nothing that was seen" in said.err) == (2, True)
    filled = shown.out.replace("red cannot see", "red 6").replace("white cannot see", "white 2")
    assert state(command, tmp_path, filled).code == 0


# ---------------------------------------------------------------------------- hostile and other ways


def test_what_a_person_writes_is_shown_and_never_obeyed(
    command: Command, desk: Path, tmp_path: Path
) -> None:
    note = "=HYPERLINK(1) <script>alert(1)</script>"
    assert state(command, tmp_path, f'note = "{note}"\n{DIFFERS}').code == 0
    page = command("round", "show", ROUND, "--format", "html").out
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>" not in page
    assert '<h2 id="accounts">' in page
    assert note in command("round", "show", ROUND).out


def test_the_form_comes_by_standard_input(
    command: Command, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(AGREES.encode())))
    said = command("observe", "-", "--by", "S-1")
    assert (said.code, "Observation 1 recorded for SB-01:50" in said.out) == (0, True)
    none = run("observe", "--by", "S-1", "--ledger", str(desk))
    assert (none.code, "Name the file of the form" in none.err) == (2, True)


def test_questions_are_asked_at_a_terminal(
    command: Command, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [
        *("SB-01", "CAM-SB-01-A", TIME, "0", "red 6, white 4, blue 1", "", ""),
        *("1", "Big Bet", "", "25", "0", "25", "", "seen twice"),
    ]
    terminal = io.StringIO("".join(f"{answer}\n" for answer in answers))
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    said = command("observe", "--by", "S-1", "--ledger", desk)
    assert (said.code, said.err) == (0, "")
    data = command("round", "show", ROUND, "--format", "json").json["accounts"]["tapes"][0]
    assert data["shows"]["wagers"][0]["wager_id"] == "W4"
    assert data["shows"]["note"] == "seen twice"


@pytest.mark.parametrize(
    "words",
    [("observe",), ("observe", "x.toml"), ("observe", "x.toml", "--form", ROUND)],
    ids=["nobody", "by nobody", "both"],
)
def test_half_a_command_is_refused(command: Command, desk: Path, words: tuple[str, ...]) -> None:
    assert command(*words).code == 2


def test_a_file_that_is_not_there_is_said(command: Command, desk: Path) -> None:
    assert command("observe", "none.toml", "--by", "S-1").code == 3


def test_the_list_of_rounds_says_what_footage_decided(
    command: Command, desk: Path, tmp_path: Path
) -> None:
    assert state(command, tmp_path, DIFFERS).code == 0
    assert command("observe", "confirm", "1", "--by", "SS-1").code == 0
    rows = command("rounds", "--table", "SB-01", "--format", "json").json
    (row,) = (one for one in rows if one["round"] == ROUND)
    assert row["footage"] == {"stands_on": "tape", "from_footage": False, "observations": [1]}
    assert "By the tape" in command("rounds", "--table", "SB-01").out
