"""All detections over one gaming day: their evidence judged together, as alerts.

Alerts are derived and can be derived again: the same nights give the same alerts, byte for byte.
They stand in the order of detection, table and subject, never in that of their strength, so that
they rank nobody. Work of persons is merged into one line per table unless it is a discovery.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from math import exp, log
from typing import Final

from ledger.casework.actions_and_alerts import Alert
from ledger.casework.detections import (
    coupon_concentration,
    coupon_neighbours,
    coupon_times,
    dealer_signature,
    dice_bias,
    late_wagers,
    payment_errors,
    same_hands,
    serial_dependence,
    wheel_bias,
    win_on_wagers,
)
from ledger.casework.detections.card import CARDS, Card
from ledger.casework.detections.subject_evidence import Evidence, Examine, began
from ledger.casework.detections.win_on_wagers import subject_of
from ledger.casework.e_values import e_value, mean_log
from ledger.casework.history import History
from ledger.casework.multiple_testing import Policy, Suppression, Threshold, judge
from ledger.kernel import MICROSECONDS

DETECTIONS: Final[dict[str, Examine]] = {
    "coupon_concentration": coupon_concentration.examine,
    "coupon_neighbours": coupon_neighbours.examine,
    "coupon_times": coupon_times.examine,
    "dealer_signature": dealer_signature.examine,
    "dice_bias": dice_bias.examine,
    "late_wagers": late_wagers.examine,
    "payment_errors": payment_errors.examine,
    "same_hands": same_hands.examine,
    "serial_dependence": serial_dependence.examine,
    "wheel_bias": wheel_bias.examine,
    "win_on_wagers": win_on_wagers.examine,
}

TESTED: Final = tuple(name for name in DETECTIONS if CARDS[name].tested)
"""Those in use by default."""

NamedEvidence = tuple[str, Evidence]


def examined(
    history: History, day: date, detections: Iterable[str] = DETECTIONS
) -> list[NamedEvidence]:
    """The evidence of every detection, by name; nothing is judged yet.

    Args:
        history: the nights up to and with the day.
        day: the gaming day that is judged.
        detections: their names, as ``DETECTIONS`` has them.
    """
    return [
        (name, evidence)
        for name in detections
        for evidence in DETECTIONS[name](history, day, CARDS[name])
    ]


def detect(
    history: History,
    day: date,
    *,
    policy: Policy | None = None,
    suppressions: Sequence[Suppression] = (),
    detections: Iterable[str] = TESTED,
) -> tuple[Alert, ...]:
    """The alerts of a gaming day as they are shown: judged, then held against what is put off.

    Args:
        history: the nights, each day once; later ones than ``day`` are not looked at.
        day: the gaming day; without a night of its own there is nothing to say.
        policy: error, budget; the property's decisions.
        suppressions: alerts that a person put off for a while; they count all the same.
        detections: names, those in use by default.
    """
    alerts = judged(history, day, policy=policy, detections=detections)
    return held_back(alerts, began(history, day), policy=policy, suppressions=suppressions)


def judged(
    history: History,
    day: date,
    *,
    policy: Policy | None = None,
    detections: Iterable[str] = TESTED,
) -> tuple[Alert, ...]:
    """The alerts of a gaming day, from the nights up to it; nothing is held back.

    Every subject that was tested has its line: raised where its evidence reached the level that
    holds after correction over all tests of the night and over the month's nights, else with what
    would have been seen. A subject with too little volume is not tested, and shows no rate.

    Args:
        history: the nights, each day once; later ones than ``day`` are not looked at.
        day: the gaming day; without a night of its own there is nothing to say.
        policy: error, alarms on earlier nights; the property's decisions.
        detections: names, those in use by default.
    """
    policy = policy or Policy()
    nights = (night for night in history if night.day <= day)
    known = tuple(sorted(nights, key=lambda night: night.day))
    examined_evidence = examined(known, day, detections)
    tested = [one for one in examined_evidence if one[1].volume >= CARDS[one[0]].minimum]
    verdict = judge([exp(min(one.log_e, 700.0)) for _, one in tested], policy)
    raised = [tested[at] for at in sorted(verdict.discoveries)]
    quiet = [one for at, one in enumerate(tested) if at not in verdict.discoveries]
    thin = [one for one in examined_evidence if one[1].volume < CARDS[one[0]].minimum]
    alerts = [_alert(one, day, verdict.level, raised=True) for one in raised]
    alerts += [_alert(one, day, verdict.level, raised=False) for one in _merged(quiet)]
    alerts += [_too_thin(name, held, day) for name, held in _by_table(thin)]
    alerts = [compared(one, known, policy.thresholds) for one in alerts]
    return tuple(sorted(alerts, key=_by_name))


def held_back(
    alerts: Iterable[Alert],
    begins: int,
    *,
    policy: Policy | None = None,
    suppressions: Sequence[Suppression] = (),
) -> tuple[Alert, ...]:
    """Alerts of a gaming day with what is not shown by itself: put off, or over the budget.

    What was put off takes no place in the budget of its shift. All are still there and raised.

    Args:
        alerts: of one day, as judged.
        begins: when that day begins, UTC microseconds.
        policy: the budget of a shift; the property's decision.
        suppressions: what persons put off.
    """
    beside = (put_off(one, suppressions, one.gaming_day) for one in alerts)
    return tuple(sorted(_budgeted(beside, policy or Policy(), begins), key=_by_name))


def _by_name(alert: Alert) -> tuple[str, str, str]:
    return alert.detection, alert.table, alert.subject


def discoveries(alerts: Iterable[Alert]) -> int:
    """How many of a night's alerts count for the nights after it (``Policy.earlier``).

    All that were raised do: also those that a person put off, and those beyond a shift's budget.
    """
    return sum(one.raised for one in alerts)


def _id(day: date, name: str, evidence: Evidence) -> str:
    identity = "\n".join((day.isoformat(), name, evidence.table, evidence.subject))
    return sha256(identity.encode()).hexdigest()[:16]


def _alert(named_evidence: NamedEvidence, day: date, level: float, *, raised: bool) -> Alert:
    name, evidence = named_evidence
    power = evidence.power(level)
    return Alert(
        id=_id(day, name, evidence),
        gaming_day=day,
        detection=name,
        table=evidence.table,
        subject=evidence.subject,
        sentence=_joined(
            evidence.discovery if raised else f"{evidence.no_evidence}; {power}",
            f"{evidence.left_out:,} excluded" if evidence.left_out else "",
            evidence.untested,
        ),
        e_value=e_value(evidence.log_e),
        level=e_value(log(level)),
        raised=raised,
        at=evidence.at,
        volume=evidence.volume,
        left_out=evidence.left_out,
        power=power,
        facts=evidence.facts,
        detail=evidence.detail,
    )


def _joined(*parts: str) -> str:
    return "; ".join(one for one in parts if one)


def _by_table(evidences: Iterable[NamedEvidence]) -> Iterator[tuple[str, list[Evidence]]]:
    tables: dict[tuple[str, str], list[Evidence]] = {}
    for name, evidence in evidences:
        tables.setdefault((name, evidence.table), []).append(evidence)
    for (name, _), group in tables.items():
        yield name, group


def _too_thin(name: str, group: Sequence[Evidence], day: date) -> Alert:
    """Nothing but the volume, for a table at once: below the minimum not even a rate is shown."""
    card, most = CARDS[name], max(one.volume for one in group)
    named = group[0].subject if len(group) == 1 and not group[0].work else _several(len(group))
    sentence = f"too few {card.unit} to judge ({named}): "
    sentence += f"{most:,}{' at most' if len(group) > 1 else ''} of at least {card.minimum:,}"
    sentence = _joined(sentence, *dict.fromkeys(one.untested for one in group))
    thin = replace(
        group[0],
        subject=f"too few to say: {named}",
        log_e=0.0,
        volume=most,
        left_out=sum(one.left_out for one in group),
        no_evidence=sentence,
        power=lambda _: "nothing would be detected",
        detail=(),
        facts=(),
    )
    return replace(_alert((name, thin), day, 1.0, raised=False), sentence=sentence)


def _several(n: int) -> str:
    return "1 subject" if n == 1 else f"{n:,} subjects"


def _merged(evidences: Iterable[NamedEvidence]) -> Iterator[NamedEvidence]:
    """Work of persons that is no discovery, as one line per detection, table and whole.

    The mean of e-values is an e-value, so the line's is one of the whole.
    """
    people: dict[tuple[str, str, str], list[Evidence]] = {}
    for name, evidence in evidences:
        if evidence.work:
            people.setdefault((name, evidence.table, evidence.work), []).append(evidence)
        else:
            yield name, evidence
    for (name, _, work), group in people.items():
        yield name, _whole(CARDS[name], work, group)


def _whole(card: Card, work: str, group: Sequence[Evidence]) -> Evidence:
    volumes = [one.volume for one in group]
    volume = max(volumes) if group[0].shared else sum(volumes)
    none = group[0].no_evidence.partition(" in ")[0]
    whole = replace(
        group[0],
        subject=work,
        log_e=mean_log([one.log_e for one in group]),
        volume=volume,
        left_out=sum(one.left_out for one in group),
        at=max(one.at for one in group),
        no_evidence=f"{none} in {volume:,} {card.unit} ({work})",
        facts=tuple(sorted({fact for one in group for fact in one.facts}))[:2],
        detail=(),
        work="",
    )
    largest = max(group, key=lambda one: (one.volume, one.subject))
    return replace(whole, power=largest.power)


def put_off(alert: Alert, suppressions: Sequence[Suppression], day: date) -> Alert:
    """An alert beside what a person decided: raised as it is, and held where it was put off.

    Args:
        alert: as it was judged.
        suppressions: what persons put off, each until a day.
        day: the gaming day of the report.
    """
    of = [
        one for one in suppressions if one.covers(alert.detection, alert.table, alert.subject, day)
    ]
    if not alert.raised or not of:
        return alert
    last = max(of, key=lambda one: (one.until, one.by, one.reason))
    reason = f"snoozed until {last.until} by {last.by}: {last.reason}"
    return replace(alert, suppressed_until=last.until, not_shown=reason)


def compared(alert: Alert, history: History, thresholds: Iterable[Threshold]) -> Alert:
    """The thresholds from elsewhere that the property chose to see beside a table's win."""
    wins = [win for night in history if night.day == alert.gaming_day for win in night.wins]
    mine = [one for one in wins if one.staked_cents and alert.subject == subject_of(one)]
    win = next(iter(mine), None)
    if alert.detection != "win_on_wagers" or win is None:
        return alert
    off = 100 * (win.won_cents - win.expected_cents) / win.staked_cents
    rows = tuple(
        (
            f"{one.source}: {one.points:g} points of hold on wagers "
            "(not a Pennsylvania requirement)",
            f"{off:+.2f} points, {'beyond' if abs(off) > one.points else 'within'}",
        )
        for one in thresholds
    )
    return replace(alert, detail=alert.detail + rows)


def _budgeted(alerts: Iterable[Alert], policy: Policy, begins: int) -> Iterator[Alert]:
    """Raised alerts within the budget of each shift; what is beyond it is held, never dropped.

    Within a shift the severest detections come first, then by id: never by person.
    """
    weight = {"info": 4, "low": 3, "medium": 2, "high": 1, "critical": 0}
    used: dict[int, int] = {}
    for alert in sorted(alerts, key=lambda one: (weight[CARDS[one.detection].severity], one.id)):
        if not alert.raised or alert.not_shown:
            yield alert
            continue
        shift = (alert.at - begins) // (policy.shift_hours * 3600 * MICROSECONDS)
        used[shift] = used.get(shift, 0) + 1
        if used[shift] > policy.per_shift:
            reason = f"over the budget of {policy.per_shift} alerts per shift"
            yield replace(alert, not_shown=reason)
        else:
            yield alert
