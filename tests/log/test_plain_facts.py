"""Entries checked many at a time: accepted only where the check of each entry accepts them."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.codec import registry
from ledger.log import plain_facts
from ledger.log.entry import accepted_head, encode, long_bytes
from ledger.log.entry_checks import CheckFailed, EntryChecker
from ledger.log.port import Accepted, Began, Coordinates, SchemaUsed
from ledger.log.stream_writers import registration_ids
from ledger.log.tiles import WIDTH
from ledger.log.verify import BLOCK, _in_blocks
from tests.log.facts import ORIGIN, TIME

SCHEMA = next(one for one in registry() if one.name == "BettingOpened")
ID = SCHEMA.id.to_bytes(4, "big")
START = (
    Began(record_time=TIME, format_version=1, origin=ORIGIN, property="House"),
    SchemaUsed(
        record_time=TIME, id=SCHEMA.id, name=SCHEMA.name, version=SCHEMA.version, text=SCHEMA.text
    ),
)


def fact(stream: str, seq: int, *, more: int = 6, time: int = TIME, schema: bytes = ID) -> bytes:
    """An entry as an append writes it; what follows the key is nobody's business here."""
    name = stream.encode()
    framed = b"\x00" + schema + long_bytes(len(name)) + name + long_bytes(seq) + bytes(more)
    return encode(Accepted(record_time=time, coordinates=None, odd_key=None, framed=framed))


def begun() -> EntryChecker:
    """A checker that has seen how a ledger begins."""
    checker = EntryChecker(ORIGIN, lambda _: b"")
    checker._take_each(0, [encode(one) for one in START])
    return checker


def outcome(checker: EntryChecker, entries: list[bytes], *, each: bool) -> object:
    """What a checker makes of entries, with all that it knows afterwards; or its refusal."""
    take = checker._take_each if each else checker.take
    try:
        take(2, entries)
    except CheckFailed as refused:
        return refused.problem, refused.position
    spans = {stream: repr(one) for stream, one in checker._earlier.items()}
    return checker._next, checker._run, sorted(spans), checker._topic


def in_turn(counts: dict[str, int], random: Random) -> list[tuple[str, int]]:
    """Keys of several streams, mixed, each stream in order."""
    names = [name for name, count in counts.items() for _ in range(count)]
    random.shuffle(names)
    at = dict.fromkeys(counts, 0)
    out = []
    for name in names:
        at[name] += 1
        out.append((name, at[name]))
    return out


NAMES = st.text("AB-/é\x000", max_size=28)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(NAMES, st.integers(1, 90), max_size=6), st.randoms(), st.data())
def test_both_checks_agree_on_whole_and_altered_entries(counts, random, data):
    keys = in_turn(counts, random)
    entries = [fact(*key, more=random.choice((3, 20, 40, 60, 9000))) for key in keys]
    for _ in range(data.draw(st.integers(0, 2))):
        if not entries:
            break
        at = random.randrange(len(entries))
        harm = data.draw(st.sampled_from(["flip", "cut", "grow", "drop", "double", "swap"]))
        entry = entries[at]
        if harm == "flip":
            place = random.randrange(min(len(entry), 40))
            spoilt = bytes([entry[place] ^ 1 << random.randrange(8)])
            entries[at] = entry[:place] + spoilt + entry[place + 1 :]
        elif harm in ("cut", "grow"):
            entries[at] = entry[: random.randrange(len(entry))] if harm == "cut" else entry + b"\0"
        elif harm == "drop":
            del entries[at]
        elif harm == "double":
            entries.insert(random.randrange(len(entries) + 1), entry)
        else:
            entries[at], entries[-1] = entries[-1], entry
    assert outcome(begun(), entries, each=False) == outcome(begun(), entries, each=True)


