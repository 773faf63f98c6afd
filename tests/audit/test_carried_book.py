"""The coupons' book from a kept state: as followed from the beginning, whatever came late."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import pytest

from ledger import coupons
from ledger.audit import audit_day, carried_coupon_book, read_coupons, read_office
from ledger.audit.coupon_book_parts import book_of, parts_of
from ledger.coupons import CustodyRegister
from ledger.coupons.serial import Serial
from ledger.events import Fact
from ledger.floor import FIRST_DAY, Plant, simulate
from ledger.kernel import FactRef
from ledger.log import Signer
from ledger.log.signed_file_index import SealedFolder, Seals
from tests.engine import log_of, sealed_replay

DAYS: Final = 3
HOUR: Final = 3_600_000_000


@pytest.fixture(scope="module")
def facts() -> list[Fact]:
    """Three short days of coupons in use."""
    plants = [Plant("coupon_not_in_box"), Plant("coupon_form_wrong")]
    return list(simulate(11, FIRST_DAY, DAYS, plants, scale=0.03, coupons=True).facts)


def followed(facts: Sequence[Fact], folder: Path | None) -> CustodyRegister:
    replay = sealed_replay(log_of(list(facts)))
    book = read_coupons(replay, read_office(replay), folder)
    assert book is not None
    return book


def state(book: CustodyRegister) -> bytes:
    """All that a book holds, as bytes; values that are equal give the same."""
    plain = pickle.loads(pickle.dumps(book))
    plain.custody.lines = {key: list(line) for key, line in plain.custody.lines.items()}
    plain.custody.forms = vars(plain.custody.forms)
    plain.closed = sorted(plain.closed)  # a set has no order of its own
    for record in plain.days.values():
        record.asked = sorted(record.asked)
    return repr(plain).encode()


@pytest.fixture(scope="module")
def whole(facts: list[Fact]) -> CustodyRegister:
    """The book of all facts, as followed from the beginning; it is only read."""
    return followed(facts, None)


def kept(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def moments(folder: Path) -> list[int]:
    return sorted(int(name.split("-")[1]) for name in kept(folder))


def test_the_last_day_starts_from_the_kept_state(
    facts: list[Fact], whole: CustodyRegister, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert state(followed(facts, tmp_path)) == state(whole)
    (name,) = kept(tmp_path)
    last = FIRST_DAY + timedelta(days=DAYS - 1)
    assert moments(tmp_path) == [whole.clock.start_of(last)]
    taken: list[int] = []
    follow = coupons.follow
    monkeypatch.setattr(coupons, "follow", lambda b, f, at: (taken.append(at), follow(b, f, at)))
    assert state(followed(facts, tmp_path)) == state(whole)
    assert min(taken) >= whole.clock.start_of(last)
    assert kept(tmp_path) == [name]


def test_the_next_night_starts_where_the_last_one_ended(
    facts: list[Fact], whole: CustodyRegister, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carried_coupon_book, "WORTH", 2_000)  # no state within a day
    clock = whole.clock
    for number in range(DAYS):
        until = clock.start_of(FIRST_DAY + timedelta(days=number + 1))
        tonight = [one for one in facts if one.event_time < until]
        assert state(followed(tonight, tmp_path)) == state(followed(tonight, None))
    starts = [clock.start_of(FIRST_DAY + timedelta(days=number)) for number in range(DAYS)]
    assert moments(tmp_path) == starts


def test_a_state_is_kept_shortly_before_the_end(
    facts: list[Fact], whole: CustodyRegister, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carried_coupon_book, "WORTH", 40)
    clock = whole.clock
    midnight = clock.start_of(FIRST_DAY + timedelta(days=DAYS - 1))
    for hours in (6, 9, 10, 11, 12, 13):
        until = midnight + hours * HOUR
        so_far = [one for one in facts if one.event_time < until]
        assert state(followed(so_far, tmp_path)) == state(followed(so_far, None))
        (begins, *later) = moments(tmp_path)
        assert begins == midnight
        assert all(midnight < moment < until for moment in later)
        assert len(later) <= carried_coupon_book.KEPT
    assert later
    taken: list[int] = []
    follow = coupons.follow
    monkeypatch.setattr(coupons, "follow", lambda b, f, at: (taken.append(at), follow(b, f, at)))
    followed(so_far, tmp_path)
    assert min(taken) >= later[-1] > midnight


def test_states_of_other_code_make_room(facts: list[Fact], tmp_path: Path) -> None:
    followed(facts, tmp_path)
    (path,) = tmp_path.iterdir()
    for number in range(carried_coupon_book.KEPT + 1):
        (tmp_path / f"{path.name[:-1]}{number:x}").write_bytes(b"of other code")
        path.rename(tmp_path / f"{path.name[:-2]}{number:x}0")
        followed(facts, tmp_path)
        assert path in tmp_path.iterdir()


@pytest.mark.by_turns(2)
@pytest.mark.parametrize(
    "kind",
    [
        "CouponsDistributed",
        pytest.param("PersonCredentialled", marks=pytest.mark.full),
        pytest.param("CouponRedeemed", marks=pytest.mark.full),
    ],
)
def test_a_late_fact_of_an_earlier_day_is_seen(
    facts: list[Fact], tmp_path: Path, kind: str
) -> None:
    late = next(one for one in facts if type(one).__name__ == kind)
    before = [one for one in facts if one is not late]
    assert state(followed(before, tmp_path)) == state(followed(before, None))
    after = [*before, late]
    assert state(followed(after, tmp_path)) == state(followed(after, None))
    assert state(followed(after, None)) != state(followed(before, None))


def test_a_late_filing_at_the_end_of_its_stream_is_seen(facts: list[Fact], tmp_path: Path) -> None:
    followed(facts, tmp_path)
    given = [one for one in facts if type(one).__name__ == "CouponFunctionGiven"][-1]
    last = max(one.seq for one in facts if one.stream == given.stream)
    late = replace(given, seq=last + 1, event_time=facts[-1].event_time + HOUR)
    assert state(followed([*facts, late], tmp_path)) == state(followed([*facts, late], None))


def test_a_gap_across_the_days_start_keeps_no_state(
    facts: list[Fact], whole: CustodyRegister, tmp_path: Path
) -> None:
    starts = whole.clock.start_of(FIRST_DAY + timedelta(days=DAYS - 1))
    mine = [one for one in facts if one.stream == "coupons/finance" and one.event_time < starts]
    torn = [one for one in facts if one is not mine[-1]]
    assert state(followed(torn, tmp_path)) == state(followed(torn, None))
    assert list(tmp_path.iterdir()) == []
    followed(facts, tmp_path)
    assert state(followed(torn, tmp_path)) == state(followed(torn, None))


def test_numbers_of_more_than_64_bits_are_kept(whole: CustodyRegister) -> None:
    """A serial number may have sixty digits; no column of whole numbers holds those."""
    book = pickle.loads(pickle.dumps(whole))
    ((prefix, digits), line), *_ = book.custody.lines.items()
    first = 10**30
    line.put(first, first + 4, (0,))
    box = next(box for box in book.boxes if box.dropped)
    box.dropped[Serial(prefix, digits, first)] = FactRef("SB-01/table", 1)
    again = book_of(iter([*parts_of(book)]), whole.clock)
    dropped = Serial(prefix, digits, first)
    assert again.boxes_with(dropped) == book.boxes_with(dropped) == [box]
    assert again.boxes_with(Serial(prefix, digits, first + 1)) == []
    assert again.box_days() == book.box_days() != set()
    assert again.unread.keys() == {"boxes", "hanging", "documents"}
    assert state(again) == state(book)
    assert again.hanging.keys() == book.hanging.keys()
    assert all(any(box is one for one in again.boxes) for box in again.hanging.values())
    with pytest.raises(AttributeError, match="has no attribute"):
        _ = again.paper


@pytest.mark.by_turns(2)
@pytest.mark.parametrize(
    "harm",
    [
        pytest.param("cut", marks=pytest.mark.full),
        "changed",
        pytest.param("empty", marks=pytest.mark.full),
        "signed by another",
    ],
)
def test_a_harmed_state_is_passed_over(
    facts: list[Fact], whole: CustodyRegister, tmp_path: Path, harm: str
) -> None:
    followed(facts, tmp_path)
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    match harm:
        case "cut":
            path.write_bytes(data[:-40])
        case "changed":
            path.write_bytes(data[:900] + bytes([data[900] ^ 1]) + data[901:])
        case "empty":
            path.write_bytes(b"")
        case _:
            forger = Signer("engine.example", bytes([7]) * 32)
            seals = Seals(forger.verifier, forger)
            assert SealedFolder(tmp_path, "carried", seals).write(path.name, [data[:900]])
    assert state(followed(facts, tmp_path)) == state(whole)


def test_an_audit_is_the_same_with_and_without(facts: list[Fact], tmp_path: Path) -> None:
    replay = sealed_replay(log_of(facts))
    days = [FIRST_DAY + timedelta(days=number) for number in range(DAYS)]

    def digests(folder: Path | None) -> list[tuple[date, str]]:
        return [(day, audit_day(replay, day, carried=folder).digest) for day in days]

    assert digests(None) == digests(tmp_path) == digests(tmp_path)
