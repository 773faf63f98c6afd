"""A table's facts in every order that clocks allow, around a play that knows one order."""

from ledger.rounds.orders.every_order import PAUSE, InEveryOrder, Pause

__all__ = ["PAUSE", "InEveryOrder", "Pause"]
