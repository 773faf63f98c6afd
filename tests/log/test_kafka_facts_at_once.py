"""Facts from Kafka are checked many at a time as they are one by one, whatever stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.log import bulk_bundles, entry_checks
from ledger.log.bulk_bundles import cut, machine
from ledger.log.entry import encode, long_bytes
from ledger.log.entry_checks import CheckFailed, EntryChecker
from ledger.log.port import Accepted, Coordinates
from ledger.log.tiles import pack
from tests.log.facts import TIME
from tests.log.test_plain_facts import ID, begun

MACHINE = machine(bulk_bundles.WORTH)
SHARED, OWN, LONG = "pit.tables.v1", "pit.terminal.T-1.v1", f"pit.terminal.{'T' * 64}.v1"
LONGEST = f"pit.terminal.{'T' * 63}.v1"
TERMINALS = {"SB-01": {"T-1", "T" * 63, "T" * 64}, "SB-02": {"T-2"}}
TABLES = ("SB-01", "SB-02")
MOMENT = long_bytes(TIME)
LENGTH_WRONG = {
    "the framed event does not end with its entry",
    "an entry ends too early",
    "bytes follow the entry",
    "a number is not in its shortest form",
    "an entry ends inside a number",
}
"""Which of these is said of an entry depends on whether one with its head was seen alone before."""
BEFORE = 2
"""Entries with which a ledger begins."""


def entry(
    stream: str,
    seq: int,
    way: tuple[str, int] | None,
    offset: int = 0,
    source: str = "T-1",
    *,
    moment: bytes = MOMENT,
    odd_key: bytes | None = None,
) -> bytes:
    """A fact of a stream as an entry; ``way`` is a topic and its partition."""
    texts = [long_bytes(len(text)) + text for text in (stream.encode(), source.encode())]
    framed = b"\0" + ID + texts[0] + long_bytes(seq) + moment + texts[1] + bytes(20)
    place = None if way is None else Coordinates(*way, offset)
    return encode(Accepted(record_time=TIME, coordinates=place, odd_key=odd_key, framed=framed))


class Singly(EntryChecker):
    """Decodes each entry that came from Kafka."""

    def _after_way(self, entry: bytes) -> int:
        return -1


def outcome(
    kind: type[EntryChecker],
    entries: Sequence[bytes],
    functions: ModuleType | None,
    *,
    few: int = 1,
) -> object:
    """What a check knows after some entries, or what it refused and where."""
    checker = begun()
    checker.__class__ = kind
    checker._writers.terminals = {stream: {*names} for stream, names in TERMINALS.items()}
    refusal: object = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry_checks, "FEW", few)
        try:
            if kind is Singly:
                checker._take_each(9, list(entries))
            else:
                packed = cut(functions, [pack(entries)], len(entries))
                assert packed is not None
                checker.take(9, packed)
        except CheckFailed as error:
            problem = "its length" if error.problem in LENGTH_WRONG else error.problem
            refusal = (problem, error.position)
    if refusal is not None:
        return refusal
    return checker._next, checker._run, checker._writers.proven


def alike(entries: Sequence[bytes]) -> bool:
    """Whether all ways say the same of them."""
    wanted = outcome(Singly, entries, None)
    return all(outcome(EntryChecker, entries, way) == wanted for way in (MACHINE, None))


WAYS = (None, (SHARED, 0), (SHARED, 1), (OWN, 0), (LONG, 0))


def mixed(random: Random, count: int) -> list[bytes]:
    """Facts that come in runs by the same way, mostly in turn, mostly from their own terminal."""
    seqs, offset = dict.fromkeys(TABLES, 0), random.choice([0, 60, 8000, 1 << 40])
    out: list[bytes] = []
    way = random.choice(WAYS)
    while len(out) < count:
        if not random.randrange(12):
            way = random.choice(WAYS)
        stream = random.choice(TABLES) if random.randrange(9) else "SB-01"
        seqs[stream] += 1 if random.randrange(80) else random.choice([0, 2])
        offset += random.choice([1, 1, 70])
        source = "T" * 64 if way == (LONG, 0) else random.choice(["T-1"] * 60 + ["T-2", "T-11"])
        odd_key = random.choice([None] * 50 + [b"", b"k"])
        out.append(entry(stream, seqs[stream], way, offset, source, odd_key=odd_key))
    return out


@settings(max_examples=150)
@given(st.integers(0, 1 << 30), st.integers(1, 60), st.data())
def test_mixed_and_altered_entries(seed: int, count: int, data: st.DataObject) -> None:
    random = Random(seed)
    entries = mixed(random, count)
    for _ in range(data.draw(st.integers(0, 2))):
        at = random.randrange(len(entries))
        place = random.randrange(len(entries[at]))
        spoilt = bytes([entries[at][place] ^ 1 << random.randrange(8)])
        entries[at] = entries[at][:place] + spoilt + entries[at][place + 1 :]
    assert alike(entries)


@pytest.mark.row_by_row
@pytest.mark.parametrize("way", WAYS[1:], ids=["shared", "other partition", "own", "long"])
@pytest.mark.parametrize("offset", [5, 63, 64, 9000, (1 << 62) - 1])
def test_each_byte_of_an_entry(way: tuple[str, int], offset: int) -> None:
    source = "T" * 64 if way == (LONG, 0) else "T-1"
    run = [entry("SB-01", seq, way, offset, source) for seq in range(1, 8)]
    assert outcome(Singly, run, None) == (
        {b"SB-01": 8}, {b"SB-01": 1}, set() if way[0] == SHARED else {"SB-01"}
    )  # fmt: skip
    for at in range(len(run[4])):
        for byte in {0, 1, 2, 127, 128, 255, run[4][at] ^ 1, run[4][at] ^ 128}:
            assert alike([*run[:4], run[4][:at] + bytes([byte]) + run[4][at + 1 :], *run[5:]])


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "odd",
    [
        entry("SB-01", 5, (OWN, 0), 4, "T-2"),
        entry("SB-01", 5, (OWN, 0), 4, "T-11"),
        entry("SB-01", 5, (OWN, 0), 4, ""),
        entry("SB-01", 5, (OWN, 0), 4, moment=long_bytes(5)),
        entry("SB-01", 5, (OWN, 0), 4, moment=long_bytes(-5)),
        entry("SB-01", 5, (OWN, 0), -1),
        entry("SB-01", 5, (OWN, 0), 1 << 62),
        entry("SB-01", 5, (OWN, 0), 4, odd_key=b""),
        entry("SB-02", 1, (OWN, 0), 4),
        entry("SB-03", 1, (OWN, 0), 4),
        entry("SB-01", 5, (SHARED, 0), 4),
        entry("SB-01", 6, (OWN, 0), 4),
        entry("SB-01", 4, (OWN, 0), 4),
        entry("SB-01", 5, (OWN, 0), 4).replace(b"\x08\x00", b"\x88\x00\x00", 1),
        entry("SB-01", 5, (OWN, 0), 1 << 54).replace(b"\x80\x40\x00", b"\x80\xc0\x00", 1),
    ],
)  # fmt: skip
def test_what_is_out_of_the_common(odd: bytes) -> None:
    before = [entry("SB-01", seq, (OWN, 0), seq) for seq in range(1, 5)]
    assert alike([*before, odd, entry("SB-01", 6, (OWN, 0), 9)])
    assert alike([*before, *before, odd])


@pytest.mark.row_by_row
@pytest.mark.parametrize("topic", [LONGEST, SHARED.ljust(249, "v")], ids=["own", "shared"])
def test_the_last_entry_is_not_read_beyond_its_end(topic: str) -> None:
    run = [entry("SB-01", seq, (topic, 0), seq, "T" * 63) for seq in range(1, 6)]
    for size in range(1, len(run[4])):
        assert alike([*run[:4], run[4][:size]])
    short = b"\0" + ID + long_bytes(5) + b"SB-01" + long_bytes(5) + b"\0\0"
    place = Coordinates(topic, 0, 1)
    last = Accepted(record_time=TIME, coordinates=place, odd_key=None, framed=short)
    assert alike([*run[:4], encode(last)])


@pytest.mark.row_by_row
@pytest.mark.parametrize("functions", [MACHINE, None], ids=["machine code", "numpy"])
@pytest.mark.parametrize("topic", [OWN, SHARED, f"{SHARED}0", f"{SHARED}000"])
def test_a_run_is_taken_without_a_look_at_each(functions: ModuleType | None, topic: str) -> None:
    run = [entry("SB-01", seq, (topic, 0), seq) for seq in range(1, 5000)]
    other_way = [entry("SB-02", seq, (topic, 1), seq, "T-2") for seq in range(1, 3000)]
    alone = 0
    take = EntryChecker._take_each

    def counted(checker: EntryChecker, first: int, entries: list[bytes]) -> None:
        nonlocal alone
        alone += len(entries)
        take(checker, first, entries)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EntryChecker, "_take_each", counted)
        proven = {"SB-01"} if topic == OWN else set()
        assert outcome(EntryChecker, run, functions, few=16) == (
            {b"SB-01": 5000}, {b"SB-01": 1}, proven
        )  # fmt: skip
        assert alone == 16 + BEFORE
        alone = 0
        if topic != OWN:
            outcome(EntryChecker, [*run, *other_way, *run[:9]], functions, few=16)
            assert alone == 16 + BEFORE + 1 + 1  # and the first that cannot stand there
