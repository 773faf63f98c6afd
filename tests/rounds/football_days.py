"""Days of Three Dice Football with one change that matters to throws, wagers or who is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final

from ledger import events
from ledger.games.three_dice_football.validity import GROUNDS
from ledger.games.three_dice_football.wagers import LENGTHS, WAGERS
from ledger.house.equipment import DAY_MICROS
from ledger.kernel import table_of
from tests.engine import floor_day, of_tables
from tests.rounds.test_in_order import altered, changed, honest_day, renumbered

Facts = list[events.Fact]
Change = Callable[[Facts, Random], Facts]
TABLES: Final = ("FB-01", "FB-02")
SEEDS: Final = (1, 2, 3, 4, 5)
POSITIONS: Final = ("1", "2", "3", "4", "9", "17", "x")
NAMES: Final = tuple(row.name for row in WAGERS)
SETTLED_AS: Final = tuple(events.SettledAs)
DIE_RESTS: Final = tuple(events.ThrowRest)
OF_WAGERS: Final = (
    events.WagerPlaced, events.WagerIncreased, events.WagerMoved, events.WagerTakenDown,
    events.WagerReturned, events.WagerSettled,
)  # fmt: skip
PHASES: Final = (
    events.BettingOpened, events.MarkersPlaced, events.WagerPlaced, events.DiceThrownByHand,
    events.RollCalled, events.WagerSettled, events.DownAnnounced, events.DiceSelected,
)  # fmt: skip
"""After a fact of one of these kinds anything may come."""
SELDOM: Final = (events.DiceOffered, events.TurnoverAnnounced)
LATE: Final = (150_000, 300_000, 450_000)


# --- a day and its places -------------------------------------------------------------------------


def table_in(facts: Sequence[events.Fact]) -> str:
    """The football table of a day."""
    return next(table_of(fact.stream) for fact in facts if fact.stream.startswith("FB-"))


def own(facts: Sequence[events.Fact]) -> list[int]:
    """The places of the table's facts."""
    table = table_in(facts)
    return [place for place, fact in enumerate(facts) if table_of(fact.stream) == table]


def of_kinds(facts: Sequence[events.Fact], *kinds: type[events.Fact]) -> list[int]:
    """The places of the table's facts of some kinds."""
    return [place for place in own(facts) if isinstance(facts[place], kinds)]


def moment(facts: Facts, random: Random) -> int:
    """A place in some phase of a game; none is much rarer than the others."""
    for _ in range(20):
        places = of_kinds(facts, random.choice(PHASES))
        if places:
            return random.choice(places)
    return random.choice(own(facts)[45:])


def followed_by(facts: Facts, place: int, *kinds: type[events.Fact]) -> int | None:
    """The place of the next of the table's facts of some kinds."""
    return next((each for each in of_kinds(facts, *kinds) if each > place), None)


def more(facts: Facts, place: int, fact: events.Fact) -> Facts:
    """The facts with one more after a place."""
    return renumbered([*facts[: place + 1], fact, *facts[place + 1 :]])


def after(facts: Facts, place: int, kind: type[events.Fact], late: int, **fields: Any) -> Facts:
    """The facts with one more of the table's terminal, just after another one."""
    table = table_in(facts)
    terminal = next(fact for fact in reversed(facts[: place + 1]) if fact.stream == table)
    header = {"stream": table, "seq": 1, "source": terminal.source}
    at = {"event_time": facts[place].event_time + late, "recorded_by": terminal.recorded_by}
    return more(facts, place, kind(**header, **at, **fields))


def without(facts: Facts, *places: int) -> Facts:
    """The facts without some, numbered anew."""
    return renumbered([fact for place, fact in enumerate(facts) if place not in places])


def changed_at(facts: Facts, place: int, **fields: Any) -> Facts:
    """The facts with one that says otherwise."""
    return [*facts[:place], replace(facts[place], **fields), *facts[place + 1 :]]


def moved_to(facts: Facts, place: int, where: int, late: int) -> Facts:
    """The facts with one that came just after another one, sooner or later than it did."""
    fact = replace(facts[place], event_time=facts[where].event_time + late)
    out = [*facts[: where + 1], fact, *facts[where + 1 :]]
    return without(out, place + (where < place))


def people(facts: Facts) -> list[str]:
    """Who was ever assigned to the table, and somebody who was not."""
    every: list[Any] = [facts[place] for place in of_kinds(facts, events.StaffAssigned)]
    return [*dict.fromkeys(fact.person for fact in every), "E-nobody"]


def dice_of(facts: Facts) -> list[str]:
    """The serials of the dice that were placed, and one that was not."""
    every: list[Any] = [facts[place] for place in of_kinds(facts, events.DiceSetPlaced)]
    return [*dict.fromkeys(die.serial for fact in every for die in fact.dice), "X"]


# --- one fact that says otherwise, goes, comes twice, or comes at another time --------------------


