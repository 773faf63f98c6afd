"""The helping commands: law, schemas, settings, doctor, codes, SQL, a broker that is not there."""

from __future__ import annotations

import socket
from dataclasses import fields
from pathlib import Path

import pytest

from ledger.law import finding_codes
from tests.cli.conftest import Command
from tests.cli.given import DAY, run


def test_law_as_json(command: Command) -> None:
    odds = command("law", "odds", "sic_bo", "--format", "json").json
    assert list(odds[0]) == ["wager", "pick", "on", "pays", "probability", "house_edge", "return", "paytable", "cite"]  # fmt: skip
    edges = {row["wager"]: row["house_edge"] for row in odds if row["wager"] == "Small Bet"}
    assert edges == {"Small Bet": "1/36"}
    coverage = command("law", "coverage", "--format", "json").json
    assert set(coverage[0]) == {"chapter", "obligation", "status", "evidence", "by", "tests", "why"}
    assert command("law", "readings", "--format", "json").json[0]["id"]
    assert command("law", "show", "dreamcatcher", "--format", "json").json["chapter"] == "689"
    for words in (("show", "ledger"), ("odds", "dreamcatcher"), ("readings",), ("coverage",)):
        assert command("law", *words).code == 0


def test_odds_of_a_filed_paytable(command: Command, simulated: Path, made: Path) -> None:
    words = ("law", "odds", "dreamcatcher", "--format", "json", "--paytable", "RS-DC-01")
    rows = command(*words, "--ledger", simulated).json
    assert {row["paytable"] for row in rows} == {"RS-DC-01"}
    said = command(*words, "--ledger", made)
    assert said.code == 2
    assert "[paytable_unknown]" in said.err


def test_schemas(command: Command) -> None:
    rows = command("schemas", "list", "--format", "json").json
    assert {"id", "event", "version", "subject", "fields", "fingerprint"} == set(rows[0])
    assert any(row["event"] == "WagerPlaced" for row in rows)
    assert "WagerPlaced" in command("schemas", "list").out
    assert command("schemas", "check").code == 0
    assert command("schemas", "check", "--format", "json").json == []


def test_config_says_where_each_value_came_from() -> None:
    said = run(
        "config", "show", "--format", "json",
        PITLEDGER_KAFKA="broker:9092", PITLEDGER_KAFKA_PASSWORD="very secret", PITLEDGER_LEDGER="",
    )  # fmt: skip
    rows = {row["setting"]: row for row in said.json}
    assert rows["kafka"]["value"] == "broker:9092"
    assert rows["kafka"]["from"] == "environment, PITLEDGER_KAFKA"
    assert rows["ledger"]["from"] == "default"
    assert "very secret" not in said.out
    assert "very secret" not in run("config", "show", PITLEDGER_KAFKA_PASSWORD="very secret").out
    for name in ("PITLEDGER_CODE", "PITLEDGER_APPROVER_CODE"):
        assert "123 456" not in run("config", "show", **{name: "123 456"}).out
        refused = run("config", "show", **{name: "123"})
        assert ("it is ********" in refused.err, "it is '123'" in refused.err) == (True, False)
    named = run("config", "show", "--ledger", "elsewhere", "--format", "json").json
    assert named[0]["value"] == "elsewhere"
    assert named[0]["from"] == "option --ledger"


