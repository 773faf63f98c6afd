"""A year of one table audited on two workers, one of them killed: one manifest hash."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Final

from ledger.analytics.day_range import audit_range, chance_of_catching
from ledger.analytics.day_range.dask_runner import on_dask
from ledger.floor import FIRST_DAY
from tests.analytics import given
from tests.analytics.dask_given import Cluster, cluster
from tests.analytics.range_given import judged, serial
from tests.engine import of_tables
from tests.tour.stage import check

DAYS: Final = 365
KILLED_AFTER: Final = 120
SHARE: Final = Fraction(1, 20)


def one_hash(work: Path) -> Iterator[str]:
    """Audit the days in this process, then on two workers, and kill one of them on the way."""
    begins, ends = FIRST_DAY, FIRST_DAY + timedelta(days=DAYS - 1)
    sent = of_tables(given.facts("overpaid:3", "lost_event", days=DAYS, scale=0.003), "SB-01")
    folder = given.ledger(work / "ledger", [*sent])
    alone = serial(folder, begins, ends).manifest
    rounds = sum(day.rounds for day in alone.days)
    findings = sum(day.findings for day in alone.days)
    yield f"SB-01, {begins} to {ends}: {len(sent):,} facts, {rounds:,} rounds, {findings} findings"
    yield f"in one process      {alone.hash}"
    with cluster(folder, work / "cluster") as machines:
        spread, sampled, of = _with_one_killed(machines, folder)
    yield f"on two workers      {spread}"
    check(spread == alone.hash, "the hashes differ")
    caught = float(chance_of_catching(sampled, of, 10))
    yield f"one worker was killed (SIGKILL) in the middle of day {KILLED_AFTER + 1}; all {of} results came"
    yield f"{sampled} of them judged again here: ten false ones would show with {caught:.0%} chance"


def _with_one_killed(machines: Cluster, folder: Path) -> tuple[str, int, int]:
    """The hash, and how many results of how many were judged again."""

    with on_dask(machines.address) as runner:
        killed = machines.kill_at_work(runner, KILLED_AFTER + 1)
        audited = audit_range(
            judged(folder), FIRST_DAY, FIRST_DAY + timedelta(days=DAYS - 1), runner, share=SHARE
        )
        check(killed(), "no worker was killed")
    check(audited.sample, "nothing was judged again")
    assert audited.sample is not None
    return audited.manifest.hash, len(audited.sample.keys), audited.sample.of
