"""What a Sic Bo table has seen: one frozen state for the round and for what outlives it.

The functions below it return the state after each kind of fact. They look rows up and cite nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ledger import events
from ledger.games.breach_reporting import phase_after
from ledger.games.dice import Faces
from ledger.games.named_tuple_change import renewed, replace
from ledger.games.room import Breach, Unsure
from ledger.games.sic_bo.procedure import STEPS
from ledger.games.sic_bo.terms import DICE, LIGHTING, SUPERVISORS, Phase
from ledger.games.sic_bo.validity import faces_of, no_roll_row, unclear
from ledger.kernel import FactRef, ref_of


class State(NamedTuple):
    """The state of a table. None in a field that outlives the round: it is not known.

    It was never stated, or facts were lost since. ``reported`` holds the codes of breaches that the
    round has reported.
    """

    # outlives the round
    shakers: frozenset[tuple[str, str]] | None = None
    automated_before: bool = False
    covered: bool | None = None
    broken: FactRef | None = None
    broken_device: str = ""
    device_known: bool = True
    lit: FactRef | None = None
    # of the round
    phase: Phase = Phase.IDLE
    shaken_by_hand: bool = False
    shakes: int | None = 0
    shaken: FactRef | None = None
    dice: tuple[events.Die, ...] = ()
    faces: Faces | None = None
    stated: Faces | None = None
    called: bool = False
    entered: Faces | None = None
    thrown: FactRef | None = None
    no_roll: FactRef | None = None
    no_roll_due: bool = False
    shaker_failed: FactRef | None = None
    device_failed: FactRef | None = None
    supervised: bool = False
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
        """Whether something of the dice can be seen: they are at rest, or the cover is off."""
        return self.phase in KNOWABLE or (self.phase is Phase.SHAKEN and self.covered is False)

    @property
    def unread(self) -> bool:
        """Whether nothing but what the dealer states shows the values: no dice were seen.

        Or three dice were seen to lie flat, one of them with a face that nobody read.
        """
        flat = len(self.dice) == DICE and not self.no_roll_due and not unclear(self.dice)
        return self.phase is Phase.SHAKEN or (
            self.phase in SEEN and self.faces is None and flat and self.no_roll is None
        )

    @property
    def tossed(self) -> bool:
        """Whether the manual shaker was uncovered, or the automated one has tossed the dice."""
        open_ = not self.shaken_by_hand or self.covered is False
        return self.phase in SEEN or (self.phase is Phase.SHAKEN and open_)

    @property
    def automated_at_table(self) -> bool:
        """Whether an automated shaker is known to be at the table."""
        return any(kind == events.ShakerKind.AUTOMATED for _, kind in self.shakers or ())

    def is_automated(self, shaker: str | None) -> bool:
        """Whether this shaker, or the only kind at the table, is known to be automated."""
        return self._kinds(shaker) == {events.ShakerKind.AUTOMATED.value}

    def by_hand(self, fact: events.DiceShaken) -> bool:
        """Whether a manual shaker was shaken: as it was placed, else as the fact says."""
        placed = self._kinds(fact.shaker) if fact.shaker is not None or fact.kind is None else set()
        if len(placed) == 1:
            return placed == {events.ShakerKind.MANUAL.value}
        return fact.kind is events.ShakerKind.MANUAL

    def _kinds(self, shaker: str | None) -> set[str]:
        return {kind for name, kind in self.shakers or () if shaker in (None, name)}


SEEN: Final = frozenset({Phase.AT_REST, Phase.ENTERED, Phase.LIT})
"""The phases in which the dice of the round were seen."""

ENDED: Final = frozenset({Phase.NO_ROLL, Phase.VOID})
"""The phases of a round that decides nothing."""

KNOWABLE: Final = SEEN | ENDED

INITIAL: Final = State()
OUTLIVES: Final = (
    "shakers", "automated_before", "covered", "broken", "broken_device", "device_known",
)  # fmt: skip
"""The fields of the state that outlive a round."""


# --- how each fact moves it -----------------------------------------------------------------------


def _new_round(state: State, _event: events.BettingOpened) -> State:
    return renewed(state, OUTLIVES, phase=Phase.BETTING)


def _shaken(state: State, event: events.DiceShaken) -> State:
    hand = state.by_hand(event)
    shakes = None if event.shakes is None or state.shakes is None else state.shakes + event.shakes
    phase = phase_after(STEPS, state.phase, event)
    return replace(state, phase=phase, shaken_by_hand=hand, shakes=shakes, shaken=ref_of(event))


def _thrown(state: State, event: events.DiceThrown) -> State:
    if state.phase in SEEN or state.phase in ENDED or not state.in_round:
        return state
    counted = len(event.dice) == DICE
    due = counted and no_roll_row(event.dice) is not None
    phase = (
        Phase.NO_ROLL
        if due and state.no_roll is not None
        else phase_after(STEPS, state.phase, event)
    )
    faces = faces_of(event) if counted and not due and not unclear(event.dice) else None
    return replace(
        state, phase=phase, dice=event.dice, faces=faces, no_roll_due=due, thrown=ref_of(event)
    )


def _named(device: events.Device) -> str:
    """Return the device's name for people."""
    return device.lower().replace("_", " ")


