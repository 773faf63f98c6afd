"""What a patron is told of one wager: half a page, without names or surveillance detail."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ledger.games import BY_GAME
from ledger.kernel import PropertyClock, UsageError, dollars, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.fact_sentences import wager_name
from ledger.reports.round_view import RoundView
from ledger.rounds import Outcome, RoundResult, Settlement, WagerResult

NOTHING_DONE: Final = "nothing was recorded as paid or collected"
NOT_TOLD: Final = "the record does not show it; the house will tell you what it does to find out"


class WagerUnknown(UsageError):
    """A round has no wager of that id."""

    code = "wager_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class PatronStatement:
    """A wager as its patron is told of it; every field is a sentence or a part of one.

    Attributes:
        title: table, game and round.
        when: day and time, by the property's clock.
        shown: what decided the round.
        wager: the stake, and on what.
        rule: why it won or lost, with the section.
        due: what the rule gives.
        done: what was paid or collected.
        difference: what lies between the two.
        decided_by: who decided.
        complaint: where a patron can complain.
        is_settled: whether what was done is surely what the rule says.
    """

    title: str
    when: str
    shown: str
    wager: str
    rule: str
    due: str
    done: str
    difference: str
    decided_by: str
    complaint: str
    is_settled: bool

    @classmethod
    def of(
        cls, seen: RoundView, wager_id: str, clock: PropertyClock, complaint: str
    ) -> PatronStatement:
        """Return the statement about a wager.

        Args:
            seen: its round.
            wager_id: its id at the table, in any letter case.
            clock: the property's.
            complaint: what the property says about complaints.

        Raises:
            WagerUnknown: the round has no such wager.
        """
        result, wager = seen.result, _wager(seen.result, wager_id)
        day, done = result.gaming_day, wager.observed
        placed = [step.fact for step in seen.steps if ref_of(step.fact) == wager.placed]
        words = f"{dollars(wager.stake_cents)} on {wager_name(wager.wager, wager.picks)}"
        words += "" if wager.position is None else f", position {wager.position}"
        words += "".join(f", placed at {_time(fact.event_time, clock)}" for fact in placed)
        checked = "the dealer at the table; checked again here against the record of the table"
        return cls(
            title=f"{result.game} at {result.table}, round {result.round}",
            when=f"{day:%A, %B} {day.day}, {day.year}, "
            f"{_time(result.opened_at, clock)} to {_time(seen.ends_at, clock)}",
            shown=result.shown or "cannot be told from the record",
            wager=words,
            rule=_rule(result, wager),
            due=_comes_to(wager, wager.expected),
            done=NOTHING_DONE if done is None else _comes_to(wager, done),
            difference=_difference(wager),
            decided_by="nobody yet" if done is None else checked,
            complaint=complaint,
            is_settled=wager.difference_cents == 0,
        )

    def rows(self) -> dict[str, str]:
        """What it says, by what it is about."""
        return {
            "Shown": self.shown,
            "Your wager": self.wager,
            "The rule": self.rule,
            "By the rule": self.due,
            "What was done": self.done,
            "Difference": self.difference,
            "Decided by": self.decided_by,
            "Complaints": self.complaint,
        }

    def data(self) -> dict[str, object]:
        """The statement as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


def statement_page(statement: PatronStatement, property_name: str | None) -> RenderableType:
    """Return the statement as it is printed for the patron."""
    head = Text("\n".join(filter(None, (property_name, statement.title, statement.when))) + "\n")
    head.stylize("bold")
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, words in statement.rows().items():
        table.add_row(Text(name, style="dim"), Text(words))
    return Group(head, table)


def _wager(result: RoundResult, wager_id: str) -> WagerResult:
    for wager in result.wagers:
        if wager.wager_id.casefold() == wager_id.casefold():
            return wager
    ids = ", ".join(wager.wager_id for wager in result.wagers)
    raise WagerUnknown(
        f"Round {result.round} has no wager {wager_id}",
        next_step=f"its wagers are {ids}" if ids else "it has no wagers",
    )


def _time(at: int, clock: PropertyClock) -> str:
    return f"{clock.local(at):%-I:%M:%S %p}"


def _rule(result: RoundResult, wager: WagerResult) -> str:
    """Why the wager won, lost or was returned, in one sentence with its section."""
    expected, words = wager.expected, [wager.arithmetic or ""]
    cites = [*expected.citations]
    for finding in result.findings:
        cites += finding.citations if finding.wager == wager.wager_id else ()
    room = BY_GAME.get(result.game)
    match expected.outcome:
        case Outcome.UNKNOWN:
            return NOT_TOLD
        case Outcome.WON if room is not None:
            rows = (row for row in room.on(result.gaming_day).wagers if row.name == wager.wager)
            words[:0] = [f"{row.name} wins when {row.wins_on}" for row in rows]
        case Outcome.RETURNED if not wager.arithmetic:
            late = ", since it was made after betting had closed" if wager.late else ""
            words = [f"the wager takes no part{late}, and is returned"]
    named = [cite.on(result.gaming_day) for cite in cites[:1]]
    return ". ".join(("; ".join(filter(None, words)), *named))


def _comes_to(wager: WagerResult, side: Settlement) -> str:
    """What a settlement means for the patron."""
    taken, won = side.stake_taken_cents, side.winnings_cents
    if side.outcome is Outcome.UNKNOWN or taken is None or won is None:
        return NOT_TOLD
    if side.outcome is Outcome.STANDS:
        return "your wager stays for the next round"
    stake = f"your stake of {dollars(wager.stake_cents)}"
    kept = f"{dollars(taken)} of {stake} goes to the house" if taken else f"{stake} stays yours"
    if taken == wager.stake_cents:
        kept = f"{stake} goes to the house"
    if won:
        return f"won: you are paid {dollars(won)}, and {kept}"
    return f"lost: {kept}" if taken else f"returned: {kept}"


def _difference(wager: WagerResult) -> str:
    match wager.difference_cents:
        case None:
            return NOT_TOLD
        case 0:
            return "none: what was done is what the rule says"
        case cents if cents < 0:
            return f"{dollars(-cents)} is due to you"
        case cents:
            return f"you were paid {dollars(cents)} more than the rule gives"
