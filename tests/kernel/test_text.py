"""Signs that a terminal, a page or a spreadsheet would obey."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from ledger.kernel import cell_text, visible, visible_json

BIDI = "Ann\u202e moc.live\u2066"
CONTROLS = "D-1\x1b[2J\x9b1m\r\x00"


def test_hidden_signs_are_shown_by_their_numbers() -> None:
    assert visible(BIDI) == "Ann\\u202e moc.live\\u2066"
    assert visible(CONTROLS) == "D-1\\x1b[2J\\x9b1m\\r\\x00"
    assert visible("a\u200bb\ufeff\U000e0041") == "a\\u200bb\\ufeff\\U000e0041"
    for plain in ("Zelda Ünal-Õun", "李 小龍", "a\tb\nc", "שלום", ""):
        assert visible(plain) == plain


def test_every_sign_that_turns_or_controls_is_hidden() -> None:
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for number in range(sys.maxunicode + 1):
        sign = chr(number)
        controls = unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") and sign not in "\n\t"
        if controls or unicodedata.bidirectional(sign) in turning:
            assert visible(sign) != sign, hex(number)


@pytest.mark.parametrize("text", [BIDI, CONTROLS, "a\u200bb\ufeff\U000e0041", "\u2028"])
def test_a_json_document_says_the_same(text: str) -> None:
    document = json.dumps({"name": text}, ensure_ascii=False)
    shown = visible_json(document)
    assert json.loads(shown) == {"name": text}
    assert visible(shown) == shown


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\\r=1"),
        (" =1", "' =1"),
        ("\uff1d1", "'\uff1d1"),
        ("M25-1", "M25-1"),
        (BIDI, "Ann\\u202e moc.live\\u2066"),
        ("", ""),
    ],
)
def test_a_cell_is_never_computed(text: str, cell: str) -> None:
    assert cell_text(text) == cell