def _throw_said(facts: Facts, fact: Any, random: Random) -> dict[str, Any]:
    """What a throw may say in place of what it said."""
    dice, at = list(fact.dice), random.randrange(len(fact.dice))
    die, side = dice[at], random.choice((None, 1, 2, 7 - (dice[at].face or 1)))
    match random.randrange(8):
        case 0 | 1:
            rest = random.choice(DIE_RESTS)
            dice[at] = replace(die, rest=rest, resting_side=side, leans_on=None)
        case 2:
            dice[at] = replace(die, face=random.choice((None, 1, 2, 3, 4, 5, 6)))
        case 3:
            random.shuffle(dice)
        case 4:
            dice[at] = replace(die, serial=random.choice((None, *dice_of(facts))))
        case 5:
            dice[at] = replace(die, colour=random.choice((None, "green", "red", "blue")))
        case 6:
            dice[at] = replace(die, touched=random.choice((None, (random.choice(TOUCHED),))))
        case _:
            dice = dice[: random.choice((0, 2))]
    name = random.choice(
        ("dice",) * 7 + ("released_together", "struck_far_end", "position", "purpose")
    )
    values: dict[str, tuple[Any, ...]] = {
        "dice": (tuple(dice),), "released_together": (None, False), "struck_far_end": (None, False),
        "position": (None, *POSITIONS), "purpose": (None, *events.ThrowPurpose),
    }  # fmt: skip
    return {name: random.choice(values[name])}


TOUCHED: Final = tuple(events.Touched)


def _call_said(facts: Facts, fact: Any, random: Random) -> dict[str, Any]:
    first, *rest = fact.faces or (1,)
    faces = ((*rest[:1], first, *rest[1:]), (7 - first, *rest), (first,), (0, 0, 0), (1, 1, 1))
    return random.choice(
        ({"faces": random.choice(faces)}, {"called_by": random.choice((None, *people(facts)))})
    )


def _marked(_facts: Facts, _fact: Any, random: Random) -> dict[str, Any]:
    return {
        "yard": random.choice((None, 0, 3, 8, 14, 20)),
        "down": random.choice((None, *events.Down)),
        "play": random.choice((None, 1, 2, 5)),
    }


def _announced(_facts: Facts, _fact: Any, random: Random) -> dict[str, Any]:
    down, yards = random.choice((None, *events.Down)), random.choice((None, 3, 8, 14))
    return random.choice(({"down": down}, {"distance_yards": yards}))


def _wager_said(facts: Facts, fact: Any, random: Random) -> dict[str, Any]:
    name = random.choice(NAMES)
    others: list[Any] = [facts[place] for place in of_kinds(facts, events.WagerPlaced)]
    return random.choice(
        (
            {"wager": name, "picks": random.choice(LENGTHS) if name == "Game Length" else ()},
            {"stake_cents": random.choice((1, 500, 700, 20_500, fact.stake_cents * 2))},
            {"position": random.choice((None, *POSITIONS)), "patron": random.choice((None, "p-x"))},
            {"instrument": random.choice((None, *events.Instrument))},
            {"wager_id": random.choice(others).wager_id},
        )
    )


def _settled_said(facts: Facts, fact: Any, random: Random) -> dict[str, Any]:
    others: list[Any] = [facts[place] for place in of_kinds(facts, events.WagerPlaced)]
    return random.choice(
        (
            {"outcome": random.choice(SETTLED_AS)},
            {"outcome": events.SettledAs.RETURNED, "winnings_cents": 0, "stake_taken_cents": 0},
            {"winnings_cents": fact.winnings_cents + random.choice((500, 1))},
            {"stake_taken_cents": random.choice((0, 500, fact.stake_taken_cents + 1))},
            {"wager_id": random.choice(others).wager_id},
        )
    )


def _player(_facts: Facts, _fact: Any, random: Random) -> dict[str, Any]:
    return {"position": random.choice(POSITIONS), "patron": random.choice((None, "p-x"))}


def _picked(facts: Facts, fact: Any, random: Random) -> dict[str, Any]:
    dice = tuple(random.sample(dice_of(facts), random.choice((0, 2, 3, 3))))
    return random.choice(({"position": random.choice((None, *POSITIONS))}, {"dice": dice}))


def _opening_said(_facts: Facts, _fact: Any, random: Random) -> dict[str, Any]:
    capture = {"capture": random.choice(tuple(events.Capture))}
    return random.choice((capture, {"paytable": None}, {"layout": "LY-X"}))


SAID: Final[dict[type[events.Fact], Callable[[Facts, Any, Random], dict[str, Any]]]] = {
    events.DiceThrownByHand: _throw_said, events.RollCalled: _call_said,
    events.MarkersPlaced: _marked, events.DownAnnounced: _announced,
    events.WagerPlaced: _wager_said, events.WagerSettled: _settled_said,
    events.DiceOffered: _player, events.DiceAccepted: _player, events.DiceSelected: _picked,
    events.PositionLeft: _player, events.PositionTaken: _player,
    events.TableOpened: _opening_said,
}  # fmt: skip
"""What facts of these kinds may say instead."""


