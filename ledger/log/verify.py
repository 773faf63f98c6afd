"""Whether a ledger is what was signed: recomputed from the entries up, every byte compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Final

from ledger.kernel import LedgerError, plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.bulk_bundles import PackedEntries, cut, machine, tile_roots
from ledger.log.checkpoint import Checkpoint, open_checkpoint
from ledger.log.entry_checks import CheckFailed, EntryChecker
from ledger.log.errors import IntentBroken, LedgerMissing, TreeBroken
from ledger.log.intent import INTENT, read_intent
from ledger.log.key_chain import earlier_keys
from ledger.log.keys import SIGNER, VERIFIER, key_file, read_signer, verifier_of, waits_for
from ledger.log.ledger_at_checkpoint import CACHE, CHECKPOINT, QUARANTINE, FileSnapshot
from ledger.log.note import NoteBroken, Verifier
from ledger.log.openings import FOLDER as OPENINGS
from ledger.log.port import KeyRotated
from ledger.log.storage import TEMPORARY, DirectoryStorage, Storage
from ledger.log.tile_files import files_but_full_tiles, level_folder
from ledger.log.tiles import (
    ENTRIES,
    HASH,
    LEVELS,
    WIDTH,
    Frontier,
    Tile,
    index_path,
    parse_path,
    unpack,
    width_at,
)
from ledger.log.unsigned_tail import SET_ASIDE, paths_beyond, problem_of, tail_files
from ledger.log.verified_tree import read_tile, start_of
from ledger.log.witness import differs
from ledger.log.witness_network import WITNESSED, WitnessNetwork
from ledger.log.witness_policy import WitnessPolicy

CONSISTENT: Final = "consistent"
UNFINISHED: Final = "a rotation of the key was begun and not finished: run `key rotate` again"
ABSENT: Final = "absent"
INCONSISTENT: Final = "inconsistent"
BLOCK: Final = 16 * WIDTH
"""How many entries are checked together."""
_KNOWN_FOLDERS: Final = {
    f"{name}/" for name in ("tile", "keys", QUARANTINE, CACHE, TEMPORARY, SET_ASIDE, OPENINGS)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What ``verify`` found; ``problem`` is None when everything holds."""

    tree_size: int | None
    root: str | None
    """Lower-case hexadecimal."""
    origin: str | None
    witness: str
    first_bad_position: int | None
    problem: str | None
    remarks: tuple[str, ...] = ()
    """What is odd and breaks nothing: unknown files, the rest of an interrupted append."""
    key: str | None = None
    """The public key that was trusted: the one that was named, else that of ``keys/verifier``."""
    key_was_named: bool = False
    """Whether somebody named it; the key in the folder proves nothing against its writer."""
    cosigned: tuple[str, ...] = ()
    """Names of the witnesses of the policy that cosigned the checkpoint."""
    witnesses: int | None = None
    """How many witnesses the policy names; None without a policy."""
    too_few: str | None = None
    """Why the witnesses under the checkpoint are not the quorum that was asked for."""


