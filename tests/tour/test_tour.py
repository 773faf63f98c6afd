"""Each stop of the tour shows what it must, and says so if it does not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.kafka import Broker
from tests.tour import __main__ as tour
from tests.tour import power
from tests.tour.broker import through
from tests.tour.live import watched
from tests.tour.stage import Broken, Sight, check

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", [2, 3, 4, 5, 7, 9])
def test_a_stop_shows_what_it_must(number: int, tmp_path: Path) -> None:
    assert list(tour.SIGHTS[number - 1].show(tmp_path))


@pytest.mark.full
def test_the_consumer_is_killed_and_the_digest_is_the_same(
    kafka_broker: Broker, tmp_path: Path
) -> None:
    lines = list(through(tmp_path, kafka_broker))
    assert lines[-1].split()[-1] == lines[-2].split()[-1]


@pytest.mark.full
def test_a_wrong_payment_is_told_while_the_next_round_is_open(
    kafka_broker: Broker, tmp_path: Path
) -> None:
    assert any("§ 539." in line for line in watched(tmp_path, kafka_broker))


@pytest.mark.full
@pytest.mark.timeout(900)
def test_the_whole_tour_without_a_pause() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.tour"], cwd=ROOT, env=os.environ | {"PAUSE": "0"},
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All 9 stops show what they must." in done.stdout


def test_a_broken_stop_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_work: Path) -> Iterator[str]:
        yield "so far all is well"
        check(False, "two digests differ")

    def failing(_work: Path) -> Iterator[str]:
        raise OSError("no room")
        yield

    def whole(_work: Path) -> Iterator[str]:
        yield "all is well"

    shows = (broken, failing, whole)
    monkeypatch.setattr(tour, "SIGHTS", tuple(Sight("a", "b", one) for one in shows))
    monkeypatch.setenv("PAUSE", "0")
    assert tour.main([]) == 1
    said = capsys.readouterr().err
    assert "Stop 1 does NOT show what it must: two digests differ" in said
    assert "Stop 2 does NOT show what it must: OSError: no room" in said
    assert "broken at stop 1, 2." in said
    assert tour.main(["3"]) == 0


def test_power_is_that_of_the_study() -> None:
    assert power.measured("one face 80% likelier").endswith("among a night's tests")
    with pytest.raises(Broken, match="no row"):
        power.measured("one face 81% likelier")
