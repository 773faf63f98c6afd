"""A read model that is brought forward is the one that is built anew, row by row and in its order."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final

import duckdb
import pytest

from ledger.analytics import JudgedTables, Projection, build, marts, open_projection
from ledger.analytics.judged_tables import JudgedTable
from ledger.analytics.mart_files import DayMarts, EarlierDays
from ledger.audit import Day, HouseRecord, day_of
from ledger.casework.cases import enrollment
from ledger.events import (
    ClockChecked,
    CouponRedeemed,
    CreditTaken,
    DropBoxCounted,
    Fact,
    FillDelivered,
    GamingDayClosed,
    PersonCredentialled,
    PersonEnrolled,
    ProofKind,
)
from ledger.kernel import table_of
from ledger.replay import Replay, kept_index
from tests.analytics import given
from tests.engine import of_tables

DAYS = 2


@pytest.fixture(scope="module")
def sent() -> list[Fact]:
    """Short days of two tables and the coupons, findings planted."""
    facts = given.facts("overpaid", "late_wager", days=DAYS, scale=0.02, coupons=True)
    return of_tables(facts, "SB-01", "DC-01")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The marts of days that were written since, once for each day."""
    names: list[str] = []
    plain = build.write_mart

    def noting(connection: duckdb.DuckDBPyConnection, mart: build.Mart, folder: Path) -> object:
        names.append(mart.name)
        return plain(connection, mart, folder)

    monkeypatch.setattr(build, "write_mart", noting)
    return names