@dataclass(slots=True)
class _Problems:
    """All that was found wrong; the one with the lowest position is reported."""

    reported: list[tuple[str, int | None]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def add(self, problem: str, position: int | None = None) -> None:
        self.reported.append((problem, position))

    def first(self) -> tuple[str | None, int | None]:
        placed = [one for one in self.reported if one[1] is not None]
        if placed:
            return min(placed, key=lambda one: one[1] or 0)
        return self.reported[0] if self.reported else (None, None)


def verify(
    folder: Path,
    *,
    witness: Path | None = None,
    key: Path | None = None,
    trusted: Verifier | None = None,
    policy: WitnessPolicy | None = None,
    quorum: int | None = None,
    storage: Storage | None = None,
) -> Verification:
    """Check a ledger, all of it.

    Args:
        folder: where it is; it is read only, and never locked.
        witness: a checkpoint kept elsewhere.
        key: where the private key lies if not in ``keys/signer``.
        trusted: a public key of the ledger, known from elsewhere: its present one, or an earlier
            one from which rotations lead to it. None trusts the one that lies in the folder.
        policy: the witnesses that are trusted, from outside the folder.
        quorum: how many of them must have cosigned the checkpoint; None asks for as many as the
            policy does of what the ledger keeps as witnessed.
        storage: in place of the folder, for tests.

    Raises:
        LedgerMissing: there is none.
    """
    storage = storage or DirectoryStorage(folder)
    top = storage.names("")
    if CHECKPOINT not in top and "tile/" not in top:
        raise LedgerMissing(str(folder))
    problems = _Problems()
    verifier = _keys(storage, key, problems)
    note, checkpoint = _checkpoint(storage, verifier, problems)
    seen, cosigned = ABSENT, set[str]()
    if checkpoint is not None and verifier is not None:
        try:
            _tree(storage, checkpoint, note, verifier, trusted, problems)
        except OSError as error:
            problems.add(f"{error.filename or 'a file'} cannot be read: {error.strerror}")
        if witness is not None:
            seen = _witness(storage, note, verifier, witness, problems)
        if policy is not None:
            cosigned = _cosigned(storage, note, verifier, policy, problems)
    for name in top:
        if name not in _KNOWN_FOLDERS and name not in (CHECKPOINT, INTENT, WITNESSED):
            problems.remarks.append(f"unknown: {name}")
    problem, position = problems.first()
    is_few = quorum is not None and len(cosigned) < quorum
    names = plural(len(cosigned), "witness", "witnesses")
    return Verification(
        tree_size=checkpoint.size if checkpoint else None,
        root=checkpoint.root.hex() if checkpoint else None,
        origin=checkpoint.origin if checkpoint else None,
        witness=seen,
        first_bad_position=position,
        problem=problem,
        remarks=tuple(problems.remarks),
        key=None if (trusted or verifier) is None else str(trusted or verifier),
        key_was_named=trusted is not None,
        cosigned=tuple(sorted(cosigned)),
        witnesses=None if policy is None else len(policy.witnesses),
        too_few=f"{names} cosigned the checkpoint; {quorum} required" if is_few else None,
    )


def _keys(storage: Storage, key: Path | None, problems: _Problems) -> Verifier | None:
    """The public key, if it is one; the private one, where it is at hand, must belong to it."""
    names = storage.names("keys")
    for name in names:
        if name not in ("verifier", "signer", "signer.next", "rotations"):
            problems.add(f"unknown file: keys/{name}")
    try:
        verifier = verifier_of(storage.read(VERIFIER))
        if key is not None or "signer" in names:
            read_signer(storage, key, verifier)
    except FileNotFoundError:
        problems.add(f"{VERIFIER} is missing")
        return None
    except OSError as error:
        problems.add(f"{SIGNER} cannot be read: {error.strerror}")
        return verifier
    except LedgerError as error:
        try:
            verifier = verifier_of(storage.read(VERIFIER))
        except LedgerError as unreadable:
            problems.add(f"{unreadable.where}: {unreadable.problem}")
            return None
        place = key_file(storage, key)
        if place is None and isinstance(storage, DirectoryStorage):
            place = storage.folder / SIGNER
        if place is not None and waits_for(place, verifier):
            problems.remarks.append(UNFINISHED)
        else:
            problems.add(f"{error.where}: {error.problem}")
    return verifier


def _checkpoint(
    storage: Storage, verifier: Verifier | None, problems: _Problems
) -> tuple[bytes, Checkpoint | None]:
    """The checkpoint, if the ledger's key signed it."""
    try:
        note = storage.read(CHECKPOINT)
    except OSError as error:
        problems.add(f"{CHECKPOINT} cannot be read: {error.strerror}")
        return b"", None
    if verifier is None:
        return note, None
    try:
        return note, open_checkpoint(note, verifier)
    except NoteBroken as error:
        problems.add(f"{CHECKPOINT}: {error}")
        return note, None


# ---------------------------------------------------------------- the tree


def _tree(
    storage: Storage,
    checkpoint: Checkpoint,
    note: bytes,
    verifier: Verifier,
    trusted: Verifier | None,
    problems: _Problems,
) -> None:
    """Entries, tiles, root, quarantine, keys; then every file that lies beside them."""
    contents = EntryChecker(
        checkpoint.origin, lambda digest: storage.read(f"{QUARANTINE}/{digest.hex()}")
    )
    frontier = Frontier()
    try:
        for first, entries in _blocks(storage, checkpoint.size, frontier):
            contents.take(first, entries)
        for tile, hashes in frontier.partials():
            _same_tile(storage, tile, hashes)
        if frontier.root() != checkpoint.root:
            raise CheckFailed("the entries do not make the signed root")
        whole = True
    except CheckFailed as wrong:
        problems.add(wrong.problem, wrong.position)
        whole = False
    if whole:
        snapshot = FileSnapshot(storage, note, verifier, None)
        _chain(snapshot, contents.rotations, trusted or verifier, problems)
    _stray_tiles(storage, checkpoint.size, problems, whole=whole)
    _tail(storage, checkpoint, verifier, problems)
    problems.remarks.extend(
        f"set aside: {SET_ASIDE}/{name.rstrip('/')}" for name in storage.names(SET_ASIDE)
    )
    if whole:
        _stray_quarantine(storage, contents.referenced, problems)


def _chain(
    snapshot: FileSnapshot,
    rotations: list[tuple[int, KeyRotated]],
    trusted: Verifier,
    problems: _Problems,
) -> None:
    """Whether the trusted key leads to the one that signed the checkpoint."""
    present = snapshot.verifier
    for position, rotated in rotations:
        if snapshot.root_at(position) != rotated.root:
            problems.add("a rotation is over another tree than the one before it", position)
        if rotated.signed_by_old is None:
            problems.remarks.append(
                f"entry {position}: the key was replaced without the old one; whoever trusts the"
                " old key has to hear of the new one from people"
            )
    last = rotations[-1][1] if rotations else None
    if last is not None and last.old == str(present):
        problems.remarks.append(UNFINISHED)
    elif last is not None and last.new != str(present):
        problems.add(f"{VERIFIER} is not the key that the ledger has had since its last rotation")
    followed = earlier_keys(present, [rotated for _, rotated in rotations])
    if trusted != present and trusted not in [verifier for verifier, _ in followed]:
        problems.add("the key that you trust does not lead to the one that signed the checkpoint")


def _blocks(
    storage: Storage, size: int, frontier: Frontier
) -> Iterator[tuple[int, list[bytes] | PackedEntries]]:
    """All entries, checked as ``_bundles`` does; at once where nothing is wrong with them."""
    functions = machine(size)
    for start in range(0, size, BLOCK):
        block = None
        if start + BLOCK <= size:
            block = _block_at_once(functions, storage, start // WIDTH, frontier)
        if block is not None:
            yield start, block
        else:
            stop = min(start + BLOCK, size)
            yield from _in_blocks(_bundles(storage, start, stop, size, frontier))


def _block_at_once(
    functions: ModuleType | None, storage: Storage, first: int, frontier: Frontier
) -> PackedEntries | None:
    """The entries of a block of full bundles; None, and nothing done, where anything is wrong."""
    places = [index_path(number) for number in range(first, first + BLOCK // WIDTH)]
    try:
        bundles = [storage.read(f"tile/entries/{place}") for place in places]
        tiles = [storage.read(f"tile/0/{place}") for place in places]
    except OSError:
        return None
    packed = cut(functions, bundles)
    if packed is None or any(len(tile) != WIDTH * HASH for tile in tiles):
        return None
    leaves = packed.leaf_hashes()
    if leaves != b"".join(tiles):
        return None
    grown = frontier.copy()
    try:
        for tile, hashes in grown.push_full(tile_roots(functions, leaves)):
            _same_tile(storage, tile, hashes)
    except CheckFailed:
        return None
    frontier.size, frontier.levels = grown.size, grown.levels
    return packed


def _bundles(
    storage: Storage, start: int, stop: int, size: int, frontier: Frontier
) -> Iterator[tuple[int, list[bytes]]]:
    """The entries, their leaf hashes held against the tiles of level 0, those against level 1..."""
    for index in range(start // WIDTH, -(-stop // WIDTH)):
        first = index * WIDTH
        width = width_at(ENTRIES, index, size)
        try:
            entries = unpack(_read(storage, Tile(ENTRIES, index, width)))
        except ValueError as error:
            raise CheckFailed(str(error), first) from error
        leaves = [sha256(b"\x00" + entry).digest() for entry in entries]
        signed = _read(storage, Tile(0, index, width))
        if b"".join(leaves) != signed or len(leaves) != width:
            raise CheckFailed(
                f"an entry and its hash in {Tile(0, index, width).path} differ",
                first + _first_difference(leaves, signed),
            )
        for tile, hashes in frontier.push(leaves):
            if tile.level > 0:  # level 0 was compared already
                _same_tile(storage, tile, hashes)
        yield first, entries


def _in_blocks(bundles: Iterator[tuple[int, list[bytes]]]) -> Iterator[tuple[int, list[bytes]]]:
    """Several bundles at a time; those before one that fails come before its failure."""
    first, block = 0, list[bytes]()
    try:
        for start, entries in bundles:
            if not block:
                first = start
            block += entries
            if len(block) >= BLOCK:
                yield first, block
                block = []
    except CheckFailed:
        if block:
            yield first, block
        raise
    if block:
        yield first, block


def _first_difference(hashes: list[bytes], tile: bytes) -> int:
    """How many hashes at the start of a tile are as they should be."""
    at = 0
    while at < len(hashes) and hashes[at] == tile[at * HASH : (at + 1) * HASH]:
        at += 1
    return at


def _read(storage: Storage, tile: Tile) -> bytes:
    try:
        return read_tile(storage.read, tile)  # a writer at work may replace a partial tile
    except LedgerError as error:
        position = tile.index * WIDTH << (8 * max(tile.level, 0))
        raise CheckFailed(f"{tile.path} cannot be read: {error.problem}", position) from error


def _same_tile(storage: Storage, tile: Tile, expected: bytes) -> None:
    """Refuse a tile of hashes that the entries do not make."""
    stored = _read(storage, tile)
    if stored != expected:
        hashes = [expected[at : at + HASH] for at in range(0, len(expected), HASH)]
        place = tile.index * WIDTH + min(_first_difference(hashes, stored), tile.width - 1)
        raise CheckFailed(f"{tile.path} is not what the entries make", place << (8 * tile.level))


# ---------------------------------------------------------------- what lies beside


def _stray_tiles(storage: Storage, size: int, problems: _Problems, *, whole: bool) -> None:
    """Files under ``tile/`` that the present tree does not use."""
    known = {f"{level_folder(level)}/": level for level in (ENTRIES, *range(LEVELS))}
    for name in storage.names("tile"):
        level = known.get(f"tile/{name}")
        if level is None:
            problems.add(f"unknown file: tile/{name}")
            continue
        for path in files_but_full_tiles(storage, level):
            tile = parse_path(path)
            if tile is None:
                problems.add(f"unknown file: {path}")
                continue
            width = width_at(level, tile.index, size)
            if whole and tile.width < width and not _is_start(storage, tile, width):
                problems.add(f"{path} is not what the tree was", _position_of(tile))


def _tail(
    storage: Storage, checkpoint: Checkpoint, verifier: Verifier, problems: _Problems
) -> None:
    """Files beyond the checkpoint: an append under way or interrupted, or a lost checkpoint."""
    paths = tail_files(storage, checkpoint.size)
    try:  # read after the files: a writer may be at work, and sizes only rise
        intent = read_intent(storage, verifier)
        note = storage.read(CHECKPOINT)
        present = open_checkpoint(note, verifier)
    except IntentBroken as error:
        problems.add(error.problem)
        return
    except (NoteBroken, OSError):
        problems.add(f"{CHECKPOINT} changed into one that cannot be read")
        return
    if present.size > checkpoint.size:
        paths = paths_beyond(paths, present.size)
    problem = "no signed intent speaks of it" if paths else ""
    if intent is not None:
        try:
            snapshot = FileSnapshot(storage, note, verifier, None)
            problem = problem_of(storage, snapshot, intent, paths)
        except LedgerError:
            return  # the tree does not hold: that was reported
    if problem:
        problems.add(f"{len(paths)} files lie beyond the checkpoint, and {problem}", present.size)
    elif paths:
        problems.remarks.append(
            f"{len(paths)} files beyond the checkpoint: an append is under way, or was "
            "interrupted; the next writer sets them aside"
        )


def _position_of(tile: Tile) -> int:
    return tile.index * WIDTH << (8 * max(tile.level, 0))


def _is_start(storage: Storage, tile: Tile, width: int) -> bool:
    """Whether a partial tile of the past is the start of the wider one of today."""
    wider = read_tile(storage.read, Tile(tile.level, tile.index, width))
    try:
        stored = storage.read(tile.path)
    except FileNotFoundError:
        return True  # a writer at work has just removed it
    try:
        return stored == start_of(wider, tile)
    except TreeBroken:
        return False


def _stray_quarantine(storage: Storage, referenced: set[str], problems: _Problems) -> None:
    """Files under ``quarantine/`` that no entry speaks of."""
    beyond = 0
    for name in storage.names(QUARANTINE):
        if name in referenced:
            continue
        path = f"{QUARANTINE}/{name}"
        if name.endswith("/") or sha256(storage.read(path)).hexdigest() != name:
            problems.add(f"unknown file: {path}")
        else:
            beyond += 1
    if beyond:
        problems.remarks.append(
            f"{beyond} quarantined files without an entry: an append is under way, "
            "or was interrupted"
        )


def _cosigned(
    storage: Storage,
    note: bytes,
    verifier: Verifier,
    policy: WitnessPolicy,
    problems: _Problems,
) -> set[str]:
    """The witnesses that cosigned the checkpoint; whether it continues what a quorum saw."""
    names = set(policy.cosigned_by(note))
    if policy.logs and verifier not in policy.logs:
        problems.add("the ledger's key is none of those that the policy of witnesses names")
    try:
        snapshot = FileSnapshot(storage, note, verifier, None)
        network = WitnessNetwork(policy)
        network.look_back(snapshot)
        unwitnessed = network.recall(snapshot).entries
    except LedgerError as error:
        problems.add(error.problem)
        return names
    if unwitnessed:
        problems.remarks.append(
            f"{unwitnessed:,} of {snapshot.size:,} entries were not yet seen by enough witnesses"
        )
    return names


def _witness(
    storage: Storage, note: bytes, verifier: Verifier, path: Path, problems: _Problems
) -> str:
    """Whether the ledger continues what its witness saw."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        problems.add(f"the witness {path} is not there, so nothing shows what the ledger once was")
        return ABSENT
    except OSError as error:
        problems.add(f"the witness cannot be read: {error.strerror}")
        return INCONSISTENT
    try:
        problem = differs(FileSnapshot(storage, note, verifier, None), raw)
    except LedgerError as error:
        problem = error.problem
    if problem is None:
        return CONSISTENT
    problems.add(f"the ledger does not continue what its witness saw: {problem}")
    return INCONSISTENT
