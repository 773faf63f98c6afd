"""The terminals' clocks on a gaming day: how far off, how fast they drift, which are too far off.

Law: the Ledger contract, L.5. Readings: clock-drift.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AnySet

from ledger.audit.ledger_contract import Day
from ledger.house import Office
from ledger.house.clocks import Check, drift_per_day
from ledger.kernel import Certainty, Finding, Severity, seconds
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import LEDGER_CONTRACT as LAW


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockLine:
    """One terminal's clock, by the checks up to the day's end; spans are in microseconds.

    Args:
        source: the terminal.
        streams: the streams that it is registered to write.
        claimed: the least uncertainty registered for it; None if none is.
        checks: how many checks there are.
        offset: what the last check measured; None without a check.
        drift_per_day: how much it gains (or, negative, loses) a day; None if the checks cannot say.
        last: the last check.
        off_since: when the first check of the current unbroken run beyond ``claimed`` took place,
            microseconds UTC; None if the last check lay within it or nothing is claimed.
        good_at: when the last check within ``claimed`` took place; None if none did.
    """

    source: str
    streams: tuple[str, ...]
    claimed: int | None
    checks: int
    offset: int | None
    drift_per_day: int | None
    last: Check | None
    off_since: int | None
    good_at: int | None

    @property
    def is_off(self) -> bool | None:
        """Whether the last check lay beyond what is claimed; None where nothing shows it."""
        if self.claimed is None or self.offset is None:
            return None
        return abs(self.offset) > self.claimed


def clock_lines(office: Office, day: Day, wanted: AnySet[str] | None = None) -> list[ClockLine]:
    """Return every terminal's clock, by name.

    Args:
        office: what was recorded of the house.
        day: the gaming day at whose end the clocks are told.
        wanted: these terminals' alone; None: all.
    """
    sources = office.clocks.sources()
    return [
        _line(office, source, day.ends) for source in sources if wanted is None or source in wanted
    ]


def _line(office: Office, source: str, before: int) -> ClockLine:
    clocks = office.clocks
    checks, claimed = clocks.last(source, before), clocks.claimed(source, before)
    since = good = None
    for check in reversed(checks):
        if claimed is not None and abs(check.offset) <= claimed:
            good = check.at
            break
        since = check.at
    return ClockLine(
        source=source,
        streams=tuple(
            sorted(
                stream
                for stream, many in clocks.registered.items()
                if any(one.registered_source == source for one in many)
            )
        ),
        claimed=claimed,
        checks=len(checks),
        offset=checks[-1].offset if checks else None,
        drift_per_day=drift_per_day(checks),
        last=checks[-1] if checks else None,
        off_since=since if claimed is not None else None,
        good_at=good,
    )


def clock_findings(office: Office, day: Day) -> Iterator[Finding]:
    """Report each check of the day that measured more than is claimed."""
    for source, checks in sorted(office.clocks.checks.items()):
        for check in checks:
            if not day.has(check.at):
                continue
            claimed = office.clocks.claimed(source, check.at)
            if claimed is None or abs(check.offset) <= claimed:
                continue
            earlier = [one for one in checks if one.at < check.at and abs(one.offset) <= claimed]
            sure = office.sure(None, check.at)
            yield Finding(
                code="clock_off",
                severity=Severity.MEDIUM,
                certainty=Certainty.BROKEN if sure else Certainty.UNKNOWN,
                sentence=(
                    f"The clock of {source} was off by {seconds(check.offset)}; registered is an"
                    f" uncertainty of {seconds(claimed)[1:]}. No check since"
                    f" {'it was registered' if not earlier else earlier[-1].fact} shows it right."
                ),
                citations=(LAW[".5"],),
                gaming_day=day.date,
                stream=check.fact.stream,
                facts=(check.fact,),
                readings=("clock-drift",),
                expected=f"± {seconds(claimed)[1:]}",
                observed=seconds(check.offset),
            )
