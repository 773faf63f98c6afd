"""The power table: it is what the command prints, and it says what was asked of it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.power import sections
from tests.power.__main__ import INTRODUCTION, PAGE, SECTIONS, section
from tests.power.sections import fair_runs
from tests.power.study import counted_interval, interval

WOLF = "Wolf's white die, 20,000 real throws in random orders"
FAIR = "False alarms of dice"
LATE = "Late wagers and past-posting (late_wagers)"


def written() -> str:
    return PAGE.read_text(encoding="utf-8")


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("title", [WOLF, LATE])
def test_a_part_made_again_is_what_is_written(title: str):
    assert section(title) in written()


@pytest.mark.full
def test_false_alarms_made_again_are_what_is_written():
    assert section(FAIR) in written()


def test_the_page_has_every_section_and_its_seed():
    text = written()
    assert text.startswith(INTRODUCTION)
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(SECTIONS)


def test_wolf_is_found_as_often_as_was_asked():
    shares = dict(re.findall(r"^\| ([\d,]+) \| ([\d.]+)% ", written(), re.MULTILINE))
    assert float(shares["2,000"]) >= 50
    assert float(shares["4,000"]) >= 95
    (alarms,) = re.findall(r"Of 1,000 fair runs of 20,000 throws (\d+) alarmed", written())
    assert int(alarms) <= 5


def test_fewer_fair_runs_are_as_quiet():
    (said,) = fair_runs(runs=200, throws=2000)
    (alarms,) = re.findall(r"throws (\d+) alarmed", said)
    assert int(alarms) <= 1


def test_the_real_counts_stand_with_their_source():

    path = Path(__file__).parent.parent / "casework" / "data" / "dice.csv"
    assert (
        f'wolf_white_die,faces 1 to 6,{" ".join(map(str, sections.WOLF))},"R. Wolf'
        in path.read_text(encoding="utf-8")
    )


def test_intervals_are_those_of_the_books():
    # Clopper and Pearson (1934): 0 of 10 is 0 to 30.85 %, 5 of 10 is 18.71 % to 81.29 %.
    assert interval(0, 10) == pytest.approx((0, 0.3085), abs=1e-4)
    assert interval(5, 10) == pytest.approx((0.1871, 0.8129), abs=1e-4)
    assert interval(10, 10)[1] == 1.0
    assert np.isfinite(interval(1, 1000)).all()
    # Garwood (1936): of none counted 0 to 3.69, of ten 4.80 to 18.39.
    assert counted_interval(0) == pytest.approx((0, 3.69), abs=5e-3)
    assert counted_interval(10) == pytest.approx((4.80, 18.39), abs=5e-3)
