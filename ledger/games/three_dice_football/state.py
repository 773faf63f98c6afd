"""What a Three Dice Football table has seen: one frozen state for the game and what outlives it.

A throw stays pending until a fact shows that it counted: the stickperson may still call no roll.
The functions in ``turns.py`` return the state after each kind of fact.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ledger import events
from ledger.games.first_placings import FirstPlacings, PlacedDie
from ledger.games.football_field import (
    Ended,
    Extra,
    Play,
    Result,
    Spot,
    Throw,
    advance,
    extra_of,
    play_of,
)
from ledger.games.named_tuple_change import replace as changed
from ledger.games.room import Invalid
from ledger.games.stakes_on_layout import NO_STAKES, Stake, StakesOnLayout
from ledger.games.three_dice_football.procedure import STEPS
from ledger.games.three_dice_football.terms import Camera, Phase, number
from ledger.games.three_dice_football.validity import (
    Ruled,
    called_faces,
    determined,
    faces_of,
    other_dice,
)
from ledger.games.three_dice_football.wagers import AFTER_EXTRA_POINT, EXTRA_POINT, SINGLE_PLAY
from ledger.kernel import FactRef


class State(NamedTuple):
    """The state of a table. None in a field that outlives the game: it is not known.

    It was never stated, or facts were lost since.

    Args:
        quarterback: the position that throws.
        offer_after: set while the dice are to be offered: the place after which the next one comes.
        offered: the position last offered the dice.
        starting: the table has opened and nobody has accepted the dice yet.
        scored_last: the last game ended with a score.
        occupied: the positions with a player.
        first_placings: of every die that was placed.
        lost, unfit: the serials of dice lost, and found unfit.
        layout_odds, odds_sign: whether the layout shows odds; the wagers whose odds a sign shows.
        lasting_reported: the codes of lasting breaches reported and not ended since.
        wagers_seen: whether wagers are recorded at the table.
        stakes: the wagers of the game; each with ``when_made``.
        throws: how many throws of the game counted.
        step: the last step of settlement reached after the end of the game, from 1.
        early: wagers paid or collected since the last throw before anything decided them, each with
            the key of the settlement.
        throw, counted: the key of the throw that is pending; of the last that counted.
        thrown: the last throw, as it was recorded.
        faces_as_thrown: the dice of the last throw that counted show by themselves what they did.
        told_faces: what they showed otherwise, by a call or a ruling; None if that is not known.
        ruled, disputed: the faces determined, and in dispute, of the pending throw.
        invalid, invalid_at: why the last throw is void by itself, and its key.
        call_heard: the call that is not yet compared with the dice.
        call_agrees: it is known to be what the dice showed.
        undo: the state before a throw that only its call shows to have counted. Until something
            follows the call, a dispute or a no roll opens the throw again.
        called, announced: the numbers of the last throw were called; what had to be announced was.
        blind: how the game stands is not known.
        roll_in_doubt: an extra point roll was called off without a cause.
        reported: the breaches reported in the game, by ``turns.told_as``.
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
    first_placings: FirstPlacings = FirstPlacings()
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
    faces_as_thrown: bool = False
    told_faces: Throw | None = None
    ended: Ended | None = None
    extra: Extra | None = None
    rolled: bool = False
    stakes: StakesOnLayout = NO_STAKES
    throws: int = 0
    step: int = 0
    early: tuple[tuple[str, FactRef], ...] = ()
    throw: FactRef | None = None
    counted: FactRef | None = None
    thrown: events.DiceThrownByHand | None = None
    ruled: tuple[Ruled, ...] = ()
    disputed: tuple[events.FaceDisputed, ...] = ()
    invalid: Invalid | None = None
    invalid_at: FactRef | None = None
    annulled: bool = False
    call_heard: events.RollCalled | None = None
    call_agrees: bool = False
    undo: State | None = None
    called: bool = True
    announced: bool = True
    blind: bool = False
    roll_in_doubt: bool = False
    reported: frozenset[str] = frozenset()

    @property
    def in_round(self) -> bool:
        """Whether a game is under way, or over and not yet followed by another."""
        return self.phase is not Phase.IDLE

    @property
    def betting_open(self) -> bool:
        """Whether single play wagers may be placed."""
        return self.throw is None and self.phase in (Phase.BEFORE, Phase.BETWEEN)

    @property
    def knowable(self) -> bool:
        """Whether something of the game can already be seen."""
        return self.throw is not None or self.phase not in (Phase.IDLE, Phase.BEFORE)

    @property
    def colours(self) -> Mapping[str, str | None]:
        """The colour of each die of the set by serial; None if not recorded."""
        return {die.serial: die.colour for die in self.dice or ()}

    def stickperson(self, person: str | None) -> bool | None:
        """Whether a person is the stickperson; None if the record does not say."""
        known = {who for role, who in self.staff or () if role is events.Role.STICKPERSON}
        return None if person is None or not known else person in known

    @property
    def thrown_faces(self) -> Throw | None:
        """What the last throw shows by itself."""
        return None if self.thrown is None else faces_of(self.thrown, {}, ())

    @property
    def thrown_play(self) -> Play | None:
        """The play that the last throw makes by itself."""
        faces = self.thrown_faces
        return None if faces is None else play_of(faces)

    @property
    def thrown_extra(self) -> Extra | None:
        """What the last throw shows by itself if it is an extra point roll."""
        faces = self.thrown_faces
        return None if faces is None else extra_of(faces)

    @property
    def thrown_well(self) -> tuple[bool | None, bool | None]:
        """Whether the dice of the last throw left the hand together, and struck the far end."""
        if self.thrown is None:
            return None, None
        return self.thrown.released_together, self.thrown.struck_far_end

    def agrees_with(self, call: events.RollCalled) -> bool:
        """Whether a call is what the last throw shows by itself."""
        faces = self.thrown_faces
        return faces is not None and called_faces(call.faces) == faces

    @property
    def faces(self) -> Throw | None:
        """What the last throw that counted showed, before another one; None: it is not known."""
        return self.thrown_faces if self.faces_as_thrown else self.told_faces

    @property
    def when_made(self) -> tuple[int, int]:
        """How many throws have counted, and whether thrown dice lie there: noted with a wager."""
        return self.throws, int(self.throw is not None)

    def next_left(self, position: int) -> int | None:
        """Return the next occupied position to the left, None if the seats are not known."""
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
"""Those of them that end the game: ``close`` reports what it still owed."""
REOPENS: Final = frozenset(
    {events.FaceDisputed, events.DisputeRuled, events.NoRollCalled, events.ThrowVoided}
)
"""Facts that open again a throw that was called, while nothing else shows that it counted."""
KEPT_OPEN: Final = (
    "occupied", "dice", "dice_sure", "first_placings", "lost", "unfit", "staff",
    "cameras", "lasting_reported", "reported", "call_heard", "stakes", "seats_sure", "staff_sure", "cameras_sure",
)  # fmt: skip
"""The fields that keep what changed since the call when the throw is opened again."""


