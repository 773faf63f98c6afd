"""A day that amendments restated: what its audit said before, and what is different now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from rich.text import Text

from ledger.audit import DayAudit, TableAccount
from ledger.kernel import Finding, dollars
from ledger.reports.findings import finding_data

SHOWN: Final = 20
"""How many findings that came or went a page names; the JSON form has all."""
_SUMS: Final = (
    *("opener_cents", "fills_cents", "credits_cents", "closer_cents", "drop_cents"),
    *("coupons_cents", "by_count_cents", "by_rounds_cents", "wagered_cents"),
)
_WORDS: Final = {"by_count_cents": "win by count", "by_rounds_cents": "win by rounds"}


@dataclass(frozen=True, slots=True)
class Restated:
    """A day's audit of the facts as recorded first, beside that of the facts as they stand.

    ``sums`` are a table, what of its day, cents before and now; None is not known.
    """

    before: DayAudit
    came: tuple[Finding, ...]
    went: tuple[Finding, ...]
    sums: tuple[tuple[str, str, int | None, int | None], ...]


def restated(before: DayAudit, now: DayAudit) -> Restated:
    """Compare the two audits of a day."""
    return Restated(
        before,
        tuple(_more(now.findings, before.findings)),
        tuple(_more(before.findings, now.findings)),
        tuple(_sums(before.accounts, now.accounts)),
    )


def _more(some: Iterable[Finding], than: Iterable[Finding]) -> Iterator[Finding]:
    left = Counter(map(_told, than))
    for finding in some:
        told = _told(finding)
        left[told] -= 1
        if left[told] < 0:
            yield finding


def _told(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.certainty, finding.sentence, finding.facts, finding.wager


def _sums(
    before: Iterable[TableAccount], now: Iterable[TableAccount]
) -> Iterator[tuple[str, str, int | None, int | None]]:
    was, is_now = ({one.table: one for one in accounts} for accounts in (before, now))
    for table in sorted(was | is_now):
        for name in _SUMS:
            old, new = (
                getattr(accounts[table], name) if table in accounts else None
                for accounts in (was, is_now)
            )
            if old != new:
                words = _WORDS.get(name, name.removesuffix("_cents").replace("_", " "))
                yield table, words, old, new


def restated_data(found: Restated) -> dict[str, Any]:
    """The difference as plain data."""
    return {
        "digest_before": found.before.digest,
        "findings_before": len(found.before.findings),
        "came": [finding_data(finding) for finding in found.came],
        "went": [finding_data(finding) for finding in found.went],
        "tables": [
            {"table": table, "what": what, "before_cents": old, "now_cents": new}
            for table, what, old, new in found.sums
        ],
    }


def restated_lines(found: Restated, now: int) -> Iterator[Text]:
    """What the page says of it; ``now`` is how many findings there are."""
    yield Text(
        f"Restated: {len(found.before.findings):,} findings before the amendments, {now:,} now",
        style="bold yellow",
    )
    changes = [("+", one) for one in found.came] + [("-", one) for one in found.went]
    for sign, one in changes[:SHOWN]:
        cite = f" § {one.citations[0].section}" if one.citations else ""
        yield Text(f"  {sign} {one.code}{cite} {one.round or one.stream}: {one.sentence}")
    if len(changes) > SHOWN:
        yield Text(f"  and {len(changes) - SHOWN:,} more (--format json)", style="dim")
    for table, what, old, new in found.sums:
        yield Text(f"  {table}: {what} {_money(old)}, now {_money(new)}")
    if not changes and not found.sums:
        yield Text("  no finding and no sum of the day is another")
    yield Text()


def _money(cents: int | None) -> str:
    return "not known" if cents is None else dollars(cents)
