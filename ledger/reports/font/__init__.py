"""The font that every page carries, so that it is laid out and printed alike on every machine."""

from ledger.reports.font.face import FAMILY, STACK, with_font

__all__ = ["FAMILY", "STACK", "with_font"]
