"""A biased die and a past-posting team appear, with their measured power."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from ledger.casework import Alert, detect
from ledger.casework.night_from_audit import history_of
from ledger.floor import FIRST_DAY, Plant, simulate
from ledger.replay import Replay
from tests.engine import log_of
from tests.power.__main__ import PAGE
from tests.power.makers import face_chances
from tests.power.sections import SEED, knowing, loaded
from tests.tour.stage import check

BIAS: Final = 0.8
LATE: Final = "On the simulated floor"


def appearing(_work: Path) -> Iterator[str]:
    """A night of the floor as it is, then with two things planted that no single round shows."""
    drawn = simulate(SEED, plants=[Plant.parse("late_wager:30@SB-01")], scale=0.15)
    (night,) = history_of(Replay(log_of(drawn.facts)), [FIRST_DAY])
    rng = np.random.default_rng(SEED)
    honest = detect((knowing(night, 0.0, rng),), FIRST_DAY)
    check(not [one for one in honest if one.raised], "an honest night raises an alarm")
    yield f"an honest night, late wagers made blind: {len(honest)} tests, no alarm"
    for name, planted, row, changed in (
        ("late_wagers", "a team that bets late and knows", "past-posting, 100% know",
         knowing(night, 1.0, rng)),
        ("dice_bias", f"a face {BIAS:.0%} likelier at SB-01", f"one face {BIAS:.0%} likelier",
         loaded(night, face_chances(BIAS), rng)),
    ):  # fmt: skip
        alert = _raised(detect((changed,), FIRST_DAY), name)
        yield f"planted: {planted}"
        yield f"  {alert.sentence}"
        yield f"  e-value {alert.e_value:.3g}, needed {alert.level:,.0f}; {alert.volume:,} looked at"
        yield f"  measured power: {measured(row)}"


def _raised(alerts: tuple[Alert, ...], name: str) -> Alert:
    found = [one for one in alerts if one.raised and one.detection == name]
    check(found, f"{name} raises no alarm")
    check(
        {one.table for one in found} == {"SB-01"},
        f"{name} raises at {sorted({one.table for one in found})}",
    )
    return found[0]


def measured(row: str) -> str:
    """What the power study measured of a plant on the simulated floor."""
    _, found, part = PAGE.read_text(encoding="utf-8").partition(f"## {LATE}\n")
    check(found, "the power study has no such part")
    lines = [one for one in part.partition("\n## ")[0].splitlines() if one.startswith(f"| {row} ")]
    check(len(lines) == 1, f"the power study has no row {row!r}")
    _, looked, alone, among = lines[0].strip("| ").split(" | ")
    return f"{looked}: {alone} by itself, {among} among a night's tests"