def said_otherwise(facts: Facts, random: Random) -> Facts:
    """A fact says something else."""
    kinds: tuple[type[events.Fact], ...] = (events.DiceThrownByHand, *SAID)
    kind = random.choice(kinds)
    place = random.choice(of_kinds(facts, kind) or of_kinds(facts, events.DiceThrownByHand))
    fact = facts[place]
    return changed_at(facts, place, **SAID[type(fact)](facts, fact, random))


def thrown_otherwise(facts: Facts, random: Random) -> Facts:
    """A throw is another one, and what is called is what its dice show."""
    place = random.choice(of_kinds(facts, events.DiceThrownByHand))
    fields = _throw_said(facts, facts[place], random)
    facts = changed_at(facts, place, **fields)
    called, thrown = followed_by(facts, place, events.RollCalled), fields.get("dice", ())
    if called is None or len(thrown) < 3 or random.random() < 0.3:
        return facts
    faces = tuple(die.face or 1 for die in sorted(thrown, key=lambda die: die.colour == "red"))
    return changed_at(facts, called, faces=faces)


def gone_or_twice(facts: Facts, random: Random) -> Facts:
    """A fact is missing, or comes twice."""
    kinds: tuple[type[events.Fact], ...] = (*PHASES, *SAID, *SELDOM)
    kind = random.choice(kinds)
    place = random.choice(of_kinds(facts, kind) or own(facts)[45:])
    if random.random() < 0.6:
        return without(facts, place)
    again = replace(facts[place], event_time=facts[place].event_time + random.choice(LATE))
    return more(facts, place, again)


def at_another_time(facts: Facts, random: Random) -> Facts:
    """A fact comes sooner or later than it did, by a few facts or into another round."""
    kind = random.choice((*PHASES, *OF_WAGERS, *SELDOM))
    places = own(facts)
    place = random.choice(of_kinds(facts, kind) or places[45:])
    near = places[max(45, places.index(place) - 12) : places.index(place) + 25]
    where = random.choice([each for each in near if each != place] or [places[-1]])
    return moved_to(facts, place, where, random.choice(LATE))


def near_in_time(facts: Facts, random: Random) -> Facts:
    """Facts of two streams come so near in time that nobody knows which was first."""
    places = own(facts)
    place = random.choice(of_kinds(facts, events.DiceThrownByHand))
    beside = places[places.index(place) + random.choice((-1, 1))]
    late = random.choice((-90_000, -1_000, -1, 0, 1, 1_000, 90_000))
    return changed_at(facts, place, event_time=facts[beside].event_time + late)


# --- one fact more --------------------------------------------------------------------------------


def _annulled(facts: Facts, random: Random) -> dict[str, Any]:
    reason = random.choice((None, "contact with chips", "whim", *GROUNDS))
    return {"reason": reason, "called_by": random.choice((None, *people(facts)))}


def _ruled(facts: Facts, random: Random) -> dict[str, Any]:
    face, rethrow = random.choice(((None, True), (1, False), (6, None), (None, None), (3, True)))
    by = random.choice((None, *people(facts)))
    die = random.choice((None, *dice_of(facts)))
    return {"die": die, "face": face, "rethrow": rethrow, "ruled_by": by}


def _staff(facts: Facts, random: Random) -> dict[str, Any]:
    roles = (events.Role.DEALER, events.Role.STICKPERSON, events.Role.FLOORPERSON)
    return {"role": random.choice(roles), "person": random.choice(people(facts))}


def _camera(facts: Facts, random: Random) -> dict[str, Any]:
    return {"camera": f"CAM-{table_in(facts)}-{random.choice('ABC')}"}


def _limits(_facts: Facts, random: Random) -> dict[str, Any]:
    most, least = random.choice((500, 5_000, 100_000)), random.choice((500, 1_000))
    terms = {
        "minimum_cents": least,
        "maximum_cents": most,
        "increment_cents": random.choice((None, 500)),
    }
    return {
        "wager": random.choice((None, *NAMES)),
        **terms,
        "patrons_playing": random.choice((None, False)),
    }


def _set_placed(facts: Facts, random: Random) -> dict[str, Any]:
    colours = ["green"] * 4 + ["red"] * random.choice((1, 2, 2))
    dice = tuple(
        events.DieIdentity(serial=f"N-{n}", colour=colour) for n, colour in enumerate(colours)
    )
    return {"shaker": None, "dice": dice}


def _inspected(facts: Facts, random: Random) -> dict[str, Any]:
    subject, item = random.choice(
        ((events.Subject.DICE, "condition"), (events.Subject.LAYOUT, "printed_odds"))
    )
    about = {
        "subject_id": random.choice((None, *dice_of(facts))),
        "found": random.choice((True, False)),
    }
    return {"subject": subject, "item": item, **about, "seen": (), "inspected_by": people(facts)[0]}


def _opened(facts: Facts, _random: Random) -> dict[str, Any]:
    opened: Any = facts[of_kinds(facts, events.TableOpened)[0]]
    return {name: getattr(opened, name) for name in ("game", "layout", "paytable", "capture")}


