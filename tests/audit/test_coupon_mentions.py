"""Which facts name a coupon, as kept: as read from nothing, whatever came late or was amended."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.audit import coupon_mentions
from ledger.audit.coupon_mentions import CouponMentions
from ledger.events import Fact, WagerPlaced
from ledger.floor import FIRST_DAY, simulate
from ledger.replay import Replay
from tests.audit.test_amendments import amendment
from tests.engine import log_of, sealed_replay


@pytest.fixture(scope="module")
def facts() -> list[Fact]:
    """A short day with coupons in use."""
    return list(simulate(11, FIRST_DAY, 1, scale=0.02, coupons=True).facts)


@pytest.fixture(autouse=True)
def always_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep after each question, however little came since."""
    monkeypatch.setattr(coupon_mentions, "KEEP_EVERY", 1)


def with_coupon(facts: Sequence[Fact]) -> Iterator[WagerPlaced]:
    return (fact for fact in facts if isinstance(fact, WagerPlaced) and fact.coupons)


def of_log(facts: Sequence[Fact], folder: Path | None) -> list[object]:
    return sorted(CouponMentions.of(sealed_replay(log_of(facts)), folder))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_and_what_came_since_is_what_reading_everything_gives(
    facts: list[Fact], tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    arrived = list(facts)
    for _ in range(40):  # some come late
        arrived.insert(dice.randrange(len(arrived)), arrived.pop(dice.randrange(len(arrived))))
    old = dice.choice([*with_coupon(facts)])
    arrived += [amendment(old, None), amendment(old, replace(old, coupons=()), 2)]
    cuts = sorted(dice.sample(range(len(arrived)), 5))
    for cut in [*cuts, len(arrived) - 2, len(arrived) - 1, len(arrived)]:
        assert of_log(arrived[:cut], tmp_path) == of_log(arrived[:cut], None)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_wager_that_was_withdrawn_names_nothing(facts: list[Fact], tmp_path: Path) -> None:
    old = next(with_coupon(facts))
    of_log(facts, tmp_path)
    before = {fact for fact, _ in CouponMentions.of(sealed_replay(log_of(facts)), tmp_path)}
    log = log_of([*facts, amendment(old, None)])
    after = {fact for fact, _ in CouponMentions.of(sealed_replay(log), tmp_path)}
    assert before - after == {(old.stream, old.seq)}


def test_a_number_is_looked_for_among_the_digits_of_serials() -> None:
    written = ["M25-0000041", "M25 00 00041", "M25-0000042", "P10-0004100", "M25-00-000-4-1"]
    rows = [(at, 9, serial) for at, serial in enumerate(written)]
    plain = CouponMentions(streams={"SB-01": rows, "DC-01": [(7, 1, "M25-0000002")]})
    broken = CouponMentions(streams={"SB-01": [*rows, (8, 10, "M25-00000\n41")]})
    assert [mention.at for _, mention in plain.of_number(41)] == [0, 1, 3, 4]
    assert [mention.at for _, mention in broken.of_number(41)] == [0, 1, 3, 4, 8]


def test_what_is_kept_is_not_read_again(
    facts: list[Fact], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = of_log(facts, tmp_path)
    monkeypatch.setattr(Replay, "walk", lambda *_args, **_more: pytest.fail("read again"))
    assert whole
    assert of_log(facts, tmp_path) == whole


@pytest.mark.parametrize("harm", ["cut", "altered", "another ledger's"])
def test_what_was_not_sealed_of_this_ledger_is_made_again(
    facts: list[Fact], tmp_path: Path, harm: str
) -> None:
    others = [fact for fact in facts if not (isinstance(fact, WagerPlaced) and fact.coupons)]
    of_log(others if harm == "another ledger's" else facts, tmp_path)
    (kept,) = tmp_path.iterdir()
    stored = kept.read_bytes()
    if harm == "cut":
        kept.write_bytes(stored[: len(stored) // 2])
    elif harm == "altered":
        serial = next(with_coupon(facts)).coupons[0].serial.encode()
        kept.write_bytes(stored.replace(serial, serial[::-1]))
    assert of_log(facts, tmp_path) == of_log(facts, None)
