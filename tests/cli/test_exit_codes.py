"""What each listing answers to a script: 0 where all is known and right, 1 where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.given import run_here

DAY = "2021-06-12"
PLANTS = ("winner_taken@SB-01", "lost_event@SB-02", "unapproved_layout@DC-01", "fill_not_recorded")
LISTINGS = (  # what it lists, and what it has to say of the clean and of the irregular floor
    (("audit", "--day", DAY), 0, 1),
    (("rounds", "--day", DAY), 0, 1),
    (("rounds", "--day", DAY, "--only", "findings"), 0, 1),
    (("rounds", "--day", DAY, "--only", "unknown"), 0, 1),
    (("rounds", "--day", DAY, "--table", "AP-01"), 0, 0),
    (("tables", "--day", DAY), 0, 1),
    (("clocks", "--day", DAY), 0, 0),
    (("inforce", "--day", DAY), 0, 1),
    (("inforce", "--day", DAY, "--table", "AP-01"), 0, 0),
    (("actions", "list", "--day", DAY), 0, 1),
    (("people",), 0, 0),
    (("coupons", "reconcile", "--day", DAY), 0, 0),
    (("coupons", "outstanding", "--day", DAY), 0, 0),
    (("coupons", "form", "daily", "--day", DAY), 0, 0),  # whether it balances says reconcile
    (("sql", "SELECT count(*) FROM findings"), 0, 0),  # a question is answered, not judged
    (("verify",), 0, 0),
    (("cat",), 0, 0),
)


@pytest.fixture(scope="module")
def floors(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A clean short day with coupons, and the same with irregularities."""
    root = tmp_path_factory.mktemp("floors")
    words = ("floor", "simulate", "--seed", "144", "--scale", "10000", "--coupons", "--ledger")
    plants = [word for plant in PLANTS for word in ("--plant", plant)]
    assert run_here(*words, str(root / "clean")).code == 0
    assert run_here(*words, str(root / "irregular"), *plants).code == 0
    return root / "clean", root / "irregular"


@pytest.mark.parametrize(
    ("words", "clean", "irregular"), LISTINGS, ids=[" ".join(row[0]) for row in LISTINGS]
)
def test_a_listing_says_whether_all_is_right(
    command: Command, floors: tuple[Path, Path], words: tuple[str, ...], clean: int, irregular: int
) -> None:
    codes = [command(*words, "--ledger", folder).code for folder in floors]
    assert codes == [clean, irregular]


def test_what_is_not_on_record_is_not_clean(command: Command, made: Path) -> None:
    """Of the small day nobody's credential, no clock and few approvals are on record."""
    for words in (("people",), ("clocks",), ("inforce",), ("tables",)):
        assert command(*words, "--ledger", made).code == 1, words
    assert "No terminal is registered for " in command("clocks", "--ledger", made).out
    rows = command("clocks", "--ledger", made, "--format", "json").json
    assert [row["off"] for row in rows if row["source"] is None]
    assert {row["off"] for row in rows if row["source"] is None} == {None}


def test_one_action_is_open_until_it_is_closed(command: Command, floors: tuple[Path, Path]) -> None:
    ledger = ("--ledger", floors[1])
    listed = command("actions", "list", "--format", "json", *ledger).json
    action = next(one["id"] for one in listed if one["code"] == "wrong_outcome")
    assert command("actions", "show", action, *ledger).code == 1
    closed = command("actions", "close", action, "--by", "F-12", "--reason", "paid", *ledger)
    assert closed.code == 0, closed.err
    assert command("actions", "show", action, *ledger).code == 0


def test_every_listing_says_when_it_exits_with_one(command: Command) -> None:
    for words in (
        ("rounds",), ("round", "show"), ("tables",), ("clocks",), ("inforce",), ("people",),
        ("audit",), ("actions", "list"), ("actions", "show"), ("actions", "alerts"),
        ("coupons", "where"), ("coupons", "reconcile"), ("coupons", "outstanding"),
        ("coupons", "form"), ("coupons", "forms"),
    ):  # fmt: skip
        assert "The exit code is" in " ".join(command(*words, "--help").out.split()), words
