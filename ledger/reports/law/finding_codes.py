"""One finding code, printed: what it means, what to do, and which rows use it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from functools import cache
from typing import Final

from ledger.coupons.duties import DUTIES as COUPON_DUTIES
from ledger.games import ROOMS, match_play
from ledger.games.room import Duty, Requirement
from ledger.house.duties import DUTIES as GENERAL_DUTIES
from ledger.house.provider_duties import DUTIES as PROVIDER_DUTIES
from ledger.law import FindingCode, explain, finding_codes, heading, obligations
from ledger.reports.law.odds import columns
from ledger.reports.law.printed_rows import rows_of

WIDTH: Final = 100


def law_explain(code: str) -> dict[str, object]:
    """A code as plain data.

    Raises:
        CodeUnknown: it is not in the table.
    """
    entry = explain(code)
    return {
        "code": entry.code,
        "means": entry.means,
        "do": entry.do,
        "chapters": list(chapters_of(entry)),
        "sections": [{"section": section, "heading": said} for section, said in _places(entry)],
        "example": entry.example,
        "note": entry.note,
    }


def explain_text(code: str) -> str:
    """A code as a page for people.

    Raises:
        CodeUnknown: it is not in the table.
    """
    entry = explain(code)
    lines = [entry.code, ""]
    lines += textwrap.wrap(entry.means, WIDTH)
    lines += ["", *textwrap.wrap(f"What to do: {entry.do}", WIDTH)]
    if entry.example:
        lines += ["", *textwrap.wrap(f"For example: {entry.example}", WIDTH)]
    if entry.note:
        lines += ["", *textwrap.wrap(f"Note: {entry.note}", WIDTH)]
    places = _places(entry)
    if places:
        lines += ["", "It rests on:", *(f"  § {section}  {said}" for section, said in places)]
    return "\n".join(lines) + "\n"


def codes_text() -> str:
    """Every code with its meaning, one line each."""
    head = ("code", "means")
    return columns(head, [(entry.code, entry.means) for entry in finding_codes().values()])


def chapters_of(entry: FindingCode) -> tuple[str, ...]:
    """The chapters that a code rests on: by its rows, its obligations and its own entry."""
    return tuple(sorted({*entry.chapters, *_chapters_by_code().get(entry.code, ())}))


@cache
def _chapters_by_code() -> Mapping[str, frozenset[str]]:
    chapters: dict[str, set[str]] = {}
    for row in (
        *(row for room in ROOMS for row in rows_of(room)),
        *GENERAL_DUTIES,
        *PROVIDER_DUTIES,
        *COUPON_DUTIES,
        *match_play.DUTIES,
    ):
        if isinstance(row, Duty | Requirement):
            chapters.setdefault(row.code, set()).add(row.cite.edition.chapter)
    for obligation in obligations():
        for code in obligation.when_broken:
            chapters.setdefault(code, set()).add(obligation.chapter)
    return {code: frozenset(of) for code, of in chapters.items()}


def _places(entry: FindingCode) -> list[tuple[str, str]]:
    """The sections that the code rests on: its own entry, the lists of obligations, the rows."""
    own = [place for place in entry.chapters if "." in place]
    listed = [row.section for row in obligations() if entry.code in row.when_broken]
    rows = (*(row for room in ROOMS for row in rows_of(room)), *GENERAL_DUTIES)
    cited = [row.cite.section for row in rows if getattr(row, "code", None) == entry.code]
    return [(section, heading(section)) for section in dict.fromkeys([*own, *listed, *cited])]
