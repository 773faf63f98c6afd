"""Who holds a credential, as far as the record says."""

from __future__ import annotations

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_list, progress, show


def people(*, options: Options = OPTIONS) -> int:
    """List the credentials on record: department, rank, since when, and whether still held.

    Who acts on a case, corrects a fact or signs is checked against these. The exit code is 1 if
    nobody's is on record, or if it is not known whether one is still held.
    """
    from ledger.audit import read_office
    from ledger.casework.authorization import credentials
    from ledger.cli.wall_clock import read_clock
    from ledger.replay import Holding, Replay
    from ledger.reports.credentials_page import people_data, people_page

    with progress("reading", ""):
        replay = Replay.open(options.folder)
        clock = read_office(replay).clock
        known, roster, at = credentials(replay).values(), replay.roster(), read_clock()
    if options.is_json:
        emit_list(people_data(known, roster, at))
    elif known:
        show(people_page(known, roster, at, clock))
    else:
        emit("No credential of anybody is on record: nothing that persons do can be checked.\n")
    holdings = [roster.holding(fact.person, at) for fact in known]
    return 1 if not holdings or Holding.UNKNOWN in holdings else 0
