"""The floor as its facts arrive: each finding as soon as it is certain, and what changes it."""

from ledger.watch.errors import NotDelivered, WatchFenced, WatchRunning
from ledger.watch.floor_watch import ALL_TABLES, FloorWatch, Heard, Tick
from ledger.watch.notices import Change, Notice, Silence, notice_data, silence_data
from ledger.watch.table_now import TableNow, table_now
from ledger.watch.told import Told

__all__ = [
    "ALL_TABLES",
    "Change",
    "FloorWatch",
    "Heard",
    "NotDelivered",
    "Notice",
    "Silence",
    "TableNow",
    "Tick",
    "Told",
    "WatchFenced",
    "WatchRunning",
    "notice_data",
    "silence_data",
    "table_now",
]
