"""The digest of a day: rulings and findings as canonical JSON, hashed per stream, then together.

Rulings and findings name facts by (stream, seq) only; positions, record times and offsets are
never hashed, so the digest is the same however the facts arrived. No sentence is hashed either:
of what was expected and observed only the values count, so that better words change no digest.
Canonical JSON is RFC 8785; all values here are strings, integers, null, lists and objects with
ASCII names, for which sorted keys without spaces are that form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from typing import Final

from ledger.kernel import Finding
from ledger.rounds import InDoubt, RoundResult, Settlement

DIGEST_VERSION: Final = 2
"""Names what is hashed and how. Version 1 hashed sentences; only equal versions are compared."""

_VALUE: Final = re.compile(
    r"(?P<sign>[-−])?\$(?P<dollars>\d[\d,]*)(?:\.(?P<cents>\d\d))?|(?P<token>\w(?:[\w:/.-]*\w)?)"
)

NUMBER_WORDS: Final = {
    word: number
    for number, words in enumerate(
        (
            *(("once", "one"), ("twice", "two"), ("three",), ("four",), ("five",), ("six",)),
            *(("seven",), ("eight",), ("nine",), ("ten",), ("eleven",), ("twelve",)),
        ),
        1,
    )
    for word in words
}
"""Numbers as words: "shaken twice" holds the same value as "shaken 2 times"."""


def canonical(content: object) -> bytes:
    r"""Return canonical JSON (RFC 8785) for the types of values used here.

    >>> canonical({"b": [1, None], "a": "§"})
    b'{"a":"\xc2\xa7","b":[1,null]}'
    """
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def ruling(result: RoundResult) -> bytes:
    """Return one round's rulings: its outcome, and what each wager should come to."""
    return canonical(
        {
            "round": result.round,
            "status": result.status.value,
            "outcome": plain(result.outcome),
            "missing": result.missing_since is not None,
            "wagers": [
                [
                    wager.wager_id,
                    [wager.placed.stream, wager.placed.seq],
                    *_side(wager.expected),
                    *(_side(wager.observed) if wager.observed else []),
                    *([_doubt(wager.in_doubt)] if wager.in_doubt else []),
                ]
                for wager in result.wagers
            ],
        }
    )


def plain(content: object) -> object:
    """Return a room's outcome as plain data: enums by value, rows by field, tuples as lists.

    Raises:
        TypeError: it holds a value of another type.
    """
    if isinstance(content, Enum):
        return content.value
    if is_dataclass(content):
        return {part.name: plain(getattr(content, part.name)) for part in fields(content)}
    if isinstance(content, tuple | list):
        return [plain(part) for part in content]
    if isinstance(content, frozenset | set):
        return sorted((plain(part) for part in content), key=canonical)
    if isinstance(content, Mapping):
        return {str(plain(name)): plain(part) for name, part in content.items()}
    if content is None or isinstance(content, bool | int | str):
        return content
    raise TypeError(f"an outcome holds {type(content).__name__}, which no digest can hold")


def arguments(words: str | None) -> list[list[str | int]] | None:
    """Return the typed values in what a finding expected or observed, in order, without its words.

    Returns:
        ``["cents", n]`` for dollars, ``["number", n]`` for a whole number, in digits or as a word
        up to twelve, ``["name", s]`` for a word with a digit in it (a serial, a fact, a time, a
        date, a decimal); None where nothing was stated.

    >>> arguments("$25.00 at 21:02:10, shaken twice")
    [['cents', 2500], ['name', '21:02:10'], ['number', 2]]
    """
    if words is None:
        return None
    values: list[list[str | int]] = []
    for match in _VALUE.finditer(words):
        if match["dollars"]:
            cents = int(match["dollars"].replace(",", "")) * 100 + int(match["cents"] or 0)
            values.append(["cents", -cents if match["sign"] else cents])
        elif match["token"].isdecimal():
            values.append(["number", int(match["token"])])
        elif match["token"] in NUMBER_WORDS:
            values.append(["number", NUMBER_WORDS[match["token"]]])
        elif any(character.isdecimal() for character in match["token"]):
            values.append(["name", match["token"]])
    return values


def _side(side: Settlement) -> list[object]:
    return [side.outcome.value, side.winnings_cents, side.stake_taken_cents]


def _doubt(doubt: InDoubt) -> list[object]:
    return [doubt.stake_cents, _side(doubt.if_returned), _side(doubt.if_stands)]


def canonical_finding(finding: Finding) -> bytes:
    """Return one finding as canonical JSON, without its sentence."""
    return canonical(
        {
            "code": finding.code,
            "severity": finding.severity.value,
            "certainty": finding.certainty.value,
            "citations": [cite.on(finding.gaming_day) for cite in finding.citations],
            "readings": list(finding.readings),
            "stream": finding.stream,
            "round": finding.round,
            "wager": finding.wager,
            "facts": [[ref.stream, ref.seq] for ref in finding.facts],
            "expected": arguments(finding.expected),
            "observed": arguments(finding.observed),
            "effect_cents": finding.effect_cents,
        }
    )


def order_of(finding: Finding) -> tuple[bytes, int, str, bytes]:
    """Return the sort key of a finding.

    Findings are sorted by the stream and seq of their last fact, by code, by content, then by
    sentence.
    """
    last = finding.facts[-1].seq if finding.facts else 0
    same = canonical_finding(finding) + b"\n" + finding.sentence.encode()
    return (finding.stream.encode(), last, finding.code, same)


def digest(rulings: Mapping[str, bytes], findings: Iterable[Finding]) -> str:
    """Join the hashes of each stream's rulings with its findings.

    Args:
        rulings: by stream, SHA-256 over its rounds' rulings in order, each ended by a newline.
        findings: all findings of the day, in their order.

    Returns:
        SHA-256 as hexadecimal digits.
    """
    streams = {stream: sha256(hashed) for stream, hashed in rulings.items()}
    for finding in findings:
        streams.setdefault(finding.stream, sha256()).update(canonical_finding(finding) + b"\n")
    lines = (
        f"{stream} {streams[stream].hexdigest()}\n" for stream in sorted(streams, key=str.encode)
    )
    return sha256("".join(lines).encode()).hexdigest()
