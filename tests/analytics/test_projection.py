"""The projection is the ledger's, whole, and swapped in one step: or it is built anew."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest

from ledger.analytics import (
    CacheUnwritable,
    Projection,
    ProjectionBroken,
    ProjectionStale,
    ProjectionState,
    inspect_projection,
    mart_files,
    open_projection,
    prove_entries,
    read_model,
    rebuild_projection,
    run_select,
)
from ledger.analytics.marts import Mart
from ledger.analytics.projection import KEPT_DAYS
from ledger.events import ActionAbout, ActionNoted, Fact
from ledger.floor import FIRST_DAY
from ledger.kernel import IntegrityBroken
from ledger.log import LedgerMissing, Signer
from ledger.log.signed_file_index import SealedFolder, Seals, content_of
from tests.analytics import given

COUNTS = "SELECT (SELECT count(*) FROM rounds), (SELECT count(*) FROM wagers), (SELECT count(*) FROM findings)"


@pytest.fixture(scope="module")
def sent() -> list[Fact]:
    return given.facts(scale=0.02)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, sent: list[Fact]) -> Path:
    """A small ledger with its projection, to be copied."""
    folder = given.ledger(tmp_path_factory.mktemp("model") / "ledger", sent[: len(sent) // 2])
    open_projection(folder)
    return folder


@pytest.fixture
def small(model: Path, tmp_path: Path) -> Path:
    return shutil.copytree(model, tmp_path / "ledger")


def counts(found: Projection) -> list[tuple[int, ...]]:
    with found.connect() as connection:
        return connection.execute(COUNTS).fetchall()


def state(folder: Path) -> ProjectionState:
    return inspect_projection(folder)[0]


def lying(folder: Path) -> Path:
    return folder / "cache" / "marts"


def head(marts: Path) -> Path:
    return marts / "head"


def wagers(marts: Path) -> Path:
    (path,) = marts.glob("wagers.*.parquet")
    return path


def flip(path: Path, place: int) -> None:
    with path.open("r+b") as opened:
        opened.seek(place)
        (byte,) = opened.read(1)
        opened.seek(place)
        opened.write(bytes([byte ^ 0x10]))


def grow(path: Path) -> None:
    with path.open("ab") as opened:
        opened.write(b"x")


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def be_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def told(**changes: object) -> Callable[[Path], None]:
    """A head that says something else, sealed by the ledger's own key."""

    def change(marts: Path) -> None:
        sealed = SealedFolder(marts, "projection", Seals.of(marts.parent.parent))
        stored = sealed.read("head")
        assert stored is not None
        assert sealed.write("head", [json.dumps(json.loads(stored) | changes).encode()])

    return change


def without_wagers(marts: Path) -> tuple[str, dict[str, Any]]:
    """Another file of wagers under its own name, and a head that would fit it."""
    path = wagers(marts)
    with duckdb.connect() as connection:
        connection.execute(f"COPY (FROM '{path}' LIMIT 1) TO '{marts}/forged' (FORMAT parquet)")
    forged = marts / "forged"
    digest = hashlib.sha256(forged.read_bytes()).hexdigest()
    forged.rename(marts / mart_files.MartFile.of("wagers", digest).name)
    content = content_of(head(marts).read_bytes())
    assert content is not None
    says = json.loads(content)
    says["days"][0]["files"]["wagers"] = digest
    return digest, says


def forged(marts: Path) -> None:
    """Another file, and a head that fits it, sealed by a key of the forger's."""
    _, says = without_wagers(marts)
    stored = json.dumps(says).encode()
    forger = Signer("analytics.example", bytes([7]) * 32)
    seals = Seals(forger.verifier, forger)
    end = seals.trailer("projection", "head", hashlib.sha256(stored).hexdigest())
    head(marts).write_bytes(stored + end)


