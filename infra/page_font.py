"""Make the font that pages carry: subsets of Source Sans 3, from packages named and pinned here.

Run in an environment of its own, since nothing else needs these packages::

    python3 -m venv FOLDER
    FOLDER/bin/pip install fontpkg-source-sans-3==3.52 fonttools==4.68.0 brotli==1.2.1
    FOLDER/bin/python infra/page_font.py

The files are the same bytes each time. The license (OFL 1.1) lies beside them; it reserves the name
"Source" for the whole font, hence the subsets have another one.
"""

from __future__ import annotations

import io
import tomllib
from importlib.resources import files
from pathlib import Path

from fontTools.subset import Options, Subsetter, load_font, save_font
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

SOURCE = files("fontpkg_source_sans_3").joinpath("files/SourceSans3[wght].ttf")
OUT = Path(__file__).parent.parent / "ledger" / "reports" / "font"
FAMILY = "Pitledger Sans"
"""As ``ledger/reports/font/face.py`` names it."""
FEATURES = ["ccmp", "kern", "locl", "mark", "mkmk"]
"""Figures of this font have one width as they come; pages switch nothing else on."""
WEIGHTS = {"regular": 400, "bold": 650}
COPYRIGHT, LICENSE, LICENSE_URL = 0, 13, 14
NAMED = {1: FAMILY, 2: "Regular", 3: f"{FAMILY} 3.052", 4: FAMILY, 6: FAMILY.replace(" ", "")}
"""Entries of the name table: family, style, unique, full and PostScript name."""


def subset(ranges: list[list[int]], weight: int, path: Path) -> None:
    """Write the characters of these ranges in one weight, under the pages' name.

    A variable font would be one file, but browsers print it as drawings instead of letters.
    """
    options = Options()
    options.flavor = "woff2"
    options.hinting = False
    options.layout_features = FEATURES
    options.name_IDs = [COPYRIGHT, *NAMED, LICENSE, LICENSE_URL]
    cutter = Subsetter(options)
    cutter.populate(unicodes=[one for first, last in ranges for one in range(first, last + 1)])
    whole = load_font(str(SOURCE), options)
    cutter.subset(whole)
    one_weight = io.BytesIO()
    instantiateVariableFont(whole, {"wght": weight}).save(one_weight)
    one_weight.seek(0)
    font = TTFont(one_weight, recalcTimestamp=False)
    for number, text in NAMED.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    save_font(font, str(path), options)


if __name__ == "__main__":
    letters = tomllib.loads((OUT / "letters.toml").read_text("utf-8"))
    for style, weight in WEIGHTS.items():
        subset(letters["latin"], weight, OUT / f"latin-{style}.woff2")
        both = [*letters["latin"], *letters["extended"]]
        subset(both, weight, OUT / f"latin-extended-{style}.woff2")
