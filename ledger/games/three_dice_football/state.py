"""What a Three Dice Football table has seen: one frozen state for the game and what outlives it.

A throw stays pending until a fact shows that it counted: the stickperson may still call no roll.
Below the state stand the turns: how a fact moves it. They look rows up and cite nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ledger import events
from ledger.games.field import Ended, Extra, Play, Result, Spot, Throw, advance, extra_of, play_of
from ledger.games.record import replace as changed
from ledger.games.room import Invalid
from ledger.games.three_dice_football.procedure import STEPS
from ledger.games.three_dice_football.terms import Camera, Laid, Phase, PlacedDie, number
from ledger.games.three_dice_football.validity import (
    Ruled,
    called_faces,
    determined,
    faces_of,
    other_dice,
)
from ledger.games.three_dice_football.wagers import AFTER_EXTRA_POINT, SINGLE_PLAY
from ledger.kernel import FactRef


class State(NamedTuple):
    """None in a field that outlives the game means: not known (never stated, or after a gap).

    ``offer_after`` is set while the dice are to be offered: the place after which the next one
    comes; ``wagers_seen`` that wagers are recorded at the table; ``roll_in_doubt`` that an extra
    point roll was called off without a cause. ``early`` are wagers paid or collected since the last
    throw though nothing had decided them, and by which fact. ``undo`` is the table before a throw
    that only a call shows to have counted: until
    something follows the call, a dispute or a no roll opens the throw again.
    """

    # outlives the game
    quarterback: str | None = None
    offer_after: int | None = None
    offered: str | None = None
    refused: bool = False
    starting: bool = False
    scored_last: bool = False
    occupied: frozenset[int] | None = None
    seats_sure: bool = True
    selected: frozenset[str] | None = None
    dice: tuple[PlacedDie, ...] | None = None
    dice_sure: bool = True
    first_placed: tuple[PlacedDie, ...] = ()
    before_closing: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    unfit: frozenset[str] = frozenset()
    staff: frozenset[tuple[events.Role, str]] | None = None
    staff_sure: bool = True
    cameras: tuple[Camera, ...] | None = None
    cameras_sure: bool = True
    layout_odds: bool | None = None
    odds_sign: frozenset[str] = frozenset()
    lasting_reported: frozenset[str] = frozenset()
    wagers_seen: bool = True
    # of the game
    phase: Phase = Phase.IDLE
    spot: Spot | None = None
    play: Play | None = None
    faces: Throw | None = None
    ended: Ended | None = None
    extra: Extra | None = None
    rolled: bool = False
    wagers: tuple[Laid, ...] = ()
    throws: int = 0
    step: int = 0
    early: tuple[tuple[str, FactRef], ...] = ()
    throw: events.DiceThrownByHand | None = None
    counted: events.DiceThrownByHand | None = None
    ruled: tuple[Ruled, ...] = ()
    disputed: tuple[events.FaceDisputed, ...] = ()
    invalid: Invalid | None = None
    invalid_at: FactRef | None = None
    annulled: bool = False
    call_heard: events.RollCalled | None = None
    undo: State | None = None
    called: bool = True
    announced: bool = True
    blind: bool = False
    roll_in_doubt: bool = False
    reported: frozenset[str] = frozenset()

    @property
    def in_round(self) -> bool:
        """A game is under way, or over and not yet followed by another."""
        return self.phase is not Phase.IDLE

    @property
    def betting_open(self) -> bool:
        """Single play wagers may be placed."""
        return self.throw is None and self.phase in (Phase.BEFORE, Phase.BETWEEN)

    @property
    def knowable(self) -> bool:
        """Something of the game can already be seen."""
        return self.throw is not None or self.phase not in (Phase.IDLE, Phase.BEFORE)

    @property
    def colours(self) -> Mapping[str, str | None]:
        """The colour of each die of the set."""
        return {die.serial: die.colour for die in self.dice or ()}

    def stickperson(self, person: str | None) -> bool | None:
        """Whether a person is the stickperson; None: nothing says who that is."""
        known = {who for role, who in self.staff or () if role is events.Role.STICKPERSON}
        return None if person is None or not known else person in known

    def laid(self, wager_id: str) -> Laid | None:
        """A wager of this game."""
        return next((w for w in self.wagers if w.wager_id == wager_id), None)

    def next_left(self, position: int) -> int | None:
        """The next occupied position to the left."""
        if not self.occupied or not self.seats_sure:
            return None
        return min((p for p in self.occupied if p > position), default=min(self.occupied))


INITIAL: Final = State()
CONFIRMS: Final = frozenset(
    {
        events.RollCalled, events.MarkersPlaced, events.DownAnnounced, events.TurnoverAnnounced, events.WagerSettled, events.DiceThrownByHand,
        events.BettingOpened, events.DiceOffered, events.DiceAccepted, events.TableClosed,
    }
)  # fmt: skip
"""Facts that show that the throw before them counted."""
ENDS: Final = frozenset({events.BettingOpened, events.TableClosed})
"""Those of them that end the game: what it still owed is told by ``close``."""
REOPENS: Final = frozenset(
    {events.FaceDisputed, events.DisputeRuled, events.NoRollCalled, events.ThrowVoided}
)
"""Facts that open again a throw that was called, while nothing else shows that it counted."""
KEPT_OPEN: Final = (
    "occupied", "dice", "dice_sure", "first_placed", "before_closing", "lost", "unfit", "staff",
    "cameras", "lasting_reported", "reported", "call_heard", "wagers", "seats_sure", "staff_sure", "cameras_sure",
)  # fmt: skip
"""What has changed since a throw was called stays so when the throw is opened again."""


def commit(state: State, shown_by: events.Fact | None) -> State:
    """The pending throw counted: the game moves on; where it was not seen, the call stands for it."""
    throw = state.throw
    assert throw is not None
    call = shown_by if isinstance(shown_by, events.RollCalled) else None
    faces = faces_of(throw, state.colours, state.ruled)
    own = call is not None and state.stickperson(call.called_by) is not False
    if call is not None and own and state.disputed and not state.ruled:
        faces = determined(throw, state.colours, state.disputed, call) or faces
    heard = call or (None if state.ruled else state.call_heard)
    if faces is None and heard is not None and not other_dice(throw, state.colours):
        faces = called_faces(heard.faces)
    step = STEPS.get((state.phase, events.DiceThrownByHand))
    new: dict[str, Any] = {
        "throw": None, "counted": throw, "faces": faces, "called": state.call_heard is not None,
        "ruled": (), "disputed": (), "invalid": None, "invalid_at": None, "play": None,
        "call_heard": heard, "undo": None if call is None else state, "throws": state.throws + 1,
        "phase": state.phase if step is None else Phase(step.then),
    }  # fmt: skip
    if state.phase is Phase.OVER:
        new |= {
            "called": True,
            "rolled": state.rolled or throw.purpose is not events.ThrowPurpose.DOWN,
        }
    elif state.phase is Phase.EXTRA:
        new |= {"extra": extra_of(faces) if faces else None, "rolled": True}
    else:
        play = play_of(faces) if faces else None
        new["play"] = play
        if play is None or state.spot is None:
            new |= {"spot": None, "announced": True}
        else:
            after = advance(state.spot, play)
            moved = isinstance(after, Spot)
            new |= {"spot": after, "announced": False} if moved else _ended(state, after)
    return changed(state, **new)


def _ended(state: State, end: Ended | Spot) -> dict[str, Any]:
    """What changes when a game has ended so."""
    assert isinstance(end, Ended)
    rolls = end.scored and any(wager.name == "Extra Point" for wager in state.wagers)
    new = {
        "ended": end, "spot": None, "phase": Phase.EXTRA if rolls else Phase.OVER, "step": 0,
        "scored_last": end.scored, "announced": end.result is not Result.TURNOVER,
    }  # fmt: skip
    if not end.scored:
        new |= {
            "quarterback": None, "offer_after": number(state.quarterback), "offered": None,
            "refused": False, "selected": None,
        }  # fmt: skip
    return new


def is_decided(state: State, wager: Laid) -> bool:
    """Whether a throw that counted has settled the fate of a wager of this game."""
    if wager.name in SINGLE_PLAY:
        return state.throws > wager.after
    return state.ended is not None and not (
        state.phase is Phase.EXTRA and wager.name in AFTER_EXTRA_POINT
    )


def is_early(state: State, wager: Laid) -> bool:
    """Whether nothing has decided a wager that lies there: neither a throw nor the game's end.

    What is settled on an invalid roll, or before the extra point roll, has duties of its own.
    """
    awaits_roll = state.phase is Phase.EXTRA and wager.name in AFTER_EXTRA_POINT
    lost = state.blind or state.invalid is not None
    return not (lost or awaits_roll or is_decided(state, wager))


def reopened(state: State) -> State:
    """The last throw, called but not yet acted upon, is open again."""
    assert state.undo is not None
    return changed(state.undo, **{name: getattr(state, name) for name in KEPT_OPEN})
