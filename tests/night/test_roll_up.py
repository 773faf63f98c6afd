"""Several properties in one list: what is proved is added up, and nothing else counts as clean."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ledger.analytics import ObjectStore
from ledger.analytics.marts import MARTS, marts
from ledger.log.keys import new_signer
from ledger.log.signed_file_index import Seals
from ledger.night import run_night
from ledger.night.errors import PropertiesWrong
from ledger.night.manifest import as_json, canonical
from ledger.night.property_list import ListedProperty, read_properties
from ledger.night.property_totals import COLUMNS
from ledger.night.roll_up import roll_up
from ledger.reports.roll_up_page import (
    COUNTED,
    DayState,
    GameTotals,
    PropertyDay,
    coupons_now,
    totals,
)
from tests.cli.conftest import Command
from tests.night import scene
from tests.s3_server import BUCKET, S3Server

DAY, NEXT = scene.DAY, scene.DAY + timedelta(days=1)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two properties: the tiny day and the same on the next day; the tiny day."""
    place = tmp_path_factory.mktemp("properties")
    east = scene.ledger(place / "east" / "ledger", scene.two_days())
    for day in (DAY, NEXT):
        run_night(east, day, out=place / "east" / "nights", processes=1)
    run_night(
        scene.ledger(place / "west" / "ledger"), DAY, out=place / "west" / "nights", processes=1
    )
    return place


@pytest.fixture
def mine(two: Path, tmp_path: Path) -> Path:
    return shutil.copytree(two, tmp_path / "properties")


def listed(place: Path, *names: str) -> tuple[ListedProperty, ...]:
    return tuple(
        ListedProperty(
            name=name,
            nights=str(place / name / "nights"),
            seals=Seals(Seals.of(place / name / "ledger").verifier),
        )
        for name in names or ("east", "west")
    )


def states(days: tuple[PropertyDay, ...]) -> dict[tuple[str, date], DayState]:
    return {(one.name, one.day): one.state for one in days}


def test_two_properties_add_up_to_what_their_audits_say(two: Path) -> None:
    rolled = roll_up(listed(two))
    assert states(rolled.days) == {
        ("east", DAY): DayState.CLOSED,
        ("east", NEXT): DayState.CLOSED,
        ("west", DAY): DayState.CLOSED,
        ("west", NEXT): DayState.MISSING,
    }
    manifests = [json.loads(path.read_bytes()) for path in two.glob("*/nights/2*/*/manifest.json")]
    games = totals(rolled.days)
    assert sum(one.rounds for one in games.values()) == sum(one["rounds"] for one in manifests)
    for certainty, count in (
        ("broken", sum(sum(one.findings.values()) for one in games.values())),
        ("unknown", sum(one.unknown_findings for one in games.values())),
    ):
        assert count == sum(one["findings"][certainty] for one in manifests) > 0
    assert games["Sic Bo"].handle_cents == 3 * 7_000
    assert games["Sic Bo"].tables_without_win == 3
    assert not rolled.is_clean
    assert rolled.is_proved


def reissued(place: Path, day: date, folder: str) -> None:
    """The first report of a day once more, sealed by the property's key as another issue."""
    phase, _, number = folder.partition("-")
    issue = place / "nights" / day.isoformat() / "final-1"
    other = shutil.copytree(issue, issue.with_name(folder))
    manifest = json.loads((issue / "manifest.json").read_bytes())
    manifest |= {"phase": phase, "issue": int(number)}
    (other / "manifest.json").write_bytes(as_json(manifest))
    digest = sha256(canonical(manifest)).hexdigest()
    name = f"{day}/{folder}/manifest.json"
    (other / "manifest.index").write_bytes(
        Seals.of(place / "ledger").index("issue", {name: digest}) or b""
    )


def test_a_restated_day_counts_once_and_says_so(mine: Path) -> None:
    reissued(mine / "east", DAY, "final-2")
    first, second = roll_up(listed(mine, "east")).days
    assert (first.state, first.issue) == (DayState.REOPENED, "final-2")
    assert second.state is DayState.CLOSED
    assert totals([first]) == totals([replace(first, state=DayState.CLOSED)])
    assert first.games["Sic Bo"].rounds == 1


def test_a_preliminary_report_is_open_and_not_counted(mine: Path) -> None:
    reissued(mine / "west", DAY, "preliminary-1")
    assert states(roll_up(listed(mine, "west")).days) == {("west", DAY): DayState.CLOSED}
    shutil.rmtree(mine / "west" / "nights" / DAY.isoformat() / "final-1")
    rolled = roll_up(listed(mine, "west"))
    assert states(rolled.days) == {("west", DAY): DayState.OPEN}
    assert totals(rolled.days) == {}
    assert not rolled.is_clean


