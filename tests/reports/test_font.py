"""The font that pages carry: every page has it, and looks the same whatever fonts are installed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.reports.font import FAMILY, with_font
from ledger.reports.night import night_page
from tests.chromium import SYSTEM_FONTS, browser
from tests.reports.night.scene import night

REPORTS = Path(__file__).parents[2] / "ledger" / "reports"
FACE = re.compile(r"@font-face \{ font-family: \"([^\"]*)\"; font-weight: (\S+) ")


NAMES = ("Ada Quill", "Zdeněk Łukasz Þórðarson", "Nguyễn Thị Ánh Ǩ")


def test_a_page_is_as_wide_on_every_machine(tmp_path: Path) -> None:
    """Every letter of a Latin name comes from the page itself."""
    for number, name in enumerate(NAMES):
        page = night_page(replace(night(), property_name=name))
        (tmp_path / f"{number}.html").write_text(page, encoding="utf-8")
    width = """() => { const range = document.createRange();
        range.selectNodeContents(document.querySelector('h1'));
        return [range.getBoundingClientRect().width, document.body.scrollHeight]; }"""
    sizes = []
    for system in SYSTEM_FONTS:
        with browser(system=system) as chromium:
            sizes.append(
                [
                    chromium.open(tmp_path / f"{number}.html").evaluate(width)
                    for number in range(len(NAMES))
                ]
            )
    assert sizes[0] == sizes[1]


def test_a_page_carries_both_weights_and_asks_for_nothing() -> None:
    page = with_font("<style>p {}</style><p>Quill</p>")
    assert FACE.findall(page) == [(FAMILY, "400"), (FAMILY, "600")]
    assert re.findall(r"url\(([^,]*),", page) == ["data:font/woff2;base64"] * 2


def test_only_a_page_that_needs_them_carries_all_letters() -> None:
    plain, more = (len(with_font(f"<style></style>{name}")) for name in ("Łukasz é", "Nguyễn"))
    assert plain < more < 100_000


def test_a_page_without_a_style_is_no_page() -> None:
    with pytest.raises(AssertionError, match="style sheet"):
        with_font("<p>Quill</p>")


@pytest.mark.parametrize("path", sorted(REPORTS.rglob("*.html")), ids=lambda one: one.name)
def test_every_template_names_that_font_first_and_may_load_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8") + (REPORTS / "night" / "style.css").read_text("utf-8")
    assert "font-src data:" in text
    families = re.findall(r"font(?:-family)?: [^;{}]*?(?:pt|rem|px)[^\s;]* ([^;{}]+);", text)
    assert families
    assert {one.partition(",")[0] for one in families} <= {f'"{FAMILY}"', "inherit"}


def test_the_license_lies_beside_it() -> None:
    text = (REPORTS / "font" / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL Open Font License, Version 1.1" in text
