"""Copies taken while facts were appended, checkpoints put back, power cuts: nothing is destroyed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.kernel import LedgerError
from ledger.log import (
    Arrival,
    Signer,
    TreeBroken,
    adopt_checkpoint,
    init,
    look_at_tail,
    open_log,
    read_log,
    rotate_key,
    set_tail_aside,
    verify,
)
from ledger.log.checkpoint import open_checkpoint
from ledger.log.intent import INTENT, Intent, open_intent
from ledger.log.ledger_at_checkpoint import open_snapshot
from ledger.log.note import NoteBroken
from ledger.log.tiles import WIDTH, parse_path
from ledger.log.verified_tree import start_of
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals, opened
from tests.log.forgetful import ForgetfulStorage, Inode, PowerCut

NOWHERE = Path("nowhere")
BATCHES = (
    arrivals(1, 3),
    [*arrivals(4, 9), Arrival(b"rubbish")],
    arrivals(10, 250),
    [*arrivals(251, 300), Arrival(opened(2, source="T-2"))],
    arrivals(301, 303),
)
Files = dict[str, bytes]


@dataclass
class Watched(ForgetfulStorage):
    """A storage that keeps what it held before every call."""

    history: list[Files] = field(default_factory=list)

    def _step(self, path: str) -> None:
        self.history.append(files_of(self))
        super()._step(path)


def files_of(storage: ForgetfulStorage) -> Files:
    """What lies in a storage, without what is not yet whole."""
    return {
        path: inode.data for path, inode in storage.names_now.items() if not path.startswith("tmp/")
    }


def storage_of(files: Files) -> ForgetfulStorage:
    """A machine with these files on its disk."""
    storage = ForgetfulStorage()
    for path, content in files.items():
        storage._make_folders(path)
        storage.names_now[path] = Inode(content, content)
    storage.names_kept = dict(storage.names_now)
    storage.folders_kept = set(storage.folders_now)
    return storage


def begin(storage: ForgetfulStorage) -> ForgetfulStorage:
    init(NOWHERE, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, storage=storage)
    return storage


@cache
def lived(cut_at: int | None) -> tuple[Files, ...]:
    """The states of a ledger through all batches, with a power cut on the way."""
    storage = Watched()
    begin(storage)
    storage.cut_at = None if cut_at is None else storage.calls + cut_at
    try:
        append_all(storage)
    except PowerCut:
        storage.power_up()
        append_all(storage)
    return (*storage.history, files_of(storage))


def append_all(storage: ForgetfulStorage) -> None:
    with open_log(NOWHERE, storage=storage) as log:
        for batch in BATCHES:
            log.append(batch, TIME)


STATES = len(lived(None))
"""Of a life without a power cut."""


class Copying(NamedTuple):
    """In which order and at which moments the files of a living ledger are copied."""

    cut_at: int | None
    order: list[str]
    moments: list[int]
    listed_first: bool

    def files(self) -> Files:
        """What the copy holds."""
        history = lived(self.cut_at)
        copied = {}
        for path, moment in zip(self.order, self.moments, strict=True):
            state = history[min(moment, len(history) - 1)]
            if path in state and (path in history[self.moments[0]] or not self.listed_first):
                copied[path] = state[path]
        return copied


@st.composite
def copies(draw: st.DrawFn) -> Copying:
    """A copy of the ledger, file by file, in any order, while it lives."""
    cut_at = draw(st.none() | st.integers(0, STATES))
    history = lived(cut_at)
    paths = sorted({path for state in history for path in state} - {"checkpoint", INTENT})
    rest = draw(st.permutations(paths))
    order = list(rest)
    for path in ("checkpoint", INTENT):
        order.insert(draw(st.integers(0, len(order))), path)
    first = draw(st.integers(0, len(history) - 1))
    pace = draw(st.sampled_from([0, 1, 2, 30]))
    waits = draw(st.lists(st.integers(0, pace), min_size=len(order), max_size=len(order)))
    moments = list(accumulate(waits, initial=first))[: len(order)]
    return Copying(cut_at, order, moments, draw(st.booleans()))


def lost(before: Files, storage: ForgetfulStorage) -> list[str]:
    """The tiles, and the quarantined bytes, that a storage had before and has nowhere now."""
    after, gone = files_of(storage), []
    for path, content in before.items():
        kept = [held for name, held in after.items() if name == path or name.endswith(f"/{path}")]
        tile = parse_path(path)
        if tile is not None and tile.width < WIDTH:
            full = after.get(path.rpartition(".p/")[0])
            if full is not None:
                kept.append(start_of(full, tile))
        if path not in ("checkpoint", INTENT) and content not in kept:
            gone.append(path)
    return gone


@settings(max_examples=150, deadline=None)
@given(copies())
def test_a_copy_of_any_order_opens_whole_or_is_refused_untouched(copying: Copying) -> None:
    check(copying.files())


@pytest.mark.full
@settings(max_examples=5_000, deadline=None)
@given(copies())
def test_many_copies_of_any_order(copying: Copying) -> None:
    check(copying.files())


def check(copied: Files) -> None:
    storage = storage_of(copied)
    refusal = refusal_of(storage)
    if refusal is None:
        assert lost(copied, storage) == []
        problem = verify(NOWHERE, storage=storage).problem
        assert problem is None or "read" in problem, "only what was not copied is missing"
        return
    assert refusal.exit_code in (3, 4)
    assert lost(copied, storage) == []
    if refusal.code == "tail_unexplained":
        assert files_of(storage) == copied
        assert verify(NOWHERE, storage=storage).problem is not None
        mended(copied)


def refusal_of(storage: ForgetfulStorage) -> LedgerError | None:
    """Why a copy is not opened and appended to; None if it is, and goes on from what it signed."""
    try:
        snapshot = open_snapshot(storage, "here", None)
        size, root = snapshot.size, snapshot.root
        with open_log(NOWHERE, storage=storage) as log:
            assert log.snapshot.root_at(size) == root
            log.append(arrivals(1, 4, "FURTHER"), TIME)
    except LedgerError as refusal:
        storage.locked = False
        return refusal
    return None


def mended(copied: Files) -> None:
    """Set aside by hand: all bytes stay, and the ledger opens as far as it was copied."""
    storage = storage_of(copied)
    with suppress(TreeBroken):  # the last bundle of the signed tree was not copied
        set_tail_aside(NOWHERE, storage=storage)
    assert lost(copied, storage) == []
    refusal = refusal_of(storage)
    assert refusal is None or refusal.code in ("tree_broken", "tail_unexplained")


# ---------------------------------------------------------------- named cases


def grown(*sizes: int) -> ForgetfulStorage:
    """A ledger that was appended to up to these numbers."""
    storage, first = begin(ForgetfulStorage()), 1
    for last in sizes:
        with open_log(NOWHERE, storage=storage) as log:
            log.append(arrivals(first, last), TIME)
        first = last + 1
    return storage


def refused(call: Callable[[], object]) -> tuple[str, int]:
    with pytest.raises(LedgerError) as caught:
        call()
    assert "pitledger tail" in str(caught.value.next_step)
    return caught.value.code, caught.value.exit_code


@pytest.mark.parametrize(("earlier", "later"), [(10, 20), (10, 600), (250, 254), (300, 70_000)])
def test_a_checkpoint_copied_first_and_tiles_later(
    earlier: int, later: int, tmp_path: Path
) -> None:
    storage = grown(earlier)
    note = storage.read("checkpoint")
    with open_log(NOWHERE, storage=storage) as log:
        log.append(arrivals(earlier + 1, later), TIME)
        size, root = log.size, log.root
    copied = files_of(storage) | {"checkpoint": note}
    storage = storage_of(copied)
    assert refused(lambda: open_log(NOWHERE, storage=storage)) == ("tail_unexplained", 4)
    assert files_of(storage) == copied
    assert verify(NOWHERE, storage=storage).problem is not None
    (tmp_path / "witness").write_bytes(files_of(grown(earlier))["checkpoint"])
    with pytest.raises(LedgerError) as caught:
        adopt_checkpoint(NOWHERE, tmp_path / "witness", storage=storage)
    assert caught.value.code == "checkpoint_not_reached"
    newer = lambda: grown(earlier, later).read("checkpoint")  # noqa: E731
    (tmp_path / "witness").write_bytes(newer())
    after = adopt_checkpoint(NOWHERE, tmp_path / "witness", storage=storage)
    assert (after.size, after.root) == (size, root)
    assert verify(NOWHERE, storage=storage).problem is None
    with open_log(NOWHERE, storage=storage) as log:
        assert log.append(arrivals(1, later), TIME).accepted == 0


def test_a_tail_that_is_set_aside_leaves_the_signed_tree_whole() -> None:
    storage = grown(10)
    note, root = storage.read("checkpoint"), open_snapshot(storage, "here", None).root
    with open_log(NOWHERE, storage=storage) as log:
        log.append(arrivals(11, 600), TIME)
    storage = storage_of(files_of(storage) | {"checkpoint": note})
    before = files_of(storage)
    moved = set_tail_aside(NOWHERE, storage=storage)
    assert moved is not None
    assert moved.next_size is None
    assert lost(before, storage) == []
    with open_log(NOWHERE, storage=storage) as log:
        assert log.root == root
        assert log.append(arrivals(11, 20), TIME).accepted == 10
    assert verify(NOWHERE, storage=storage).problem is None


def test_a_checkpoint_older_than_a_signed_intent_is_refused() -> None:
    """Tiles and checkpoint of an older copy were put over a ledger that goes on."""
    storage = grown(10)
    older = files_of(storage)
    intents = [state[INTENT] for state in lived(None) if INTENT in state]
    storage = storage_of(older | {INTENT: intents[-1]})
    assert refused(lambda: open_log(NOWHERE, storage=storage)) == ("tail_unexplained", 4)
    assert files_of(storage) == older | {INTENT: intents[-1]}


def test_an_interrupted_append_is_set_aside_and_said() -> None:
    storage = grown(5)
    storage.cut_at = storage.calls + 30
    with pytest.raises(PowerCut):
        append_more(storage)
    storage.power_up()
    assert INTENT in storage.names("")
    tail = look_at_tail(NOWHERE, storage=storage)
    assert tail.problem is None
    before = files_of(storage)
    with open_log(NOWHERE, storage=storage) as log:
        assert log.set_aside is not None
        assert (log.set_aside.size, log.set_aside.next_size) == (7, 307)
        assert log.set_aside.files == len(tail.files)
    assert lost(before, storage) == []
    assert INTENT not in storage.names("")


def append_more(storage: ForgetfulStorage) -> None:
    with open_log(NOWHERE, storage=storage) as log:
        log.append(arrivals(6, 305), TIME)


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_a_power_cut_at_every_call_of_the_recovery(seed: int | None) -> None:
    storage = grown(5)
    start = storage.calls
    append_more(storage)
    for tail_at in range(start + 10, storage.calls, 3):
        number = 0
        while True:
            torn = grown(5)
            torn.cut_at = tail_at
            with pytest.raises(PowerCut):
                append_more(torn)
            torn.power_up()
            before, size = files_of(torn), open_snapshot(torn, "here", None).size
            torn.cut_at = number
            try:
                open_log(NOWHERE, storage=torn).close()
            except PowerCut:
                torn.power_up(None if seed is None else Random(seed * 1_000 + number))
                open_log(NOWHERE, storage=torn).close()
                assert lost(before, torn) == []
                assert verify(NOWHERE, storage=torn).problem is None
                assert open_snapshot(torn, "here", None).size == size
                number += 1
                continue
            break


def test_another_history_of_a_partial_tile_is_not_dropped() -> None:
    storage = grown(10)
    storage.names_now["tile/0/000.p/7"] = Inode(bytes(7 * 32), bytes(7 * 32))
    with open_log(NOWHERE, storage=storage) as log:
        log.append(arrivals(11, 600), TIME)
    assert storage.read("tile/0/000.p/7") == bytes(7 * 32)
    assert "tile/0/000.p/7" in (verify(NOWHERE, storage=storage).problem or "")


def test_tiles_without_a_checkpoint_are_never_begun_over() -> None:
    storage = grown(10)
    del storage.names_now["checkpoint"]
    before = files_of(storage)
    with pytest.raises(LedgerError) as caught:
        begin(storage)
    assert (caught.value.code, caught.value.exit_code) == ("checkpoint_missing", 4)
    assert files_of(storage) == before


def test_a_key_is_rotated_only_over_a_settled_tail(tmp_path: Path) -> None:
    init(tmp_path / "ledger", origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    with open_log(tmp_path / "ledger") as log:
        log.append(arrivals(1, 5), TIME)
    (tmp_path / "ledger/tile/0/000.p/9").write_bytes(bytes(9 * 32))
    with pytest.raises(LedgerError) as caught:
        rotate_key(tmp_path / "ledger", tmp_path / "handover", record_time=TIME)
    assert caught.value.code == "tail_unexplained"
    assert not (tmp_path / "handover").exists()
    assert read_log(tmp_path / "ledger").verifier == SIGNER.verifier


# ---------------------------------------------------------------- the note


def test_an_intent_is_no_checkpoint_and_a_checkpoint_is_no_intent() -> None:
    intent = Intent(origin=ORIGIN, size=3, root=bytes(32), next_size=9, next_root=bytes(32))
    note = intent.signed(SIGNER)
    assert open_intent(note, SIGNER.verifier) == intent
    with pytest.raises(NoteBroken):
        open_checkpoint(note, SIGNER.verifier)
    with pytest.raises(NoteBroken):
        open_intent(grown(3).read("checkpoint"), SIGNER.verifier)


@pytest.mark.parametrize("signer", [Signer(ORIGIN, bytes(32)), None])
def test_an_intent_of_another_key_is_refused(signer: Signer | None) -> None:
    storage = grown(3)
    intent = Intent(origin=ORIGIN, size=3, root=bytes(32), next_size=9, next_root=bytes(32))
    note = b"?" if signer is None else intent.signed(signer)
    storage.names_now[INTENT] = Inode(note, note)
    before = files_of(storage)
    assert refused(lambda: open_log(NOWHERE, storage=storage)) == ("tail_unexplained", 4)
    assert files_of(storage) == before
    assert "intent" in (verify(NOWHERE, storage=storage).problem or "").lower()
    moved = set_tail_aside(NOWHERE, storage=storage)
    assert moved is not None
    assert storage.read(f"{moved.folder}/{INTENT}") == note
    open_log(NOWHERE, storage=storage).close()
