"""No look waits for a command or an address; what each took is known after a kill, none doubled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from ledger.cli import watching
from ledger.cli.options import Options
from ledger.log.signed_file_index import Seals
from ledger.reports.watch_output import WatchLag, public_name, receiver_lags, status_text
from ledger.watch import Change, NotDelivered, Notice, Told
from ledger.watch import receiver_queue as queues
from ledger.watch.receiver_queue import ReceiverQueue, TakenNotices, still_waiting
from ledger.watch.told import keep_told, read_told
from tests.analytics import given
from tests.engine import table_day
from tests.watch.test_findings_topic import NOTICE

NAME = "a receiver"
NOTICES = [replace(NOTICE, id=f"{number:032x}") for number in range(8)]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger whose key seals what is remembered."""
    folder = tmp_path_factory.mktemp("receivers") / "ledger"
    return given.ledger(folder, [*table_day("SB-01", "overpaid@SB-01")])


class Receiver:
    """Takes notices; refuses the first so many, or does not answer before it may."""

    def __init__(self, refusals: int = 0) -> None:
        self.refusals = refusals
        self.taken: list[Notice] = []
        self.asked = 0
        self.may_answer = Event()
        self.may_answer.set()

    def __call__(self, notice: Notice) -> None:
        self.asked += 1
        assert self.may_answer.wait(30)
        if self.asked <= self.refusals:
            raise NotDelivered("it did not take a notice", cause="busy")
        self.taken.append(notice)


def queue_of(receiver: Receiver, ledger: Path, cache: Path) -> ReceiverQueue:
    return ReceiverQueue(receiver, TakenNotices(NAME, cache, Seals.of(ledger)))


def memory_of(notices: Iterable[Notice]) -> Told:
    memory = Told()
    for notice in notices:
        memory.wait_for(NAME, notice, 1_000_000)
    return memory


def handed_on(queue: ReceiverQueue, memory: Told) -> list[Notice]:
    """What was taken since, at a look that waits for the thread afterwards."""
    before = memory.waiting_for(NAME)

    def taken(notice: Notice) -> None:
        memory.was_taken(NAME, notice)

    queue.hand_on(before, taken)
    queue.wait(30)
    waiting = memory.waiting_for(NAME)
    return [notice for notice in before if notice not in waiting]


def test_one_that_refuses_five_times_gets_each_once_and_in_order(
    ledger: Path, tmp_path: Path
) -> None:
    receiver, memory = Receiver(refusals=5), memory_of(NOTICES)
    queue = queue_of(receiver, ledger, tmp_path)
    refusals = 0
    for _ in range(5 + 2):
        try:
            handed_on(queue, memory)
        except NotDelivered:
            refusals += 1
            handed_on(queue, memory)
    assert (refusals, receiver.asked) == (5, 5 + len(NOTICES))
    assert receiver.taken == NOTICES
    assert not memory.pending


def test_at_most_so_many_are_in_its_hand(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "QUEUED", 3)
    receiver, memory = Receiver(), memory_of(NOTICES)
    queue = queue_of(receiver, ledger, tmp_path)
    taken_by_look = [len(handed_on(queue, memory)) for _ in range(4)]
    assert taken_by_look == [0, 3, 3, 2]
    assert receiver.taken == NOTICES


def test_killed_between_it_gives_again_what_was_under_way_alone(
    ledger: Path, tmp_path: Path
) -> None:
    """The memory of the watch is that of before: nothing of what was taken is sealed there yet."""
    receiver, sealed = Receiver(), memory_of(NOTICES)
    killed = queue_of(receiver, ledger, tmp_path)
    killed.hand_on(NOTICES[:5], lambda notice: None)
    assert killed.wait(30)
    left = still_waiting(sealed.pending.values(), tmp_path, Seals.of(ledger))
    assert [waits.notice for waits in left] == NOTICES[5:]
    again = queue_of(receiver, ledger, tmp_path)
    assert handed_on(again, sealed) == NOTICES[:5]
    handed_on(again, sealed)
    assert receiver.taken == NOTICES
    assert not sealed.pending


def test_what_the_watch_sealed_is_not_noted_a_second_time(ledger: Path, tmp_path: Path) -> None:
    receiver, memory = Receiver(), memory_of(NOTICES[:4])
    queue, noted = (
        queue_of(receiver, ledger, tmp_path),
        TakenNotices(NAME, tmp_path, Seals.of(ledger)),
    )
    handed_on(queue, memory)
    handed_on(queue, memory)
    assert noted.read() == {notice.key for notice in NOTICES[:4]}
    queue.settle()
    memory.wait_for(NAME, NOTICES[4])
    handed_on(queue, memory)
    assert noted.read() == {NOTICES[4].key}


def test_looks_go_on_while_a_receiver_hangs_and_the_others_get_theirs(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "CLOSING_SECONDS", 0.05)
    hanging, ready = Receiver(), Receiver()
    hanging.may_answer.clear()
    by_name = {"hangs": hanging, "ready": ready}
    monkeypatch.setattr("ledger.watch.notify.receiver_of", by_name.__getitem__)
    teller = watching.Teller.of(Options(ledger=ledger), None, by_name)
    assert teller.look()
    teller._queues["ready"].wait(30)
    for _ in range(3):
        assert not teller.look()
    standing = [notice for of_day in teller.memory.days.values() for notice in of_day.values()]
    assert {notice.key for notice in ready.taken} == {notice.key for notice in standing}
    assert hanging.asked == 1
    teller.close()
    memory = read_told(ledger / "cache", Seals.of(ledger))
    lags = {lag.receiver: lag.waiting for lag in receiver_lags(memory, 0)}
    assert lags == {"hangs": len(standing), "ready": 0}
    hanging.may_answer.set()


def test_the_status_names_a_receiver_without_its_secrets() -> None:
    memory = memory_of(NOTICES)
    memory.receivers = ("https://me:secret@pager.example/pit?token=abc",)
    lag = WatchLag(size=0, waits_seconds=None, asked_at=5_000_000)
    text = status_text(memory, lag, is_running=False)
    assert "  https://pager.example/pit: took all\n" in text
    assert f"  {NAME}: 8 notices to be handed on, the first told 4.0 s ago\n" in text
    assert public_name("notify-pit --room 2") == "notify-pit --room 2"


def test_of_a_finding_the_last_word_alone_waits_and_what_stands_is_kept_once(
    ledger: Path, tmp_path: Path
) -> None:
    """What is kept for one that is away does not grow with what is said, nor with who waits."""
    seals, memory = Seals.of(ledger), Told()
    for telling in range(1, 100):
        for notice in NOTICES:
            again = replace(notice, telling=telling, version=f"{telling:08x}")
            memory.take(again)
            for name in (NAME, "another"):
                memory.wait_for(name, again, telling)
    withdrawn = replace(NOTICES[0], telling=100, change=Change.WITHDRAWN)
    memory.take(withdrawn)
    memory.wait_for(NAME, withdrawn, 100)
    memory.was_taken(NAME, NOTICES[1])  # the first word on it was in the receiver's hand meanwhile
    assert keep_told(memory, tmp_path, seals)
    assert (tmp_path / "watch" / "told").read_bytes().count(NOTICES[1].sentence.encode()) == 9
    again = read_told(tmp_path, seals)
    assert again.pending == memory.pending
    assert again.waiting_for(NAME)[-1] == withdrawn
    assert len(again.waiting_for(NAME)) == len(NOTICES)
    again.forget_before(NOTICES[0].gaming_day + timedelta(days=1))
    assert not again.pending
