"""The circumstances of a round: time, cameras, how late a wager came, what holds despite a gap.

The lines are the same on the terminal and on a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from ledger.events import NoMoreBetsAnnounced
from ledger.kernel import Certainty, Finding, PropertyClock, duration_words, ref_of, seconds
from ledger.reports.phrases import calendar_date
from ledger.reports.round_view import CameraView, RoundView, Since
from ledger.reports.verdict import wager_verdict
from ledger.rounds import Outcome, RoundStatus


def when_line(seen: RoundView, clock: PropertyClock) -> str:
    """The gaming day, the hours, and the calendar date wherever it is another than the day."""
    result = seen.result
    opened = clock.local(result.opened_at)
    line = f"gaming day {result.gaming_day}, {opened:%H:%M:%S}"
    if result.closed_at is not None:
        line += f" to {clock.local(result.closed_at):%H:%M:%S}"
    line += f" {opened:%Z}"
    if opened.date() != result.gaming_day:
        line += f" on {calendar_date(opened.date())}"
    return f"{line}; {result.status.value}"


# ------------------------------------------------------------------ cameras


def camera_lines(seen: RoundView, clock: PropertyClock, footage_days: int | None) -> list[str]:
    """The cameras in force during a round, and until when their recordings are kept.

    Args:
        seen: the round.
        clock: the property's.
        footage_days: for how many days recordings are kept; None: the property has not set it.
    """
    lines = [_camera(view, clock) for view in seen.cameras]
    if not lines:
        lines = ["No camera on record for this table at that time."]
    if footage_days is None:
        return [*lines, "Footage retention is not set (PITLEDGER_FOOTAGE_DAYS)."]
    until = clock.local(seen.ends_at).date() + timedelta(days=footage_days)
    return [*lines, f"Footage is kept {footage_days} days, until {calendar_date(until)}."]


def _camera(view: CameraView, clock: PropertyClock) -> str:
    covers = f" ({view.covers})" if view.covers else ""
    since = clock.local(view.since)
    line = f"Camera {view.camera}{covers}, at this table since {since:%H:%M:%S}"
    line += f" on {calendar_date(since.date())}"
    for lost, back in view.losses:
        begins = clock.local(lost)
        if back is None:
            line += f"; down from {begins:%H:%M:%S} on {calendar_date(begins.date())}, not restored"
        else:
            span = duration_words(back - lost)
            line += f"; down {span}, {begins:%H:%M:%S} to {clock.local(back):%H:%M:%S}"
    return line


# ------------------------------------------------------------------ seconds


def since_words(seen: RoundView, finding: Finding) -> str | None:
    """How long after the close of betting the facts of a finding came, beside what clocks can tell.

    None where the finding rests on no wager that came after the close.
    """
    spans = [seen.since[ref] for ref in finding.facts if ref in seen.since]
    return _since(spans[0]) if spans else None


def _since(span: Since) -> str:
    is_call = isinstance(span.closing, NoMoreBetsAnnounced)
    closing = "'no more bets'" if is_call else "the throw"
    after = f"{seconds(span.micros)[1:]} after {closing} ({ref_of(span.closing)})"
    if span.uncertainty is None:
        return f"{after}, by the same terminal's clock"
    return f"{after}; the two terminals' clocks agree within {seconds(span.uncertainty)[1:]}"


# ------------------------------------------------------------------ what may still hold


def conditional_lines(seen: RoundView) -> Iterator[str]:
    """What can be said of a round that a gap leaves unknown.

    First what holds whatever the missing facts say: findings that rest on recorded facts alone.
    Then how the round would be judged if the missing facts had changed nothing. Of a round that was
    settled before they were lost: what they could have added.
    """
    if seen.result.missing_since is not None:
        yield "The record shows the round decided and settled; facts are missing right after it."
        yield (
            "The missing facts may hold another wager, a second payment, a correction or a call "
            f"that reversed the result; {seen.result.missing_since}."
        )
    if seen.result.status is not RoundStatus.UNKNOWN or not seen.gaps:
        return
    certain = [f for f in seen.result.findings if f.certainty is Certainty.BROKEN]
    for finding in certain:
        yield f"Whatever the missing facts say: {finding.sentence}"
    assumed = seen.assumed
    if assumed is None:
        yield "The facts on record do not show an outcome, so nothing is assumed."
        return
    shown = f"the outcome is {assumed.shown} and " if assumed.shown else ""
    judged = [w for w in assumed.wagers if w.expected.outcome is not Outcome.UNKNOWN]
    comes = "the wagers on record come out as follows:" if judged else "no wager can be judged."
    yield f"If the missing facts changed no wager, roll or call, {shown}{comes}"
    yield from (wager_verdict(wager) for wager in judged)
