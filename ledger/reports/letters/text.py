"""A letter as text, 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

from ledger.kernel import visible
from ledger.reports.letters.letter import Facts, Letter, Paragraph, Signature

COLUMNS: Final = 80
LONGEST_NAME: Final = 24
"""Characters of what a row is about."""
UNSIGNED: Final = "not signed yet"


def letter_text(letter: Letter, signatures: Iterable[Signature] = ()) -> str:
    """Return the letter as text that ends with its signatures, or with what is missing of them."""
    lines = [*letter.sender, "", letter.written, f"Reference {letter.reference}", ""]
    lines += [*letter.recipient, "", *_wrapped(letter.subject), ""]
    for part in letter.body:
        lines += [*_part(part), ""]
    lines += signature_lines(letter, signatures)
    return "".join(f"{visible(line)}\n" for line in lines)


def signature_lines(letter: Letter, signatures: Iterable[Signature]) -> list[str]:
    """A line for each capacity: who signed in it, or that nobody has."""
    by_capacity = {signature.capacity: signature for signature in signatures}
    lines = [
        f"{capacity}: {signed_words(by_capacity.get(capacity))}" for capacity in letter.capacities
    ]
    return [*lines, f"Digest of this letter: {letter.digest().hex()}"]


def signed_words(signature: Signature | None) -> str:
    """Who signed, when, and how it was proved."""
    if signature is None:
        return UNSIGNED
    who = f"{signature.name} ({signature.credential})"
    return f"signed by {who}, {signature.signed}, {signature.proof}"


def _part(part: Paragraph | Facts) -> Iterator[str]:
    if part.heading:
        yield part.heading
    if isinstance(part, Paragraph):
        yield from _wrapped(part.text)
        return
    width = min(max((len(name) for name, _ in part.rows), default=0), LONGEST_NAME) + 2
    for name, words in part.rows:
        first, *others = _wrapped(words, COLUMNS - 2 - width) or [""]
        yield f"  {name[:LONGEST_NAME]:<{width}}{first}"
        yield from (" " * (width + 2) + line for line in others)


def _wrapped(text: str, width: int = COLUMNS) -> list[str]:
    return [
        line
        for own in text.splitlines()
        for line in textwrap.wrap(own, width, break_long_words=False) or [""]
    ]
