"""The coupons' share of an audit: by day, whatever the order of arrival, and nothing without them."""

import random
from dataclasses import replace

import pytest

from ledger.audit import audit_day, read_coupons, read_office
from ledger.coupons import AT_TABLES, reconcile
from ledger.events import CouponsCancelled, CouponsCounted, ReconciliationFormCompleted
from ledger.floor import FIRST_DAY
from ledger.replay import Replay
from tests.coupons.scene import DAY, NEXT, facts_of
from tests.engine import floor_day, log_of, sealed_replay

LATE = 26 * 3_600 * 1_000_000


def audited(facts, day=DAY, **how):
    return audit_day(sealed_replay(log_of(facts)), day, **how)


def codes(audit):
    return sorted(finding.code for finding in audit.findings)


def test_a_day_in_order_has_no_finding():
    assert audited(facts_of("day-in-order")).findings == ()


@pytest.mark.parametrize("name", ["errors-do-not-cancel-out", "in-another-tables-box", "no-form"])
def test_the_digest_is_the_same_in_any_order_of_arrival_and_in_parts(name):
    facts = facts_of(name)
    whole = audited(facts)
    assert whole.findings
    mixed = list(facts)
    random.Random(7).shuffle(mixed)
    replay = Replay(log_of(mixed, batch=13))
    assert audit_day(replay, DAY).digest == whole.digest
    assert audit_day(replay, DAY).findings == whole.findings


def test_carried_states_change_nothing(tmp_path):
    facts = facts_of("carry-over-short")
    plain = [audited(facts, day).digest for day in (DAY, NEXT)]
    kept = [audited(facts, day, carried=tmp_path).digest for day in (DAY, NEXT)]
    again = [audited(facts, day, carried=tmp_path).digest for day in (DAY, NEXT)]
    assert plain == kept == again


@pytest.mark.parametrize("kind", [CouponsCounted, CouponsCancelled, ReconciliationFormCompleted])
def test_what_comes_the_morning_after_belongs_to_its_gaming_day(kind):
    facts = facts_of("day-in-order")
    moved = [
        replace(one, event_time=one.event_time + LATE, for_gaming_day=str(DAY))
        if isinstance(one, kind) else one
        for one in facts
    ]  # fmt: skip
    moved.sort(key=lambda one: one.event_time)
    seqs: dict[str, int] = {}
    numbered = []
    for one in moved:
        seqs[one.stream] = seqs.get(one.stream, 0) + 1
        numbered.append(replace(one, seq=seqs[one.stream]))
    audit = audited([one for one in numbered if type(one).__name__ != "GamingDayClosed"])
    assert not {"form_missing", "redeemed_not_dropped", "coupon_not_cancelled"} & set(codes(audit))


def test_only_streams_with_facts_of_coupons_or_boxes_are_walked_for_them():
    replay = Replay(log_of(facts_of("day-in-order")))
    assert replay.streams_with(AT_TABLES) == ("SB-01", "TF-01")
    names = {type(step.fact).__name__ for step in replay.walk(["SB-01"], only=["CouponRedeemed"])}
    assert names == {"CouponRedeemed"}


def test_a_ledger_without_coupons_is_not_walked_again():
    replay = Replay(log_of(floor_day(scale=0.01)[0]))
    walked = []
    house = read_office(replay)
    replay.walk = lambda *said, **more: walked.append(said)
    assert read_coupons(replay, house) is None
    assert walked == []
    del replay.walk
    assert audit_day(replay, FIRST_DAY).findings == ()


def test_a_lost_fact_is_a_gap_and_what_leans_on_it_is_unknown():
    facts = facts_of("day-in-order")
    lost = next(one for one in facts if type(one).__name__ == "CouponsDistributed")
    audit = audited([one for one in facts if one is not lost])
    assert "gap" in codes(audit)
    assert {f.certainty.value for f in audit.findings if f.code != "gap"} <= {"unknown"}
    replay = Replay(log_of([one for one in facts if one is not lost]))
    book = read_coupons(replay, read_office(replay))
    assert book is not None
    assert not reconcile(book, DAY).is_sure
