"""A zip that proves itself: the same round or case, tree and version give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
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
from ledger.kernel.quick_dataclass import dataclass
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
        about: what it is about.
        facts: how many facts it has.
        hidden: how many of them are shown as a hash only.
        withheld: how many sealed strings of the others are not opened.
        tree_size: of the tree in which they are proved.
        root: of that tree.
        is_signed: whether the ledger's key signed the pack.
    """

    content: bytes
    about: str
    facts: int
    hidden: int
    withheld: int
    tree_size: int
    root: bytes
    is_signed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How a pack is made.

    Attributes:
        version: of this program.
        signer: the ledger's key; None leaves the pack unsigned.
        witness: a file with a checkpoint that a witness kept.
        redact: the kinds of personal strings that are hidden.
        others: personal strings that the pages may name, though no fact of the pack does.
    """

    version: str
    signer: Signer | None
    witness: Path | None = None
    redact: frozenset[PersonalKind] = frozenset()
    others: Strings = ()


def make_pack(seen: RoundView, clock: PropertyClock, tree: PackedTree, making: Making) -> Pack:
    """Return the evidence pack of a round, or its twin.

    Args:
        seen: the round, as the packed tree has it.
        clock: the property's.
        tree: the tree that is packed.
        making: how it is made.

    Raises:
        PackWrong, PackTooLarge, NotHidden, WitnessUnusable: as for ``closed_pack``.
    """
    facts = packed_facts(tree, refs_of(seen), making.redact, making.others)
    masked = facts.masked(seen)
    derivation = derivation_of(masked, facts.values(), clock) | facts.unproven()
    page = report_html(
        masked,
        derivation,
        clock,
        tree_size=tree.size,
        root=tree.root.hex(),
        remarks=tuple(remarks(facts, is_signed=making.signer is not None)),
    )
    explained = {
        "derivation.json": document(derivation),
        "law.json": document(law_of(seen.result)),
        "report.html": page.encode(),
    }
    return closed_pack(str(derivation["about"]), facts, explained, tree, making)


def closed_pack(
    about: str,
    facts: PackedFacts,
    explained: Mapping[str, bytes],
    tree: PackedTree,
    making: Making,
) -> Pack:
    """Return a pack of these facts and of what explains them, signed and checked.

    Args:
        about: what it is about.
        facts: its facts.
        explained: derivation, law, page and what else is only signed.
        tree: the tree that is packed.
        making: how it is made.

    Raises:
        PackWrong: the program in it would refuse it.
        PackTooLarge: it would be larger than ``verify.py`` reads.
        NotHidden: a string that it should hide would still stand in it.
        WitnessUnusable: the witness's file does not belong to the tree.
        IntegrityBroken: an entry does not lead to the signed root.
    """
    members = {**facts.members(tree), **explained}
    manifest = {
        "format": HEADER,
        "about": about,
        "origin": tree.key.name,
        "tree_size": tree.size,
        "root": tree.root.hex(),
        "key": str(tree.key),
        "version": making.version,
        "redacted": words_of(making.redact),
        "signed": making.signer is not None,
        **facts.listed(tree),
    }
    if making.witness is not None:
        note, key, proof = tree.witness(making.witness)
        manifest["witness_key"] = key
        members["witness"], members["witness-proof"] = note, proof
    members["README.txt"] = notice(facts)
    require_hidden(members, facts.redaction)
    content = _closed(tree, members, manifest, making.signer)
    _check(content)
    return Pack(
        content=content,
        about=about,
        facts=len(facts.shown),
        hidden=len(facts.hashes()),
        withheld=facts.closed(WITHHELD),
        tree_size=tree.size,
        root=tree.root,
        is_signed=making.signer is not None,
    )


def _check(content: bytes) -> None:
    """Check a pack with the program that lies in it, before anybody has it."""
    if len(content) > PACK_BYTES:
        raise PackTooLarge(len(content), PACK_BYTES)
    code, lines = judged(content, None)
    if code != SELF_CONSISTENT:
        raise PackWrong(lines[-1])


def document(plain: object) -> bytes:
    """Return a JSON member."""
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
    members["keys.json"] = document(tree.chain())
    members["verify.py"] = folder.joinpath("verify.py").read_bytes()
    signed = ["signature"] if signer is not None else []
    manifest["members"] = sorted([*members, "SHA256SUMS", "manifest.json", *signed])
    members["manifest.json"] = document(manifest)
    sums = "".join(f"{sha256(members[name]).hexdigest()}  {name}\n" for name in sorted(members))
    members["SHA256SUMS"] = sums.encode()
    if signer is not None:
        digest = sha256(members["SHA256SUMS"]).hexdigest()
        members["signature"] = signer.sign(f"{HEADER}\n{signer.name}\n{digest}\n")
    return zip_of(members)
