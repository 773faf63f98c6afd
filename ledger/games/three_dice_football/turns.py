"""How each fact changes the state of a Three Dice Football table: by rows, with nothing cited."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from ledger import events
from ledger.games.football_field import START
from ledger.games.named_tuple_change import renewed
from ledger.games.named_tuple_change import replace as changed
from ledger.games.room import Breach, DecidedSome, Undecidable, Unsure, wagers_are_seen
from ledger.games.three_dice_football.procedure import (
    CAMERA_CODES,
    DICE_CODES,
    LASTING,
    STAFF_CODES,
)
from ledger.games.three_dice_football.state import State, is_early
from ledger.games.three_dice_football.terms import (
    CAMERAS,
    THROWN_COLOURS,
    Camera,
    Phase,
    ends_covered,
    is_full_crew,
    number,
)
from ledger.games.three_dice_football.validity import invalid_row
from ledger.games.three_dice_football.wagers import EXTRA_POINT, FULL_GAME, step_of
from ledger.kernel import ref_of

NOT_NAMED: Final = "not named"
OUTLIVES: Final = (
    "quarterback", "offer_after", "offered", "refused", "starting", "scored_last", "occupied",
    "selected", "dice", "dice_sure", "first_placings", "lost", "unfit", "staff",
    "cameras", "layout_odds", "odds_sign", "lasting_reported", "wagers_seen", "seats_sure", "staff_sure",
    "cameras_sure",
)  # fmt: skip


def breach_name(breach: Breach) -> str:
    """Under which name a breach is remembered, so that it is not told twice."""
    code, cite = breach.duty.code, breach.duty.cite
    name = f"{code}@{cite.section}#{cite.part}"
    return f"{name}:{breach.facts[0].seq}" if code in EACH_THROW else name


EACH_THROW: Final = frozenset(
    {"improper_throw", "invalid_roll_counted", "roll_not_called", "announcement_missing"}
)
"""Reported for each throw that breaks them; other breaches once a game."""


def _new_game(state: State, _event: events.BettingOpened) -> State:
    opened = renewed(state, OUTLIVES, phase=Phase.BEFORE, spot=START)
    if state.in_round and (state.ended is None or state.blind):  # who throws now is not known
        return changed(opened, quarterback=None, offer_after=None, scored_last=False)
    return opened


def _thrown(state: State, event: events.DiceThrownByHand) -> State:
    if not state.in_round:
        return state
    thrower = state.quarterback if state.quarterback is not None else event.position
    invalid = invalid_row(event)
    return changed(
        state, ruled=(), disputed=(), quarterback=thrower, offer_after=None, annulled=False,
        throw=ref_of(event) if invalid is None else None, thrown=event, invalid=invalid,
        invalid_at=None if invalid is None else ref_of(event), call_heard=None, call_agrees=False,
        undo=None, early=(),
    )  # fmt: skip


def _annulled(state: State, _event: events.NoRollCalled | events.ThrowVoided) -> State:
    return changed(
        state, throw=None, ruled=(), disputed=(), invalid=None, annulled=True, call_heard=None,
        call_agrees=False,
    )  # fmt: skip


def _ruled(state: State, event: events.DisputeRuled) -> State:
    if event.rethrow:
        return changed(
            state, throw=None, ruled=(), invalid=None, annulled=True, call_heard=None,
            call_agrees=False,
        )  # fmt: skip
    if event.face is None or state.throw is None:
        return state
    return changed(state, ruled=(*state.ruled, (event.die, event.face)))


def _called(state: State, event: events.RollCalled) -> State:
    if state.undo is None:
        return changed(state, called=True, call_heard=None, call_agrees=False)
    return changed(state, called=True, call_heard=event)


def _laid(state: State, event: events.WagerPlaced) -> State:
    if not state.in_round or state.stakes.of(event.wager_id) is not None:
        return state
    return changed(state, stakes=state.stakes.placed(event, state.when_made))


def _gone(state: State, event: events.WagerTakenDown | events.WagerReturned) -> State:
    """Remove a wager, unless it is a full game wager that was lifted too late (late-take-down).

    One that was laid after the last throw and is handed back was refused (late-chip-refused).
    """
    laid = state.stakes.of(event.wager_id)
    locked = state.throw is not None or state.phase not in (Phase.IDLE, Phase.BEFORE)
    if locked and isinstance(event, events.WagerReturned) and laid is not None:
        after, at_rest = laid.noted
        locked = after != state.throws or (not at_rest and state.throws == 0)
    if laid is None or (locked and laid.wager in FULL_GAME):
        return state
    if state.stakes.takes_away(event):
        return changed(state, stakes=state.stakes.without(event.wager_id))
    return changed(state, stakes=state.stakes.changed(event))


def _increased(state: State, event: events.WagerIncreased) -> State:
    return changed(state, stakes=state.stakes.changed(event))


def _wager_moved(state: State, event: events.WagerMoved) -> State:
    """Rename a wager that was moved in time; one moved too late stays what it was."""
    laid = state.stakes.of(event.wager_id)
    before = state.throw is None and state.phase in (Phase.IDLE, Phase.BEFORE)
    if laid is None or not (before or (state.betting_open and laid.wager not in FULL_GAME)):
        return state
    return changed(state, stakes=state.stakes.moved(event, (state.throws, laid.noted[1])))


def _settled(state: State, event: events.WagerSettled) -> State:
    wager = state.stakes.of(event.wager_id)
    if wager is None:
        return state
    if event.outcome in (events.SettledAs.WON, events.SettledAs.LOST) and is_early(state, wager):
        return changed(state, early=(*state.early, (event.wager_id, ref_of(event))))
    if state.ended is None:
        return state
    step = step_of(wager.wager, state.ended.scored) or 0
    return changed(state, step=step) if step > state.step else state


def _placed(state: State, event: events.DiceSetPlaced) -> State:
    new = state.first_placings.placed(event)
    known = state.dice if state.dice_sure else ()
    others = tuple(die for die in known or () if die.serial not in {d.serial for d in new})
    return changed(
        state, dice=(*others, *new), first_placings=state.first_placings.after(new), selected=None,
        dice_sure=True, lasting_reported=state.lasting_reported - DICE_CODES,
    )  # fmt: skip


def _removed(state: State, event: events.DiceSetRemoved) -> State:
    gone = frozenset(event.dice)
    left = tuple(die for die in state.dice or () if die.serial not in gone)
    if not left:
        gone |= {NOT_NAMED}
    return changed(
        state, dice=left, lost=state.lost - gone, unfit=state.unfit - gone,
        lasting_reported=state.lasting_reported - DICE_CODES,
    )  # fmt: skip


def _staff(state: State, event: events.StaffAssigned | events.StaffRelieved) -> State:
    pair = frozenset({(event.role, event.person)})
    known = state.staff or frozenset()
    staff = known | pair if isinstance(event, events.StaffAssigned) else known - pair
    whole = state.staff_sure or is_full_crew(staff)
    return changed(
        state, staff=staff, staff_sure=whole, lasting_reported=state.lasting_reported - STAFF_CODES
    )


def _camera(
    state: State,
    event: events.CameraAssigned
    | events.CameraDescribed
    | events.CameraLost
    | events.CameraRestored,
) -> State:
    known = {camera.name: camera for camera in state.cameras or ()}
    camera = known.get(event.camera, Camera(event.camera))
    match event:
        case events.CameraAssigned():
            camera = replace(camera, covers=event.covers or camera.covers, lost=False)
        case events.CameraDescribed():
            covers = event.covers or camera.covers
            camera = replace(camera, covers=covers, stationary=event.stationary)
        case events.CameraLost():
            camera = replace(camera, lost=True)
        case events.CameraRestored():
            camera = replace(camera, lost=False)
    known[event.camera] = camera
    cameras = tuple(known.values())
    whole = state.cameras_sure or ends_covered(cameras)[0] >= CAMERAS
    return changed(
        state,
        cameras=cameras,
        cameras_sure=whole,
        lasting_reported=state.lasting_reported - CAMERA_CODES,
    )


def _position(state: State, event: events.PositionTaken | events.PositionLeft) -> State:
    place = number(event.position)
    if place is None:
        return state
    known = state.occupied or frozenset()
    if isinstance(event, events.PositionTaken):
        return changed(state, occupied=known | {place})
    left = changed(state, occupied=known - {place})
    if state.quarterback != event.position:
        return left
    return changed(left, quarterback=None, offer_after=None, scored_last=False)


def _decided(state: State, event: DecidedSome) -> State:
    """Note what an undecidable throw leaves unknown: the game, or only the extra point roll."""
    if not isinstance(event.by, Undecidable):
        return state
    if event.wagers <= EXTRA_POINT:
        return changed(state, roll_in_doubt=True)
    return changed(state, blind=True)


def _offered(state: State, event: events.DiceOffered) -> State:
    return changed(state, offered=event.position)


def _refused(state: State, event: events.DiceRefused) -> State:
    return changed(state, offer_after=number(event.position), offered=None, refused=True)


def _accepted(state: State, event: events.DiceAccepted) -> State:
    return changed(
        state, quarterback=event.position, offer_after=None, offered=None, refused=False,
        starting=False, selected=None, scored_last=False,
    )  # fmt: skip


def _selected(state: State, event: events.DiceSelected) -> State:
    """Note the dice that the Quarterback took; those that another chose for him are none of his."""
    by_another = None not in (state.quarterback, event.position) and (
        event.position != state.quarterback
    )
    return changed(state, selected=frozenset() if by_another else frozenset(event.dice))


def _inspected(state: State, event: events.ItemInspected) -> State:
    if (event.subject, event.item) == (events.Subject.LAYOUT, "printed_odds"):
        return changed(state, layout_odds=event.found)
    if (event.subject, event.item) != (events.Subject.DICE, "condition"):
        return state
    serial = frozenset({event.subject_id or NOT_NAMED})
    unfit = state.unfit | serial if event.found is False else state.unfit - serial
    return changed(
        state, unfit=unfit, lasting_reported=state.lasting_reported - {"unfit_dice_used"}
    )


def _closed(state: State, _event: events.TableClosed) -> State:
    placings = state.first_placings.closed()
    closed = renewed(state, OUTLIVES, first_placings=placings, quarterback=None, selected=None)
    if not state.seats_sure:  # nobody keeps his place at a closed table
        return changed(closed, occupied=None, seats_sure=True)
    return closed


def _opened(state: State, event: events.TableOpened) -> State:
    return changed(
        state, quarterback=None, offer_after=0, offered=None, refused=False, starting=True,
        scored_last=False, wagers_seen=wagers_are_seen(event),
    )  # fmt: skip


def _reported(state: State, event: Breach) -> State:
    code = event.duty.code
    lasting = state.lasting_reported | {code} if code in LASTING else state.lasting_reported
    return changed(state, reported=state.reported | {breach_name(event)}, lasting_reported=lasting)


def _unsure(state: State, _event: Unsure) -> State:
    """Forget after a gap what is not stated again; the dice may have changed."""
    return State(
        phase=state.phase, blind=True, dice=state.dice, dice_sure=False, lost=state.lost,
        unfit=state.unfit, first_placings=state.first_placings,
        seats_sure=False, staff_sure=False, cameras_sure=False,
    )  # fmt: skip


TURNS: Final[dict[type[object], Callable[[State, Any], State]]] = {
    events.BettingOpened: _new_game,
    events.DiceThrownByHand: _thrown,
    events.NoRollCalled: _annulled,
    events.ThrowVoided: _annulled,
    events.FaceDisputed: lambda s, e: changed(s, disputed=(*s.disputed, e)[-len(THROWN_COLOURS) :]),
    events.DisputeRuled: _ruled,
    events.RollCalled: _called,
    events.DownAnnounced: lambda s, _: changed(s, announced=True) if s.ended is None else s,
    events.TurnoverAnnounced: lambda s, _: changed(s, announced=True),
    events.WagerPlaced: _laid,
    events.WagerIncreased: _increased,
    events.WagerMoved: _wager_moved,
    events.WagerTakenDown: _gone,
    events.WagerReturned: _gone,
    events.WagerSettled: _settled,
    DecidedSome: _decided,
    events.DiceOffered: _offered,
    events.DiceRefused: _refused,
    events.DiceAccepted: _accepted,
    events.DiceSelected: _selected,
    events.DiceSetPlaced: _placed,
    events.DiceSetRemoved: _removed,
    events.DieLost: lambda s, e: changed(s, lost=s.lost | {e.die or NOT_NAMED}),
    events.DieFound: lambda s, e: changed(s, lost=s.lost - {e.die or NOT_NAMED}),
    events.ItemInspected: _inspected,
    events.StaffAssigned: _staff,
    events.StaffRelieved: _staff,
    events.CameraAssigned: _camera,
    events.CameraDescribed: _camera,
    events.CameraLost: _camera,
    events.CameraRestored: _camera,
    events.PositionTaken: _position,
    events.PositionLeft: _position,
    events.TableOpened: _opened,
    events.RulesSignPosted: lambda s, e: changed(
        s, odds_sign=s.odds_sign | {row.wager for row in e.odds or ()}
    ),
    events.RulesSignRemoved: lambda s, _: changed(s, odds_sign=frozenset()),
    events.TableClosed: _closed,
    Breach: _reported,
    Unsure: _unsure,
}
