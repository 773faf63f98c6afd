"""Times, money, names and the order of actions in the report of a night."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import Final

from markupsafe import Markup, escape

from ledger.audit import Shown, TableCapture
from ledger.casework import Action, ActionStatus
from ledger.coupons.balances import Balance
from ledger.kernel import PropertyClock, dollars
from ledger.reports.fact_sentences import printable
from ledger.reports.findings import SEVERITIES
from ledger.reports.phrases import listed

FIRST_PAGE: Final = 12
"""So many actions stand on the first page."""
TITLE: Final = 90
"""Characters that say what happened."""
LONGEST_NAME: Final = 100
ROLES: Final = (("preparer", "Prepared by"), ("approver", "Approved by"))
"""Who signs a final report: two different persons."""
LONG_WORD: Final = 16
_BREAKS: Final = re.compile(r"[\s-]")
_OUTSIDE: Final = re.compile(rb"[^A-Za-z0-9-]")


def ordered(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Open before snoozed, these before closed; then by severity, money, oldest footage."""
    return tuple(sorted(actions, key=_rank))


def place_of(action: Action) -> int:
    """0 where it is open, 1 where its cause is snoozed, 2 where it is closed."""
    if action.status is ActionStatus.CLOSED:
        return 2
    return 1 if action.suppressed_until is not None else 0


def status_words(action: Action) -> str:
    """The status of an action, and the person who has it."""
    if place_of(action) == 1:
        return f"snoozed until {action.suppressed_until}"
    in_hand = action.in_hand if action.status is not ActionStatus.REOPENED else ""
    by = {
        ActionStatus.TAKEN: f"in hand: {in_hand}",
        ActionStatus.PROPOSED: f"closing proposed by {in_hand}, waiting for a second person",
        ActionStatus.CLOSED: f"closed by {in_hand}",
    }
    return by.get(action.status, action.status.value) if in_hand else action.status.value


def _rank(action: Action) -> tuple[int, int, int, bool, int, int, str]:
    footage = action.footage_until
    return (
        place_of(action),
        SEVERITIES.index(action.severity),
        -(action.at_stake_cents or 0),
        footage is None,
        footage or 0,
        action.since,
        action.id,
    )


def clipped(text: str, longest: int = TITLE) -> str:
    """The text on one line, cut with a mark where it is too long."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def outside(text: str) -> Markup:
    """A text from outside for the page: escaped, one line, and never turning its neighbours.

    A word that no column holds may be broken anywhere; others are not.
    """
    shown = printable(text)
    is_long = max(map(len, _BREAKS.split(shown))) > LONG_WORD
    begins = '<bdi class="long">' if is_long else "<bdi>"
    return Markup(f"{begins}{escape(shown)}</bdi>")


def round_file(round_id: str) -> str:
    """The name of a round's page: different for different rounds, plain on every file system."""
    name = _OUTSIDE.sub(_spelt, round_id.encode("utf-8", "surrogatepass")).decode("ascii")
    if len(name) > LONGEST_NAME:
        digest = sha256(round_id.encode("utf-8", "surrogatepass")).hexdigest()
        name = f"{name[: LONGEST_NAME - 33]}_{digest[:32]}"
    return f"{name}.html"


def _spelt(sign: re.Match[bytes]) -> bytes:
    return b"." if sign[0] == b":" else b"_%02X" % sign[0][0]


# ------------------------------------------------------------------ time and money


def clock_time(clock: PropertyClock, moment: int, day: date) -> str:
    """Local hours and minutes; with the date where it lies outside the gaming day.

    Args:
        clock: the property's.
        moment: microseconds UTC.
        day: the gaming day of the page.
    """
    local = clock.local(moment)
    begins, ends = clock.bounds(day)
    return f"{local:%H:%M}" if begins <= moment < ends else day_time(clock, moment)


def day_time(clock: PropertyClock, moment: int) -> str:
    """Local day and time: "Jun 19 18:02"."""
    local = clock.local(moment)
    return f"{local:%b} {local.day} {local:%H:%M}"


