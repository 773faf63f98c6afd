"""A table as it stood after some of a round's facts, drawn by pure functions from that state."""

from ledger.reports.board.table_state import Board, board_at

__all__ = ["Board", "board_at"]
