"""The form of an observation to be filled in, and the list of observations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ledger import events
from ledger.audit import Observation, RecordedRound
from ledger.codec import format_time
from ledger.games import BY_GAME
from ledger.kernel import PropertyClock, plural
from ledger.reports.table_style import plain_table

HEAD = """\
# What the recording shows of {round}, {game}.
# Write what you see, not what the terminal says. Whatever cannot be seen: leave it out, or write
# "cannot see". Then: pitledger observe FILE --by CREDENTIAL
table = {table}
round = {round_text}
camera = {camera}{others}
camera_ahead = "cannot see"   # seconds by which the camera's clock is ahead; -3: behind
time = {time}   # date and time as the recording shows them
note = ""
"""


def empty_form(recorded: RecordedRound, cameras: Sequence[str], clock: PropertyClock) -> str:
    """The form of a round, in TOML, with nothing of what the terminal recorded as shown.

    Args:
        recorded: the round; its wagers are named, without their amounts.
        cameras: the cameras of its table then.
        clock: the property's, for the local time.
    """
    result = recorded.result
    local = clock.local(result.closed_at or result.opened_at)
    others = f"   # or {', '.join(cameras[1:])}" if len(cameras) > 1 else ""
    head = HEAD.format(
        round=_comment(result.round),
        game=_comment(result.game),
        table=_quoted(result.table),
        round_text=_quoted(result.round),
        camera=_quoted(cameras[0] if cameras else ""),
        others=_comment(others),
        time=f'"{local:%Y-%m-%d %H:%M:%S}"',
    )
    return head + "\n".join([*_outcome(recorded), *_wagers(recorded), ""])


def _outcome(recorded: RecordedRound) -> Iterator[str]:
    room = BY_GAME.get(recorded.result.game)
    if room is None:
        return
    facts = [step.fact for step in recorded.steps]
    throws = [one for one in facts if isinstance(one, (events.DiceThrown, events.DiceThrownByHand))]
    if room.dice is not None and room.hands is None:
        dice = ['"cannot see"'] * room.dice
        if throws and all(die.colour is not None for die in throws[0].dice):
            dice = [_quoted(f"{die.colour} cannot see") for die in throws[0].dice]
        yield f"throws = [[{', '.join(dice)}]]   # a list for each throw; a die is 1 to 6"
    if recorded.wheel is not None:
        yield 'sections = ["cannot see"]   # one for each spin'
        yield 'revolutions = ["cannot see"]   # how often the wheel turned, one for each spin'


def _wagers(recorded: RecordedRound) -> Iterator[str]:
    room = BY_GAME.get(recorded.result.game)
    yield "# the tables below come last in the file; amounts are dollars, stake 0: no such wager"
    if room is not None and room.hands is not None:
        facts = [step.fact for step in recorded.steps]
        seats = {one.position for one in facts if isinstance(one, events.HandSet)}
        for seat in sorted(seats):
            yield f"[[hand]]   # cards such as AS 10H JOKER 4D\nseat = {_quoted(seat)}"
            yield 'high = "cannot see"\nmedium = "cannot see"\nlow = "cannot see"'
    for wager in recorded.result.wagers:
        yield f"[[wager]]\nid = {_quoted(wager.wager_id)}\nseat = {_quoted(wager.position or '')}"
        yield f"name = {_quoted(wager.wager)}\npicks = {json.dumps(list(wager.picks))}"
        yield 'stake = "cannot see"\npaid = "cannot see"\ncollected = "cannot see"'


def _quoted(text: str) -> str:
    """A text as TOML writes it, which is as JSON writes it."""
    return json.dumps(text)


def _comment(text: str) -> str:
    return " ".join(text.split("\n"))


def observations_data(known: Sequence[Observation]) -> list[dict[str, object]]:
    """The observations as plain data."""
    return [
        {
            "observation": one.fact.seq,
            "round": str(one.round),
            "table": one.fact.table,
            "camera": one.fact.camera,
            "seen_at": format_time(one.fact.seen_time),
            "recorded_at": format_time(one.fact.event_time),
            "observed_by": one.fact.observed_by,
            "confirmed_by": None if one.confirmed is None else one.confirmed.confirmed_by,
            "counts": one.counts,
            "does_not_count": one.bar,
            "replaced_by": one.replaced_by,
            "checked": one.checked,
        }
        for one in known
    ]


def status_words(observation: Observation) -> str:
    """Whether an observation counts, for people."""
    if observation.bar is not None:
        return f"does not count: {observation.bar}"
    if observation.replaced_by is not None:
        return f"replaced by {observation.replaced_by}"
    if observation.confirmed is None:
        return "not confirmed"
    return f"confirmed by {observation.confirmed.confirmed_by}"


def observations_page(known: Sequence[Observation], clock: PropertyClock) -> RenderableType:
    """The observations as a list for people."""
    if not known:
        return Text("Nobody stated what a recording shows.")
    table = plain_table()
    for name in ("no.", "round", "seen", "camera", "observed by"):
        table.add_column(name, no_wrap=True)
    table.add_column("status", overflow="fold")
    for observation in known:
        table.add_row(
            str(observation.fact.seq),
            str(observation.round),
            f"{clock.local(observation.fact.seen_time):%Y-%m-%d %H:%M:%S}",
            Text(observation.fact.camera),
            Text(observation.fact.observed_by),
            Text(status_words(observation), style="green" if observation.counts else "magenta"),
        )
    waiting = sum(
        observation.confirmed is None and observation.bar is None for observation in known
    )
    foot = f"{plural(len(known), 'observation')}, {waiting:,} waiting for a second person."
    return Group(table, Text(), Text(foot))
