"""The floor as its facts arrive: each finding as soon as it is certain, and what changes it."""

from ledger.watch.errors import NotDelivered, WatchFenced, WatchRunning
from ledger.watch.floor_watch import FloorWatch, Heard, Tick
from ledger.watch.notices import (
    Change,
    Feed,
    FeedLimit,
    Notice,
    Silence,
    notice_data,
    silence_data,
)
from ledger.watch.silences import ALL_TABLES, WHOLE_FLOOR
from ledger.watch.table_now import TableNow, TablePage, table_now
from ledger.watch.told import Refused, Told

__all__ = [
    "ALL_TABLES",
    "WHOLE_FLOOR",
    "Change",
    "Feed",
    "FeedLimit",
    "FloorWatch",
    "Heard",
    "NotDelivered",
    "Notice",
    "Refused",
    "Silence",
    "TableNow",
    "TablePage",
    "Tick",
    "Told",
    "WatchFenced",
    "WatchRunning",
    "notice_data",
    "silence_data",
    "table_now",
]
