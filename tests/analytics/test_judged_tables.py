"""What was judged and kept is what judging from nothing gives, whatever came since, in any order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger import events
from ledger.analytics import JudgedTables, judged_by, judged_tables, open_projection
from ledger.analytics.projection import vouched_parts
from ledger.audit import (
    Day,
    DayAudit,
    DayUnknown,
    FormDesk,
    ListedDay,
    PropertyUnknown,
    audit_day,
    day_of,
    findings_of_coupon,
    gaming_days,
    read_coupons,
    read_office,
    tables_on,
)
from ledger.audit.coupons import streams_of_coupons
from ledger.cli import main
from ledger.cli.days import round_seen, seen_round
from ledger.codec import frame
from ledger.coupons.followed_events import WANTED
from ledger.events import Fact
from ledger.kernel import Finding, table_of
from ledger.log import Arrival, open_log
from ledger.log.bundle_states import numbers_in
from ledger.log.signed_file_index import SealedFolder, Seals, content_of
from ledger.replay import FactStep, Replay, kept_index
from tests.analytics import given
from tests.coupons import forms_scene
from tests.engine import log_of, of_tables, sealed_replay
from tests.games.facts import fact as made

ABOUT: dict[str, Any] = {
    "action": "a" * 32,
    "for_gaming_day": "2021-06-12",
    "code": "overpaid",
    "section": "621a.1",
    "table": "SB-01",
    "subject": "",
    "certain": True,
    "first_stream": None,
    "first_seq": None,
    "first_time": 0,
    "last_time": 0,
    "findings": 1,
    "overpaid_cents": 1,
    "underpaid_cents": None,
    "evidence": bytes(32),
    "tree_size": 1,
    "root": bytes(32),
}
SEEDS_IN_FULL = 12
BATCHES = 6


class Counter:
    """Counts which tables are judged, and judges them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tables: list[str] = []
        self.in_bulk: set[object] = set()
        real = judged_tables.judge

        def judge(*args: object, **settings: object) -> object:
            self.tables.append(str(args[2]))
            self.in_bulk.add(settings["in_bulk"])
            return real(*args, **settings)  # type: ignore[arg-type]

        monkeypatch.setattr(judged_tables, "judge", judge)

    def since(self) -> list[str]:
        """The tables judged since this was asked last."""
        tables, self.tables = self.tables, []
        return sorted(tables)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Counter:
    return Counter(monkeypatch)


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    """A ledger of its own: two gaming days with plants."""
    sent = given.facts(*given.PLANTS, days=2, scale=0.025, coupons=True)
    return given.ledger(tmp_path / "ledger", [*of_tables(sent, "SB-01", "DC-01", "AP-01")])


def audits(folder: Path) -> list[object]:
    """The audit of each day from what is kept, each held against one from nothing."""
    replay = Replay.open(folder)
    kept = JudgedTables(replay, folder / "cache")
    audited = [kept.audit(day) for day in gaming_days(replay)]
    assert audited == [audit_day(replay, day) for day in gaming_days(replay)]
    return list(audited)


def tables_of(folder: Path) -> list[str]:
    return sorted(Replay.open(folder).tables())


def last_of(folder: Path, stream: str) -> Fact:
    replay = Replay.open(folder)
    fact = replay.fact(stream, replay.extent(stream).last_seq)
    assert fact is not None
    return fact


def test_what_is_kept_is_judged_once(floor: Path, judged: Counter) -> None:
    first = audits(floor)
    assert judged.since() == sorted(2 * tables_of(floor))
    assert audits(floor) == first
    assert judged.since() == []


def test_a_fact_at_a_table_is_judged_with_its_table_alone(floor: Path, judged: Counter) -> None:
    audits(floor)
    judged.since()
    last = last_of(floor, "SB-01")
    relieved = replace(
        made("StaffRelieved", last.seq + 1, 0, role="DEALER", person="D-9"),
        stream="SB-01",
        event_time=last.event_time + 1_000_000,
        source=last.source,
    )
    given.append(floor, [relieved])
    audits(floor)
    assert judged.since() == ["SB-01"]


