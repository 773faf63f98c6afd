"""The command that shows the terminals' clocks."""

from __future__ import annotations

from ledger.cli.audit_commands import DayOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit_list, progress, show
from ledger.kernel import table_of


def clocks(*, day: DayOption = None, options: Options = OPTIONS) -> int:
    """Each terminal's clock by its checks up to the end of a gaming day: offset, drift, since when.

    The exit code is 1 if one was last measured further off than is registered, or if nothing says
    how far off a terminal of a table is.

    Args:
        day: the gaming day, such as 2021-06-12; default the last one in the ledger.
    """
    from ledger.audit import clock_lines, day_of, read_office
    from ledger.cli.last_day import last_day
    from ledger.replay import Replay
    from ledger.reports import clocks_data, clocks_page

    with progress("reading", ""):
        replay = Replay.open(options.folder)
        house = read_office(replay)
        chosen = day if day is not None else last_day(replay, options.folder)
        lines = clock_lines(house.office, day_of(house.clock, chosen))
    known = {stream for line in lines if line.is_off is not None for stream in line.streams}
    registered = {stream for line in lines for stream in line.streams}
    played = set(replay.tables())
    unknown = [
        stream for stream in replay.streams() if table_of(stream) in played and stream not in known
    ]
    silent = [stream for stream in unknown if stream not in registered]
    if options.is_json:
        emit_list(clocks_data(lines, silent))
    else:
        show(clocks_page(lines, house.clock, silent))
    return 1 if unknown or any(line.is_off for line in lines) else 0
