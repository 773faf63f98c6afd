"""One round as a zip that proves itself: the same round, tree and version give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final

from ledger.codec import decode, plain_of, schema_of, to_plain
from ledger.evidence.canonical_zip import zip_of
from ledger.evidence.derivation import Values, derivation_of, law_of
from ledger.evidence.errors import PackTooLarge, PackWrong
from ledger.evidence.packed_tree import PackedTree
from ledger.evidence.report import report_html
from ledger.evidence.verify import judged
from ledger.kernel import FactRef, PropertyClock, ref_of
from ledger.log import SchemaUsed, Signer, unwrap
from ledger.reports import RoundView, with_position

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
        tree_size: of the tree in which they are proved.
        root: of that tree.
        is_signed: whether the ledger's key signed the pack.
    """

    content: bytes
    facts: int
    hidden: int
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
) -> Pack:
    """Return the evidence pack of a round.

    Args:
        seen: the round, as the packed tree has it.
        clock: the property's.
        tree: the tree that is packed.
        version: of this program.
        signer: the ledger's key; None leaves the pack unsigned.
        witness: a file with a checkpoint that a witness kept.

    Raises:
        PackWrong: the program in it would refuse it.
        PackTooLarge: it would be larger than ``verify.py`` reads.
        WitnessUnusable: the witness's file does not belong to the tree.
        IntegrityBroken: an entry does not lead to the signed root.
    """
    places = tree.positions(_refs(seen))
    framed = {position: _framed(tree, position) for position in places}
    schemas = tree.schemas({schema_of(event).id for event in framed.values()})
    values = {ref: _values(framed[position]) for position, ref in places.items()}
    members = _entries(tree, [*schemas, *places])
    for entry in schemas.values():
        members[_file(entry)] = entry.text.encode()
    lines = (_line(position, values[ref]) for position, ref in places.items())
    members["facts.jsonl"] = "".join(lines).encode()
    manifest = _manifest(seen, tree, version)
    manifest["signed"] = signer is not None
    manifest["schemas"] = [
        {**_item(tree, position), "schema": _file(entry)} for position, entry in schemas.items()
    ]
    manifest["facts"] = [
        {**_item(tree, position), "fact": str(ref), "event": values[ref]["event"]}
        for position, ref in places.items()
    ]
    if witness is not None:
        note, key, proof = tree.witness(witness)
        manifest["witness_key"] = key
        members["witness"], members["witness-proof"] = note, proof
    members |= _explained(seen, clock, values, tree, is_signed=signer is not None)
    content = _closed(tree, members, manifest, signer)
    _check(content)
    return Pack(
        content=content,
        facts=len(places),
        hidden=0,
        tree_size=tree.size,
        root=tree.root,
        is_signed=signer is not None,
    )


def _manifest(seen: RoundView, tree: PackedTree, version: str) -> dict[str, object]:
    return {
        "format": HEADER,
        "round": seen.result.round,
        "origin": tree.key.name,
        "tree_size": tree.size,
        "root": tree.root.hex(),
        "key": str(tree.key),
        "version": version,
        "redacted": False,
    }


def _explained(
    seen: RoundView, clock: PropertyClock, values: Values, tree: PackedTree, *, is_signed: bool
) -> dict[str, bytes]:
    """Derivation, law and page."""
    derivation = derivation_of(seen, values, clock)
    page = report_html(
        seen,
        derivation,
        clock,
        tree_size=tree.size,
        root=tree.root.hex(),
        remarks=tuple(_remarks(is_signed)),
    )
    return {
        "derivation.json": _document(derivation),
        "law.json": _document(law_of(seen.result)),
        "report.html": page.encode(),
    }


def _check(content: bytes) -> None:
    """Check a pack with the program that lies in it, before anybody has it."""
    if len(content) > PACK_BYTES:
        raise PackTooLarge(len(content), PACK_BYTES)
    code, lines = judged(content, None)
    if code != SELF_CONSISTENT:
        raise PackWrong(lines[-1])


def _refs(seen: RoundView) -> Iterator[FactRef]:
    """The facts of a round, and those outside it that its verdict names or its page draws."""
    result = seen.result
    yield from (ref_of(step.fact) for step in seen.steps)
    yield from result.afterwards
    for finding in result.findings:
        yield from finding.facts
    for wager in result.wagers:
        yield wager.placed
        yield from () if wager.decided_by is None else (wager.decided_by,)
        yield from () if wager.observed is None else wager.observed.facts
    yield from () if result.paytable is None else (result.paytable,)
    yield from () if seen.wheel is None else (ref_of(seen.wheel),)
    for change in seen.amended:
        yield ref_of(change.before)
        yield ref_of(change.by)


def _framed(tree: PackedTree, position: int) -> bytes:
    unwrapped = unwrap(tree.raw(position))
    assert unwrapped is not None, "the index points at facts only"
    return unwrapped[1]


def _values(framed: bytes) -> dict[str, object]:
    """A fact as JSON values in the version that it was written in."""
    schema, newest = schema_of(framed), to_plain(decode(framed))
    own = {name: newest[name] for name in plain_of(framed)}
    return {"event": schema.name, "version": schema.version, **own}


def _line(position: int, values: Mapping[str, object]) -> str:
    """A line of ``facts.jsonl``: what ``cat`` prints, in ASCII."""
    return json.dumps(with_position(values, position), separators=(",", ":")) + "\n"


def _entries(tree: PackedTree, positions: list[int]) -> dict[str, bytes]:
    """The entries at these positions with their proofs."""
    members = {}
    for position in positions:
        members[f"entries/{position:012d}"] = tree.raw(position)
        members[f"proofs/{position:012d}.proof"] = tree.proof(position)
    return members


def _item(tree: PackedTree, position: int) -> dict[str, object]:
    return {"position": position, "leaf": tree.leaf(position).hex(), "shown": True}


def _file(schema: SchemaUsed) -> str:
    return f"schemas/{schema.name.rpartition('.')[2]}.{schema.version}.avsc"


def _document(plain: object) -> bytes:
    return (json.dumps(plain, indent=1) + "\n").encode()


def _remarks(is_signed: bool) -> Iterator[str]:
    yield (
        "Facts are proved to stand in the ledger as they entered it; whether what entered was"
        " true, no proof can say."
    )
    yield "Rules and interpretations are the property's rules engine's; law.json has each row used."
    if not is_signed:
        yield "Made without the ledger's key: the facts are proved, and nobody signed this page."


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
    members["README.txt"] = folder.joinpath("notice.txt").read_bytes()
    signed = ["signature"] if signer is not None else []
    manifest["members"] = sorted([*members, "SHA256SUMS", "manifest.json", *signed])
    members["manifest.json"] = _document(manifest)
    sums = "".join(f"{sha256(members[name]).hexdigest()}  {name}\n" for name in sorted(members))
    members["SHA256SUMS"] = sums.encode()
    if signer is not None:
        digest = sha256(members["SHA256SUMS"]).hexdigest()
        members["signature"] = signer.sign(f"{HEADER}\n{signer.name}\n{digest}\n")
    return zip_of(members)
