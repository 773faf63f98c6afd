"""The signed copy of a report: the page as it was issued, and the signatures in their lines.

Nothing of the page is changed. What is put in stands between two marks, so that it can be taken out
again: what is left are the bytes that were signed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from markupsafe import Markup

from ledger.kernel import PropertyClock
from ledger.reports.night import words
from ledger.reports.night.report_data import Signed

BEGINS: Final = "<!-- signed after the report was issued -->"
ENDS: Final = "<!-- as issued again -->"
_PUT_IN: Final = re.compile(f"{re.escape(BEGINS)}.*?{re.escape(ENDS)}", re.DOTALL)
_ROW: Final = Markup(
    '<tr class="signed"><th scope="row" class="whole">{title}</th>'
    "<td>{name}</td><td>{credential}</td>"
    "<td>signed issue {issue} of this report; ledger entry {entry}, manifest {manifest}…</td>"
    "<td>{at}</td></tr>"
)
SHORT: Final = 16
"""Digits of the manifest's digest that a line shows."""


def signed_page(
    page: str, signatures: Iterable[Signed], clock: PropertyClock, manifest: str
) -> str:
    """The page with each signature in its line, above the empty one.

    Args:
        page: the report as it was issued.
        signatures: those on this issue.
        clock: the property's.
        manifest: SHA-256 of the issue's manifest, in hexadecimal: what was signed.
    """
    titles = dict(words.ROLES)
    for signature in signatures:
        line = f'<tr class="line {signature.signed_as}">'
        head, mark, rest = page.partition(line)
        assert mark, f"no line for the {signature.signed_as}"
        row = _ROW.format(
            title=titles[signature.signed_as],
            name=words.outside(signature.name),
            credential=words.outside(signature.credential),
            issue=signature.issue,
            entry="unknown" if signature.position is None else f"{signature.position:,}",
            manifest=manifest[:SHORT],
            at=words.full_time(clock, signature.at),
        )
        page = f"{head}{BEGINS}{row}{ENDS}{line}{rest}"
    return page


def issued_page(signed: str) -> str:
    """The page as it was issued, from a signed copy of it."""
    return _PUT_IN.sub("", signed)