Says = Callable[[Facts, Random], dict[str, Any]]
MORE: Final[tuple[tuple[type[events.Fact], Says], ...]] = (
    (events.NoRollCalled, _annulled), (events.NoRollCalled, _annulled),
    (events.ThrowVoided, _annulled), (events.DisputeRuled, _ruled),
    (events.FaceDisputed, lambda f, r: {"die": r.choice((None, *dice_of(f))), "position": r.choice((None, "1")), "alternatives": r.choice(((), (1, 2), (3,)))}),
    (events.RollCalled, lambda f, r: {"faces": r.choice(((1, 1, 1), (2, 3, 4))), "called_by": r.choice((None, *people(f)))}),
    (events.MarkersPlaced, lambda f, r: {**_marked(f, None, r), "placed_by": None}),
    (events.DownAnnounced, lambda f, r: {"down": None, "distance_yards": None, "announced_by": None} | _announced(f, None, r)),
    (events.TurnoverAnnounced, lambda _, __: {"announced_by": None}),
    (events.StaffAssigned, _staff), (events.StaffRelieved, lambda f, r: {**_staff(f, r), "relieved_by": None}),
    (events.CameraLost, _camera), (events.CameraRestored, _camera),
    (events.LimitsSet, _limits), (events.DiceSetPlaced, _set_placed),
    (events.DiceSetRemoved, lambda f, r: {"dice": tuple(r.sample(dice_of(f), r.choice((1, 6))))}),
    (events.DieLost, lambda f, r: {"die": r.choice((None, *dice_of(f))), "colour": None}),
    (events.DieFound, lambda f, r: {"die": r.choice((None, *dice_of(f))), "colour": None}),
    (events.ItemInspected, _inspected),
    (events.PositionTaken, lambda f, r: _player(f, None, r)), (events.PositionLeft, lambda f, r: _player(f, None, r)),
    (events.DiceOffered, lambda f, r: {**_player(f, None, r), "offered_by": None}),
    (events.DiceRefused, lambda f, r: _player(f, None, r)), (events.DiceAccepted, lambda f, r: _player(f, None, r)),
    (events.DiceSelected, lambda f, r: {**_player(f, None, r), "dice": tuple(r.sample(dice_of(f), 3))}),
    (events.BettingOpened, lambda _, __: {}), (events.TableClosed, lambda _, __: {"reason": None}),
    (events.TableOpened, _opened), (events.TakeDownRefused, lambda _, __: {"wager_id": "W3", "reason": None}),
)  # fmt: skip
"""Facts that may come at any moment, with what they may say."""


def one_more(facts: Facts, random: Random) -> Facts:
    """One more fact comes in some phase."""
    kind, says = random.choice(MORE)
    place = moment(facts, random)
    return after(facts, place, kind, random.choice(LATE), **says(facts, random))


def thrown_again(facts: Facts, random: Random) -> Facts:
    """A throw is annulled, on a ground or without one, and thrown once more."""
    place = random.choice(of_kinds(facts, events.DiceThrownByHand))
    thrown: Any = facts[place]
    before = 3_000_000
    first = replace(thrown, event_time=thrown.event_time - before)
    fields = _throw_said(facts, thrown, random) if random.random() < 0.7 else {}
    facts = more(facts, place - 1, replace(first, **fields))
    kinds = (events.NoRollCalled, events.NoRollCalled, events.ThrowVoided, events.DisputeRuled)
    kind, reason = random.choice(kinds), random.choice((None, "disputed face", *GROUNDS))
    by = _stickperson(facts, place) if random.random() < 0.8 else None
    at = random.choice((1_000_000, 1_500_000))
    if kind is events.DisputeRuled:
        ruled = {"die": None, "face": None, "rethrow": True, "ruled_by": by}
        facts = after(facts, place, kind, at, **ruled)
    elif random.random() < 0.9:
        facts = after(facts, place, kind, at, reason=reason, called_by=by)
    if random.random() < 0.4:
        disputed = {"die": None, "position": "1", "alternatives": (1, 2)}
        facts = after(facts, place, events.FaceDisputed, 500_000, **disputed)
    return facts


def _stickperson(facts: Facts, place: int) -> str | None:
    """Who is the stickperson at a place."""
    here: list[Any] = [
        facts[each] for each in of_kinds(facts, events.StaffAssigned) if each < place
    ]
    return next((f.person for f in reversed(here) if f.role is events.Role.STICKPERSON), None)


# --- wagers ---------------------------------------------------------------------------------------


def some_wager(facts: Facts, random: Random) -> Any:
    """A wager as it was placed."""
    return facts[random.choice(of_kinds(facts, events.WagerPlaced))]


def settlement(facts: Facts, wager_id: str) -> int | None:
    """The place where a wager is settled."""
    for place in of_kinds(facts, events.WagerSettled):
        if getattr(facts[place], "wager_id", None) == wager_id:
            return place
    return None


