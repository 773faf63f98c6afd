"""What a Three Dice Football table has seen: one frozen state for the game and what outlives it.

A throw stays pending until a fact shows that it counted: the stickperson may still call no roll.
Below the state stand the turns: how a fact moves it. They look rows up and cite nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ledger.events import (
    BettingOpened,
    CameraAssigned,
    CameraDescribed,
    CameraLost,
    CameraRestored,
    DiceAccepted,
    DiceOffered,
    DiceRefused,
    DiceSelected,
    DiceSetPlaced,
    DiceSetRemoved,
    DiceThrownByHand,
    DieFound,
    DieLost,
    DisputeRuled,
    DownAnnounced,
    FaceDisputed,
    Fact,
    ItemInspected,
    MarkersPlaced,
    NoRollCalled,
    PositionLeft,
    PositionTaken,
    Role,
    RollCalled,
    StaffAssigned,
    StaffRelieved,
    Subject,
    TableClosed,
    TableOpened,
    ThrowVoided,
    TurnoverAnnounced,
    WagerPlaced,
    WagerReturned,
    WagerSettled,
    WagerTakenDown,
)
from ledger.games.field import (
    START,
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
from ledger.games.room import Breach, DecidedSome, Invalid, Undecidable, Unsure
from ledger.games.three_dice_football.procedure import (
    CAMERA_CODES,
    DICE_CODES,
    LASTING,
    STAFF_CODES,
    STEPS,
)
from ledger.games.three_dice_football.terms import (
    DICE,
    Camera,
    Laid,
    Phase,
    PlacedDie,
    number,
    ref_of,
)
from ledger.games.three_dice_football.validity import faces_of, invalid_row, other_dice
from ledger.games.three_dice_football.wagers import step_of


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """None in a field that outlives the game means: not known (never stated, or after a gap)."""

    # outlives the game
    quarterback: str | None = None
    offer_after: int | None = None
    starting: bool = False
    scored_last: bool = False
    occupied: frozenset[int] | None = None
    selected: frozenset[str] | None = None
    dice: tuple[PlacedDie, ...] | None = None
    first_placed: tuple[PlacedDie, ...] = ()
    before_closing: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    unfit: frozenset[str] = frozenset()
    staff: frozenset[tuple[Role, str]] | None = None
    cameras: tuple[Camera, ...] | None = None
    told: frozenset[str] = frozenset()
    # of the game
    phase: Phase = Phase.IDLE
    spot: Spot | None = None
    play: Play | None = None
    faces: Throw | None = None
    ended: Ended | None = None
    extra: Extra | None = None
    extra_known: bool = True
    wagers: tuple[Laid, ...] = ()
    step: int = 0
    throw: DiceThrownByHand | None = None
    counted: DiceThrownByHand | None = None
    ruled: tuple[tuple[str | None, int], ...] = ()
    disputed: bool = False
    invalid: Invalid | None = None
    called: bool = True
    announced: bool = True
    blind: bool = False
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
        known = {who for role, who in self.staff or () if role is Role.STICKPERSON}
        return None if person is None or not known else person in known

    def name_of(self, wager_id: str) -> str | None:
        """The kind of a wager of this game."""
        return next((w.name for w in self.wagers if w.wager_id == wager_id), None)

    def next_left(self, position: int) -> int | None:
        """The next occupied position to the left."""
        if not self.occupied:
            return None
        return min((p for p in self.occupied if p > position), default=min(self.occupied))


INITIAL: Final = State()

CONFIRMS: Final = frozenset(
    {
        RollCalled, MarkersPlaced, DownAnnounced, TurnoverAnnounced, WagerSettled, DiceThrownByHand,
        BettingOpened, DiceOffered, DiceAccepted, TableClosed,
    }
)  # fmt: skip
"""Facts that show that the throw before them counted."""


def commit(state: State, shown_by: Fact | None) -> State:
    """The pending throw counted: the game moves on; where it was not seen, the call stands for it."""
    throw = state.throw
    assert throw is not None
    faces = faces_of(throw, state.colours, dict(state.ruled))
    said = shown_by.faces if isinstance(shown_by, RollCalled) else ()
    if faces is None and len(said) == DICE and not other_dice(throw, state.colours):
        faces = (*sorted(said[:2]), said[2])  # type: ignore[assignment]
    done = replace(
        state, throw=None, counted=throw, faces=faces, called=False, ruled=(), disputed=False,
        invalid=None, play=None,
    )  # fmt: skip
    then = Phase(STEPS[(state.phase, DiceThrownByHand)].then)
    if state.phase is Phase.OVER:
        return replace(done, called=True)
    if state.phase is Phase.EXTRA:
        extra = extra_of(faces) if faces else None
        return replace(done, phase=then, extra=extra, extra_known=extra is not None)
    play = play_of(faces) if faces else None
    done = replace(done, play=play, phase=then, announced=False)
    if play is None or state.spot is None:
        return replace(done, spot=None, announced=True)
    after = advance(state.spot, play)
    if isinstance(after, Spot):
        return replace(done, spot=after)
    return _ended(done, after)


def _ended(state: State, end: Ended) -> State:
    rolls = end.scored and any(wager.name == "Extra Point" for wager in state.wagers)
    done = replace(
        state, ended=end, spot=None, phase=Phase.EXTRA if rolls else Phase.OVER, step=0,
        scored_last=end.scored, announced=end.result is not Result.TURNOVER,
    )  # fmt: skip
    if end.scored:
        return done
    return replace(done, quarterback=None, offer_after=number(state.quarterback), selected=None)


# --- how each fact moves it -----------------------------------------------------------------------


def _new_game(state: State, _event: BettingOpened) -> State:
    kept = {name: getattr(state, name) for name in OUTLIVES}
    return State(phase=Phase.BEFORE, spot=START, **kept)


OUTLIVES: Final = (
    "quarterback", "offer_after", "starting", "scored_last", "occupied", "selected", "dice",
    "first_placed", "before_closing", "lost", "unfit", "staff", "cameras", "told",
)  # fmt: skip


def _thrown(state: State, event: DiceThrownByHand) -> State:
    if not state.in_round:
        return state
    thrower = state.quarterback if state.quarterback is not None else event.position
    state = replace(state, ruled=(), disputed=False, quarterback=thrower, offer_after=None)
    invalid = invalid_row(event)
    if invalid is not None:
        return replace(state, throw=None, invalid=invalid)
    return replace(state, throw=event, invalid=None)


def _annulled(state: State, _event: NoRollCalled | ThrowVoided) -> State:
    return replace(state, throw=None, ruled=(), disputed=False, invalid=None)


def _ruled(state: State, event: DisputeRuled) -> State:
    if event.rethrow:
        return replace(state, throw=None, ruled=(), invalid=None)
    if event.face is None:
        return state
    return replace(state, ruled=(*state.ruled, (event.die, event.face)))


def _laid(state: State, event: WagerPlaced) -> State:
    laid = Laid(event.wager_id, event.wager, event.position)
    return replace(state, wagers=(*state.wagers, laid)) if state.in_round else state


def _gone(state: State, event: WagerTakenDown | WagerReturned) -> State:
    return replace(state, wagers=tuple(w for w in state.wagers if w.wager_id != event.wager_id))


def _settled(state: State, event: WagerSettled) -> State:
    name = state.name_of(event.wager_id)
    if state.ended is None or name is None:
        return state
    return replace(state, step=max(state.step, step_of(name, state.ended.scored) or 0))


def _placed(state: State, event: DiceSetPlaced) -> State:
    firsts = {die.serial: die for die in state.first_placed}
    new = tuple(
        firsts.get(die.serial) or PlacedDie(die.serial, die.colour, event.event_time, ref_of(event))
        for die in event.dice
    )
    firsts |= {die.serial: die for die in new}
    held = tuple(die for die in state.dice or () if die.serial not in {d.serial for d in new})
    return replace(
        state, dice=(*held, *new), first_placed=tuple(firsts.values()), selected=None,
        told=state.told - DICE_CODES,
    )  # fmt: skip


def _removed(state: State, event: DiceSetRemoved) -> State:
    gone = frozenset(event.dice)
    left = tuple(die for die in state.dice or () if die.serial not in gone)
    return replace(
        state,
        dice=left,
        lost=state.lost - gone,
        unfit=state.unfit - gone,
        told=state.told - DICE_CODES,
    )


def _staff(state: State, event: StaffAssigned | StaffRelieved) -> State:
    pair = frozenset({(event.role, event.person)})
    known = state.staff or frozenset()
    staff = known | pair if isinstance(event, StaffAssigned) else known - pair
    return replace(state, staff=staff, told=state.told - STAFF_CODES)


def _camera(
    state: State, event: CameraAssigned | CameraDescribed | CameraLost | CameraRestored
) -> State:
    known = {camera.name: camera for camera in state.cameras or ()}
    camera = known.get(event.camera, Camera(event.camera))
    match event:
        case CameraAssigned():
            camera = replace(camera, covers=event.covers or camera.covers, lost=False)
        case CameraDescribed():
            covers = event.covers or camera.covers
            camera = replace(camera, covers=covers, stationary=event.stationary)
        case CameraLost():
            camera = replace(camera, lost=True)
        case CameraRestored():
            camera = replace(camera, lost=False)
    known[event.camera] = camera
    return replace(state, cameras=tuple(known.values()), told=state.told - CAMERA_CODES)


def _position(state: State, event: PositionTaken | PositionLeft) -> State:
    place = number(event.position)
    if place is None:
        return state
    known = state.occupied or frozenset()
    if isinstance(event, PositionTaken):
        return replace(state, occupied=known | {place})
    left = replace(state, occupied=known - {place})
    if state.quarterback != event.position:
        return left
    return replace(left, quarterback=None, offer_after=place, scored_last=False)


def _accepted(state: State, event: DiceAccepted) -> State:
    return replace(
        state, quarterback=event.position, offer_after=None, starting=False, selected=None,
        scored_last=False,
    )  # fmt: skip


def _inspected(state: State, event: ItemInspected) -> State:
    if (event.subject, event.item) != (Subject.DICE, "condition") or event.subject_id is None:
        return state
    serial = frozenset({event.subject_id})
    unfit = state.unfit | serial if event.found is False else state.unfit - serial
    return replace(state, unfit=unfit, told=state.told - {"unfit_dice_used"})


def _closed(state: State, _event: TableClosed) -> State:
    serials = frozenset(die.serial for die in state.first_placed)
    kept = {name: getattr(state, name) for name in OUTLIVES}
    kept |= {"before_closing": serials, "quarterback": None, "selected": None}
    return State(**kept)


def _opened(state: State, _event: TableOpened) -> State:
    return replace(state, quarterback=None, offer_after=0, starting=True, scored_last=False)


def _reported(state: State, event: Breach) -> State:
    code = event.duty.code
    told = state.told | {code} if code in LASTING else state.told
    return replace(state, reported=state.reported | {code}, told=told)


def _unsure(state: State, _event: Unsure) -> State:
    """After a gap only what is stated again is known."""
    return State(phase=state.phase, blind=True, first_placed=state.first_placed)


TURNS: Final[dict[type[Any], Callable[[State, Any], State]]] = {
    BettingOpened: _new_game,
    DiceThrownByHand: _thrown,
    NoRollCalled: _annulled,
    ThrowVoided: _annulled,
    FaceDisputed: lambda s, _: replace(s, disputed=True),
    DisputeRuled: _ruled,
    RollCalled: lambda s, _: replace(s, called=True),
    DownAnnounced: lambda s, _: replace(s, announced=True),
    TurnoverAnnounced: lambda s, _: replace(s, announced=True),
    WagerPlaced: _laid,
    WagerTakenDown: _gone,
    WagerReturned: _gone,
    WagerSettled: _settled,
    DecidedSome: lambda s, e: replace(s, blind=s.blind or isinstance(e.by, Undecidable)),
    DiceRefused: lambda s, e: replace(s, offer_after=number(e.position), starting=False),
    DiceAccepted: _accepted,
    DiceSelected: lambda s, e: replace(s, selected=frozenset(e.dice)),
    DiceSetPlaced: _placed,
    DiceSetRemoved: _removed,
    DieLost: lambda s, e: replace(s, lost=s.lost | {e.die or "not named"}),
    DieFound: lambda s, e: replace(s, lost=s.lost - {e.die or "not named"}),
    ItemInspected: _inspected,
    StaffAssigned: _staff,
    StaffRelieved: _staff,
    CameraAssigned: _camera,
    CameraDescribed: _camera,
    CameraLost: _camera,
    CameraRestored: _camera,
    PositionTaken: _position,
    PositionLeft: _position,
    TableOpened: _opened,
    TableClosed: _closed,
    Breach: _reported,
    Unsure: _unsure,
}
