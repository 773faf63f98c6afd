"""The part of a ledger's tree that a pack carries: entries, leaves, proofs, checkpoint, keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from ledger.evidence.errors import KeyNeeded, SizeUnknown, WitnessUnusable
from ledger.kernel import FactRef
from ledger.log import Checkpoint, Disclosure, FileSnapshot, KeyRotated, SchemaUsed, Signer
from ledger.log.checkpoint import open_checkpoint, proof_text
from ledger.log.key_chain import earlier_keys, read_rotations
from ledger.log.merkle import consistency_proof, inclusion_proof, leaf_hash
from ledger.log.note import DASH, NoteBroken, Verifier, split_note, to_base64


class PackedTree:
    """A ledger's tree at one size, with one signature under its checkpoint.

    Args:
        log: the ledger as it stands.
        size: how many entries are packed; None: all.
        signer: the ledger's key where it is at hand; an earlier size needs it.

    Raises:
        SizeUnknown: the ledger has no such size.
        KeyNeeded: the size is an earlier one, and the key is not at hand.
    """

    def __init__(self, log: FileSnapshot, size: int | None, signer: Signer | None) -> None:
        self._log = log
        self.size = log.size if size is None else size
        if not 0 < self.size <= log.size:
            raise SizeUnknown(self.size, log.size)
        self.root = log.root if self.size == log.size else log.root_at(self.size)
        if self.size == log.size:
            self.checkpoint = _of_one_key(log.note, log.verifier)
        elif signer is None:
            raise KeyNeeded(self.size)
        else:
            self.checkpoint = Checkpoint(log.origin, self.size, self.root).signed(signer)

    @property
    def key(self) -> Verifier:
        """The key that signed the checkpoint."""
        return self._log.verifier

    def positions(self, refs: Iterable[FactRef]) -> dict[int, FactRef]:
        """Return where facts stand, in that order; those that the tree lacks are left out."""
        wanted: dict[str, set[int]] = {}
        for ref in refs:
            wanted.setdefault(ref.stream, set()).add(ref.seq)
        index, out = self._log.index(), {}
        for stream, seqs in wanted.items():
            ordered = sorted(seqs)
            for seq, position in zip(ordered, index.find(stream, ordered), strict=True):
                if 0 <= position < self.size:
                    out[position] = FactRef(stream, seq)
        return dict(sorted(out.items()))

    def schemas(self, ids: Iterable[int]) -> dict[int, SchemaUsed]:
        """Return the entries that record these schemas, by position."""
        wanted, out = set(ids), {}
        index, is_fact = self._log.index(), np.zeros(self._log.size, bool)
        for stream in index.streams():
            is_fact[index.positions(stream)[:, 1]] = True
        for position in np.flatnonzero(~is_fact[: self.size]).tolist():
            if not wanted:
                break
            entry = self._log.read(position)
            if isinstance(entry, SchemaUsed) and entry.id in wanted:
                wanted.remove(entry.id)
                out[position] = entry
        return out

    def raw(self, position: int) -> bytes:
        """Return the bytes of an entry, led back to the signed root."""
        return self._log.raw(position)

    def opened(self, position: int) -> bytes:
        """Return an entry as it reads to who has the keys.

        Raises:
            OpeningsMissing, PersonKeysMissing, OpeningWrong: it cannot be opened.
        """
        return self._log.opened(position, [self._log.raw(position)])[0]

    def openings(self, position: int) -> list[Disclosure]:
        """Return what opens a sealed entry, but for what is erased."""
        return self._log.openings.disclosures(position, self._log.raw(position))

    def leaf(self, position: int) -> bytes:
        """Return the hash of an entry."""
        return leaf_hash(self._log.raw(position))

    def proof(self, position: int) -> bytes:
        """Return the ``c2sp.org/tlog-proof`` of an entry."""
        path = inclusion_proof(self._log.tree.subtree, position, self.size)
        return proof_text(position, path, self.checkpoint).encode()

    def chain(self) -> list[Mapping[str, object]]:
        """Return the changes of the key that lead to the present one, the first one first."""
        known = {str(key) for key, _ in earlier_keys(self.key, self._rotations())}
        return [
            {
                "old": turn.old,
                "new": turn.new,
                "size": turn.size,
                "root": to_base64(turn.root),
                "signed_by_old": turn.signed_by_old and to_base64(turn.signed_by_old),
                "signed_by_new": to_base64(turn.signed_by_new),
            }
            for turn in self._rotations()
            if turn.old in known
        ]

    def witness(self, path: Path) -> tuple[bytes, str, bytes]:
        """Return a witness's checkpoint, the key that signed it, and the proof that leads on.

        Raises:
            WitnessUnusable: it is none of this ledger, or of a later tree.
        """
        try:
            note = path.read_bytes()
        except OSError as error:
            raise WitnessUnusable(path, error.strerror or str(error)) from error
        keys = [self.key, *(key for key, _ in earlier_keys(self.key, self._rotations()))]
        for key in keys:
            try:
                seen = open_checkpoint(note, key)
            except NoteBroken:
                continue
            if not 0 < seen.size <= self.size:
                raise WitnessUnusable(
                    path, f"it saw {seen.size:,} entries; {self.size:,} are packed"
                )
            if self._log.root_at(seen.size) != seen.root:
                raise WitnessUnusable(path, "it saw another history")
            steps = consistency_proof(self._log.tree.subtree, seen.size, self.size)
            proof = "".join(f"{to_base64(step)}\n" for step in steps).encode()
            return note, str(key), proof
        raise WitnessUnusable(path, "no key of the ledger signed it")

    def _rotations(self) -> list[KeyRotated]:
        return read_rotations(self._log.storage)


def _of_one_key(note: bytes, key: Verifier) -> bytes:
    """A note with the ledger's own signature alone: who cosigned it since changes no pack."""
    text, signatures = split_note(note)
    for name, raw in signatures:
        if (name, raw[:4]) == (key.name, key.key_id):
            return f"{text}\n{DASH}{name} {to_base64(raw)}\n".encode()
    raise NoteBroken("not signed by the ledger's key")