def test_what_persons_note_is_judged_by_no_table(floor: Path, judged: Counter) -> None:
    audits(floor)
    judged.since()
    noted = replace(
        made(
            "ActionNoted", 1, 0, about=events.ActionAbout(**ABOUT), note="looked at", noted_by="S-1"
        ),
        stream="cases/actions",
        event_time=given.RECORDED_AT,
    )
    given.append(floor, [noted])
    audits(floor)
    assert judged.since() == []


def test_a_filing_is_judged_with_every_table(floor: Path, judged: Counter) -> None:
    audits(floor)
    judged.since()
    last = last_of(floor, "house")
    described = replace(
        made(
            "LayoutApproved",
            last.seq + 1,
            0,
            layout="another",
            game="sic_bo",
            bureau="GAMING_OPERATIONS",
        ),
        stream="house",
        event_time=last.event_time,
        source=last.source,
    )
    given.append(floor, [described])
    audits(floor)
    assert judged.since() == sorted(2 * tables_of(floor))


def arrivals(random: Random) -> Iterator[list[Fact]]:
    """Two days in batches: most in order, some late, some much too late, in any order by stream."""
    drawn = given.facts(*given.PLANTS, days=2, scale=0.02, coupons=True)
    sent = of_tables(drawn, "SB-01", "DC-01", "PH-01", "AP-02")
    house = [fact for fact in sent if table_of(fact.stream) == "house"]
    rest = [fact for fact in sent if table_of(fact.stream) != "house"]
    place = {id(fact): number / len(rest) for number, fact in enumerate(rest)}
    late = {id(fact): random.random() for fact in rest if random.random() < 0.03}
    when = {key: max(at, late.get(key, 0)) for key, at in place.items()}
    if random.random() < 0.5:  # the closings come with the house's other facts, else as they came
        closings = [fact for fact in house if isinstance(fact, events.GamingDayClosed)]
        house = [fact for fact in house if not isinstance(fact, events.GamingDayClosed)]
        rest += closings
        when |= {id(fact): random.random() for fact in closings}
    rest.sort(key=lambda fact: when[id(fact)])
    cuts = sorted(random.sample(range(1, len(rest)), BATCHES - 1))
    yield house
    for low, high in zip([0, *cuts], [*cuts, len(rest)], strict=True):
        yield rest[low:high]


def follows(seed: int, cache: Path) -> None:
    """After each batch every day is, from what was kept before, what it is from nothing."""
    random, there = Random(seed), list[Fact]()
    for batch in arrivals(random):
        there += batch
        replay = sealed_replay(log_of(there))
        kept = JudgedTables(replay, cache)
        for day in gaming_days(replay):
            if random.random() < 0.8:  # a day is not asked for after every batch
                assert same(kept, replay, day), (seed, len(there), day)


def same(kept: JudgedTables, replay: Replay, day: date) -> bool:
    try:
        expected = audit_day(replay, day)
    except (DayUnknown, PropertyUnknown):
        return True
    return kept.audit(day) == expected


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.full)])
def test_batches_in_any_order(seed: int, tmp_path: Path) -> None:
    follows(seed, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, SEEDS_IN_FULL))
def test_more_batches_in_any_order(seed: int, tmp_path: Path) -> None:
    follows(seed, tmp_path)


