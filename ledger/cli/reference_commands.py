"""Commands that help: schemas, settings, finding codes, questions in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, emit_list, show


def explain(
    code: Annotated[str | None, Parameter(show_default=False)] = None,
    /,
    *,
    options: Options = OPTIONS,
) -> int:
    """Say what a finding's code means, what to do about it, and where it rests.

    Args:
        code: such as wager_underpaid; without it all codes are listed.
    """
    from ledger.law import finding_codes
    from ledger.reports import codes_text, explained_data, explained_text

    if code is None:
        if options.is_json:
            emit_list(explained_data(name) for name in finding_codes())
        else:
            emit(codes_text())
    elif options.is_json:
        emit_json(explained_data(code))
    else:
        emit(explained_text(code))
    return 0


def schemas_list(*, options: Options = OPTIONS) -> int:
    """List the published schemas, every version."""
    from ledger.codec import registry
    from ledger.reports import schema_rows, schemas_page

    rows = schema_rows(registry())
    if options.is_json:
        emit_list(rows)
    else:
        show(schemas_page(rows))
    return 0


def schemas_show(
    event: Annotated[str, Parameter(name="EVENT")],
    /,
    *,
    version: Annotated[int | None, Parameter(show_default=False)] = None,
    example: Annotated[bool, Parameter(negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """Show one event: its fields, what each holds and means.

    Args:
        event: its name, such as WagerPlaced; `schemas list` has them all.
        version: which version; default the newest.
        example: a line of JSON besides, which append takes as it stands.
    """
    from ledger.codec import registry, sample_of
    from ledger.reports.schema_page import example_line, schema_data, schema_page

    schema = registry().by_name(event, version)
    described = schema_data(schema, sample_of(schema) if example else None)
    if options.is_json:
        emit_json(described)
        return 0
    show(schema_page(described))
    if "example" in described:
        emit(f"\n{example_line(described)}")
    return 0


def schemas_check(*, options: Options = OPTIONS) -> int:
    """Check that nothing published changed, and that every version reads every other.

    The exit code is 4 if anything is wrong.
    """
    from ledger.codec import check_schemas

    problems = check_schemas()
    if options.is_json:
        emit_list(
            {"kind": one.kind.value, "where": one.where, "detail": one.detail} for one in problems
        )
    elif problems:
        emit("".join(f"{one}\n" for one in problems))
    else:
        emit("Every schema is as it was published, and every version reads every other.\n")
    return 4 if problems else 0


def config_show(*, options: Options = OPTIONS) -> int:
    """Show each setting, its value, and where that came from."""
    from ledger.cli.settings import described
    from ledger.reports import settings_page

    rows = described(options.ledger)
    if options.is_json:
        emit_list(rows)
    else:
        show(settings_page(rows))
    return 0


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SelectOptions:
    """Which ledger, and in what form."""

    ledger: Annotated[Path | None, Parameter(name="--ledger", show_default=False)] = None
    """Folder of the ledger; default PITLEDGER_LEDGER, then ./pitledger-data."""

    format: Annotated[
        Literal["text", "json", "csv", "xlsx", "parquet"], Parameter(name="--format")
    ] = "text"
    """For people (text), for scripts (json), or a table for another program."""


SELECT_OPTIONS: Final = SelectOptions()


def sql(
    query: Annotated[str | None, Parameter(allow_leading_hyphen=True, show_default=False)] = None,
    /,
    *,
    columns: Annotated[bool, Parameter(negative="")] = False,
    timeout: Annotated[float, Parameter(show_default=True)] = 30.0,
    max_rows: int = 10_000,
    archive: Annotated[str | None, Parameter(name="--archive", show_default=False)] = None,
    verifier: Annotated[str | None, Parameter(name="--verifier", show_default=False)] = None,
    out: Annotated[Path | None, Parameter(name="--out", show_default=False)] = None,
    options: SelectOptions = SELECT_OPTIONS,
) -> int:
    """Ask the read model, or an archive, one question: a single SELECT.

    An archive is read where it lies, and each part that is read is proved by its signed manifest.

    Args:
        query: the SELECT; - reads it from standard input.
        columns: list every table that can be asked, with its columns, units and their meaning.
        timeout: seconds after which the question is given up.
        max_rows: how many rows are printed at most.
        archive: folder or address (s3://bucket/archive) of an archive; its table is `facts`.
        verifier: the public key that you trust for the archive, as text or in a file; default the
            key of the ledger.
        out: a file to write; xlsx and parquet need one.
    """
    from ledger.cli.errors import CommandWrong, OutNeeded
    from ledger.cli.sql_query import Asked, ask, list_columns

    if columns:
        return list_columns(is_json=options.format == "json", of_archive=archive is not None)
    if query is None:
        raise CommandWrong("Name a SELECT, or ask for the dictionary: --columns.", "pitledger sql")
    if options.format in ("xlsx", "parquet") and out is None:
        raise OutNeeded("such a file is no text")
    folder = Options(ledger=options.ledger).folder
    asked = Asked(folder=folder, archive=archive, verifier=verifier)
    return ask(asked, query, options.format, out, timeout=timeout, max_rows=max_rows)
