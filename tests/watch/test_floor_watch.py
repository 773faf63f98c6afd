"""What is told while facts arrive is what the audit of the closed day says, each thing once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from ledger.analytics import JudgedTables
from ledger.audit import audit_day, day_of, gaming_days, last_gaming_day, read_office, with_coupons
from ledger.audit.carried import CarriedStates
from ledger.codec import frame
from ledger.events import Fact, GamingDayClosed
from ledger.kernel import table_of
from ledger.log import Arrival, open_log
from ledger.log.signed_file_index import Seals
from ledger.replay import Replay
from ledger.reports.watch_output import silence_text
from ledger.rounds import InEveryOrder, RoundResult
from ledger.watch import Change, FloorWatch, Notice, Told, floor_watch, silence_data
from ledger.watch.table_watch import TableWatch
from ledger.watch.told import keep_told, read_told
from tests.analytics import given
from tests.audit.test_carried_book import state
from tests.engine import log_of, of_tables, table_day
from tests.games.facts import fact as made
from tests.watch.growing import audited, followed, parted, said, standing

PLANTS = (*given.PLANTS, "wrong_result_called")


def floor(*plants: str, scale: float = 0.05, days: int = 1) -> list[Fact]:
    return given.facts(*plants, days=days, scale=scale, coupons=True)


@pytest.mark.parametrize(
    "batch", [*(pytest.param(n, marks=pytest.mark.full) for n in (40, 400)), 1_500]
)
def test_what_is_told_is_what_the_audits_find(batch: int, tmp_path: Path) -> None:
    folder = tmp_path / "ledger"
    told: list[Notice] = []
    for notices, _ in followed(folder, floor(*PLANTS, days=2), batch):
        told += notices
    assert standing(told) == audited(folder)
    assert Counter(notice.change for notice in told) == {Change.FOUND: len(told)}
    rounds = [notice for notice in told if notice.round is not None]
    assert len(rounds) >= 7


def test_an_honest_floor_is_followed_in_silence(tmp_path: Path) -> None:
    folder, sent = tmp_path / "ledger", of_tables(given.facts(scale=0.05), "SB-01", "AP-01")
    assert not [notices for notices, _ in followed(folder, [*sent], 250) if notices]


@pytest.mark.parametrize("is_paid_late", [False, True])
def test_a_wrong_payment_is_told_while_the_next_round_is_open(
    is_paid_late: bool, tmp_path: Path
) -> None:
    """Deliver fact by fact from the wrong settlement on; the next round must still be open.

    Paid late is after betting opened again.
    """
    folder, sent = tmp_path / "ledger", floor("overpaid@SB-01", scale=0.03)
    first, rest = parted(sent)
    given.ledger(folder, first)
    audit = audit_day(Replay(log_of(sent)), date(2021, 6, 12))
    (wrong,) = [f.facts[-1] for f in audit.findings if f.code == "wager_overpaid"]
    settled = next(n for n, fact in enumerate(rest) if (fact.stream, fact.seq) == wrong)
    if is_paid_late:
        rest[settled:] = _paid_late(rest[settled:])
    given.append(folder, rest[:settled])
    watch = FloorWatch(folder, Told())
    watch.tick()
    openings = 0
    for fact in rest[settled:]:
        if fact.stream.partition("/")[0] != "SB-01":
            continue
        given.append(folder, [fact])
        openings += type(fact).__name__ == "BettingOpened"
        tick = watch.tick()
        assert tick is not None
        for table_watch in watch._tables.values():
            paused = table_watch.paused
            assert paused is not None
            as_known, paused.walk.play._tried = paused.findings(), None
            assert as_known == paused.findings()
        if any(notice.code == "wager_overpaid" for notice in tick.notices):
            (notice,) = [each for each in tick.notices if each.code == "wager_overpaid"]
            assert notice.section.startswith("§ 539.")
            assert openings == 1, "the round after the next one was open already"
            return
    pytest.fail("nothing was told")


def _paid_late(rest: list[Fact]) -> list[Fact]:
    """The first fact and what follows it in its stream, right after betting opened again."""
    table = table_of(rest[0].stream)
    opening = next(
        number
        for number, fact in enumerate(rest)
        if type(fact).__name__ == "BettingOpened" and table_of(fact.stream) == table
    )
    opened_at = rest[opening].event_time
    late = [fact for fact in rest[:opening] if fact.stream == rest[0].stream]
    moved = [
        replace(fact, event_time=opened_at + 1_000 * number) for number, fact in enumerate(late, 1)
    ]
    return [*(fact for fact in rest[:opening] if fact not in late), rest[opening], *moved,
            *rest[opening + 1 :]]  # fmt: skip


def test_a_fact_that_comes_late_withdraws_the_gap(tmp_path: Path) -> None:
    folder, sent = tmp_path / "ledger", floor(scale=0.03)
    first, rest = parted(sent)
    lost = next(fact for fact in rest if type(fact).__name__ == "WagerPlaced")
    told: list[Notice] = []
    given.ledger(folder, first)
    watch = FloorWatch(folder, Told())
    open_day = [fact for fact in rest if type(fact).__name__ != "GamingDayClosed"]
    given.append(folder, [fact for fact in open_day if fact is not lost])
    told += _ticked(watch)
    assert ("found", "gap") in {(notice.change.value, notice.code) for notice in told}
    given.append(folder, [lost])
    late = _ticked(watch)
    (withdrawn,) = [notice for notice in late if notice.code == "gap"]
    assert withdrawn.change is Change.WITHDRAWN
    assert withdrawn.because == "facts came that bear on it"
    assert standing([*told, *late]) == {}


def _restarted(watch: FloorWatch) -> FloorWatch:
    """A new watch that remembers what this one sealed."""
    seals = Seals.of(watch.folder)
    assert keep_told(watch.memory, watch.folder / "cache", seals)
    return FloorWatch(watch.folder, read_told(watch.folder / "cache", seals))


def _silences(watch: FloorWatch) -> list[tuple[str, str | None, bool]]:
    tick = watch.tick()
    assert tick is not None
    return [(one.table, one.camera, one.is_over) for one in tick.silences]


def _ticked(watch: FloorWatch) -> list[Notice]:
    tick = watch.tick()
    assert tick is not None
    return list(tick.notices)


def test_a_restart_repeats_nothing_and_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "ledger"
    told = [
        notice
        for notices, _ in followed(folder, floor(*PLANTS), 1_500, _restarted)
        for notice in notices
    ]
    assert standing(told) == audited(folder)
    assert max(Counter(map(said, told)).values()) == 1


def test_a_forged_memory_says_nothing(tmp_path: Path) -> None:
    """Whoever could write that something was told would keep it from being told."""
    folder = tmp_path / "ledger"
    told = [n for notices, _ in followed(folder, floor("overpaid"), 5_000) for n in notices]
    assert told
    seals = Seals.of(folder)
    watch = FloorWatch(folder, Told())
    _ticked(watch)
    keep_told(watch.memory, folder / "cache", seals)
    assert read_told(folder / "cache", seals).days
    path = folder / "cache" / "watch" / "told"
    path.write_bytes(path.read_bytes().replace(b"Paid", b"paid"))
    assert read_told(folder / "cache", seals) == Told()
    assert [*map(said, _ticked(FloorWatch(folder, Told())))] == [*map(said, told)]


def test_judging_on_from_a_state_gives_what_judging_the_day_gives(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", floor(*PLANTS, scale=0.1))
    replay = Replay.open(folder)
    house = with_coupons(replay, read_office(replay))
    day = day_of(house.clock, gaming_days(replay)[0])
    carried = CarriedStates(tmp_path / "carried", replay, house.office)
    resumed = 0
    for table in ("SB-01", "DC-01", "AP-01"):
        watch = TableWatch(table, day)
        ends = max(replay.extent(stream).last_time for stream in replay.tables()[table])
        for until in range(day.begins, ends + 1, 1_800_000_000):
            step = watch.judge(replay, house, carried, until)
            assert step == TableWatch(table, day).judge(replay, house, carried, until), until
        resumed += bool(watch.states)
    assert resumed


@pytest.mark.parametrize("seed", range(2))
def test_a_walk_that_pauses_judges_each_fact_once_and_as_one_that_begins_anew(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts that come in order are judged once; what comes late or tears a stream, again."""
    rng = Random(seed)
    facts = [*of_tables(floor(*PLANTS, scale=0.03), "SB-01", "SB-02")]
    first, rest = parted(facts)
    rest = [fact for fact in rest if type(fact) is not GamingDayClosed]
    by_table = {
        table: [fact for fact in rest if table_of(fact.stream) == table]
        for table in ("SB-01", "SB-02")
    }
    mine = by_table["SB-01"]
    late = rng.sample(mine[len(mine) // 4 : len(mine) // 2], 2)
    places = {
        id(fact): number / len(facts_of)
        for facts_of in by_table.values()
        for number, fact in enumerate(facts_of)
    }
    rest = sorted((fact for fact in rest if id(fact) in places), key=lambda one: places[id(one)])
    rest = [fact for fact in rest if fact not in late]
    folder = given.ledger(tmp_path / "ledger", first)
    taken: list[Fact] = []
    take = InEveryOrder.take

    def noted(orders: InEveryOrder, fact: Fact, at: int) -> Iterable[RoundResult]:
        taken.append(fact)
        return take(orders, fact, at)

    watch, notices = FloorWatch(folder, Told()), list[Notice]()
    halves = [rest[: len(rest) // 2], rest[len(rest) // 2 :]]
    given.append(folder, halves[0][:50])
    notices += _ticked(watch)
    monkeypatch.setattr(InEveryOrder, "take", noted)
    for begin in range(50, len(halves[0]), 90):
        given.append(folder, halves[0][begin : begin + 90])
        notices += _ticked(watch)
    again = Counter((fact.stream, fact.seq) for fact in taken)
    assert {number for (stream, _), number in again.items() if table_of(stream) == "SB-02"} == {1}
    monkeypatch.undo()
    for batch in (late, halves[1][:200], halves[1][200:]):
        given.append(folder, batch)
        notices += _ticked(watch)
    anew = FloorWatch(folder, Told())
    assert standing(notices) == standing(_ticked(anew))


def test_a_gap_bears_from_the_fact_before_it(tmp_path: Path) -> None:
    facts = [fact for fact in given.facts(scale=0.02) if fact.stream == "SB-01"]
    folder = given.ledger(tmp_path / "ledger", facts[:20])
    size = Replay.open(folder).size
    given.append(folder, [facts[22]])
    assert Replay.open(folder).arrived_since(size)["SB-01"][0] == facts[19].event_time
    size = Replay.open(folder).size
    given.append(folder, [facts[23]])
    arrived = Replay.open(folder).arrived_since(size)
    assert arrived["SB-01"] == (facts[23].event_time, facts[23].event_time)
    assert not Replay.open(folder).arrived_since(size, only={"CouponRedeemed"})


@pytest.mark.parametrize("next_watch", [lambda watch: watch, _restarted], ids=["on", "restarted"])
def test_a_table_that_falls_silent_is_told_and_told_when_it_is_back(
    next_watch: Callable[[FloorWatch], FloorWatch], tmp_path: Path
) -> None:
    folder, sent = tmp_path / "ledger", floor(scale=0.05)
    first, rest = parted(sent)
    mine = [fact for fact in rest if fact.stream.partition("/")[0] == "SB-01"]
    others = [fact for fact in rest if fact.stream.partition("/")[0] == "SB-02"]
    cut = len(mine) // 2
    given.ledger(folder, first)
    given.append(folder, mine[:cut])
    watch = FloorWatch(folder, Told())
    assert _silences(watch) == []
    half = len(others) // 2
    told = []
    for facts in (others[:half], others[half:], mine[cut:]):
        given.append(folder, facts)
        watch = next_watch(watch)
        told.append([is_over for table, _, is_over in _silences(watch) if table == "SB-01"])
    assert told == [[False], [], [True]]


def test_a_closed_table_that_opens_again_can_fall_silent(tmp_path: Path) -> None:
    folder, sent = tmp_path / "ledger", of_tables(floor(scale=0.03), "SB-01", "SB-02")
    first, rest = parted([*sent])
    mine = [fact for fact in rest if fact.stream == "SB-01"]
    opened = next(fact for fact in mine if type(fact).__name__ == "TableOpened")
    given.ledger(folder, first)
    given.append(folder, [fact for fact in rest if type(fact) is not GamingDayClosed])
    watch = FloorWatch(folder, Told())
    assert _silences(watch) == []
    minutes = 60_000_000
    at = max(fact.event_time for fact in rest) + 10 * minutes
    again = replace(opened, seq=mine[-1].seq + 1, event_time=at)
    other = next(fact for fact in reversed(rest) if fact.stream == "SB-02")
    given.append(folder, [replace(other, seq=other.seq + 1, event_time=at - 9 * minutes)])
    assert _silences(watch) == []
    given.append(folder, [again])
    assert ("SB-01", None, False) not in _silences(watch)
    given.append(folder, [replace(other, seq=other.seq + 2, event_time=at + 9 * minutes)])
    assert ("SB-01", None, False) in _silences(watch)


@pytest.mark.parametrize("next_watch", [lambda watch: watch, _restarted], ids=["on", "restarted"])
def test_a_picture_that_is_lost_is_told_and_told_when_it_is_back(
    next_watch: Callable[[FloorWatch], FloorWatch], tmp_path: Path
) -> None:
    folder = given.ledger(tmp_path / "ledger", [])
    facts = of_tables(given.facts(scale=0.02), "SB-01")
    facts = [fact for fact in facts if type(fact) is not GamingDayClosed]
    cut = len(facts) // 2
    for number, kind in enumerate(("CameraLost", "CameraRestored"), 1):
        picture = made(kind, number, 0, camera="CAM-1")
        at = cut + 40 * number
        moment = facts[at].event_time
        facts.insert(at, replace(picture, stream="SB-01/cameras", event_time=moment))
    lost, back = (fact for fact in facts if fact.stream == "SB-01/cameras")
    watch, silences = FloorWatch(folder, Told()), []
    at = [0, *(facts.index(fact) + 1 for fact in (lost, back)), len(facts)]
    for low, high in pairwise(at):
        given.append(folder, facts[low:high])
        silences.append([silence for silence in _silences(watch) if silence[1]])
        watch = next_watch(watch)
    assert silences == [[("SB-01", "CAM-1", False)], [("SB-01", "CAM-1", True)], []]
    early = given.ledger(tmp_path / "early", facts[: at[1]])
    begins = FloorWatch(early, Told()).tick()
    assert begins is not None
    (silence,) = (silence for silence in begins.silences if silence.camera)
    assert (silence.camera, silence.last_at, silence.is_over) == ("CAM-1", lost.event_time, False)
    assert silence_data(silence)["camera"] == "CAM-1"
    assert begins.clock is not None
    assert "PICTURE LOST SB-01  CAM-1, since " in silence_text(silence, begins.clock)


def test_a_look_tells_what_one_that_compares_all_again_tells(tmp_path: Path) -> None:
    """Two watches see the same facts, some late; one forgets what it compared before each look."""
    facts = [*table_day("SB-01", "overpaid:3@SB-01", "late_wager:2@SB-01")]
    first, rest = parted([fact for fact in facts if type(fact) is not GamingDayClosed])
    late = rest.pop(len(rest) // 2)
    rest.insert(len(rest) * 2 // 3, late)
    folder = given.ledger(tmp_path / "ledger", first)
    following, anew = FloorWatch(folder, Told()), FloorWatch(folder, Told())
    looks = []
    for start in range(0, len(rest), len(rest) // 12):
        given.append(folder, rest[start : start + len(rest) // 12])
        anew._compared.clear()
        ticks = following.tick(), anew.tick()
        assert ticks[0] is not None
        assert ticks[1] is not None
        assert ticks[0].notices == ticks[1].notices
        looks.append(len(ticks[0].notices))
    assert sum(map(bool, looks)) >= 3


def test_a_picture_that_was_lost_before_what_was_read_is_told(tmp_path: Path) -> None:
    facts = of_tables(given.facts(scale=0.02), "SB-01")
    facts = [fact for fact in facts if type(fact) is not GamingDayClosed]
    facts = facts[: len(facts) * 3 // 4]  # the table is open
    folder = given.ledger(tmp_path / "ledger", facts)
    watch = FloorWatch(folder, Told())
    assert not [silence for silence in _silences(watch) if silence[1]]
    middle = facts[len(facts) // 2].event_time
    for number, (kind, minutes) in enumerate((("CameraLost", 0), ("CameraRestored", 5)), 1):
        picture = made(kind, number, 0, camera="CAM-1")
        at = middle + minutes * 60_000_000
        given.append(folder, [replace(picture, stream="SB-01/cameras", event_time=at)])
        assert ("SB-01", "CAM-1", kind == "CameraRestored") in _silences(watch)
        anew = Replay.open(folder)
        assert watch.replay is not None
        assert gaming_days(watch.replay) == gaming_days(anew)
        assert last_gaming_day(watch.replay) == last_gaming_day(anew)


def test_an_empty_ledger_is_waited_for(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", [])
    watch = FloorWatch(folder, Told())
    with pytest.raises(Exception, match="describes the property"):
        watch.tick()
    with open_log(folder) as log:
        log.append([Arrival(frame(fact)) for fact in floor("overpaid")], given.RECORDED_AT)
    assert _ticked(watch)


def test_days_that_were_forgotten_are_not_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floor_watch, "REMEMBERED", timedelta(days=1))
    folder = tmp_path / "ledger"
    watches: list[FloorWatch] = []

    def kept(watch: FloorWatch) -> FloorWatch:
        watches[:] = [watch]
        return watch

    sent = of_tables(floor("overpaid:4", scale=0.02, days=4), "SB-01", "DC-01")
    told = [n for notices, _ in followed(folder, [*sent], 600, kept) for n in notices]
    (watch,) = watches
    forgotten = {notice.gaming_day for notice in told} - set(watch.memory.days)
    assert forgotten
    assert _ticked(FloorWatch(folder, watch.memory)) == []


def test_a_closing_of_a_day_without_a_fact_is_passed_over(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", floor("overpaid", scale=0.02))
    last = Replay.open(folder).extent("house").last_seq
    far = replace(made("GamingDayClosed", last + 1, 0, gaming_day="2031-01-01"), stream="house")
    watch = FloorWatch(folder, Told())
    assert _ticked(watch)
    given.append(folder, [far])
    assert isinstance(_ticked(watch), list)


def test_a_count_after_the_day_was_closed_is_told(tmp_path: Path) -> None:
    """A box that nobody hung at the table: what a count says of a closed day is said of that day."""
    folder = given.ledger(tmp_path / "ledger", floor(scale=0.02))
    watch = FloorWatch(folder, Told())
    before = standing(_ticked(watch))
    fact = Replay.open(folder).fact(
        "SB-01/chips", Replay.open(folder).extent("SB-01/chips").last_seq
    )
    assert fact is not None
    counted = made("DropBoxCounted", fact.seq + 1, 0, box="B-9", for_gaming_day="2021-06-12", chips_cents=5_000)  # fmt: skip
    at = fact.event_time + 6 * 3_600_000_000
    given.append(folder, [replace(counted, stream=fact.stream, source=fact.source, event_time=at)])
    later = _ticked(watch)
    assert {**before, **standing(later)} == audited(folder) != before


@pytest.mark.parametrize("seed", range(2))
def test_what_is_taken_over_of_the_house_is_what_the_house_says(seed: int, tmp_path: Path) -> None:
    """Coupons in use, facts lost for a while: the book after each look is the book read anew."""
    rng = Random(seed)
    facts = [*of_tables(given.facts(scale=0.02, coupons=True), "SB-01", "DC-01")]
    held = [facts.pop(rng.randrange(len(facts) // 3, len(facts))) for _ in range(6)]
    held += [fact for fact in facts if fact.stream == "SB-01/dice"][-4:]
    redeemed = [fact for fact in facts if type(fact).__name__ == "CouponRedeemed"][-1]
    tail = [fact for fact in facts if fact.stream == redeemed.stream and fact.seq > redeemed.seq]
    closings = [fact for fact in facts if type(fact) is GamingDayClosed]
    facts = [fact for fact in facts if fact not in (*held, redeemed, *tail, *closings)]
    folder = given.ledger(tmp_path / "ledger", facts[: len(facts) // 2])
    watch = FloorWatch(folder, Told())
    watch.tick()
    rest = facts[len(facts) // 2 :]
    cut = rng.randrange(1, len(rest))
    taken_over = 0
    singles = ([fact] for fact in (redeemed, *held, tail.pop(0)))
    for batch in (rest[:cut], rest[cut:], *singles, closings, tail):
        given.append(folder, [*batch])
        before = watch._growth.judged
        watch.tick()
        mine = watch._growth.judged
        assert before is not None
        assert mine is not None
        taken_over += mine.record is before.record
        fresh = JudgedTables(Replay.open(folder, from_entries=True), None)
        assert mine.book is not None
        assert fresh.book is not None
        assert state(mine.book) == state(fresh.book)
        assert repr(mine.record.office) == repr(fresh.record.office)
    assert taken_over


def test_the_custody_is_followed_on_where_an_office_speaks(tmp_path: Path) -> None:
    """The morning's checks of clocks, and closings: the book after each look is one read anew."""
    facts = [*of_tables(given.facts(scale=0.02, days=2, coupons=True), "SB-01", "DC-01")]
    first, rest = parted(facts)
    folder = given.ledger(tmp_path / "ledger", first)
    watch, followed_on = FloorWatch(folder, Told()), Counter[str]()
    for start in range(0, len(rest), 60):
        batch = rest[start : start + 60]
        given.append(folder, batch)
        before = watch._growth._readings
        watch.tick()
        if watch._growth._readings == before > 0:
            followed_on.update({type(fact).__name__ for fact in batch if fact.stream == "house"})
            mine, fresh = watch._growth.judged, JudgedTables(Replay.open(folder), None)
            assert mine is not None
            assert mine.book is not None
            assert fresh.book is not None
            if any(fact.stream == "house" for fact in batch):
                assert state(mine.book) == state(fresh.book)
    assert followed_on.keys() >= {"ClockChecked", "GamingDayClosed"}