def while_it_lies(facts: Facts, wager: events.WagerPlaced, random: Random) -> int:
    """A place while a wager lies there, or soon after; its first moments are not rare."""
    places, first = own(facts), facts.index(wager)
    last = settlement(facts, wager.wager_id) or first
    begins, ends = sorted((places.index(first), places.index(last)))
    following = places[begins : ends + 6]
    return random.choice((first, random.choice(following), random.choice(following)))


def _with_stake(facts: Facts, wager: events.WagerPlaced, cents: int) -> Facts:
    """The facts with a wager that is settled as if another stake lay there."""
    place = settlement(facts, wager.wager_id)
    if place is None:
        return facts
    fact: Any = facts[place]
    amounts = {
        name: getattr(fact, name) * cents // wager.stake_cents
        for name in ("winnings_cents", "stake_taken_cents")
    }
    return changed_at(facts, place, **amounts)


def raised(facts: Facts, random: Random) -> Facts:
    """A wager is raised, and may be settled so."""
    wager, added = some_wager(facts, random), random.choice((500, 1_000, 100_000))
    place = while_it_lies(facts, wager, random)
    if random.random() < 0.7:
        facts = _with_stake(facts, wager, wager.stake_cents + added)
    with_what = random.choice((events.Instrument.CHIPS,) * 4 + (events.Instrument.CASH,))
    fields = {"wager_id": wager.wager_id, "added_cents": added, "instrument": with_what}
    return after(facts, place, events.WagerIncreased, random.choice(LATE), **fields)


def lifted(facts: Facts, random: Random) -> Facts:
    """A wager is taken down or handed back, all of it or a part."""
    wager = some_wager(facts, random)
    place = while_it_lies(facts, wager, random)
    cents = random.choice((None, None, 1, 500, wager.stake_cents, wager.stake_cents + 1))
    fields: dict[str, Any] = {"taken_cents": cents}
    kind = random.choice((events.WagerTakenDown, events.WagerReturned))
    if kind is events.WagerReturned:
        fields = {"returned_cents": cents, "reason": None}
    late = random.choice(LATE)
    settled = settlement(facts, wager.wager_id)
    facts = after(facts, place, kind, late, wager_id=wager.wager_id, **fields)
    if settled is None or random.random() < 0.2:
        return facts
    if cents is not None and cents < wager.stake_cents:
        return _with_stake(facts, wager, wager.stake_cents - cents)
    return without(facts, settled + (settled > place))


def moved(facts: Facts, random: Random) -> Facts:
    """A wager is moved to another name or another number; or it is settled as if it was there."""
    wager = some_wager(facts, random)
    place, to = while_it_lies(facts, wager, random), random.choice((wager.wager, *NAMES))
    picks = random.choice(LENGTHS) if to == "Game Length" else ()
    if random.random() < 0.4:  # so that it is moved to where it is settled
        placed = facts.index(wager)
        other = random.choice(NAMES)
        picks_there = random.choice(LENGTHS) if other == "Game Length" else ()
        facts = changed_at(facts, placed, wager=other, picks=picks_there)
        to, picks = wager.wager, wager.picks
    fields = {"wager_id": wager.wager_id, "wager": to, "picks": picks}
    return after(facts, place, events.WagerMoved, random.choice(LATE), **fields)


def twin(facts: Facts, random: Random) -> Facts:
    """A wager is laid twice under two ids, the second at any moment, and settled alike."""
    wager = some_wager(facts, random)
    place, settled = while_it_lies(facts, wager, random), settlement(facts, wager.wager_id)
    at = facts[place].event_time + random.choice(LATE)
    again = replace(wager, wager_id="twin", event_time=at)
    if settled is not None and random.random() < 0.9:
        paid: Any = facts[settled]
        at = paid.event_time + random.choice(LATE)
        facts = more(facts, settled, replace(paid, wager_id="twin", event_time=at))
        place += settled < place
    return more(facts, place, again)


def outside_and_corrected(facts: Facts, random: Random) -> Facts:
    """A stake lies outside the limits, and is corrected before a throw, after it, or never."""
    wager = some_wager(facts, random)
    placed = facts.index(wager)
    facts = changed_at(
        facts, placed, stake_cents=random.choice((100_000, 100, wager.stake_cents + 1))
    )
    laid: Any = facts[placed]
    place = while_it_lies(facts, laid, random)
    name, late = {"wager_id": wager.wager_id}, random.choice(LATE)
    too_much = laid.stake_cents - wager.stake_cents
    if too_much < 0:
        fields = {**name, "added_cents": -too_much, "instrument": wager.instrument}
        return after(facts, place, events.WagerIncreased, late, **fields)
    if too_much and random.random() < 0.5:
        return after(facts, place, events.WagerTakenDown, late, **name, taken_cents=too_much)
    fields = {**name, "returned_cents": random.choice((too_much, None)), "reason": "too much"}
    return after(facts, place, events.WagerReturned, late, **fields)


