"""Flows and tasks: called as functions, and once with Prefect's own harness."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
import yaml

import pipelines
from ledger.audit import DayUnknown, audit_day, gaming_days
from ledger.kernel import LedgerError
from ledger.replay import Replay
from pipelines import tasks
from pipelines.flows import audit_day as flow_file
from tests.analytics import given

ROOT = Path(pipelines.__file__).parent.parent
OFF = (
    "DO_NOT_TRACK",
    "PREFECT_SERVER_ANALYTICS_ENABLED",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT",
)
SMOKE = """
import sys
from pathlib import Path
from pipelines.flows.audit_day import audit_day
from prefect.settings import get_current_settings
from prefect.testing.utilities import prefect_test_harness

settings = get_current_settings()
assert not settings.server.analytics_enabled
assert not settings.server.ui.show_promotional_content
with prefect_test_harness(server_startup_timeout=50):
    state = audit_day(Path(sys.argv[1]), return_state=True)
    assert state.is_completed(), state
    print(state.result().digest)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sent = given.facts("overpaid", days=2, scale=0.03)
    return given.ledger(tmp_path_factory.mktemp("pipelines") / "ledger", sent)


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions alone: tasks and log lines without a run around them."""
    for name in ("verify", "open_replay", "list_gaming_days", "audit_day", "open_projection"):
        monkeypatch.setattr(tasks, name, getattr(tasks, name).fn)


def test_a_day_is_audited_as_the_audit_does_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    monkeypatch.setattr(flow_file, "get_run_logger", lambda: Log(lines))
    replay = Replay.open(folder)
    first, last = gaming_days(replay)
    assert flow_file.audit_day.fn(folder, first) == audit_day(replay, first)
    assert flow_file.audit_day.fn(folder) == audit_day(replay, last)
    assert [line.split(":")[0] for line in lines] == [first.isoformat(), last.isoformat()]
    assert (folder / "cache" / "projection.duckdb").exists()


def test_an_unknown_day_is_a_refusal(folder: Path) -> None:
    with pytest.raises(DayUnknown):
        flow_file.audit_day.fn(folder, date(1999, 1, 1))


def test_nothing_is_said_of_a_broken_ledger(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", given.facts(scale=0.02)[:600])
    tile = next(path for path in sorted((folder / "tile" / "entries").rglob("*")) if path.is_file())
    tile.write_bytes(tile.read_bytes()[:-1])
    with pytest.raises(LedgerError) as refusal:
        flow_file.audit_day.fn(folder)
    assert refusal.value.exit_code == 4
    assert not (folder / "cache" / "projection.duckdb").exists()


def test_a_ledger_without_a_day_is_a_refusal() -> None:
    with pytest.raises(flow_file.NothingToAudit) as refusal:
        flow_file.last_of([])
    assert (refusal.value.code, refusal.value.exit_code) == ("nothing_to_audit", 2)


def test_the_schedule_names_flows_and_parameters_that_are_there() -> None:
    told = yaml.safe_load((ROOT / "pipelines" / "prefect.yaml").read_text(encoding="utf-8"))
    for deployment in told["deployments"]:
        path, name = deployment["entrypoint"].split(":")
        source = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        found = next(n for n in source.body if isinstance(n, ast.FunctionDef) and n.name == name)
        assert set(deployment["parameters"]) <= {argument.arg for argument in found.args.args}
        assert all(schedule["timezone"] for schedule in deployment["schedules"])


def test_each_task_is_one_call() -> None:
    source = ast.parse(Path(tasks.__file__).read_text(encoding="utf-8"))
    functions = [node for node in source.body if isinstance(node, ast.FunctionDef)]
    assert len(functions) >= 5
    for function in functions:
        _, only = function.body
        assert isinstance(only, ast.Return), function.name
        assert isinstance(only.value, ast.Call), function.name


def test_what_prefect_reports_is_off() -> None:
    assert [os.environ[name] for name in OFF] == ["1", "false", "false"]


def test_it_runs_under_prefect(folder: Path, tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    quiet = {
        "PREFECT_HOME": str(tmp_path),
        "PREFECT_LOGGING_LEVEL": "ERROR",
        "TMPDIR": str(tmp_path),
    }
    run = subprocess.run(
        [sys.executable, "-c", SMOKE, str(folder)],
        cwd=ROOT,
        env=kept | quiet,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    replay = Replay.open(folder)
    assert run.stdout.split()[-1] == audit_day(replay, gaming_days(replay)[-1]).digest


class Log:
    """Keeps what is logged."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def info(self, line: str) -> None:
        self.lines.append(line)
