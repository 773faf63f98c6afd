"""One game of Three Dice Football as this floor deals it, with its lawful irregularities.

Law: 58 Pa. Code §§ 577.3(c), (e), 577.5, 577.6.
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.floor.betting import Bet, Twist, first_wagers, open_betting, pay, place, refuse_late
from ledger.floor.patron_habits import Patron
from ledger.floor.table_state import Table
from ledger.floor.three_dice_football_crew import crew_of
from ledger.floor.three_dice_football_payouts import (
    DEFENSE,
    EXTRA_POINT,
    SINGLES,
    TOUCHDOWN,
    TURNOVER,
    Field,
    Throw,
    due,
    game_row,
    play_row,
)
from ledger.kernel.quick_dataclass import dataclass

_SINGLE: Final = 0.3
"""How likely a patron is to stake on the next play alone."""
_CHIPS: Final = 0.25
"""How often a die runs into chips on its way, which is no cause for anything (§ 577.5(d))."""


@dataclass(frozen=True, slots=True)
class RedDieRest:
    """How the red die lies, and what the throw lacked."""

    rest: events.ThrowRest = events.ThrowRest.FLAT
    struck: bool = True


_VOID: Final = {
    Twist.OFF_TABLE: (RedDieRest(rest=events.ThrowRest.OFF_TABLE), "a die off the table"),
    Twist.PROPPED: (
        RedDieRest(rest=events.ThrowRest.TWO_SIDES_PROPPED),
        "two sides of a die propped",
    ),
}


def play_three_dice_football(table: Table, twist: Twist | None) -> None:
    """Play one game: from the choice of a Quarterback to the last wager settled."""
    crew = crew_of(table)
    before = {patron.ref: patron.chips for patron in table.patrons}
    quarterback = crew.find_quarterback(table)
    open_betting(table)
    field = Field()
    _mark(table, field)
    bets = first_wagers(table, twist)
    singles = _stake_on_play(table)
    refused = twist
    while True:
        throw = _throw_until_valid(table, quarterback, twist)
        twist = None
        if refused in (Twist.REFUSED, Twist.TAKE_DOWN_REFUSED) and bets:
            refuse_late(table, refused, bets[0])
            refused = None
        field = field.after(throw)
        results = [(bet, due(play_row(bet.area[0], throw), bet.stake)) for bet in singles]
        if field.end is not None:
            break
        pay(table, results)
        _mark(table, field)
        _announce(table, field)
        singles = _stake_on_play(table)
    if field.scored:
        _settle_score(table, quarterback, field, results, bets)
    else:
        _settle_defense(table, field, results, bets)
        crew.defended()
    for patron in table.patrons:
        patron.learn(patron.chips - before[patron.ref])


def _stake_on_play(table: Table) -> list[Bet]:
    """Some stake on the next play alone; nobody more than once."""
    bets: list[Bet] = []
    rng = table.rng
    for patron in table.patrons:
        if rng.random() >= _SINGLE or patron.chips < table.limits.minimum:
            continue
        wager = SINGLES[int(rng.random() * len(SINGLES))]
        stake = table.limits.minimum * (1 + int(rng.random() * 2))
        stake = min(stake, patron.chips // 500 * 500, table.limits.highest(wager))
        patron.chips -= stake
        bets.append(place(table, patron, (wager, ()), stake))
    return bets


def _mark(table: Table, field: Field) -> None:
    """The three markers lie where the next play finds them."""
    table.sheet.append(
        events.MarkersPlaced(
            **table.main.stamp(table.wait(1, 3), table.dealer),
            yard=field.yard,
            down=field.down,
            play=field.play,
            placed_by=table.dealer,
        )
    )


def _announce(table: Table, field: Field) -> None:
    table.sheet.append(
        events.DownAnnounced(
            **table.main.stamp(table.wait(1, 2), table.dealer),
            down=field.down,
            distance_yards=field.yard,
            announced_by=table.dealer,
        )
    )


# --- throws ---------------------------------------------------------------------------------------


def _throw_until_valid(table: Table, quarterback: Patron, twist: Twist | None) -> Throw:
    """Throw, and throw again where a throw does not count; the numbers are called."""
    stick = crew_of(table).stick
    if twist in _VOID:
        lie, reason = _VOID[twist]
        _throw(table, quarterback, lie)
        table.sheet.append(
            events.ThrowVoided(
                **table.main.stamp(table.wait(1, 2), stick), reason=reason, called_by=stick
            )
        )
    elif twist is Twist.FAR_END:
        _throw(table, quarterback, RedDieRest(struck=False))
        table.sheet.append(
            events.NoRollCalled(
                **table.main.stamp(table.wait(0.5, 1), stick),
                reason="far end not struck",
                called_by=stick,
            )
        )
    cocked = twist is Twist.COCKED
    throw = _throw(
        table,
        quarterback,
        RedDieRest(rest=events.ThrowRest.ONE_SIDE_PROPPED if cocked else events.ThrowRest.FLAT),
    )
    if twist is Twist.DISPUTED:
        _dispute(table, quarterback, throw)
    _call(table, throw)
    return throw


def _throw(
    table: Table,
    quarterback: Patron,
    lie: RedDieRest,
    purpose: events.ThrowPurpose = events.ThrowPurpose.DOWN,
) -> Throw:
    """The three dice leave the hand together and come to rest; the red one perhaps not flat."""
    rng = table.rng
    faces = (1 + int(rng.random() * 6), 1 + int(rng.random() * 6), 1 + int(rng.random() * 6))
    rests = (events.ThrowRest.FLAT, events.ThrowRest.FLAT, lie.rest)
    touched = (events.Touched.PATRON_CHIPS,) if rng.random() < _CHIPS else ()
    dice = tuple(
        events.ThrownDie(
            serial=serial,
            colour=colour,
            face=None if rest is events.ThrowRest.OFF_TABLE else face,
            rest=rest,
            resting_side=7 - face if rest is events.ThrowRest.ONE_SIDE_PROPPED else None,
            leans_on="chips" if rest is events.ThrowRest.ONE_SIDE_PROPPED else None,
            touched=touched if colour == "red" else (),
        )
        for serial, colour, face, rest in zip(
            crew_of(table).dice, ("green", "green", "red"), faces, rests, strict=True
        )
    )
    table.sheet.append(
        events.DiceThrownByHand(
            **table.sensor.stamp(table.wait(6, 14), None),
            purpose=purpose,
            position=quarterback.position,
            thrown_by=quarterback.ref,
            released_together=True,
            struck_far_end=lie.struck,
            dice=dice,
        )
    )
    return faces


def _dispute(table: Table, quarterback: Patron, throw: Throw) -> None:
    """Somebody reads the red die otherwise, and the stickperson decides."""
    stick, red = crew_of(table).stick, crew_of(table).dice[2]
    table.sheet.append(
        events.FaceDisputed(
            **table.main.stamp(table.wait(1, 3), stick),
            die=red,
            position=quarterback.position,
            alternatives=(throw[2] % 6 + 1, throw[2]),
        )
    )
    table.sheet.append(
        events.DisputeRuled(
            **table.main.stamp(table.wait(2, 5), stick),
            die=red,
            face=throw[2],
            rethrow=False,
            ruled_by=stick,
        )
    )


def _call(table: Table, throw: Throw) -> None:
    stick = crew_of(table).stick
    table.sheet.append(
        events.RollCalled(
            **table.main.stamp(table.wait(0.5, 1.5), stick), faces=throw, called_by=stick
        )
    )


# --- the end of a game ----------------------------------------------------------------------------


def _settle_score(
    table: Table,
    quarterback: Patron,
    end: Field,
    singles: list[tuple[Bet, int]],
    bets: list[Bet],
) -> None:
    """Defense first, then all but Touchdown and Extra Point, which wait for the extra point roll."""
    extra_due = any(bet.area[0] == EXTRA_POINT for bet in bets)
    table.sheet.append(
        events.MarkersPlaced(
            **table.main.stamp(table.wait(1, 3), table.dealer),
            yard=0,
            down=events.Down.EXTRA_POINT if extra_due else None,
            play=None,
            placed_by=table.dealer,
        )
    )
    last = (TOUCHDOWN, EXTRA_POINT)
    pay(table, _results(bets, end, (DEFENSE,)))
    others = [bet for bet in bets if bet.area[0] not in (DEFENSE, *last)]
    pay(table, singles + _results(others, end, None))
    extra: Throw | None = None
    if extra_due:
        extra = _throw(table, quarterback, RedDieRest(), events.ThrowPurpose.EXTRA_POINT)
        _call(table, extra)
    pay(table, _results(bets, end, last, extra))


def _settle_defense(
    table: Table, end: Field, singles: list[tuple[Bet, int]], bets: list[Bet]
) -> None:
    """Touchdown and Extra Point are collected, Defense is paid, then the rest."""
    if end.end == TURNOVER:
        table.sheet.append(
            events.TurnoverAnnounced(
                **table.main.stamp(table.wait(1, 2), table.dealer), announced_by=table.dealer
            )
        )
    first = (TOUCHDOWN, EXTRA_POINT)
    pay(table, _results(bets, end, first))
    pay(table, _results(bets, end, (DEFENSE,)))
    pay(table, singles)
    pay(table, _results([b for b in bets if b.area[0] not in (*first, DEFENSE)], end, None))


def _results(
    bets: list[Bet], end: Field, wagers: tuple[str, ...] | None, extra: Throw | None = None
) -> list[tuple[Bet, int]]:
    """What full game wagers of these kinds win (-1: nothing); None: of all kinds."""
    return [
        (bet, due(game_row(bet.area, end, extra), bet.stake))
        for bet in bets
        if wagers is None or bet.area[0] in wagers
    ]
