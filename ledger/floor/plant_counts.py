"""Plants in what is counted at a table: slips, inventories, boxes."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from ledger.events import CloserCounted, DropBoxCounted, FillDelivered
from ledger.floor.draft import Draft
from ledger.floor.plant_play import last_of
from ledger.floor.tables import TableSpec

OFF: Final = (2_500, 10_000, 50_000)
"""By how many cents an inventory is miscounted: a chip, a stack, a tray."""


def has_fill(draft: Draft) -> bool:
    """A step in which chips are brought."""
    return any(isinstance(fact, FillDelivered) for fact in draft.facts)


def has_cash(draft: Draft) -> bool:
    """A count of a box that holds notes."""
    return bool(last_of(draft, DropBoxCounted).cash)


def fill_not_recorded(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Chips are brought to the table and no fact says so."""
    fill = last_of(draft, FillDelivered)
    draft.remove(fill)
    draft.unrecorded.append(fill)


def wrong_closer(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The inventory is miscounted at closing."""
    closer = last_of(draft, CloserCounted)
    draft.apart = rng.choice((-1, 1)) * rng.choice(OFF)
    draft.swap(closer, replace(closer, chips_cents=closer.chips_cents + draft.apart))


def box_count_short(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A note is missing from a box when it is counted."""
    count = last_of(draft, DropBoxCounted)
    first, *rest = count.cash
    fewer = replace(first, pieces=first.pieces - 1)
    cash = (*([fewer] if fewer.pieces else []), *rest)
    draft.apart = -first.denomination_cents
    draft.swap(count, replace(count, cash=cash))