def test_honest_facts_are_taken_without_a_look_at_each():
    checker = begun()
    keys = in_turn({"SB-01": 9000, "SB-02/wheel": 300, "house": 40}, Random(7))
    runs = plain_facts.runs_of([fact(*key) for key in keys], [ID])
    assert runs is not None
    assert sorted(runs) == [(b"SB-01", 1, 9000), (b"SB-02/wheel", 1, 300), (b"house", 1, 40)]
    assert checker._take_plain([fact(*key) for key in keys])


def altered(entry: bytes, at: int, byte: int) -> bytes:
    """An entry with another byte in one place."""
    return entry[:at] + bytes([byte]) + entry[at + 1 :]


ODD = {
    "a number of six bytes": fact("SB-01", 1 << 34),
    "a number below one": fact("SB-01", 0),
    "a negative number": fact("SB-01", -3),
    "a long name": fact("S" * 25, 1),
    "a long event": fact("SB-01", 1, more=9000),
    "another schema": fact("SB-01", 1, schema=b"\xff\xff\xff\xff"),
    "an early record time": fact("SB-01", 1, time=5),
    "a place in Kafka": encode(
        Accepted(
            record_time=TIME, coordinates=Coordinates("t", 0, 0), odd_key=None,
            framed=b"\x00" + ID + b"\x02A\x02" + bytes(20),
        )
    ),
    "an odd key": encode(
        Accepted(
            record_time=TIME, coordinates=None, odd_key=b"k",
            framed=b"\x00" + ID + b"\x02A\x02" + bytes(20),
        )
    ),
    "an event with another first byte": encode(
        Accepted(
            record_time=TIME, coordinates=None, odd_key=None,
            framed=b"\x01" + ID + b"\x02A\x02" + bytes(20),
        )
    ),
    "a length that is too long": accepted_head(TIME, None, None) + b"\x3c" + fact("A", 1)[12:],
    "a length of two bytes that one would hold": accepted_head(TIME, None, None)
    + b"\xfe\x00" + b"\x00" + ID + b"\x02A\x02" + bytes(63 - 8),
    "a length that is not the event's": fact("A", 1, more=90)[:11] + b"\xfe\x01"
    + fact("A", 1, more=90)[13:],
    "a number longer than it need be": accepted_head(TIME, None, None)
    + long_bytes(30) + b"\x00" + ID + b"\x02A\x82\x00" + bytes(30 - 9),
    "a number that the entry ends in": accepted_head(TIME, None, None)
    + long_bytes(8) + b"\x00" + ID + b"\x02A\x82",
    "a number that nothing follows": accepted_head(TIME, None, None)
    + long_bytes(8) + b"\x00" + ID + b"\x02A\x02",
    "a name with a negative length": accepted_head(TIME, None, None)
    + long_bytes(30) + b"\x00" + ID + b"\x03A\x02" + bytes(30 - 8),
    "a time longer than it need be": b"\x02" + accepted_head(TIME, None, None)[1:8] + b"\x80\x00"
    + fact("A", 1)[9:],
    "another first byte": altered(fact("A", 1), 0, 4),
    "a mark of a place": altered(fact("A", 1), 9, 2),
    "a mark of a key": altered(fact("A", 1), 10, 2),
    "a time that ends early": altered(fact("A", 1), 4, 0x11),
    "a time that goes on": altered(fact("A", 1), 8, 0x83),
    "a time with an empty last byte": altered(fact("A", 1), 8, 0),
    "a length of more than the event": altered(fact("A", 1, more=90), 12, 3),
    "a length of three bytes": accepted_head(TIME, None, None) + b"\x80\x80\x00" + ID
    + b"\x02A\x02" + bytes(8192 - 8),
    "a number of six bytes with a good beginning": fact("SB-01", (1 << 34) + 5),
    "a long number that the entry ends in": accepted_head(TIME, None, None)
    + long_bytes(11) + b"\x00" + ID + b"\x02A" + long_bytes(1 << 27)[:4],
    "another kind": encode(START[1]),
}  # fmt: skip


