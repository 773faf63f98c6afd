"""A day restated by amendments: its findings and totals before them, and the differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from rich.text import Text

from ledger.audit import DayAudit, TableAccount
from ledger.kernel import Finding, dollars, plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.findings import finding_data

SHOWN: Final = 20
"""How many findings that came or went a page names; the JSON form has all."""
_SUMS: Final = (
    *("opener_cents", "fills_cents", "credits_cents", "closer_cents", "drop_cents"),
    *("coupons_cents", "by_count_cents", "by_rounds_cents", "wagered_cents"),
)
_WORDS: Final = {"by_count_cents": "counted win", "by_rounds_cents": "calculated win"}


@dataclass(frozen=True, slots=True)
class Restated:
    """How a day's audit of the facts as recorded first differs from that of the facts as amended.

    Attributes:
        before: the audit of the facts as recorded first.
        came: findings that only the facts as amended have.
        went: findings that only the facts as recorded first had.
        sums: a table, what of its day, and cents before and after; None is not known.
    """

    before: DayAudit
    came: tuple[Finding, ...]
    went: tuple[Finding, ...]
    sums: tuple[tuple[str, str, int | None, int | None], ...]


def restated(before: DayAudit, after: DayAudit) -> Restated:
    """Compare the audit of a day without its amendments with the audit of the facts as amended."""
    return Restated(
        before,
        tuple(_more(after.findings, before.findings)),
        tuple(_more(before.findings, after.findings)),
        tuple(_sums(before.accounts, after.accounts)),
    )


def _more(some: Iterable[Finding], than: Iterable[Finding]) -> Iterator[Finding]:
    left = Counter(map(_content, than))
    for finding in some:
        content = _content(finding)
        left[content] -= 1
        if left[content] < 0:
            yield finding


def _content(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.certainty, finding.sentence, finding.facts, finding.wager


def _sums(
    before: Iterable[TableAccount], after: Iterable[TableAccount]
) -> Iterator[tuple[str, str, int | None, int | None]]:
    was, became = ({one.table: one for one in accounts} for accounts in (before, after))
    for table in sorted(was | became):
        for name in _SUMS:
            old, new = (
                getattr(accounts[table], name) if table in accounts else None
                for accounts in (was, became)
            )
            if old != new:
                words = _WORDS.get(name, name.removesuffix("_cents").replace("_", " "))
                yield table, words, old, new


def restated_data(restatement: Restated) -> dict[str, object]:
    """The difference as plain data."""
    return {
        "digest_before": restatement.before.digest,
        "findings_before": len(restatement.before.findings),
        "came": [finding_data(finding) for finding in restatement.came],
        "went": [finding_data(finding) for finding in restatement.went],
        "tables": [
            {"table": table, "what": figure, "before_cents": old, "now_cents": new}
            for table, figure, old, new in restatement.sums
        ],
    }


def restated_lines(restatement: Restated, findings: int) -> Iterator[Text]:
    """The lines of a page about a restated day; ``findings`` is how many it has as amended."""
    yield Text(
        f"Restated: {plural(len(restatement.before.findings), 'finding')} before the amendments,"
        f" {findings:,} after them",
        style="bold yellow",
    )
    changes = [("new: ", finding) for finding in restatement.came]
    changes += [("gone:", finding) for finding in restatement.went]
    for change, finding in changes[:SHOWN]:
        line = Text(f"  {change} {finding.round or finding.stream}: {finding.sentence}")
        cite = f" § {finding.citations[0].section}" if finding.citations else ""
        line.append(f"{cite} {finding.code}", style="dim")
        yield line
    if len(changes) > SHOWN:
        yield Text(f"  and {len(changes) - SHOWN:,} more (--format json)", style="dim")
    for table, figure, old, new in restatement.sums:
        yield Text(f"  {table}: {figure} was {_money(old)}, now {_money(new)}")
    if not changes and not restatement.sums:
        yield Text("  No finding and no total of the day changed.")
    yield Text()


def _money(cents: int | None) -> str:
    return "unknown" if cents is None else dollars(cents)