def test_a_flipped_judgment_is_judged_again(floor: Path, judged: Counter) -> None:
    first = audits(floor)
    judged.since()
    of_coupons = judged_tables.sha256(judged_tables.COUPONS.encode()).hexdigest()[:32]
    lying = (floor / "cache" / "judged").iterdir()
    paths = sorted(path for path in lying if not path.name.endswith(of_coupons))
    stored = bytearray(paths[0].read_bytes())
    stored[len(stored) // 2] ^= 1
    paths[0].write_bytes(stored)
    paths[1].write_bytes(paths[2].read_bytes())  # another table's, sealed under its own name
    paths[3].write_bytes(b"")
    assert audits(floor) == first
    assert len(judged.since()) == 3


def test_rounds_told_from_tables_give_the_same_judgment_byte_for_byte(floor: Path) -> None:
    replay = Replay.open(floor)
    fresh = JudgedTables(replay, None)
    for day in gaming_days(replay):
        span = day_of(fresh.record.clock, day)
        for table in tables_on(replay, span):
            plain, in_bulk = (
                judged_tables.packed(
                    judged_tables.judge(
                        replay, fresh.house, table, span, None, fresh.inputs, in_bulk=in_bulk
                    )
                )
                for in_bulk in (False, True)
            )
            assert in_bulk == plain, (table, day)


def test_who_checks_or_keeps_nothing_is_given_no_round_from_a_table(
    floor: Path, judged: Counter
) -> None:
    replay = Replay.open(floor)
    kept = JudgedTables(replay, floor / "cache")
    day = gaming_days(replay)[0]
    audit, by_table = kept.audit(day), judged.in_bulk
    judged.in_bulk = set()
    assert kept.check().difference is None
    assert JudgedTables(replay, None).audit(day) == audit
    assert (by_table, judged.in_bulk) == ({True}, {False})


def test_who_has_no_key_keeps_nothing_and_reads_what_is_kept(floor: Path, judged: Counter) -> None:
    first = audits(floor)
    judged.since()
    (floor / "keys" / "signer").rename(floor.with_name("elsewhere"))
    assert audits(floor) == first
    assert judged.since() == []
    (floor / "cache" / "judged").rename(floor / "gone")
    assert audits(floor) == first
    assert not (floor / "cache" / "judged").exists()


def test_a_judgment_that_the_key_itself_forged_is_named(
    floor: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The seal tells that nobody else wrote it; only judging again tells that it is wrong."""
    audits(floor)
    assert main(["verify", "--judged", "--ledger", str(floor)]) == 0
    days = f"{2 * len(tables_of(floor))} days of a table"
    assert f"Judged again from the facts, and the same: {days}" in capsys.readouterr().out
    for path in (floor / "cache" / "judged").iterdir():
        kept = judged_tables.unpacked(content_of(path.read_bytes()) or b"")
        if isinstance(kept, judged_tables.JudgedTable) and kept.part.findings:
            break
    else:
        pytest.fail("no table has a finding")
    kept.part.findings.clear()
    forged = judged_tables.packed(kept)
    seals = Seals.of(floor)
    digest = judged_tables.sha256(forged).hexdigest()
    path.write_bytes(forged + seals.trailer(judged_tables.KIND, path.name, digest))
    assert main(["verify", "--judged", "--ledger", str(floor)]) == 4
    assert f"NOT what was judged: {kept.part.table} on " in (told := capsys.readouterr().out)
    assert "its findings" in told


def test_several_processes_judge_what_one_does(floor: Path) -> None:
    replay = Replay.open(floor)
    kept = JudgedTables(replay, floor / "cache")
    day = gaming_days(replay)[0]
    assert kept.audit(day, processes=2) == audit_day(replay, day)


def test_a_withdrawn_fact_is_judged_with_its_table(floor: Path, judged: Counter) -> None:
    """An amendment bears through the fact that it changes."""
    audits(floor)
    judged.since()
    replay = Replay.open(floor)
    stream = next(name for name in replay.streams() if name.startswith("DC-01"))
    amended = replace(
        made(
            "FactAmended",
            1,
            0,
            amended_stream=stream,
            amended_seq=replay.extent(stream).last_seq,
            replacement=None,
            reason="it was nothing",
            amended_by="X-1",
            approved_by="X-2",
        ),
        stream="amendments",
        event_time=given.RECORDED_AT,
    )
    with open_log(floor) as log:
        log.append([Arrival(frame(amended))], given.RECORDED_AT)
    audits(floor)
    assert set(judged.since()) <= {"DC-01"}


def test_a_coupon_used_at_a_table_that_comes_late_is_judged_where_it_was_used_again(
    tmp_path: Path, judged: Counter
) -> None:
    """The custody of coupons is no input; what a play asked about one is asked again.

    A plant uses a coupon of DC-01 again at SB-01: until DC-01 comes, that is its only use.
    """
    sent = given.facts(*["coupon_redeemed_twice"] * 3, scale=0.1, coupons=True)
    known = [fact for fact in sent if not isinstance(fact, events.GamingDayClosed)]
    first = of_tables(known, "SB-01", "AP-01", "PH-01")
    folder = given.ledger(tmp_path / "ledger", [*first])
    audits(folder)
    assert judged.since() == ["AP-01", "PH-01", "SB-01"]
    given.append(folder, [fact for fact in known if table_of(fact.stream) == "DC-01"])
    audits(folder)
    assert judged.since() == ["DC-01", "SB-01"]


def test_a_round_with_a_coupon_is_shown_without_the_custody_of_all_coupons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = given.ledger(tmp_path / "ledger", given.facts(scale=0.02, coupons=True))
    projection = open_projection(folder)
    replay = Replay.open(folder)
    judged = JudgedTables(replay, folder / "cache")
    (day,) = (marts.day for marts in projection.days)
    asked = [a for table in judged.tables(day_of(judged.record.clock, day)) for a in table.answers]
    placed = next(str(answer.placed) for answer in asked if answer.placed is not None)
    from_nothing = round_seen(replay, JudgedTables(replay, None), None, placed)

    def followed(*_: object) -> None:
        pytest.fail("all coupons were followed for one round")

    monkeypatch.setattr(judged_tables, "read_coupons", followed)
    seen, _ = seen_round(folder, placed)
    assert seen.result == from_nothing.result
    assert any(wager.coupons for wager in seen.result.wagers)
    proved: set[int] = set()
    real = Replay.prove_bundles

    def noting(self: Replay, numbers: set[int]) -> None:
        proved.update(numbers)
        real(self, numbers)

    monkeypatch.setattr(Replay, "prove_bundles", noting)
    seen_round(folder, placed)
    of_coupons = replay.bundles_of(streams_of_coupons(replay), only=WANTED)
    assert of_coupons
    assert of_coupons <= proved


def test_findings_of_a_coupon_are_the_same_from_what_was_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = given.facts("coupon_redeemed_twice", "coupon_kept_by_dealer", scale=0.02, coupons=True)
    folder = given.ledger(tmp_path / "ledger", facts)
    open_projection(folder)
    replay = Replay.open(folder)
    house = read_office(replay)
    book = read_coupons(replay, house)
    assert book is not None
    used = [fact.serial for fact in facts if isinstance(fact, events.CouponRedeemed)]
    serials = sorted({book.custody.forms.read(serial) for serial in used})
    again = [findings_of_coupon(replay, house, book, serial) for serial in serials]
    monkeypatch.setattr("ledger.audit.day.audit_one", lambda *_: pytest.fail("judged again"))
    judged = judged_by(folder, replay)
    assert [
        findings_of_coupon(replay, house, book, serial, None, judged) for serial in serials
    ] == again
    assert sum(map(bool, again)) >= 2


def test_findings_about_forms_are_looked_through_on_either_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signed form that a late fact changed, and one that a stranger signed: each is looked
    through for the coupon whether the read model vouches for the day or not."""
    scene = forms_scene.scene()
    first = FormDesk.open(forms_scene.memory(scene.facts))
    by_her = forms_scene.signed(first, first.issue("daily", forms_scene.DAY))
    stranger = replace(by_her.signature, person="C-NOBODY")
    by_stranger = replace(by_her, seq=2, event_time=by_her.event_time + 1, signature=stranger)
    facts = [*scene.facts, by_her, by_stranger, scene.late]
    folder = forms_scene.folder(tmp_path / "ledger", facts)
    open_projection(folder)
    replay = Replay.open(folder)
    house = read_office(replay)
    book = read_coupons(replay, house)
    assert book is not None
    serial = book.custody.forms.read("M25-0041877")
    looked_through: list[Finding] = []

    def noting(_: object, finding: Finding, __: object) -> bool:
        looked_through.append(finding)
        return True

    monkeypatch.setattr(sys.modules[findings_of_coupon.__module__], "names", noting)
    unvouched = findings_of_coupon(replay, house, book, serial)
    of_unvouched, looked_through[:] = [*looked_through], []
    judged = judged_by(folder, replay)
    span = day_of(house.clock, forms_scene.DAY)
    assert judged.custody_findings(span) is not None
    vouched = findings_of_coupon(replay, house, book, serial, None, judged)
    assert vouched == unvouched
    assert looked_through == of_unvouched
    assert {"form_superseded", "decision_not_entitled"} <= {finding.code for finding in vouched}


def test_what_is_kept_of_a_day_is_taken_only_where_it_is_vouched_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = given.ledger(
        tmp_path / "ledger", given.facts("coupon_redeemed_twice", scale=0.02, coupons=True)
    )
    (day,) = (marts.day for marts in open_projection(folder).days)
    replay = Replay.open(folder)
    from_nothing = JudgedTables(replay, None).audit(day)
    followed: list[object] = []
    real = judged_tables.read_coupons

    def noting(*given: Any) -> object:
        followed.append(given)
        return real(*given)

    monkeypatch.setattr(judged_tables, "read_coupons", noting)
    assert judged_by(folder, replay).audit(day).findings == from_nothing.findings
    assert not followed
    span = day_of(judged_by(folder, replay).record.clock, day)
    shown_by_lists(folder, span, from_nothing, capsys)
    path = folder / "cache" / "judged" / judged_tables._name(judged_tables.COUPONS, span)
    others = judged_tables.packed(judged_tables.JudgedCoupons(findings=(), stands={}))
    digest = judged_tables.sha256(others).hexdigest()
    forged = others + Seals.of(folder).trailer(judged_tables.KIND, path.name, digest)
    path.write_bytes(forged)  # by the key itself, and for another state of the ledger
    assert judged_by(folder, replay).audit(day).findings == from_nothing.findings
    assert followed
    path.write_bytes(forged)
    monkeypatch.setattr(SealedFolder, "read_known", lambda self, name, _digest: self.read(name))
    assert main(["verify", "--judged", "--ledger", str(folder)]) == 4
    assert "2021-06-12: what the coupons add" in capsys.readouterr().out


def shown_by_lists(
    folder: Path, span: Day, audit: DayAudit, capsys: pytest.CaptureFixture[str]
) -> None:
    """What lists show is read without the tables, and only where the read model vouches for it."""
    replay, shown = Replay.open(folder), ListedDay.of(audit)
    assert shown is not None
    assert ListedDay.of(replace(audit, amended=(None,))) is None  # type: ignore[arg-type]
    path = folder / "cache" / "judged" / judged_tables._name(judged_tables.LISTED, span)
    sealed = path.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JudgedTables, "tables", lambda *_: pytest.fail("the tables were read"))
        assert judged_by(folder, replay).listed(span.date) == shown
    written = judged_tables._listed_format().write(replace(shown, findings=()))
    others = judged_tables.zlib.compress(written)
    digest = judged_tables.sha256(others).hexdigest()
    path.write_bytes(others + Seals.of(folder).trailer(judged_tables.KIND, path.name, digest))
    assert judged_by(folder, replay).listed(span.date).findings == shown.findings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SealedFolder, "read_known", lambda self, name, _digest: self.read(name))
        assert main(["verify", "--judged", "--ledger", str(folder)]) == 4
    assert "2021-06-12: what lists show" in capsys.readouterr().out
    path.write_bytes(sealed)


