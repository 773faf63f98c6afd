"""The digest of a day: rulings and findings as canonical JSON, hashed per stream, then together.

Rulings and findings name facts by (stream, seq) only; positions, record times and offsets are
never hashed, so the digest is the same however the facts arrived. Canonical JSON is RFC 8785; all
values here are strings, integers, null, lists and objects with ASCII names, for which sorted keys
without spaces are that form.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from ledger.kernel import Finding
from ledger.rounds import InDoubt, RoundResult, Settlement


def canonical(value: Any) -> bytes:
    """RFC 8785 for the values used here."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def ruling(result: RoundResult) -> bytes:
    """One round's rulings: its outcome, and what each wager should come to."""
    return canonical(
        {
            "round": result.round,
            "status": result.status.value,
            "shown": result.shown,
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


def _side(side: Settlement) -> list[Any]:
    return [side.outcome.value, side.winnings_cents, side.stake_taken_cents]


def _doubt(doubt: InDoubt) -> list[Any]:
    return [doubt.stake_cents, _side(doubt.if_returned), _side(doubt.if_stands)]


def told(finding: Finding) -> bytes:
    """One finding."""
    return canonical(
        {
            "code": finding.code,
            "severity": finding.severity.value,
            "certainty": finding.certainty.value,
            "sentence": finding.sentence,
            "citations": [cite.on(finding.gaming_day) for cite in finding.citations],
            "readings": list(finding.readings),
            "stream": finding.stream,
            "round": finding.round,
            "wager": finding.wager,
            "facts": [[ref.stream, ref.seq] for ref in finding.facts],
            "expected": finding.expected,
            "observed": finding.observed,
            "effect_cents": finding.effect_cents,
        }
    )


def order_of(finding: Finding) -> tuple[bytes, int, str, bytes]:
    """Findings go by the stream and seq of their last fact, then by code, then by their bytes."""
    last = finding.facts[-1].seq if finding.facts else 0
    return (finding.stream.encode(), last, finding.code, told(finding))


def digest(rulings: Mapping[str, bytes], findings: Iterable[Finding]) -> str:
    """Join the hashes of each stream's rulings with its findings.

    Args:
        rulings: by stream, SHA-256 over its rounds' rulings in order, each ended by a newline.
        findings: all findings of the day, in their order.
    """
    streams = {stream: sha256(hashed) for stream, hashed in rulings.items()}
    for finding in findings:
        streams.setdefault(finding.stream, sha256()).update(told(finding) + b"\n")
    lines = (
        f"{stream} {streams[stream].hexdigest()}\n" for stream in sorted(streams, key=str.encode)
    )
    return sha256("".join(lines).encode()).hexdigest()
