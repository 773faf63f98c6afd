"""The Rules Submission in force at a table, compared with the chapter, the layout and the offer.

Law: §§ 521.7(d), 521.8(b), 539.1(c), 539.6, 689.1(c), (g), 689.3(a) through the rooms' rows.
Readings: floors, below-floor-filing, fixed-odds-filed-otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from ledger.events import Bureau, ItemInspected, Subject, TableOpened
from ledger.games.room import Breach, Duty, Filed, Payout, Room, Rules
from ledger.house.duties import BY_CODE
from ledger.house.filed_options import unused
from ledger.house.office import Office, Submission, odds_of
from ledger.kernel import Certainty, Odds, ref_of

_PRINTED: Final = re.compile(r"\s*(\d+)\s*(:|to|for)\s*(\d+)\s*", re.IGNORECASE | re.ASCII)


def judge_filing(
    room: Room,
    rules: Rules,
    submission: Submission,
    sure: bool,
    minimums: Mapping[str, int] | None = None,
    approved: Callable[[str], bool | None] = lambda _: None,
) -> Iterator[Breach]:
    """Compare each filed line with the chapter's: a floor, fixed odds, or no such line at all.

    Args:
        room: the room by its text of the day.
        rules: those in force.
        submission: the submission.
        sure: whether the office's record shows without doubt that it is in force.
        minimums: the table minimums in cents, by kind of wager ("" for all others).
        approved: whether a wager that the chapter lacks was approved on request (§ 521.4).
    """
    rows = {(row.wager, row.filed_as): row for row in room.payouts}
    for filed in submission.filed.paytable:
        named = [rows[key] for key in ((filed.wager, filed.on),) if key in rows]
        if not named and filed.on is None:
            named = [row for row in room.payouts if row.wager == filed.wager]
        odds = odds_of(filed)
        title = filed.wager if filed.on is None else f"{filed.wager} on {filed.on}"
        if not named and not approved(filed.wager):
            yield _about(submission, BY_CODE["wager_not_approved"], title, None, sure)
        for row in named:
            yield from _line(rules, submission, row, title, odds, filed.odds, sure)
    if room.judge_filing is not None:
        certainty = Certainty.BROKEN if sure else Certainty.UNKNOWN
        for breach in room.judge_filing(rules, minimums or {}):
            known = certainty if breach.certainty is Certainty.BROKEN else breach.certainty
            yield replace(breach, facts=(submission.ref,), certainty=known)
    for chosen in submission.filed.readings:
        why = unused(chosen.reading, chosen.choice)
        if why is not None:
            observed = f"{chosen.choice} for {chosen.reading}"
            yield _about(submission, BY_CODE["reading_not_used"], observed, why, sure=False)


def _line(
    rules: Rules,
    submission: Submission,
    row: Payout,
    title: str,
    odds: Odds | None,
    text: str,
    sure: bool,
) -> Iterator[Breach]:
    observed = f"{title} at {odds or text}"
    if row.fixed and not rules.has("paytable_not_as_fixed"):
        return  # the room itself judges which of its paytables was filed
    if row.fixed and (odds is None or odds.ratio != row.pays.ratio):
        own = f"paytable_not_as_fixed@{row.cite.section.removeprefix(rules.law.edition.chapter)}"
        duty = rules.duty(own if rules.has(own) else "paytable_not_as_fixed")
        yield _about(submission, duty, observed, str(row.pays), sure)
    elif not row.fixed and (odds is None or odds.ratio < row.pays.ratio):
        yield _about(submission, rules.duty("paytable_below_floor"), observed, str(row.pays), sure)


def _about(
    submission: Submission, duty: Duty, observed: str, expected: str | None, sure: bool
) -> Breach:
    return Breach(
        duty=duty,
        facts=(submission.ref,),
        observed=observed,
        expected=expected,
        certainty=Certainty.BROKEN if sure else Certainty.UNKNOWN,
    )


def judge_opening(
    room: Room,
    rules: Rules,
    opened: TableOpened,
    office: Office,
    submission: Submission | None,
    sure: bool,
) -> Iterator[Breach]:
    """Judge what an opening of a table needs: a submission, an offer that it covers, a layout.

    Args:
        room: the room by its text of the day.
        rules: those in force.
        opened: the opening.
        office: the approvals.
        submission: the one in force; None if there is none.
        sure: whether the office's record shows that without doubt.
    """
    at = ref_of(opened)
    certainty = Certainty.BROKEN if sure else Certainty.UNKNOWN
    if submission is None:
        yield Breach(duty=rules.duty("rules_submission_missing"), facts=(at,), certainty=certainty)
    elif opened.paytable is not None and opened.paytable != submission.filed.submission:
        yield Breach(  # § 521.8(b)
            duty=BY_CODE["rules_changed_without_approval"],
            facts=(at,),
            observed=opened.paytable,
            expected=submission.filed.submission,
            certainty=certainty,
        )
    yield from _layout(room, rules, opened, office)


def _layout(room: Room, rules: Rules, opened: TableOpened, office: Office) -> Iterator[Breach]:
    """Judge the approvals of a layout and of its boxes.

    Gaming Operations must approve the layout; any bureau may approve the boxes.
    """
    at = ref_of(opened)
    approvals = [a for a in office.layout(opened.layout, opened.event_time) if a.game == room.game]
    mine = [a for a in approvals if a.bureau is Bureau.GAMING_OPERATIONS]
    sure = office.sure(approvals[0].event_time if approvals else None, opened.event_time)
    certainty = Certainty.BROKEN if sure else Certainty.UNKNOWN
    if not mine:
        duty = rules.duty("layout_not_approved")
        yield Breach(duty=duty, facts=(at,), observed=opened.layout, certainty=certainty)
    spoken = [a.boxes_approved for a in approvals if a.boxes_approved is not None]
    if approvals and not any(spoken):
        known = bool(spoken) and sure
        yield Breach(
            duty=rules.duty("boxes_not_approved"),
            facts=(at,),
            certainty=Certainty.BROKEN if known else Certainty.UNKNOWN,
        )


def judge_printed(
    rules: Rules, look: ItemInspected, filed: Filed | None, sure: bool
) -> Iterator[Breach]:
    """Judge the odds printed on the layout: the word "to", and the odds that are offered.

    Args:
        rules: those in force.
        look: the inspection that read them.
        filed: the submission that the table offers; None if there is none.
        sure: whether the office's record shows that without doubt.
    """
    at = ref_of(look)
    for seen in look.seen:
        match = _PRINTED.fullmatch(seen.value or "")
        observed = f"{seen.name} {seen.value}"
        if match is None:
            continue
        pays, word, stake = int(match[1]), match[2].lower(), int(match[3])
        if word == "for" and rules.has("odds_stated_with_for"):
            yield Breach(duty=rules.duty("odds_stated_with_for"), facts=(at,), observed=observed)
        printed = (
            Odds(pays - stake if word == "for" else pays, stake)
            if stake and pays >= stake * (word == "for")
            else None
        )
        offered = offered_odds(rules, filed, seen.name)
        if offered and (printed is None or all(printed.ratio != odds.ratio for odds in offered)):
            words = " or ".join(str(odds) for odds in offered)
            yield Breach(
                duty=rules.duty("layout_odds_wrong"),
                facts=(at,),
                observed=observed,
                expected=words,
                certainty=Certainty.BROKEN if sure else Certainty.UNKNOWN,
            )

    if any(need.feature == look.item and need.met_by for need in rules.room.requirements):
        yield from _not_printed(rules, look, filed, sure)


def _not_printed(
    rules: Rules, look: ItemInspected, filed: Filed | None, sure: bool
) -> Iterator[Breach]:
    """Report lines of a wager that the layout leaves out while it prints others of that wager.

    A wager of which it prints nothing is reported by the room's requirement.
    """
    seen = {one.name for one in look.seen}
    for wager, lines in rules.payouts.items():
        rows = [line.payout for line in lines]
        missing = [row for row in rows if not seen & set(_printed_as(row))]
        if wager in seen or len(missing) == len(rows):
            continue
        for row in missing:
            odds = filed.odds.get((row.wager, row.filed_as)) if filed else None
            yield Breach(
                duty=rules.duty("layout_odds_wrong"),
                facts=(ref_of(look),),
                observed=f"nothing for {row.wager} {row.filed_as}",
                expected=str(odds or row.pays),
                certainty=Certainty.BROKEN if sure else Certainty.UNKNOWN,
            )


def _printed_as(row: Payout) -> tuple[str, str]:
    return (f"{row.wager} {row.filed_as}", f"{row.wager} on {row.filed_as}")


def offered_odds(rules: Rules, offer: Filed | None, printed: str) -> list[Odds]:
    """Return the odds that a printed line must show: as filed, even if the filing is wrong itself.

    Args:
        rules: those in force.
        offer: the submission that the table offers; None if there is none.
        printed: the line's name on the layout.

    Returns:
        The odds of each row that has this name; empty if none has.
    """
    rows = [line.payout for lines in rules.payouts.values() for line in lines]
    exact = [row for row in rows if printed in _printed_as(row)]
    named = exact or [row for row in rows if row.wager == printed]
    odds_offered = []
    for row in named:
        filed = offer.odds.get((row.wager, row.filed_as)) if offer else None
        odds_offered.append(filed or row.pays)
    return odds_offered


def is_printed_odds(look: ItemInspected) -> bool:
    """Whether an inspection read the odds on a layout."""
    return look.subject is Subject.LAYOUT and look.item == "printed_odds" and bool(look.found)
