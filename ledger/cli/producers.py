"""What writers of facts need: a trial of what they write, and the contract as a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.broker_options import BootstrapOption, PrefixOption, RegistryOption, broker_settings
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json

if TYPE_CHECKING:
    from ledger.intake.producer_trial import Trial, TriedEvent


def schemas_try(
    file: Annotated[
        str | None, Parameter(name="FILE", show_default=False, allow_leading_hyphen=True)
    ] = None,
    /,
    *,
    topic: Annotated[bool, Parameter(negative="")] = False,
    bootstrap: BootstrapOption = None,
    topic_prefix: PrefixOption = None,
    registry: RegistryOption = None,
    options: Options = OPTIONS,
) -> int:
    """Try what a terminal writes before its table goes live: each wrong field, and nothing kept.

    The exit code is 1 if anything is wrong. No ledger is read or written.

    Args:
        file: JSON lines as append takes them, or the bytes of one record as they go into a topic;
            - for standard input.
        topic: try what lies in the topics, with each record's key, topic and partition.
        bootstrap: HOST:PORT of the broker; default PITLEDGER_KAFKA, then 127.0.0.1:19092.
        topic_prefix: stands before .tables.v1 and the others; default pitledger.
        registry: a schema registry that resolves ids, by URL; default PITLEDGER_REGISTRY.
    """
    from ledger.cli.errors import CommandWrong
    from ledger.intake.producer_trial import Trial
    from ledger.reports.trial_page import stream_rows, trial_text, tried_rows, tried_text

    if (file is None) is not topic:
        raise CommandWrong("Name a file, or --topic, one of the two.", "pitledger schemas try")
    if file is not None and file.startswith("-") and file != "-":
        raise CommandWrong(f"Unknown option: {file}.", "pitledger schemas try")
    trial = Trial()
    tried = (
        _tried_file(trial, str(file))
        if not topic
        else _tried_topics(trial, bootstrap, topic_prefix, registry)
    )
    events = wrong = 0
    problems: list[object] = []
    for event in tried:
        events += 1
        rows = tried_rows(event)
        wrong += bool(rows)
        if options.is_json:
            problems += rows
        else:
            emit(tried_text(rows))
    streams = stream_rows(trial.streams)
    if options.is_json:
        emit_json({"events": events, "wrong": wrong, "problems": problems, "streams": streams})
    else:
        emit(trial_text(events, wrong, streams))
    return 1 if wrong or any(row["missing"] or row["rewritten"] for row in streams) else 0


def _tried_file(trial: Trial, file: str) -> Iterator[TriedEvent]:
    """The events of a file: lines, or one record where the first byte is 0."""
    from ledger.cli.errors import FileUnreadable
    from ledger.codec import FRAME_BYTES

    try:
        with open(0 if file == "-" else file, "rb", closefd=file != "-") as stream:
            if stream.peek(1)[:1] == b"\x00":
                yield trial.record("the record", stream.read(FRAME_BYTES + 1))
            else:
                yield from trial.lines(stream)
    except OSError as error:
        raise FileUnreadable(file, error) from error


def _tried_topics(
    trial: Trial, bootstrap: str | None, topic_prefix: str | None, registry: str | None
) -> Iterator[TriedEvent]:
    """The records that lie in the topics of facts."""
    from ledger.intake.producer_trial import Fault, TriedEvent
    from ledger.log.kafka import TOPIC_OF_SUBJECT, records_in_topics

    settings = broker_settings(bootstrap, topic_prefix, registry)
    for record in records_in_topics(settings):
        where = f"{record.place}-{record.offset}"
        if record.problem is not None:
            fault = Fault(code="unreadable", path="", says=record.problem)
            yield TriedEvent(where=where, event=None, faults=(fault,))
            continue
        yield trial.record(
            where,
            record.payload,
            key=record.key,
            topic=record.place.topic.removeprefix(f"{settings.topic_prefix}."),
            partition=record.place.partition,
            topics=TOPIC_OF_SUBJECT,
        )


def schemas_asyncapi(*, topic_prefix: PrefixOption = None, options: Options = OPTIONS) -> int:
    """Print the contract as an AsyncAPI 3 document: topics, keys, and every schema with its id.

    Args:
        topic_prefix: stands before .tables.v1 and the others; default pitledger.
    """
    import json

    from ledger import __version__
    from ledger.log.asyncapi import asyncapi

    document = asyncapi(__version__, broker_settings(None, topic_prefix, None).topic_prefix)
    emit(json.dumps(document, indent=None if options.is_json else 2, ensure_ascii=False) + "\n")
    return 0
