"""Days of Props & Hops with one change that matters where wagers outlive their rounds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final

from ledger import events
from ledger.kernel import table_of
from tests.engine import floor_day, of_tables
from tests.rounds.test_in_order import altered, changed, honest_day, renumbered
from tests.rounds.test_in_order_coupons import has_coupon

PROPS: Final = "PH-01"
SHAKE: Final = "Six Eight Shake"
Facts = list[events.Fact]
DAYS: Final = ((2, PROPS), (3, PROPS), (4, PROPS))
"""Short days on which several positions play and Six Eight Shakes stand; by seed and table."""
POSITIONS: Final = ("1", "2", "3", "4", "5", "6", "7")
AT_TABLE: Final = (
    events.WagerPlaced, events.PlayerShook, events.ShakerOffered, events.PositionLeft,
    events.PositionTaken,
)  # fmt: skip
"""The facts that name a position."""
LAMMERS: Final = (events.LammerCollected, events.LammersPlaced, events.LammersCleared)
SETTLED_AS: Final = tuple(events.SettledAs)


def own(facts: Sequence[events.Fact], table: str = PROPS) -> list[int]:
    """The places of a table's facts."""
    return [place for place, fact in enumerate(facts) if table_of(fact.stream) == table]


def of_kinds(facts: Sequence[events.Fact], *kinds: type[events.Fact]) -> list[int]:
    """The places of the table's facts of some kinds."""
    return [place for place in own(facts) if isinstance(facts[place], kinds)]


def shakes(facts: Sequence[events.Fact]) -> list[events.WagerPlaced]:
    """The Six Eight Shakes of the table, as they were placed."""
    placed = [facts[place] for place in of_kinds(facts, events.WagerPlaced)]
    return [fact for fact in placed if isinstance(fact, events.WagerPlaced) and fact.wager == SHAKE]


def lasts(facts: Sequence[events.Fact], wager_id: str) -> list[int]:
    """The places of the table's facts from a wager's placing to what ends it."""
    named = [place for place in own(facts) if getattr(facts[place], "wager_id", None) == wager_id]
    return [place for place in own(facts) if named[0] <= place <= named[-1]]


def after(
    facts: Facts, place: int, kind: type[events.Fact], late: int = 1_000, **fields: Any
) -> Facts:
    """The facts with one more of the table's own terminal, just after another one."""
    near = own(facts)
    before = facts[place]
    terminal = next(
        facts[each]
        for each in [*reversed(near[: near.index(place) + 1]), *near]
        if facts[each].stream == PROPS
    )
    header = {"stream": PROPS, "seq": 1, "source": terminal.source}
    by = {"event_time": before.event_time + late, "recorded_by": terminal.recorded_by}
    more = kind(**(header | by | fields))
    return renumbered([*facts[: place + 1], more, *facts[place + 1 :]])


def without(facts: Facts, *places: int) -> Facts:
    """The facts without some, numbered anew."""
    return renumbered([fact for place, fact in enumerate(facts) if place not in places])


def changed_at(facts: Facts, place: int, **fields: Any) -> Facts:
    """The facts with one that says otherwise."""
    return [*facts[:place], replace(facts[place], **fields), *facts[place + 1 :]]


def settlement(facts: Sequence[events.Fact], wager_id: str) -> int | None:
    """The place where a wager is settled."""
    for place in of_kinds(facts, events.WagerSettled):
        if getattr(facts[place], "wager_id", None) == wager_id:
            return place
    return None


def some_moment(facts: Facts, wager: events.WagerPlaced, random: Random) -> int:
    """A place of a fact while a wager stands, or soon after."""
    places = lasts(facts, wager.wager_id)
    following = own(facts)
    following = following[bisect_left(following, places[-1]) :][:6]
    return random.choice([*places, *following])


def _late(random: Random) -> int:
    return random.choice((150_000, 300_000, 400_000, 900_000))


def another_position(facts: Facts, random: Random) -> Facts:
    """A fact names another position, or none."""
    place = random.choice(of_kinds(facts, *AT_TABLE))
    may_be_none = isinstance(facts[place], events.WagerPlaced | events.PlayerShook)
    position = random.choice((*POSITIONS, None) if may_be_none else POSITIONS)
    return changed_at(facts, place, position=position)


