"""Games over several throws, played through the rooms themselves: the same as counted from the field."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from ledger.games import BY_KEY, Room
from ledger.games.chances import outcomes_of
from ledger.games.football_field import Extra, reachable
from ledger.games.props_and_hops.chances import Shakes
from ledger.games.props_and_hops.terms import LAMMERS
from ledger.games.props_and_hops.wagers import chance_to_complete
from ledger.games.room import Decided, Rules, Shown, rules_on
from ledger.games.three_dice_football.chances import Football, football_throws
from ledger.games.three_dice_football.terms import Phase

FOOTBALL, PROPS = BY_KEY["three_dice_football"], BY_KEY["props_and_hops"]


def rules_of(room: Room) -> Rules:
    return rules_on(room, room.law.edition.since, None)


def summed(outcomes: object) -> dict[Shown, Fraction]:
    found: dict[Shown, Fraction] = {}
    for shown, chance, factor in outcomes:  # type: ignore[attr-defined]
        assert factor == 1
        found[shown] = found.get(shown, Fraction(0)) + chance
    return {shown: chance for shown, chance in found.items() if chance}


def test_there_are_216_throws() -> None:
    throws = football_throws()
    assert sum(throws.values()) == 216
    assert throws[1, 1, 6] == 1
    assert throws[1, 2, 6] == 2
    assert len(throws) == 21 * 6


def test_577_6_every_game_played_through_the_room_is_one_of_the_field() -> None:
    played = summed(outcomes_of(FOOTBALL, rules_of(FOOTBALL)))
    assert sum(played.values()) == 1
    assert played == summed(FOOTBALL.outcomes())


def test_577_6_the_room_reaches_every_place_of_the_markers_and_no_other() -> None:
    chain = Football(FOOTBALL, rules_of(FOOTBALL))
    ends = chain.ends(chain.start)
    assert sum(ends.values()) == 1
    places = {spot for phase, spot, _ in chain.known if phase in (Phase.BEFORE, Phase.BETWEEN)}
    assert places == reachable()
    assert {phase for phase, _, _ in chain.known} == {Phase.BEFORE, Phase.BETWEEN, Phase.EXTRA}


def test_668a_2_f_8_every_sequence_played_through_the_room() -> None:
    played = summed(outcomes_of(PROPS, rules_of(PROPS)))
    assert sum(played.values()) == 1
    assert played == summed(PROPS.outcomes())
    chain = Shakes(PROPS, rules_of(PROPS))
    chain.ends(chain.start)
    wanted = {frozenset(some) for n in range(6) for some in combinations(sorted(LAMMERS), n)}
    assert set(chain.known) == wanted
    for lammers, ends in chain.known.items():
        (completed,) = [chance for end, chance in ends.items() if end.name == "COMPLETED"]
        assert completed == chance_to_complete(lammers)


def test_a_room_that_decides_otherwise_has_other_odds() -> None:
    """The chain asks the room: one that sees no extra point has another game."""

    def other(rules: Rules, state: object, fact: object) -> tuple[object, ...]:
        found = FOOTBALL.decide(rules, state, fact)  # type: ignore[arg-type]
        return tuple(
            replace(one, shown=replace(one.shown, extra=Extra.NOTHING))
            if isinstance(one, Decided) and one.shown.extra
            else one
            for one in found
        )

    poorer = replace(FOOTBALL, decide=other)
    played = summed(outcomes_of(poorer, rules_of(poorer)))
    assert played != summed(FOOTBALL.outcomes())
    assert {shown.extra for shown in played} == {None, Extra.NOTHING}