Harm = Callable[[Path], None]


def cut_mart(issue: Path) -> None:
    path = issue / "marts" / "rounds.parquet"
    path.write_bytes(path.read_bytes()[:-1])


def fewer_rows(issue: Path) -> None:
    """A mart that is whole, and has no finding."""
    path = issue / "marts" / "findings.parquet"
    pq.write_table(pq.read_table(path)[:0], path)


def lost_mart(issue: Path) -> None:
    (issue / "marts" / "coupons.parquet").unlink()


def changed_manifest(issue: Path) -> None:
    path = issue / "manifest.json"
    manifest = json.loads(path.read_bytes())
    path.write_bytes(as_json({**manifest, "rounds": manifest["rounds"] + 1}))


def no_manifest(issue: Path) -> None:
    (issue / "manifest.json").write_text("[" * 100_000)


def no_seal(issue: Path) -> None:
    (issue / "manifest.index").unlink()


def next_day(issue: Path) -> None:
    """The day's own report put in the place of another's."""
    other = issue.parent.parent / NEXT.isoformat() / issue.name
    shutil.rmtree(issue)
    shutil.copytree(other, issue)


def later_number(issue: Path) -> None:
    shutil.copytree(issue, issue.with_name("final-2"))


@pytest.mark.by_turns(2)
@pytest.mark.parametrize(
    "harm",
    [
        cut_mart,
        fewer_rows,
        lost_mart,
        changed_manifest,
        no_manifest,
        no_seal,
        next_day,
        later_number,
    ],
    ids=lambda one: one.__name__,
)
def test_what_is_not_as_it_was_signed_is_not_counted(mine: Path, harm: Harm) -> None:
    harm(mine / "east" / "nights" / DAY.isoformat() / "final-1")
    rolled = roll_up(listed(mine))
    state = states(rolled.days)
    assert state["east", DAY] is DayState.UNPROVED
    assert state["east", NEXT] is state["west", DAY] is DayState.CLOSED
    (unproved,) = (one for one in rolled.days if one.state is DayState.UNPROVED)
    assert unproved.why
    assert not unproved.games
    assert sum(one.rounds for one in totals(rolled.days).values()) == 4
    assert not rolled.is_proved


def test_a_report_that_a_later_one_names_cannot_be_withheld(mine: Path) -> None:
    """The second day's report was made when the first day stood as issue 1: without it, it shows."""
    shutil.rmtree(mine / "east" / "nights" / DAY.isoformat())
    rolled = roll_up(listed(mine), DAY, NEXT)
    east = next(one for one in rolled.days if (one.name, one.day) == ("east", DAY))
    assert east.state is DayState.UNPROVED
    assert f"the report of {NEXT} names final-1" in east.why


def test_the_key_beside_the_nights_is_not_believed(mine: Path) -> None:
    """Another key of the same name, and reports that it sealed: the reader named the first one."""
    (east,) = listed(mine, "east")
    stranger = new_signer(east.seals.verifier.name)
    rolled = roll_up([replace(east, seals=Seals(stranger.verifier))])
    assert {one.state for one in rolled.days} == {DayState.UNPROVED}
    size = json.loads(
        (mine / "east" / "nights" / DAY.isoformat() / "final-1" / "manifest.json").read_bytes()
    )["tree_size"]
    for until, state in ((size, DayState.CLOSED), (size - 1, DayState.UNPROVED)):
        seals = Seals(stranger.verifier, None, ((east.seals.verifier, until),))
        rolled = roll_up([replace(east, seals=seals)])
        assert states(rolled.days)["east", DAY] is state


def test_a_property_that_cannot_be_reached_is_listed(mine: Path) -> None:
    shutil.rmtree(mine / "west" / "nights")
    rolled = roll_up(listed(mine))
    assert rolled.not_read == {"west": "no reports lie there"}
    assert {one.state for one in rolled.days if one.name == "west"} == {DayState.UNREACHABLE}
    assert not rolled.is_clean


