"""A breach that hangs on an order which the clocks of two sources leave open.

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
    """A breach that hangs on an order that is not known."""
    return replace(
        breach,
        facts=breach.facts or (ref_of(fact),),
        certainty=Certainty.UNKNOWN,
        effect_cents=None,
        interval=interval(apart),
    )


def apart_of(office: Office, first: Fact | None, fact: Fact) -> Apart | None:
    """How far a fact lies from another one, where the clocks leave their order open."""
    return None if first is None else office.clocks.apart(first, fact)
