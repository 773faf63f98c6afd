"""What a Props & Hops table has seen: one frozen state for the round and for what outlives it.

The functions below it return the state after each kind of fact. They look rows up and cite nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ledger import events
from ledger.games.breach_reporting import phase_after
from ledger.games.dice import Faces
from ledger.games.named_tuple_change import renewed, replace
from ledger.games.props_and_hops.procedure import STEPS
from ledger.games.props_and_hops.terms import DICE, LAMMERS, Phase, Roll, Sequence
from ledger.games.props_and_hops.validity import (
    CAUSES,
    LID,
    dice_of,
    faces_shown,
    no_roll_row,
    stated,
    unclear,
)
from ledger.games.props_and_hops.wagers import (
    SIX_EIGHT_SHAKE,
    faces_of,
    left_by,
    sequence_after,
)
from ledger.games.room import Breach, Invalid, Unsure, wagers_are_seen
from ledger.games.stakes_on_layout import NO_STAKES, StakesOnLayout
from ledger.kernel import FactRef, ref_of


class State(NamedTuple):
    """The state of a table. None in a field that outlives the round: it is not known.

    It was never stated, or facts were lost since.

    Args:
        lammers: the combinations whose lammer was collected.
        stakes: the wagers on the layout.
        seats: the positions with a player.
        shooter: the position that shook last.
        passing: a 7 hands the shaker on.
        order_known: whether the record shows whose turn it is.
        dealer_shook: whether the dealer shook the covered shaker since the last round.
        lid_off: whether the record shows that the lid was taken off between two rounds.
        played: a round was played since the table opened.
        wagers_seen: whether wagers are recorded at the table.
        phase: the phase of the round.
        declined: the positions that declined the shaker in this round.
        shakes: how often the covered shaker was shaken, None if not known.
        shaken: the last shake.
        collected: the combinations whose lammer this roll collects.
        decided: the wagers of this round that a roll decided.
        thrown: the fact that showed the dice, or the call that is taken for it.
        invalid: why the roll does not count.
        no_roll: the call that there was no roll.
        settled: the first settlement of the round.
        reported: the codes of breaches that the round has reported.
    """

    # outlives the round
    lammers: frozenset[Faces] | None = frozenset()
    stakes: StakesOnLayout = NO_STAKES
    seats: frozenset[str] | None = None
    seats_sure: bool = True
    staff: frozenset[tuple[events.Role, str]] | None = None
    staff_sure: bool = True
    shooter: str | None = None
    passing: bool = False
    order_known: bool = True
    dealer_shook: bool | None = False
    lid_off: bool = False
    played: bool = False
    odds_on_layout: bool | None = None
    odds_on_sign: bool = False
    wagers_seen: bool = True
    # of the round
    phase: Phase = Phase.IDLE
    declined: frozenset[str] = frozenset()
    shakes: int | None = 0
    shaken: FactRef | None = None
    dice: tuple[events.Die, ...] = ()
    roll: Roll | None = None
    collected: frozenset[Faces] = frozenset()
    decided: StakesOnLayout = NO_STAKES
    thrown: FactRef | None = None
    invalid: Invalid | None = None
    no_roll: FactRef | None = None
    settled: FactRef | None = None
    reported: frozenset[str] = frozenset()

    @property
    def in_round(self) -> bool:
        """Whether a round of play is under way."""
        return self.phase is not Phase.IDLE

    @property
    def betting_open(self) -> bool:
        """Whether wagers may still be placed."""
        return self.phase is Phase.BETTING

    @property
    def knowable(self) -> bool:
        """Whether something of the outcome can already be seen."""
        return self.phase in KNOWABLE

    def sequence(self, faces: Faces) -> Sequence:
        """Return the state of the sequence after this roll.

        With unknown lammers it goes on, unless a 7 was rolled.
        """
        return sequence_after(self.lammers or frozenset(), faces, LAMMERS)

    def may_sit(self, position: str) -> bool:
        """Whether somebody is seated there, or the record does not say who sits where."""
        return self.seats is None or not self.seats_sure or position in self.seats

    def due_to_shake(self) -> str | None:
        """Return the position whose turn it is, None where record or chapter does not say."""
        if self.seats is None or not (self.order_known and self.seats_sure):
            return None
        seats = sorted(self.seats - self.declined)
        if not seats:
            return None
        if self.shooter is None:
            return seats[0]
        if self.passing:
            return next((seat for seat in seats if seat > self.shooter), seats[0])
        return self.shooter if self.shooter in seats else None


KNOWABLE: Final = frozenset({Phase.AT_REST, Phase.UNREAD})
SEEN: Final = KNOWABLE
OUTSIDE: Final = frozenset({Phase.IDLE, Phase.LOST})
INITIAL: Final = State()


# --- how each fact moves it -----------------------------------------------------------------------


OUTLIVES: Final = (
    "lammers", "seats", "seats_sure", "staff", "staff_sure", "shooter", "passing", "order_known", "dealer_shook", "lid_off",
    "odds_on_layout", "odds_on_sign", "wagers_seen",
)  # fmt: skip
"""The fields of the state that outlive a round, besides the wagers on the layout."""


def _new_round(state: State, _event: events.BettingOpened) -> State:
    stakes = state.stakes.of_earlier_round()
    return renewed(state, OUTLIVES, phase=Phase.BETTING, stakes=stakes, played=True)


def _player_shook(state: State, event: events.PlayerShook) -> State:
    phase = phase_after(STEPS, state.phase, event)
    if phase is not Phase.SHAKEN:
        return state
    before = state.shakes if state.phase is Phase.SHAKEN else 0
    here = 0 if event.covered is False else event.shakes if event.covered else None
    shakes = None if here is None or before is None else before + here
    shooter = state.shooter if event.position is None else event.position
    return replace(
        state, phase=phase, shakes=shakes, shaken=ref_of(event), shooter=shooter, passing=False,
        order_known=event.position is not None, invalid=None, no_roll=None, lid_off=False,
    )  # fmt: skip


def _thrown(state: State, event: events.DiceThrown | events.DiceThrownByHand) -> State:
    if (state.phase, type(event)) not in STEPS or state.phase is Phase.IDLE:
        return state
    dice, at = dice_of(event), ref_of(event)
    state = replace(state, dice=dice, thrown=at, dealer_shook=False)
    if len(dice) != DICE:
        return _unread(state)
    row = no_roll_row(dice, lifted=state.phase is Phase.LIFTED)
    if row is not None:
        return replace(state, phase=Phase.NO_ROLL, invalid=row)
    faces = None if unclear(dice) else faces_shown(dice)
    return _unread(state) if faces is None else _rolled(state, faces)


def _unread(state: State) -> State:
    lost = None if state.stakes.lies(SIX_EIGHT_SHAKE) else state.lammers
    return replace(state, phase=Phase.UNREAD, lammers=lost, roll=None, order_known=False)


def _rolled(state: State, faces: Faces) -> State:
    """Apply a valid roll: lammers move, a sequence may end, a 7 hands the shaker on."""
    sequence = state.sequence(faces)
    lammers, collected = state.lammers, state.collected
    if sequence is not Sequence.GOES_ON:
        lammers = frozenset()
    elif faces in LAMMERS and state.stakes.lies(SIX_EIGHT_SHAKE) and lammers is not None:
        collected = frozenset({faces}) - lammers
        lammers = lammers | {faces}
    if sequence is Sequence.COMPLETED:
        collected = frozenset({faces})
    kept = state.stakes.kept(left_by(sequence))
    return replace(
        state, phase=Phase.AT_REST, roll=Roll(faces, sequence), lammers=lammers,
        collected=collected, stakes=kept, decided=state.stakes.fresh(), no_roll=None, invalid=None,
        passing=sequence is Sequence.LOST or state.passing, dealer_shook=False,
    )  # fmt: skip


def _no_roll(state: State, event: events.NoRollCalled | events.RoundVoided) -> State:
    if not state.in_round:
        return state
    if state.phase is Phase.SHAKEN:
        row = CAUSES.get(event.reason or "")
        return replace(state, phase=Phase.NO_ROLL, no_roll=ref_of(event), thrown=None, invalid=row)
    return replace(state, no_roll=ref_of(event))


def _called(state: State, event: events.RollCalled) -> State:
    """Take an announcement for dice that were not recorded."""
    faces = stated(event)
    if state.phase is Phase.LIFTED:
        return _used(state, event)
    if state.phase is not Phase.SHAKEN or faces is None:
        return state
    return _rolled(replace(state, thrown=ref_of(event)), faces)


def _used(
    state: State, event: events.RollCalled | events.WagerSettled | events.WagerReturned
) -> State:
    """Note that the dice were used as they lay when the player took off the lid."""
    return replace(
        state, phase=Phase.NO_ROLL, invalid=LID, thrown=ref_of(event), dealer_shook=False
    )


def _lifted_lid(state: State, _event: events.LidLiftedByPlayer) -> State:
    return replace(state, phase=Phase.LIFTED, shakes=0) if state.phase is Phase.SHAKEN else state


def _placed(state: State, event: events.WagerPlaced) -> State:
    return replace(state, stakes=state.stakes.placed(event))


def _changed(
    state: State, event: events.WagerIncreased | events.WagerTakenDown | events.WagerReturned
) -> State:
    if state.stakes.takes_away(event):
        return _gone(state, event.wager_id)
    return replace(state, stakes=state.stakes.changed(event))


def _moved_to(state: State, event: events.WagerMoved) -> State:
    after = _gone(state, event.wager_id)
    return replace(after, stakes=state.stakes.moved(event))


def _gone(state: State, wager_id: str) -> State:
    """Remove a wager from the layout; with the last Six Eight Shake the sequence ends."""
    after = state.stakes.without(wager_id)
    if state.stakes.is_of(wager_id, SIX_EIGHT_SHAKE) and not after.lies(SIX_EIGHT_SHAKE):
        return replace(state, stakes=after, lammers=frozenset())
    return replace(state, stakes=after)


def settles_as_it_lay(state: State, event: events.WagerSettled | events.WagerReturned) -> bool:
    """Whether a wager is settled while the lid is off that the player took off.

    A Six Eight Shake that is only returned is not: it may be removed before a 7.
    """
    if state.phase is not Phase.LIFTED:
        return False
    back = isinstance(event, events.WagerReturned) or event.outcome is events.SettledAs.RETURNED
    return not (back and state.stakes.is_of(event.wager_id, SIX_EIGHT_SHAKE))


def _settled(state: State, event: events.WagerSettled | events.WagerReturned) -> State:
    if settles_as_it_lay(state, event):
        state = _used(state, event)
    if isinstance(event, events.WagerReturned):
        return _changed(state, event)
    after = _gone(state, event.wager_id)
    back = event.outcome is events.SettledAs.RETURNED
    if back or state.settled is not None or not state.in_round:
        return after
    return replace(after, settled=ref_of(event))


def _lammers_placed(state: State, event: events.LammersPlaced) -> State:
    """Infer the lammers collected from the boxes that hold one, where they are not known."""
    if state.lammers is not None:
        return state
    on = frozenset(faces for word in event.combinations if (faces := faces_of(word)) is not None)
    return replace(state, lammers=LAMMERS - on)


def _dealer_shook(state: State, event: events.DiceShaken) -> State:
    """Count a shake of the covered shaker between rounds (§ 668a.3(d), (j)).

    That the lid came off in a round says nothing of it: few terminals record that it is put back.
    """
    between = state.phase not in MID_ROUND and not state.lid_off
    shaken = between and event.role is not events.Role.PATRON
    return replace(state, dealer_shook=True) if shaken else state


MID_ROUND: Final = frozenset({Phase.NO_MORE_BETS, Phase.SHAKEN, Phase.LIFTED})


def _inspected(state: State, event: events.ItemInspected) -> State:
    if event.subject is events.Subject.LAYOUT and event.item == "printed_odds":
        return replace(state, odds_on_layout=event.found)
    return state


def _staffed(state: State, event: events.StaffAssigned | events.StaffRelieved) -> State:
    pair, known = (event.role, event.person), state.staff or frozenset()
    staff = known | {pair} if isinstance(event, events.StaffAssigned) else known - {pair}
    return replace(state, staff=staff)


def _unsure(state: State, _event: Unsure) -> State:
    phase = Phase.LOST if state.in_round else state.phase
    lost = state.in_round or state.stakes.lies(SIX_EIGHT_SHAKE)
    lammers = None if lost else state.lammers
    return replace(
        state, phase=phase, lammers=lammers, seats_sure=False, staff=None, staff_sure=False, order_known=False,
        passing=False, dealer_shook=None, lid_off=False, odds_on_layout=None,
    )  # fmt: skip


TURNS: Final[dict[type[object], Callable[[State, Any], State]]] = {
    events.TableOpened: lambda s, e: replace(
        s,
        shooter=None,
        passing=False,
        played=False,
        order_known=True,
        wagers_seen=wagers_are_seen(e),
    ),
    events.BettingOpened: _new_round,
    events.NoMoreBetsAnnounced: lambda s, e: replace(s, phase=phase_after(STEPS, s.phase, e)),
    events.PlayerShook: _player_shook,
    events.ShakerDeclined: lambda s, e: replace(s, declined=s.declined | {e.position}),
    events.LidLiftedByPlayer: _lifted_lid,
    events.DiceShaken: _dealer_shook,
    events.ShakerPlaced: lambda s, _: replace(s, lid_off=False),
    events.ShakerCovered: lambda s, _: replace(s, lid_off=False),
    events.ShakerUncovered: lambda s, _: replace(s, lid_off=s.phase not in MID_ROUND),
    events.DiceThrown: _thrown,
    events.DiceThrownByHand: _thrown,
    events.RollCalled: _called,
    events.NoRollCalled: _no_roll,
    events.RoundVoided: _no_roll,
    events.LammersPlaced: _lammers_placed,
    events.WagerPlaced: _placed,
    events.WagerIncreased: _changed,
    events.WagerMoved: _moved_to,
    events.WagerTakenDown: _changed,
    events.WagerReturned: _settled,
    events.WagerSettled: _settled,
    events.PositionTaken: lambda s, e: replace(s, seats=(s.seats or frozenset()) | {e.position}),
    events.PositionLeft: lambda s, e: (
        s if s.seats is None else replace(s, seats=s.seats - {e.position})
    ),
    events.StaffAssigned: _staffed,
    events.StaffRelieved: _staffed,
    events.ItemInspected: _inspected,
    events.RulesSignPosted: lambda s, _: replace(s, odds_on_sign=True),
    Breach: lambda s, e: replace(s, reported=s.reported | {e.duty.code}),
    Unsure: _unsure,
}
