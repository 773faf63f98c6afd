"""The rounds that a report links to are those that `round show` explains, wherever one begins."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from ledger.audit import Day, HouseRecord, audit_day, day_of, read_office, with_coupons
from ledger.audit.carried import CarriedStates
from ledger.audit.table import TableWalk
from ledger.cli.days import seen_rounds
from ledger.floor import FIRST_DAY
from ledger.replay import Replay
from ledger.reports import round_views_on
from ledger.reports.night import round_html
from ledger.rounds import InEveryOrder
from tests.engine import floor_day, log_of, sealed_replay

PLANTS = ("overpaid:2", "multiplier_not_applied:2", "lost_event")


def states_of(
    replay: Replay, house: HouseRecord, table: str, day: Day, carried: Path
) -> dict[int, bytes]:
    """The states of a table before one round in four."""
    found: dict[int, bytes] = {}
    count = 0

    def keep(orders: InEveryOrder, at: int) -> None:
        nonlocal count
        count += 1
        if count % 4 == 0 and not orders.with_coupons():
            found[at] = CarriedStates.packed(orders)

    states = CarriedStates(carried, replay, house.office)
    for _ in TableWalk(replay, house, table, day, carried=states, on_opening=keep).rounds():
        pass
    return found


def test_they_are_the_rounds_that_are_explained(tmp_path: Path) -> None:
    replay = sealed_replay(log_of(floor_day(*PLANTS, seed=3, days=2)[0]))
    house = with_coupons(replay, read_office(replay))
    for date in (FIRST_DAY, FIRST_DAY + timedelta(days=1)):
        audit = audit_day(replay, date, carried=tmp_path)
        wanted = {one.round for one in audit.findings if one.round is not None}
        day = day_of(house.clock, date)
        pages = {
            one.result.round: round_html(one, house.clock)
            for one in round_views_on(replay, house, day, wanted, tmp_path)
        }
        assert set(pages) == wanted
        tables = {name.partition(":")[0].partition("/")[0] for name in wanted}
        assert pages == {
            seen.result.round: round_html(seen, house.clock)
            for table in tables
            for seen in seen_rounds(replay, house, table, until=date, explain=True)
            if seen.result.round in wanted
        }
        if date == FIRST_DAY:
            assert len(wanted) >= 3
            assert any("svg" in page and "clapper" in page for page in pages.values())
            within = {table: states_of(replay, house, table, day, tmp_path) for table in tables}
            assert all(within.values())
            assert pages == {
                one.result.round: round_html(one, house.clock)
                for one in round_views_on(replay, house, day, wanted, tmp_path, within.__getitem__)
            }
        nobody = {"SB-99:1", "SB-01:99999999"}
        assert list(round_views_on(replay, house, day, nobody, tmp_path)) == []
