"""A witness of ledgers: what it saw last of each, kept in a folder of its own.

    key                     its private key
    logs/SHA256/keys        public keys of a ledger, one a line; SHA256 of its origin
    logs/SHA256/checkpoint  the latest checkpoint that it cosigned, with its cosignature

A checkpoint is durable before its cosignature leaves the witness (c2sp.org/tlog-witness); a witness
whose folder is lost must not be begun again under the same key.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.checkpoint import Checkpoint, open_checkpoint, parse_checkpoint
from ledger.log.cosignature import Cosigner, new_cosigner, parse_cosigner
from ledger.log.errors import WitnessFolderWrong
from ledger.log.keys import write_key_outside
from ledger.log.merkle import continues
from ledger.log.note import NoteBroken, Verifier, is_key_name, parse_verifier, split_note
from ledger.log.storage import TEMPORARY, DirectoryStorage, Durable
from ledger.log.witness_protocol import SIZE_TYPE, TEXT_TYPE, Answer, parse_add_checkpoint

KEY: Final = "key"
LOGS: Final = "logs"


@dataclass(frozen=True, slots=True)
class WitnessedLog:
    """A ledger that a witness watches.

    Attributes:
        origin: its name.
        keys: under which its checkpoints are taken.
        size: entries in the latest checkpoint that was cosigned; None if there was none.
        cosigned_at: when that was, in POSIX seconds.
    """

    origin: str
    keys: tuple[Verifier, ...]
    size: int | None
    cosigned_at: int | None


def begin_witness(folder: Path, name: str) -> Cosigner:
    """Make the folder of a witness, with a new key.

    Args:
        folder: where; it must not hold a witness.
        name: of the witness, such as ``witness.example/north``.

    Raises:
        WitnessFolderWrong: there is a witness, or the name is none that a key can have.
    """
    if not is_key_name(name):
        raise WitnessFolderWrong(str(folder), "a name has no space and no plus")
    cosigner = new_cosigner(name)
    try:
        write_key_outside(folder / KEY, cosigner.secret_text().encode() + b"\n")
    except FileExistsError as error:
        raise WitnessFolderWrong(str(folder), "there is a witness already") from error
    return cosigner


class WitnessFolder:
    """A witness, as its folder keeps it.

    Raises:
        WitnessFolderWrong: there is none, or its key cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.storage = DirectoryStorage(folder)
        self._durable = Durable(self.storage)
        self._lock = Lock()
        try:
            self._cosigner = parse_cosigner(self.storage.read(KEY).decode().removesuffix("\n"))
        except FileNotFoundError as error:
            raise WitnessFolderWrong(str(folder), "there is no witness") from error
        except (NoteBroken, UnicodeDecodeError) as error:
            raise WitnessFolderWrong(str(folder / KEY), f"its key: {error}") from error

    @property
    def public(self) -> str:
        """The witness's public key, ``name+hash+base64``."""
        return str(self._cosigner.public)

    def trust(self, key: Verifier) -> None:
        """Take checkpoints of a ledger under this public key, too."""
        place = _place(key.name)
        known = self._keys(place)
        if key not in known:
            lines = "".join(f"{own}\n" for own in (*known, key))
            temporary = f"{TEMPORARY}/keys-{os.getpid()}"  # a server may be writing there, too
            self.storage.write([(temporary, lines.encode())])
            self.storage.rename(temporary, f"{place}/keys")
            self._durable.settle({place})

    def logs(self) -> Iterator[WitnessedLog]:
        """Yield each ledger that is watched, by name."""
        rows = []
        for name in self.storage.names(LOGS):
            place = f"{LOGS}/{name.rstrip('/')}"
            keys = self._keys(place)
            if keys:
                latest = self._latest(place)
                rows.append(
                    WitnessedLog(
                        keys[0].name, keys,
                        None if latest is None else latest[0].size,
                        None if latest is None else latest[1],
                    )
                )  # fmt: skip
        yield from sorted(rows, key=lambda row: row.origin)

    def checkpoint(self, digest: str) -> bytes | None:
        """Return the latest note that was cosigned of the ledger whose origin has this SHA-256."""
        place = f"{LOGS}/{digest}"
        return None if self._latest(place) is None else self.storage.read(f"{place}/checkpoint")

    def add_checkpoint(self, body: bytes, time: int) -> Answer:
        """Answer a request: cosign a checkpoint that continues what was seen, or say why not.

        Args:
            body: of the request.
            time: now, in POSIX seconds.

        Raises:
            WitnessFolderWrong: what was kept is not what this witness cosigned; it signs no more.
        """
        try:
            request = parse_add_checkpoint(body)
            text = split_note(request.note)[0]
            checkpoint = parse_checkpoint(text)
        except NoteBroken as error:
            return _refusal(400, str(error))
        place = _place(checkpoint.origin)
        with self._lock:
            keys = self._keys(place)
            if not keys:
                return _refusal(404, "this witness does not know the ledger")
            if not any(_is_signed(request.note, key) for key in keys):
                return _refusal(403, "not signed by a key of the ledger that this witness knows")
            if request.old > checkpoint.size:
                return _refusal(400, "the old size is beyond the checkpoint")
            refusal = self._difference(place, request.old, checkpoint, request.proof)
            if refusal is not None:
                return refusal
            line = self._cosigner.line(text, time).encode()
            own = text.encode() + b"\n" + _first_lines(request.note, keys) + line
            self._durable.put([(f"{place}/checkpoint", own)])
        return Answer(200, TEXT_TYPE, line)

    def _difference(
        self, place: str, old: int, checkpoint: Checkpoint, proof: tuple[bytes, ...]
    ) -> Answer | None:
        """Why a checkpoint is not shown to continue what was seen; None if it is."""
        latest = self._latest(place)
        size, root = (0, b"") if latest is None else (latest[0].size, latest[0].root)
        if old != size or (
            latest is not None and old == checkpoint.size and root != checkpoint.root
        ):
            return Answer(409, SIZE_TYPE, f"{size}\n".encode())
        if old == 0 or old == checkpoint.size:
            return _refusal(422, "a proof where none belongs") if proof else None
        if not continues(old, root, checkpoint.size, checkpoint.root, proof):
            return _refusal(422, f"the proof does not lead from {old} entries to the checkpoint")
        return None

    def _latest(self, place: str) -> tuple[Checkpoint, int] | None:
        """The checkpoint that was cosigned last, and when."""
        try:
            note = self.storage.read(f"{place}/checkpoint")
        except FileNotFoundError:
            return None
        try:
            time = self._cosigner.public.cosigned_at(note)
            checkpoint = parse_checkpoint(split_note(note)[0])
        except NoteBroken as error:
            raise WitnessFolderWrong(f"{self.folder}/{place}/checkpoint", str(error)) from error
        if time is None or _place(checkpoint.origin) != place:
            raise WitnessFolderWrong(
                f"{self.folder}/{place}/checkpoint", "this is no checkpoint that it cosigned"
            )
        return checkpoint, time

    def _keys(self, place: str) -> tuple[Verifier, ...]:
        """The public keys of a ledger; none if it is not watched."""
        try:
            lines = self.storage.read(f"{place}/keys").decode().splitlines()
            keys = tuple(parse_verifier(line) for line in lines)
        except FileNotFoundError:
            return ()
        except (NoteBroken, UnicodeDecodeError) as error:
            raise WitnessFolderWrong(f"{self.folder}/{place}/keys", str(error)) from error
        if any(_place(key.name) != place for key in keys):
            raise WitnessFolderWrong(f"{self.folder}/{place}/keys", "a key of another ledger")
        return keys


def _place(origin: str) -> str:
    """The folder of a ledger, within that of the witness."""
    return f"{LOGS}/{sha256(origin.encode()).hexdigest()}"


def _is_signed(note: bytes, key: Verifier) -> bool:
    try:
        open_checkpoint(note, key)
    except NoteBroken:
        return False
    return True


def _first_lines(note: bytes, keys: tuple[Verifier, ...]) -> bytes:
    """The signature lines of a note that a ledger's own keys made."""
    lines = note.partition(b"\n\n")[2].splitlines(keepends=True)
    own = {(key.name, key.key_id) for key in keys}
    signatures = split_note(note)[1]
    return b"".join(
        line for line, (name, raw) in zip(lines, signatures, strict=True) if (name, raw[:4]) in own
    )


def _refusal(status: int, reason: str) -> Answer:
    return Answer(status, TEXT_TYPE, f"{reason}\n".encode())
