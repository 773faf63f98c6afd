"""Nights compared: what a detection looks back on, and how many alarms the month has brought.

How much evidence a night asks for hangs on the alarms of the nights before it in its calendar month
(e-LOND). They are told from the ledger, never from what was issued: the same facts give the same
level in any folder and in any order of runs. A night's alarms are kept in the ledger's cache under
the hash of all streams up to its end.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from ledger.audit import day_of, gaming_days
from ledger.casework import Alert, Night, Policy, discoveries, judged
from ledger.kernel.quick_dataclass import dataclass
from ledger.night.detection_history import KeptNight, hashed, kept_night, key_of, spins_only
from ledger.night.step_input import StepInput
from ledger.night.store import DerivedValues

LOOKED_BACK: Final = 30
"""How many gaming days before its own a night's detections look at; of a wheel, its whole life."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightAlarms:
    """How many alarms a gaming day raised: also those that a person put off."""

    day: date
    discoveries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAlarms:
    """The alarms of a day as they are kept, with the streams that went beyond it."""

    discoveries: int
    beyond: tuple[tuple[str, int, str], ...]


def earlier_nights(inputs: StepInput) -> tuple[NightAlarms, ...]:
    """Return the nights before this one in its calendar month, rising, each with its alarms."""
    nights: list[NightAlarms] = []
    own = inputs.day.date
    for day in gaming_days(inputs.replay):
        if own.replace(day=1) <= day < own:
            before = sum(one.discoveries for one in nights)
            kept = _kept(inputs, day)
            count = discoveries(alerts_on(inputs, day, before)) if kept is None else kept
            nights.append(NightAlarms(day=day, discoveries=count))
    return tuple(nights)


def alerts_on(inputs: StepInput, day: date, before: int) -> tuple[Alert, ...]:
    """Return the alerts of a gaming day as judged, and keep their number for the nights after it.

    Args:
        inputs: a night's input.
        day: its own gaming day, or one before it.
        before: alarms on the nights before ``day`` in its calendar month.
    """
    days = [one for one in gaming_days(inputs.replay) if one <= day]
    first = day - timedelta(days=LOOKED_BACK)
    wheels = [spins_only(inputs, one) for one in days if one < first]
    kept = [kept_night(inputs, one) for one in days if one >= first]
    nights: list[Night] = [one.night for one, _ in wheels if one.night.spins]
    nights += [one.night for one, _ in kept]
    alerts = judged(tuple(nights), day, policy=Policy(earlier=before))
    if all(is_over for _, is_over in (*wheels, *kept)):
        _keep(inputs, day, discoveries(alerts), [one for one, _ in (*wheels, *kept)])
    return alerts


def _alarms(inputs: StepInput) -> DerivedValues:
    return inputs.ground.derived("alarms", KeptAlarms)


def _key(inputs: StepInput, day: date) -> str:
    return key_of(inputs.replay, day_of(inputs.clock, day))


def _kept(inputs: StepInput, day: date) -> int | None:
    kept = _alarms(inputs).read(_key(inputs, day))
    if isinstance(kept, KeptAlarms) and kept.beyond == hashed(inputs.replay, kept.beyond):
        return kept.discoveries
    return None


def _keep(inputs: StepInput, day: date, count: int, nights: list[KeptNight]) -> None:
    ends = day_of(inputs.clock, day).ends
    beyond = {
        one for night in nights for one in night.beyond
        if one[1] > inputs.replay.last_seq_before(one[0], ends)
    }  # fmt: skip
    kept = KeptAlarms(discoveries=count, beyond=tuple(sorted(beyond)))
    _alarms(inputs).keep(_key(inputs, day), kept)
