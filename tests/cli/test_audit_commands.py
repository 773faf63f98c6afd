"""The commands that judge: their words for people, their JSON for scripts, their exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.given import DAY, ROUND, WHEEL_ROUND, lines
from tests.reports.test_round_context import two_rounds

CITE_KEYS = {"section", "edition", "text"}
FINDING_KEYS = {
    "code", "severity", "certainty", "sentence", "citations", "readings", "gaming_day", "stream",
    "round", "wager", "facts", "expected", "observed", "effect_cents",
}  # fmt: skip


def test_a_round_opens_with_its_verdict(command: Command, made: Path) -> None:
    said = command("round", "show", ROUND, "--ledger", made)
    first, captured, *_ = said.out.splitlines()
    assert first.startswith(
        "W3, $50 on Small Bet: paid $0.00, should be $50.00. Underpaid $50.00. § 539.6(b)"
    )
    assert captured == f"SB-01, gaming day {DAY}: capture level full."
    assert said.code == 1
    assert said.err == ""


@pytest.mark.parametrize("width", ["80", "120"])
def test_a_round_fits_the_terminal(
    command: Command, made: Path, width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    for name in (ROUND, WHEEL_ROUND):
        said = command("round", "show", name, "--ledger", made).out
        assert max(map(len, said.splitlines())) <= int(width)
        assert "12:00:00.0" in said, "the timeline is in the property's local time"


def test_dice_and_wheel_are_drawn(command: Command, made: Path) -> None:
    dice = command("round", "show", ROUND, "--ledger", made).out
    assert dice.count("●") == 2 + 3 + 4
    wheel = command("round", "show", WHEEL_ROUND, "--ledger", made).out.splitlines()
    clapper = next(line for line in wheel if "▼" in line).index("▼")
    rim = next(line for line in wheel if "│" in line)
    assert rim[clapper] == "5"


def test_a_page_cites_and_names_its_readings(command: Command, made: Path) -> None:
    said = command("round", "show", ROUND, "--ledger", made).out
    assert "§ 539.6(b) (40 Pa.B. 1740; continued as 625a, text not held)" in said
    assert "  floors" in said
    assert "+$50.00" in said


def test_a_round_as_json(command: Command, made: Path) -> None:
    data = command("round", "show", ROUND, "--ledger", made, "--format", "json").json
    assert data["round"] == ROUND
    assert data["status"] == "settled"
    assert data["shown"] == "2 3 4"
    assert data["opened_at"] == "2021-03-15T16:00:00.000000Z"
    wager = next(one for one in data["wagers"] if one["wager_id"] == "W3")
    assert wager["expected"]["outcome"] == "won"
    assert wager["expected"]["winnings_cents"] == 5_000
    assert wager["observed"]["winnings_cents"] == 0
    assert wager["difference_cents"] == -5_000
    assert wager["position"] == "2"
    assert [cite["section"] for cite in wager["expected"]["citations"]] == ["539.6(b)", "539.3(6)"]
    assert set(wager["expected"]["citations"][0]) == CITE_KEYS
    assert [one["event"] for one in data["facts"]][:2] == ["BettingOpened", "WagerPlaced"]
    assert [one["seq"] for one in data["facts"]] == list(range(6, 17))
    assert data["facts"][1]["fact_position"] == "1"
    assert isinstance(data["facts"][1]["position"], int)
    assert {one["code"] for one in data["findings"]} >= {"wager_underpaid"}


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("SB-01:2", "this lies in no round (before SB-01:6)"),
        ("house:1", "house is no table's"),
        ("SB-01:9999", "no fact of that stream and number"),
        ("SB-77:1", "no fact of that stream and number"),
        ("SB-01", "named by stream and number"),
        ("SB-01:0", "named by stream and number"),
    ],
)
def test_an_unknown_round(command: Command, made: Path, name: str, cause: str) -> None:
    said = command("round", "show", name, "--ledger", made)
    assert (said.code, said.out) == (2, "")
    assert "[round_unknown]" in said.err
    assert cause in said.err


@pytest.mark.parametrize("name", ["SB-01:7", "sb-01:16", "Sb-01:6"])
def test_any_fact_opens_its_round_in_any_letter_case(
    command: Command, made: Path, name: str
) -> None:
    round_page = command("round", "show", ROUND, "--ledger", made)
    assert command("round", "show", name, "--ledger", made) == round_page


def test_a_table_is_named_in_any_letter_case(command: Command, made: Path) -> None:
    listed = command("rounds", "--table", "SB-01", "--ledger", made)
    assert ROUND in listed.out
    assert command("rounds", "--table", "sb-01", "--ledger", made) == listed
    in_force = command("inforce", "--table", "SB-01", "--ledger", made)
    assert command("inforce", "--table", "sB-01", "--ledger", made) == in_force


def test_an_audit_as_json(command: Command, made: Path) -> None:
    said = command("audit", "--day", DAY, "--ledger", made, "--format", "json")
    data = said.json
    assert said.code == 1
    assert list(data) == [
        "gaming_day", "property", "tree_size", "root", "digest", "standing", "continued", "capture",
        "events", "rounds", "unknown_rounds", "wagers", "findings", "recorders_not_checked", "writers_not_proven", "marked",
        "footage",
        "amended", "restated", "digest_version",
    ]  # fmt: skip
    assert data["gaming_day"] == DAY
    assert data["property"] == "Example Casino"
    assert data["standing"]["689"] == "in force"
    assert data["continued"] == {"SB-01": "539: continued as 625a, text not held"}
    assert (data["rounds"], data["unknown_rounds"], data["wagers"]) == (2, 0, 3)
    assert all(set(finding) == {*FINDING_KEYS, "marked"} for finding in data["findings"])
    underpaid = next(one for one in data["findings"] if one["code"] == "wager_underpaid")
    assert underpaid["effect_cents"] == -5_000
    assert underpaid["facts"] == [{"stream": "SB-01", "seq": 8}, {"stream": "SB-01", "seq": 16}]
    assert underpaid["citations"][0] == {
        "section": "539.6(b)",
        "edition": "40 Pa.B. 1740",
        "text": "§ 539.6(b) (40 Pa.B. 1740; continued as 625a, text not held)",
    }


def test_an_audit_for_people(command: Command, made: Path) -> None:
    said = command("audit", "--day", DAY, "--ledger", made)
    lines = said.out.splitlines()
    assert lines[0] == "Example Casino, gaming day Monday, March 15, 2021"
    places = [said.out.index(word) for word in ("capture level", "root", "HIGH", "digest")]
    assert places == sorted(places), "capture table, ledger, findings, digest"
    assert max(map(len, lines)) <= 100


def test_an_audit_takes_the_last_day_by_itself(command: Command, made: Path) -> None:
    named = command("audit", "--day", DAY, "--ledger", made, "--format", "json")
    assert command("audit", "--ledger", made, "--format", "json").out == named.out


def test_an_audit_in_two_processes_says_the_same(command: Command, made: Path) -> None:
    one = command("audit", "--day", DAY, "--ledger", made, "--format", "json")
    two = command("audit", "--day", DAY, "--ledger", made, "--format", "json", "--processes", "2")
    assert one.out == two.out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("audit", "--day", "2030-01-01"), "day_unknown"),
        (("audit", "--day", "2021-13-01"), "command_wrong"),
        (("audit", "--day", "yesterday"), "command_wrong"),
        (("rounds", "--day", "2030-01-01"), "day_unknown"),
        (("rounds", "--table", "XX-01"), "table_unknown"),
        (("rounds", "--only", "nonsense"), "command_wrong"),
    ],
)
def test_unknown_days_and_tables(
    command: Command, made: Path, words: tuple[str, ...], code: str
) -> None:
    said = command(*words, "--ledger", made)
    assert (said.code, said.out) == (2, "")
    assert f"[{code}]" in said.err


def test_rounds_as_json(command: Command, made: Path) -> None:
    said = command("rounds", "--ledger", made, "--format", "json")
    assert said.code == 1
    assert said.json[0] == {
        "round": WHEEL_ROUND,
        "gaming_day": DAY,
        "stream": "DC-01",
        "game": "Dreamcatcher",
        "capture": "full",
        "opened_at": "2021-03-15T16:00:00.000000Z",
        "wagers": 1,
        "findings": 0,
        "status": "settled",
        "marked": [],
        "footage": None,
    }
    assert [one["round"] for one in said.json] == [WHEEL_ROUND, ROUND]


def test_rounds_filtered(command: Command, made: Path) -> None:
    def names(*words: str) -> list[str]:
        data = command("rounds", "--ledger", made, "--format", "json", *words).json
        return [one["round"] for one in data]

    assert names("--day", DAY) == [WHEEL_ROUND, ROUND]
    assert names("--table", "SB-01") == [ROUND]
    assert names("--only", "findings") == [ROUND]
    assert names("--only", "unknown") == []


def test_rounds_for_people(command: Command, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = command("rounds", "--ledger", made).out
    assert said.splitlines()[:2] == [
        f"DC-01 and SB-01, gaming day {DAY}: capture level full.",
        "",
    ]
    assert ROUND in said
    assert "…" not in said
    assert max(map(len, said.splitlines())) <= 80
    assert "No round found." in command("rounds", "--ledger", made, "--only", "unknown").out


def test_lists_of_all_days_and_of_one_agree(command: Command, simulated: Path) -> None:
    every = command("rounds", "--ledger", simulated, "--format", "json", "--table", "SB-02")
    one = command(
        "rounds",
        "--ledger",
        simulated,
        "--format",
        "json",
        "--table",
        "SB-02",
        "--day",
        "2021-06-12",
    )
    assert every.json == one.json
    assert len(one.json) > 100


def test_a_ledger_without_a_property_has_no_days(command: Command, empty: Path) -> None:
    said = command("audit", "--ledger", empty)
    assert said.code == 3
    assert "[property_unknown]" in said.err


def test_a_round_whose_opening_is_missing_opens_by_its_facts(
    command: Command, empty: Path, tmp_path: Path
) -> None:
    """Each of these facts lies in the round of its wager: the missing opening parts the two."""
    facts = two_rounds()
    (tmp_path / "two.jsonl").write_text(lines(facts), encoding="utf-8")
    assert command("append", tmp_path / "two.jsonl", "--ledger", empty, "--yes").code == 0
    named: dict[str, set[str]] = {}
    for fact in facts:
        wager = getattr(fact, "wager_id", None)
        if wager is not None:
            name = f"{fact.stream}:{fact.seq}"
            said = command("round", "show", name, "--ledger", empty, "--format", "json")
            shown = said.json
            assert (said.code, len(shown["missing"])) == (1, 1)
            named.setdefault(f"{shown['round']} {shown['status']}", set()).add(wager)
    assert list(named.values()) == [{"W1"}, {"W2"}]
    assert [name.split()[1] for name in named] == ["settled", "unknown"]
    assert "1 fact is missing" in command("round", "show", name, "--ledger", empty).out
    assert "facts are missing right after it" in command("rounds", "--ledger", empty).out


@pytest.mark.parametrize(
    ("hours", "listed"),
    [
        ((), 1),
        (("--from", "00:00", "--until", "05:00"), 0),
        (("--from", "06:00", "--until", "05:59"), 1),
        (("--until", "12:00"), 0),
        (("--from", "12:00", "--until", "12:01"), 1),
        (("--from", "12:01"), 0),
    ],
)
def test_the_rounds_of_some_hours(
    command: Command, made: Path, hours: tuple[str, ...], listed: int
) -> None:
    """The small day's round of dice began at noon, local time, and was over in 30 seconds."""
    words = ("rounds", "--table", "sb-01", "--format", "json", "--ledger", made)
    assert len(command(*words, *hours).json) == listed


@pytest.mark.parametrize("text", ["25:00", "nine", "9", ""])
def test_what_is_no_time_of_day(command: Command, made: Path, text: str) -> None:
    ran = command("rounds", "--from", text, "--ledger", made)
    assert (ran.code, ran.out) == (2, "")
    assert "[time_wrong]" in ran.err
