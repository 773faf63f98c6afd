"""What a pack says of itself to people, and the last look for what its twin should hide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from importlib.resources import files
from typing import Final

from ledger.evidence.errors import NotHidden
from ledger.evidence.packed_facts import PackedFacts
from ledger.evidence.redaction import Redaction, words_of
from ledger.kernel import ERASED, WITHHELD, FactRef, plural
from ledger.reports.phrases import listed

_TAGS: Final = re.compile(r"<style>.*?</style>|<[^>]*>", re.DOTALL)
_LOOKED_AT: Final = ("README.txt", "derivation.json", "report.html")
_GUESSED: Final = (
    "The ledger is not sealed: whoever knows all the rest of such a fact can try out references"
    " against its hash."
)


def remarks(facts: PackedFacts, *, is_signed: bool) -> Iterator[str]:
    """Yield what a reader of the page must know of the pack, a sentence each."""
    yield (
        "Facts are proved to stand in the ledger as they entered it; whether what entered was"
        " true, no proof can say."
    )
    yield "Rules and interpretations are the property's rules engine's; law.json has each row used."
    if not is_signed:
        yield "Made without the ledger's key: the facts are proved, and nobody signed this page."
    yield from _forms(facts)


def notice(facts: PackedFacts) -> bytes:
    """Return the README in the pack."""
    text = files("ledger.evidence").joinpath("notice.txt").read_text(encoding="utf-8")
    lines = "".join(f"\n{line}\n" for line in _forms(facts))
    return (text + lines).encode()


def _forms(facts: PackedFacts) -> Iterator[str]:
    """What is hidden, and what stands there instead."""
    if facts.redaction is not None:
        kinds = listed(words_of(facts.redaction.kinds))
        yield (
            f"A redacted twin: it hides {kinds}. It leads to the same root as the full pack. Labels"
            " such as Patron A stand for the same reference in several places; nothing proves that."
        )
    hashes = facts.hashes()
    if hashes:
        yield (
            f"{plural(len(hashes), 'fact')} of {len(facts.shown)} shown as a hash only: they stand"
            f" in the ledger, and nothing here proves what this page says of them: {_refs(hashes)}."
        )
        if any(not each.is_shown and not each.packed.is_sealed for each in facts.shown):
            yield _GUESSED
    withheld, erased = facts.closed(WITHHELD), facts.closed(ERASED)
    if withheld:
        yield f"{plural(withheld, 'sealed string')} not opened here: {WITHHELD}."
    if erased:
        yield (
            f"{plural(erased, 'sealed string')} erased in the ledger, as its keeper says: {ERASED}."
        )


def _refs(refs: list[FactRef]) -> str:
    """Facts by stream, numbers that follow one another in one word."""
    runs: list[tuple[str, int, int]] = []
    for stream, seq in sorted(refs):
        if runs and runs[-1][0] == stream and runs[-1][2] + 1 == seq:
            runs[-1] = (stream, runs[-1][1], seq)
        else:
            runs.append((stream, seq, seq))
    return ", ".join(
        f"{stream}:{first}" + ("" if first == last else f"-{last}") for stream, first, last in runs
    )


def require_hidden(members: Mapping[str, bytes], redaction: Redaction | None) -> None:
    """Look once more for what a twin hides, in what was written about its facts.

    Raises:
        NotHidden: it stands there still.
    """
    for name in _LOOKED_AT if redaction is not None else ():
        text = members[name].decode()
        if name.endswith(".html"):
            text = unescape(_TAGS.sub(" ", text))
        if redaction is not None and redaction.is_named_in(text):
            raise NotHidden(name)
