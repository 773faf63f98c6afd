"""What holds for every command: paths, exit codes, refusals that name the way out."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ledger.analytics import marts
from ledger.cli import app, entry_point
from ledger.events import EVENTS
from ledger.floor import COUPON_KINDS, KINDS
from ledger.kernel import SourceUnavailable
from ledger.log import StorageFailed
from ledger.log.errors import WriterOutOfDisk
from tests.cli.conftest import Command
from tests.cli.given import ROUND, lines

SELECT = "select round, gaming_day, facts, opened_local from rounds order by 1"


def test_a_relative_path_and_the_default_one_are_asked_in_sql(
    command: Command, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made.parent)
    for words in (("--ledger", made.name), ("--ledger", f"./{made.name}")):
        assert command("sql", SELECT, *words).code == 0
    monkeypatch.setenv("PITLEDGER_LEDGER", made.name)
    assert ROUND in command("sql", SELECT).out


def test_sql_writes_tables_for_other_programs(command: Command, made: Path, tmp_path: Path) -> None:
    said = command("sql", SELECT, "--ledger", made, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert [row["gaming_day"] for row in rows] == ["2021-03-15", "2021-03-15"]
    harmful = command("sql", "select '=1+1' as x, -5 as y", "--ledger", made, "--format", "csv")
    assert harmful.out.splitlines() == ["x,y", "'=1+1,-5"]
    for ending in ("parquet", "xlsx"):
        refused = command("sql", SELECT, "--ledger", made, "--format", ending)
        assert (refused.code, refused.out) == (2, "")
        out = tmp_path / f"rows.{ending}"
        assert command("sql", SELECT, "--ledger", made, "--format", ending, "--out", out).code == 0
    table = pq.read_table(tmp_path / "rows.parquet")
    assert table.column("round").to_pylist() == [row["round"] for row in rows]
    assert str(table.schema.field("gaming_day").type) == "date32[day]"


def test_sql_has_a_dictionary_and_one_table_of_a_name(command: Command, made: Path) -> None:
    said = command("sql", "--columns", "--format", "json").json
    assert {row["table"] for row in said} == {mart.name for mart in marts()}
    assert all(row["means"] for row in said)
    names = command(
        "sql", "select table_name from information_schema.tables", "--ledger", made,
        "--format", "json", "--max-rows", "1000",
    ).json  # fmt: skip
    names = [row["table_name"] for row in names]
    assert len(names) == len(set(names))


def test_a_time_is_never_broken_in_the_middle(
    command: Command, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    said = command("sql", SELECT, "--ledger", made)
    assert "2021-03-15 12:00:00.000000-04:00" in said.out


def test_an_unknown_round_exits_1(command: Command, empty: Path, tmp_path: Path) -> None:
    """A gap within the round of Sic Bo leaves its outcome unknown."""
    kept = [line for line in lines().splitlines(keepends=True) if '"DiceThrown"' not in line]
    path = tmp_path / "gap.jsonl"
    path.write_text("".join(kept), encoding="utf-8")
    command("append", path, "--ledger", empty)
    shown = command("round", "show", ROUND, "--ledger", empty, "--format", "json")
    assert shown.json["status"] == "unknown"
    assert shown.code == 1
    listed = command("rounds", "--only", "unknown", "--ledger", empty, "--format", "json")
    assert [row["status"] for row in listed.json] == ["unknown"]
    assert listed.code == 1
    assert command("rounds", "--ledger", empty).code == 1


def test_a_full_disk_is_a_source_that_is_unavailable() -> None:
    assert issubclass(StorageFailed, SourceUnavailable)
    assert issubclass(WriterOutOfDisk, SourceUnavailable)
    assert StorageFailed.exit_code == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [("KAFKA_TIMEOUT", "soon"), ("NIGHT_FINAL", "25:00"), ("FOOTAGE_DAYS", "0")],
)
def test_a_wrong_setting_names_itself_and_how_to_set_it(
    command: Command, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"PITLEDGER_{name}", value)
    said = command("config", "show")
    assert said.code == 3
    assert f"PITLEDGER_{name}" in said.err
    assert repr(value) in said.err
    assert f"export PITLEDGER_{name}=VALUE" in said.err


def test_a_path_without_a_ledger_asks_for_the_path_first(command: Command, tmp_path: Path) -> None:
    said = command("verify", "--ledger", tmp_path / "nowhere")
    assert said.code == 3
    assert said.err.index("check the path") < said.err.index("pitledger init")


def test_the_help_of_the_floor_lists_games_and_kinds(command: Command) -> None:
    said = " ".join(command("floor", "simulate", "--help").out.replace("│", " ").split())
    for game in ("Sic Bo", "Three Dice Football", "Props & Hops", "Dreamcatcher", "Asia Poker"):
        assert game in said
    assert [kind for kind in (*KINDS, *COUPON_KINDS) if kind not in said] == []


def test_a_read_that_is_stopped_changed_nothing(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(_words: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry_point, "_run", stopped)
    for words in (
        ("rounds",),
        ("round", "show", "SB-01:6"),
        ("law", "odds", "sic_bo"),
        ("people",),
    ):
        said = command(*words)
        assert (said.code, said.err) == (130, "Stopped. Nothing changed.\n")
    for words in (("append", "facts.jsonl"), ("night",), ("coupons", "sign", "daily"), ("ingest",)):
        assert "What was acknowledged is kept" in command(*words).err


def test_every_command_that_only_reads_is_one() -> None:
    every = {*app.names()} - {*app.GROUPS} | {name for of in app.GROUPS.values() for name in of}
    assert every >= app.READS
    assert {"append", "amend", "import", "ingest", "night", "actions close"} <= every - app.READS


def test_every_event_has_its_fields_and_a_line_that_is_appended(
    command: Command, empty: Path, tmp_path: Path
) -> None:
    shown = command("schemas", "show", "WagerPlaced", "--example")
    assert "stake_cents" in shown.out
    assert "chips staked, in cents" in shown.out
    examples = []
    for name in sorted(EVENTS):
        data = command("schemas", "show", name, "--example", "--format", "json").json
        assert data["fields"]
        examples.append({**data["example"], "stream": f"T/{name}", "seq": 1})
    path = tmp_path / "examples.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in examples), encoding="utf-8")
    said = command("append", path, "--ledger", empty, "--format", "json")
    assert (said.json["accepted"], said.json["refused"]) == (len(EVENTS), 0)


def test_people_are_listed_with_their_ranks(command: Command, simulated: Path, made: Path) -> None:
    rows = command("people", "--ledger", simulated, "--format", "json").json
    assert {"DEALER", "FLOORPERSON"} <= {row["role"] for row in rows}
    assert {"supervisor", "manager"} <= {row["rank"] for row in rows}
    assert rows[0]["credential"] in command("people", "--ledger", simulated).out
    assert "No credential" in command("people", "--ledger", made).out


@pytest.mark.parametrize("words", [(), ("--all",), ("--plain",)])
def test_what_cat_prints_append_takes(
    command: Command, made: Path, empty: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text(command("cat", *words, "--ledger", made).out, encoding="utf-8")
    said = command("append", path, "--ledger", empty, "--format", "json")
    assert (said.code, said.json["refused"]) == (0, 0)
    assert (
        command("cat", "--plain", "--ledger", empty).out
        == command("cat", "--plain", "--ledger", made).out
    )
    assert os.path.getsize(path) > 1_000


# --- a typed fact -----------------------------------------------------------------------------------


def closing(seq: int, when: str) -> str:
    """A line typed by hand: the table closes once more."""
    values = {
        "event": "TableClosed", "stream": "SB-01", "seq": seq, "event_time": when,
        "source": "T-SB-01", "recorded_by": "E-1", "reason": None,
    }  # fmt: skip
    return json.dumps(values) + "\n"


@pytest.mark.parametrize(
    ("line", "field", "code"),
    [
        (closing(170_000, "2021-03-15T18:00:00.000000Z"), "seq", "gap"),
        (closing(18, "2034-03-15T18:00:00.000000Z"), "event_time", "date_far_off"),
    ],
)
def test_an_unlikely_fact_is_appended_with_a_warning_and_a_finding(
    command: Command, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    line: str, field: str, code: str,
) -> None:  # fmt: skip
    file, typed = tmp_path / "day.jsonl", tmp_path / "typed.jsonl"
    file.write_text(lines(), encoding="utf-8")
    typed.write_text(line, encoding="utf-8")
    assert command("append", file, "--ledger", empty, "--format", "json").json["warnings"] == []

    seen = command("append", typed, "--preview", "--ledger", empty, "--format", "json").json
    assert (seen["preview"], seen["accepted"], len(seen["warnings"])) == (True, 1, 1)
    again = command("append", file, "--preview", "--ledger", empty, "--format", "json").json
    assert (again["accepted"], again["repeated"]) == (0, len(lines().splitlines()))
    assert again["tree_size"] == seen["tree_size"]

    by_hand = io.TextIOWrapper(io.BytesIO(line.encode()))
    monkeypatch.setattr(by_hand, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin", by_hand)
    asked = command("append", "-", "--ledger", empty)
    assert asked.code == 1
    assert "--yes" in asked.err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line.encode())))
    done = command("append", "-", "--yes", "--ledger", empty, "--format", "json").json
    assert (done["accepted"], [one["path"] for one in done["warnings"]]) == (1, [field])

    audit = command("audit", "--ledger", empty, "--format", "json").json
    assert audit["gaming_day"] == "2021-03-15"
    assert code in {one["code"] for one in audit["findings"]}


# --- the README's commands --------------------------------------------------------------------------


def readme_commands() -> list[list[str]]:
    """The commands of the page of commands that only read a ledger of facts, without its path."""
    text = (Path(__file__).parents[2] / "infra/docs/commands.md").read_text(encoding="utf-8")
    block = text[text.index("## A day by hand") :].split("```")[1]
    found = []
    for line in block.splitlines():
        words = shlex.split(line, comments=True)[1:]
        if words and not app.is_write(words) and words[0] not in ("coupons", "law"):
            at = words.index("--ledger") if "--ledger" in words else len(words)
            found.append([*words[:at], *words[at + 2 :]])
    return found


GIVEN = {
    "2021-06-12": "2021-03-15",
    "SB-01:1234": ROUND,
    "4711": "7",
    "DIR": "",
    "D-SB-01-1": "D-1",
}


def test_every_command_of_the_readme_takes_a_relative_path_and_the_default_one(
    command: Command, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = [
        [GIVEN.get(word, word) for word in words]
        for words in readme_commands()
        if "--printed" not in words and words[0] != "night" and words[:2] != ["actions", "alerts"]
    ]
    assert len(commands) >= 12
    (made.parent / "pitledger-data").symlink_to(made)
    monkeypatch.chdir(made.parent)
    Path("facts.jsonl").write_text(command("cat", "--ledger", made.name).out, encoding="utf-8")
    for words in commands:
        for path in (["--ledger", made.name], []):
            own = (
                words
                if words[0] in ("config", "schemas") or "--columns" in words
                else [*words, *path]
            )
            said = command(*own)
            assert said.code in (0, 1), (own, said.err)
            assert said.out, own
