"""Commands that speak to a broker."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.broker_options import (
    BootstrapOption,
    PrefixOption,
    RegistryOption,
    broker_settings,
)
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, emit_json_line, progress, say

if TYPE_CHECKING:
    from ledger.log.kafka import Ingested


def publish(
    *,
    bootstrap: BootstrapOption = None,
    topic_prefix: PrefixOption = None,
    repeat: Annotated[bool, Parameter(negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """Send the ledger to its topics: every fact, and every byte that it could not accept.

    Args:
        bootstrap: HOST:PORT of the broker; default PITLEDGER_KAFKA, then 127.0.0.1:19092.
        topic_prefix: stands before .tables.v1 and the others; default pitledger.
        repeat: send everything again without looking what is there.
    """
    from ledger.kernel import plural
    from ledger.log import read_log
    from ledger.log.kafka import publish as send
    from ledger.log.kafka import stop_on_signals

    settings = broker_settings(bootstrap, topic_prefix, None)
    log = read_log(options.folder)
    with progress("publishing", "entries") as report, stop_on_signals() as stop:
        done = send(log, settings, repeat=repeat, progress=report, stop=stop)
    values: dict[str, object] = {
        "facts": done.facts,
        "conflicts": done.conflicts,
        "quarantined": done.quarantined,
        "already": done.already,
        "position": done.position,
        "interrupted": done.interrupted,
    }
    if done.erased:
        values["erased"] = done.erased
    if options.is_json:
        emit_json(values)
    else:
        if done.erased:
            kept = plural(done.erased, "fact")
            emit(f"{kept} not sent: something in each is erased, and the topics keep all\n")
        emit(
            f"{done.facts:,} facts, {done.conflicts:,} conflicts and {done.quarantined:,} other"
            f" quarantined records sent to {settings.bootstrap}\n"
            f"{done.already:,} were there already\n"
            f"up to position {done.position:,} everything is in the topics\n"
        )
    return 130 if done.interrupted else 0


def ingest(
    *,
    bootstrap: BootstrapOption = None,
    topic_prefix: PrefixOption = None,
    registry: RegistryOption = None,
    follow: Annotated[bool, Parameter(negative="")] = False,
    batch: Annotated[int | None, Parameter(show_default=False)] = None,
    again: Annotated[bool, Parameter(negative="")] = False,
    judge: Annotated[bool, Parameter(negative="")] = False,
    key: Annotated[Path | None, Parameter(show_default=False)] = None,
    witness: Annotated[Path | None, Parameter(show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Take facts from the topics into the ledger, each record once, whatever stops or restarts.

    Args:
        bootstrap: HOST:PORT of the broker; default PITLEDGER_KAFKA, then 127.0.0.1:19092.
        topic_prefix: stands before .tables.v1 and the others; default pitledger.
        registry: a schema registry that resolves ids, by URL; default PITLEDGER_REGISTRY.
        follow: go on after the present ends of the topics, until interrupted.
        batch: how many records become durable together; default 10,000.
        again: take from the quarantine what could not be read when it came; no broker is asked.
        judge: say each finding as soon as it is certain, as `pitledger watch` does; with --format
            json each line is a document: a finding, a silence, and last what was ingested.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.cli.lent_ledger import LentLedger
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.watching import judging
    from ledger.log.kafka import BATCH, ingest_again, load_compiled, stop_on_signals
    from ledger.log.kafka import ingest as take

    settings = broker_settings(bootstrap, topic_prefix, registry)
    if follow and judge:
        load_compiled()  # no finding waits for it then
    with (
        LentLedger(
            options.folder, lambda: open_ledger(options.folder, key=key, witness=witness)
        ) as ledger,
        progress("ingesting", "records") as report,
        stop_on_signals() as stop,
        judging(options, wanted=judge) as looks,
    ):
        size = max(1, batch) if batch is not None else BATCH

        def asked_to_stop() -> bool:
            looks.look()
            return stop()

        if again:
            done = ingest_again(ledger.log, settings, batch=size)
        else:
            done = take(
                ledger.log, settings, follow=follow, batch=size, progress=report,
                stop=asked_to_stop, turn=lambda _: ledger.lend(stop),
                gather_until=lambda: ledger.gather_until(looks.due),
            )  # fmt: skip
    _tell(done, options, of_lines=judge)
    if done.interrupted:
        return 130
    return 1 if done.conflicts or done.quarantined else 0


def _tell(done: Ingested, options: Options, *, of_lines: bool) -> None:
    """Say what was taken; where each line was a document of its own, the last one is, too."""
    for line in done.unreadable:
        say(f"{line}; pitledger ingest --again takes it once it can be read")
    if options.is_json:
        taken = {
            "read": done.read,
            "accepted": done.accepted,
            "repeated": done.repeated,
            "conflicts": done.conflicts,
            "quarantined": done.quarantined,
            "batches": done.batches,
            "tree_size": done.size,
            "root": done.root.hex(),
            "interrupted": done.interrupted,
            "unreadable": list(done.unreadable),
        }
        if of_lines:
            emit_json_line({"ingested": taken})
        else:
            emit_json(taken)
    else:
        emit(
            f"{done.read:,} records read: {done.accepted:,} appended, {done.repeated:,} there"
            f" already, {done.conflicts:,} in conflict, {done.quarantined:,} quarantined\n"
            f"ledger: {done.size:,} entries, root {done.root.hex()}\n"
        )
