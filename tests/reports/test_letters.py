"""Letters: the same words in text, page and PDF, whatever stands in them, and their signatures."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.reports.letters import (
    Facts,
    Letter,
    Paragraph,
    Signature,
    letter_html,
    letter_pdf,
    letter_text,
)
from ledger.reports.paper import Paper

LETTER = Letter(
    sender=("The House", "House Gaming LLC"),
    recipient=("To the patron of wager W113",),
    written="Sunday, June 13, 2021",
    reference="2021-0001",
    subject="Your question about round SB-01:517",
    body=(
        Paragraph(text="You asked about a wager."),
        Facts(heading="Your wager", rows=(("Shown", "1 2 6"), ("Due", "$50.00 § 539.6(b)"))),
    ),
    capacities=("Surveillance supervisor", "Shift manager"),
)
SIGNED = Signature(
    capacity="Shift manager",
    name="Ann Lee",
    credential="M-1",
    signed="June 13, 2021, 9:00 AM",
    proof="by pass phrase",
)
HOSTILE = (
    "<script>alert(1)</script>",
    "=1+1",
    "\x1b[2J",
    "a\x00b",
    "\u202etxt",
    "{{ 7*7 }}",
    "w" * 9000,
)


def with_text(text: str) -> Letter:
    return replace(LETTER, body=(Paragraph(text=text), Facts(heading=text, rows=((text, text),))))


def streams(pdf: bytes) -> bytes:
    """The unpacked page streams of a PDF."""
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    out = b""
    for packed in found:
        try:
            out += zlib.decompress(packed)
        except zlib.error:
            out += packed
    return out


def test_the_digest_is_of_what_is_said() -> None:
    assert LETTER.digest() == replace(LETTER).digest()
    for change in (
        replace(LETTER, subject="Another"),
        replace(LETTER, recipient=("The Board",)),
        replace(LETTER, body=LETTER.body[:1]),
        replace(LETTER, capacities=("Shift manager",)),
        replace(LETTER, written="Monday"),
        replace(LETTER, reference="2021-0002"),
        replace(LETTER, sender=("A House",)),
    ):
        assert change.digest() != LETTER.digest()


def test_who_has_not_signed_is_said() -> None:
    for signatures in ([], [SIGNED]):
        text = letter_text(LETTER, signatures)
        page = letter_html(LETTER, signatures, Paper.LETTER)
        assert text.count("not signed yet") == page.count("not signed yet") == 2 - len(signatures)
        assert ("Ann Lee" in text) == ("Ann Lee" in page) == bool(signatures)
        assert LETTER.digest().hex() in text
        assert LETTER.digest().hex() in page


@pytest.mark.parametrize("paper", list(Paper))
def test_a_pdf_has_the_same_bytes_each_time(paper: Paper) -> None:
    first = letter_pdf(LETTER, [SIGNED], paper)
    assert first.startswith(b"%PDF-")
    assert letter_pdf(LETTER, [SIGNED], paper) == first
    assert letter_pdf(LETTER, [], paper) != first
    assert b"/ID" in first


def test_a_pdf_carries_its_font_and_runs_nothing() -> None:
    pdf = letter_pdf(with_text("Łukasz O’Neill, § 539.4(c)"), [], Paper.LETTER)
    assert b"/FontFile2" in pdf
    for active in (
        b"/JavaScript",
        b"/JS",
        b"/Launch",
        b"/URI",
        b"/EmbeddedFile",
        b"/OpenAction /S",
    ):
        assert active not in pdf


def test_a_letter_that_the_font_lacks_is_seen() -> None:
    """Each sign that cannot be drawn is a box, so that two names are not told alike by a gap."""
    without = letter_pdf(with_text("Lee"), [], Paper.LETTER)
    lacking = letter_pdf(with_text("L中e"), [], Paper.LETTER)
    boxed = letter_pdf(with_text("L□e"), [], Paper.LETTER)
    assert streams(lacking) != streams(without)
    assert len(lacking) == pytest.approx(len(boxed), abs=400)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_text(text: str) -> None:
    letter = with_text(text)
    page = letter_html(letter, [replace(SIGNED, name=text)], Paper.LETTER)
    assert page.count("<script") == 0
    assert "\x1b" not in page
    assert letter_pdf(letter, [replace(SIGNED, name=text)], Paper.LETTER).startswith(b"%PDF-")
    assert all(line.isprintable() for line in letter_text(letter, []).split("\n"))


@given(st.text(max_size=400))
def test_any_text_makes_a_letter(text: str) -> None:
    lines = letter_text(with_text(text), []).splitlines()
    assert lines[0] == "The House"
    assert letter_html(with_text(text), [], Paper.A4).count("<dl>") == 1


def test_a_long_letter_goes_on_over_pages() -> None:
    pdf = letter_pdf(with_text("All that was said. " * 2_000), [SIGNED], Paper.LETTER)
    assert int(re.findall(rb"/Count (\d+)", pdf)[0]) > 10
