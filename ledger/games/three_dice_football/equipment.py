"""What table, layout and dice must be, and what is at the table while dice are thrown.

Law: §§ 577.2, 577.4, 577.5(a), 577.9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from ledger import events
from ledger.games.breach_reporting import breach
from ledger.games.inspection import names_all
from ledger.games.room import Approval, Requirement, Rules, Ruling, Trial
from ledger.games.three_dice_football.state import State
from ledger.games.three_dice_football.terms import (
    CAMERAS,
    DEALERS,
    DICE_HOURS_MICROS,
    LAW,
    SET_COLOURS,
    dealers_of,
    ends_covered,
)
from ledger.games.three_dice_football.turns import NOT_NAMED, breach_name
from ledger.games.three_dice_football.validity import agrees, coloured, right_dice
from ledger.games.three_dice_football.wagers import WAGERS
from ledger.kernel import Certainty, FactRef, Severity, parse_odds, plural

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH
LAYOUT, TABLE, DICE = events.Subject.LAYOUT, events.Subject.TABLE, events.Subject.DICE
NAMES: Final = tuple(row.name for row in WAGERS)
YARDS: Final = tuple(str(yard) for yard in range(1, 24))
LENGTHS: Final = tuple(str(plays) for plays in range(1, 7))

# fmt: off
REQUIREMENTS: Final = (   # § 577.2, in its own order
    #           thing   feature                required                                        when broken          severity cite                  met by
    Requirement(LAYOUT, "holder_name_or_logo", "the name or logo of the certificate holder",   "layout_incomplete", LOW,     LAW[".2(b)(1)"]),
    Requirement(LAYOUT, "wager_areas",         "an area for each full game and single play wager", "layout_incomplete", MEDIUM, LAW[".2(b)(2)"],     names_all(NAMES)),
    Requirement(LAYOUT, "football_field",      "a football field with end zones, 10 and 20 yard lines", "layout_incomplete", LOW, LAW[".2(b)(4)#1"]),
    Requirement(LAYOUT, "yards_labelled",      "each yard from 1 to 23, labelled",              "layout_incomplete", LOW,     LAW[".2(b)(4)#2"],    names_all(YARDS)),
    Requirement(LAYOUT, "down_areas",          "an area for 1st Down",                          "layout_incomplete", LOW,     LAW[".2(b)(5)(i)"],   names_all(("1st Down",))),
    Requirement(LAYOUT, "down_areas",          "an area for 2nd Down",                          "layout_incomplete", LOW,     LAW[".2(b)(5)(ii)"],  names_all(("2nd Down",))),
    Requirement(LAYOUT, "down_areas",          "an area for 3rd Down",                          "layout_incomplete", LOW,     LAW[".2(b)(5)(iii)"], names_all(("3rd Down",))),
    Requirement(LAYOUT, "down_areas",          "an area for 1st & Goal",                        "layout_incomplete", LOW,     LAW[".2(b)(5)(iv)"],  names_all(("1st & Goal",))),
    Requirement(LAYOUT, "down_areas",          "an area for 2nd & Goal",                        "layout_incomplete", LOW,     LAW[".2(b)(5)(v)"],   names_all(("2nd & Goal",))),
    Requirement(LAYOUT, "down_areas",          "an area for 3rd & Goal",                        "layout_incomplete", LOW,     LAW[".2(b)(5)(vi)"],  names_all(("3rd & Goal",))),
    Requirement(LAYOUT, "down_areas",          "an area for Extra Point",                       "layout_incomplete", LOW,     LAW[".2(b)(5)(vii)"], names_all(("Extra Point",))),
    Requirement(LAYOUT, "game_length_areas",   "an area for the game length, labelled 1 to 6",  "layout_incomplete", LOW,     LAW[".2(b)(6)"],      names_all(LENGTHS)),
    Requirement(TABLE,  "drop_box",            "a drop box is attached to the table",           "drop_box_missing",  MEDIUM,  LAW[".2(c)"]),
    Requirement(TABLE,  "tip_box",             "a tip box is attached to the table",            "drop_box_missing",  MEDIUM,  LAW[".2(c)"]),
    Requirement(DICE,   "physical_characteristics", "dice of the required kind",                "dice_not_compliant", HIGH,   LAW[".4(a)#1"]),
)
# fmt: on
TRIALS: Final[tuple[Trial, ...]] = ()
"""The chapter has no device that is tried before opening."""
APPROVALS: Final[tuple[Approval, ...]] = ()
"""The chapter has no device that a bureau approves apart from the layout."""


def judge_dice(rules: Rules, state: State, fact: events.DiceThrownByHand) -> Iterator[Ruling]:
    """Judge which dice were thrown, of which set, and how old it is (§§ 577.4, 577.5(a))."""
    colours_thrown = coloured(fact, state.colours)
    if right_dice(colours_thrown) is False:  # § 577.5(a)
        yield breach(rules, "wrong_dice_thrown@.5(a)#1", fact, observed=colours(colours_thrown))
    serials = {die.serial for die in fact.dice if die.serial is not None}
    other = set() if state.selected is None else serials - state.selected
    if other:  # § 577.4(c)
        observed = f"die {', '.join(sorted(other))}"
        yield from once(rules, state, fact, "wrong_dice_thrown@.4(c)#2", observed=observed)
    if state.dice is None:
        return
    sure = Certainty.BROKEN if state.dice_sure else Certainty.UNKNOWN
    here = {die.serial for die in state.dice}
    set_found = tuple(die.colour for die in state.dice if die.serial not in state.lost)
    if state.lost & (here | {NOT_NAMED}):
        observed = ", ".join(sorted(state.lost))  # § 577.4(d)
        yield from once(
            rules, state, fact, "lost_die_set_not_changed", observed=observed, certainty=sure
        )
    elif agrees(set_found, SET_COLOURS) is False:  # § 577.4(a)
        observed = colours(set_found)
        yield from once(
            rules, state, fact, "dice_set_incomplete", observed=observed, certainty=sure
        )
    bad = state.unfit & (here | {NOT_NAMED})
    if bad:  # § 577.4(d)
        observed = ", ".join(sorted(bad))
        yield from once(rules, state, fact, "unfit_dice_used", observed=observed, certainty=sure)
    closings = state.first_placings.closings
    old = {die.serial for die in state.dice if die.closings < closings}
    if old:  # § 577.4(d)
        observed = ", ".join(sorted(old))
        yield from once(
            rules, state, fact, "dice_not_changed_on_reopening", observed=observed, certainty=sure
        )
    first = min(state.dice, key=lambda die: die.at, default=None)
    if first is not None and fact.event_time - first.at > DICE_HOURS_MICROS:  # § 577.4(d)
        seconds = (fact.event_time - first.at) // 1_000_000
        observed = f"{seconds // 3600} h {seconds % 3600 // 60} min {seconds % 60} s"
        yield from once(
            rules, state, fact, "dice_over_24_hours", first.ref, observed=observed, certainty=sure
        )


def judge_watch(rules: Rules, state: State, fact: events.DiceThrownByHand) -> Iterator[Ruling]:
    """Judge cameras and dealers while dice are thrown (§ 577.9)."""
    unsure = Certainty.UNKNOWN
    if state.cameras is None:
        observed = "no camera recorded"
        yield from once(rules, state, fact, "camera_missing", observed=observed, certainty=unsure)
    else:
        surely, at_most = ends_covered(state.cameras)
        if surely < CAMERAS:
            known = state.cameras_sure and at_most < CAMERAS
            sure = Certainty.BROKEN if known else unsure
            observed = f"{plural(surely, 'end')} covered"
            yield from once(rules, state, fact, "camera_missing", observed=observed, certainty=sure)
    if state.staff is None:
        observed = "an unrecorded number of dealers"
        yield from once(rules, state, fact, "understaffed", observed=observed, certainty=unsure)
        return
    sure = Certainty.BROKEN if state.staff_sure else unsure
    dealers = dealers_of(state.staff)
    if len(dealers) < DEALERS:
        observed = plural(len(dealers), "dealer")
        yield from once(rules, state, fact, "understaffed", observed=observed, certainty=sure)
    if not any(role is events.Role.STICKPERSON for role, _ in state.staff):
        yield from once(rules, state, fact, "no_stickperson", certainty=sure)


def judge_odds_shown(rules: Rules, state: State, fact: events.TableOpened) -> Iterator[Ruling]:
    """Report a layout without payout odds, and no sign with those of every wager (§ 577.2(b)(3))."""
    missing = [name for name in NAMES if name not in state.odds_sign]
    if state.layout_odds is False and missing:
        observed, due = f"no payout odds of {', '.join(missing)}", "those of § 577.8 on a sign"
        yield breach(rules, "layout_odds_wrong@.2(b)(3)#2", fact, observed=observed, expected=due)


def judge_sign(rules: Rules, _state: State, fact: events.RulesSignPosted) -> Iterator[Ruling]:
    """Report odds on a sign that are not those of the chapter (§ 577.2(b)(3))."""
    for shown in fact.odds or ():
        lines = [line.payout for line in rules.payouts.get(shown.wager, ())]
        wanted = [row for row in lines if row.filed_as == shown.on] or lines
        try:
            odds = parse_odds(shown.odds)
        except ValueError:
            odds = None
        if wanted and all(odds is None or row.pays.ratio != odds.ratio for row in wanted):
            on = "" if shown.on is None else f" on {shown.on}"
            observed = f"{shown.wager}{on} {shown.odds}"
            due = " or ".join(str(row.pays) for row in wanted)
            yield breach(
                rules, "layout_odds_wrong@.2(b)(3)#2", fact, observed=observed, expected=due
            )


def colours(colours_seen: tuple[str | None, ...]) -> str:
    counts = Counter(colour or "of unknown colour" for colour in colours_seen)
    return ", ".join(f"{n} {colour}" for colour, n in sorted(counts.items())) or "no dice"


def once(
    rules: Rules,
    state: State,
    fact: events.Fact | FactRef,
    name: str,
    *earlier: FactRef,
    **details: Any,
) -> tuple[Ruling, ...]:
    """Give the breach, unless it was reported before: in this game, or at this table if it lasts.

    Args:
        rules: those of the round.
        state: what was reported before.
        fact: the fact that shows the breach.
        name: the name of the duty, as ``Rules.duty`` takes it.
        earlier: the other facts on which the breach rests.
        details: the other fields of the breach, such as ``observed`` and ``expected``.
    """
    if rules.duty(name).code in state.lasting_reported:
        return ()
    ruling = breach(rules, name, fact, *earlier, **details)
    return () if breach_name(ruling) in state.reported else (ruling,)
