"""The night through Prefect: a real server, the deployment run by a worker, its artifacts read back."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml

import pipelines
from ledger.cli.settings import Settings
from ledger.events import WagerSettled
from ledger.night import run_night
from pipelines import schedule
from pipelines.__main__ import main
from tests.kafka_broker import free_ports
from tests.night import scene
from tests.night.scene import DAY

ROOT = Path(pipelines.__file__).parent.parent
OFF = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scene.ledger(tmp_path_factory.mktemp("pipelines") / "ledger")


@pytest.fixture
def prefect(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """A server of its own, and the command that talks to it."""
    home = tmp_path / "prefect"
    home.mkdir()
    (port,) = free_ports(1)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    kept |= OFF | {
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_API_PORT": str(port),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_LOGGING_LEVEL": "ERROR",
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(tmp_path),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}",
    }
    begin = [sys.executable, "-m", "prefect"]
    server = subprocess.Popen(
        [*begin, "server", "start", "--host", "127.0.0.1"],
        env=kept, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip

    def ask(path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{kept['PREFECT_API_URL']}{path}", data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def command(*words: str) -> str:
        if words[0].startswith("/"):
            return json.dumps(ask(words[0], json.loads(words[1])))
        done = subprocess.run(
            [*begin, "--no-prompt", *words], env=kept, cwd=ROOT, capture_output=True, text=True,
            timeout=240, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    try:
        for _ in range(240):
            assert server.poll() is None
            try:
                ask("/health")
                break
            except (urllib.error.URLError, OSError):
                time.sleep(0.5)
        yield command
    finally:
        server.terminate()
        server.wait(30)


@pytest.mark.full
@pytest.mark.timeout(900)
def test_the_deployment_runs_on_a_real_server(
    folder: Path, prefect: Callable[..., str], tmp_path: Path
) -> None:
    prefect("work-pool", "create", "--type", "process", "pitledger")
    prefect("deploy", "--prefect-file", "pipelines/prefect.yaml", "--all")
    out = tmp_path / "nights"
    said = {"folder": str(folder), "out": str(out), "day": str(DAY), "phase": None}
    prefect("deployment", "run", "night/nightly", "--params", json.dumps({**said, "processes": 1}))
    prefect("worker", "start", "--pool", "pitledger", "--run-once")
    runs = json.loads(prefect("/flow_runs/filter", "{}"))
    done = [one for one in runs if one["parameters"].get("day") == str(DAY)]
    assert [one["state"]["type"] for one in done] == ["COMPLETED"], done[0]["state"]
    assert done[0]["state"]["name"] == "Critical open"
    assert "wheel sections wrong" in done[0]["state"]["message"]
    kept = json.loads(prefect("/artifacts/filter", "{}"))
    shown = {one["key"]: one["data"] for one in kept}
    assert set(shown) == {
        *("night-summary", "night-report", "night-tables", "night-anomalies", "night-progress"),
    }
    assert all(one["description"] for one in kept)
    report = out / DAY.isoformat() / "final-1" / "report.html"
    assert report.resolve().as_uri() in shown["night-report"]
    assert report.resolve().as_uri() in shown["night-summary"]
    assert shown["night-progress"] == 100.0
    assert str(DAY) in shown["night-summary"]
    assert any(row["what"] == "wager_underpaid" for row in json.loads(shown["night-anomalies"]))
    assert json.loads(shown["night-tables"])[0]["table"]
    names = {one["name"] for one in json.loads(prefect("/task_runs/filter", "{}"))}
    tables = {row["table"] for row in json.loads(shown["night-tables"])}
    assert names >= {"verify", "readiness", "coupons", "audit", *(f"table/{t}" for t in tables)}
    alone = run_night(folder, DAY, out=tmp_path / "alone", processes=1)
    named = out / DAY.isoformat() / alone.issue.path.name / "manifest.json"
    assert named.read_bytes() == (alone.issue.path / "manifest.json").read_bytes()


def test_a_night_that_asks_for_a_person_has_a_state_of_its_own(tmp_path: Path) -> None:
    """Incomplete, or with critical actions open: never the plain state of a night that is done."""
    from pipelines import artifacts  # Prefect, which each process that only collects would load

    late = next(fact for fact in scene.facts() if isinstance(fact, WagerSettled))
    rest = [fact for fact in scene.facts() if (fact.stream, fact.seq) != (late.stream, late.seq)]
    ledger = scene.ledger(tmp_path / "ledger", rest)
    found = run_night(ledger, DAY, out=tmp_path / "out", processes=1)
    told = artifacts.state(found)
    assert (told.type.value, told.name) == ("COMPLETED", "Incomplete, Critical open")
    assert told.message is not None
    assert told.message.startswith(f"INCOMPLETE: {late.stream} lacks 1 fact ({late.seq}) since")
    assert "1 critical action is open: Dreamcatcher DC-01: wheel sections wrong" in told.message
    kept = found.issue.path / "actions.json"
    closed = [{**one, "status": "closed"} for one in json.loads(kept.read_bytes())]
    kept.write_text(json.dumps(closed), encoding="utf-8")
    assert artifacts.state(found).name == "Incomplete"
    complete = replace(found, readiness=replace(found.readiness, lines=()))
    assert artifacts.state(complete).name == "Completed"


def test_there_is_one_deployment_at_the_times_of_the_settings() -> None:
    told = yaml.safe_load((ROOT / "pipelines" / "prefect.yaml").read_text(encoding="utf-8"))
    (deployment,) = told["deployments"]
    assert deployment["concurrency_limit"] == 1
    path, name = deployment["entrypoint"].split(":")
    source = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    found = next(n for n in source.body if isinstance(n, ast.FunctionDef) and n.name == name)
    assert set(deployment["parameters"]) <= {argument.arg for argument in found.args.args}
    settings = Settings()
    for run in deployment["schedules"]:
        minute, hour, *rest = run["cron"].split()
        assert (rest, run["timezone"]) == (["*", "*", "*"], "America/New_York")
        at = getattr(settings, f"night_{run['parameters']['phase']}")
        assert at == f"{int(hour):02}:{int(minute):02}"
    assert len(deployment["schedules"]) == 2


def test_the_settings_and_the_property_rule_the_schedule(folder: Path) -> None:
    """With the settings as they come it is the file itself; other times, another zone, each once."""
    assert schedule.deployment(Settings(), schedule.zone_of(folder)) == schedule.FILE.read_text()
    other = Settings(night_preliminary="06:05", night_final="15:00")
    told = yaml.safe_load(schedule.deployment(other, "America/Chicago"))
    (deployment,) = told["deployments"]
    runs = [(o["parameters"]["phase"], o["cron"], o["timezone"]) for o in deployment["schedules"]]
    assert runs == [
        ("preliminary", "5 6 * * *", "America/Chicago"),
        ("final", "0 15 * * *", "America/Chicago"),
    ]


@pytest.mark.parametrize("day", [date(2021, 3, 13), date(2021, 11, 6)], ids=["spring", "autumn"])
def test_the_runs_keep_their_local_times_when_the_clocks_change(day: date) -> None:
    from prefect.server.schemas.schedules import CronSchedule

    (deployment,) = yaml.safe_load(schedule.FILE.read_text())["deployments"]
    for one in deployment["schedules"]:
        rule = CronSchedule(cron=one["cron"], timezone=one["timezone"])
        start = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(one["timezone"]))
        found = asyncio.run(rule.get_dates(n=3, start=start))
        minute, hour = map(int, one["cron"].split()[:2])
        local = [at.astimezone(ZoneInfo(one["timezone"])) for at in found]
        assert [(at.hour, at.minute) for at in local] == [(hour, minute)] * 3
        assert [at.date() for at in local] == [day + timedelta(days=n) for n in range(3)]


def test_each_task_is_one_call() -> None:
    source = ast.parse((ROOT / "pipelines" / "tasks.py").read_text(encoding="utf-8"))
    functions = [node for node in source.body if isinstance(node, ast.FunctionDef)]
    assert len(functions) >= 5
    for function in functions:
        _, only = function.body
        assert isinstance(only, ast.Return), function.name
        assert isinstance(only.value, ast.Call), function.name


def test_a_server_that_is_away(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (port,) = free_ports(1)
    monkeypatch.setenv("PREFECT_API_URL", f"http://127.0.0.1:{port}/api")
    assert main([str(folder), str(tmp_path), str(DAY)]) == 3
    assert "[prefect_unavailable]" in capsys.readouterr().err
    assert not (tmp_path / DAY.isoformat()).exists()


def test_what_prefect_reports_is_off() -> None:
    assert {name: os.environ[name] for name in OFF} == OFF
