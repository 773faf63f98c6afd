"""The small day with people in it: patrons, staff, a name, free text, and an amended wager."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

from ledger.cli import main
from ledger.codec import frame
from ledger.events import Fact, FactAmended, WagerPlaced
from ledger.evidence.verify import members_of
from tests.cli import given
from tests.evidence.packs import ledger_of
from tests.games.facts import fact

PATRONS: Final = ("p-4711", "p-0815")
STAFF: Final = ("E-104", "E-007", "E-311")
NAME: Final = "Josephine Example"
TEXT: Final = "said that p-4711 was too late, and Josephine Example agreed"
PERSONAL: Final = (*PATRONS, *STAFF, NAME, TEXT)
"""Every personal string of the round."""
ROSTER: Final = tuple(f"p-{number:04d}" for number in range(10_000))
"""Every reference that there may be."""


def day() -> list[Fact]:
    """The facts of the day."""
    facts = [_with_people(each) for each in given.day()]
    wagers = [each for each in facts if isinstance(each, WagerPlaced) and each.stream == "SB-01"]
    facts.insert(-1, _numbered(fact("WagerRefused", 18, 6, wager_id="W4", patron=PATRONS[0],
        reason=TEXT), "SB-01", STAFF[0]))  # fmt: skip
    facts.insert(-1, _numbered(fact("CredentialDescribed", 1, -3000, person=STAFF[1],
        printed_name=NAME), "house/people", STAFF[1]))  # fmt: skip
    amended = replace(wagers[0], patron=PATRONS[1])
    facts.append(
        FactAmended(
            stream="amendments",
            seq=1,
            event_time=facts[-1].event_time,
            source="T-house",
            recorded_by=STAFF[1],
            amended_stream="SB-01",
            amended_seq=wagers[0].seq,
            replacement=frame(amended),
            reason=TEXT,
            amended_by=STAFF[1],
            approved_by=STAFF[2],
            approved_time=None,
            file_sha256=None,
            proof=None,
            approval_proof=None,
        )
    )
    return facts


def _with_people(each: Fact) -> Fact:
    values = {"recorded_by": STAFF[0] if each.stream == "SB-01" else STAFF[1]}
    for name in ("person", "announced_by", "called_by", "shaken_by", "thrown_by"):
        if hasattr(each, name):
            values[name] = STAFF[0]
    if getattr(each, "patron", None) == "P7":
        values["patron"] = PATRONS[0]
    return replace(each, **values)  # type: ignore[type-var]


def _numbered(each: Fact, stream: str, by: str) -> Fact:
    return replace(each, stream=stream, source=f"T-{stream}", recorded_by=by)  # type: ignore[type-var]


def sealed_ledger(folder: Path, facts: list[Fact]) -> Path:
    """A sealed ledger with these facts."""
    words = ("init", "--origin", "test.example/floor", "--ledger", str(folder), "--sealed")
    assert main(words) == 0
    return ledger_of(folder, facts)


def everything_said(pack: bytes) -> str:
    """All members of a pack as one text, escapes of JSON and HTML undone."""
    from html import unescape

    members = members_of(pack)
    texts = []
    for name, body in members.items():
        text = body.decode("utf-8", "replace")
        if name.endswith(".html"):
            text = unescape(text)
        if name.endswith(".json"):
            text += json.dumps(json.loads(text), ensure_ascii=False)
        texts.append(f"{name}\n{text}")
    return "\n".join(texts)
