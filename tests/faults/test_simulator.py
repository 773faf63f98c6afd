"""Seeds of the simulator: faults in swarms, no promise broken, and the same story twice."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.faults.simulator import FAULTS, PromiseBroken, Story, run_seed, shrunk

LOTS = 8
"""Of five seeds each; two of them have one that is lived twice."""


def lived(seed: int) -> Story:
    """The story of a seed; a failing one is told with as few kinds of faults as it needs."""
    try:
        return run_seed(seed)
    except PromiseBroken as broken:
        raise (shrunk(seed) or broken) from None


@pytest.mark.by_turns(LOTS)
@pytest.mark.parametrize("lot", range(LOTS))
def test_forty_seeds(lot: int) -> None:
    for seed in range(lot, 40, LOTS):
        story = lived(seed)
        if seed % 20 == 7:
            again = run_seed(seed)
            assert (again.trace, again.digest) == (story.trace, story.digest)


@pytest.mark.full
@pytest.mark.timeout(1_800)
def test_two_hundred_seeds_each_lived_twice() -> None:
    hits: Counter[tuple[str, str]] = Counter()
    for seed in range(100, 300):
        story = lived(seed)
        again = run_seed(seed)
        assert (again.trace, again.digest, again.hits) == (story.trace, story.digest, story.hits)
        hits += story.hits
    struck = {fault for fault, _ in hits}
    silent = {  # they leave no mark of their own: what they do is seen at the end
        *("late facts", "very late facts", "sent twice", "said otherwise", "hostile bytes"),
        "batch spoilt",
        *("clock jumps", "disk full", "input or output error", "broker away"),
    }
    assert set(FAULTS) - silent <= struck
    assert {"storage_failed", "kafka_unreachable"} <= struck


def test_a_broken_promise_is_told_with_its_story(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock is forgotten on purpose: a seed tells of two writers, with few kinds of faults."""
    from tests.faults import simulator
    from tests.log.forgetful import ForgetfulStorage

    monkeypatch.setattr(ForgetfulStorage, "lock", lambda *_: None)
    failure = next(broken for seed in range(40) if (broken := simulator.shrunk(seed)) is not None)
    assert failure.why == "two writers at once"
    head = str(failure).splitlines()[0]
    assert "second writer" in head
    assert head.count(",") <= 2


def test_a_tail_that_was_set_aside_does_not_come_back() -> None:
    """A folder that it had emptied was not synced: after the next cut nothing explained it."""
    lived(41)