def settled_in_another_order(facts: Facts, random: Random) -> Facts:
    """Two settlements in a row change places."""
    places = of_kinds(facts, events.WagerSettled)
    pairs = [(one, one + 1) for one in places if one + 1 in places] or [(places[0], places[1])]
    first, second = random.choice(pairs)
    facts = list(facts)
    one, other = facts[first], facts[second]
    facts[first] = replace(other, event_time=one.event_time)
    facts[second] = replace(one, event_time=other.event_time)
    return renumbered(facts)


def settled_in_the_next_game(facts: Facts, random: Random) -> Facts:
    """A wager is settled, or settled again, once the next game is open."""
    place = random.choice(of_kinds(facts, events.WagerSettled))
    opened = followed_by(facts, place, events.BettingOpened)
    if opened is None:
        return facts
    at = facts[opened].event_time + random.choice(LATE)
    out = more(facts, opened, replace(facts[place], event_time=at))
    return out if random.random() < 0.7 else without(out, place)


def nothing_left_of_the_thrower(facts: Facts, random: Random) -> Facts:
    """Before the first throw all wagers of a game are lifted, or all but one, and not settled."""
    opened = random.choice(of_kinds(facts, events.BettingOpened))
    thrown = followed_by(facts, opened, events.DiceThrownByHand)
    placed = [at for at in of_kinds(facts, events.WagerPlaced) if opened < at < (thrown or opened)]
    random.shuffle(placed)
    laid: list[Any] = [facts[at] for at in placed[random.choice((0, 0, 0, 1)) :]]
    last = max(placed, default=opened)
    ids = {wager.wager_id for wager in laid}
    ends = [
        at for at in of_kinds(facts, *OF_WAGERS[1:]) if getattr(facts[at], "wager_id", None) in ids
    ]
    facts = without(facts, *(at for at in ends if at > last or random.random() < 0.5))
    for number, wager in enumerate(laid):
        fields = {
            "wager_id": wager.wager_id,
            "taken_cents": random.choice((None, wager.stake_cents)),
        }
        late = 150_000 + 20_000 * number
        facts = after(facts, min(last, len(facts) - 1), events.WagerTakenDown, late, **fields)
    return facts


def id_used_again(facts: Facts, random: Random) -> Facts:
    """A wager is placed with the id of another one, of its game or of an earlier one."""
    wager = some_wager(facts, random)
    placed = [place for place in of_kinds(facts, events.WagerPlaced) if place < facts.index(wager)]
    if not placed:
        return facts
    other: Any = facts[random.choice((placed[-1], random.choice(placed)))]
    return [
        replace(fact, wager_id=other.wager_id)
        if getattr(fact, "wager_id", None) == wager.wager_id and isinstance(fact, OF_WAGERS)
        else fact
        for fact in facts
    ]


# --- the extra point ------------------------------------------------------------------------------


def _extra_rolls(facts: Facts) -> list[int]:
    """The places of extra point rolls."""
    return [
        place
        for place in of_kinds(facts, events.DiceThrownByHand)
        if getattr(facts[place], "purpose", None) is events.ThrowPurpose.EXTRA_POINT
    ]


def extra_point(facts: Facts, random: Random) -> Facts:
    """An Extra Point wager comes or goes, or its roll is missing, doubled or of another purpose."""
    rolls = _extra_rolls(facts)
    if not rolls or random.random() < 0.3:
        wager = some_wager(facts, random)
        named = changed_at(facts, facts.index(wager), wager="Extra Point", picks=())
        settled, lost = settlement(named, wager.wager_id), events.SettledAs.LOST
        if settled is None or random.random() < 0.3:
            return named
        act = {"winnings_cents": 0, "stake_taken_cents": wager.stake_cents}
        return changed_at(named, settled, outcome=lost, **act)
    roll = random.choice(rolls)
    called = followed_by(facts, roll, events.RollCalled)
    match random.randrange(5):
        case 0:
            return without(facts, roll, *([] if called is None else [called]))
        case 1:
            again = replace(facts[roll], event_time=facts[roll].event_time + 300_000)
            return more(facts, roll, again)
        case 2:
            return changed_at(facts, roll, purpose=random.choice((None, *events.ThrowPurpose)))
    return _extra_wager_otherwise(facts, roll, random)


def _extra_wager_otherwise(facts: Facts, roll: int, random: Random) -> Facts:
    """The last Extra Point wager before a roll is lifted, moved, or another one is made of it."""
    laid = [
        place
        for place in of_kinds(facts, events.WagerPlaced)
        if place < roll and getattr(facts[place], "wager", None) == "Extra Point"
    ]
    if not laid:
        return without(facts, roll)
    wager: Any = facts[laid[-1]]
    places = own(facts)
    place = random.choice(places[places.index(laid[-1]) : places.index(roll) + 3])
    name, late = {"wager_id": wager.wager_id}, random.choice(LATE)
    if random.random() < 0.5:
        settled = settlement(facts, wager.wager_id)
        facts = facts if settled is None or random.random() < 0.3 else without(facts, settled)
        place = min(place, len(facts) - 1)
    match random.randrange(4):
        case 0:
            return after(facts, place, events.WagerTakenDown, late, **name, taken_cents=None)
        case 1:
            fields = {**name, "returned_cents": None, "reason": None}
            return after(facts, place, events.WagerReturned, late, **fields)
        case 2:
            fields = {**name, "wager": random.choice(NAMES), "picks": ()}
            return after(facts, place, events.WagerMoved, late, **fields)
    return changed_at(facts, laid[-1], wager=random.choice(NAMES), picks=())