def test_a_note_takes_back_what_lists_show_until_the_read_model_has_it(floor: Path) -> None:
    open_projection(floor)
    noted = replace(
        made(
            "ActionNoted", 1, 0, about=events.ActionAbout(**ABOUT), note="looked at", noted_by="S-1"
        ),
        stream="cases/actions",
        event_time=given.RECORDED_AT,
    )
    given.append(floor, [noted])
    replay = Replay.open(floor)
    vouched = vouched_parts(floor, replay, read_office(replay))
    assert vouched.parts
    assert not any(table == judged_tables.LISTED for table, _ in vouched.parts)
    open_projection(floor)
    parts = vouched_parts(floor, replay, read_office(replay)).parts
    days = gaming_days(replay)
    assert [day for table, day in parts if table == judged_tables.LISTED] == days
    listed = [judged_by(floor, replay).listed(day) for day in days]
    assert listed == [ListedDay.of(audit_day(replay, day)) for day in days]


def test_every_fact_about_coupons_lies_in_the_bundles_that_are_proved(tmp_path: Path) -> None:
    """Those of a fact more or less would leave an answer on what nobody looked at."""
    folder = given.ledger(tmp_path / "ledger", given.facts(days=2, scale=0.05, coupons=True))
    open_projection(folder)
    replay = Replay.open(folder)
    vouched = vouched_parts(folder, replay, read_office(replay))
    streams = [name for names in replay.tables().values() for name in names]
    about = {
        step.position // 256
        for step in replay.walk(streams)
        if isinstance(step, FactStep) and type(step.fact).__name__ in WANTED
    }
    assert numbers_in(list(vouched.coupons)) == about
    assert about < {one for spans in vouched.bundles.values() for one in numbers_in(spans)}


