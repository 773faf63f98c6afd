"""Many tests on many nights: which evidence is enough, how much may be shown, what is put off.

A night's evidence is judged together (e-BH), and with that of the earlier nights of its calendar
month (e-LOND). In one rule: with K tests tonight, B discoveries on earlier nights and a share 1/N
of the error for each of the month's N nights, the r strongest are discoveries where each reaches
K·N/(alpha·(B + r)). With one night it is e-BH, with one test a night it is e-LOND; the expected
share of false discoveries in a calendar month is at most alpha, however the tests hang together,
since each is an e-value: a false discovery at level K·N/(alpha·(B + r)) weighs at most
e·alpha/(K·N) in that share, and e has mean at most 1.

Sources: R. Wang, A. Ramdas, "False discovery rate control with e-values" (2022); Z. Xu, A. Ramdas,
"Online multiple testing with e-values" (2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ledger.kernel.quick_dataclass import dataclass

NIGHTS = 31
"""The nights among which a calendar month's error is shared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A threshold from elsewhere: how many percentage points the hold on wagers may differ.

    It is shown beside the evidence and raises nothing. ``source`` names where it comes from.
    """

    source: str
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the property decided about alerts.

    ``alpha``: the expected share of false alarms among the alarms of a calendar month, at most.
    ``earlier``: discoveries on earlier nights of the month; fewer than there were is on the safe
    side. ``shift_hours`` divides a gaming day, ``per_shift`` is how many alerts a shift is shown.
    ``thresholds``: other states' thresholds for hold that the property wants to see; none by
    default, since no Pennsylvania rule asks for them.
    """

    alpha: float = 0.05
    earlier: int = 0
    nights: int = NIGHTS
    shift_hours: int = 8
    per_shift: int = 4
    thresholds: tuple[Threshold, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """A person's decision not to be shown one kind of alert for a while.

    ``table`` and ``subject`` empty mean any. ``persons`` are those who decided it, with when: what
    is critical is put off only by two. It ends with the gaming day ``until``. The alert is
    still derived, still a discovery and still counted: it is only not shown again.
    """

    detection: str
    until: date
    reason: str
    by: str
    table: str = ""
    subject: str = ""
    persons: tuple[tuple[str, int], ...] = ()

    def covers(self, detection: str, table: str, subject: str, day: date) -> bool:
        """Whether it speaks of this alert on this gaming day.

        Args:
            detection: its name.
            table: the table.
            subject: what the alert is about.
            day: the gaming day.
        """
        return (
            day <= self.until
            and detection == self.detection
            and self.table in ("", table)
            and self.subject in ("", subject)
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """Which evidence is a discovery, and the level that each has reached or would have to."""

    discoveries: frozenset[int]
    level: float


def judge(e_values: Sequence[float], policy: Policy) -> Judged:
    """Judge a night's e-values together with what the month has brought before."""
    base = len(e_values) * policy.nights / policy.alpha
    order = sorted(range(len(e_values)), key=lambda at: -e_values[at])
    discovered = 0
    for r, at in enumerate(order, 1):
        if e_values[at] >= base / (policy.earlier + r):
            discovered = r
    share = policy.earlier + max(discovered, 1)
    return Judged(frozenset(order[:discovered]), base / share)
