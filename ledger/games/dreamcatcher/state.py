"""What a Dreamcatcher table has seen: one frozen state for the round and for what outlives it.

The functions below it return the state after each kind of fact. They look rows up and cite nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ledger import events
from ledger.games.dreamcatcher.procedure import STEPS
from ledger.games.dreamcatcher.terms import Phase
from ledger.games.dreamcatcher.validity import VALID, Landing, known, landing, landing_on
from ledger.games.dreamcatcher.wagers import FACTORS
from ledger.games.named_tuple_change import renewed, replace
from ledger.games.room import Breach, Invalid, Unsure
from ledger.games.standing_stakes import NOTHING_STANDS, StandingStakes
from ledger.games.wheel import Sections
from ledger.kernel import FactRef, Instant, ref_of


class State(NamedTuple):
    """The state of a table. None in a field that outlives the round: it is not known.

    It was never stated, or facts were lost since.

    Args:
        wheel: the wheel in use.
        sections: its sections, clockwise.
        phase: the phase of the round.
        announced: when "no more bets" came, microseconds UTC.
        stakes: the wagers that stand.
        spun: the last spin that was due.
        shows: what the valid spins of the round showed.
        factor: the product of their multipliers.
        void: why the last spin is void.
        in_section: the clapper of the last spin rested in a section.
        settled: the first settlement that came too early.
        on_bonus: the wagers paid or collected while the last valid spin was a multiplier: the
            wager's id, the fact, and what the house lost by it in cents.
        called_off: the fact that declared the round void before any valid spin.
        reported: the codes of breaches that the round has reported.
    """

    # outlives the round
    wheel: str | None = None
    sections: Sections | None = None
    # of the round
    phase: Phase = Phase.IDLE
    announced: Instant | None = None
    stakes: StandingStakes = NOTHING_STANDS
    spun: FactRef | None = None
    shows: tuple[str, ...] = ()
    factor: int = 1
    void: Invalid | None = None
    in_section: bool = False
    settled: FactRef | None = None
    on_bonus: tuple[tuple[str, FactRef, int], ...] = ()
    called_off: FactRef | None = None
    reported: frozenset[str] = frozenset()

    @property
    def in_round(self) -> bool:
        """Whether a round of play is under way."""
        return self.phase is not Phase.IDLE

    @property
    def betting_open(self) -> bool:
        """Whether wagers may still be placed: neither "no more bets" nor a spin has come."""
        return self.phase is Phase.BETTING

    @property
    def knowable(self) -> bool:
        """Whether something of the outcome can be seen: a spin that counts has ended."""
        return bool(self.shows) or self.phase in KNOWABLE


KNOWABLE: Final = frozenset({Phase.UNREAD, Phase.UNDECIDABLE})

INITIAL: Final = State()
OUTLIVES: Final = ("wheel", "sections")
"""The fields of the state that outlive a round."""

OUTSIDE: Final = frozenset({Phase.IDLE, Phase.LOST})
SPINNING: Final = frozenset({Phase.NO_MORE_BETS, Phase.VOID, Phase.BONUS, Phase.UNREAD})
SPINS_TO_COME: Final = frozenset({Phase.BETTING, Phase.NO_MORE_BETS, Phase.VOID})
COUNTS: Final = frozenset(
    {Phase.BETTING, Phase.NO_MORE_BETS, Phase.VOID, Phase.BONUS, Phase.UNREAD}
)


# --- how each fact moves it -----------------------------------------------------------------------


def _new_round(state: State, _event: events.BettingOpened) -> State:
    return renewed(state, OUTLIVES, phase=Phase.BETTING)


def _announced(state: State, event: events.NoMoreBetsAnnounced) -> State:
    if state.phase is Phase.BETTING:
        return replace(state, phase=Phase.NO_MORE_BETS, announced=event.event_time)
    return state


def _spun(state: State, event: events.WheelSpun) -> State:
    if state.phase in OUTSIDE:
        return state
    if state.phase not in COUNTS:
        return replace(state, phase=Phase(STEPS[state.phase, events.WheelSpun].then))
    landed = landing(state.sections, event, unread=state.phase is Phase.UNREAD)
    if state.spun is None or landed.phase in VALID:
        state = replace(state, settled=None, on_bonus=())
    return _turned(
        replace(state, spun=ref_of(event), in_section=event.clapper is events.Clapper.IN_SECTION),
        landed,
    )


def _turned(state: State, landed: Landing) -> State:
    if landed.phase not in (Phase.BONUS, Phase.DECIDED):
        return replace(state, phase=landed.phase, void=landed.void)
    shows = (*state.shows, landed.symbol)
    factor = state.factor * FACTORS.get(landed.symbol, 1)
    return replace(state, phase=landed.phase, void=None, shows=shows, factor=factor)


def _called(state: State, event: events.SpinCalled) -> State:
    heard = state.phase is Phase.UNREAD and known(event.result)
    return _turned(state, landing_on(event.result)) if heard else state


def _voided(
    state: State, event: events.SpinVoided | events.RoundVoided | events.DeviceFailed
) -> State:
    """Follow a voiding or a failure: a number stands anyway; else no rule says what follows."""
    if state.phase is Phase.DECIDED and not isinstance(event, events.DeviceFailed):
        return replace(state, phase=Phase.OVERRULED)
    match event:
        case events.SpinVoided():
            lost = state.phase is Phase.UNREAD and not state.in_section
        case events.RoundVoided():
            lost = state.phase is Phase.UNREAD and not state.shows
            if state.phase in SPINS_TO_COME:  # the wheel may be spun all the same
                state = replace(state, called_off=ref_of(event))
        case events.DeviceFailed():
            lost = event.device is events.Device.WHEEL and state.phase in SPINNING
    return replace(state, phase=Phase.UNDECIDABLE) if lost else state


def _settled(state: State, event: events.WagerSettled) -> State:
    early = state.phase in (Phase.BETTING, Phase.NO_MORE_BETS, Phase.BONUS)
    if not early or event.outcome is events.SettledAs.RETURNED:
        return state
    at, on_bonus = ref_of(event), state.on_bonus
    if state.phase is Phase.BONUS:
        lost_cents = event.winnings_cents - event.stake_taken_cents
        on_bonus = (*on_bonus, (event.wager_id, at, lost_cents))
    return replace(state, settled=state.settled or at, on_bonus=on_bonus)


def _staked(
    state: State,
    event: events.WagerPlaced
    | events.WagerIncreased
    | events.WagerTakenDown
    | events.WagerReturned,
) -> State:
    """Keep what stands; after betting closed, only what is handed back before a valid spin leaves.

    A multiplier has triggered the bonus spin for what lay there (§ 689.2(f)), handed back or not.
    """
    if state.phase in OUTSIDE or (isinstance(event, events.WagerReturned) and state.knowable):
        return state
    if isinstance(event, events.WagerTakenDown) and not state.betting_open:
        return state
    return replace(state, stakes=state.stakes.after(event))


def _removed(state: State, event: events.WheelRemoved) -> State:
    return (
        replace(state, wheel=None, sections=None) if state.wheel in (None, event.wheel) else state
    )


def _unsure(state: State, _event: Unsure) -> State:
    phase = Phase.LOST if state.in_round else state.phase
    return replace(state, wheel=None, sections=None, phase=phase)


TURNS: Final[dict[type[object], Callable[[State, Any], State]]] = {
    events.BettingOpened: _new_round,
    events.NoMoreBetsAnnounced: _announced,
    events.WheelSpun: _spun,
    events.SpinCalled: _called,
    events.SpinVoided: _voided,
    events.RoundVoided: _voided,
    events.DeviceFailed: _voided,
    events.WagerSettled: _settled,
    events.WagerPlaced: _staked,
    events.WagerIncreased: _staked,
    events.WagerTakenDown: _staked,
    events.WagerReturned: _staked,
    events.WheelPlaced: lambda s, e: replace(s, wheel=e.wheel, sections=e.sections),
    events.WheelRemoved: _removed,
    Breach: lambda s, e: replace(s, reported=s.reported | {e.duty.code}),
    Unsure: _unsure,
}