def test_config_names_every_variable_of_the_broker() -> None:
    from ledger.cli.settings import Settings
    from ledger.log import kafka_settings

    source = Path(kafka_settings.__file__).read_text(encoding="utf-8")
    for name in (setting.name for setting in fields(Settings)):
        ours = name in (
            "ledger",
            "footage_days",
            "alerts_per_shift",
            "shift_hours",
            "second_factor",
            "code",
        )
        ours = ours or name in ("action_days", "paper", "key", "witnesses", "unwitnessed_entries")
        ours = ours or name.startswith(
            (
                "night",
                "hold",
                "complaints",
                "pass_phrase",
                "new_pass",
                "person_key",
                "approver",
                "oidc",
            )
        )
        assert ours or f'"{name.upper()}"' in source, name


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PITLEDGER_KAFKA_TIMEOUT", "soon"),
        ("PITLEDGER_KAFKA_TIMEOUT", "-1"),
        ("PITLEDGER_ALERTS_PER_SHIFT", "-1"),
        ("PITLEDGER_ALERTS_PER_SHIFT", "four"),
        ("PITLEDGER_ALERTS_PER_SHIFT", "1001"),
        ("PITLEDGER_SHIFT_HOURS", "0"),
        ("PITLEDGER_SHIFT_HOURS", "25"),
        ("PITLEDGER_HOLD_THRESHOLDS", "another state"),
        ("PITLEDGER_HOLD_THRESHOLDS", "another state=three"),
        ("PITLEDGER_KAFKA_TIMEOUT", "nan"),
        ("PITLEDGER_NIGHT_FINAL", "24:00"),
        ("PITLEDGER_PAPER", "A3"),
        ("PITLEDGER_FOOTAGE_DAYS", "١٤"),
        ("PITLEDGER_COMPLAINTS", "x" * 401),
    ],
)
def test_a_setting_that_cannot_be_used(name: str, value: str) -> None:
    said = run("config", "show", **{name: value})
    assert (said.code, said.out) == (3, "")
    assert name in said.err
    assert "[settings_wrong]" in said.err


def test_the_doctor(command: Command, made: Path, tmp_path: Path) -> None:
    said = command("doctor", "--ledger", made, "--format", "json")
    assert said.code == 0
    checks = {one["check"]: one["health"] for one in said.json}
    assert checks["ledger"] == "ok"
    assert {"python", "packages", "schemas", "disk", "java", "broker", "witness"} <= set(checks)
    assert "Ready." in command("doctor", "--ledger", tmp_path / "none").out
    witness = tmp_path / "witness"
    witness.write_bytes((made / "checkpoint").read_bytes())
    same = command("doctor", "--ledger", made, "--witness", witness, "--format", "json").json
    assert next(one for one in same if one["check"] == "witness")["health"] in ("warn", "ok")


def test_the_doctor_on_a_broken_head(command: Command, empty: Path) -> None:
    note = (empty / "checkpoint").read_bytes()
    (empty / "checkpoint").write_bytes(note.replace(b"\n1\n", b"\n2\n"))
    assert command("doctor", "--ledger", empty).code == 4


@pytest.mark.row_by_row
@pytest.mark.parametrize("code", sorted(finding_codes()))
def test_each_code_is_explained(command: Command, code: str) -> None:
    said = command("explain", code)
    assert said.code == 0
    assert said.out.startswith(f"{code}\n")


def test_all_codes_are_listed(command: Command) -> None:
    listed = command("explain", "--format", "json").json
    assert {row["code"] for row in listed if row["means"]} == set(finding_codes())
    assert command("explain", "gap", "--format", "json").json in listed


def test_sql(command: Command, made: Path) -> None:
    said = command(
        "sql", "select round, game from rounds order by 1", "--ledger", made, "--format", "json"
    )
    assert said.code == 0, said.err
    assert [row["game"] for row in said.json] == ["Dreamcatcher", "Sic Bo"]
    assert "Sic Bo" in command("sql", "select game from rounds", "--ledger", made).out
    for wrong in ("drop table rounds", "select 1; select 2", "select nonsense from nowhere"):
        refused = command("sql", wrong, "--ledger", made)
        assert (refused.code, refused.out) == (2, "")


def test_a_broker_that_is_down(made: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for words in (("publish",), ("ingest",)):
        said = run(
            *words,
            "--bootstrap",
            f"127.0.0.1:{port}",
            "--ledger",
            str(made),
            PITLEDGER_KAFKA_TIMEOUT="1",
        )
        assert (said.code, said.out) == (3, "")
        assert "[kafka_unreachable]" in said.err
        assert "Traceback" not in said.err


def test_a_wrong_bootstrap(command: Command, made: Path) -> None:
    said = command("publish", "--bootstrap", "nowhere", "--ledger", made)
    assert said.code == 3
    assert "[kafka_settings]" in said.err


def test_a_day_is_the_same_for_every_reader(made: Path) -> None:
    said = [run("audit", "--day", DAY, "--ledger", str(made), PYTHONHASHSEED=seed) for seed in "12"]
    assert said[0].out == said[1].out
