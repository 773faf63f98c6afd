"""`pitledger amend` and `pitledger property describe`: facts that a person states at the desk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.action_desk import say_what_is_unchecked
from ledger.cli.ledger_commands import KeyOption, WitnessOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json

if TYPE_CHECKING:
    from ledger.events import Fact
    from ledger.kernel import FactRef

Text = Annotated[str | None, Parameter(show_default=False)]


def amend(
    stream: str,
    seq: int,
    /,
    *,
    file: Annotated[Path | None, Parameter(show_default=False)] = None,
    withdraw: Annotated[bool, Parameter(negative="")] = False,
    by: Text = None,
    reason: Text = None,
    approved_by: Text = None,
    preview: Annotated[bool, Parameter(negative="")] = False,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Amend one fact: the record keeps both, and every page shows what it said and says.

    With --preview nothing is written: it shows what the round comes to with the amendment, before
    two persons accept it. The exit code is then as for `pitledger whatif`.

    Args:
        stream: of the fact, such as SB-01.
        seq: its number.
        file: the whole fact as it should have been said, as JSON; `pitledger cat` prints that form.
        withdraw: the fact should not have been recorded at all.
        by: your credential.
        reason: why the fact is wrong.
        approved_by: credential of the person, not you, who approved it.
        preview: show what it would change, in money; no person is needed.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.cli.errors import CommandWrong
    from ledger.cli.person import proofs_of_two
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.codec import frame
    from ledger.intake import Act, AmendmentWrong, amendment, check_act
    from ledger.kernel import FactRef
    from ledger.log import Arrival
    from ledger.replay import Replay
    from ledger.reports import amended_data, amended_text

    if (file is None) is not withdraw:
        raise CommandWrong("Give --file or --withdraw.", "pitledger amend")
    replacement = None if file is None else _replacement(file)
    if preview:
        return _preview(FactRef(stream, seq), replacement, options)
    for name, credential in (("--by", by), ("--reason", reason), ("--approved-by", approved_by)):
        if credential is None:
            raise CommandWrong(f"Give {name}, or --preview.", "pitledger amend")
    act = Act(by=by or "", at=read_clock(), reason=reason, approved_by=approved_by)
    check_act(act)
    replay = Replay.open(options.folder)
    prove = proofs_of_two(options.folder, replay, act.by, approved_by, act.at, key)
    act = act if prove is None else replace(act, prove=prove)
    with open_ledger(options.folder, key=key, witness=witness) as log:
        facts = amendment(Replay.open(options.folder), stream, seq, replacement, act)
        log.append_whole([Arrival(frame(fact)) for fact in facts], act.at)
    replay = Replay.open(options.folder)
    amended = replay.amended(stream, seq)
    if amended is None:
        raise AmendmentWrong("it was recorded, and something stands in its way")
    if options.is_json:
        known = {"checked": replay.roster().is_known, "proved": prove is not None}
        emit_json({**amended_data(amended), **known})
    else:
        emit(amended_text(amended))
        say_what_is_unchecked(replay.roster(), prove is not None)
    return 0


def _replacement(file: Path) -> Fact:
    """The fact that a file holds."""
    from ledger.cli.errors import FileUnreadable
    from ledger.codec import NotAFact, from_text
    from ledger.intake import AmendmentWrong

    try:
        return from_text(file.read_bytes())
    except OSError as error:
        raise FileUnreadable(str(file), error) from error
    except NotAFact as error:
        raise AmendmentWrong(f"{file.name} holds no fact: {error}") from error


def _preview(ref: FactRef, replacement: Fact | None, options: Options) -> int:
    """What an amendment would change of its round, and of those after it; nothing is written."""
    from ledger.audit.supposed_facts import SupposedRound
    from ledger.audit.supposed_law import SupposedLaw
    from ledger.cli.supposed_rounds import SupposedLedger
    from ledger.reports.what_if_page import preview_data, what_if_text

    ledger = SupposedLedger.open(options.folder)
    seen = ledger.round(str(ref))
    supposed = SupposedRound(seen.result, seen.steps, seen.wheel)
    supposed.replace_fact(ref, replacement)
    law = SupposedLaw(game=seen.result.game)
    answer = ledger.answer(seen, supposed.supposition(), supposed.fields, law)
    if options.is_json:
        emit_json(preview_data(answer, supposed.fields[0].fact, replacement))
    else:
        emit(what_if_text(answer))
    return 1 if answer.stays_unknown else 0


def property_describe(
    *,
    name: str,
    time_zone: str,
    day_starts: str = "06:00",
    holder: Text = None,
    by: str,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """State once where the property is and when its gaming day starts.

    Args:
        name: of the property.
        time_zone: of its clocks, such as America/New_York.
        day_starts: when a gaming day starts by those clocks.
        holder: who holds the certificate, where that is another name.
        by: your credential; you prove who you are once anybody is enrolled to prove it.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger.cli.unrecorded_acts import check_person
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.codec import frame, to_plain
    from ledger.intake import description
    from ledger.log import Arrival
    from ledger.replay import Replay

    at = read_clock()
    replay = Replay.open(options.folder)
    check_person(options.folder, replay, "describe property", by, at, ledger_key=key)
    with open_ledger(options.folder, key=key) as log:
        facts = description(
            Replay.open(options.folder), name=name, time_zone=time_zone, starts=day_starts,
            holder=holder, by=by, at=at,
        )  # fmt: skip
        log.append_whole([Arrival(frame(fact)) for fact in facts], at)
    fact = facts[-1]
    if options.is_json:
        emit_json(to_plain(fact))
    else:
        emit(f"{name}: {time_zone}, gaming day from {day_starts} ({fact.stream}:{fact.seq})\n")
    return 0
