"""Who is forgotten is gone from what a watch told: its memory, and the last word of the topic."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from infra.kafka import Broker
from ledger.cli import main, watching
from ledger.cli.options import Options
from ledger.kernel import ERASED
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.replay import ErasedSince, Replay
from ledger.watch import Notice, Told
from ledger.watch.erasures import Erasures, is_masked, masked, shows_erased
from ledger.watch.findings_topic import FindingsTopic, decode
from ledger.watch.notices import Change, version_of
from ledger.watch.told import keep_told, read_told
from ledger.watch.topic_comparison import TopicComparison
from tests.cli.given import run_here
from tests.evidence.personal_day import PERSONAL, STAFF, day, sealed_ledger
from tests.log.kafka_helpers import fresh_prefix, received, settings_of
from tests.watch.test_findings_topic import NOTICE

APPROVER: str = STAFF[2]
TOLD: Path = Path("cache") / "watch" / "told"


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """A sealed ledger with a finding that names who approved an amendment."""
    return sealed_ledger(tmp_path / "ledger", day())


def forget(folder: Path, person: str = APPROVER) -> None:
    assert main(["person", "forget", person, "--ledger", str(folder)]) == 0


def of_approver(notice: Notice) -> bool:
    return APPROVER in repr(notice)


def told(folder: Path) -> list[Notice]:
    """What a watch tells of a ledger from nothing."""
    teller = watching.Teller.of(Options(ledger=folder), None, [])
    teller.look()
    while teller.watch.is_auditing:
        teller.look()
    return [notice for of_day in teller.memory.days.values() for notice in of_day.values()]


def test_a_masked_notice_has_its_id_and_no_hash_of_what_it_said(sealed: Path) -> None:
    (shown,) = filter(of_approver, told(sealed))
    bare = masked(shown)
    assert (bare.id, bare.telling, bare.change) == (shown.id, 2, Change.RESTATED)
    assert is_masked(bare)
    assert not any(person in repr(bare) for person in PERSONAL)
    other = masked(replace(shown, sentence="E-999 approved it.", version="0" * 16))
    assert bare.version == other.version == version_of(bare)
    gone = masked(replace(shown, change=Change.WITHDRAWN))
    assert (gone.change, gone.telling) == (Change.WITHDRAWN, 2)


def test_a_notice_shows_what_is_erased_in_its_facts_or_between_them(sealed: Path) -> None:
    (shown,) = filter(of_approver, told(sealed))
    alone = replace(NOTICE, facts=("SB-01:1",), round=None)
    around = replace(NOTICE, facts=("SB-01:1", "SB-01:12"), round=None)
    odd = replace(NOTICE, facts=("nothing", "SB-01:0", "XX-09:7"), round="nowhere")
    before = Replay.open(sealed)
    assert [shows_erased(before, each) for each in (shown, alone, around, odd)] == [False] * 4
    forget(sealed)
    assert shows_erased(Replay.open(sealed), shown)
    assert not shows_erased(Replay.open(sealed), alone)
    forget(sealed, "p-4711")
    replay = Replay.open(sealed)
    assert [shows_erased(replay, each) for each in (alone, around, odd)] == [False, True, False]


def test_what_a_watch_remembers_goes_with_the_person(sealed: Path) -> None:
    assert run_here("watch", "--ledger", str(sealed), "--once").code == 1
    before = (sealed / TOLD).read_bytes()
    assert APPROVER.encode() in before
    forget(sealed)
    assert not (sealed / TOLD).exists()
    assert run_here("watch", "--ledger", str(sealed), "--once").code == 1
    assert APPROVER.encode() not in (sealed / TOLD).read_bytes()
    (sealed / TOLD).write_bytes(before)  # an older copy is put back
    ran = run_here("watch", "--ledger", str(sealed), "--once")
    assert APPROVER not in ran.out
    assert APPROVER.encode() not in (sealed / TOLD).read_bytes()


def test_a_watch_that_runs_ends_and_leaves_nothing_behind(sealed: Path) -> None:
    teller = watching.Teller.of(Options(ledger=sealed), None, [])
    teller.look()
    forget(sealed)
    with pytest.raises(ErasedSince):
        teller.look()
    teller._is_ahead = True
    with pytest.raises(ErasedSince):
        teller.close()
    assert not (sealed / TOLD).exists()


def test_forgotten_while_it_is_written_nothing_is_left_behind(
    sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key is overwritten after the look at it, and the file appears after the clearing."""
    erasures, write = Erasures.of(sealed), SealedFolder.write

    def late(folder: SealedFolder, *words: object) -> bool:
        monkeypatch.undo()
        forget(sealed)
        return write(folder, *words)  # type: ignore[arg-type]

    monkeypatch.setattr(SealedFolder, "write", late)
    memory = Told(days={NOTICE.gaming_day: {NOTICE.id: NOTICE}})
    with pytest.raises(ErasedSince):
        keep_told(memory, sealed / "cache", Seals.of(sealed), erasures)
    assert not (sealed / TOLD).exists()