def test_states_within_a_day_are_kept_and_missed_where_they_are_damaged(floor: Path) -> None:
    replay = Replay.open(floor)
    day = gaming_days(replay)[0]
    judge = JudgedTables(replay, None)
    table = judge.tables(day_of(judge.record.clock, day))[0]
    many = replace(table, within=judged_tables._squeezed({at: b"state %d" % at for at in (1, 2)}))
    stored = judged_tables.packed(many)
    kept = judged_tables.unpacked(stored)
    assert kept == many
    assert judged_tables.answers_and_states(stored) == (many.answered, many.within)
    assert judged_tables.answers_and_states(b"?" + stored) is None
    assert kept.states == {1: b"state 1", 2: b"state 2"}
    for broken in (b"", many.within[:24], many.within[:20] + b"!" + many.within[21:]):
        torn = judged_tables.unpacked(judged_tables.packed(replace(many, within=broken)))
        assert isinstance(torn, judged_tables.JudgedTable)
        assert (torn.states, torn.part, torn.lines) == ({}, many.part, many.lines)


def test_a_count_that_comes_a_day_later_is_judged_with_its_day(
    floor: Path, judged: Counter
) -> None:
    audits(floor)
    judged.since()
    last = last_of(floor, "SB-01/chips")
    count = replace(
        made(
            "DropBoxCounted", last.seq + 1, 0, box="B-9", for_gaming_day="2021-06-12", chips_cents=0
        ),
        stream=last.stream,
        event_time=last.event_time + 1_000_000,
        source=last.source,
    )
    given.append(floor, [count])
    audits(floor)
    assert judged.since() == ["SB-01", "SB-01"]


