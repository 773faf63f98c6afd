"""One round as a zip that proves itself: the same round, tree and version give the same bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final

from ledger.codec import PersonalKind
from ledger.evidence.canonical_zip import zip_of
from ledger.evidence.derivation import derivation_of, law_of
from ledger.evidence.errors import PackTooLarge, PackWrong
from ledger.evidence.packed_facts import PackedFacts, packed_facts, refs_of
from ledger.evidence.packed_tree import PackedTree
from ledger.evidence.redaction import Strings, words_of
from ledger.evidence.remarks import notice, remarks, require_hidden
from ledger.evidence.report import report_html
from ledger.evidence.verify import judged
from ledger.kernel import WITHHELD, PropertyClock
from ledger.log import Signer
from ledger.reports import RoundView

HEADER: Final = "pitledger evidence pack v1"
"""First line of what the ledger's key signs; with blanks, so that no ledger can be called so."""
PACK_BYTES: Final = 64 << 20
"""What ``verify.py`` reads at most."""
SELF_CONSISTENT: Final = 1
"""What ``verify.py`` answers without a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A pack, and what it says of itself.

    Attributes:
        content: the zip.
        facts: how many facts it has.
        hidden: how many of them are shown as a hash only.
        withheld: how many sealed strings of the others are not opened.
        tree_size: of the tree in which they are proved.
        root: of that tree.
        is_signed: whether the ledger's key signed the pack.
    """

    content: bytes
    facts: int
    hidden: int
    withheld: int
    tree_size: int
    root: bytes
    is_signed: bool


def make_pack(
    seen: RoundView,
    clock: PropertyClock,
    tree: PackedTree,
    *,
    version: str,
    signer: Signer | None,
    witness: Path | None = None,
    redact: frozenset[PersonalKind] = frozenset(),
    others: Strings = (),
) -> Pack:
    """Return the evidence pack of a round, or its twin.

    Args:
        seen: the round, as the packed tree has it.
        clock: the property's.
        tree: the tree that is packed.
        version: of this program.
        signer: the ledger's key; None leaves the pack unsigned.
        witness: a file with a checkpoint that a witness kept.
        redact: the kinds of personal strings that it hides.
        others: personal strings that the round's page may name, though no fact of it does.

    Raises:
        PackWrong: the program in it would refuse it.
        PackTooLarge: it would be larger than ``verify.py`` reads.
        NotHidden: a string that it should hide would still stand in it.
        WitnessUnusable: the witness's file does not belong to the tree.
        IntegrityBroken: an entry does not lead to the signed root.
    """
    facts = packed_facts(tree, refs_of(seen), redact, others)
    members = facts.members(tree)
    about = f"round {seen.result.round}"
    manifest = _manifest(about, tree, version, redact)
    manifest["signed"] = signer is not None
    manifest |= facts.listed(tree)
    if witness is not None:
        note, key, proof = tree.witness(witness)
        manifest["witness_key"] = key
        members["witness"], members["witness-proof"] = note, proof
    members |= _explained(seen, clock, facts, tree, is_signed=signer is not None)
    members["README.txt"] = notice(facts)
    require_hidden(members, facts.redaction)
    content = _closed(tree, members, manifest, signer)
    _check(content)
    return Pack(
        content=content,
        facts=len(facts.shown),
        hidden=len(facts.hashes()),
        withheld=facts.closed(WITHHELD),
        tree_size=tree.size,
        root=tree.root,
        is_signed=signer is not None,
    )


def _manifest(
    about: str, tree: PackedTree, version: str, redact: frozenset[PersonalKind]
) -> dict[str, object]:
    return {
        "format": HEADER,
        "about": about,
        "origin": tree.key.name,
        "tree_size": tree.size,
        "root": tree.root.hex(),
        "key": str(tree.key),
        "version": version,
        "redacted": words_of(redact),
    }


def _explained(
    seen: RoundView, clock: PropertyClock, facts: PackedFacts, tree: PackedTree, *, is_signed: bool
) -> dict[str, bytes]:
    """Derivation, law and page."""
    law = law_of(seen.result)
    masked = seen if facts.redaction is None else facts.redaction.masked(seen)
    derivation = derivation_of(masked, facts.values(), clock)
    if facts.redaction is not None:
        derivation["unproven_labels"] = facts.labels()
        derivation["unproven_amounts"] = facts.unproven_amounts()
    page = report_html(
        masked,
        derivation,
        clock,
        tree_size=tree.size,
        root=tree.root.hex(),
        remarks=tuple(remarks(facts, is_signed=is_signed)),
    )
    return {
        "derivation.json": _document(derivation),
        "law.json": _document(law),
        "report.html": page.encode(),
    }


def _check(content: bytes) -> None:
    """Check a pack with the program that lies in it, before anybody has it."""
    if len(content) > PACK_BYTES:
        raise PackTooLarge(len(content), PACK_BYTES)
    code, lines = judged(content, None)
    if code != SELF_CONSISTENT:
        raise PackWrong(lines[-1])


def _document(plain: object) -> bytes:
    return (json.dumps(plain, indent=1) + "\n").encode()


def _closed(
    tree: PackedTree,
    members: dict[str, bytes],
    manifest: dict[str, object],
    signer: Signer | None,
) -> bytes:
    """The zip: with checkpoint, keys, program and notice; then manifest, sums and signature."""
    folder = files("ledger.evidence")
    members["checkpoint"] = tree.checkpoint
    members["keys.json"] = _document(tree.chain())
    members["verify.py"] = folder.joinpath("verify.py").read_bytes()
    signed = ["signature"] if signer is not None else []
    manifest["members"] = sorted([*members, "SHA256SUMS", "manifest.json", *signed])
    members["manifest.json"] = _document(manifest)
    sums = "".join(f"{sha256(members[name]).hexdigest()}  {name}\n" for name in sorted(members))
    members["SHA256SUMS"] = sums.encode()
    if signer is not None:
        digest = sha256(members["SHA256SUMS"]).hexdigest()
        members["signature"] = signer.sign(f"{HEADER}\n{signer.name}\n{digest}\n")
    return zip_of(members)