def seat_left(facts: Facts, random: Random) -> Facts:
    """A player gets up before a roll or after it, and may come back."""
    placed: Any = facts[random.choice(of_kinds(facts, events.WagerPlaced))]
    place, late = some_moment(facts, placed, random), _late(random)
    player = {"position": placed.position or "1", "patron": placed.patron}
    if random.random() < 0.3:
        player["position"] = random.choice(POSITIONS)
    left = after(facts, place, events.PositionLeft, late, **player)
    if random.random() < 0.5:
        return left
    return after(left, place + 1, events.PositionTaken, 1_000, **player)


def seat_left_otherwise(facts: Facts, random: Random) -> Facts:
    """A player leaves the seat at another moment of the day."""
    place = random.choice(of_kinds(facts, events.PositionLeft))
    fact: Any = facts[place]
    facts = without(facts, place)
    where = random.choice(of_kinds(facts, events.RollCalled, events.DiceThrown, events.WagerPlaced))
    player = {"position": fact.position, "patron": fact.patron}
    return after(facts, where, events.PositionLeft, _late(random), **player)


def shake_placed(facts: Facts, random: Random) -> Facts:
    """One more Six Eight Shake is placed at any phase, and settled at any later one or never."""
    like: Any = facts[random.choice(of_kinds(facts, events.WagerPlaced))]
    place = random.choice(own(facts)[60:-40])
    if random.random() < 0.6:
        place = random.choice(of_kinds(facts, events.BettingOpened, events.WagerPlaced)[:-5])
    wager = {"wager_id": "more", "wager": SHAKE, "picks": (), "stake_cents": 1_000, "coupons": ()}
    who = {"position": like.position, "patron": like.patron, "instrument": like.instrument}
    facts = after(facts, place, events.WagerPlaced, _late(random), **wager, **who)
    if random.random() < 0.4:
        return facts
    ends = [each for each in of_kinds(facts, events.WagerSettled) if each > place + 1]
    act = _act(random, 1_000)
    return after(facts, random.choice(ends[:20]), events.WagerSettled, wager_id="more", **act)


def _act(random: Random, stake_cents: int) -> dict[str, Any]:
    outcome = random.choice((events.SettledAs.LOST, *SETTLED_AS))
    won = random.choice((stake_cents, 25 * stake_cents)) if outcome is SETTLED_AS[0] else 0
    taken = stake_cents if outcome is events.SettledAs.LOST else 0
    return {"outcome": outcome, "winnings_cents": won, "stake_taken_cents": taken}


def _collects(facts: Facts, wager: events.WagerPlaced, cents: int) -> Facts:
    """The facts with a loser of which another stake is collected."""
    place = settlement(facts, wager.wager_id)
    if place is None or getattr(facts[place], "outcome", None) is not events.SettledAs.LOST:
        return facts
    return changed_at(facts, place, stake_taken_cents=cents)


def shake_raised(facts: Facts, random: Random) -> Facts:
    """A Six Eight Shake is raised, and may be collected so."""
    wager = random.choice(shakes(facts))
    place, added = some_moment(facts, wager, random), random.choice((500, 1_000, 100_000))
    if random.random() < 0.7:
        facts = _collects(facts, wager, wager.stake_cents + added)
    fields = {"wager_id": wager.wager_id, "added_cents": added, "instrument": wager.instrument}
    return after(facts, place, events.WagerIncreased, _late(random), **fields)


def wager_moved(facts: Facts, random: Random) -> Facts:
    """A wager becomes a Six Eight Shake, or none."""
    every = [facts[place] for place in of_kinds(facts, events.WagerPlaced)]
    wager: Any = random.choice([*every, *shakes(facts) * 4])
    place = some_moment(facts, wager, random)
    to = random.choice(("Field", SHAKE)) if wager.wager == SHAKE else SHAKE
    if random.random() < 0.4:
        settled = settlement(facts, wager.wager_id)
        facts = facts if settled is None else without(facts, settled)
        place = min(place, len(facts) - 1)
        if place not in own(facts):
            place = own(facts)[-20]
    fields = {"wager_id": wager.wager_id, "wager": to, "picks": ()}
    return after(facts, place, events.WagerMoved, _late(random), **fields)