def test_a_control_total_that_comes_later_is_judged_with_its_tables(
    floor: Path, judged: Counter
) -> None:
    """It states more facts at a table than there are: the end of its day was lost."""
    audits(floor)
    judged.since()
    replay, last = Replay.open(floor), last_of(floor, "house")
    ends = tuple(
        events.StreamEnd(stream=name, last_seq=replay.extent(name).last_seq + 3 * (name == "DC-01"))
        for name in replay.streams()
    )
    closed = replace(
        made("GamingDayClosed", last.seq + 1, 0, gaming_day="2021-06-13", streams=ends),
        stream="house",
        event_time=last.event_time + 1_000_000,
        source=last.source,
    )
    given.append(floor, [closed])
    audits(floor)
    assert "DC-01" in judged.since()


@pytest.mark.parametrize(("offset", "again"), [(20_000, set()), (-20_001, {"SB-01"})])
def test_a_clock_that_is_further_off_than_registered_has_its_tables_judged_again(
    offset: int, again: set[str], floor: Path, judged: Counter
) -> None:
    """The floor registers 20 ms: a check within that says nothing of the order of facts."""
    audits(floor)
    judged.since()
    last, terminal = last_of(floor, "house"), last_of(floor, "SB-01").source
    checked = replace(
        made("ClockChecked", last.seq + 1, 0, checked_source=terminal, offset_micros=offset),
        stream="house",
        event_time=last.event_time + 1_000_000,
        source=last.source,
    )
    given.append(floor, [checked])
    audits(floor)
    assert {*judged.since()} == again


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("words", [("audit",), ("rounds",), ("tables",), ("actions", "list")])
def test_entries_changed_since_are_found_before_an_answer_is_given(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing of the day is read but what was kept; the entries that it rests on are proved."""
    monkeypatch.setattr(kept_index, "KEEP_EVERY", 64)
    folder = given.ledger(tmp_path / "ledger", of_tables(given.facts(scale=0.2), "DC-01"))
    for _ in range(2):
        assert main([*words, "--ledger", str(folder)]) in (0, 1)
    replay = Replay.open(folder)
    house = [name for streams in replay.offices().values() for name in streams]
    read = {step.position // 256 for step in replay.walk(house) if isinstance(step, FactStep)}
    walk = [step for step in replay.walk(["DC-01/wheel"]) if isinstance(step, FactStep)]
    number = min({step.position // 256 for step in walk} - read - {replay.size // 256})
    path = folder / "tile" / "entries" / f"{number:03d}"
    stored = bytearray(path.read_bytes())
    stored[len(stored) // 2] ^= 1
    path.write_bytes(stored)
    capsys.readouterr()
    assert main([*words, "--ledger", str(folder)]) == 4
    assert "not what was signed" in capsys.readouterr().err