def commit(state: State, shown_by: events.Fact | None) -> State:
    """Return the state after the pending throw counted.

    Where the dice were not seen, the call decides.

    Args:
        state: a state with a pending throw.
        shown_by: the fact that shows that the throw counted; None at the end of the record.
    """
    call = shown_by if isinstance(shown_by, events.RollCalled) else None
    heard = call or (None if state.ruled else state.call_heard)
    is_told = bool(state.ruled) or (call is not None and bool(state.disputed))
    play, faces = state.thrown_play, None
    as_thrown = play is not None and not is_told
    if not as_thrown:
        faces = _told(state, call, heard)
        play = play_of(faces) if faces else None
    step = STEPS.get((state.phase, events.DiceThrownByHand))
    new: dict[str, object] = {
        "throw": None, "counted": state.throw, "faces_as_thrown": as_thrown, "told_faces": faces,
        "called": state.call_heard is not None,
        "ruled": (), "disputed": (), "invalid": None, "invalid_at": None, "play": None,
        "call_heard": heard, "call_agrees": heard is not None and (
            state.agrees_with(heard) if as_thrown else called_faces(heard.faces) == faces is not None
        ),
        "undo": None if call is None else state, "throws": state.throws + 1,
        "phase": state.phase if step is None else Phase(step.then),
    }  # fmt: skip
    if state.phase is Phase.OVER:
        new |= {
            "called": True,
            "rolled": state.rolled or _is_no_down(state),
        }
    elif state.phase is Phase.EXTRA:
        extra = extra_of(faces) if faces else None
        new |= {"extra": state.thrown_extra if as_thrown else extra, "rolled": True}
    else:
        new["play"] = play
        if play is None or state.spot is None:
            new |= {"spot": None, "announced": True}
        else:
            after = advance(state.spot, play)
            moved = isinstance(after, Spot)
            new |= {"spot": after, "announced": False} if moved else _ended(state, after)
    return changed(state, **new)


def _told(
    state: State, call: events.RollCalled | None, heard: events.RollCalled | None
) -> Throw | None:
    """The faces of the pending throw where its dice alone do not show them, or were disputed."""
    throw = state.thrown
    assert throw is not None
    faces = faces_of(throw, state.colours, state.ruled)
    if call is not None and state.disputed and not state.ruled:
        own = state.stickperson(call.called_by) is not False
        faces = (determined(throw, state.colours, state.disputed, call) if own else None) or faces
    if faces is None and heard is not None and not other_dice(throw, state.colours):
        return called_faces(heard.faces)
    return faces


def _is_no_down(state: State) -> bool:
    assert state.thrown is not None
    return state.thrown.purpose is not events.ThrowPurpose.DOWN


def _ended(state: State, end: Ended | Spot) -> dict[str, object]:
    """Return the fields that change when a game has ended in this way."""
    assert isinstance(end, Ended)
    rolls = end.scored and any(map(state.stakes.lies, EXTRA_POINT))
    new: dict[str, object] = {
        "ended": end, "spot": None, "phase": Phase.EXTRA if rolls else Phase.OVER, "step": 0,
        "scored_last": end.scored, "announced": end.result is not Result.TURNOVER,
    }  # fmt: skip
    if not end.scored:
        new |= {
            "quarterback": None, "offer_after": number(state.quarterback), "offered": None,
            "refused": False, "selected": None,
        }  # fmt: skip
    return new


def is_decided(state: State, wager: Stake) -> bool:
    """Whether a throw that counted has decided a wager of this game."""
    if wager.wager in SINGLE_PLAY:
        return state.throws > wager.noted[0]
    return state.ended is not None and not (
        state.phase is Phase.EXTRA and wager.wager in AFTER_EXTRA_POINT
    )


def is_early(state: State, wager: Stake) -> bool:
    """Whether nothing has decided a wager on the layout: neither a throw nor the game's end.

    What is settled on an invalid roll, or before the extra point roll, has duties of its own.
    """
    awaits_roll = state.phase is Phase.EXTRA and wager.wager in AFTER_EXTRA_POINT
    lost = state.blind or state.invalid is not None
    return not (lost or awaits_roll or is_decided(state, wager))


def reopened(state: State) -> State:
    """Return the state with the last throw, called but not yet acted upon, open again."""
    assert state.undo is not None
    kept = {name: getattr(state, name) for name in KEPT_OPEN}
    return changed(state.undo, **kept, call_agrees=False)