def shake_lifted(facts: Facts, random: Random) -> Facts:
    """A Six Eight Shake is taken down or handed back, all of it or a part, at any phase."""
    wager = random.choice(shakes(facts))
    place, kind = some_moment(facts, wager, random), random.choice(LIFTED)
    cents = random.choice((None, None, 1, 500, wager.stake_cents, 10_000))
    field = "taken_cents" if kind is events.WagerTakenDown else "returned_cents"
    fields: dict[str, Any] = {"wager_id": wager.wager_id, field: cents}
    if kind is events.WagerReturned:
        fields["reason"] = random.choice((None, "asked for"))
    settled = settlement(facts, wager.wager_id)
    lifted = after(facts, place, kind, _late(random), **fields)
    if settled is None or random.random() < 0.2:
        return lifted
    if cents is not None and cents < wager.stake_cents:
        return _collects(lifted, wager, wager.stake_cents - cents)
    return without(lifted, settled + (settled > place))


LIFTED: Final = (events.WagerTakenDown, events.WagerReturned)


def lammer_otherwise(facts: Facts, random: Random) -> Facts:
    """A lammer is collected that is not due, one that is due is not, or a word changes."""
    place = random.choice(of_kinds(facts, *LAMMERS) or own(facts))
    fact: Any = facts[place]
    words = ("4-4", "2-6", "3-5", "1-5", "2-4", "3-3", "6-6")
    if isinstance(fact, events.LammerCollected) and random.random() < 0.6:
        return changed_at(facts, place, combination=random.choice(words))
    if random.random() < 0.4:
        return without(facts, place)
    where = random.choice(of_kinds(facts, events.RollCalled, events.WagerSettled))
    fields = {"combination": random.choice(words), "collected_by": None}
    return after(facts, where, events.LammerCollected, _late(random), **fields)


def shaker_passed(facts: Facts, random: Random) -> Facts:
    """The shaker goes to another player, or another one shakes."""
    if random.random() < 0.5:
        place = random.choice(of_kinds(facts, events.PlayerShook))
        return changed_at(facts, place, position=random.choice(POSITIONS))
    place = random.choice(of_kinds(facts, events.ShakerOffered))
    shaker: Any = facts[place]
    to = {"from_position": shaker.position, "to_position": random.choice(POSITIONS)}
    return after(facts, place, events.ShakerPassed, _late(random), shaker=shaker.shaker, **to)


def no_roll(facts: Facts, random: Random) -> Facts:
    """No roll is called instead of the roll, or beside it; wagers may go back."""
    place = random.choice(of_kinds(facts, events.RollCalled))
    call, ends = facts[place], of_kinds(facts, events.BettingOpened)
    following = [each for each in ends if each > place]
    last = following[0] if following else len(facts)
    fields = {"reason": random.choice((None, "a die leans")), "called_by": None}
    if random.random() < 0.3:
        return after(facts, place, events.NoRollCalled, _late(random), **fields)
    goes_back = random.random() < 0.6
    out: Facts = []
    for number, fact in enumerate(facts):
        if fact is call:
            header = {name: getattr(call, name) for name in HEADER}
            out.append(events.NoRollCalled(**header, **fields))
        elif place < number < last and isinstance(fact, events.WagerSettled):
            if goes_back:
                back = {"winnings_cents": 0, "stake_taken_cents": 0}
                out.append(replace(fact, outcome=events.SettledAs.RETURNED, **back))
        else:
            out.append(fact)
    return renumbered(out)


HEADER: Final = ("stream", "seq", "event_time", "source", "recorded_by")


def leaning(facts: Facts, random: Random) -> Facts:
    """A die leans, and its roll may not be called."""
    place = random.choice(of_kinds(facts, events.DiceThrown))
    thrown: Any = facts[place]
    rest = random.choice((events.Rest.ONE_SIDE_PROPPED, events.Rest.OUTSIDE_SHAKER))
    dice = (replace(thrown.dice[0], rest=rest), *thrown.dice[1:])
    facts = changed_at(facts, place, dice=dice)
    return facts if random.random() < 0.3 else no_roll(facts, random)


def other_faces(facts: Facts, random: Random) -> Facts:
    """The dice show other faces, and the dealer calls these; the rest stays as it was."""
    place = random.choice(of_kinds(facts, events.DiceThrown))
    thrown: Any = facts[place]
    faces = random.choice(((3, 4), (1, 6), (4, 4), (2, 6), (3, 3), (1, 1)))
    dice = [replace(die, face=face) for die, face in zip(thrown.dice, faces, strict=True)]
    called = [each for each in of_kinds(facts, events.RollCalled) if each > place]
    facts = changed_at(facts, place, dice=tuple(dice))
    return changed_at(facts, called[0], faces=faces) if called else facts


