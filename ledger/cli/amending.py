"""`pitledger amend` and `pitledger property describe`: facts that a person states at the desk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ledger.cli.action_desk import NOT_CHECKED
from ledger.cli.ledger_commands import KeyOption, WitnessOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json

Text = Annotated[str | None, Parameter(show_default=False)]


def amend(
    stream: str,
    seq: int,
    /,
    *,
    file: Annotated[Path | None, Parameter(show_default=False)] = None,
    withdraw: Annotated[bool, Parameter(negative="")] = False,
    by: str,
    reason: str,
    approved_by: str,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Amend one fact: the record keeps both, and every page shows what it said and says.

    Args:
        stream: of the fact, such as SB-01.
        seq: its number.
        file: the whole fact as it should have been said, as JSON; `pitledger cat` prints that form.
        withdraw: the fact should not have been recorded at all.
        by: your credential.
        reason: why the fact is wrong.
        approved_by: credential of the person, not you, who approved it.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.cli.errors import CommandWrong, FileUnreadable
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.codec import NotAFact, frame, from_text
    from ledger.intake import Act, AmendmentWrong, amendment
    from ledger.log import Arrival
    from ledger.replay import Replay
    from ledger.reports import amended_data, amended_text

    if (file is None) is not withdraw:
        raise CommandWrong("Give --file or --withdraw.", "pitledger amend")
    replacement = None
    if file is not None:
        try:
            replacement = from_text(file.read_bytes())
        except OSError as error:
            raise FileUnreadable(str(file), error) from error
        except NotAFact as error:
            raise AmendmentWrong(f"{file.name} holds no fact: {error}") from error
    act = Act(by=by, at=read_clock(), reason=reason, approved_by=approved_by)
    with open_ledger(options.folder, key=key, witness=witness) as log:
        facts = amendment(Replay.open(options.folder), stream, seq, replacement, act)
        log.append_whole([Arrival(frame(fact)) for fact in facts], act.at)
    replay = Replay.open(options.folder)
    amended = replay.amended(stream, seq)
    if amended is None:
        raise AmendmentWrong("it was recorded, and something stands in its way")
    checked = replay.roster().is_known
    if options.is_json:
        emit_json({**amended_data(amended), "checked": checked})
    else:
        emit(amended_text(amended))
        if not checked:
            emit(NOT_CHECKED)
    return 0


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
        by: your credential.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.codec import frame, to_plain
    from ledger.intake import description
    from ledger.log import Arrival
    from ledger.replay import Replay

    at = read_clock()
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
