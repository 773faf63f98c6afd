"""Compare what the house did with a wager with what the wager should have come to.

Law: §§ 521.7(c), 539.4(c), 539.5(e), 539.6, 689.2(e), 689.3 through the rooms' rows.
Readings: late-take-down, floors, breakage, payout-limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ledger.events import SettledAs, WagerReturned, WagerSettled
from ledger.games.match_play import BY_NAME as COUPON_DUTIES
from ledger.games.room import Breach, Duty, Rules
from ledger.house import BY_CODE
from ledger.kernel import Certainty, Citation, FactRef, dollars, exact_dollars, ref_of
from ledger.rounds.clock_uncertainty import unsure
from ledger.rounds.placed import PlacedWager
from ledger.rounds.result import Outcome
from ledger.rounds.settle import Due, of_rest

HANDED_BACK = "wrong_outcome@.7(c)#3"
"""A room's own row for a wager that was withdrawn too late and handed back."""

WITH_COUPON = {
    "wager_underpaid": COUPON_DUTIES["wager_underpaid@525.22(b)#9"],
    "wager_overpaid": COUPON_DUTIES["wager_overpaid@525.22(b)#10"],
}
"""The rows for a wager with a coupon: what it wins is by the coupon's terms."""

HOUSE = {
    SettledAs.WON: Outcome.WON,
    SettledAs.LOST: Outcome.LOST,
    SettledAs.RETURNED: Outcome.RETURNED,
}


def observed(fact: WagerSettled | WagerReturned, stake_cents: int) -> tuple[Outcome, int, int]:
    """Return what one act of the house comes to: outcome, winnings paid, stake kept, in cents.

    Chips handed back beyond the stake count as winnings; what is missing from it counts as kept.
    """
    if isinstance(fact, WagerReturned):
        back = stake_cents if fact.returned_cents is None else fact.returned_cents
        return Outcome.RETURNED, max(back - stake_cents, 0), max(stake_cents - back, 0)
    return HOUSE.get(fact.outcome, Outcome.UNKNOWN), fact.winnings_cents, fact.stake_taken_cents


def together(
    wager: PlacedWager, acts: Sequence[WagerSettled | WagerReturned]
) -> tuple[Outcome, int, int]:
    """Return what the acts of the house on one wager come to: outcome, winnings paid, stake kept.

    Chips handed back later come from those that the house took, or had left lying.

    Args:
        wager: the wager.
        acts: its settlements in order, at least one.
    """
    stake_cents = wager.stake_cents
    outcome, paid, taken = _done(wager, acts[0])
    lying = taken if outcome is Outcome.RETURNED else 0
    for act in acts[1:]:
        later, more, kept = _done(wager, act)
        if later is Outcome.RETURNED:
            back = min(taken, stake_cents - kept + more)
            taken, lying = taken - back, max(lying - back, 0)
            outcome = later if back else outcome
        else:
            outcome, paid, taken, lying = later, paid + more, taken - lying + kept, 0
    if len(acts) > 1 and paid != taken:
        outcome = Outcome.WON if paid > taken else Outcome.LOST
    return outcome, paid, taken


def difference(wager: PlacedWager, owed: Due, *, firm: bool) -> int | None:
    """Return what the patron got beyond what was due, in cents; negative if it was less.

    Args:
        wager: the wager with what was done.
        owed: what it should have come to.
        firm: the round has ended, so what is not settled never will be.

    Returns:
        None where it cannot be said: what was due or done is not known, the wager left in time, or
            it
        may still be settled.
    """
    if owed.outcome is Outcome.STANDS and wager.settled:  # nothing was due yet
        net: int | None = 0
    else:
        net = owed.net(wager.stake_cents)
    if net is None or wager.gone is not None:
        return None
    if not wager.settled:
        lifted = wager.lifted is not None and not _lies_in_part(wager)
        return -net if firm or lifted else None
    if Outcome.UNKNOWN in [_done(wager, act)[0] for act in wager.settled]:
        return None
    _, paid, taken = together(wager, wager.settled)
    return paid - taken - net