def _failed(state: State, event: events.DeviceFailed) -> State:
    at = ref_of(event)
    if event.device in LIGHTING:
        name = _named(event.device)
        failed = at if state.tossed else state.device_failed
        return replace(state, broken=at, broken_device=name, device_failed=failed)
    if event.device is not events.Device.AUTOMATED_SHAKER or state.settled is not None:
        return state
    running = state.in_round and state.phase is not Phase.BETTING
    return replace(state, phase=Phase.VOID, shaker_failed=at) if running else state


def _fixed(state: State, event: events.DeviceFixed) -> State:
    same = event.device in LIGHTING and _named(event.device) == state.broken_device
    return replace(state, broken=None, device_known=True) if same else state


def _present(state: State, event: events.SupervisorPresent) -> State:
    """Note that somebody above watches; nothing says that one who came earlier in a round left."""
    watches = event.role in SUPERVISORS and state.in_round
    return replace(state, supervised=True) if watches else state


def _no_roll(state: State, event: events.NoRollCalled | events.RoundVoided) -> State:
    if not state.in_round:
        return state
    phase = Phase.NO_ROLL if state.no_roll_due else state.phase
    return replace(state, no_roll=ref_of(event), phase=phase)


def _entered(state: State, event: events.ValuesEntered) -> State:
    faces = tuple(sorted(event.faces))
    stated = faces if state.unread else state.stated
    return replace(
        state, entered=faces, stated=stated, phase=phase_after(STEPS, state.phase, event)
    )


def _called(state: State, event: events.RollCalled) -> State:
    stated = tuple(sorted(event.faces)) if state.unread else state.stated
    return replace(state, stated=stated, called=True)


def _lit(state: State, event: events.AreasLit) -> State:
    return replace(state, lit=ref_of(event), phase=phase_after(STEPS, state.phase, event))


def _settled(state: State, event: events.WagerSettled) -> State:
    if state.settled is not None or event.outcome is events.SettledAs.RETURNED:
        return state
    return replace(state, settled=ref_of(event))


def _placed(state: State, event: events.ShakerPlaced) -> State:
    shakers = (state.shakers or frozenset()) | {(event.shaker, event.kind.value)}
    return replace(state, shakers=shakers, covered=False)


def _removed(state: State, event: events.ShakerRemoved) -> State:
    return replace(state, shakers=frozenset(s for s in state.shakers or () if s[0] != event.shaker))


def _unsure(state: State, _event: Unsure) -> State:
    had = state.automated_before or state.automated_at_table
    return replace(
        state,
        shakers=None,
        automated_before=had,
        covered=None,
        broken=None,
        device_known=False,
        lit=None,
    )


TURNS: Final[dict[type[object], Callable[[State, Any], State]]] = {
    events.BettingOpened: _new_round,
    events.NoMoreBetsAnnounced: lambda s, e: replace(s, phase=phase_after(STEPS, s.phase, e)),
    events.DiceShaken: _shaken,
    events.DiceThrown: _thrown,
    events.RollCalled: _called,
    events.ValuesEntered: _entered,
    events.AreasLit: _lit,
    events.LightsCleared: lambda s, _: replace(s, lit=None),
    events.ShakerCovered: lambda s, _: replace(s, covered=True),
    events.ShakerUncovered: lambda s, _: replace(s, covered=False),
    events.NoRollCalled: _no_roll,
    events.RoundVoided: _no_roll,
    events.DeviceFailed: _failed,
    events.DeviceFixed: _fixed,
    events.SupervisorPresent: _present,
    events.WagerSettled: _settled,
    events.ShakerPlaced: _placed,
    events.ShakerRemoved: _removed,
    Breach: lambda s, e: replace(s, reported=s.reported | {e.duty.code}),
    Unsure: _unsure,
}
