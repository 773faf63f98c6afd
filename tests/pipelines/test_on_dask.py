"""The night's steps on two workers of a real scheduler: the same manifest as a night alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.night import run_night
from pipelines.__main__ import main
from tests.analytics.dask_given import ROOT, cluster
from tests.night import scene
from tests.night.scene import DAY


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_night_on_two_workers_makes_the_same_manifest(tmp_path: Path) -> None:
    folder, home = scene.ledger(tmp_path / "ledger"), tmp_path / "prefect"
    home.mkdir()
    kept = {name: word for name, word in os.environ.items() if not name.startswith("PREFECT_")}
    with cluster(folder, tmp_path / "work") as made:
        words = [str(folder), str(tmp_path / "nights"), str(DAY), "--scheduler", str(made.address)]
        done = subprocess.run(
            [sys.executable, "-m", "pipelines", *words], cwd=ROOT, capture_output=True, text=True,
            env=kept
            | {
                "PREFECT_HOME": str(home),
                "PREFECT_LOGGING_LEVEL": "ERROR",
                "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
                "PYTHONPATH": str(ROOT),
            },
            timeout=500, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:] + made.output()[-3000:]
    alone = run_night(folder, DAY, out=tmp_path / "alone", processes=1)
    (spread,) = (tmp_path / "nights").glob(f"{DAY}/*/manifest.json")
    assert spread.read_bytes() == (alone.issue.path / "manifest.json").read_bytes()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--scheduler",), "pipeline_words_wrong"),
        (("--tls-ca", "ca.pem"), "pipeline_words_wrong"),
        (("--scheduler", "tcp://127.0.0.1:1", "--tls-ca", "ca.pem"), "pipeline_words_wrong"),
        (("--scheduler", "http://127.0.0.1:1"), "scheduler_address_wrong"),
        (("--scheduler", "tcp://192.0.2.1:1"), "scheduler_unsecured"),
    ],
)
def test_a_scheduler_that_is_not_safe_is_refused(
    words: tuple[str, ...],
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    assert main([str(tmp_path / "ledger"), str(tmp_path / "out"), str(DAY), *words]) in (2, 3)
    assert f"[{code}]" in capsys.readouterr().err
