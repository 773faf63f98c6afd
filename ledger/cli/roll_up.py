"""Several properties in one list, from their signed reports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from ledger.cli.output import emit, emit_json, progress, show

FromDay = Annotated[date | None, Parameter(name="--from", show_default=False)]
ToDay = Annotated[date | None, Parameter(name="--to", show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RollUpOptions:
    """In what form."""

    format: Annotated[Literal["text", "json", "csv"], Parameter(name="--format")] = "text"
    """For people (text), for scripts (json), for a spreadsheet (csv)."""


ROLL_UP_OPTIONS: Final = RollUpOptions()


def rollup(
    properties: Annotated[Path, Parameter(name="PROPERTIES")],
    /,
    *,
    first: FromDay = None,
    last: ToDay = None,
    options: RollUpOptions = ROLL_UP_OPTIONS,
) -> int:
    """Roll up several properties: which days are proved, and their totals by day and game.

    Each report is proved by the key that the list names. What cannot be proved or read is listed
    as not counted, with the reason. No patron is read. The exit code is 4 if a report is not what
    its property signed, 1 if a day is not counted, has a finding or leaves something unknown.

    Args:
        properties: a TOML file that lists the name, the verifier and the nights of each property.
        first: the first gaming day; default the first that any property has.
        last: the last gaming day; default the last that any property has.
    """
    from ledger.night import read_properties, roll_up
    from ledger.reports.roll_up_page import roll_up_csv, roll_up_data, roll_up_page

    listed = read_properties(properties)
    with progress("rolling up", ""):
        rolled = roll_up(listed, first, last)
    match options.format:
        case "json":
            emit_json(roll_up_data(rolled))
        case "csv":
            emit(roll_up_csv(rolled).rstrip("\n"))
        case _:
            show(roll_up_page(rolled))
    if not rolled.is_proved:
        return 4
    return 0 if rolled.is_clean else 1
