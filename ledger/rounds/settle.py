"""What a wager should come to: row, odds, arithmetic, cents.

Law: the rows' own sections; § 521.7(c). Readings: breakage, floors, payout-limit, late-wager.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from fractions import Fraction

from ledger.events import Instrument, SettledAs, WagerSettled
from ledger.games.match_play import DROPS, PAYS, Share
from ledger.games.room import (
    ByPosition,
    Decided,
    InForce,
    Returned,
    Rules,
    Undecidable,
    Verdict,
    verdict,
)
from ledger.kernel import Citation, Odds, dollars, exact_dollars, value_type, whole_cents
from ledger.rounds.placed import PlacedWager
from ledger.rounds.result import Outcome

Resolution = Decided | ByPosition | Returned | Undecidable | None


WON, LOST, PAID, TAKEN = Outcome.WON, Outcome.LOST, SettledAs.WON, SettledAs.LOST  # asked often


@value_type
class Due:
    """What a wager should come to.

    Args:
        outcome: how it ends.
        exact: the winnings in cents before rounding and before a payout limit; None unless it won.
        cents: the winnings due. None where no single amount is right: the filing is not known, a
            fraction is left and no rule for it was filed, or it is not known whether a limit binds.
        cites: by which sections.
        verdict: the row and the odds; None where no row decided.
        uncapped: with ``least`` the amounts, in cents, between which the right one lies; or the
            amount before a payout limit.
        least: see ``uncapped``.
        shares: what the coupons with it add, within ``exact``.
        doubt: why it is not known what coupons add.
        by: the ruling on which ``verdict`` was given.
        either: set where a part of the wager is in doubt: what it comes to if the part goes back,
            and if it stands.
    """

    outcome: Outcome
    exact: Fraction | None = None
    cents: int | None = None
    cites: tuple[Citation, ...] = ()
    verdict: Verdict | None = None
    uncapped: int | None = None
    least: int | None = None
    shares: tuple[Share, ...] = ()
    doubt: str | None = None
    by: Decided | None = field(default=None, repr=False, compare=False)
    either: tuple[Due, Due] | None = field(default=None, repr=False, compare=False)

    def net(self, stake_cents: int) -> int | None:
        """Return what the patron is up by it, in cents; None while nothing is decided."""
        match self.outcome:
            case Outcome.WON:
                return self.cents
            case Outcome.LOST:
                return -stake_cents
            case Outcome.RETURNED:
                return 0
            case Outcome.STANDS | Outcome.UNKNOWN:
                return None


UNKNOWN = Due(outcome=Outcome.UNKNOWN)
STANDS = Due(outcome=Outcome.STANDS)


def due(rules: Rules, resolution: Resolution, standing: PlacedWager) -> Due:
    """Settle one wager by the rules, before any payout limit and without coupons.

    Args:
        rules: those of the round.
        resolution: what decided the round; None while nothing has.
        standing: the wager.
    """
    if standing.gone is not None:  # what the chapter does not know has no outcome by its rules
        return Due(outcome=Outcome.RETURNED, cents=0) if standing.wager in rules.wagers else UNKNOWN
    if isinstance(resolution, Decided) and stands_over(resolution, standing):
        if standing.contested is False:
            return UNKNOWN
        return Due(outcome=Outcome.STANDS, cites=(resolution.cite,))
    if standing.contested is not None and resolution is not None:
        return _as_recorded(standing) if standing.contested else UNKNOWN
    resolution = of_wager(resolution, standing)
    if isinstance(resolution, Decided):
        if standing.late:
            option = rules.reading("late-wager")
            if option == "void":
                return Due(outcome=Outcome.RETURNED, cents=0)
            if standing.blind and option != "stands":
                return UNKNOWN
        return _decided(rules, resolution, standing)
    if resolution is None:
        return STANDS
    if isinstance(resolution, Returned):
        return Due(outcome=Outcome.RETURNED, cents=0, cites=(resolution.cite,))
    return Due(outcome=Outcome.UNKNOWN, cites=(resolution.cite,))


def in_either_case(wager: PlacedWager, owed: Due, in_full: Due) -> Due:
    """Return what a wager should come to of which a part, or all of it, may be in doubt.

    Args:
        wager: as it surely takes part.
        owed: what that comes to.
        in_full: what it comes to if all of it takes part.
    """
    if owed.outcome is in_full.outcome:
        alike = owed.cents == in_full.cents and owed.exact == in_full.exact
        return owed if alike and not wager.in_doubt else replace(owed, either=(owed, in_full))
    returned = Due(outcome=Outcome.RETURNED, cents=0)
    return replace(owed, either=(returned, in_full)) if wager.late and wager.blind else owed


def of_rest(rules: Rules, wager: PlacedWager, owed: Due, rest_cents: int) -> Due | None:
    """Return what a wager would come to by a part of its stake; None where that is not known.

    Args:
        rules: those of the round.
        wager: as it is judged.
        owed: what its whole stake comes to.
        rest_cents: the part.
    """
    if owed.outcome is not WON:
        return owed
    line = owed.verdict.line if owed.verdict is not None else None
    capped = owed.uncapped is not None or owed.cents is None
    if line is None or owed.exact is None or capped or wager.placed.instrument is Instrument.CASH:
        return None
    odds = line.odds.times(owed.by.factor if owed.by is not None else 1)
    exact = owed.exact - odds.winnings(wager.stake_cents) + odds.winnings(rest_cents)
    cents = rounded(rules, exact)
    return None if cents is None else replace(owed, exact=exact, cents=cents)


def as_owed(wager: PlacedWager, owed: Due) -> bool:
    """Whether the one act of the house is exactly what was owed: there is nothing to compare."""
    if len(wager.settled) != 1 or wager.lifted is not None:
        return False
    fact = wager.settled[0]
    if not isinstance(fact, WagerSettled):
        return False
    if owed.outcome is WON:
        paid = fact.winnings_cents == owed.cents and fact.stake_taken_cents == 0
        return paid and fact.outcome is PAID
    taken = fact.stake_taken_cents == wager.stake_cents and fact.winnings_cents == 0
    return owed.outcome is LOST and taken and fact.outcome is TAKEN


def stands_over(resolution: Resolution, standing: PlacedWager) -> bool:
    """Whether the round was decided and left this wager standing for the next."""
    left = isinstance(resolution, Decided) and standing.wager in resolution.leaves
    return left and standing.decided is None


def _as_recorded(standing: PlacedWager) -> Due:
    """Take what the house did as due: no rule says what was."""
    match standing.settled[0] if standing.settled else None:
        case WagerSettled(outcome=SettledAs.WON, winnings_cents=cents):
            return Due(outcome=Outcome.WON, cents=cents)
        case WagerSettled(outcome=SettledAs.LOST):
            return Due(outcome=Outcome.LOST, cents=0)
        case None:
            return UNKNOWN
        case _:
            return Due(outcome=Outcome.RETURNED, cents=0)


def of_wager(
    resolution: Resolution, standing: PlacedWager
) -> Decided | Returned | Undecidable | None:
    """Return what decides this wager: its own ruling, its position's, or the round's."""
    if standing.decided is not None:
        return standing.decided
    if not isinstance(resolution, ByPosition):
        return resolution
    own = resolution.each.get((standing.placed.position, standing.wager))
    if own is not None:
        return own
    why = "nothing is recorded that decides this wager"
    return Undecidable(why=why, cite=resolution.cite, fact=resolution.fact)


def _decided(rules: Rules, decided: Decided, standing: PlacedWager) -> Due:
    judged = verdict(rules, standing.wager, standing.picks, decided.shown)
    if judged is None:
        return UNKNOWN
    if not judged.won:
        by = (decided.lost_by, judged.row.cite) if decided.lost_by else (judged.row.cite,)
        return Due(outcome=LOST, cents=0, cites=by, verdict=judged, by=decided)
    assert judged.line is not None
    line = judged.line
    exact, cents = payable(rules, line, decided.factor, standing.stake_cents)
    cites: tuple[Citation, ...] = (line.payout.cite, judged.row.cite)
    if decided.factor != 1:  # § 689.3(b), (c): the section that multiplies comes first
        cites = (decided.cite, *cites)
    return Due(outcome=WON, exact=exact, cents=cents, cites=cites, verdict=judged, by=decided)


def payable(
    rules: Rules, line: InForce, factor: int, stake_cents: int
) -> tuple[Fraction, int | None]:
    """Return what a stake wins on a payout line, exactly and in whole cents.

    Args:
        rules: those of the round.
        line: the payout line.
        factor: multiplies its odds.
        stake_cents: the stake.

    Returns:
        The whole cents are None where the filing is not known, or a fraction is left without a
        rule.
    """
    exact = line.odds.times(factor).winnings(stake_cents)
    known = rules.filing_known or line.payout.fixed
    return exact, rounded(rules, exact) if known else None


def winning_odds(resolution: Resolution, standing: PlacedWager, owed: Due) -> Odds | None:
    """Return the odds by which a wager won, multiplied; None if it did not win by odds."""
    decided = of_wager(resolution, standing)
    line = owed.verdict.line if owed.verdict is not None else None
    if owed.outcome is not Outcome.WON or line is None or not isinstance(decided, Decided):
        return None
    return line.odds.times(decided.factor)


def with_coupons(rules: Rules, owed: Due, standing: PlacedWager, shares: tuple[Share, ...]) -> Due:
    """Return chips and coupons together: § 525.22(b), (e).

    Cash in place of chips wins nothing beside a coupon (reading verbal-cash-wager).

    Args:
        rules: those of the round.
        owed: what the chips come to.
        standing: the wager.
        shares: what each coupon adds, with the bounds of what is not known.
    """
    if owed.outcome is Outcome.LOST:
        return replace(owed, shares=shares, cites=(*owed.cites, DROPS))
    if owed.exact is None:
        return replace(owed, shares=shares)
    cash = standing.placed.instrument is Instrument.CASH
    chips = Fraction(0) if cash else owed.exact
    least = chips + sum((share.least for share in shares), Fraction(0))
    known = [share.most for share in shares if share.most is not None]
    most = chips + sum(known, Fraction(0)) if len(known) == len(shares) else None
    owed = replace(owed, shares=shares, cites=(PAYS, *owed.cites))
    fixed = owed.verdict is not None and owed.verdict.line and owed.verdict.line.payout.fixed
    sure = rules.filing_known or bool(fixed)
    if least == most:
        return replace(owed, exact=least, cents=rounded(rules, least) if sure else None)
    why = "; ".join(share.words() for share in shares if share.least != share.most)
    return replace(
        owed,
        exact=least if most is None else most,
        cents=None,
        uncapped=None if most is None or not sure else rounded(rules, most),
        least=rounded(rules, least) if sure else None,
        doubt=why,
    )


def rounded(rules: Rules, exact: Fraction) -> int | None:
    """Return the amount in whole cents by the filed rule for fractions.

    None where a fraction is left and no rule is filed, or the filed one is not recognized.
    """
    filed = rules.filed
    if filed is not None and filed.rounding == "UNRECOGNISED":
        return None
    if filed is None or filed.rounding in (None, "EXACT"):
        return whole_cents(exact)
    units = exact / filed.unit_cents
    match filed.rounding:
        case "DOWN":
            whole = units.numerator // units.denominator
        case "UP":
            whole = -(-units.numerator // units.denominator)
        case _:
            whole = (units + Fraction(1, 2)).numerator // (units + Fraction(1, 2)).denominator
    return whole * filed.unit_cents


def cap_by_position(
    dues: dict[str, Due], wagers: Iterable[PlacedWager], resolution: Resolution
) -> dict[str, Due]:
    """Hold what is payable on one hand to its limit; the wagers named first are paid in full.

    Reading asia-payout-limit. Only a round that is decided by position has such a limit.

    Args:
        dues: what each wager comes to, by wager id; changed in place and returned.
        wagers: the wagers of the round.
        resolution: what decided the round.
    """
    if not isinstance(resolution, ByPosition) or resolution.limit_cents is None:
        return dues
    if sum([one.cents or 0 for one in dues.values()]) <= resolution.limit_cents:
        return dues
    left: dict[str | None, int] = {}
    ordered = sorted(wagers, key=lambda wager: wager.wager not in resolution.first)
    for wager in ordered:
        owed = dues[wager.wager_id]
        if owed.outcome is not Outcome.WON or owed.cents is None:
            continue
        position = wager.placed.position
        rest = left.setdefault(position, resolution.limit_cents)
        paid = min(owed.cents, rest)
        left[position] = rest - paid
        if paid < owed.cents:
            cites = owed.cites
            if resolution.limited_by is not None:
                cites = (resolution.limited_by, *cites)
            amount = paid if resolution.limit_known else None
            dues[wager.wager_id] = replace(
                owed, cents=amount, uncapped=owed.cents, least=paid, cites=cites
            )
    return dues


def cap(
    rules: Rules, dues: dict[str, Due], wagers: Iterable[PlacedWager], shown: bool | None
) -> dict[str, Due]:
    """Apply a filed payout limit that the layout shows (reading payout-limit).

    Whether it binds is not known where nothing says that the layout shows it, where its scope is
    not recognized, or where it goes by patron and the patrons are not recorded.

    Args:
        rules: those of the round.
        dues: what each wager comes to, by wager id; changed in place and returned.
        wagers: the wagers of the round.
        shown: whether the layout shows the limit; None if not known.
    """
    filed = rules.filed
    if filed is None or filed.payout_limit_cents is None or shown is False:
        return dues
    scope = filed.payout_limit_scope
    whole_table = scope == "TABLE_AND_ROUND" or rules.reading("payout-limit") == "table-and-round"
    known = shown is True and (whole_table or scope == "PATRON_AND_ROUND")
    groups: dict[str | None, list[str]] = {}
    for wager in wagers:
        if dues[wager.wager_id].outcome is Outcome.WON:
            shared = whole_table or scope != "PATRON_AND_ROUND"
            groups.setdefault(None if shared else wager.patron, []).append(wager.wager_id)
    limit = Fraction(filed.payout_limit_cents)
    for patron, members in groups.items():
        total = sum((dues[member].exact or Fraction(0) for member in members), Fraction(0))
        if total <= limit:
            continue
        sure = known and (whole_table or patron is not None or len(members) == 1)
        for member in members:
            dues[member] = _capped(rules, dues[member], limit / total, sure=sure)
    return dues


def _capped(rules: Rules, owed: Due, part: Fraction, *, sure: bool) -> Due:
    """Return one wager's share of a limit; a fraction of a cent in it is dropped."""
    assert owed.exact is not None
    exact = owed.exact * part
    share = rounded(rules, exact)
    if share is None:
        share = exact.numerator // exact.denominator
    amount = share if sure and owed.cents is not None else None
    if owed.doubt is not None:
        least = share if owed.least is None else min(share, owed.least)
        return replace(owed, least=least)
    return replace(owed, cents=amount, uncapped=owed.cents, least=share)