def test_no_column_about_a_person_is_read(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The marts of wagers and settlements may be gone: nobody opens them, or any other file."""
    opened: set[str] = set()
    part = ObjectStore.part

    def watched(store: ObjectStore, name: str, start: int, end: int) -> bytes | None:
        opened.add(name.split("/", 2)[2])
        return part(store, name, start, end)

    before = roll_up(listed(mine))
    for path in mine.glob("*/nights/2*/*/*"):
        if path.is_dir() and path.name != "marts":
            shutil.rmtree(path)
    for path in mine.glob("*/nights/2*/*/marts/*"):
        if path.stem not in COLUMNS:
            path.unlink()
    for name in ("east", "west"):
        shutil.rmtree(mine / name / "ledger" / "tile", ignore_errors=True)
    monkeypatch.setattr(ObjectStore, "part", watched)
    assert roll_up(listed(mine)) == before
    assert opened == {
        "manifest.json",
        "manifest.index",
        *(f"marts/{one}.parquet" for one in COLUMNS),
    }
    assert {"wagers", "settlements", "dealer_shifts", "throws"} & {*COLUMNS} == set()
    columns = {one.name: {column.name for column in one.columns} for one in marts()}
    for mart, names in COLUMNS.items():
        assert mart in MARTS
        assert {*names} <= columns[mart]
        about_people = {"patron", "who", "detail", "sentence", "expected", "observed", "wager_id"}
        assert not about_people & {*names}


def test_coupons_count_with_the_last_day_of_each_property() -> None:
    day = PropertyDay(name="east", day=DAY, state=DayState.CLOSED, coupons=5, coupons_cents=500)
    days = (
        day,
        replace(day, day=NEXT, coupons=3, coupons_cents=300),
        replace(day, day=NEXT + timedelta(days=1), state=DayState.UNPROVED, coupons=9),
        replace(day, name="west", coupons=1, coupons_cents=100),
    )
    assert coupons_now(days) == (4, 400)


def test_only_days_that_are_counted_are_in_the_totals() -> None:
    games = {"Sic Bo": GameTotals(rounds=2)}
    for state in DayState:
        day = PropertyDay(name="east", day=DAY, state=state, games=games)
        assert [one.rounds for one in totals([day]).values()] == ([2] if state in COUNTED else [])


def test_properties_in_a_bucket(two: Path, s3: S3Server) -> None:
    """Copied there by whatever tool: the seal proves them there as it does here."""
    shutil.copytree(two, s3.objects / BUCKET / "rolled", dirs_exist_ok=True)
    here = listed(two)
    there = [replace(one, nights=f"s3://{BUCKET}/rolled/{one.name}/nights") for one in here]
    assert roll_up(there) == roll_up(here)


GOOD = '[[property]]\nname = "east"\nverifier = "east/ledger/keys/verifier"\nnights = "{}"\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no [[property]]"),
        ("property = 1", "no [[property]]"),
        ("[[property]\n", ""),
        ("\x00", ""),
        (GOOD + GOOD, "same name"),
        (GOOD + GOOD.replace('"east"', '"west"'), "same key"),
        (GOOD.replace("nights =", "night ="), "something else than"),
        (GOOD.replace("east/ledger/keys/verifier", "gone"), "is no key"),
        (GOOD.replace('"east"', '""'), "characters"),
        (GOOD + 'earlier = [{ verifier = "x" }]', "earlier key"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused(two: Path, text: str, problem: str) -> None:
    path = two / f"list-{sha256(text.encode()).hexdigest()[:8]}.toml"
    path.write_text(text.replace("{}", str(two / "east" / "nights")))
    with pytest.raises(PropertiesWrong) as refused:
        read_properties(path)
    assert problem in str(refused.value)


def test_the_command_says_what_is_counted_and_ends_so(two: Path, command: Command) -> None:
    path = two / "properties.toml"
    west = GOOD.replace("east", "west")
    path.write_text(
        GOOD.replace("{}", str(two / "east" / "nights"))
        + west.replace("{}", str(two / "west" / "nights"))
    )
    text = command("rollup", path)
    assert text.code == 1
    assert "2 properties: 3 of 4 property days counted; the totals lack the others." in text.out
    assert f"west, {NEXT}: there is no report" in text.out
    plain = command("rollup", path, "--format", "json")
    assert plain.json["is_complete"] is False
    assert plain.json["days"][3]["games"] == []
    assert plain.json["days"][3]["coupons_outstanding"] is None
    rows = command("rollup", path, "--format", "csv", "--to", DAY.isoformat()).out.splitlines()
    assert len(rows) == 1 + 2 * 2
    assert command("rollup", path, "--from", NEXT.isoformat(), "--to", DAY.isoformat()).code == 2
    assert command("rollup", two / "gone.toml").code == 2
    index = two / "west" / "nights" / DAY.isoformat() / "final-1" / "manifest.index"
    sealed = index.read_bytes()
    index.write_bytes(b"")
    try:
        assert command("rollup", path).code == 4
    finally:
        index.write_bytes(sealed)
