"""Commands that help: schemas, settings, finding codes, questions in SQL."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.out import emit, emit_json, emit_list, show


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


def sql(
    query: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    timeout: Annotated[float, Parameter(show_default=True)] = 30.0,
    max_rows: int = 10_000,
    options: Options = OPTIONS,
) -> int:
    """Ask the read model one question: a single SELECT.

    Args:
        query: the SELECT; - reads it from standard input.
        timeout: seconds after which the question is given up.
        max_rows: how many rows are printed at most.
    """
    from ledger.cli.asking import ask

    return ask(options, query, timeout=timeout, max_rows=max_rows)
