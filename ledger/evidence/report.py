"""The page of a pack: the round as it is drawn for a night, and how each amount comes about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from ledger.evidence.derivation import WORDS
from ledger.kernel import PropertyClock, dollars
from ledger.reports import RoundView
from ledger.reports.night import round_html
from ledger.reports.night.words import outside

_END = "</main>"
_HOW = {
    "facts": "sum of the facts",
    "odds": "stake at the odds",
    "rounded": "stake at the odds, rounded as filed",
    "limited": "stake at the odds, up to the payout limit",
    "sum": "sum",
    "net": "paid less due, kept less taken",
    "stated": "stated by the rules engine, not computed here",
}


def report_html(
    seen: RoundView,
    derivation: Mapping[str, Any],
    clock: PropertyClock,
    *,
    tree_size: int,
    root: str,
    remarks: tuple[str, ...],
) -> str:
    """Return the page.

    Args:
        seen: the round.
        derivation: how its amounts come about.
        clock: the property's.
        tree_size: of the tree that is packed.
        root: of that tree, in hexadecimal.
        remarks: what a reader must know of the pack, a sentence each.
    """
    page = round_html(seen, clock, tree_size=tree_size, root=root)
    before, end, after = page.rpartition(_END)
    return f"{before}{figures_section(derivation)}{remarks_section(remarks)}{end}{after}"


def remarks_section(remarks: tuple[str, ...]) -> Markup:
    """What a reader must know of the pack."""
    notes = Markup("").join(Markup("<li>{}</li>\n").format(text) for text in remarks)
    return Markup(
        '<section>\n<h2 id="pack">This pack</h2>\n<ul class="plain">\n{}</ul>\n</section>\n'
    ).format(notes)


def figures_section(derivation: Mapping[str, Any]) -> Markup:
    """How each amount of a round comes about."""
    ids = {wager["number"]: wager for wager in derivation["wagers"]}
    rows = Markup("").join(
        _row(ids[figure["name"].partition(".")[0]], figure) for figure in derivation["figures"]
    )
    return Markup(
        '<section>\n<h2 id="figures">How each amount comes about</h2>\n'
        '<div class="scroll" role="region" aria-label="Amounts" tabindex="0">\n<table>\n'
        '<thead><tr><th scope="col">wager</th><th scope="col">amount</th>'
        '<th scope="col" class="n">$</th><th scope="col">how</th>'
        '<th scope="col">facts</th></tr></thead>\n<tbody>\n{}</tbody>\n'
        "</table>\n</div>\n</section>\n"
    ).format(rows)


def _row(wager: Mapping[str, Any], figure: Mapping[str, Any]) -> Markup:
    word, cents, how = figure["name"].partition(".")[2], figure["cents"], _HOW[figure["how"]]
    odds = figure.get("odds")
    if odds:
        times = f", times {odds['factor']}" if odds["factor"] != 1 else ""
        how = f"{how}: {odds['pays']} to {odds['stake']}{times}"
    facts = ", ".join(listed[0] for listed in figure["of"]) if figure["how"] == "facts" else ""
    about = WORDS.get(word) or f"added by {word.replace('-', ' ')}"
    return Markup(
        "<tr><th scope='row'>{}</th><td>{}</td>"
        '<td class="n"><data class="figure" id="{}" value="{}">{}</data></td>'
        "<td>{}</td><td>{}</td></tr>\n"
    ).format(
        outside(wager["wager_id"]),
        about,
        escape(figure["name"]),
        cents if cents is not None else "None",
        "not known" if cents is None else dollars(cents),
        how,
        outside(facts),
    )