def id_used_again(facts: Facts, random: Random) -> Facts:
    """A wager is placed with the id of one that stands, or that stood."""
    wager = random.choice(shakes(facts))
    places = set(lasts(facts, wager.wager_id))
    later = [each for each in of_kinds(facts, events.WagerPlaced) if each in places]
    place = random.choice(later[1:] or of_kinds(facts, events.WagerPlaced)[3:])
    other: Any = facts[place]
    settled = settlement(facts, other.wager_id)
    facts = changed_at(facts, place, wager_id=wager.wager_id)
    if settled is not None and random.random() < 0.7:
        facts = changed_at(facts, settled, wager_id=wager.wager_id)
    return facts


def shake_settled(facts: Facts, random: Random) -> Facts:
    """A Six Eight Shake is settled while it stands, or once more afterwards."""
    wager = random.choice(shakes(facts))
    place = some_moment(facts, wager, random)
    act = _act(random, wager.stake_cents)
    settled = settlement(facts, wager.wager_id)
    out = after(facts, place, events.WagerSettled, _late(random), wager_id=wager.wager_id, **act)
    if settled is None or random.random() < 0.4:
        return out
    return without(out, settled + (settled > place))


def shake_left(facts: Facts, random: Random) -> Facts:
    """A Six Eight Shake is not settled after a 7, or in other words."""
    wager = random.choice(shakes(facts))
    place = settlement(facts, wager.wager_id)
    if place is None:
        return shake_settled(facts, random)
    if random.random() < 0.5:
        return without(facts, place)
    return changed_at(facts, place, **_act(random, wager.stake_cents))


def take_down_refused(facts: Facts, random: Random) -> Facts:
    """A player is refused a wager, or nobody's."""
    every: list[Any] = [facts[place] for place in of_kinds(facts, events.WagerPlaced)]
    wager = random.choice([*every, *shakes(facts) * 5])
    place = some_moment(facts, wager, random)
    fields = {"wager_id": random.choice((wager.wager_id,) * 5 + ("nobody's",)), "reason": None}
    return after(facts, place, events.TakeDownRefused, _late(random), **fields)


def shake_of_another(facts: Facts, random: Random) -> Facts:
    """A wager is laid as a Six Eight Shake, or a Six Eight Shake as something else."""
    every: list[Any] = [facts[place] for place in of_kinds(facts, events.WagerPlaced)]
    wager = random.choice([*every, *shakes(facts) * 3])
    place = facts.index(wager)
    name = "Field" if wager.wager == SHAKE else SHAKE
    return changed_at(facts, place, wager=name, picks=())


CHANGES: Final[tuple[Callable[[Facts, Random], Facts], ...]] = (
    another_position, seat_left, seat_left_otherwise, shake_placed, shake_raised, wager_moved,
    shake_lifted, lammer_otherwise, shaker_passed, no_roll, leaning, other_faces, id_used_again,
    shake_settled, shake_left, take_down_refused, shake_of_another,
)  # fmt: skip


@cache
def coupon_day(seed: int) -> tuple[events.Fact, ...]:
    """The offices and the table on a short day with coupons."""
    return of_tables(floor_day(seed=seed, scale=0.06, coupons=True)[0], PROPS)


def altered_coupons(seed: int) -> Facts:
    """A day with coupons with one fact of a wager with a coupon changed, or one more change."""
    random = Random(seed)
    facts = list(coupon_day(1 + seed % 3))
    if random.random() < 0.4:
        return random.choice(CHANGES)(facts, random)
    place = random.choice([place for place in own(facts) if has_coupon(facts[place])])
    wager_id = getattr(facts[place], "wager_id", None)
    named = [each for each in own(facts) if getattr(facts[each], "wager_id", None) == wager_id]
    place = random.choice(named)
    match random.randrange(5):
        case 0:
            return without(facts, place)
        case 1:
            return renumbered([*facts[: place + 1], facts[place], *facts[place + 1 :]])
        case 2:
            late = random.choice((-1, 1)) * random.choice((1, 400_000, 20_000_000, 90_000_000))
            return changed_at(facts, place, event_time=facts[place].event_time + late)
    return [*facts[:place], changed(facts[place], random, facts), *facts[place + 1 :]]


def altered_props(seed: int, changes: int = 1) -> Facts:
    """A day of Props & Hops with so many changes, some of any kind and some of those above."""
    random = Random(seed)
    if random.random() < 0.15:
        return altered(seed, PROPS)
    facts = list(honest_day(*random.choice(DAYS)))
    for _ in range(changes):
        facts = random.choice(CHANGES)(facts, random)
    return facts