def exchanged(marts: Path) -> None:
    """Another file under the name of the one that was sealed."""
    path = wagers(marts)
    digest, _ = without_wagers(marts)
    (marts / mart_files.MartFile.of("wagers", digest).name).replace(path)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "the first byte flipped": lambda marts: flip(wagers(marts), 0),
    "a byte in the middle flipped": lambda marts: flip(wagers(marts), wagers(marts).stat().st_size // 2),
    "the last byte flipped": lambda marts: flip(wagers(marts), wagers(marts).stat().st_size - 1),
    "cut in half": lambda marts: cut(wagers(marts)),
    "emptied": lambda marts: os.truncate(wagers(marts), 0),
    "one byte more": lambda marts: grow(wagers(marts)),
    "gone": lambda marts: wagers(marts).unlink(),
    "exchanged": exchanged,
    "no head": lambda marts: head(marts).unlink(),
    "a head cut": lambda marts: os.truncate(head(marts), 40),
    "a head emptied": lambda marts: os.truncate(head(marts), 0),
    "a head with more in it": told(more=1),
    "a head of other days": told(days=[1]),
    "forged with a key of its own": forged,
}  # fmt: skip
LONG: Final = {"the last byte flipped", "emptied", "one byte more", "a head emptied"}
"""Damages much like another one: told in the long run."""


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(
    "damage",
    [pytest.param(name, marks=[pytest.mark.full] * (name in LONG)) for name in DAMAGES],
)
def test_damage_is_noticed_and_built_anew(small: Path, damage: str) -> None:
    whole = open_projection(small)
    expected = counts(whole)
    assert not whole.rebuilt
    DAMAGES[damage](lying(small))
    assert state(small) is ProjectionState.DAMAGED
    with pytest.raises(ProjectionStale):
        open_projection(small, when_stale="refuse")
    with read_model(small) as model:  # who reads meets it, and has it made again
        assert model.execute(COUNTS).fetchall() == expected
    assert state(small) is ProjectionState.FRESH
    assert run_select(small, "SELECT count(*) FROM wagers").rows == ((expected[0][1],),)


def test_a_query_of_a_stranger_meets_damage_too(small: Path) -> None:
    expected = counts(open_projection(small))
    flip(wagers(lying(small)), 0)
    assert run_select(small, "SELECT count(*) FROM rounds").rows == ((expected[0][0],),)
    assert state(small) is ProjectionState.DAMAGED, "nobody read the wagers"
    assert run_select(small, "SELECT count(*) FROM wagers").rows == ((expected[0][1],),)
    assert state(small) is ProjectionState.FRESH