def dice_a_day_old(facts: Facts, random: Random) -> Facts:
    """The dice were placed the day before, and turn a day old in the middle of the day."""
    table = table_in(facts)
    placed: Any = facts[of_kinds(facts, events.DiceSetPlaced)[0]]
    old = facts[random.choice(of_kinds(facts, events.DiceThrownByHand))]
    back = placed.event_time + DAY_MICROS - old.event_time + random.choice((-1_000_000, 0, 1))
    return [
        replace(fact, event_time=fact.event_time - back)
        if fact.stream == table and fact.seq <= placed.seq
        else fact
        for fact in facts
    ]


def closed_for_a_while(facts: Facts, random: Random) -> Facts:
    """The table closes, within a game or after it, and opens again with other dice or the same."""
    ends = [each - 1 for each in of_kinds(facts, events.BettingOpened)[1:]]
    place = random.choice((moment(facts, random), random.choice(ends)))
    dice = {"shaker": None, "dice": _set_placed(facts, random)["dice"]}
    opened = _opened(facts, random)
    out = after(facts, place, events.TableClosed, 150_000, reason=None)
    if random.random() < 0.6:
        out = after(out, place + 1, events.DiceSetRemoved, 50_000, dice=tuple(dice_of(facts)[:-1]))
        out = after(out, place + 2, events.DiceSetPlaced, 50_000, **dice)
        return after(out, place + 3, events.TableOpened, 50_000, **opened)
    return after(out, place + 1, events.TableOpened, 50_000, **opened)


def other_dice_for_good(facts: Facts, random: Random) -> Facts:
    """The set at the table is changed, and from then on the new dice are thrown, or some old ones."""
    place, old = moment(facts, random), dice_of(facts)[:6]
    new = {serial: f"N-{number}" for number, serial in enumerate(old)}
    if random.random() < 0.3:
        del new[random.choice(old)]
    colours = dict(zip(old, ["green"] * 4 + ["red"] * 2, strict=False))
    dice = tuple(events.DieIdentity(serial=new.get(one, one), colour=colours[one]) for one in old)
    later = [
        _with_dice(fact, new) if each > place and isinstance(fact, NAMES_DICE) else fact
        for each, fact in enumerate(facts)
    ]
    out = after(later, place, events.DiceSetRemoved, 100_000, dice=tuple(old))
    return after(out, place + 1, events.DiceSetPlaced, 50_000, shaker=None, dice=dice)


NAMES_DICE: Final = (events.DiceThrownByHand, events.DiceSelected, events.DiceReturnedToCup)


def _with_dice(fact: Any, new: dict[str, str]) -> events.Fact:
    """A fact of which the dice have new serials."""
    dice = tuple(
        new.get(die, die)
        if isinstance(die, str)
        else replace(die, serial=new.get(die.serial, die.serial))
        for die in fact.dice
    )
    out: events.Fact = replace(fact, dice=dice)
    return out


def stickperson_relieved(facts: Facts, random: Random) -> Facts:
    """Another dealer becomes the stickperson, who may go on calling or not."""
    place = moment(facts, random)
    was, next_one = _stickperson(facts, place), random.choice(people(facts)[:-1])
    if random.random() < 0.7:
        facts = [
            replace(fact, called_by=next_one)
            if isinstance(fact, events.RollCalled) and each > place and fact.called_by == was
            else fact
            for each, fact in enumerate(facts)
        ]
    role = {"role": events.Role.STICKPERSON}
    out = after(facts, place, events.StaffAssigned, 150_000, **role, person=next_one)
    relieved = {**role, "person": was or next_one, "relieved_by": None}
    return after(out, place + random.choice((0, 1)), events.StaffRelieved, 50_000, **relieved)


CHANGES: Final[tuple[Change, ...]] = (
    said_otherwise, said_otherwise, thrown_otherwise, gone_or_twice, at_another_time,
    at_another_time, near_in_time, one_more, one_more, one_more, thrown_again, thrown_again,
    raised, lifted, moved, twin, outside_and_corrected, settled_in_another_order, id_used_again,
    extra_point, extra_point, dice_a_day_old, closed_for_a_while, other_dice_for_good,
    stickperson_relieved, settled_in_the_next_game, nothing_left_of_the_thrower,
)  # fmt: skip


def altered_football(seed: int, changes: int = 1) -> Facts:
    """A day of Three Dice Football with so many changes of those above, or any one."""
    random = Random(seed)
    table = random.choice(TABLES)
    if random.random() < 0.1:
        return altered(seed, table)
    facts = list(honest_day(random.choice(SEEDS), table))
    for _ in range(changes):
        facts = random.choice(CHANGES)(facts, random)
    if random.random() < 0.1:  # one is lost
        del facts[random.choice(own(facts))]
    return facts


