"""A camera that was down is told with how long, from when to when, on the report's first page."""

from __future__ import annotations

from pathlib import Path

from ledger.night import run_night
from tests.cli.given import told
from tests.night import scene
from tests.night.scene import DAY


def test_a_camera_that_was_down_is_told_with_its_times(tmp_path: Path) -> None:
    """Three of them: back on the same day, never restored, back after midnight."""
    lost = told(
        "SB-01/cameras",
        (20, "CameraLost", {"camera": "C-3"}),
        (409, "CameraRestored", {"camera": "C-3"}),
        (600, "CameraLost", {"camera": "C-4"}),
        (700, "CameraLost", {"camera": "C-5"}),
        (43_900, "CameraRestored", {"camera": "C-5"}),
    )
    ledger = scene.ledger(tmp_path / "ledger", scene.with_streams(scene.facts(), lost))
    found = run_night(ledger, DAY, out=tmp_path / "out", processes=1)
    assert [one.sentence for one in found.readiness.lines if one.check == "camera"] == [
        "camera C-3 at SB-01 down 6 min 29 s, 2021-03-15 12:00:20 to 12:06:49",
        "camera C-4 at SB-01 down since 2021-03-15 12:10:00, not restored",
        "camera C-5 at SB-01 down 12 h, 2021-03-15 12:11:40 to 2021-03-16 00:11:40",
    ]
    page = (found.issue.path / "report.html").read_text(encoding="utf-8")
    assert "Camera C-3 at SB-01 down 6 min 29 s" in page.partition('id="capture"')[0]