def test_a_file_that_is_damaged_twice_is_a_refusal(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.analytics.projection.is_whole", lambda *_: False)
    with read_model(small) as model, pytest.raises(ProjectionStale):
        model.execute(COUNTS)


def test_a_folder_in_its_place_is_a_refusal(small: Path) -> None:
    be_a_folder(head(lying(small)))
    be_a_folder(lying(small) / "lock")
    with pytest.raises(CacheUnwritable) as refusal:
        open_projection(small)
    assert (refusal.value.code, refusal.value.exit_code) == ("cache_unwritable", 3)


def test_a_ledger_that_grew_is_brought_forward(small: Path, sent: list[Fact]) -> None:
    before = open_projection(small)
    given.append(small, sent[len(sent) // 2 :])
    assert state(small) is ProjectionState.BEHIND
    with pytest.raises(ProjectionStale) as refusal:
        run_select(small, "SELECT 1", when_stale="refuse")
    assert (refusal.value.code, refusal.value.exit_code) == ("projection_stale", 3)
    earlier = run_select(small, "SELECT count(*) FROM rounds", when_stale="use")
    assert earlier.tree_size == before.tree_size < earlier.ledger_size
    now = run_select(small, "SELECT count(*) FROM rounds")
    assert now.tree_size == now.ledger_size > before.tree_size
    assert now.rows[0][0] > earlier.rows[0][0]


def note(last: Fact) -> Fact:
    """A note on an action, a minute after a fact."""
    day = FIRST_DAY.isoformat()
    about = ActionAbout(
        action="0" * 16, for_gaming_day=day, code="wager_underpaid", section="689.3",
        table="DC-01", subject="", certain=True, first_stream="DC-01", first_seq=1, first_time=1,
        last_time=1, findings=1, overpaid_cents=0, underpaid_cents=500, evidence=b"", tree_size=1,
        root=b"",
    )  # fmt: skip
    return ActionNoted(
        stream="cases/actions", seq=1, event_time=last.event_time + 60_000_000, source="pitledger",
        recorded_by="S-1", about=about, note="seen", noted_by="S-1", proof=None,
    )  # fmt: skip


def test_damage_to_a_day_that_stands_is_met_by_whoever_reads_it(
    small: Path, sent: list[Fact]
) -> None:
    expected = counts(open_projection(small))
    flip(wagers(lying(small)), 0)
    given.append(small, [note(sent[-1])])
    assert open_projection(small).rebuilt, "a note reads no mart"
    assert state(small) is ProjectionState.DAMAGED
    with read_model(small) as model:
        assert model.execute(COUNTS).fetchall() == expected
    assert state(small) is ProjectionState.FRESH


@pytest.mark.parametrize(
    "changes", [{"duckdb_version": "1.0.0"}, {"code_hash": "0" * 64}], ids=["duckdb", "rules"]
)
def test_another_version_is_built_anew(small: Path, changes: dict[str, str]) -> None:
    told(**changes)(lying(small))
    assert state(small) is ProjectionState.OTHER_VERSION
    with pytest.raises(ProjectionStale):
        open_projection(small, when_stale="refuse")
    assert open_projection(small, when_stale="use").rebuilt
    assert not open_projection(small).rebuilt


def test_a_projection_of_another_ledger_is_built_anew(
    small: Path, tmp_path: Path, sent: list[Fact]
) -> None:
    other = given.ledger(tmp_path / "other", sent[:-1])
    longer = open_projection(other)
    shutil.copytree(lying(other), lying(small), dirs_exist_ok=True)
    assert state(small) is ProjectionState.DAMAGED, "another ledger's key sealed it"
    assert open_projection(small, when_stale="use").tree_size < longer.tree_size
    told(root="00" * 32)(lying(small))
    assert state(small) is ProjectionState.FOREIGN


def test_a_reader_keeps_what_it_opened_while_another_takes_its_place(
    small: Path, sent: list[Fact], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = open_projection(small)
    for path in lying(small).iterdir():  # it has stood for long
        os.utime(path, (0, 0))
    with before.connect() as reader:
        ((rounds, *_),) = reader.execute(COUNTS).fetchall()
        given.append(small, sent[len(sent) // 2 : -1])
        after = open_projection(small)
        assert after.rebuilt
        assert reader.execute("SELECT tree_size FROM projection").fetchall() == [(before.tree_size,)]  # fmt: skip
        assert reader.execute(COUNTS).fetchall()[0][0] == rounds
        assert counts(after)[0][0] > rounds
        monkeypatch.setattr(mart_files, "GRACE_SECONDS", 0.0)
        given.append(small, sent[-1:])
        open_projection(small)  # and what nobody has named for a while is gone
        with pytest.raises(ProjectionStale, match="another one has taken its place"):
            reader.execute(COUNTS)


def test_files_that_nobody_names_are_removed_after_a_while(
    small: Path, sent: list[Fact], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = wagers(lying(small))
    monkeypatch.setattr(mart_files, "GRACE_SECONDS", 0.0)
    given.append(small, sent[len(sent) // 2 :])
    named = open_projection(small)
    assert not old.exists()
    left = {path.name for path in lying(small).iterdir()} - {"head", "lock"}
    assert left == {name for mart in named.columns for name in named.files(mart)}


@pytest.mark.full
def test_queries_run_while_another_process_rebuilds(small: Path) -> None:
    expected = counts(open_projection(small))[0][0]
    code = (
        "import sys\nfrom pathlib import Path\nfrom ledger.analytics import rebuild_projection\n"
        "for _ in range(3): rebuild_projection(Path(sys.argv[1]))\n"
    )
    builder = subprocess.Popen(
        [sys.executable, "-c", code, str(small)], cwd=Path(__file__).parents[2]
    )
    asked = 0
    while builder.poll() is None or asked < 2:
        answer = run_select(small, "SELECT count(*) FROM rounds", when_stale="use")
        assert answer.rows == ((expected,),)
        asked += 1
        time.sleep(0.02)
    assert builder.returncode == 0


def test_two_that_find_it_missing_build_it_one_after_the_other(small: Path) -> None:
    shutil.rmtree(lying(small))
    code = (
        "import sys\nfrom pathlib import Path\nfrom ledger.analytics import open_projection\n"
        "print(open_projection(Path(sys.argv[1])).rebuilt)\n"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code, str(small)], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]  # fmt: skip
    assert sorted(one.communicate(timeout=120)[0].strip() for one in both) == ["False", "True"]


def test_a_build_that_was_killed_leaves_no_trace(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mart_files, "GRACE_SECONDS", 0.0)
    (lying(small) / "wagers.17.new").write_bytes(b"half a file")
    rebuild_projection(small)
    assert not list(lying(small).glob("*.new"))


def test_what_breaks_its_contract_is_not_published(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = head(lying(small)).read_bytes()

    def broken(_: object, mart: Mart) -> None:
        raise ProjectionBroken(mart.name, "every_round_once")

    monkeypatch.setattr("ledger.analytics.build.check", broken)
    with pytest.raises(ProjectionBroken) as refusal:
        rebuild_projection(small)
    assert (refusal.value.code, refusal.value.exit_code) == ("projection_broken", 4)
    assert head(lying(small)).read_bytes() == before


def test_it_can_stand_elsewhere(small: Path, tmp_path: Path) -> None:
    found = open_projection(small, where=tmp_path / "elsewhere")
    assert found.path.parent == tmp_path / "elsewhere"
    assert run_select(
        small, "SELECT 1", where=tmp_path / "elsewhere", when_stale="refuse"
    ).rows == ((1,),)


def test_no_place_for_it_is_a_refusal(small: Path) -> None:
    (small / "taken").write_text("a file")
    with pytest.raises(CacheUnwritable) as refusal:
        open_projection(small, where=small / "taken")
    assert (refusal.value.code, refusal.value.exit_code) == ("cache_unwritable", 3)


def test_no_ledger_is_a_refusal(tmp_path: Path) -> None:
    with pytest.raises(LedgerMissing):
        open_projection(tmp_path)
    with pytest.raises(LedgerMissing):
        rebuild_projection(tmp_path)


def test_an_entry_that_was_changed_since_is_named_before_any_answer(small: Path) -> None:
    projection = open_projection(small)
    prove_entries(small, projection)
    bundle = small / "tile" / "entries" / "000"
    flip(bundle, bundle.stat().st_size // 2)
    for days in (None, [projection.days[0].day]):
        with pytest.raises(IntegrityBroken):
            prove_entries(small, projection, days)
    with pytest.raises(IntegrityBroken):
        run_select(small, "SELECT 1")


def test_a_ledger_with_its_projection_verifies(small: Path) -> None:
    from ledger.log import verify

    assert verify(small).problem is None


def test_progress_is_told_by_the_day(small: Path) -> None:
    steps: list[tuple[int, int]] = []
    rebuild_projection(small, progress=lambda _, done, days: steps.append((done, days)))
    assert steps == [(0, 1)]


def test_what_an_earlier_version_left_is_removed(small: Path) -> None:
    (small / "cache" / "projection.duckdb").write_bytes(b"earlier")
    rebuild_projection(small)
    assert not (small / "cache" / "projection.duckdb").exists()


def test_a_mart_that_is_kept_in_memory_is_held_against_its_file_each_time(small: Path) -> None:
    with read_model(small) as connection:
        (day,) = (marts.day for marts in connection.projection.days)
        asked = "SELECT count(*) FROM rounds"

        def count(*days: date) -> int:
            with connection.narrowed(frozenset(days)):
                ((rounds,),) = connection.execute(asked).fetchall()
            return int(rounds)

        whole = count(day)
        assert whole == count(day) > 0
        schemas = [connection._narrowings[frozenset([day])]]
        for later in range(1, KEPT_DAYS):
            assert count(day + timedelta(days=later)) == 0
        assert connection._narrowings[frozenset([day])] == schemas[0]
        assert count(day + timedelta(days=KEPT_DAYS)) == 0
        assert frozenset([day]) not in connection._narrowings
        assert schemas[0] not in {schema for schema, _ in connection._views}
        assert count(day) == whole
        (name,) = connection.projection.files("rounds", {day})
        (lying(small) / name).unlink()
        connection._again = None
        with pytest.raises(ProjectionStale):
            count(day)


def test_a_question_about_one_mart_of_a_day_keeps_nothing_and_reads_whole_files(
    small: Path,
) -> None:
    with read_model(small) as connection:
        (day,) = (marts.day for marts in connection.projection.days)
        asked = "SELECT round FROM rounds WHERE table_name = ? ORDER BY round"
        rows = connection.rows_of_days("rounds", {day}, asked, ["SB-01"])
        assert rows
        assert (connection._views, connection._narrowings) == (set(), {})
        with connection.narrowed({day}):
            assert rows == connection.execute(asked, ["SB-01"]).fetchall()
        assert connection.rows_of_days("rounds", {day + timedelta(days=1)}, asked, ["SB-01"]) == []
        (name,) = connection.projection.files("rounds", {day})
        (lying(small) / name).write_bytes(b"PAR1")
        assert rows == connection.rows_of_days("rounds", {day}, asked, ["SB-01"])  # made again
        (name,) = connection.projection.files("rounds", {day})
        (lying(small) / name).unlink()
        with pytest.raises(ProjectionStale):
            connection.rows_of_days("rounds", {day}, asked, ["SB-01"])
