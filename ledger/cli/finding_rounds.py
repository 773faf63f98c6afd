"""The command that finds rounds by what a person remembers."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit_list, progress, show


def find(
    *words: Annotated[str, Parameter(name="WORDS", allow_leading_hyphen=False)],
    most: int = 50,
    options: Options = OPTIONS,
) -> int:
    """Find rounds by what is remembered: `find 'DC-01 21:45±5m bet:1 $25 seat:2'`.

    Words of one kind are alternatives, words of different kinds must all hold; `*` stands for any
    letters.

    - Table: `DC-01`, `SB-*`; game: `game:sic`.
    - Time: `21:45`, `9:45pm`, `21:45±5m`, `21:30-22:00`; without a date it is the last such time.
    - Gaming day: `2021-06-12`, `6/12/2021`, `today`, `yesterday`.
    - Wager: `bet:small`, `bet:"total 9"`, `seat:2`, `patron:p-DC-01-53*`, `coupon:P25-41`.
    - Stake: `$25`, `$20-30`, `$100+`, `>=$50`; paid wrongly: `overpaid`, `underpaid>100`.
    - People: `dealer:D-DC-01-2`, `person:F-21`.
    - Equipment: `dice:`, `shaker:`, `wheel:`, `deck:`, `camera:` and its name.
    - State: `code:late_wager`, `findings`, `unknown`, `void`, `settled`, `uncovered`.
    - Any fact or wager by its id: `SB-02:9251`, `round:W-1`; words of it: `"free text"`.

    The exit code is 1 if a round that is listed has a finding or an unknown outcome, or if none
    matches and something is unknown where was looked.

    Args:
        words: the search line.
        most: how many rounds are listed at most.
    """
    from ledger.reports.find_page import search_data, search_page
    from ledger.search import find as find_rounds

    def today() -> date:
        from ledger.audit import read_office
        from ledger.cli.wall_clock import read_clock
        from ledger.replay import Replay

        return read_office(Replay.open(options.folder)).clock.day_of(read_clock())

    with progress("searching", ""):
        answer = find_rounds(options.folder, " ".join(words), today=today, most=max(1, most))
    if options.is_json:
        emit_list(search_data(answer))
    else:
        show(search_page(answer))
    if answer.hits:
        return int(any(hit.codes or hit.status == "unknown" for hit in answer.hits))
    return int(bool(answer.searched.unknown or answer.searched.uncovered or answer.searched.doubts))