def compare(
    rules: Rules, wager: PlacedWager, owed: Due, *, firm: bool, resolved_by: Citation | None
) -> Iterator[Breach]:
    """Yield the differences between what was owed and what was done.

    Args:
        rules: those of the round.
        wager: the wager with what was done. Where the house pushed it back too late, this is noted
            on the wager.
        owed: what it should have come to.
        firm: the round has ended, so what is not settled never will be.
        resolved_by: the section by which all wagers go back, if they do.
    """
    if owed.outcome is Outcome.STANDS and owed.cites and wager.settled:
        first = wager.settled[0]
        if isinstance(first, WagerSettled) and first.outcome is not SettledAs.RETURNED:
            yield _wrong_outcome(rules, wager, owed, first, resolved_by)
        return
    if owed.outcome in (Outcome.STANDS, Outcome.UNKNOWN):
        return
    if wager.lifted is not None:
        yield from _taken_late(rules, wager, owed, firm=firm, resolved_by=resolved_by)
        return
    if not wager.settled:
        if firm and wager.gone is None:
            yield _unsettled(rules, wager, owed)
        return
    first = wager.settled[0]
    if (
        isinstance(first, WagerReturned)
        and wager.lifted_blind
        and owed.outcome is not Outcome.RETURNED
    ):
        back = wager.stake_cents if first.returned_cents is None else first.returned_cents
        wager.lifted, wager.lifted_cents = ref_of(first), min(back, wager.stake_cents)
        yield from _taken_late(rules, wager, owed, firm=firm, resolved_by=resolved_by)
        return
    if len(wager.settled) > 1 and (several := _several(rules, wager, owed, resolved_by)):
        yield from several
        return
    yield from _first(rules, wager, owed, first, resolved_by)
    for count in range(2, len(wager.settled) + 1):
        yield from _again(rules, wager, owed, wager.settled[:count])


def _done(wager: PlacedWager, fact: WagerSettled | WagerReturned) -> tuple[Outcome, int, int]:
    """Return what an act of the house comes to, without what was added too late and goes back."""
    outcome, paid, taken = observed(fact, wager.stake_cents)
    if wager.raises and isinstance(fact, WagerReturned):
        back = sum(part.added_cents for part in wager.raises if part.stands is False)
        paid = max(paid - back, 0)
    return outcome, paid, taken


def _first(
    rules: Rules,
    wager: PlacedWager,
    owed: Due,
    fact: WagerSettled | WagerReturned,
    resolved_by: Citation | None,
) -> Iterator[Breach]:
    outcome, paid, taken = _done(wager, fact)
    if outcome is Outcome.UNKNOWN:
        duty, act = rules.duty("wrong_outcome"), "did what this version does not know"
        should = _should(owed, wager.stake_cents)
        yield Breach(
            duty=duty,
            facts=_facts(wager, fact),
            observed=act,
            expected=should,
            wager=wager.wager_id,
            certainty=Certainty.UNKNOWN,
        )
        return
    if outcome is not owed.outcome:
        yield _wrong_outcome(rules, wager, owed, fact, resolved_by)
        return
    if outcome is Outcome.WON:
        yield from _paid(rules, wager, owed, fact, paid)
        if taken:
            yield _taken(rules, wager, owed, fact, taken, 0)
    elif outcome is Outcome.LOST:
        if paid:
            yield _amount(rules, "wager_overpaid", wager, owed, fact, paid, 0)
        if taken != wager.stake_cents:
            yield _taken(rules, wager, owed, fact, taken, wager.stake_cents)
    elif paid or taken:  # handed back, but something was paid or kept
        yield _wrong_outcome(rules, wager, owed, fact, resolved_by)


