"""What a ledger does not have: a gaming day, a table."""

from __future__ import annotations

from ledger.kernel import UsageError


class DayUnknown(UsageError):
    """The ledger has no fact of that gaming day."""

    code = "day_unknown"


class TableUnknown(UsageError):
    """The ledger has no fact of that table."""

    code = "table_unknown"

    def __init__(self, table: str, tables: list[str]) -> None:
        known = ", ".join(tables) or "none"
        super().__init__(f"There is no table {table!r}.", next_step=f"the ledger has: {known}")
