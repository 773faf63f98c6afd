"""The command that says what is in force: a page, JSON, and what it refuses."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command
from tests.cli.given import DAY


def test_the_page_names_tables_sections_and_facts(command: Command, made: Path) -> None:
    said = command("inforce", "--ledger", made, "--day", DAY)
    assert (said.code, said.err) == (1, "")
    assert said.out.startswith("Example Casino, in force on gaming day Monday 2021-03-15")
    assert "SB-01  Sic Bo, open 11:50-12:00" in said.out
    assert "all wagers: $5.00 to $1,000.00" in said.out
    assert "§ 521.7(a)  SB-01:1" in said.out
    assert "not recorded: no approved Rules" in said.out
    assert max(map(len, said.out.splitlines())) <= 100


def test_the_last_day_is_the_default_and_json_says_the_same(command: Command, made: Path) -> None:
    data = command("inforce", "--ledger", made, "--format", "json").json
    assert (data["gaming_day"], data["property"]) == (DAY, "Example Casino")
    assert [table["table"] for table in data["tables"]] == ["DC-01", "SB-01"]
    line = next(one for one in data["tables"][1]["lines"] if one["group"] == "limits")
    assert line == {
        "group": "limits",
        "says": "all wagers: $5.00 to $1,000.00",
        "since": "2021-03-15T15:50:00.000000Z",
        "until": None,
        "authority": ["§ 521.7(a) (40 Pa.B. 1740; continued as 601a, text not held)"],
        "facts": [{"stream": "SB-01", "seq": 1}],
        "standing": "recorded",
    }


def test_one_table_and_the_turns_of_its_staff(command: Command, simulated: Path) -> None:
    words = ("inforce", "--ledger", simulated, "--table", "SB-02")
    short, full = command(*words).out, command(*words, "--staff").out
    assert "DC-01" not in short
    assert "--staff" in short
    assert "--staff" not in full
    assert full.count("dealer D-") > short.count("dealer D-")


def test_an_unknown_table_or_day_is_refused(command: Command, made: Path) -> None:
    said = command("inforce", "--ledger", made, "--table", "XX-01")
    assert (said.code, said.out) == (2, "")
    assert "[table_unknown]" in said.err
    said = command("inforce", "--ledger", made, "--day", "2030-01-01")
    assert (said.code, said.out) == (2, "")
    assert "[day_unknown]" in said.err