def _paid(
    rules: Rules, wager: PlacedWager, owed: Due, fact: WagerSettled | WagerReturned, paid: int
) -> Iterator[Breach]:
    if owed.cents is None:
        yield from _paid_unsure(rules, wager, owed, fact, paid)
    elif paid == owed.cents:
        return
    elif owed.uncapped is not None and paid > owed.cents and (limit := _limit_code(rules)):
        yield _amount(rules, limit, wager, owed, fact, paid, owed.cents)
    elif paid > owed.cents:
        unfiled = rules.filed is None and not (
            owed.verdict and owed.verdict.line and owed.verdict.line.payout.fixed
        )
        certainty = Certainty.UNKNOWN if unfiled else Certainty.BROKEN  # the floor has no ceiling
        yield _amount(
            rules, "wager_overpaid", wager, owed, fact, paid, owed.cents, certainty=certainty
        )
    else:
        yield _amount(rules, "wager_underpaid", wager, owed, fact, paid, owed.cents)


def _limit_code(rules: Rules) -> str | None:
    codes = ("payout_limit_not_applied", "payout_limit_ignored")
    return next((code for code in codes if rules.has(code)), None)


def _paid_unsure(
    rules: Rules, wager: PlacedWager, owed: Due, fact: WagerSettled | WagerReturned, paid: int
) -> Iterator[Breach]:
    """Report what is surely too little or too much where no single amount is right."""
    unsure = Certainty.UNKNOWN
    if owed.doubt is not None:
        if owed.uncapped is not None and paid > owed.uncapped:
            yield _amount(rules, "wager_overpaid", wager, owed, fact, paid, owed.uncapped)
        elif owed.least is not None and paid < owed.least:
            yield _amount(rules, "wager_underpaid", wager, owed, fact, paid, owed.least)
        else:
            over = paid != owed.least
            code = "wager_overpaid" if over else "wager_underpaid"
            yield _amount(rules, code, wager, owed, fact, paid, None, certainty=unsure)
    elif not rules.filing_known:
        line = owed.verdict.line if owed.verdict else None
        floor = line.payout.pays.winnings(wager.stake_cents) if line else None
        if floor is not None and paid < floor.numerator // floor.denominator and not owed.uncapped:
            yield _amount(rules, "wager_underpaid", wager, owed, fact, paid, None, certainty=unsure)
    elif owed.uncapped is not None and owed.least is not None:
        if paid > owed.uncapped:
            yield _amount(rules, "wager_overpaid", wager, owed, fact, paid, owed.uncapped)
        elif paid < owed.least:
            yield _amount(rules, "wager_underpaid", wager, owed, fact, paid, owed.least)
        elif limit := _limit_code(rules):
            yield _amount(rules, limit, wager, owed, fact, paid, None, certainty=unsure)
    elif rules.has("wager_not_whole_cents"):
        filed = rules.filed.rounding if rules.filed else None
        yield Breach(
            duty=rules.duty("wager_not_whole_cents"),
            facts=_facts(wager, fact),
            observed=dollars(paid),
            expected=None if owed.exact is None else exact_dollars(owed.exact),
            wager=wager.wager_id,
            certainty=unsure if filed == "UNRECOGNISED" else Certainty.BROKEN,
        )


def _wrong_outcome(
    rules: Rules,
    wager: PlacedWager,
    owed: Due,
    fact: WagerSettled | WagerReturned,
    resolved_by: Citation | None,
) -> Breach:
    outcome, paid, taken = _done(wager, fact)
    duty = _named(rules, "wrong_outcome", owed)
    if owed.outcome is Outcome.RETURNED and resolved_by is not None:
        pin = resolved_by.section.removeprefix(resolved_by.edition.chapter)
        void = f"void_round_settled@{pin}"
        rows = (f"{void}#{resolved_by.part}", void, f"{duty.code}@{pin}")
        named = next((rules.duty(row) for row in rows if rules.has(row)), None)
        duty = named or Duty(duty.code, duty.severity, resolved_by, duty.says)
    net = owed.net(wager.stake_cents)
    if owed.outcome is Outcome.STANDS:
        net = 0
    effect = None if net is None else paid - taken - net
    return Breach(
        duty=duty,
        facts=_facts(wager, fact),
        observed=_did(outcome, paid, taken),
        expected=_should(owed, wager.stake_cents),
        wager=wager.wager_id,
        effect_cents=effect,
        also=tuple(cite for cite in owed.cites if cite != duty.cite) + _limit_cites(wager),
    )


