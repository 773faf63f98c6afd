"""What is asked of a wheel rests on its whole life, beyond the days that a night looks back on."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from ledger.night import earlier_alarms, run_night
from tests.night import scene


def alerts(issue: Path, detection: str) -> list[dict[str, object]]:
    return [
        one for one in json.loads((issue / "alerts.json").read_bytes())
        if one["detection"] == detection
    ]  # fmt: skip


def test_spins_of_days_that_are_no_longer_looked_at_still_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tiny day spins the wheel once; of the throws only the night's own day is left."""
    ledger = scene.ledger(tmp_path / "ledger", scene.two_days())
    monkeypatch.setattr(earlier_alarms, "LOOKED_BACK", 0)
    out = tmp_path / "out"
    first = run_night(ledger, scene.DAY, out=out, processes=1)
    second = run_night(ledger, scene.DAY + timedelta(days=1), out=out, processes=1)
    volumes = {
        (path, name): [one["volume"] for one in alerts(path, name)]
        for path in (first.issue.path, second.issue.path)
        for name in ("wheel_bias", "dice_bias")
    }
    assert volumes[first.issue.path, "wheel_bias"] == [1]
    assert volumes[second.issue.path, "wheel_bias"] == [2]
    assert volumes[first.issue.path, "dice_bias"] == volumes[second.issue.path, "dice_bias"]
    assert (ledger / "cache" / "spins").is_dir()
