"""Many bundles at once say what bundles one by one say: the same bytes, the same first bad place."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.kernel import machine_code
from ledger.log import Arrival, bulk_bundles, init, open_log, plain_facts, tile_writer
from ledger.log.bulk_bundles import PackedEntries, bundle_root, cut, machine, tile_roots
from ledger.log.merkle import fold_complete, leaf_hash
from ledger.log.tiles import ENTRIES, HASH, WIDTH, Frontier, Tile, pack, unpack
from ledger.log.verified_tree import VerifiedTree
from ledger.log.verify import Verification, verify
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals, opened
from tests.log.forgetful import ForgetfulStorage, Inode
from tests.log.test_plain_facts import ID, LONGEST, NAMES, ODD, begun, fact, in_turn, outcome

NOWHERE = Path("nowhere")
verify_module = sys.modules["ledger.log.verify"]
MACHINE = machine(bulk_bundles.WORTH)
FULL = 5 * WIDTH


WAYS = (MACHINE, None)
"""Machine code, and ``hashlib`` with numpy."""


def packed(entries: list[bytes], functions: ModuleType | None = MACHINE) -> PackedEntries:
    """Entries as they would lie in one long bundle."""
    bundle = cut(functions, [pack(entries)], len(entries))
    assert bundle is not None
    return bundle


def runs_at_once(entries: list[bytes], allowed: list[bytes]) -> list[plain_facts.Run] | None:
    """The runs if all entries are plain, as the twin says it."""
    plain, runs = packed(entries).plain_runs(allowed)
    return runs if plain == len(entries) else None


def test_the_compiler_is_there_and_hashes_as_hashlib_does():
    assert MACHINE is not None
    lengths = [*range(200), 1000, 65_535]
    entries = [Random(length).randbytes(length) for length in lengths]
    leaves = [leaf_hash(bytes([number % 256, number // 256])) for number in range(3 * WIDTH)]
    for functions in WAYS:
        assert packed(entries, functions).entries() == entries
        assert packed(entries, functions).leaf_hashes() == b"".join(map(leaf_hash, entries))
        for width in (1, 2, WIDTH):
            assert tile_roots(functions, b"".join(leaves), width) == [
                fold_complete(leaves[at : at + width]) for at in range(0, 3 * WIDTH, width)
            ]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=9), max_size=3), st.integers(0, 1 << 30), st.data())
def test_a_bundle_is_cut_as_it_is_unpacked_or_not_at_all(beginnings, seed, data):
    random = Random(seed)
    bundles = [
        pack(
            [
                *beginnings,
                *(random.randbytes(random.choice((0, 1, 90, 300))) for _ in range(WIDTH)),
            ][:WIDTH]
        )
        for _ in range(2)
    ]
    harm = data.draw(st.sampled_from(["none", "byte", "cut", "grow", "shift", "empty"]))
    spoilt = bytearray(bundles[1])
    at = random.randrange(len(spoilt))
    match harm:
        case "byte":
            spoilt[at] ^= 1 << random.randrange(8)
        case "cut":
            del spoilt[at:]
        case "grow":
            spoilt += pack([b"more"])
        case "shift":  # the same bytes in all, and the boundary between the two elsewhere
            bundles[0] += bytes(spoilt[:at])
            del spoilt[:at]
        case "empty":
            spoilt = bytearray()
    bundles[1] = bytes(spoilt)
    readable: list[bytes] | None = []
    try:
        for bundle in bundles:
            entries = unpack(bundle)
            readable = (
                readable + entries if readable is not None and len(entries) == WIDTH else None
            )
    except ValueError:
        readable = None
    for functions in WAYS:
        at_once = cut(functions, bundles)
        assert (at_once and at_once.entries()) == readable
        if at_once and readable:
            assert at_once.leaf_hashes() == b"".join(map(leaf_hash, readable))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(NAMES, st.integers(1, 90), max_size=6), st.integers(0, 1 << 30), st.data())
def test_runs_are_those_of_the_twin_on_whole_and_altered_entries(counts, seed, data):
    random = Random(seed)
    entries = [
        fact(*key, more=random.choice((3, 20, 40, 60, 9000))) for key in in_turn(counts, random)
    ]
    for _ in range(data.draw(st.integers(0, 2)) if entries else 0):
        at = random.randrange(len(entries))
        place = random.randrange(min(len(entries[at]), 40))
        spoilt = bytearray(entries[at])
        spoilt[place] ^= 1 << random.randrange(8)
        entries[at] = bytes(spoilt)
    by_twin = plain_facts.runs_of(entries, [ID])
    at_once = runs_at_once(entries, [ID]) if entries else None
    assert (at_once and sorted(at_once)) == (by_twin and sorted(by_twin))
    for functions in WAYS if entries else ():
        plain, runs = packed(entries, functions).plain_runs([ID])
        assert sorted(runs) == sorted(plain_facts.runs_of(entries[:plain], [ID]) or [])
        assert plain == len(entries) or plain_facts.runs_of(entries[: plain + 1], [ID]) is None
        assert outcome(begun(), entries, each=True) == (
            outcome(begun(), packed(entries, functions), each=False)
        )


@pytest.mark.row_by_row
@pytest.mark.parametrize("entry", ODD.values(), ids=ODD)
def test_what_is_not_plain_is_left_to_the_check_of_each(entry: bytes):
    plain = [fact("SB-09", seq) for seq in range(1, 30)]
    assert runs_at_once(plain, [ID]) == [(b"SB-09", 1, 29)]
    assert runs_at_once(plain, []) is None
    assert runs_at_once(plain, [b"\0\0\0\0", ID, b"\xff\xff\xff\xff"]) == [(b"SB-09", 1, 29)]
    for at in (0, 11, 29):
        assert runs_at_once([*plain[:at], entry, *plain[at:]], [ID]) is None


def test_numbers_of_up_to_five_bytes_are_those_of_the_twin():
    entries = [fact(f"S-{seq}", seq, more=more) for seq in LONGEST for more in range(4)]
    for entry in entries:
        assert runs_at_once([entry], [ID]) == plain_facts.runs_of([entry], [ID])
    assert len(runs_at_once([fact(f"S-{seq}", seq) for seq in LONGEST], [ID]) or []) == len(LONGEST)


def test_every_stream_has_a_slot_of_its_own():
    keys = in_turn({f"T-{number:03d}": 1 + number % 3 for number in range(700)}, Random(3))
    entries = [fact(*key) for key in keys]
    runs = runs_at_once(entries, [ID])
    assert runs is not None
    assert sorted(runs) == sorted(plain_facts.runs_of(entries, [ID]) or [])


@pytest.mark.parametrize("functions", WAYS)
def test_plain_facts_end_at_the_first_of_several_that_do_not_follow(functions):
    keys = [("A", 1), ("B", 7), ("A", 2), ("B", 9), ("C", 1), ("A", 4), ("C", 1)]
    plain, runs = packed([fact(*key) for key in keys], functions).plain_runs([ID])
    assert (plain, sorted(runs)) == (3, [(b"A", 1, 2), (b"B", 7, 7)])


@pytest.mark.parametrize("functions", WAYS)
def test_a_name_that_ends_with_a_zero_is_another_stream(functions):
    entries = [fact("A", 1), fact("A\0", 2), fact("A\0", 4), fact("A", 2)]
    plain, runs = packed(entries, functions).plain_runs([ID])
    assert runs != [(b"A", 1, 2)]
    assert plain < 3
    assert packed(entries[:1], functions).plain_runs([ID]) == (1, [(b"A", 1, 1)])


def test_two_names_in_one_slot_are_two_streams():
    names = [f"{first}{'B' * more}" for first in "ACDE" for more in range(6)]
    for name, other in [*pairwise(names), *pairwise(names[::-1])]:
        runs = runs_at_once([fact(name, 1), fact(other, 2)], [ID])
        assert runs == [(name.encode(), 1, 1), (other.encode(), 2, 2)]


# ---------------------------------------------------------------- a whole ledger


class Ledger(ForgetfulStorage):
    """One that does not print all that it holds."""

    def __repr__(self) -> str:
        return "a ledger"


@pytest.fixture(scope="module")
def whole() -> Ledger:
    """A ledger of five full bundles and a partial one, with a gap, a late fact and rubbish."""
    storage = Ledger()
    init(NOWHERE, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, storage=storage)
    facts = [Arrival(opened(seq, f"SB-0{table}")) for seq in range(1, 265) for table in range(1, 6)]
    with open_log(NOWHERE, storage=storage) as log:
        log.append(
            [*facts[:700], *arrivals(290, 300), Arrival(b"rubbish"), *arrivals(288, 289)], TIME
        )
        log.append(facts[700:], TIME)
        assert FULL < log.size < FULL + WIDTH
    return storage


@pytest.fixture
def in_blocks_of_two(monkeypatch):
    """Two bundles are a block, so that a small ledger has several."""
    monkeypatch.setattr(verify_module, "BLOCK", 2 * WIDTH)


def each_way(storage: ForgetfulStorage, monkeypatch: pytest.MonkeyPatch) -> Verification:
    """What ``verify`` says at once, by machine code and without it, and one by one."""
    at_once = verify(NOWHERE, storage=storage)
    for name in ("machine", "_block_at_once"):  # what is not there then
        with monkeypatch.context() as without:
            without.setattr(verify_module, name, lambda *_: None)
            assert verify(NOWHERE, storage=storage) == at_once
    return at_once


def test_a_sound_ledger_is_taken_at_once(whole, in_blocks_of_two, monkeypatch):
    monkeypatch.setattr(verify_module, "machine", lambda _entries: MACHINE)
    assert each_way(whole, monkeypatch).problem is None
    monkeypatch.setattr(verify_module, "_bundles", lambda *_: iter([]))
    assert verify(NOWHERE, storage=whole).problem  # the last two bundles are no block
    for functions in WAYS:
        kept = verify_module._block_at_once(functions, whole, 0, Frontier())
        assert kept is not None
        assert kept.entries() == [
            entry for number in (0, 1) for entry in unpack(whole.read(Tile(ENTRIES, number).path))
        ]


TILES = [Tile(level, number).path for level in (ENTRIES, 0) for number in range(5)]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TILES), st.integers(0, 1 << 20), st.data())
def test_the_first_bad_position_is_the_same(whole, path, at, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify_module, "BLOCK", 2 * WIDTH)
        patch.setattr(verify_module, "machine", lambda _entries: MACHINE)
        raw = bytearray(whole.names_now[path].data)
        at %= len(raw)
        harm = data.draw(st.sampled_from(["flip", "cut", "grow", "gone", "double"]))
        match harm:
            case "flip":
                raw[at] ^= 1 << data.draw(st.integers(0, 7))
            case "cut":
                del raw[at:]
            case "grow":
                raw += raw[:HASH]
            case "double":
                raw[at : at + HASH] = raw[: len(raw[at : at + HASH])]
        before = whole.names_now[path]
        try:
            whole.names_now[path] = Inode(bytes(raw))
            if harm == "gone":
                del whole.names_now[path]
            each_way(whole, patch)
        finally:
            whole.names_now[path] = before


def test_bytes_moved_from_one_tile_to_the_next_are_seen(whole, in_blocks_of_two, monkeypatch):
    left, right = (Tile(0, number).path for number in (0, 1))
    kept = {path: whole.names_now[path] for path in (left, right)}
    try:
        whole.names_now[left] = Inode(kept[left].data + kept[right].data[:HASH])
        whole.names_now[right] = Inode(kept[right].data[HASH:])
        monkeypatch.setattr(verify_module, "machine", lambda _entries: MACHINE)
        assert each_way(whole, monkeypatch).problem is not None
    finally:
        whole.names_now |= kept


def test_a_tile_of_a_higher_level_is_held_against_the_entries():
    leaves = [leaf_hash(number.to_bytes(3, "big")) for number in range(WIDTH * (WIDTH + 1))]
    roots = [fold_complete(leaves[at : at + WIDTH]) for at in range(0, len(leaves), WIDTH)]
    one_by_one, at_once = Frontier(), Frontier()
    tiles = [pair for pair in one_by_one.push(leaves) if pair[0].level]
    assert list(at_once.push_full(roots)) == tiles
    assert (at_once.size, at_once.levels) == (one_by_one.size, one_by_one.levels)
    list(at_once.push(leaves[:1]))
    with pytest.raises(ValueError, match="not full"):
        list(at_once.push_full(roots[:1]))


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_block_that_fills_a_tile_above_is_held_against_it(whole, in_blocks_of_two, spoilt):
    bundles = [unpack(whole.read(Tile(ENTRIES, number).path)) for number in (0, 1)]
    frontier, before = Frontier(), [bytes([number]) * HASH for number in range(WIDTH - 2)]
    list(frontier.push_full(before))
    roots = [fold_complete([leaf_hash(entry) for entry in bundle]) for bundle in bundles]
    above = bytearray(b"".join([*before, *roots]))
    above[-1] ^= spoilt
    path = Tile(1, 0).path
    try:
        whole.names_now[path] = Inode(bytes(above))
        blocks = [
            verify_module._block_at_once(functions, whole, 0, grown)
            for functions, grown in zip(WAYS, (frontier.copy(), frontier), strict=True)
        ]
    finally:
        del whole.names_now[path]
    assert [block is None for block in blocks] == [spoilt, spoilt]
    assert frontier.size == (WIDTH if not spoilt else WIDTH - 2) * WIDTH


def test_a_bundle_read_for_a_walk_has_the_same_entries_and_refusals(whole, monkeypatch):
    path = Tile(ENTRIES, 1).path
    for spoilt in (False, True):
        raw = bytearray(whole.names_now[path].data)
        raw[777] ^= spoilt

        def read(name: str, raw: bytes = bytes(raw)) -> bytes:
            return raw if name == path else whole.read(name)

        outcomes = []
        for functions in (MACHINE, None):
            monkeypatch.setattr(bulk_bundles, "_machine", lambda it=functions: it)
            tree = VerifiedTree(read, verified_frontier(whole))
            try:
                outcomes.append(tree.bundle(1))
            except Exception as refused:
                outcomes.append((type(refused), str(refused)))
        assert outcomes[0] == outcomes[1]
        assert isinstance(outcomes[0], tuple) is spoilt


def verified_frontier(storage: ForgetfulStorage) -> Frontier:
    """The right edge of the tree, from its entries."""
    frontier = Frontier()
    for number in range(6):
        names = sorted(n for n in storage.names_now if n.startswith(Tile(ENTRIES, number).path))
        list(frontier.push([leaf_hash(entry) for entry in unpack(storage.read(names[-1]))]))
    return frontier


def test_the_root_of_a_bundle_is_none_where_it_is_not_full():
    entries = [b"%d" % number for number in range(WIDTH)]
    root = fold_complete([leaf_hash(one) for one in entries])
    for functions in WAYS:
        assert bundle_root(functions, pack(entries)) == root
        assert bundle_root(functions, pack(entries[1:])) is None
        assert bundle_root(functions, pack([*entries, b""])) is None
        assert bundle_root(functions, b"") is None


@pytest.mark.parametrize("before", [0, 1, 255, 256, 300])
def test_a_tree_grows_at_once_as_it_grows_leaf_by_leaf(before, monkeypatch):
    entries = [bytes([number % 251]) * (number % 90) for number in range(700)]
    for count in (0, 1, 40, 256, 511, 600):
        outcomes = []
        for functions in WAYS:
            monkeypatch.setattr(bulk_bundles, "machine", lambda _entries, it=functions: it)
            frontier = Frontier()
            list(frontier.push([leaf_hash(entry) for entry in entries[:before]]))
            tiles = list(tile_writer.grown(frontier, entries[: before + count][before:]))
            outcomes.append((tiles, frontier.size, frontier.levels, frontier.root()))
        assert outcomes[0] == outcomes[1]


# ---------------------------------------------------------------- what is kept of the compiler


def test_nothing_is_compiled_where_that_is_switched_off():
    code = "from ledger.log.bulk_bundles import machine; print(machine(10**9))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {machine_code.SWITCH: "off"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "None\n"


def test_hashes_that_are_not_those_of_hashlib_are_not_used(monkeypatch):
    names = ("cut", "hash_leaves", "fold", "CONTEXT_BYTES")
    functions = {name: getattr(MACHINE, name) for name in names}
    for broken in ("hash_leaves", "fold"):
        other = {"hash_leaves": lambda *a: a[3].fill(7), "fold": lambda *a: a[2].fill(7)}[broken]
        module = type(sys)("broken")
        vars(module).update(functions | {broken: other})
        assert not bulk_bundles._agrees(module)
    assert bulk_bundles._agrees(MACHINE)


def test_machine_code_is_kept_for_this_user_alone_and_outside_a_ledger(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    folder = machine_code.kept_code(b"a source")
    assert folder is not None
    assert folder != machine_code.kept_code(b"another source")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.name == sha256(b"a source").hexdigest()[:32]
    for shared in (folder, folder.parent, folder.parent.parent):
        shared.chmod(0o770)
        assert machine_code.kept_code(b"a source") is None
        shared.chmod(0o700)
    folder.rmdir()
    folder.symlink_to(tmp_path)
    assert machine_code.kept_code(b"a source") is None
    (tmp_path / "tile").mkdir()
    (tmp_path / "checkpoint").touch()
    assert machine_code.kept_code(b"a third source") is None
    monkeypatch.setenv("XDG_CACHE_HOME", "a/relative/path")
    assert machine_code.kept_code(b"a source") is None
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert machine_code.kept_code(b"a source") is None


def test_a_function_is_compiled_without_a_folder_to_keep_it_in(monkeypatch):
    import numba

    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    twice = machine_code.compiled(
        lambda number: number * 2, numba.int64(numba.int64), Path(__file__)
    )
    assert twice(21) == 42