def _named(rules: Rules, code: str, owed: Due) -> Duty:
    """Return the room's own row for what was owed.

    That is the row of the section by which the wager loses, is collected or paid, or wins.
    """
    lost = owed.outcome is Outcome.LOST
    if not owed.cites or not (lost or owed.outcome is Outcome.WON):
        return rules.duty(code)
    by = owed.by.settled_by if owed.by is not None else None
    for cite in (owed.cites[0], by) if lost else (by, owed.cites[-1]):
        row = f"{code}@{cite.section.removeprefix(rules.law.edition.chapter)}" if cite else ""
        if rules.has(row):
            return rules.duty(row)
    return rules.duty(code)


def _amount(
    rules: Rules,
    code: str,
    wager: PlacedWager,
    owed: Due,
    fact: WagerSettled | WagerReturned,
    paid: int,
    should: int | None,
    *,
    certainty: Certainty = Certainty.BROKEN,
) -> Breach:
    duty = rules.duty(code) if owed.outcome is not Outcome.LOST else _named(rules, code, owed)
    cites = owed.cites
    if owed.shares and code in WITH_COUPON:
        duty = WITH_COUPON[code]
        cites = tuple(cite for cite in cites if cite.section != duty.cite.section)
    elif cites and code in ("wager_underpaid", "wager_overpaid") and owed.outcome is Outcome.WON:
        line = owed.verdict.line if owed.verdict else None
        row = f"{code}@{cites[0].section.removeprefix(cites[0].edition.chapter)}"
        if line is not None and cites[0] != line.payout.cite and rules.has(row):  # multiplied
            duty = rules.duty(row)
        else:
            duty = Duty(duty.code, duty.severity, cites[0], duty.says, duty.reading)
    return Breach(
        duty=duty,
        facts=_facts(wager, fact),
        observed=dollars(paid),
        expected=_with_coupons(owed, "unknown" if should is None else dollars(should)),
        wager=wager.wager_id,
        certainty=certainty,
        effect_cents=None if should is None else paid - should,
        also=tuple(cite for cite in cites if cite != duty.cite) + _limit_cites(wager),
    )


def _with_coupons(owed: Due, amount: str) -> str:
    """An amount, with what its coupons add or why they add nothing."""
    reasons = "; ".join(share.words() for share in owed.shares)
    return f"{amount} ({reasons})" if reasons else amount


def _taken(
    rules: Rules, wager: PlacedWager, owed: Due, fact: WagerSettled | WagerReturned, taken: int,
    should: int,
) -> Breach:  # fmt: skip
    if taken > should and rules.has("wager_overtaken"):
        duty = rules.duty("wager_overtaken")
    elif wager.outside:  # § 521.7(c): lost in its entirety
        duty = BY_CODE["stake_taken_wrong"]
    else:
        duty = _named(rules, "stake_taken_wrong", owed)
    return Breach(
        duty=duty,
        facts=_facts(wager, fact),
        observed=dollars(taken),
        expected=dollars(should),
        wager=wager.wager_id,
        effect_cents=should - taken,
    )


