"""Several properties, one list: each report proved by the key that the reader names, then added up.

Of a property its reports' manifests are read, and of a proved one four marts
(``property_totals``); never a ledger, an archive or a list of patrons. What cannot be proved or
read is listed with the reason and adds nothing. A report names those of the days before it, so that
one which is withheld, or put back, shows by a later one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from typing import Final

from ledger.analytics import ObjectStore, day_named, open_store
from ledger.kernel import IntegrityBroken, LedgerError
from ledger.kernel.quick_dataclass import dataclass
from ledger.night.errors import IssueDamaged, PropertiesWrong
from ledger.night.issue_folders import INDEX, is_vouched
from ledger.night.manifest import NAME, Manifest, canonical, parse_manifest
from ledger.night.property_list import ListedProperty
from ledger.night.property_totals import COLUMNS, coupons_of, games_of
from ledger.reports.night import Phase
from ledger.reports.roll_up_page import DayState, PropertyDay, RollUp

MANIFEST_BYTES: Final = 256 << 20
INDEX_BYTES: Final = 1 << 20
MART_BYTES: Final = 1 << 30
"""The longest manifest, index and mart that are read."""
MOST_DAYS: Final = 3_660
"""The longest span of a roll-up, about ten years."""
READERS: Final = 8
"""How many days are read at once."""
_ISSUE: Final = re.compile(r"(?P<phase>preliminary|final)-(?P<number>[1-9][0-9]{0,8})", re.ASCII)
_RANKS: Final = {Phase.PRELIMINARY.value: 0, Phase.FINAL.value: 1}

Rank = tuple[int, int]
"""The phase and the number of an issue: the greatest of a day is the one that people read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A day as it was read, and its manifest where that was proved."""

    day: PropertyDay
    manifest: Manifest | None = None


def roll_up(
    properties: Iterable[ListedProperty], first: date | None = None, last: date | None = None
) -> RollUp:
    """Return what several properties come to.

    Args:
        properties: as the reader lists them.
        first: the first gaming day; None takes the first that any property has.
        last: the last one; None takes the last that any property has.

    Raises:
        PropertiesWrong: the days span more than ``MOST_DAYS``.
    """
    properties = tuple(properties)
    stores: dict[str, tuple[ListedProperty, ObjectStore, frozenset[date]]] = {}
    not_read: dict[str, str] = {}
    for listed in properties:
        try:
            store = open_store(listed.nights)
            days = _days(store)
        except LedgerError as error:
            not_read[listed.name] = _reason(error)
            continue
        if days:
            stores[listed.name] = (listed, store, days)
        else:
            not_read[listed.name] = "no reports lie there"
    span = _span((days for _, _, days in stores.values()), first, last)
    read: list[PropertyDay] = []
    for listed in properties:
        if listed.name in stores:
            read += _property_days(*stores[listed.name], span)
        else:
            state, why = DayState.UNREACHABLE, not_read[listed.name]
            read += [PropertyDay(name=listed.name, day=day, state=state, why=why) for day in span]
    return RollUp(
        properties=tuple(one.name for one in properties), days=tuple(read), not_read=not_read
    )


def _days(store: ObjectStore) -> frozenset[date]:
    """The days that have a folder."""
    return frozenset(day for name in store.names("") if (day := day_named(name)))


def _span(
    of_properties: Iterable[frozenset[date]], first: date | None, last: date | None
) -> tuple[date, ...]:
    """Every day from the first to the last.

    Raises:
        PropertiesWrong: they are more than a roll-up takes.
    """
    days = [day for days in of_properties for day in days]
    begins = first or min(days, default=None) or last
    ends = last or max(days, default=None) or first
    if begins is None or ends is None:
        return ()
    count = (ends - begins).days + 1
    if not 0 < count <= MOST_DAYS:
        problem = f"a roll-up spans 1 to {MOST_DAYS:,} days, not {count:,}: name --from and --to"
        raise PropertiesWrong(f"{begins} to {ends}", problem)
    return tuple(begins + timedelta(days=at) for at in range(count))


def _property_days(
    listed: ListedProperty, store: ObjectStore, days: frozenset[date], span: tuple[date, ...]
) -> list[PropertyDay]:
    """Each day of the span at a property."""

    def read(day: date) -> _Reading:
        if day not in days:
            return _Reading(day=_absent(listed, day))
        try:
            return _read_day(listed, store, day)
        except LedgerError as error:
            is_altered = isinstance(error, IntegrityBroken)
            state = DayState.UNPROVED if is_altered else DayState.UNREACHABLE
            why = _reason(error)
            return _Reading(day=PropertyDay(name=listed.name, day=day, state=state, why=why))

    with ThreadPoolExecutor(READERS) as pool:
        readings = [*pool.map(read, span)]
    named = _named_later(readings)
    return [_against_later(one, named.get(one.day.day)) for one in readings]


def _absent(listed: ListedProperty, day: date) -> PropertyDay:
    return PropertyDay(name=listed.name, day=day, state=DayState.MISSING, why="there is no report")


def _read_day(listed: ListedProperty, store: ObjectStore, day: date) -> _Reading:
    """The last report of a day, proved, and its totals where it is final.

    Raises:
        IssueDamaged, StoredObjectAltered: what lies there is not what a trusted key sealed.
        StoreUnreachable, StoreDenied, StoreBucketMissing: it cannot be read.
    """
    ranks = {rank: name for name in store.names(day.isoformat()) if (rank := _rank(name))}
    if not ranks:
        return _Reading(day=_absent(listed, day))
    rank = max(ranks)
    folder = f"{day}/{ranks[rank]}"
    manifest = _proved_manifest(listed, store, day, ranks[rank])
    about = PropertyDay(
        name=listed.name, day=day, state=DayState.OPEN, issue=ranks[rank],
        why="only a preliminary report was issued",
    )  # fmt: skip
    if rank[0] == _RANKS[Phase.FINAL.value]:
        marts = {name: _mart(store, folder, manifest, name) for name in COLUMNS}
        try:
            games, (coupons, cents) = games_of(marts), coupons_of(marts)
        except ValueError as error:
            raise IssueDamaged(store.where(folder), str(error)) from error
        about = replace(
            about, state=DayState.CLOSED if rank[1] == 1 else DayState.REOPENED, why="",
            games=games, coupons=coupons, coupons_cents=cents,
        )  # fmt: skip
    return _Reading(day=about, manifest=manifest)


def _rank(name: str) -> Rank | None:
    match = _ISSUE.fullmatch(name)
    return None if match is None else (_RANKS[match["phase"]], int(match["number"]))


def _proved_manifest(listed: ListedProperty, store: ObjectStore, day: date, issue: str) -> Manifest:
    """The manifest of an issue, which a key that the reader trusts sealed.

    Raises:
        IssueDamaged: none did, or there is none.
    """
    folder = f"{day}/{issue}"
    where = store.where(f"{folder}/{NAME}")
    raw = store.read(f"{folder}/{NAME}", MANIFEST_BYTES)
    if raw is None:
        raise IssueDamaged(where, "its manifest is missing")
    manifest = parse_manifest(raw, where)
    index = store.read(f"{folder}/{INDEX}", INDEX_BYTES) or b""
    is_whole = type(manifest.get("tree_size")) is int and "gaming_day" in manifest
    if not is_whole or not is_vouched(manifest, index, day.isoformat(), issue, listed.seals):
        raise IssueDamaged(where, "the key that is named for the property did not seal it")
    return manifest


def _mart(store: ObjectStore, folder: str, manifest: Manifest, name: str) -> bytes:
    """A mart of a proved issue, held against its hash.

    Raises:
        IssueDamaged: it is missing or another.
    """
    file = f"marts/{name}.parquet"
    where = store.where(f"{folder}/{file}")
    digest = next((one["sha256"] for one in manifest["outputs"] if one["name"] == file), None)
    if digest is None:
        raise IssueDamaged(where, "the manifest has no such mart")
    content = store.read(f"{folder}/{file}", MART_BYTES)
    if content is None:
        raise IssueDamaged(where, "it is missing")
    if sha256(content).hexdigest() != digest:
        raise IssueDamaged(where, "its bytes are others")
    return content


def _named_later(readings: Iterable[_Reading]) -> Mapping[date, tuple[Rank, str, str, date]]:
    """For each day the last issue that a later report names: rank, name, hash, which report."""
    named: dict[date, tuple[Rank, str, str, date]] = {}
    for reading in readings:
        if reading.manifest is None:
            continue
        for reference in reading.manifest["earlier"]["reports"]:
            rank = _rank(reference["issue"])
            day = date.fromisoformat(reference["gaming_day"])
            if rank is not None and rank >= named.get(day, ((-1, 0),))[0]:
                named[day] = (rank, reference["issue"], reference["manifest"], reading.day.day)
    return named


def _against_later(reading: _Reading, named: tuple[Rank, str, str, date] | None) -> PropertyDay:
    """The day, unless a later report names an issue of it that is not the one that lies there."""
    if named is None or (reading.manifest is None and reading.day.state is not DayState.MISSING):
        return reading.day
    rank, issue, digest, later = named
    here = _rank(reading.day.issue) or (-1, 0)
    if reading.manifest is not None:
        own = sha256(canonical(reading.manifest)).hexdigest()
        if here > rank or (here == rank and own == digest):
            return reading.day
    return PropertyDay(
        name=reading.day.name,
        day=reading.day.day,
        state=DayState.UNPROVED,
        issue=reading.day.issue,
        why=f"the report of {later} names {issue} of this day, and that does not lie there",
    )


def _reason(error: LedgerError) -> str:
    """Why something is not counted: what is wrong, where, and the code of the refusal."""
    where = f" ({error.where})" if error.where else ""
    return f"{error.problem.rstrip('.')}{where} [{error.code}]"
