"""Whether a wager was paid wrongly because of the paytable, or by the person who dealt.

The paytable is the cause where the wager was paid by a filed line that the chapter does not allow,
or where several dealers paid the same wager at the same wrong odds and, as long as that went on,
nobody paid a wager of the kind rightly. In every other case the dealer is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from ledger.audit import HouseRecord
from ledger.events import SettledAs, WagerIncreased, WagerPlaced, WagerSettled
from ledger.games import BY_GAME
from ledger.games.room import Breach, rules_on
from ledger.house.filings import judge_filing
from ledger.house.office import Submission, as_filed, odds_of
from ledger.kernel import FactRef, Finding, Odds, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Replay

PRICED: Final = frozenset({"wager_underpaid", "wager_overpaid"})
"""Codes of wagers that won and were paid another amount than they were owed."""
UNLAWFUL: Final = {
    "paytable_below_floor": "below",
    "paytable_not_as_fixed": "not as fixed by",
    "paytable_not_allowed": "not allowed by",
}
"""Codes of filed lines that cannot stand, and how a title says so."""
OTHERWISE: Final = "not applied"
"""How a title says that a whole table paid by other odds than were filed."""


@dataclass(frozen=True, slots=True)
class WrongPayment:
    """A wager that was paid wrongly: when, where, by whom, and by what it was judged."""

    finding: Finding
    at: int
    table: str
    dealer: str | None
    submission: Submission | None


class PaytableCause(NamedTuple):
    """The paytable that is the cause, and in what way.

    ``part`` is 0 where a filed line is unlawful, else the number of the stretch at the table.
    """

    submission: Submission
    remark: str
    part: int = 0


class Paid(NamedTuple):
    """One winning wager as it was settled; odds are winnings per unit of stake.

    ``wrong`` is the finding about it, None where it was paid rightly.
    """

    at: int
    wager: str
    paid: Fraction
    owed: Fraction
    wrong: WrongPayment | None


@dataclass(slots=True)
class WrongPayments:
    """Collects the wagers of a day that were paid wrongly, and judges them table by table."""

    replay: Replay
    house: HouseRecord
    day: date
    by_submission: dict[tuple[str, str, FactRef], list[WrongPayment]] = field(default_factory=dict)
    lines: dict[FactRef, dict[str, list[tuple[Odds, str]]]] = field(default_factory=dict)

    def add(self, priced: WrongPayment) -> None:
        """One more wager; where nothing was filed the paytable cannot be the cause."""
        if priced.submission is not None:
            key = (priced.table, priced.finding.code, priced.submission.ref)
            self.by_submission.setdefault(key, []).append(priced)

    def judge(self) -> dict[int, PaytableCause]:
        """The wagers of which a paytable is the cause, by the ``id`` of their findings."""
        out: dict[int, PaytableCause] = {}
        for (table, _, _), wagers in self.by_submission.items():
            submission = wagers[0].submission
            assert submission is not None
            unlawful = self._unlawful(submission)
            several = len({one.dealer for one in wagers}) > 1
            if not unlawful and not several:
                continue
            settled = list(self._settled(table, wagers))
            rest = []
            for paid in settled:
                remark = _by_line(paid, unlawful) if paid.wrong else None
                if remark is not None and paid.wrong is not None:
                    out[id(paid.wrong.finding)] = PaytableCause(submission, remark)
                else:
                    rest.append(paid)
            for part, alike in enumerate(stretches(rest), 1):
                for wager in alike:
                    out[id(wager.finding)] = PaytableCause(submission, OTHERWISE, part)
        return out

    def _unlawful(self, submission: Submission) -> dict[str, list[tuple[Odds, str]]]:
        """The filed lines that the chapter does not allow, by wager: odds, and how to say so."""
        known = self.lines.get(submission.ref)
        if known is not None:
            return known
        odds_by_wager: dict[str, list[tuple[Odds, str]]] = {}
        room = BY_GAME.get(submission.filed.game)
        breaches: dict[str | None, Breach] = {}
        if room is not None:
            rules = rules_on(room, self.day, as_filed(submission))
            judged = judge_filing(room, rules, submission, sure=True)
            breaches = {one.observed: one for one in judged if one.duty.code in UNLAWFUL}
        for row in submission.filed.paytable:
            odds = odds_of(row)
            title = row.wager if row.on is None else f"{row.wager} on {row.on}"
            breach = breaches.get(f"{title} at {odds}")
            if odds is not None and breach is not None:
                clause = f"{UNLAWFUL[breach.duty.code]} {breach.duty.cite.pin}"
                odds_by_wager.setdefault(row.wager, []).append((odds, clause))
        self.lines[submission.ref] = odds_by_wager
        return odds_by_wager

    def _settled(self, table: str, wagers: Sequence[WrongPayment]) -> Iterator[Paid]:
        """The winning wagers of a table, from the first that was paid wrongly to the last."""
        wrong = {one.finding.facts[-1]: one for one in wagers}
        first, last = min(one.at for one in wagers), max(one.at for one in wagers)
        begins, ends = self.house.clock.bounds(self.day)
        streams = self.replay.tables().get(table, ())
        kinds = ("WagerPlaced", "WagerIncreased", "WagerSettled")
        placed: dict[str, tuple[str, int]] = {}
        for step in self.replay.walk(streams, since=begins, until=ends, only=kinds):
            fact = step.fact if isinstance(step, FactStep) else None
            match fact:
                case WagerPlaced():
                    placed[fact.wager_id] = (fact.wager, fact.stake_cents)
                case WagerIncreased() if fact.wager_id in placed:
                    name, stake = placed[fact.wager_id]
                    placed[fact.wager_id] = (name, stake + fact.added_cents)
                case WagerSettled(outcome=SettledAs.WON) if first <= fact.event_time <= last:
                    name, stake = placed.get(fact.wager_id, ("", 0))
                    if stake > 0:
                        priced = wrong.get(ref_of(fact))
                        yield _paid(fact, name, stake, priced)
                case _:
                    pass


def _paid(fact: WagerSettled, wager: str, stake: int, wrong: WrongPayment | None) -> Paid:
    effect = (wrong.finding.effect_cents or 0) if wrong is not None else 0
    odds = Fraction(fact.winnings_cents, stake)
    return Paid(fact.event_time, wager, odds, odds - Fraction(effect, stake), wrong)


def _by_line(paid: Paid, unlawful: dict[str, list[tuple[Odds, str]]]) -> str | None:
    """How the filed line that explains a payment is against the chapter; None: none explains it."""
    lines = unlawful.get(paid.wager, ())
    return next((said for odds, said in lines if odds.ratio == paid.paid), None)


def stretches(settled: Sequence[Paid]) -> Iterator[list[WrongPayment]]:
    """The wagers that a whole table paid wrongly, stretch by stretch.

    A stretch ends where a wager is paid rightly that was owed the odds of a wrong one in it. It is
    of the table, not of a person, where two dealers paid one wager at the same wrong odds.
    """
    open_: list[Paid] = []
    rows: set[tuple[str, Fraction]] = set()
    for paid in settled:
        row = (paid.wager, paid.owed)
        if paid.wrong is None:
            if row in rows:
                yield from _of_table(open_)
                open_, rows = [], set()
            continue
        open_.append(paid)
        rows.add(row)
    yield from _of_table(open_)


def _of_table(stretch: Sequence[Paid]) -> Iterator[list[WrongPayment]]:
    hands: dict[tuple[str, Fraction, Fraction], set[str]] = {}
    for paid in stretch:
        if paid.wrong is not None and paid.wrong.dealer is not None:
            key = (paid.wager, paid.owed, paid.paid)
            hands.setdefault(key, set()).add(paid.wrong.dealer)
    if any(len(dealers) > 1 for dealers in hands.values()):
        yield [one.wrong for one in stretch if one.wrong is not None]
