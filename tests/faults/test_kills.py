"""Commands that are killed at a point, killed again while they recover, and at random moments.

What the library acknowledged before a kill is noted outside the process and looked for afterwards;
at the end everything is as if nothing had been killed.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from infra.kafka import Broker
from tests.faults.children import KILLED, Children, Ran
from tests.faults.commands import (
    Append,
    Backup,
    Command,
    Import,
    ImportNames,
    Ingest,
    Night,
    Publish,
    Rotate,
)

ALONE: Final = (Append(), Import(), ImportNames(), Night(), Backup(), Rotate())
"""The commands that need no broker."""
ON_A_BROKER: Final[tuple[type[Ingest] | type[Publish], ...]] = (Ingest, Publish)
NESTED_PAIRS: Final = 2
"""How many pairs of points an ordinary run takes of each command."""
NESTED_PAIRS_IN_FULL: Final = 150
"""How many pairs of any points a full run takes beside all pairs of named ones."""
MOMENTS: Final = 5
"""At how many random moments each command is killed in an ordinary run."""
PARTS: Final = 5
MOMENTS_IN_A_PART: Final = 100
"""A full run kills each command at 500 moments, in five tests."""
KILLS_IN_A_ROW: Final = 3
"""How often a command is killed at random before it may run to its end."""


@dataclass(slots=True)
class Trial:
    """One command, what it begins with, and what an undisturbed run of it gives."""

    command: Command
    children: Children
    prepared: Path
    folder: Path
    undisturbed: Ran
    outcome: object
    chains: int = 0
    kills: int = 0

    @classmethod
    def of(cls, command: Command, children: Children, folder: Path) -> Trial:
        """Prepare a command and run it once undisturbed."""
        prepared = folder / "prepared"
        prepared.mkdir()
        command.prepare(children, prepared)
        trial = cls(command, children, prepared, folder, None, None)  # type: ignore[arg-type]
        place = trial.begun()
        trial.undisturbed = children.run(*command.words(place))
        assert trial.undisturbed.code in (0, 1), trial.undisturbed.err
        trial.outcome = command.outcome(place, trial.undisturbed.promises)
        shutil.rmtree(place)
        return trial

    def begun(self) -> Path:
        """A fresh copy of what the command begins with."""
        self.chains += 1
        place = self.folder / f"chain-{self.chains}"
        shutil.copytree(self.prepared, place)
        self.command.begin(place)
        return place

    def chain(self, *kills: dict[str, Any]) -> list[Ran]:
        """Kill the command each time that it is started, then let it run to its end, and compare.

        Args:
            kills: for each start, at which point or after which time it dies.

        Returns:
            Every run.
        """
        place = self.begun()
        runs: list[Ran] = []
        promises: list[dict[str, Any]] = []
        for kill in (*kills, {}):
            ran = self.children.run(*self.command.words(place), **kill)
            runs.append(ran)
            promises += ran.promises
            if ran.code != KILLED:
                break
            self.kills += 1
            self.command.stands(place, promises)
        story = f"{self.command.name} killed at {kills}, in {place}: {ran.err}"
        assert ran.code == self.undisturbed.code or self.command.is_over(ran), story
        assert self.command.outcome(place, promises) == self.outcome, story
        shutil.rmtree(place)
        return runs

    def at_moments(self, count: int, random: Random) -> None:
        """Kill it at so many random moments of its run, up to three in a row."""
        wanted, longest = self.kills + count, self.undisturbed.seconds
        while self.kills < wanted:
            moments = [random.uniform(0, longest) for _ in range(KILLS_IN_A_ROW)]
            in_a_row = min(KILLS_IN_A_ROW, wanted - self.kills)
            self.chain(*({"kill_after": moment} for moment in moments[:in_a_row]))

    def nested(self, pairs: list[tuple[int, int]]) -> Counter[str]:
        """Kill it at the first point of each pair, and its recovery at the second.

        Returns:
            How often it died at which point.
        """
        died: Counter[str] = Counter()
        for first, second in pairs:
            runs = self.chain({"kill_at": first}, {"kill_at": second})
            died.update(ran.points[-1] for ran in runs if ran.code == KILLED)
        return died

    def named_pairs(self, random: Random) -> list[tuple[int, int]]:
        """Every pair of named points, each at one of its occurrences."""
        points = self.undisturbed.points
        places: dict[str, list[int]] = {}
        for number, point in enumerate(points, 1):
            if point.startswith("named "):
                places.setdefault(point, []).append(number)
        return [
            (random.choice(first), random.choice(second))
            for first in places.values()
            for second in places.values()
        ]

    def any_pairs(self, count: int, random: Random) -> list[tuple[int, int]]:
        """Pairs of any points."""
        last = len(self.undisturbed.points)
        return [(random.randint(1, last), random.randint(1, last)) for _ in range(count)]


Printer = Callable[[str], None]


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Printer:
    """Print a figure where people see it."""

    def printed(text: str) -> None:
        with capsys.disabled():
            print(f"\n  {text}")

    return printed


@pytest.fixture(scope="module")
def children() -> Iterator[Children]:
    """What splits off the processes that are killed."""
    server = Children()
    yield server
    server.end()


@pytest.fixture(scope="module")
def trials(
    children: Children, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Command], Trial]:
    """The trial of a command, prepared once."""
    made: dict[str, Trial] = {}

    def trial_of(command: Command) -> Trial:
        if command.name not in made:
            folder = tmp_path_factory.mktemp(command.name.replace(" ", "-"))
            made[command.name] = Trial.of(command, children, folder)
        return made[command.name]

    return trial_of


Trials = Callable[[Command], Trial]


def kill_at_pairs(trial: Trial, tell: Printer, pairs: list[tuple[int, int]]) -> None:
    before, died = trial.kills, trial.nested(pairs)
    assert died, "no point was reached"
    tell(
        f"{trial.command.name}: {trial.kills - before} kills at points, nested twice"
        f" ({len(pairs)} pairs, {len(died)} kinds of points), nothing lost, nothing doubled"
    )


def kill_at_moments(trial: Trial, tell: Printer, count: int, seed: int) -> None:
    before = trial.kills
    trial.at_moments(count, Random(seed))
    tell(
        f"{trial.command.name}: {trial.kills - before} kills at random moments of"
        f" {trial.undisturbed.seconds:.2f} s, nothing lost, nothing doubled"
    )


def in_full(trial: Trial, seed: int) -> list[tuple[int, int]]:
    random = Random(seed)
    return [*trial.named_pairs(random), *trial.any_pairs(NESTED_PAIRS_IN_FULL, random)]


names: Any = {"ids": lambda command: command.name.replace(" ", "-")}
by_name: Any = {"ids": lambda kind: kind.__name__.lower()}
alone = pytest.mark.parametrize("command", ALONE, **names)
on_a_broker = pytest.mark.parametrize("kind", ON_A_BROKER, **by_name)
parts = pytest.mark.parametrize("part", range(PARTS))
long = pytest.mark.timeout(3_000)


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("command", [c for c in ALONE if c.name != "night"], **names)
def test_killed_at_a_point_and_again_in_recovery(
    trials: Trials, tell: Printer, command: Command
) -> None:
    trial = trials(command)
    kill_at_pairs(trial, tell, trial.any_pairs(NESTED_PAIRS, Random(18)))


@pytest.mark.parametrize("command", ALONE[:1], **names)
def test_killed_at_random_moments(trials: Trials, tell: Printer, command: Command) -> None:
    kill_at_moments(trials(command), tell, MOMENTS, 18)


@pytest.mark.full
@long
@alone
def test_killed_at_every_pair_of_named_points(
    trials: Trials, tell: Printer, command: Command
) -> None:
    trial = trials(command)
    kill_at_pairs(trial, tell, in_full(trial, 1))


@pytest.mark.full
@long
@parts
@alone
def test_killed_at_500_moments(trials: Trials, tell: Printer, command: Command, part: int) -> None:
    kill_at_moments(trials(command), tell, MOMENTS_IN_A_PART, part)


@pytest.mark.parametrize("kind", ON_A_BROKER[:1], **by_name)
def test_killed_at_a_point_with_a_broker(
    kafka_broker: Broker, trials: Trials, tell: Printer, kind: type[Ingest | Publish]
) -> None:
    trial = trials(kind(kafka_broker))
    kill_at_pairs(trial, tell, trial.any_pairs(NESTED_PAIRS, Random(18)))


@pytest.mark.full
@on_a_broker
def test_killed_at_random_moments_with_a_broker(
    kafka_broker: Broker, trials: Trials, tell: Printer, kind: type[Ingest | Publish]
) -> None:
    kill_at_moments(trials(kind(kafka_broker)), tell, MOMENTS, 18)


@pytest.mark.full
@long
@on_a_broker
def test_killed_at_every_pair_of_named_points_with_a_broker(
    kafka_broker: Broker, trials: Trials, tell: Printer, kind: type[Ingest | Publish]
) -> None:
    trial = trials(kind(kafka_broker))
    kill_at_pairs(trial, tell, in_full(trial, 1))


@pytest.mark.full
@long
@parts
@on_a_broker
def test_killed_at_500_moments_with_a_broker(
    kafka_broker: Broker, trials: Trials, tell: Printer, kind: type[Ingest | Publish], part: int
) -> None:
    kill_at_moments(trials(kind(kafka_broker)), tell, MOMENTS_IN_A_PART, part)
