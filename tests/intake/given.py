"""A property, its sheets, and imports into a ledger in memory."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ledger import events
from ledger.audit import DayAudit, audit_day
from ledger.codec import frame
from ledger.intake import Act, ErasableStore, Import, Preview
from ledger.intake.personal_encryption_keys import people_file
from ledger.log import Accepted, Arrival
from ledger.replay import FactStep, Replay
from tests.log.memory_log import MemoryLog

SAMPLES: Final = Path(__file__).parent / "samples"
PROFILES: Final = sorted(path.stem for path in SAMPLES.glob("*.csv"))
DAY: Final = date(2021, 6, 12)
NOW: Final = 1_623_700_000_000_000
ACT: Final = Act(by="E-1", at=NOW, reason="typed wrong", approved_by="E-2")
PROPERTY: Final = events.PropertyDescribed(
    stream="house", seq=1, event_time=1_609_459_200_000_000, source="T-house", recorded_by=None,
    name="Example Casino", certificate_holder=None, time_zone="America/New_York",
    gaming_day_starts_minutes=360,
)  # fmt: skip

SERIES: Final = [
    events.CouponSeriesDescribed(
        stream="coupons/finance", seq=seq, event_time=PROPERTY.event_time, source="T-finance",
        recorded_by=None, series=f"S-{cents // 100}", design=None, denomination_cents=cents, prefix="C-",
        digits=7, first=f"C-{first:07d}", last=f"C-{first + 99:07d}", expires=None,
        games=None, wagers=None, pays=None, elements=None,
    )
    for seq, (cents, first) in enumerate([(1_000, 1), (2_500, 101), (500, 201)], 1)
]  # fmt: skip
"""What the property has printed on its coupons."""

PEOPLE: Final = [
    events.PersonCredentialled(
        stream="house/people", seq=seq, event_time=PROPERTY.event_time, source="T-house",
        recorded_by=None, person=person, department="table games", role=role, revoked=False,
    )
    for seq, (person, role) in enumerate([(ACT.by, events.Role.DEALER), ("E-2", events.Role.FLOORPERSON)], 1)
]  # fmt: skip
"""Who corrects, a member, and who approves it, a supervisor (``ledger/law/decision_rights.toml``)."""


def ledger() -> MemoryLog:
    """A property that has said where it is, and no more."""
    log = MemoryLog(origin="intake.example", property="Example Casino", record_time=1)
    log.append([Arrival(frame(PROPERTY))], 2)
    return log


def with_coupons() -> MemoryLog:
    """The same, which has described its coupons and its people too."""
    log = ledger()
    log.append([Arrival(frame(one)) for one in [*SERIES, *PEOPLE]], 3)
    return log


def sample(profile: str) -> str:
    """The sample file of a profile."""
    return (SAMPLES / f"{profile}.csv").read_text(encoding="utf-8")


def preview(log: MemoryLog, profile: str, path: Path) -> Preview:
    """What a file would do."""
    store = ErasableStore(path.parent)
    with Import(profile, path, Replay(log), ACT.by, store=store) as one:
        return one.preview()


def commit(log: MemoryLog, profile: str, path: Path, act: Act = ACT) -> Preview:
    """Import a file, if all its rows are good."""
    store = ErasableStore(path.parent)
    with Import(profile, path, Replay(log), act.by, store=store) as one:
        seen = one.preview()
        if seen.can_commit:
            with one.names_kept(bool):
                done = log.append([Arrival(framed) for framed in one.facts(act)], act.at)
            assert not done.conflicts
            assert not done.quarantined
    return seen


def put(log: MemoryLog, folder: Path, profile: str, text: str, act: Act = ACT) -> Preview:
    """Write a sheet and import it."""
    path = folder / f"{profile}.csv"
    path.write_text(text, encoding="utf-8")
    return commit(log, profile, path, act)


@cache
def _day_of_samples() -> tuple[MemoryLog, Path, TemporaryDirectory[str]]:
    """The day of all samples and the folder of its sheets, made once; both are only copied."""
    above = TemporaryDirectory()
    folder = Path(above.name) / "sheets"
    folder.mkdir()
    return _imported_day(folder, {}), folder, above


def whole_day(folder: Path, **sheets: str) -> MemoryLog:
    """The day of all samples; a sheet may be another than the sample (``table_wagers=``)."""
    if sheets:
        return _imported_day(folder, sheets)
    log, made, _ = _day_of_samples()
    shutil.copytree(made, folder, dirs_exist_ok=True)
    shutil.copy(people_file(made), people_file(folder))
    return _copied(log)


def _copied(log: MemoryLog) -> MemoryLog:
    """Another log with the same entries."""
    copy = MemoryLog(origin="intake.example", property="Example Casino", record_time=1)
    accepted = [entry for _, entry in log.entries() if isinstance(entry, Accepted)]
    for record_time, entries in groupby(accepted, lambda entry: entry.record_time):
        copy.append([Arrival(entry.framed) for entry in entries], record_time)
    assert copy.root == log.root
    return copy


def _imported_day(folder: Path, sheets: Mapping[str, str]) -> MemoryLog:
    log = with_coupons()
    for number, profile in enumerate(PROFILES):
        text = sheets.get(profile.replace("-", "_"), sample(profile))
        put(log, folder, profile, text, replace(ACT, at=NOW + number))
    return log


def judged(log: MemoryLog) -> DayAudit:
    """The audit of the samples' day."""
    return audit_day(Replay(log), DAY)


def told(audit: DayAudit) -> list[str]:
    """Findings in short, with the facts they rest on left out, and the capture table."""
    found = [f"{f.code} § {f.citations[0].section}: {f.sentence}" for f in audit.findings]
    tables = [
        f"{line.table}, {line.level or 'not opened'}: {line.rounds} rounds, {line.judged} judged,"
        f" {line.wagers} wagers"
        for line in audit.capture
    ]
    return sorted(found + tables)


def imported(log: MemoryLog) -> list[events.FileImported]:
    """What the ledger remembers of whole files."""
    steps = Replay(log).walk(["imports"])
    return [
        s.fact for s in steps if isinstance(s, FactStep) and isinstance(s.fact, events.FileImported)
    ]