def full_time(clock: PropertyClock, moment: int) -> str:
    """Local date, time and zone: "2021-06-12 18:02 EDT"."""
    return f"{clock.local(moment):%Y-%m-%d %H:%M %Z}"


def span_words(clock: PropertyClock, day: date) -> str:
    """From when to when a gaming day lasts, by the property's clocks."""
    first, after = (clock.local(moment) for moment in clock.bounds(day))
    hours = (clock.bounds(day)[1] - clock.bounds(day)[0]) // 3_600_000_000
    odd = "" if hours == 24 else f" ({hours} hours: the clocks change)"
    return f"{_moment(first)} to {_moment(after)}{odd}"


def _moment(local: datetime) -> str:
    return f"{local:%a}, {local:%b} {local.day}, {local:%H:%M %Z}"


def amount(cents: int | None) -> str:
    """Dollars without their sign, which the head of the column has."""
    return "–" if cents is None else dollars(cents).replace("$", "")


def when(action: Action, clock: PropertyClock) -> str:
    """From when to when the facts of an action lie."""
    first = clock_time(clock, action.since, action.gaming_day)
    last = clock_time(clock, action.until, action.gaming_day)
    return first if first == last else f"{first}–{last}"


def rounds_of(action: Action) -> tuple[str, ...]:
    """The rounds of an action's findings, each once, in their order."""
    return tuple(dict.fromkeys(one.round for one in action.findings if one.round is not None))


# ------------------------------------------------------------------ coupons


def equation(balance: Balance, *, every: bool = True) -> str:
    """A balance in words: "distributed 240 + mailed 60 = redeemed 41 + outstanding 259"."""
    return f"{_side(balance.into, every)} = {_side(balance.out, every)}"


def short_or_over(difference: int) -> str:
    """A difference of a balance in pieces: "short 1", "over 2"; 0 is "balanced"."""
    if not difference:
        return "balanced"
    return f"{'short' if difference > 0 else 'over'} {abs(difference):,}"


def _side(terms: Sequence[tuple[str, int]], every: bool) -> str:
    kept = [f"{name} {count:,}" for name, count in terms if every or count]
    return " + ".join(kept) or "0"


def e_words(evidence: float) -> str:
    """An e-value as people read it: two digits where it is small, a power of ten where it is not.

    >>> e_words(0.1234), e_words(250.4), e_words(2_500_000.0)
    ('0.12', '250', '2.5 × 10^6')
    """
    if evidence == float("inf"):
        return "beyond counting"
    if evidence >= 1_000_000:
        power = len(str(int(evidence))) - 1
        return f"{evidence / 10**power:.1f} × 10^{power}"
    return f"{evidence:,.0f}" if evidence >= 100 else f"{evidence:.2g}"


# ------------------------------------------------------------------ tables


def hours(line: TableCapture, clock: PropertyClock) -> str:
    """When a table was open, by the property's clocks; a question mark where it is not known."""
    if line.opened_at is None and line.closed_at is None:
        return "–"
    ends = (
        "?" if moment is None else f"{clock.local(moment):%H:%M}"
        for moment in (line.opened_at, line.closed_at)
    )
    return "–".join(ends)


def not_covered(rows: Iterable[TableCapture]) -> tuple[tuple[str, str, str], ...]:
    """Capture level, tables, and what they do not record; like tables in one line."""
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for row in rows:
        if row.not_covered:
            alike.setdefault((row.level or "not stated", row.not_covered), []).append(row.table)
    return tuple(
        (level, ", ".join(tables), listed([*missing])) for (level, missing), tables in alike.items()
    )


def not_counted(rows: Iterable[Shown]) -> tuple[tuple[str, str], ...]:
    """Tables without a counted win, and what is not on record; like tables together."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row.account.missing:
            alike.setdefault(row.account.missing, []).append(row.account.table)
    return tuple((", ".join(tables), "; ".join(missing)) for missing, tables in alike.items())
