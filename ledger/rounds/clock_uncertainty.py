"""A breach that depends on an order of facts which the clocks of two sources leave open.

Law: the Ledger contract, L.5. Readings: clock-drift.
"""

from __future__ import annotations

from dataclasses import replace

from ledger.events import Fact
from ledger.games.room import Breach
from ledger.house import Office
from ledger.house.clocks import Apart, interval
from ledger.kernel import Certainty, ref_of


def unsure(breach: Breach, fact: Fact, apart: Apart) -> Breach:
    """Return a breach as unknown, with the interval that leaves it open.

    Args:
        breach: what is broken if the facts came in the recorded order.
        fact: the fact on which it rests where it names none.
        apart: by how much the facts differ, and by how much the clocks may be off together.
    """
    return replace(
        breach,
        facts=breach.facts or (ref_of(fact),),
        certainty=Certainty.UNKNOWN,
        effect_cents=None,
        interval=interval(apart),
    )


def apart_of(office: Office, first: Fact | None, fact: Fact) -> Apart | None:
    """Return how far a fact lies from an earlier one if the clocks leave their order open.

    None if the order is known, or there is no earlier fact.
    """
    return None if first is None else office.clocks.apart(first, fact)