def test_a_memory_says_what_was_erased_when_it_was_told(sealed: Path) -> None:
    state = Erasures.of(sealed).state
    assert keep_told(Told(erased=state, masked="x"), sealed / "cache", Seals.of(sealed))
    assert read_told(sealed / "cache", Seals.of(sealed)) == Told(erased=state, masked="x")
    forget(sealed)
    assert Erasures.of(sealed).state != state


class SaidBefore(FindingsTopic):
    """A topic as it was read, without a broker."""

    def __init__(self, words: list[Notice]) -> None:
        self._last = {notice.id: notice for notice in words}
        self._topic_name, self.readings = "pitledger.findings.v1", 1


def test_what_is_withdrawn_later_is_masked_first(sealed: Path) -> None:
    """And a finding that could not be looked at in one look is not withdrawn before it was."""
    (shown,) = filter(of_approver, told(sealed))
    forget(sealed)
    day_before = replace(shown, id="d" * 32, gaming_day=date(2019, 1, 1))
    begins = shown.gaming_day
    memory = Told(begins=begins)
    comparison = TopicComparison(SaidBefore([shown, day_before]), memory, Erasures.of(sealed))
    sent = list(comparison.missing(Replay.open(sealed), lambda notice: True))
    assert not any(map(of_approver, sent))
    tellings = [(notice.id, notice.change, notice.telling) for notice in sent]
    assert tellings[-1] == (shown.id, Change.WITHDRAWN, 3)
    assert set(tellings[:-1]) == {
        (shown.id, Change.RESTATED, 2), (day_before.id, Change.RESTATED, 2)
    }  # fmt: skip
    assert memory.masked
    again = TopicComparison(SaidBefore([day_before]), memory, Erasures.of(sealed))
    assert list(again.missing(Replay.open(sealed), lambda notice: True)) == []


def test_who_reads_by_id_ends_with_what_is_masked(kafka_broker: Broker, sealed: Path) -> None:
    """Published: what stands, a finding of an older day, one that was withdrawn, another ledger's."""
    prefix = fresh_prefix(kafka_broker)
    topics = ("--bootstrap", kafka_broker.bootstrap, "--topic-prefix", prefix)
    words = ("watch", "--ledger", str(sealed), "--once", "--publish", *topics)

    def last_words() -> dict[tuple[str, str], Notice]:
        read = received(kafka_broker, f"{prefix}.findings.v1", 1, isolation="read_committed")
        by_id: dict[tuple[str, str], Notice] = {}
        for record in read:
            origin, notice = decode(record.value)
            earlier = by_id.get((origin, notice.id))
            assert earlier is None or earlier.telling < notice.telling
            by_id[origin, notice.id] = notice
        counts.append(len(read))
        return by_id

    counts: list[int] = []
    assert run_here(*words).code == 1
    ((origin, _), shown), *_ = [each for each in last_words().items() if of_approver(each[1])]
    older = replace(shown, id="c" * 32, gaming_day=date(2019, 1, 1))
    gone = replace(older, id="d" * 32, change=Change.WITHDRAWN, telling=2)
    settings = settings_of(kafka_broker, prefix)
    with closing(FindingsTopic(settings, origin)) as topic:
        topic.send([older, gone])
    with closing(FindingsTopic(settings, "another.example/pit")) as topic:
        topic.send([shown])
    forget(sealed)
    assert run_here(*words).code == 1
    after = last_words()
    assert [key[0] for key, notice in after.items() if of_approver(notice)] == [
        "another.example/pit"
    ]
    assert (after[origin, shown.id].telling, after[origin, shown.id].sentence != shown.sentence) == (
        2, True
    )  # fmt: skip
    assert {
        (notice.id, notice.change, notice.sentence) for notice in map(after.get, ((origin, older.id),
        (origin, gone.id))) if notice is not None
    } == {
        (older.id, Change.RESTATED, ERASED), (gone.id, Change.WITHDRAWN, ERASED)
    }  # fmt: skip
    assert run_here(*words).code == 1
    (sealed / TOLD).unlink()
    assert run_here(*words).code == 1
    last_words()
    assert counts[-1] == counts[-2]