@pytest.mark.row_by_row
@pytest.mark.parametrize("entry", ODD.values(), ids=ODD)
def test_what_is_not_plain_is_left_to_the_check_of_each(entry: bytes):
    plain = [fact("SB-09", seq) for seq in range(1, 30)]
    allowed = [ID]
    assert plain_facts.runs_of(plain, allowed) is not None
    for at in (0, 11, 29):
        assert plain_facts.runs_of([*plain[:at], entry, *plain[at:]], allowed) is None


LONGEST = [1, 63, 64, 8191, 8192, (1 << 20) - 1, 1 << 20, (1 << 27) - 1, 1 << 27, (1 << 34) - 1]
"""Numbers beside those where one more byte is needed."""


def test_numbers_of_up_to_five_bytes_are_plain():
    """A stream has more than a million facts after some weeks."""
    entries = [fact(f"S-{seq}", seq) for seq in LONGEST]
    expected = [(f"S-{seq}".encode(), seq, seq) for seq in LONGEST]
    assert sorted(plain_facts.runs_of(entries, [ID]) or []) == sorted(expected)
    shorter = [fact("A", seq, more=more) for seq in LONGEST for more in range(4)]
    for entry in shorter:
        assert outcome(begun(), [entry], each=False) == outcome(begun(), [entry], each=True)


def test_names_that_differ_by_zeros_at_their_end_are_two_streams():
    keys = in_turn({"": 3, "\0": 2, "A": 4, "A\0": 3}, Random(7))
    runs = plain_facts.runs_of([fact(*key) for key in keys], [ID])
    assert sorted(runs or []) == [(b"", 1, 3), (b"\0", 1, 2), (b"A", 1, 4), (b"A\0", 1, 3)]


def test_names_with_one_mixed_number_are_not_one_stream(monkeypatch):
    monkeypatch.setattr(plain_facts, "_MIXERS", plain_facts._MIXERS * 0)
    both = [fact("SB-01", 1), fact("SB-02", 2)]
    assert plain_facts.runs_of(both, [ID]) is None
    assert plain_facts.runs_of([fact("SB-01", 1), fact("SB-01", 2)], [ID]) == [(b"SB-01", 1, 2)]


@pytest.mark.parametrize(
    "keys",
    [
        [("SB-01", 3)],
        [("SB-01", 1)],
        [("SB-01", 2), ("SB-01", 4)],
        [("SB-02", 1), ("SB-02", 1)],
        [("SB-02", 2), ("SB-02", 1)],
    ],
    ids=["gap", "double", "gap within", "double within", "late within"],
)
def test_nothing_is_taken_where_one_number_is_out_of_turn(keys):
    checker = begun()
    assert checker._take_plain([fact("SB-01", 1)])
    before = deepcopy((checker._next, checker._run))
    assert not checker._take_plain([fact("SB-03", 1), *(fact(*key) for key in keys)])
    assert (checker._next, checker._run) == before


def test_an_entry_of_nothing_is_left_to_the_check_of_each():
    assert plain_facts.runs_of([], [ID]) is None
    assert plain_facts.runs_of([b""], [ID]) is None


def test_bundles_before_one_that_fails_are_checked_before_its_failure():
    def bundles() -> Iterator[tuple[int, list[bytes]]]:
        for number in range(40):
            if number == 35:
                raise CheckFailed("spoilt", 35 * WIDTH)
            yield number * WIDTH, [b"%d" % number] * WIDTH

    taken = list[tuple[int, int]]()

    def take_all() -> None:
        for first, block in _in_blocks(bundles()):
            assert block[0] == b"%d" % (first // WIDTH)
            taken.append((first, len(block)))

    with pytest.raises(CheckFailed, match="spoilt"):
        take_all()
    assert taken == [(0, BLOCK), (BLOCK, BLOCK), (2 * BLOCK, 3 * WIDTH)]


def test_a_registration_is_left_to_the_check_of_each():
    checker = begun()
    checker._schemas |= registration_ids()
    assert not checker._take_plain([fact("house", 1, schema=min(registration_ids()))])
    assert checker._take_plain([fact("house", 1)])