def arithmetic(
    rules: Rules, resolution: Resolution, standing: PlacedWager, owed: Due
) -> str | None:
    """Say how the amount comes about, for people; None where no row decided."""
    resolution = of_wager(resolution, standing)
    if owed.verdict is None or not isinstance(resolution, Decided):
        return None
    if not owed.verdict.won:
        row = owed.verdict.row
        shown = rules.room.words_of(resolution.detail)
        return f"{row.name} wins when {row.wins_on}; shown was {shown}"
    line = owed.verdict.line
    assert line is not None and owed.exact is not None
    in_cash = bool(owed.shares) and standing.placed.instrument is Instrument.CASH
    paid = None if owed.shares else owed.cents
    text = chips_words(standing.stake_cents, line.odds, resolution.factor, paid, in_cash=in_cash)
    if owed.shares:
        text = "; ".join([text, *(share.words() for share in owed.shares)])
        text += f"; {dollars(owed.cents)} in all" if owed.cents is not None else ""
    limited = owed.uncapped is not None and owed.doubt is None
    if limited and (owed.shares or owed.cents is None):
        text += (
            ", cut to the payout limit"
            if owed.cents is not None
            else ", unless the payout limit cuts it"
        )
    return text


def times_words(odds: Odds, factor: int) -> str:
    """Print odds with what multiplies them.

    >>> times_words(Odds(10, 1), 7)
    '10 to 1, times 7'
    """
    return str(odds) if factor == 1 else f"{odds}, times {factor}"


def chips_words(
    stake_cents: int, odds: Odds, factor: int, paid_cents: int | None, *, in_cash: bool = False
) -> str:
    """Say what the chips of a wager win.

    Args:
        stake_cents: the stake.
        odds: those that judge the win.
        factor: what multiplies them.
        paid_cents: what is due where the chips alone are paid; None: with coupons, or unknown.
        in_cash: cash lies in place of chips, which wins nothing beside a coupon.

    >>> chips_words(2500, Odds(1, 1), 1, 2500)
    '$25.00 at 1 to 1 pays $25.00'
    >>> chips_words(2500, Odds(10, 1), 7, 100_000)
    '$25.00 at 10 to 1, times 7 pays $1,750.00, $1,000.00 by the payout limit'
    """
    if in_cash:
        return f"{dollars(stake_cents)} in cash wins nothing"
    exact = odds.times(factor).winnings(stake_cents)
    words = f"{dollars(stake_cents)} at {times_words(odds, factor)} pays {exact_dollars(exact)}"
    if paid_cents is None or paid_cents == exact:
        return words
    why = "by the payout limit" if paid_cents < int(exact) else "by the filed rounding rule"
    return f"{words}, {dollars(paid_cents)} {why}"