def content(projection: Projection) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every mart, as they are read."""
    with projection.connect() as connection:
        return {mart.name: connection.execute(f"FROM {mart.name}").fetchall() for mart in marts()}


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.full)])
def test_in_any_batches_and_order(
    seed: int, sent: list[Fact], tmp_path: Path, written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts late by days, closings anywhere; the kept index is cut into many segments."""
    monkeypatch.setattr(kept_index, "KEEP_EVERY", 64)
    rng = random.Random(seed)
    facts = [fact for fact in sent if type(fact) is not GamingDayClosed or rng.random() < 0.7]
    for _ in range(15):
        late = facts.pop(rng.randrange(len(facts)))
        facts.insert(rng.randrange(len(facts)), late)
    folder = given.ledger(tmp_path / "ledger", facts[: len(facts) // 3])
    open_projection(folder)
    cuts = sorted(rng.sample(range(len(facts) // 3, len(facts)), 3 if seed else 2))
    for low, high in zip([len(facts) // 3, *cuts], [*cuts, len(facts)], strict=True):
        given.append(folder, facts[low:high])
        forward, fresh = open_projection(folder), anew(folder, tmp_path)
        assert content(forward) == content(fresh)
        assert days(forward) == days(fresh)


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[frozenset[date] | None]:
    """The days that were looked at again; None where all were."""
    looks: list[frozenset[date] | None] = []
    plain = build.affected_days

    def noting(replay: Replay, house: HouseRecord, earlier: EarlierDays) -> frozenset[date] | None:
        looks.append(plain(replay, house, earlier))
        return looks[-1]

    monkeypatch.setattr(build, "affected_days", noting)
    return looks


def days(projection: Projection) -> list[DayMarts]:
    """What stands of each day; where judgments went on from says nothing of what they say."""
    return [replace(day, parts={}) for day in projection.days]


def anew(folder: Path, scratch: Path) -> Projection:
    """A read model that is built from nothing."""
    shutil.rmtree(scratch / "anew", ignore_errors=True)
    return open_projection(folder, where=scratch / "anew")


def of_streams(facts: list[Fact], rng: random.Random, most: int) -> Iterator[list[Fact]]:
    """Facts in batches: each stream in its order, but streams as far apart as they may be."""
    waiting: dict[str, list[Fact]] = {}
    for fact in facts:
        waiting.setdefault(fact.stream, []).append(fact)
    while waiting:
        stream = rng.choice(sorted(waiting))
        batch = waiting[stream][: rng.randrange(1, most)]
        waiting[stream] = waiting[stream][len(batch) :]
        if not waiting[stream]:
            del waiting[stream]
        yield batch


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.full) for n in range(1, 9))])  # fmt: skip
def test_days_that_are_passed_over_say_what_they_said(
    seed: int, tmp_path: Path, looked_at: list[frozenset[date] | None]
) -> None:
    """Tables whose facts come days after those of others, or begin in the middle of a day."""
    rng = random.Random(seed)
    tables = ("SB-01", "DC-01")
    facts = of_tables(given.facts("overpaid", "late_wager", days=DAYS, scale=0.02), *tables)
    facts = [fact for fact in facts if type(fact) is not GamingDayClosed]  # it bears on any day
    ahead = [fact for fact in facts if table_of(fact.stream) == "SB-01"]
    begun = [fact for fact in facts if table_of(fact.stream) not in tables]
    begun += ahead[: len(ahead) // 2]
    folder = given.ledger(tmp_path / "ledger", begun)
    open_projection(folder)
    stands = set(begun)
    batches = list(
        of_streams([fact for fact in facts if fact not in stands], rng, 200 if seed else 400)
    )
    looks = {*rng.sample(range(len(batches)), 4 if seed else 2), len(batches) - 1}
    for number, batch in enumerate(batches):
        given.append(folder, batch)
        forward = open_projection(folder)
        if number in looks:
            assert days(forward) == days(anew(folder, tmp_path))
    brought = [days for days in looked_at if days is not None]
    assert len(brought) > len(batches) // 4


def test_a_table_that_begins_on_a_day_that_stands(
    sent: list[Fact], tmp_path: Path, looked_at: list[frozenset[date] | None]
) -> None:
    folder = given.ledger(tmp_path / "ledger", [f for f in sent if table_of(f.stream) != "DC-01"])
    open_projection(folder)
    looked_at.clear()
    given.append(folder, [fact for fact in sent if fact.stream == "DC-01/wheel"])
    assert days(open_projection(folder)) == days(anew(folder, tmp_path))
    (affected,) = (days for days in looked_at if days is not None)
    assert len(affected) == DAYS


BEARS_ON_ANY_DAY: Final = {
    "a slip is compared with those of the days around": lambda fact: type(fact) in (FillDelivered, CreditTaken),
    "a control total": lambda fact: type(fact) is GamingDayClosed,
    "a coupon that moves": lambda fact: type(fact) is CouponRedeemed,
    "what the house records": lambda fact: type(fact) is ClockChecked,
    "a box that is counted": lambda fact: type(fact) is DropBoxCounted,
}  # fmt: skip


@pytest.mark.parametrize("why", BEARS_ON_ANY_DAY)
def test_what_may_bear_on_any_day_has_all_looked_at(
    why: str, sent: list[Fact], tmp_path: Path, looked_at: list[frozenset[date] | None]
) -> None:
    """One such fact is the next one of its stream, and nothing else comes."""
    is_such = BEARS_ON_ANY_DAY[why]
    facts = [fact for fact in sent if type(fact) is not GamingDayClosed or is_such(fact)]
    place = next(n for n, fact in enumerate(facts) if is_such(fact) and n > len(facts) // 3)
    own = facts[place].stream
    before = [fact for n, fact in enumerate(facts) if n < place or fact.stream != own]
    folder = given.ledger(tmp_path / "ledger", before)
    open_projection(folder)
    looked_at.clear()
    given.append(folder, [facts[place]])
    open_projection(folder)
    assert looked_at == [None]


@pytest.fixture
def played() -> list[Fact]:
    """Short days of two tables, without what bears on any day."""
    facts = given.facts("overpaid", "late_wager", days=DAYS, scale=0.02)
    return [
        fact for fact in of_tables(facts, "SB-01", "DC-01") if type(fact) is not GamingDayClosed
    ]


@pytest.fixture
def days_judged(monkeypatch: pytest.MonkeyPatch) -> list[date]:
    """The days of which the judged tables were asked for, once for each time."""
    asked: list[date] = []
    plain = JudgedTables.tables

    def noting(self: JudgedTables, span: Day, *, processes: int = 1) -> list[JudgedTable]:
        asked.append(span.date)
        return plain(self, span, processes=processes)

    monkeypatch.setattr(JudgedTables, "tables", noting)
    return asked


def enrolled(folder: Path, at: int) -> tuple[Fact, ...]:
    """What enrolls the first administrator, with who may write its stream."""
    person = PersonEnrolled(
        stream="cases/persons", seq=1, event_time=at, source="pitledger", recorded_by="IT-1",
        person="IT-1", how=ProofKind.PASS_PHRASE, public_key=None, enrolled_by="IT-1", proof=None,
    )  # fmt: skip
    return enrollment(Replay.open(folder), person)


def test_nobody_looks_at_a_day_that_ended_before_an_enrollment(
    played: list[Fact], tmp_path: Path, days_judged: list[date]
) -> None:
    folder = given.ledger(tmp_path / "ledger", played)
    first_day, last_day = (marts.day for marts in open_projection(folder).days)
    days_judged.clear()
    given.append(folder, [*enrolled(folder, max(fact.event_time for fact in played) + 1)])
    forward = open_projection(folder)
    assert {first_day, last_day}.isdisjoint(days_judged)
    assert days(forward) == days(anew(folder, tmp_path))


def test_a_credential_bears_on_what_is_dated_from_its_moment_on(
    played: list[Fact], tmp_path: Path, days_judged: list[date]
) -> None:
    """A dealer's is revoked in the middle of a day: the days before are not looked at, and none of
    their tables is judged again where somebody looks."""
    folder = given.ledger(tmp_path / "ledger", played)
    first_day, last_day = (marts.day for marts in open_projection(folder).days)
    days_judged.clear()
    dealt = [fact for fact in played if fact.stream == "SB-01" and fact.recorded_by is not None]
    credential = next(
        fact for fact in played
        if type(fact) is PersonCredentialled and fact.person == dealt[-1].recorded_by
    )  # fmt: skip
    seq = 1 + max(fact.seq for fact in played if fact.stream == credential.stream)
    at = dealt[-1].event_time - 1
    given.append(folder, [replace(credential, seq=seq, event_time=at, revoked=True)])
    forward = open_projection(folder)
    assert days_judged == [last_day]
    fresh = anew(folder, tmp_path)
    assert days(forward) == days(fresh)
    with forward.connect() as model:
        found = model.execute(
            "SELECT gaming_day FROM findings WHERE code = 'recorder_not_credentialed'"
        )
        assert found.fetchall() == [(last_day,)]
    replay = Replay.open(folder)
    judged = JudgedTables(replay, folder / "cache")
    span = day_of(judged.record.clock, first_day)
    assert judged.kept_judgment("SB-01", span) is not None


def test_a_table_that_was_an_office_so_far(
    sent: list[Fact], tmp_path: Path, looked_at: list[frozenset[date] | None]
) -> None:
    """What was recorded under its name bore on all tables, before it was seen to play."""
    sent = [fact for fact in sent if type(fact) is not GamingDayClosed]
    played = [fact for fact in sent if fact.stream == "DC-01"]
    others = [fact for fact in sent if table_of(fact.stream) != "DC-01"]
    credential = next(fact for fact in others if type(fact) is PersonCredentialled)
    folder = given.ledger(
        tmp_path / "ledger", [*others, replace(credential, stream="DC-01/office", seq=1)]
    )
    open_projection(folder)
    looked_at.clear()
    given.append(folder, played[:9])
    open_projection(folder)
    assert looked_at == [None]


def test_only_days_that_say_something_else_are_written(
    sent: list[Fact], tmp_path: Path, written: list[str]
) -> None:
    folder = given.ledger(tmp_path / "ledger", sent[:-1])
    open_projection(folder)
    assert written.count("rounds") == DAYS
    given.append(folder, sent[-1:])
    written.clear()
    open_projection(folder)
    assert written.count("rounds") == 1


def test_a_file_that_is_damaged_is_written_again_and_no_other(
    sent: list[Fact], tmp_path: Path, written: list[str]
) -> None:
    folder = given.ledger(tmp_path / "ledger", sent)
    before = content(open_projection(folder))
    damaged = sorted((folder / "cache" / "marts").glob("wagers.*"))[0]
    damaged.write_bytes(b"half")
    written.clear()
    assert content(open_projection(folder, is_read_whole=True)) == before
    assert written.count("rounds") == 1
