"""The audit of a gaming day that was closed, spread over looks: table by table.

A day of many tables takes a quarter of a minute; findings of other tables would wait for it. Each
table's judgment is kept as for any question, so that a restart goes on where this one stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from ledger.analytics import JudgedTable, JudgedTables
from ledger.audit import Day, DayAudit, tables_on
from ledger.kernel.quick_dataclass import dataclass


@dataclass(slots=True)
class ClosedDayAudit:
    """A closed day that is being audited.

    Attributes:
        span: the gaming day.
        tables: what was judged of it so far, by table.
    """

    span: Day
    tables: dict[str, JudgedTable] = field(default_factory=dict)

    def go_on(self, judged: JudgedTables, is_late: Callable[[], bool]) -> DayAudit | None:
        """Judge some more of its tables, one at least; return the audit once it has them all.

        What came between two looks may bear on a table that was judged before: it is judged again.

        Args:
            judged: the judged tables of the ledger as it stands.
            is_late: whether this look should end.
        """
        names = tables_on(judged.replay, self.span)
        waiting = [name for name in names if name not in self.tables]
        if not waiting:
            waiting = [name for name in names if not judged.stands(self.tables[name], self.span)]
        for number, name in enumerate(waiting):
            if number and is_late():
                return None
            kept = judged.kept_judgment(name, self.span)
            self.tables[name] = kept or judged.judge(name, self.span)
        if any(not judged.stands(self.tables[name], self.span) for name in names):
            return None
        return judged.joined(self.span, [self.tables[name] for name in names])
