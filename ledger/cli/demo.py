"""The demonstration: simulate, audit, and hold the findings against the truth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from ledger.audit import DayAudit, HouseRecord, audit_day, gaming_days, read_coupons, read_office
from ledger.cli.days import listed_rounds
from ledger.cli.errors import LedgerHoldsFacts, TruthUnreadable
from ledger.cli.out import Told
from ledger.cli.simulating import EVERY_KIND, TRUTH, Wish, simulate_into
from ledger.coupons import Reconciliation, reconcile
from ledger.floor import TruthRow
from ledger.log import read_log
from ledger.replay import Replay
from ledger.reports import Demo, TruthMalformed, compare, truth_rows
from ledger.rounds import RoundStatus

CARRIED = Path("cache", "carried")
"""Where in a ledger's folder the carried states lie."""
DAYS = 3
"""Gaming days of the demonstration: all kinds of plants of coupons need three."""
HIDDEN = ("overpaid@SB-03", "late_wager@SB-03")
"""Planted where nobody records wagers: the capture level cannot show them."""


def run_demo(ledger: Path | None, seed: int, processes: int, told: Told) -> Demo:
    """Simulate three days into a ledger, unless one is there, and judge them.

    Args:
        ledger: where; None takes a temporary folder.
        seed: chooses everything that is left to chance.
        processes: how many share the audit.
        told: told how many facts are simulated.

    Raises:
        LedgerHoldsFacts: facts are there, and no truth beside them.
    """
    started = monotonic()
    with _folder(ledger) as folder:
        if not _has_truth(folder):
            plants = [EVERY_KIND, *HIDDEN]
            wish = Wish.of(seed=seed, first_day=None, days=DAYS, plants=plants, coupons=True)
            simulate_into(
                folder, wish, out=None, go_on=False, told=told, rehearsed=ledger is not None
            )
        simulated = monotonic()
        truth = read_truth(folder)
        replay = Replay.open(folder)
        office = read_office(replay)
        audits = [
            audit_day(replay, day, processes=processes, carried=folder / CARRIED)
            for day in gaming_days(replay)
        ]
        findings = [finding for audit in audits for finding in audit.findings]
        unknown = set(_unknown_rounds(folder, truth))
        return Demo(
            folder=str(folder) if ledger is not None else None,
            audits=tuple(audits),
            comparison=compare(truth, findings, unknown),
            coupons=_coupons(replay, office, folder, audits),
            property_name=office.office.property_name,
            simulated_seconds=round(simulated - started, 1),
            audited_seconds=round(monotonic() - simulated, 1),
        )


def _coupons(
    replay: Replay, office: HouseRecord, folder: Path, audits: Iterable[DayAudit]
) -> tuple[Reconciliation, ...]:
    """What the coupons of each audited day with play came to; nothing where there are none."""
    book = read_coupons(replay, office, folder / CARRIED)
    if book is None:
        return ()
    return tuple(reconcile(book, audit.gaming_day) for audit in audits if audit.rounds)


def read_truth(folder: Path) -> list[TruthRow]:
    """What was planted, as the simulation wrote it down.

    Raises:
        TruthUnreadable: it is not there, or not in its form.
    """
    path = folder / TRUTH
    try:
        return truth_rows(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise TruthUnreadable(path, error.strerror or str(error)) from error
    except (TruthMalformed, ValueError) as error:
        raise TruthUnreadable(path, str(error)) from error


def _has_truth(folder: Path) -> bool:
    if (folder / TRUTH).exists():
        return True
    if (folder / "checkpoint").exists() and read_log(folder).size > 1:
        raise LedgerHoldsFacts(folder)
    return False


def _unknown_rounds(folder: Path, truth: list[TruthRow]) -> Iterator[str]:
    """The rounds that the replay does not know, at the tables where some must be unknown."""
    streams = {name.rpartition(":")[0] for row in truth for name in row.get("unknown_rounds", ())}
    for table in sorted({stream.partition("/")[0] for stream in streams}):
        for result in listed_rounds(folder, None, table)[1]:
            if result.status is RoundStatus.UNKNOWN:
                yield result.round


@contextmanager
def _folder(ledger: Path | None) -> Iterator[Path]:
    """The folder that was named, or a temporary one."""
    if ledger is not None:
        yield ledger
        return
    with TemporaryDirectory(prefix="pitledger-demo-") as name:
        yield Path(name) / "ledger"
