"""Old to new: what a fact of an older version says in the words of the next one.

One row for each version that is no longer the newest. A step takes and gives the plain values
(dicts, lists, words, numbers) and may only say what the old fact said: what was not recorded then
is null, "not recorded", and never a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.codec.shapes import PlainValue

Step = Callable[[dict[str, PlainValue]], dict[str, PlainValue]]
"""From the values of one version to the values of the next. It changes none in place."""


def _relieved_by_not_recorded(values: dict[str, PlainValue]) -> dict[str, PlainValue]:
    """StaffRelieved 2 adds who took over; version 1 did not record it."""
    return {**values, "relieved_by": None}


def _proof_not_recorded(values: dict[str, PlainValue]) -> dict[str, PlainValue]:
    """Version 2 adds how it was proved who acted; version 1 did not record it."""
    return {**values, "proof": None}


def _proofs_not_recorded(values: dict[str, PlainValue]) -> dict[str, PlainValue]:
    """Version 2 adds how it was proved who acted and who approved; version 1 recorded neither."""
    return {**values, "proof": None, "approval_proof": None}


# fmt: off
UPCASTS: Final[dict[tuple[str, int], Step]] = {
    # event, from version     to the next version
    ("ActionClosed", 1):      _proof_not_recorded,
    ("ActionNoted", 1):       _proof_not_recorded,
    ("ActionTaken", 1):       _proof_not_recorded,
    ("CauseSuppressed", 1):   _proof_not_recorded,
    ("CouponFormSigned", 1):  _proof_not_recorded,
    ("FactAmended", 1):       _proofs_not_recorded,
    ("FactsAdded", 1):        _proofs_not_recorded,
    ("ObservationConfirmed", 1): _proof_not_recorded,
    ("ReportSigned", 1):      _proof_not_recorded,
    ("RoundObserved", 1):     _proof_not_recorded,
    ("StaffRelieved", 1):     _relieved_by_not_recorded,
}
# fmt: on


def upcast(
    name: str, version: int, newest: int, values: dict[str, PlainValue]
) -> dict[str, PlainValue]:
    """Translate the values of a fact into the newest version of its schema, step by step.

    Args:
        name: of the event.
        version: of the schema that the fact was written with; the newest needs no step.
        newest: the newest version of that schema.
        values: by field, times in microseconds UTC.
    """
    for step in range(version, newest):
        values = UPCASTS[name, step](values)
    return values
