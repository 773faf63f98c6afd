"""What a person saw on a recording, and its confirmation, as the facts that are appended.

What the form says is held against the round on record: its table, cameras, dice, wheel, cards and
wagers. What cannot be true of that round is refused; what differs from the record is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ledger import events
from ledger.audit import HouseRecord
from ledger.audit.observations import (
    STREAM,
    Observation,
    bar_of_confirmer,
    bar_of_observer,
    concerned_by,
    observations,
)
from ledger.audit.tape_account import RecordedRound
from ledger.casework.action_facts import head, registered
from ledger.casework.observation_form import ObservationForm
from ledger.games import BY_GAME
from ledger.games.room import Room
from ledger.kernel import UsageError, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import acts
from ledger.replay import FactStep, NotEntitled, Replay, person_key
from ledger.rounds import WagerResult

CAMERAS = ("CameraAssigned", "CameraLost", "CameraRestored")


class ObservationRefused(UsageError):
    """What the form says cannot be true of the round, or cannot be recorded."""

    code = "observation_refused"


class ObservationUnknown(UsageError):
    """No observation has that number."""

    code = "observation_unknown"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"There is no observation {text}.", next_step="`pitledger observe list` lists them"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraNow:
    """A camera of a table at a moment, and since when its picture was lost; None: it was not."""

    camera: str
    lost_since: int | None


def cameras_at(replay: Replay, table: str, at: int) -> list[CameraNow]:
    """Return the cameras on record for a table at a moment, in microseconds UTC."""
    known: dict[str, int | None] = {}
    streams = [one for one in replay.streams_with(CAMERAS) if one in replay.tables()[table]]
    for step in replay.walk(streams, until=at + 1, only=CAMERAS):
        match step.fact if isinstance(step, FactStep) else None:
            case events.CameraAssigned(camera=camera):
                known[camera] = None
            case events.CameraLost(camera=camera, event_time=lost):
                known[camera] = lost
            case events.CameraRestored(camera=camera):
                known[camera] = None
    return [CameraNow(camera=one, lost_since=lost) for one, lost in sorted(known.items())]


def observed(
    replay: Replay,
    house: HouseRecord,
    recorded: RecordedRound,
    form: ObservationForm,
    seen_time: int,
    by: str,
    at: int,
) -> tuple[events.Fact, ...]:
    """Return the facts by which a person states what a recording shows of a round.

    Args:
        replay: the ledger's.
        house: what the offices stated.
        recorded: the round on record.
        form: what the person filled in.
        seen_time: the moment that was looked at by the property's clock, microseconds UTC.
        by: the person's credential.
        at: now, microseconds UTC.

    Raises:
        ObservationRefused: it cannot be true of this round, or the same is on record.
        CredentialNotHeld: the record has credentials, and not this one.
        NotEntitled: the round concerns this person, or rank or department do not fit.
    """
    _named(by)
    room = BY_GAME.get(recorded.result.game)
    if room is None or not recorded.steps:
        raise ObservationRefused(f"The game of {recorded.result.round} is not known.")
    _check_camera(replay, recorded.result.table, form.camera, seen_time)
    _check_dice(form, room)
    _check_wheel(form, recorded)
    _check_hands(form, recorded, room)
    first = ref_of(recorded.steps[0].fact)
    fact = events.RoundObserved(
        **head(replay, by, at, STREAM),
        table=recorded.result.table,
        round_stream=first.stream,
        round_seq=first.seq,
        camera=form.camera,
        camera_ahead_micros=form.camera_ahead_micros,
        seen_time=seen_time,
        throws=form.throws,
        spins=form.spins,
        hands=form.hands,
        wagers=None if form.wagers is None else tuple(_wagers(form.wagers, recorded, room)),
        note=form.note,
        replaces=form.replaces,
        observed_by=by,
        proof=None,
    )
    _check_record(replay, fact, recorded)
    bar = bar_of_observer(replay, fact)
    if bar is not None:
        _refuse(replay, fact, "observe", by, at)
    return (*registered(replay, house, by, at, STREAM), fact)


def confirmed(
    replay: Replay, house: HouseRecord, number: str, by: str, at: int
) -> tuple[events.Fact, ...]:
    """Return the facts by which a second person confirms an observation.

    Args:
        replay: the ledger's.
        house: what the offices stated.
        number: the observation's.
        by: the person's credential.
        at: now, microseconds UTC.

    Raises:
        ObservationUnknown: there is no such observation.
        ObservationRefused: it is confirmed or replaced already, or does not count itself.
        CredentialNotHeld: the record has credentials, and not this one.
        NotEntitled: it is the observer, the round concerns this person, or rank or department do
            not fit.
    """
    _named(by)
    observation = observation_named(replay, number)
    if observation.bar is not None:
        raise ObservationRefused(
            f"Observation {observation.fact.seq} does not count: {observation.bar}."
        )
    if observation.replaced_by is not None:
        raise ObservationRefused(
            f"Observation {observation.fact.seq} was replaced by observation"
            f" {observation.replaced_by}."
        )
    if observation.confirmed is not None:
        raise ObservationRefused(
            f"Observation {observation.fact.seq} was confirmed by"
            f" {observation.confirmed.confirmed_by} already."
        )
    fact = events.ObservationConfirmed(
        **head(replay, by, at, STREAM), observation_seq=observation.fact.seq, confirmed_by=by,
        proof=None,
    )  # fmt: skip
    if bar_of_confirmer(replay, observation.fact, fact) is not None:
        _refuse(
            replay, observation.fact, "confirm observation", by, at, (observation.fact.observed_by,)
        )
    return (*registered(replay, house, by, at, STREAM), fact)


def observation_named(replay: Replay, number: str) -> Observation:
    """Return the observation of a number.

    Raises:
        ObservationUnknown: there is none.
    """
    text = number.strip().rpartition(":")[2]
    for observation in observations(replay):
        if (
            text.isascii()
            and text == str(observation.fact.seq)
            and observation.fact.stream == STREAM
        ):
            return observation
    raise ObservationUnknown(number[:40])


# ---------------------------------------------------------------------------- checks


def _named(by: str) -> None:
    if not person_key(by):
        raise ObservationRefused(
            "A person is named by a credential number.", next_step="--by CREDENTIAL"
        )


def _refuse(
    replay: Replay,
    fact: events.RoundObserved,
    act: str,
    by: str,
    at: int,
    others: Sequence[str] = (),
) -> None:
    """Refuse with the reason that the roster gives; a date before the observation is one, too."""
    replay.roster().require(
        acts()[act], by, at, concerned=concerned_by(replay, fact), others=others
    )
    raise NotEntitled(
        "The confirmation is dated before the observation.", next_step="check this machine's clock"
    )


def _check_camera(replay: Replay, table: str, camera: str, at: int) -> None:
    known = cameras_at(replay, table, at)
    own = next((one for one in known if one.camera == camera), None)
    if own is None and known:
        raise ObservationRefused(
            f"No camera {camera} is on record for {table} at that time.",
            cause=f"on record: {', '.join(one.camera for one in known)}",
            next_step="name one of them",
        )
    if own is not None and own.lost_since is not None:
        raise ObservationRefused(
            f"The picture of {camera} was lost at that time.",
            next_step="name another camera of the table",
        )


def _check_dice(form: ObservationForm, room: Room) -> None:
    if form.throws is None:
        return
    if room.dice is None:
        raise ObservationRefused(f"{room.game} has no dice.", next_step="leave them out")
    for number, throw in enumerate(form.throws, 1):
        if len(throw.dice) != room.dice:
            raise ObservationRefused(
                f"{room.game} is played with {room.dice} dice; throw {number} has"
                f" {len(throw.dice)}.",
                next_step='write "cannot see" for a die that cannot be seen',
            )


def _check_wheel(form: ObservationForm, recorded: RecordedRound) -> None:
    if form.spins is None:
        return
    if recorded.wheel is None:
        raise ObservationRefused(
            f"No wheel is on record at {recorded.result.table}.", next_step="leave sections out"
        )
    sections = dict.fromkeys(recorded.wheel.sections)
    for spin in form.spins:
        if spin.symbol is not None and spin.symbol not in sections:
            raise ObservationRefused(
                f"Wheel {recorded.wheel.wheel} has no section {spin.symbol}.",
                cause=f"its sections show {', '.join(sections)}",
            )


def _check_hands(form: ObservationForm, recorded: RecordedRound, room: Room) -> None:
    if form.hands is None:
        return
    if room.hands is None:
        raise ObservationRefused(f"{room.game} has no cards.", next_step="leave the hands out")
    facts = [step.fact for step in recorded.steps]
    dealt = {
        stack.position
        for fact in facts
        if isinstance(fact, events.CardsDealt)
        for stack in fact.stacks
    }
    sizes = {
        name: {len(getattr(fact, name)) for fact in facts if _has_part(fact, name)}
        for name in ("high", "medium", "low")
    }
    for hand in form.hands:
        if dealt and hand.position not in dealt:
            raise ObservationRefused(
                f"No cards were dealt to seat {hand.position}.",
                cause=f"they were dealt to {', '.join(sorted(dealt))}",
            )
        for name, many in sizes.items():
            cards = getattr(hand, name)
            if cards is not None and many and len(cards) not in many:
                raise ObservationRefused(
                    f"Seat {hand.position}: the {name} hand has {len(cards)} cards, not"
                    f" {' or '.join(map(str, sorted(many)))}.",
                    next_step='write "cannot see" for a hand of which a card cannot be seen',
                )


def _has_part(fact: events.Fact, name: str) -> bool:
    return isinstance(fact, events.HandSet) and getattr(fact, name) is not None


def _wagers(
    seen: Sequence[events.ObservedWager], recorded: RecordedRound, room: Room
) -> Iterator[events.ObservedWager]:
    """The wagers of a form, each with the id of its wager on record and the name of its row."""
    left = {result.wager_id: result for result in recorded.result.wagers}
    named = {seen_wager.wager_id for seen_wager in seen if seen_wager.wager_id is not None}
    for seen_wager in seen:
        wager = _of_row(seen_wager, room)
        if wager.wager_id is not None and wager.wager_id not in {*left, *_ids(recorded)}:
            raise ObservationRefused(
                f"{recorded.result.round} has no wager {wager.wager_id} on record.",
                cause=f"on record: {', '.join(left) or 'none'}",
                next_step="leave the id out for a wager that the terminal did not record",
            )
        if wager.wager_id is None:
            fits = [known for known in left.values() if _is_same(known, wager)]
            fits = [known for known in fits if known.wager_id not in named]
            if len(fits) > 1:
                raise ObservationRefused(
                    f"{' and '.join(known.wager_id for known in fits)} are wagers on"
                    f" {wager.wager} from that seat.",
                    next_step="give the id of the one that is meant",
                )
            if fits:
                wager = replace(wager, wager_id=fits[0].wager_id)
                named.add(fits[0].wager_id)
        _check_amounts(wager)
        yield wager


def _ids(recorded: RecordedRound) -> Iterator[str]:
    """The wagers that facts of a round name, also those whose placing was lost."""
    for step in recorded.steps:
        wager_id = getattr(step.fact, "wager_id", None)
        if isinstance(wager_id, str):
            yield wager_id


def _of_row(wager: events.ObservedWager, room: Room) -> events.ObservedWager:
    name = wager.wager.casefold()
    rows = [
        row
        for row in room.wagers
        if name in (row.name.casefold(), *(one.casefold() for one in row.also_called))
    ]
    if not rows:
        raise ObservationRefused(
            f"{room.game} has no wager {wager.wager}.",
            cause=f"its wagers: {', '.join(dict.fromkeys(row.name for row in room.wagers))}",
        )
    if not any(wager.picks in row.picks for row in rows):
        raise ObservationRefused(
            f"{rows[0].name} has no picks {' '.join(map(str, wager.picks)) or '(none given)'}."
        )
    return replace(wager, wager=rows[0].name)


def _is_same(known: WagerResult, wager: events.ObservedWager) -> bool:
    is_there = wager.position is None or known.position in (None, wager.position)
    return is_there and (known.wager, known.picks) == (wager.wager, wager.picks)


def _check_amounts(wager: events.ObservedWager) -> None:
    name = wager.wager_id or wager.wager
    if wager.stake_cents == 0 and (wager.paid_cents or wager.collected_cents):
        raise ObservationRefused(f"{name}: nothing can be paid on a wager that was not there.")
    if wager.stake_cents == 0 and wager.wager_id is None:
        raise ObservationRefused(f"{name}: neither the record nor the recording has such a wager.")
    if wager.stake_cents is not None and (wager.collected_cents or 0) > wager.stake_cents:
        raise ObservationRefused(f"{name}: more was collected than lay there.")


def _check_record(replay: Replay, fact: events.RoundObserved, recorded: RecordedRound) -> None:
    """Refuse what is on record already, and what replaces an observation of another round."""
    refs = {ref_of(step.fact) for step in recorded.steps}
    known = [observation for observation in observations(replay) if observation.round in refs]
    if fact.replaces is not None:
        if fact.replaces not in {observation.fact.seq for observation in known}:
            raise ObservationRefused(
                f"Observation {fact.replaces} is none of this round, so it cannot be replaced.",
                next_step="`pitledger observe list` lists them",
            )
        before = next(observation for observation in known if observation.fact.seq == fact.replaces)
        if before.replaced_by is not None:
            raise ObservationRefused(
                f"Observation {fact.replaces} was replaced by observation {before.replaced_by}."
            )
    for observation in known:
        if _content(observation.fact) == _content(fact):
            raise ObservationRefused(
                f"Observation {observation.fact.seq} says the same already; nothing was recorded.",
                next_step=f"`pitledger observe confirm {observation.fact.seq} --by CREDENTIAL`, by"
                " a second person",
            )


def _content(fact: events.RoundObserved) -> object:
    """What an observation says, whoever recorded it and when."""
    return replace(fact, seq=1, event_time=0, recorded_by=None, proof=None)