@cache
def coupon_day(seed: int, table: str) -> tuple[events.Fact, ...]:
    """The offices and a table on a short day, with the coupons of all tables laid at this one."""
    floor = floor_day(seed=seed, scale=0.06, coupons=True)[0]
    facts, random = list(of_tables(floor, table)), Random(seed)
    elsewhere = [
        fact.coupons[0]
        for fact in floor
        if isinstance(fact, events.WagerPlaced)
        and table_of(fact.stream) != table
        and fact.coupons
        and not fact.coupons[0].serial.startswith("E")  # of other games alone
    ]
    laid: list[Any] = [facts[place] for place in of_kinds(facts, events.WagerPlaced)]
    for coupon in elsewhere[:12]:
        may = [
            one
            for one in laid
            if not one.coupons
            and one.stake_cents >= coupon.chips_cents
            and one.wager != "Extra Point"
            and settlement(facts, one.wager_id) is not None
        ]
        if may:
            wager = random.choice(may)
            laid.remove(wager)
            facts = with_coupon(facts, wager, coupon)
    return tuple(counted_in_box(facts))


def with_coupon(facts: Facts, wager: Any, coupon: events.CouponLaid) -> Facts:
    """The facts with a coupon that is accepted with a wager, pays as it does, and is redeemed."""
    placed = of_kinds(facts, events.WagerPlaced)
    place = next(at for at in placed if getattr(facts[at], "wager_id", None) == wager.wager_id)
    settled = settlement(facts, wager.wager_id)
    assert settled is not None
    done: Any = facts[settled]
    cents, paid = coupon.chips_cents, done.winnings_cents * coupon.chips_cents // wager.stake_cents
    like: dict[type[events.Fact], Any] = {}
    for seed, table in ((2, "FB-02"), (3, "FB-01")):  # where coupons are laid without our doing
        for fact in of_tables(floor_day(seed=seed, scale=0.06, coupons=True)[0], table):
            like[type(fact)] = fact
    header = {"stream": wager.stream, "source": wager.source, "recorded_by": wager.recorded_by}
    fields = {
        **header,
        "serial": coupon.serial,
        "wager_id": wager.wager_id,
        "denomination_cents": cents,
    }
    taken = replace(
        like[events.CouponAccepted], **fields, event_time=wager.event_time + 150_000,
        accepted_by=wager.recorded_by, chips_on_cents=cents,
        chips_beside_cents=wager.stake_cents - cents,
    )  # fmt: skip
    redeemed = replace(
        like[events.CouponRedeemed], **fields, event_time=done.event_time + 200_000,
        decided=done.outcome, paid_cents=paid, redeemed_by=done.recorded_by,
        box_table=wager.stream, box=_box_of(facts),
    )  # fmt: skip
    facts = more(
        changed_at(facts, settled, winnings_cents=done.winnings_cents + paid), settled, redeemed
    )
    return more(changed_at(facts, place, coupons=(coupon,)), place, taken)


def _box_of(facts: Facts) -> str:
    """The drop box of the table."""
    hung: Any = facts[of_kinds(facts, events.DropBoxHung)[0]]
    box: str = hung.box
    return box


def counted_in_box(facts: Facts) -> Facts:
    """The facts with all coupons counted in the box into which they went."""
    redeemed: list[Any] = [facts[place] for place in of_kinds(facts, events.CouponRedeemed)]
    serials = tuple(fact.serial for fact in redeemed)
    for place in of_kinds(facts, events.DropBoxCounted):
        facts = changed_at(facts, place, coupons=serials)
    return facts


def altered_with_coupons(seed: int, changes: int = 1) -> Facts:
    """A day with coupons with so many changes, each of any kind, or to a wager with a coupon."""
    random = Random(seed)
    facts = list(coupon_day(1 + seed % 4, random.choice(TABLES)))
    for _ in range(changes):
        with_coupons = [place for place in own(facts) if has_coupon(facts[place])]
        if random.random() < 0.5 or not with_coupons:
            facts = random.choice(CHANGES)(facts, random)
            continue
        wager_id = getattr(facts[random.choice(with_coupons)], "wager_id", None)
        named = [at for at in own(facts) if getattr(facts[at], "wager_id", None) == wager_id]
        place = random.choice(named)
        match random.randrange(5):
            case 0:
                facts = without(facts, place)
            case 1:
                facts = more(facts, place, facts[place])
            case 2:
                facts = moved_to(facts, place, random.choice(own(facts)[45:]), random.choice(LATE))
            case _:
                another = changed(facts[place], random, facts)
                facts = [*facts[:place], another, *facts[place + 1 :]]
    return facts


def has_coupon(fact: events.Fact) -> bool:
    """Whether a fact lays a coupon, or says what became of one at a table."""
    return type(fact).__module__.endswith("redemptions") or bool(getattr(fact, "coupons", ()))
