"""The forms of the coupons are outputs of the night, as they are printed: with tree size and root."""

from __future__ import annotations

from pathlib import Path

from ledger.night import run_night
from ledger.replay import Replay
from tests.coupons.forms_scene import DAY, folder, scene


def test_every_form_is_a_paper_with_size_root_and_code(tmp_path: Path) -> None:
    ledger = folder(tmp_path / "ledger", scene().facts)
    found = run_night(ledger, DAY, out=tmp_path / "out", processes=1)
    outputs = found.issue.manifest["outputs"]
    papers = sorted(one["name"] for one in outputs if one["name"].startswith("papers/"))
    pages = [name for name in papers if name.endswith(".html")]
    assert [name[:-5] for name in pages] == [name[:-4] for name in papers if name.endswith(".txt")]
    assert len(pages) == 9, "as many as `coupons forms` writes"
    replay = Replay.open(ledger)
    for name in papers:
        text = (found.issue.path / name).read_text(encoding="utf-8")
        assert replay.root.hex() in text
        assert str(replay.size) in text
        assert ("<svg" in text) == name.endswith(".html"), "the code is drawn on the page"
