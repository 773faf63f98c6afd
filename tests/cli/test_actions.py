"""`pitledger actions`: list, show, take, note, close, as a person meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.analytics.given import ledger as ledger_of
from tests.cli.conftest import Command
from tests.cli.given import DAY, copied, told
from tests.cli.given import day as small_day


@pytest.fixture
def floor(made: Path, tmp_path: Path) -> Path:
    """A ledger of one's own with the small day."""
    return copied(made, tmp_path / "ledger")


def listed(command: Command, floor: Path, *words: str) -> list[dict[str, object]]:
    """The actions, as a script reads them."""
    done = command("actions", "list", "--ledger", floor, "--format", "json", *words)
    assert done.code in (0, 1), done.err
    found: list[dict[str, object]] = json.loads(done.out)
    return found


def unpaid(command: Command, floor: Path) -> str:
    """The id of the action about the winner that was not paid in full."""
    (one,) = (one for one in listed(command, floor, "--all") if one["code"] == "wager_underpaid")
    return str(one["id"])


def test_the_list_has_every_finding_folded(command: Command, floor: Path) -> None:
    audit = json.loads(command("audit", "--ledger", floor, "--format", "json").out)
    found = listed(command, floor)
    counted = sum(
        len(json.loads(_show(command, floor, str(one["id"]), "--format", "json"))["findings"])
        for one in found
    )
    assert counted == len(audit["findings"])
    assert {one["status"] for one in found} == {"open"}
    assert {one["gaming_day"] for one in found} == {DAY}
    assert all(one["footage_until"] is None for one in found)


def test_the_page_has_a_line_for_each_and_a_sum(command: Command, floor: Path) -> None:
    done = command("actions", "list", "--ledger", floor)
    found = listed(command, floor)
    assert done.code == 1
    assert done.out.startswith("Example Casino, gaming day Monday, March 15, 2021\n\ntable ")
    assert done.out.index("per cent") < done.out.index(str(found[0]["id"])[:6])
    for one in found:
        assert f"  {str(one['id'])[:6]}  {one['title']}\n" in done.out
    assert f"\n{len(found)} actions for " in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_taken_noted_closed(command: Command, floor: Path) -> None:
    name = unpaid(command, floor)
    for words, said in (
        (("take", name[:6], "--by", "F-1"), "taken by F-1 (cases/actions:1)"),
        (("note", name[:6], "footage kept", "--by", "S-1"), "noted by S-1 (cases/actions:2)"),
        (("close", name, "--reason", "repaid", "--by", "F-1"), "closed by F-1 (cases/actions:3)"),
    ):
        done = command("actions", *words, "--ledger", floor)
        assert done.code == 0, done.err
        assert f"\n  {name} {said}\n" in done.out
        assert done.out.endswith(
            "\n  NOT CHECKED: no credential of anybody is on record, so nothing shows who this is\n"
        )
    assert command("verify", "--ledger", floor).code == 0
    assert name not in {one["id"] for one in listed(command, floor)}
    (one,) = (one for one in listed(command, floor, "--all") if one["id"] == name)
    assert (one["status"], one["in_hand"]) == ("closed", "F-1")
    assert [(act["did"], act["by"], act["said"]) for act in one["done"]] == [  # type: ignore[attr-defined]
        ("taken", "F-1", None),
        ("noted", "S-1", "footage kept"),
        ("closed", "F-1", "repaid"),
    ]
    page = _show(command, floor, name)
    assert "closed by F-1 (no credential on record): repaid\n" in page
    assert "noted by S-1 (no credential on record): footage kept\n" in page
    again = command("actions", "close", name, "--reason", "x", "--by", "F-1", "--ledger", floor)
    assert (again.code, again.out) == (2, "")
    assert "is closed already, and its evidence has not changed. [action_refused]" in again.err


@pytest.mark.parametrize("words", [("take",), ("note", "x"), ("close", "--reason", "x")])
def test_who_acts_holds_a_credential_where_the_record_has_any(
    command: Command, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """P-1 holds one, P-2 had it revoked, P-3 is not on the roster."""
    held = {
        "person": "P-1", "department": "TABLE GAMES", "role": "FLOORPERSON", "revoked": False
    }  # fmt: skip
    people = told(
        "people",
        (-3500, "PersonCredentialled", held),
        (-3500, "PersonCredentialled", {**held, "person": "P-2"}),
        (-3400, "PersonCredentialled", {**held, "person": "P-2", "revoked": True}),
    )
    floor = ledger_of(tmp_path / "ledger", [*small_day(), *people])
    name = unpaid(command, floor)
    did, *more = words
    for by in ("P-2", "P-3", "F-1"):
        done = command("actions", did, name, *more, "--by", by, "--ledger", floor)
        assert (done.code, done.out) == (2, "")
        assert f"{by} holds no credential on the record." in done.err
        assert "[credential_not_held]" in done.err
    done = command("actions", did, name, *more, "--by", "P-1", "--ledger", floor)
    assert (done.code, done.err) == (0, "")
    assert "no credential" not in done.out + _show(command, floor, name)
    (one,) = (one for one in listed(command, floor, "--all") if one["id"] == name)
    assert [act["credential_on_record"] for act in one["done"]] == [True]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("show", "zzzz"), f"No action of {DAY} has an id that begins with 'zzzz'"),
        (("show", ""), "has an id that begins with ''"),
        (("take", "zzzz", "--by", "F-1"), "[action_unknown]"),
        (("close", "zzzz", "--reason", "x", "--by", "F-1"), "[action_unknown]"),
        (("list", "--day", "2021-03-20"), "The ledger has no fact of the gaming day 2021-03-20"),
        (
            ("show", "a", "--day", "2021-03-20"),
            "The ledger has no fact of the gaming day 2021-03-20",
        ),
        (("take", "a"), "--by"),
        (("close", "a", "--by", "F-1"), "--reason"),
    ],
)
def test_what_is_not_there_is_refused(
    command: Command, floor: Path, words: tuple[str, ...], says: str
) -> None:
    done = command("actions", *words, "--ledger", floor)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_an_id_that_is_not_enough_is_refused(command: Command, floor: Path) -> None:
    first = [str(one["id"])[0] for one in listed(command, floor)]
    common = max(set(first), key=first.count)
    assert first.count(common) > 1, "the small day has many actions"
    done = command("actions", "take", common, "--by", "F-1", "--ledger", floor)
    assert (done.code, done.out) == (2, "")
    assert "[action_ambiguous]" in done.err
    assert "next:  give more of its digits" in done.err


def test_footage_is_shown_where_the_property_says_how_long(
    command: Command, floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITLEDGER_FOOTAGE_DAYS", "7")
    name = unpaid(command, floor)
    assert "footage     kept until 2021-03-22 12:" in _show(command, floor, name)
    monkeypatch.setenv("PITLEDGER_FOOTAGE_DAYS", "0")
    assert command("actions", "list", "--ledger", floor).code == 3


def test_days_before_are_listed_with_their_age(command: Command, floor: Path) -> None:
    since = command("actions", "list", "--since", "2021-03-01", "--ledger", floor)
    assert since.out == command("actions", "list", "--ledger", floor).out


def _show(command: Command, floor: Path, name: str, *words: str) -> str:
    done = command("actions", "show", name, "--ledger", floor, *words)
    is_closed = re.search(r'status +closed|"status": "closed"', done.out) is not None
    assert done.code == (0 if is_closed else 1), done.err
    return done.out
