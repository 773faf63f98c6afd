"""Every byte of a ledger counts: whatever is changed, ``verify`` says so and where."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from ledger.log import Arrival, Signer, init, open_log, verify
from ledger.log.checkpoint import Checkpoint
from ledger.log.entry import encode
from ledger.log.port import Accepted, Began, EarlierFact, Entry, Quarantined, SchemaUsed
from ledger.log.storage import Durable
from ledger.log.tile_writer import TileWriter
from ledger.log.tiles import Frontier, pack, unpack
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals, opened
from tests.log.forgetful import ForgetfulStorage, Inode

NOWHERE = Path("nowhere")
WATCHED = ("checkpoint", "tile/", "quarantine/", "keys/verifier")


def small() -> ForgetfulStorage:
    """A ledger with a superseded partial tile, a conflict and rubbish."""
    storage = ForgetfulStorage()
    init(NOWHERE, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, storage=storage)
    with open_log(NOWHERE, storage=storage) as log:
        log.append([*arrivals(1, 2), Arrival(b"rubbish")], TIME)
        log.append([Arrival(opened(1, source="T-2")), Arrival(b"")], TIME)
    return storage


def changed(storage: ForgetfulStorage, path: str, data: bytes) -> str | None:
    """The problem of the ledger with another content of one file."""
    kept = storage.names_now[path]
    storage.names_now[path] = Inode(data)
    try:
        return verify(NOWHERE, storage=storage).problem
    finally:
        storage.names_now[path] = kept


def undetected(bits: Iterable[int]) -> list[tuple[str, int, int]]:
    """The flips of these bits, in each byte of each watched file, that ``verify`` lets pass."""
    storage, out = small(), []
    wanted = list(bits)
    random = Random(7)
    watched = [path for path in storage.names_now if path.startswith(WATCHED)]
    assert len(watched) == 11
    for path in watched:
        raw = storage.names_now[path].data
        for at in range(len(raw)):
            for bit in wanted or [random.randrange(8)]:
                data = bytearray(raw)
                data[at] ^= 1 << bit
                if changed(storage, path, bytes(data)) is None:
                    out.append((path, at, bit))
    return out


def test_the_small_ledger_is_sound() -> None:
    found = verify(NOWHERE, storage=small())
    assert (found.problem, found.remarks, found.first_bad_position) == (None, (), None)


def test_one_flipped_bit_in_each_byte() -> None:
    assert undetected([]) == []


@pytest.mark.full
@pytest.mark.timeout(900)
def test_each_flipped_bit_in_each_byte() -> None:
    assert undetected(range(8)) == []


def test_each_file_cut_grown_or_gone() -> None:
    storage = small()
    for path in [path for path in storage.names_now if path.startswith(WATCHED)]:
        raw = storage.names_now[path].data
        for data in (raw[:-1], raw + b"\x00", raw + b"\n", b""):
            if data != raw:
                assert changed(storage, path, data) is not None, (path, data)
        if not path.endswith((".p/1", ".p/5")):  # the partial tile of an earlier size may go
            kept = storage.names_now.pop(path)
            assert verify(NOWHERE, storage=storage).problem is not None, path
            storage.names_now[path] = kept


def test_a_file_that_has_no_place() -> None:
    for path in ("tile/0/notes", "tile/9/000", "tile/entries/0001", "quarantine/x", "keys/old"):
        storage = small()
        storage.write([(path, b"?")])
        assert path.rpartition("/")[0] in (verify(NOWHERE, storage=storage).problem or ""), path
    storage = small()
    storage.write([("notes.txt", b"?")])
    found = verify(NOWHERE, storage=storage)
    assert (found.problem, found.remarks) == (None, ("unknown: notes.txt",))


def test_the_first_bad_position(tmp_path: Path) -> None:
    init(tmp_path, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    with open_log(tmp_path) as log:
        log.append(arrivals(1, 70_000), TIME)
    for position in (69_999, 65_536, 600, 256, 0):
        path = tmp_path / f"tile/entries/{position // 256:03d}"
        path = path if path.exists() else next(Path(f"{path}.p").iterdir())
        entries = unpack(path.read_bytes())
        spoilt = bytearray(entries[position % 256])
        spoilt[-1] ^= 1
        entries[position % 256] = bytes(spoilt)
        path.write_bytes(pack(entries))
        found = verify(tmp_path)
        assert found.first_bad_position == position
        assert found.tree_size == 70_002


def test_a_tile_that_was_made_to_fit(tmp_path: Path) -> None:
    """An entry and its leaf hash were both replaced: the level above still knows."""
    init(tmp_path, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    with open_log(tmp_path) as log:
        log.append(arrivals(1, 1_000), TIME)
        entries = [raw for _, bundle in log.bundles() for raw in bundle]
    entries[700] = encode(
        Accepted(record_time=TIME, coordinates=None, odd_key=None, framed=opened(699, source="T-9"))
    )
    storage = ForgetfulStorage()
    tile_writer = TileWriter(Frontier(), [])
    Durable(storage).put([*tile_writer.grow(entries), *tile_writer.bundles(entries)])
    for path in ("tile/entries/002", "tile/0/002"):
        (tmp_path / path).write_bytes(storage.read(path))
    found = verify(tmp_path)
    assert found.first_bad_position == 512
    assert "tile/1/000.p/3 is not what the entries make" in (found.problem or "")
    for path, inode in storage.names_now.items():
        (tmp_path / path).write_bytes(inode.data)
    assert "the entries do not make the signed root" in (verify(tmp_path).problem or "")


# ---------------------------------------------------------------- entries that cannot stand


def signed(entries: list[Entry], signer: Signer = SIGNER) -> ForgetfulStorage:
    """A ledger of any entries, as somebody with the key could make it."""
    storage, tile_writer = ForgetfulStorage(), TileWriter(Frontier(), [])
    durable = Durable(storage)
    raw = [encode(entry) for entry in entries]
    durable.put([*tile_writer.grow(raw), *tile_writer.bundles(raw)])
    note = Checkpoint(ORIGIN, tile_writer.frontier.size, tile_writer.frontier.root()).signed(signer)
    durable.put([("checkpoint", note), ("keys/verifier", f"{SIGNER.verifier}\n".encode())])
    return storage


BEGAN = Began(record_time=TIME, format_version=1, origin=ORIGIN, property=HOUSE)


def schema() -> SchemaUsed:
    """The entry of the schema that ``opened`` is written with."""
    with open_log(NOWHERE, storage=small()) as log:
        entry = log.read(1)
    assert isinstance(entry, SchemaUsed)
    return entry


def fact(seq: int, source: str = "T-1") -> Accepted:
    framed = opened(seq, source=source)
    return Accepted(record_time=TIME, coordinates=None, odd_key=None, framed=framed)


def other_property() -> Quarantined:
    return Quarantined(
        record_time=TIME, reason="conflict", sha256=bytes(32), length=0, head=b"", key=None,
        coordinates=None, conflicts_with=EarlierFact("SB-01", 1, 9),
    )  # fmt: skip


def test_a_good_one_for_comparison() -> None:
    late = [fact(seq) for seq in (1, 2, 5, 3, 9, 4, 6)]
    found = verify(NOWHERE, storage=signed([BEGAN, schema(), *late]))
    assert found.problem is None


def test_entries_that_cannot_stand() -> None:
    used = schema()
    double = [fact(seq) for seq in (1, 2, 5, 3, 9, 4, 3)]
    cases: list[tuple[list[Entry], int, str]] = [
        ([used, fact(1)], 0, "beginning"),
        ([BEGAN, BEGAN], 1, "beginning"),
        ([BEGAN, fact(1), used], 1, "not in an entry before it"),
        ([BEGAN, used, used], 2, "a second time"),
        ([BEGAN, used, fact(1), fact(1)], 3, "a second time"),
        ([BEGAN, used, fact(1), fact(1, "T-2")], 3, "a second time"),
        ([BEGAN, used, *double], 8, "SB-01:3 cannot stand"),
        ([BEGAN, used, fact(2), fact(1), fact(1)], 4, "a second time"),
        ([BEGAN, used, fact(1), other_property()], 3, "cannot be read"),
    ]
    for entries, position, problem in cases:
        found = verify(NOWHERE, storage=signed(entries))
        assert found.first_bad_position == position, problem
        assert problem in (found.problem or "")
    elsewhere = Began(record_time=TIME, format_version=1, origin="elsewhere", property=HOUSE)
    assert verify(NOWHERE, storage=signed([elsewhere])).first_bad_position == 0


def test_a_checkpoint_of_another_key() -> None:
    found = verify(NOWHERE, storage=signed([BEGAN], Signer(ORIGIN, bytes(32))))
    assert found.problem == "checkpoint: not signed by the ledger's key"
    assert found.tree_size is None
