"""The page of a case's pack: its file, its record, and each of its rounds as it is drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from ledger.evidence.report import figures_section, remarks_section
from ledger.kernel import PropertyClock
from ledger.reports import RoundView
from ledger.reports.font import with_font
from ledger.reports.night import round_html
from ledger.reports.night.template import style
from ledger.reports.night.words import outside

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; font-src data:"
_MAIN: Final = re.compile(r"<main>(.*)</main>", re.DOTALL)
_NAMES: Final = re.compile(r'( id="| href="#|url\(#| aria-labelledby="| headers="| for=")')
_HEADINGS: Final = re.compile(r"<(/?)h([12])\b")

Rows = Sequence[tuple[str, str]]


def case_html(
    number: str,
    status: str,
    rows: Rows,
    facts: Rows,
    rounds: Sequence[tuple[RoundView, Mapping[str, Any]]],
    clock: PropertyClock,
    *,
    tree_size: int,
    root: str,
    remarks: tuple[str, ...],
) -> str:
    """Return the page.

    Args:
        number: of the case.
        status: how it stands.
        rows: the lines of its file, each with its name.
        facts: its facts, each with a sentence.
        rounds: its rounds with their derivations.
        clock: the property's.
        tree_size: of the tree that is packed.
        root: of that tree, in hexadecimal.
        remarks: what a reader must know of the pack, a sentence each.
    """
    drawn = Markup("").join(
        _round(place, view, derivation, clock) for place, (view, derivation) in enumerate(rounds, 1)
    )
    page = Markup(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="{}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<title>Case {}</title>\n<style>\n{}\n</style>\n</head>\n<body class="round">\n<main>\n'
        '<header>\n<p class="soft">tree size {} · root {}</p>\n<h1>Case {}</h1>\n'
        '<p class="verdict">{}</p>\n</header>\n'
        '{}{}{}{}</main>\n</body>\n</html>\n'
    ).format(
        _POLICY, number, style(), tree_size, root, number, status,
        _table("file", "The file of the case", rows), drawn,
        _table("record", "On the record", facts), remarks_section(remarks),
    )  # fmt: skip
    return with_font(str(page))


def _table(name: str, title: str, rows: Rows) -> Markup:
    lines = Markup("").join(
        Markup("<tr><th scope='row'>{}</th><td>{}</td></tr>\n").format(
            outside(head), Markup("<br>").join(outside(line) for line in words.split("\n"))
        )
        for head, words in rows
    )
    return Markup(
        '<section>\n<h2 id="{}">{}</h2>\n'
        '<div class="scroll" role="region" aria-label="{}" tabindex="0">\n'
        "<table>\n<tbody>\n{}</tbody>\n</table>\n</div>\n</section>\n"
    ).format(name, title, title, lines)


def _round(
    place: int, view: RoundView, derivation: Mapping[str, Any], clock: PropertyClock
) -> Markup:
    """A round as its own page has it; its names told apart from those of other rounds."""
    drawn = _MAIN.search(round_html(view, clock))
    assert drawn is not None, "a page of a round has a main part"
    body = _NAMES.sub(rf"\g<1>round-{place}-", drawn[1])
    body = _HEADINGS.sub(lambda tag: f"<{tag[1]}h{int(tag[2]) + 1}", body)
    figures = figures_section(derivation).replace(' id="figures"', f' id="figures-{place}"')
    return Markup(body) + Markup(figures.replace("h2", "h3"))
