"""The code beside a printed root: what it holds, that it is drawn as it was computed."""

from __future__ import annotations

import re

import segno

from ledger.reports.qr import QUIET, qr_svg, stamp_words

ROOT = "8d3aad217f144e7740547b674f3543a0f49b84424b7843acf7f2b1a63a4ae2ed"


def dark(svg: str) -> set[tuple[int, int]]:
    """The dark modules of a drawing."""
    path = re.findall(r'd="([^"]*)"', svg)[1]
    return {
        (int(x) + step, int(y))
        for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path)
        for step in range(int(run))
    }


def test_it_holds_origin_size_and_root_as_verify_takes_them() -> None:
    words = stamp_words("casino.example/floor", 135_878, ROOT)
    assert words == f"pitledger casino.example/floor 135878 {ROOT}"
    assert words.split(" ")[2:] == ["135878", ROOT]


def test_every_module_is_drawn_where_it_belongs() -> None:
    words = stamp_words("casino.example/floor", 135_878, ROOT)
    svg = qr_svg(words, "size & root")
    rows = segno.make(words, error="m", micro=False, boost_error=False).matrix
    wanted = {
        (x + QUIET, y + QUIET)
        for y, row in enumerate(rows)
        for x, module in enumerate(row)
        if module
    }
    assert dark(svg) == wanted
    assert f'viewBox="0 0 {len(rows) + 2 * QUIET} {len(rows) + 2 * QUIET}"' in svg
    assert "<title>size &amp; root</title>" in svg
    assert svg == qr_svg(words, "size & root")


def test_another_root_is_another_code() -> None:
    one, other = (dark(qr_svg(stamp_words("a", 1, root), "")) for root in (ROOT, ROOT[:-1] + "e"))
    assert one != other
