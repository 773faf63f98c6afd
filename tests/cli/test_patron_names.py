"""Legal holds and forgetting from the command line, and what the doctor says of the keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.casework.cases import CaseFiles
from ledger.intake import ErasableStore, mailed_serials
from ledger.replay import Replay
from tests.analytics.given import ledger as ledger_of
from tests.cli.conftest import Command
from tests.cli.test_people import facts
from tests.intake.given import SAMPLES
from tests.intake.test_personal_encryption_keys import plain_store

SHEET = SAMPLES / "coupon-mailing-list.csv"
HOLD = ("--reason", "docket 21-104", "--by", "C-1")


@pytest.fixture
def own(empty: Path, command: Command) -> Path:
    """A ledger with a mailing list of three patrons, and nobody's credential on record."""
    words = ("--name", "Example Casino", "--time-zone", "America/New_York", "--by", "E-1")
    assert command("property", "describe", *words, "--ledger", empty).code == 0
    words = ("coupon-mailing-list", SHEET, "--commit", "--by", "E-1", "--ledger", empty)
    assert command("import", *words).code == 0
    return empty


def openings(command: Command, own: Path) -> list[str]:
    facts = map(json.loads, command("cat", "--ledger", own).out.splitlines())
    (supplied,) = [fact for fact in facts if fact["event"] == "MailListSupplied"]
    return [line["opening"] for line in supplied["lines"]]


def people_check(command: Command, ledger: Path) -> list[dict[str, str]]:
    checks = command("doctor", "--ledger", ledger, "--format", "json").json
    return [check for check in checks if check["check"] == "people"]


def test_what_is_held_is_not_forgotten_until_it_is_released(command: Command, own: Path) -> None:
    kept, other, _ = openings(command, own)
    assert "No legal hold was ever placed." in command("coupons", "holds", "--ledger", own).out
    held = command("coupons", "hold", kept, *HOLD, "--ledger", own)
    assert (held.code, held.err) == (0, "")
    assert held.out.startswith("1 opening held; nobody can forget them until a release.")
    assert "NOT CHECKED" in held.out  # the record has nobody's credential

    dry = command("coupons", "forget", kept, other, "--dry-run", "--ledger", own)
    assert dry.code == 1
    assert "A legal hold forbids it." in dry.out
    assert f"{kept}  held by C-1: docket 21-104" in dry.out
    assert f"{other}  would be erased" in dry.out
    refused = command("coupons", "forget", kept, other, "--ledger", own)
    assert (refused.code, refused.out) == (2, "")
    assert "[held_for_law]" in refused.err
    assert ErasableStore(own).count() == (3, 0)

    words = ("--reason", "settled", "--by", "C-2", "--ledger", own)
    assert command("coupons", "release", other, *words).code == 2
    assert command("coupons", "release", kept, *words).out.startswith("1 hold released.")
    (hold,) = command("coupons", "holds", "--ledger", own, "--format", "json").json
    assert (hold["opening"], hold["placed_by"], hold["released_by"]) == (kept, "C-1", "C-2")
    assert "by C-2: settled" in command("coupons", "holds", "--ledger", own).out
    dry = command("coupons", "forget", kept, "--dry-run", "--ledger", own, "--format", "json")
    assert (dry.code, dry.json) == (0, {"openings": [kept], "held": []})
    assert ErasableStore(own).count() == (3, 0)
    assert command("coupons", "forget", kept, other, "--ledger", own).code == 0
    assert ErasableStore(own).count() == (1, 0)


def test_a_case_that_holds_footage_of_a_coupon_keeps_whom_it_was_mailed_to(
    command: Command, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, other, _ = openings(command, own)
    (serial,) = mailed_serials(Replay.open(own), [first])
    monkeypatch.setattr(CaseFiles, "held_coupons", lambda _: frozenset([serial]))
    for words in ((first,), (other, first), (first, "--dry-run")):
        refused = command("coupons", "forget", *words, "--ledger", own)
        assert (refused.code, "[held_by_case]" in refused.err) == (2, True)
    assert ErasableStore(own).count() == (3, 0)
    assert command("coupons", "forget", other, "--ledger", own).code == 0


def test_a_hold_covers_the_names_that_a_correction_brings(
    command: Command, own: Path, tmp_path: Path
) -> None:
    number = openings(command, own)[1]
    assert command("coupons", "hold", number, *HOLD, "--ledger", own).code == 0
    path = tmp_path / "list.csv"
    path.write_text(SHEET.read_text("utf-8").replace("Thistlewood", "Thistledown"), "utf-8")
    words = ("--commit", "--by", "E-1", "--reason", "typed wrong", "--approved-by", "E-2")
    assert command("import", "coupon-mailing-list", path, *words, "--ledger", own).code == 0
    with_both = command("coupons", "forget", number, "--dry-run", "--ledger", own)
    assert with_both.out.count("\n") == 3
    later = with_both.out.splitlines()[2].split()[0]
    assert later != number
    assert "[held_for_law]" in command("coupons", "forget", later, "--ledger", own).err


@pytest.mark.parametrize(
    "words",
    [
        ("hold", "f" * 32, *HOLD),
        ("hold", "../../etc", *HOLD),
        ("release", "f" * 32, *HOLD),
        ("forget", "f" * 32, "--dry-run"),
    ],
)
def test_what_is_not_kept_is_not_held(command: Command, own: Path, words: tuple[str, ...]) -> None:
    refused = command("coupons", *words, "--ledger", own)
    assert (refused.code, refused.out) == (2, "")
    assert command("coupons", "holds", "--ledger", own, "--format", "json").json == []


@pytest.mark.parametrize(("person", "code"), [("R-1", "credential_not_held"), ("K-1", None)])
def test_a_hold_is_placed_by_who_holds_a_credential(
    command: Command, tmp_path: Path, person: str, code: str | None
) -> None:
    """R-1 had one that was revoked; K-1 of finance has one, and holds what an auditor releases."""
    ledger = ledger_of(tmp_path / "ledger", facts())
    number = ErasableStore(ledger).commit("Ada Lovelace", "1 Front St").opening
    words = ("--reason", "docket 21-104", "--by", person, "--ledger", ledger)
    done = command("coupons", "hold", number, *words)
    if code is None:
        assert (done.code, "NOT CHECKED" in done.out) == (0, False)
        refused = command("coupons", "release", number, *words)
        assert (refused.code, "[not_entitled]" in refused.err) == (2, True)
    else:
        assert (done.code, f"[{code}]" in done.err) == (2, True)
        assert ErasableStore(ledger).holds() == []


def test_the_doctor_says_where_the_keys_are(
    command: Command, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = ErasableStore(own).people.path
    (check,) = people_check(command, own)
    assert check["health"] == "ok"
    assert "3 names and addresses" in check["says"]
    people.chmod(0o644)
    (check,) = people_check(command, own)
    assert "can be read by others" in check["says"]
    inside = people.rename(own / "erasable" / "people")
    (check,) = people_check(command, own)
    assert "cannot be read: their keys are not in" in check["says"]
    monkeypatch.setenv("PITLEDGER_PEOPLE", str(inside))
    (check,) = people_check(command, own)
    assert (check["health"], "lie inside the ledger" in check["says"]) == ("warn", True)


def test_the_doctor_says_which_names_lie_in_clear(command: Command, empty: Path) -> None:
    assert people_check(command, empty) == []
    plain_store(empty)
    (check,) = people_check(command, empty)
    assert (check["health"], "lie unencrypted" in check["says"]) == ("warn", True)