def _unsettled(rules: Rules, wager: PlacedWager, owed: Due) -> Breach:
    net = owed.net(wager.stake_cents)
    duty = _named(rules, "wager_unsettled", owed)
    return Breach(
        duty=duty,
        facts=(wager.ref,),
        expected=_should(owed, wager.stake_cents),
        wager=wager.wager_id,
        effect_cents=-net if net else None,
        also=tuple(cite for cite in owed.cites if cite != duty.cite),
    )


def _lies_in_part(wager: PlacedWager) -> bool:
    """Whether a part of a wager was left lying when the rest was lifted too late."""
    return wager.lifted_cents is not None and wager.lifted_cents < wager.stake_cents


def _taken_late(
    rules: Rules, wager: PlacedWager, owed: Due, *, firm: bool, resolved_by: Citation | None
) -> Iterator[Breach]:
    """Judge a wager that was lifted too late, and whatever else is wrong, each by its own amount.

    The lift accounts for what the lifted part would have lost or won, and no more; for the whole
    wager if the share of that part cannot be calculated.
    """
    lifted = _lifted(rules, wager, owed, firm=firm)
    if wager.lifted_settled:  # what was paid or taken does not depend on the lift
        yield replace(lifted, effect_cents=None)
        settled = replace(wager, lifted=None, lifted_blind=False)
        yield from compare(rules, settled, owed, firm=firm, resolved_by=resolved_by)
        return
    whole = lifted.effect_cents
    own_act = wager.settled[0] if wager.settled else None
    if own_act is not None and wager.lifted != ref_of(own_act) and rules.has(HANDED_BACK):
        handed_back = observed(own_act, wager.stake_cents)[0] is not owed.outcome
        if handed_back and not _lies_in_part(wager):  # § 575.7(c): it stays in play
            yield replace(lifted, effect_cents=None)
            wrong = _wrong_outcome(rules, wager, owed, own_act, None)
            yield replace(wrong, duty=rules.duty(HANDED_BACK), effect_cents=whole)
            return
    stake, net = wager.stake_cents, owed.net(wager.stake_cents)
    lying = stake - (stake if wager.lifted_cents is None else wager.lifted_cents)
    rest = of_rest(rules, wager, owed, lying) if wager.lifted_cents is not None else None
    by_rest = rest.net(lying) if rest is not None else None
    if rest is None or by_rest is None or net is None or whole is None:
        yield lifted
        return
    share = by_rest - net
    by_lift = min(whole, share, key=abs) if whole * share > 0 else 0
    yield replace(lifted, effect_cents=by_lift)
    if whole == by_lift:
        return
    acts = [act for act in wager.settled if ref_of(act) != wager.lifted]
    left = replace(wager, settled=acts, lifted=None, lifted_blind=False)
    if by_lift:
        left, owed = replace(left, stake_cents=lying), rest
    others = [*compare(rules, left, owed, firm=firm, resolved_by=resolved_by)]
    if len(others) == 1:  # with what was kept when the part was handed back
        others = [replace(others[0], effect_cents=whole - by_lift)]
    yield from others


def _lifted(rules: Rules, wager: PlacedWager, owed: Due, *, firm: bool) -> Breach:
    """Judge a wager that was lifted too late as if it had stood (reading late-take-down)."""
    assert wager.lifted is not None
    as_lifted = rules.reading("late-take-down") == "as-lifted"
    part = f" {dollars(wager.lifted_cents or 0)}" if _lies_in_part(wager) else ""
    own = (wager.lifted_row or "").partition("#")[0].replace("late_wager", "late_take_down")
    breach = Breach(
        duty=rules.duty(own if rules.has(own) else "late_take_down"),
        facts=(wager.ref, wager.lifted),
        observed=f"lifted{part}",
        expected=_should(owed, wager.stake_cents),
        wager=wager.wager_id,
        effect_cents=None if as_lifted else difference(wager, owed, firm=firm),
        also=owed.cites,
    )
    if wager.lifted_apart is None:
        return breach
    return unsure(breach, wager.placed, wager.lifted_apart)


