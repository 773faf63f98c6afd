"""Bugs planted into the product one by one: how many seeds of the simulator find each.

A plant replaces a few words in the source of a product function, in memory. It was chosen and
written before it was seen whether the simulator finds it.
"""

from __future__ import annotations
import __future__

import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import pytest

from ledger.log import cache
from ledger.log.admission import Admission
from ledger.log.cosignature import CosignerKey
from ledger.log.file_log import FileLog
from ledger.log.kafka_source import Source
from ledger.log.storage import Durable
from tests.faults import simulator
from tests.faults.simulator import find_failure


@dataclass(frozen=True, kw_only=True)
class Plant:
    """A bug.

    Attributes:
        name: what a tired engineer did.
        owner: the class or module whose function is replaced.
        function: its name.
        before, after: the words that are replaced, once; ``planted()`` in those after says that they ran.
        why: how the promise that is broken is told.
        seeds: within how many it is found; the page of promises has the measured numbers.
    """

    name: str
    owner: Any
    function: str
    before: str
    after: str
    why: str
    seeds: int

    def into(self, patch: pytest.MonkeyPatch) -> list[str]:
        """Plant it; return what grows with each time it runs."""
        function = inspect.getattr_static(self.owner, self.function)
        assert isinstance(function, FunctionType)
        source = textwrap.dedent(inspect.getsource(function))
        assert source.count(self.before) == 1, f"{self.name}: the source has changed"
        assert "planted(" in self.after
        flags = __future__.annotations.compiler_flag
        changed = source.replace(self.before, self.after)
        code = compile(changed, f"<planted: {self.name}>", "exec", flags, dont_inherit=True)
        runs: list[str] = []

        def planted(value: Any = None) -> Any:
            runs.append(self.name)
            return value

        names: dict[str, Callable[..., Any]] = {}
        patch.setitem(function.__globals__, "planted", planted)
        exec(code, function.__globals__, names)  # noqa: S102 - our own words
        patch.setattr(self.owner, self.function, names[self.function])
        return runs


PLANTS = (
    Plant(
        name="a folder that was synced once is not synced again",
        owner=Durable,
        function="settle",
        before="wanted = set(folders)",
        after="wanted = planted({folder for folder in folders if folder not in self._settled})",
        why=r"no ledger here|acknowledged",
        seeds=1,
    ),
    Plant(
        name="a new folder is synced, but not the one that names it",
        owner=Durable,
        function="settle",
        before="wanted.add(folder)",
        after="planted()",
        why=r"A tile is missing",
        seeds=1,
    ),
    Plant(
        name="ingest resumes one record too far",
        owner=Source,
        function="_begin",
        before="self._next[place] = offset + 1",
        after="self._next[place] = planted(offset + 2) if place in recorded else 0",
        why=r"\d+ facts are missing",
        seeds=1,
    ),
    Plant(
        name="a refused opening keeps the lock",
        owner=simulator,
        function="open_log",
        before="except BaseException:\n        storage.unlock()",
        after="except BaseException:\n        planted()",
        why=r"keeps the lock",
        seeds=2,
    ),
    Plant(
        name="tiles are written before their intent",
        owner=FileLog,
        function="_write_tiles",
        before="    self._intend(tile_writer.frontier)\n    if self._sealer is not None:\n",
        after="    self._durable.put(chain(tile_writer.bundles(plan.entries), tiles))\n"
        "    self._intend(planted(tile_writer.frontier))\n"
        "    if self._sealer is not None:\n",
        why=r"no signed intent speaks of it",
        seeds=1,
    ),
    Plant(
        name="a tail is not set aside",
        owner=simulator,
        function="open_log",
        before="clear_tail(storage, durable, snapshot)",
        after="planted()",
        why=r"is not what the tree was",
        seeds=7,
    ),
    Plant(
        name="a known key is a repeated fact, whatever it says",
        owner=Admission,
        function="_compare",
        before="same = new == framed or same_record(framed, new)",
        after="same = planted(True)",
        why=r"0 of \d+ rivals kept",
        seeds=3,
    ),
    Plant(
        name="a rival of a fact is accepted, too",
        owner=Admission,
        function="_compare",
        before="verdicts[number] = _NotAccepted(CONFLICT, EarlierFact(stream, seq, position))",
        after="planted()",
        why="cannot stand here a second time",
        seeds=3,
    ),
    Plant(
        name="a batch that cannot be read takes its neighbors along",
        owner=Source,
        function="_take",
        before="expected = offset + 1\n            continue",
        after="expected = planted(records[-1].offset + 1)\n            break",
        why=r"\d+ facts are missing",
        seeds=1,
    ),
    Plant(
        name="checkpoint and tiles become durable in one go, the checkpoint first",
        owner=FileLog,
        function="_write_tiles",
        before="    self._durable.put(chain(tile_writer.bundles(plan.entries), tiles))\n",
        after="    tree = planted(tile_writer.frontier)\n"
        "    note = Checkpoint(self.origin, tree.size, tree.root()).signed(self._signer)\n"
        "    bundles = tile_writer.bundles(plan.entries)\n"
        "    self._durable.put(chain([(CHECKPOINT, note)], bundles, tiles))\n"
        "    self.snapshot.note = note\n",
        why=r"A tile is missing",
        seeds=24,
    ),
    Plant(
        name="the last recorded record is not compared with the topic's",
        owner=Source,
        function="_compare",
        before="not self._is_recorded(records[0], *expected)",
        after="planted(False)",
        why=r"topic made again: .* as if nothing had happened",
        seeds=3,
    ),
    Plant(
        name="a topic's id is not compared while it is read",
        owner=Source,
        function="_look",
        before="topic.id != before.id",
        after="planted(False)",
        why=r"something was taken in all the same",
        seeds=20,
    ),
    Plant(
        name="a witness's signature is not checked",
        owner=CosignerKey,
        function="_holds",
        before="key.verify(signature[8:], _message(text, time))",
        after="planted()",
        why="no witness gave|verify said nothing",
        seeds=3,
    ),
    Plant(
        name="what was quarantined is forgotten on restart",
        owner=cache,
        function="_learn_rest",
        before="known.marks.add(quarantine_mark(decoded.reason, decoded.sha256))",
        after="planted()",
        why=r"\d+ of \d+ hostile kept",
        seeds=3,
    ),
    Plant(
        name="the quarantine keeps the head of what came",
        owner=Admission,
        function="_refuse",
        before="plan.files[digest.hex()] = arrival.framed",
        after="plan.files[digest.hex()] = planted(arrival.framed[:HEAD_BYTES])",
        why="the quarantined bytes are not those that came",
        seeds=3,
    ),
)

QUICKEST = (
    "tiles are written before their intent",
    "ingest resumes one record too far",
)


def assert_found(plant: Plant) -> None:
    """The simulator finds a plant within its seeds, and says what it broke."""
    with pytest.MonkeyPatch.context() as patch:
        runs = plant.into(patch)
        failure = find_failure(range(plant.seeds))
    assert runs, f"{plant.name}: it never ran"
    assert failure is not None, f"{plant.name}: not within {plant.seeds} seeds"
    count, broken = failure
    print(f"{plant.name}: {count} seeds, {broken.why}")
    assert re.search(plant.why, broken.why)


@pytest.mark.parametrize("plant", [p for p in PLANTS if p.name in QUICKEST], ids=lambda p: p.name)
def test_the_quickest_are_found(plant: Plant) -> None:
    assert_found(plant)


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("plant", PLANTS, ids=lambda p: p.name)
def test_every_planted_bug_is_found(plant: Plant) -> None:
    assert_found(plant)
