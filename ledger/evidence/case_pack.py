"""A case as one pack: its file, what is pinned to it, and each of its rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ledger.casework.cases import CaseFile
from ledger.events import Fact
from ledger.evidence.case_report import case_html
from ledger.evidence.derivation import derivation_of, law_of
from ledger.evidence.pack import Making, Pack, closed_pack, document
from ledger.evidence.packed_facts import packed_facts, refs_of
from ledger.evidence.packed_tree import PackedTree
from ledger.evidence.remarks import remarks
from ledger.kernel import FactRef, PropertyClock, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports import RoundView, tell
from ledger.reports.case_page import case_rows
from ledger.reports.letters import Letter, Signature, letter_html, letter_text
from ledger.reports.paper import Paper

MEDIA: Final = "media"
LETTERS: Final = "letters"
PAPER: Final = Paper.LETTER
"""On which a letter's page prints: the same in every pack, whatever the property prints on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedLetter:
    """A letter of a case as it was signed, and the signatures on it."""

    letter: Letter
    signatures: Sequence[Signature]

    def members(self) -> dict[str, bytes]:
        """Return what was signed, of which the digest is, and the letter as text and as page."""
        name = f"{LETTERS}/{self.letter.digest().hex()}"
        return {
            f"{name}.json": self.letter.document(),
            f"{name}.txt": letter_text(self.letter, self.signatures).encode(),
            f"{name}.html": letter_html(self.letter, self.signatures, PAPER).encode(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedCase:
    """A case as the packed tree has it.

    Attributes:
        file: its file.
        acts: its events and the enrollments of who acted, in the order of the ledger.
        rounds: the rounds that it is about, or that are pinned to it.
        pinned: other facts that it is about or that are pinned to it, the way of a coupon, too.
        media: the files of the case by SHA-256 in hexadecimal, where they are packed.
        letters: the letters that were signed; a twin leaves them out.
    """

    file: CaseFile
    acts: tuple[Fact, ...]
    rounds: tuple[RoundView, ...]
    pinned: tuple[Fact, ...]
    media: Mapping[str, bytes]
    letters: tuple[PackedLetter, ...] = ()

    def refs(self) -> Iterator[FactRef]:
        """Yield the facts that its pack has."""
        yield from (ref_of(fact) for fact in (*self.acts, *self.pinned))
        for seen in self.rounds:
            yield from refs_of(seen)


def make_case_pack(
    case: PackedCase, clock: PropertyClock, tree: PackedTree, making: Making
) -> Pack:
    """Return the evidence pack of a case, or its twin.

    Args:
        case: the case, as the packed tree has it.
        clock: the property's.
        tree: the tree that is packed.
        making: how it is made.

    Raises:
        PackWrong, PackTooLarge, NotHidden, WitnessUnusable: as for ``closed_pack``.
    """
    facts = packed_facts(tree, case.refs(), making.redact, making.others)
    values = facts.values()
    seen = [facts.masked(view) for view in case.rounds]
    rounds = [
        derivation_of(view, values, clock, before=f"{number}-")
        for number, view in enumerate(seen, 1)
    ]
    file = facts.masked(case.file)
    rows = [("Summary", file.opened.summary), *case_rows(file, clock, reveal=True)]
    record = [
        (str(ref_of(fact)), tell(facts.masked(fact), clock)) for fact in (*case.acts, *case.pinned)
    ]
    about = f"case {case.file.number}"
    derivation = {
        "about": about,
        "status": case.file.status.value,
        "file": rows,
        "facts": record,
        "rounds": rounds,
        "figures": [figure for part in rounds for figure in _figures(part)],
        **facts.unproven(),
    }
    laws = [law_of(view.result) for view in case.rounds]
    page = case_html(
        case.file.number,
        case.file.status.value,
        rows,
        record,
        list(zip(seen, rounds, strict=True)),
        clock,
        tree_size=tree.size,
        root=tree.root.hex(),
        remarks=tuple(remarks(facts, is_signed=making.signer is not None)),
    )
    explained = {
        "derivation.json": document(derivation),
        "law.json": document({"rounds": laws, "odds": _odds(laws)}),
        "report.html": page.encode(),
        **{f"{MEDIA}/{digest}": content for digest, content in case.media.items()},
    }
    for packed in () if making.redact else case.letters:
        explained |= packed.members()
    return closed_pack(about, facts, explained, tree, making)


def _figures(derivation: Mapping[str, Any]) -> list[object]:
    return list(derivation["figures"])


def _odds(laws: list[dict[str, Any]]) -> list[object]:
    """The odds of all rounds, each once."""
    odds: list[object] = []
    for law in laws:
        odds += [each for each in law["odds"] if each not in odds]
    return odds