def _several(
    rules: Rules, wager: PlacedWager, owed: Due, resolved_by: Citation | None
) -> list[Breach]:
    """Judge several acts by their sum: they put each other right, or the first was already wrong.

    Empty where the first was right and what came after it was too much.
    """
    acts, stake = wager.settled, wager.stake_cents
    each = [_done(wager, act) for act in acts]
    if Outcome.UNKNOWN in [outcome for outcome, _, _ in each]:
        return []
    _, paid, taken = together(wager, acts)
    net = owed.net(stake)
    right_at_first = each[0][1] - each[0][2] == net
    repeated = all(act == each[0] or act[0] is Outcome.RETURNED for act in each)
    if right_at_first and (repeated or paid - taken != net):
        return []
    words = ", then ".join(_did(*act) for act in each)
    if paid - taken == net:
        put_right = Breach(
            duty=_named(rules, "settlement_corrected", owed),
            facts=(),
            expected=f"the wager {_should(owed, stake)}",
            wager=wager.wager_id,
            effect_cents=0,
        )
        breaches = [put_right]
    elif owed.outcome is Outcome.WON and not taken:
        words = f"{dollars(paid)} ({', then '.join(dollars(amount) for _, amount, _ in each)})"
        breaches = [*_paid(rules, wager, owed, acts[0], paid)]
    elif owed.outcome is Outcome.LOST and not paid:
        words = f"{dollars(taken)} ({', then '.join(dollars(amount) for *_, amount in each)})"
        breaches = [_taken(rules, wager, owed, acts[0], taken, stake)]
    else:
        wrong = _wrong_outcome(rules, wager, owed, acts[0], resolved_by)
        breaches = [replace(wrong, effect_cents=None if net is None else paid - taken - net)]
    facts = (wager.ref, *map(ref_of, acts))
    return [replace(breach, facts=facts, observed=words) for breach in breaches]


def _again(
    rules: Rules, wager: PlacedWager, owed: Due, acts: Sequence[WagerSettled | WagerReturned]
) -> Iterator[Breach]:
    """Judge the last of several acts: a wager is settled once, and a second act is too much."""
    fact = acts[-1]
    facts = (*_facts(wager, acts[0]), ref_of(fact))
    twice = _named(rules, "wager_settled_twice", owed)
    nets = [paid - taken for _, paid, taken in (together(wager, acts[:-1]), together(wager, acts))]
    duty, effect = twice, nets[1] - nets[0]
    outcome, paid, taken = _done(wager, fact)
    if paid:
        cite = owed.cites[0] if owed.outcome is Outcome.WON and owed.cites else twice.cite
        duty = Duty("wager_overpaid", rules.duty("wager_overpaid").severity, cite, twice.says)
    yield Breach(
        duty=duty,
        facts=facts,
        observed=_did(outcome, paid, taken),
        wager=wager.wager_id,
        effect_cents=effect,
        also=() if duty is twice else (twice.cite,),
    )


def _facts(wager: PlacedWager, fact: WagerSettled | WagerReturned) -> tuple[FactRef, ...]:
    return (wager.ref, ref_of(fact))


def _limit_cites(wager: PlacedWager) -> tuple[Citation, ...]:
    return tuple(breach.duty.cite for breach in wager.outside)


def _did(outcome: Outcome, paid: int, taken: int) -> str:
    match outcome:
        case Outcome.WON:
            return f"paid {dollars(paid)}"
        case Outcome.LOST:
            return f"took {dollars(taken)}"
        case _:
            return "handed it back"


def _should(owed: Due, stake_cents: int) -> str:
    match owed.outcome:
        case Outcome.WON:
            return "wins" if owed.cents is None else f"wins {dollars(owed.cents)}"
        case Outcome.LOST:
            return f"loses {dollars(stake_cents)}"
        case Outcome.STANDS:
            return "stands for the next roll"
        case _:
            return "goes back to the player"
