"""The marts say what the audit says, keep every invariant, and each invariant can fail."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from ledger import events
from ledger.analytics import (
    Mart,
    Projection,
    ProjectionBroken,
    marts,
    open_projection,
    run_select,
)
from ledger.analytics.build import check
from ledger.analytics.marts import staging_statements
from ledger.analytics.staging_columns import COLUMNS
from ledger.audit import DayAudit, audit_day, gaming_days, rounds_of
from ledger.replay import Replay
from ledger.reports.night.takings import takings_of
from ledger.rounds import RoundStatus
from tests.analytics import given
from tests.audit.test_accounts import CLOSES, counted, money
from tests.audit.test_slips import other_box
from tests.engine import log_of, of_tables, sic_bo

MARK = """SELECT DATE '2021-06-12', 'SB-01:1', 'SB-01', 1, 'TableOpened', 'SB-01', 0, '', 0, '', NULL, {late},
    'T-1', NULL, NULL, NULL, 0"""
# What breaks each invariant: any row that it should catch.
CORRUPTIONS = {
    "rounds.every_round_once": "INSERT INTO rounds FROM rounds LIMIT 1",
    "rounds.named_by_its_first_fact": "UPDATE rounds SET seq = seq + 1",
    "rounds.status_is_known": "UPDATE rounds SET shown = NULL WHERE status = 'settled'",
    "rounds.closes_after_it_opened": "UPDATE rounds SET closed_at = opened_at - 1",
    "rounds.as_many_as_the_audit_has": "DELETE FROM rounds WHERE round = (SELECT min(round) FROM rounds)",
    "rounds.of_an_audited_day": "UPDATE rounds SET gaming_day = gaming_day + 30",
    "rounds.counts_its_wagers": "DELETE FROM wagers WHERE wager_id = (SELECT min(wager_id) FROM wagers)",
    "rounds.counts_its_findings": "UPDATE findings SET effect_cents = effect_cents + 1",
    "wagers.every_wager_once": "INSERT INTO wagers FROM wagers LIMIT 1",
    "wagers.in_a_round": "DELETE FROM rounds WHERE wagers > 0",
    "wagers.as_many_as_the_audit_has": "DELETE FROM wagers",
    "wagers.outcomes_are_known": "UPDATE wagers SET expected_outcome = 'perhaps'",
    "wagers.stakes_are_sound": "UPDATE wagers SET stake_cents = -stake_cents",
    "wagers.the_rules_take_what_is_lost": "UPDATE wagers SET expected_stake_taken_cents = 1 WHERE expected_outcome = 'won'",
    "wagers.nothing_said_of_the_unknown": "UPDATE wagers SET difference_cents = 0, expected_outcome = 'unknown'",
    "wagers.nets_and_difference_add_up": "UPDATE wagers SET difference_cents = difference_cents + 1",
    "outcomes.every_round_once": "INSERT INTO outcomes FROM outcomes LIMIT 1",
    "outcomes.of_a_decided_round": "UPDATE outcomes SET shown = '6 6 6'",
    "outcomes.every_settled_round": "DELETE FROM outcomes WHERE multiplier = 1",
    "outcomes.dice_or_wheel": "UPDATE outcomes SET section = '10' WHERE faces IS NOT NULL",
    "outcomes.dice_add_up": "UPDATE outcomes SET total = total + 1 WHERE faces IS NOT NULL",
    "outcomes.multipliers_are_those_shown": "UPDATE outcomes SET multiplier = 7 WHERE multiplier = 1",
    "findings.numbered_without_holes": "DELETE FROM findings WHERE number = 1",
    "findings.as_many_as_the_audit_has": "DELETE FROM findings WHERE effect_cents > 0",
    "findings.words_are_known": "UPDATE findings SET section = ''",
    "findings.of_a_round_of_its_day": "UPDATE findings SET gaming_day = gaming_day + 1",
    "table_days.every_table_once": "INSERT INTO table_days FROM table_days LIMIT 1",
    "table_days.win_by_count_adds_up": "UPDATE table_days SET closer_cents = closer_cents + 1",
    "table_days.nothing_of_what_is_missing": "UPDATE table_days SET missing = 'the closer'",
    "table_days.rounds_only_where_recorded": "UPDATE table_days SET capture = 'outcome'",
    "table_days.every_difference_is_told": "UPDATE table_days SET difference_cents = 12345",
    "table_days.wagered_as_the_wagers_say": "UPDATE table_days SET wagered_cents = wagered_cents * 1000",
    "table_captures.every_table_once": "INSERT INTO table_captures FROM table_captures LIMIT 1",
    "table_captures.levels_are_known": "UPDATE table_captures SET level = 'some'",
    "table_captures.of_every_table_with_rounds": "DELETE FROM table_captures",
    "findings.a_wager_can_be_found": "UPDATE findings SET round = NULL, facts = []",
    "settlements.every_settlement_once": "INSERT INTO settlements FROM settlements LIMIT 1",
    "settlements.every_wager_that_has_one": "DELETE FROM settlements WHERE observed_outcome = 'won'",
    "settlements.too_much_or_too_little": "UPDATE settlements SET overpaid_cents = 1 WHERE difference_cents = 0",
    "settlements.a_section_with_its_edition": "UPDATE settlements SET sections = [section]",
    "settlements.settled_by_a_fact": "UPDATE settlements SET observed_facts = []",
    "throws.every_die_once": "DELETE FROM throws WHERE die_number = 2",
    "throws.faces_of_a_die": "UPDATE throws SET face = 7 WHERE face = 6",
    "throws.of_an_audited_day": "UPDATE throws SET gaming_day = gaming_day + 30",
    "throws.of_a_round_of_its_table": "UPDATE throws SET table_name = 'SB-99'",
    "throws.dice_that_decided_were_thrown": "DELETE FROM throws WHERE face = 6",
    "throws.a_set_of_its_table": "UPDATE throws SET dice_set = 'SB-99:1'",
    "spins.every_spin_once": "INSERT INTO spins FROM spins LIMIT 1",
    "spins.a_section_of_the_wheel": "UPDATE spins SET section = 54",
    "spins.of_an_audited_day": "UPDATE spins SET gaming_day = gaming_day + 30",
    "spins.of_a_round_of_its_table": "UPDATE spins SET stopped_at = 0",
    "spins.numbered_in_the_round": "DELETE FROM spins WHERE spin_number = 1",
    "hands.every_position_once": "INSERT INTO hands FROM hands LIMIT 1",
    "hands.of_a_round_of_its_table": "UPDATE hands SET table_name = 'AP-99'",
    "hands.of_an_audited_day": "UPDATE hands SET gaming_day = gaming_day + 30",
    "hands.ranked_as_one": "UPDATE hands SET low_rank = NULL WHERE high_rank = 'pair'",
    "hands.stakes_are_those_of_the_wagers": "UPDATE hands SET stake_cents = stake_cents + 1",
    "coupons.every_step_once": "INSERT INTO coupons FROM coupons LIMIT 1",
    "coupons.a_range_runs_forward": "UPDATE coupons SET quantity = quantity + 1",
    "coupons.in_one_place_at_a_time": "UPDATE coupons SET until = NULL, until_day = NULL WHERE place = 'redeemed'",
    "coupons.moves_on_after_it_came": "UPDATE coupons SET until = since - 1 WHERE until IS NOT NULL",
    "coupons.none_is_lost_on_the_way": "DELETE FROM coupons WHERE place = 'cancelled'",
    "dealer_shifts.every_stay_once": "INSERT INTO dealer_shifts FROM dealer_shifts LIMIT 1",
    "dealer_shifts.within_its_day": "UPDATE dealer_shifts SET until = since - 1",
    "dealer_shifts.nobody_twice_at_once": "INSERT INTO dealer_shifts SELECT * REPLACE (until - 1 AS since) FROM dealer_shifts LIMIT 1",
    "dealer_shifts.money_of_its_rounds": "UPDATE dealer_shifts SET underpaid_cents = underpaid_cents + 1",
    "dealer_shifts.never_with_a_sign": "UPDATE dealer_shifts SET overpaid_cents = -1",
    "equipment_days.every_piece_once": "INSERT INTO equipment_days FROM equipment_days LIMIT 1",
    "equipment_days.kinds_are_known": "UPDATE equipment_days SET kind = 'roulette'",
    "equipment_days.within_its_day": "UPDATE equipment_days SET microseconds = microseconds * 2",
    "equipment_days.no_use_is_made_up": "UPDATE equipment_days SET uses = uses + 1",
    "marks.every_fact_once": f"INSERT INTO marks {MARK.format(late=True)} UNION ALL {MARK.format(late=True)}",
    "marks.marked_for_a_reason": f"INSERT INTO marks {MARK.format(late=False)}",
    "staff_coverage.every_stretch_once": "INSERT INTO staff_coverage FROM staff_coverage LIMIT 1",
    "staff_coverage.no_two_at_once": "INSERT INTO staff_coverage SELECT * REPLACE (since + 1 AS since) FROM staff_coverage LIMIT 1",
    "staff_coverage.words_are_known": "UPDATE staff_coverage SET state = 'absent'",
    "staff_coverage.within_its_day": "UPDATE staff_coverage SET until = since",
    "staff_coverage.a_dealer_line_while_open": "DELETE FROM staff_coverage WHERE role = 'DEALER'",
}  # fmt: skip
INVARIANTS = {f"{mart.name}.{one.name}": one for mart in marts() for one in mart.invariants}


@pytest.fixture(scope="module")
def replay(two_days: Path) -> Replay:
    return Replay.open(two_days)


@pytest.fixture(scope="module")
def audits(replay: Replay) -> list[DayAudit]:
    return [audit_day(replay, day) for day in gaming_days(replay)]


@pytest.fixture(scope="module")
def copy(two_days: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return given.database(two_days, tmp_path_factory.mktemp("copy") / "copy.duckdb")


def rows(projection: Projection, query: str) -> list[tuple[object, ...]]:
    with projection.connect() as connection:
        return connection.execute(query).fetchall()


def test_every_invariant_has_a_corruption() -> None:
    assert set(CORRUPTIONS) == set(INVARIANTS)


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", INVARIANTS)
def test_invariant_holds_and_is_seen_failing(copy: Path, name: str) -> None:
    with duckdb.connect(copy) as connection:
        assert connection.execute(INVARIANTS[name].sql).fetchall() == []
        connection.execute("BEGIN")
        connection.execute(CORRUPTIONS[name])
        assert connection.execute(INVARIANTS[name].sql).fetchall() != []
        connection.execute("ROLLBACK")


@pytest.mark.parametrize("mart", marts(), ids=lambda mart: mart.name)
def test_a_mart_with_other_columns_is_refused(copy: Path, mart: Mart) -> None:
    with duckdb.connect(copy) as connection:
        check(connection, mart)
        connection.execute("BEGIN")
        connection.execute(f"ALTER TABLE {mart.name} ADD COLUMN one_more BIGINT")
        with pytest.raises(ProjectionBroken):
            check(connection, mart)
        connection.execute("ROLLBACK")


@pytest.mark.parametrize("mart", marts(), ids=lambda mart: mart.name)
def test_its_key_tells_rows_apart_and_its_columns_are_told(
    two_days: Path, projection: Projection, mart: Mart
) -> None:
    key = ", ".join(mart.key)
    assert (
        rows(projection, f"SELECT {key} FROM {mart.name} GROUP BY {key} HAVING count(*) > 1") == []
    )
    nulls = " OR ".join(f"{column} IS NULL" for column in mart.key)
    assert rows(projection, f"SELECT {key} FROM {mart.name} WHERE {nulls}") == []
    assert set(mart.key) <= {column.name for column in mart.columns}
    assert mart.grain
    assert all(column.meaning for column in mart.columns)
    described = run_select(
        two_days,
        f"SELECT comment FROM duckdb_columns() WHERE table_name = '{mart.name}' AND schema_name = 'main'",
        when_stale="refuse",
    ).rows
    assert [comment for (comment,) in described] == [column.about for column in mart.columns]


def test_staging_has_the_columns_that_are_sent() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA staging")
        for statement in staging_statements():
            connection.execute(statement)
        for table, schema in COLUMNS.items():
            described = connection.execute(f"DESCRIBE staging.{table}").fetchall()
            assert [name for name, *_ in described] == schema.names


def test_totals_are_those_of_the_audit(
    projection: Projection, copy: Path, audits: list[DayAudit]
) -> None:
    assert len(audits) == 2
    once = "DISTINCT (placed_stream, placed_seq)"  # some lie over several rounds
    for table, count, each in (("rounds", "rounds", "*"), ("wagers", "wagers", once)):
        mart_rows = rows(
            projection, f"SELECT gaming_day, count({each}) FROM {table} GROUP BY 1 ORDER BY 1"
        )
        assert mart_rows == [(audit.gaming_day, getattr(audit, count)) for audit in audits]
    with duckdb.connect(copy, read_only=True) as database:
        mart_rows = database.execute(
            "SELECT gaming_day, digest, events, unknown_rounds FROM staging.days ORDER BY 1"
        ).fetchall()
    assert mart_rows == [(a.gaming_day, a.digest, a.events, a.unknown_rounds) for a in audits]


def test_findings_are_those_of_the_audit(projection: Projection, audits: list[DayAudit]) -> None:
    expected = [
        (
            audit.gaming_day, number, f.code, f.severity.value, f.certainty.value, f.sentence,
            f.citations[0].pin, f.stream, f.round, f.wager, [str(fact) for fact in f.facts], f.effect_cents,
        )
        for audit in audits
        for number, f in enumerate(audit.findings, 1)
    ]  # fmt: skip
    mart_rows = rows(
        projection,
        "SELECT gaming_day, number, code, severity, certainty, sentence, section, stream, round,"
        " wager_id, facts, effect_cents FROM findings ORDER BY 1, 2",
    )
    assert mart_rows == expected
    assert {"wager_overpaid", "wager_underpaid", "gap"} <= {row[2] for row in mart_rows}


def test_rounds_and_wagers_are_those_of_the_audit(projection: Projection, replay: Replay) -> None:
    results = [one for day in gaming_days(replay) for one in rounds_of(replay, day)]
    shown = dict(
        rows(
            projection, "SELECT round, [status, shown, facts::VARCHAR, wagers::VARCHAR] FROM rounds"
        )
    )
    assert shown == {
        r.round: [r.status.value, r.shown, str(r.facts), str(len(r.wagers))] for r in results
    }
    net = {
        (r.round, w.wager_id): w.expected.winnings_cents - w.expected.stake_taken_cents
        for r in results
        for w in r.wagers
        if w.expected.winnings_cents is not None and w.expected.stake_taken_cents is not None
    }
    told_net = rows(
        projection,
        "SELECT round, wager_id, expected_net_cents FROM wagers WHERE expected_net_cents IS NOT NULL",
    )
    assert {(a, b): c for a, b, c in told_net} == net
    settled = {r.round for r in results if r.status is RoundStatus.SETTLED}
    decided = {one for (one,) in rows(projection, "SELECT round FROM outcomes")}
    assert settled <= decided
    assert {r.round for r in results if r.status is RoundStatus.VOID} & decided == set()


def test_money_found_is_money_missing(projection: Projection) -> None:
    told = rows(
        projection,
        "SELECT f.code, f.effect_cents, w.difference_cents FROM findings f"
        " JOIN wagers w USING (round, wager_id)"
        " WHERE f.code IN ('wager_overpaid', 'wager_underpaid') AND certainty = 'broken'",
    )
    assert len(told) >= 4
    assert all(effect == difference != 0 for _, effect, difference in told)
    clean = (
        "SELECT count(*) FROM wagers ANTI JOIN findings USING (round) WHERE difference_cents <> 0"
    )
    assert rows(projection, clean) == [(0,)]


def test_the_multiplier_is_the_one_that_paid(projection: Projection) -> None:
    told = rows(
        projection,
        "SELECT w.wager, w.expected_winnings_cents / (w.stake_cents * multiplier), bool_or(multiplier > 1)"
        " FROM wagers w JOIN outcomes USING (round) JOIN settlements s USING (round, wager_id)"
        " WHERE multiplier IS NOT NULL AND w.expected_outcome = 'won' AND s.coupons = []"
        " GROUP BY ALL ORDER BY 1",
    )
    assert len({wager for wager, *_ in told}) == len(told) >= 4
    assert any(multiplied for *_, multiplied in told)


def test_local_times_are_the_propertys(projection: Projection) -> None:
    ((local, utc),) = rows(
        projection, "SELECT opened_local, opened_at FROM rounds ORDER BY opened_at LIMIT 1"
    )
    assert str(local).endswith("-04:00")
    ((again,),) = rows(projection, f"SELECT epoch_us(TIMESTAMP '{str(local)[:26]}') + 14400000000")
    assert again == utc


def test_a_ledger_without_facts_has_empty_marts(tmp_path: Path) -> None:
    found = open_projection(given.ledger(tmp_path / "ledger", []))
    for mart in marts():
        assert rows(found, f"SELECT count(*) FROM {mart.name}") == [(0,)]


def test_an_office_alone_has_empty_marts(tmp_path: Path) -> None:
    office = [fact for fact in given.facts() if fact.stream == "house"] or given.facts()[:1]
    found = open_projection(given.ledger(tmp_path / "ledger", office))
    assert rows(found, "SELECT count(*) FROM rounds") == [(0,)]


def test_the_box_of_a_table_that_never_opened_is_in_the_mart_and_in_the_totals(
    tmp_path: Path,
) -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3_600, 5_000)
    other_box(scene, 20 * 3_600)
    facts = scene.build()
    found = open_projection(given.ledger(tmp_path / "ledger", facts))
    columns = "table_name, cash_drop_cents, win_by_count_cents, missing"
    day = f"gaming_day = DATE '{scene.day}'"
    assert rows(found, f"SELECT {columns} FROM table_days WHERE {day}") == [
        ("T-01", 5_000, -6_000, ""),
        ("T-09", 12_300, None, "the opener; the closer"),
    ]
    takings = takings_of(scene.day, audit_day(Replay(log_of(facts)), scene.day).accounts)
    assert (takings.drop_cents, takings.table_days, takings.of_table_days) == (17_300, 2, 2)
    assert (takings.win_cents, takings.held_drop_cents) == (-6_000, 5_000)


def test_the_same_ledger_gives_the_same_marts(
    two_days: Path, projection: Projection, tmp_path: Path
) -> None:
    other = open_projection(two_days, where=tmp_path)
    for mart in marts():
        assert rows(other, f"FROM {mart.name}") == rows(projection, f"FROM {mart.name}")


def test_a_wager_whose_round_lost_its_opening_is_told_by_its_facts(tmp_path: Path) -> None:
    """A Bonus Wager lies alone: neither the Asia Poker Wager beside it nor the opening arrived."""
    sent = of_tables(given.facts(scale=0.02), "AP-02")
    placed = [fact for fact in sent if isinstance(fact, events.WagerPlaced)]
    bonus = next(fact for fact in placed if fact.wager == "Bonus Wager")
    lost = {
        fact.seq
        for fact in placed
        if fact.position == bonus.position and fact.wager != bonus.wager and fact.seq < bonus.seq
    }
    openings = [fact.seq for fact in sent if isinstance(fact, events.BettingOpened)]
    lost |= {max(seq for seq in openings if seq < bonus.seq)}
    rest = [fact for fact in sent if fact.stream != bonus.stream or fact.seq not in lost]
    projection = open_projection(given.ledger(tmp_path / "ledger", rest))
    with projection.connect() as model:
        rows = model.execute(
            "SELECT round, facts FROM findings WHERE code = 'bonus_without_main_wager'"
        ).fetchall()
    assert rows
    assert all(name is None and facts for name, facts in rows)
