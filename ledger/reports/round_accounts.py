"""The accounts of a round side by side: what the terminal recorded, the dealer did, the tape shows.

Nothing is left out of any of them, and where two differ the line is marked. The tape's column says
"cannot see" for what the recording does not show.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from ledger import events
from ledger.audit import RoundAccounts, TapeAccount, TapeWager, by_whom, mark_of
from ledger.audit.tape_account import NOT_SEEN, READING
from ledger.codec import format_time, to_plain
from ledger.kernel import PropertyClock, dollars, ref_of, seconds
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.fact_sentences import wager_name
from ledger.reports.phrases import calendar_date
from ledger.reports.round_footage import footage_words
from ledger.reports.round_view import RoundView
from ledger.reports.table_style import plain_table
from ledger.reports.verdict import verdict
from ledger.rounds import RoundResult, WagerResult, net_cents

NOTHING: Final = "nothing on record"
DIFFERS: Final = "≠"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountRow:
    """One thing by each account, for people.

    Attributes:
        subject: "throw 1", "W12 due".
        terminal: by the terminal.
        dealer: what the dealer called or did; empty where that is not the dealer's.
        tapes: by each observation, in their order.
        differs: whether an observation tells it otherwise than the terminal.
    """

    subject: str
    terminal: str
    dealer: str
    tapes: tuple[str, ...]
    differs: bool


def verdict_of(seen: RoundView) -> str:
    """The first line about a round; it says so where it stands on a recording."""
    accounts = seen.accounts
    if accounts is None:
        return verdict(seen.result)
    if accounts.basis is None:
        return " ".join(filter(None, (verdict(seen.result), accounts.closed_before)))
    if accounts.closes_gap:
        return f"{verdict(accounts.result)} {footage_words(mark_of(accounts))}"
    return f"By the tape: {verdict(accounts.result)}"


# ------------------------------------------------------------------ rows


def account_rows(seen: RoundView) -> Iterator[AccountRow]:
    """The lines of the table: dice, wheel and cards first, then each wager."""
    accounts = seen.accounts
    if accounts is None:
        return
    shown = [dict(tape.shown) for tape in accounts.tapes]
    differs = {one.subject.partition(",")[0] for tape in accounts.tapes for one in tape.differences}
    terminal, called = _terminal_shown(seen), _called(seen)
    for subject in dict.fromkeys([*terminal, *called, *(one for tape in shown for one in tape)]):
        yield AccountRow(
            subject=subject,
            terminal=terminal.get(subject, NOTHING),
            dealer=called.get(subject, ""),
            tapes=tuple(tape.get(subject, NOT_SEEN) for tape in shown),
            differs=subject in differs,
        )
    yield from _wager_rows(accounts)


def _wager_rows(accounts: RoundAccounts) -> Iterator[AccountRow]:
    own = {one.wager_id: one for one in accounts.terminal.wagers}
    on_tape = [{one.wager_id: one for one in tape.wagers} for tape in accounts.tapes]
    names = {
        one.wager_id: one
        for result in (*(tape.judged for tape in accounts.tapes), accounts.terminal)
        if result is not None
        for one in result.wagers
    }
    changed = {one.subject.partition(" ")[0] for tape in accounts.tapes for one in tape.differences}
    for wager_id in dict.fromkeys([*own, *(one for tape in on_tape for one in tape)]):
        known, wager = own.get(wager_id), names.get(wager_id)
        name = "" if wager is None else f" {wager_name(wager.wager, wager.picks)}"
        tapes = [tape.get(wager_id) for tape in on_tape]
        due = None if known is None else net_cents(known.expected)
        yield AccountRow(
            subject=f"{wager_id}{name}",
            terminal=NOTHING if known is None else _terminal_words(known),
            dealer=_dealer_words(known),
            tapes=tuple(map(_tape_words, tapes)),
            differs=wager_id in changed
            or any(one is not None and one.due_cents not in (None, due) for one in tapes),
        )


def _terminal_words(wager: WagerResult) -> str:
    due = net_cents(wager.expected)
    amount = "" if due is None else f", due {_signed(due)}"
    return f"{dollars(wager.stake_cents)}: {wager.expected.outcome.value}{amount}"


def _dealer_words(wager: WagerResult | None) -> str:
    if wager is None or wager.observed is None:
        return "nothing"
    cents = net_cents(wager.observed)
    return "settled, amount unknown" if cents is None else f"settled {_signed(cents)}"


def _tape_words(wager: TapeWager | None) -> str:
    if wager is None or not wager.is_seen:
        return NOT_SEEN
    if wager.stake_cents == 0:
        return "no such wager"
    stake = "stake " + NOT_SEEN if wager.stake_cents is None else dollars(wager.stake_cents)
    due = "" if wager.due_cents is None else f", due {_signed(wager.due_cents)}"
    settled = wager.settled_cents
    done = f"payment {NOT_SEEN}" if settled is None else f"settled {_signed(settled)}"
    return f"{stake}: {wager.outcome.value}{due}; {done}"


def _signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def _terminal_shown(seen: RoundView) -> dict[str, str]:
    """What the terminal recorded of dice, wheel and cards."""
    rows: dict[str, str] = {}
    throws = spins = 0
    for step in seen.steps:
        match step.fact:
            case events.DiceThrown() | events.DiceThrownByHand() as fact:
                throws += 1
                rows[f"throw {throws}"] = " ".join(
                    "?" if die.face is None else str(die.face) for die in fact.dice
                )
            case events.WheelSpun() as fact:
                spins += 1
                rows[f"spin {spins}"] = " ".join(fact.symbols or ()) or "no section"
            case events.HandSet() as fact:
                parts = (fact.high, fact.medium, fact.low)
                rows[f"hand {fact.position}"] = " / ".join(
                    "?" if part is None else " ".join(part) for part in parts
                )
    return rows


def _called(seen: RoundView) -> dict[str, str]:
    """What the dealer called of each throw and spin."""
    rows: dict[str, str] = {}
    throws = spins = 0
    for step in seen.steps:
        match step.fact:
            case events.DiceThrown() | events.DiceThrownByHand():
                throws += 1
            case events.WheelSpun():
                spins += 1
            case events.RollCalled(faces=faces):
                rows[f"throw {max(throws, 1)}"] = f"called {' '.join(map(str, faces))}"
            case events.SpinCalled(result=result):
                rows[f"spin {max(spins, 1)}"] = f"called {result}"
    return rows


# ------------------------------------------------------------------ forms


def observation_line(tape: TapeAccount, clock: PropertyClock) -> str:
    """One observation as a line: which camera, when, by whom, and whether it counts."""
    observation = tape.observation
    fact = observation.fact
    at = clock.local(fact.seen_time)
    offset = "its clock not compared"
    if fact.camera_ahead_micros is not None:
        ahead = fact.camera_ahead_micros
        side = "ahead" if ahead > 0 else "behind"
        offset = f"its clock {seconds(abs(ahead))[1:]} {side}" if ahead else "its clock right"
    line = f"Observation {fact.seq}: camera {fact.camera} ({offset}), {at:%H:%M:%S} on"
    line += f" {calendar_date(at.date())}; {by_whom(observation)}"
    if observation.bar is not None:
        return f"{line}; it does not count: {observation.bar}"
    if observation.replaced_by is not None:
        return f"{line}; replaced by observation {observation.replaced_by}"
    if observation.confirmed is None:
        return f"{line}; it changes no verdict"
    return line if tape.why_not is None else f"{line}; not judged: {tape.why_not}"


def account_lines(seen: RoundView, clock: PropertyClock) -> Iterator[RenderableType]:
    """The accounts for a console; nothing where nobody looked at a recording."""
    accounts = seen.accounts
    if accounts is None:
        return
    yield Text("Accounts", style="bold")
    table = plain_table()
    for name in ("", *column_names(accounts)):
        table.add_column(name, overflow="fold")
    for row in account_rows(seen):
        sign = f" {DIFFERS}" if row.differs else ""
        style = "bold yellow" if row.differs else ""
        cells = (row.terminal, row.dealer, *row.tapes)
        table.add_row(Text(f"{row.subject}{sign}", style=style), *(Text(one) for one in cells))
    yield Padding(table, (0, 0, 0, 2))
    for tape in accounts.tapes:
        style = "" if tape.observation.counts else "magenta"
        yield Padding(Text(observation_line(tape, clock), style=style), (0, 0, 0, 2))
        if tape.observation.fact.note:
            yield Padding(Text(f"“{tape.observation.fact.note}”", style="dim"), (0, 0, 0, 4))
    line = Text(accounts.because, style="bold")
    line.append(f"  {READING}", style="dim")
    yield Padding(line, (0, 0, 1, 2))


def column_names(accounts: RoundAccounts) -> list[str]:
    """The heads of the columns: terminal, dealer, and each observation."""
    names = ["terminal", "dealer"]
    for tape in accounts.tapes:
        observation = tape.observation
        state = "not confirmed" if observation.confirmed is None else "does not count"
        state = "confirmed" if observation.counts else state
        names.append(f"tape {observation.fact.seq} ({state})")
    return names


def accounts_data(seen: RoundView) -> dict[str, object] | None:
    """The accounts as plain data; None where nobody looked at a recording."""
    accounts = seen.accounts
    if accounts is None:
        return None
    basis = accounts.basis
    return {
        "stands_on": "terminal" if basis is None else "tape",
        "observation": None if basis is None else basis.observation.fact.seq,
        "because": accounts.because,
        "reading": READING,
        "from_footage": accounts.closes_gap,
        "terminal": _result_data(accounts.terminal),
        "dealer": {
            "called": _called(seen),
            "settled": [
                {"wager_id": one.wager_id, "net_cents": net_cents(one.observed)}
                for one in accounts.terminal.wagers
                if one.observed is not None
            ],
        },
        "tapes": [_tape_data(tape) for tape in accounts.tapes],
    }


def _result_data(result: RoundResult) -> dict[str, object]:
    return {
        "status": result.status.value,
        "shown": result.shown,
        "verdict": verdict(result),
        "unknown_because": result.unknown_because,
        "wagers": [
            {
                "wager_id": one.wager_id,
                "stake_cents": one.stake_cents,
                "outcome": one.expected.outcome.value,
                "due_cents": net_cents(one.expected),
                "difference_cents": one.difference_cents,
            }
            for one in result.wagers
        ],
    }


def _tape_data(tape: TapeAccount) -> dict[str, object]:
    observation = tape.observation
    done = observation.confirmed
    return {
        "observation": observation.fact.seq,
        "fact": str(ref_of(observation.fact)),
        "seen_at": format_time(observation.fact.seen_time),
        "camera": observation.fact.camera,
        "observed_by": observation.fact.observed_by,
        "confirmed_by": None if done is None else done.confirmed_by,
        "counts": observation.counts,
        "checked": observation.checked,
        "does_not_count": observation.bar,
        "replaced_by": observation.replaced_by,
        "not_judged": tape.why_not,
        "shows": to_plain(observation.fact),
        "judged": None if tape.judged is None else _result_data(tape.judged),
        "wagers": [_wager_data(wager) for wager in tape.wagers],
        "differences": [
            {"subject": each.subject, "terminal": each.terminal, "tape": each.tape}
            for each in tape.differences
        ],
    }


def _wager_data(wager: TapeWager) -> dict[str, object]:
    return {
        "wager_id": wager.wager_id,
        "seen": wager.is_seen,
        "stake_cents": wager.stake_cents,
        "outcome": wager.outcome.value,
        "due_cents": wager.due_cents,
        "paid_cents": wager.paid_cents,
        "collected_cents": wager.collected_cents,
    }
