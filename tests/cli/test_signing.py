"""A name beside a credential is the record's, and one person signs once: forms and the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ledger.audit import FormDesk, audit_day
from ledger.events import CouponFormSigned, Fact, SignedAs
from tests.cli.conftest import Command
from tests.cli.given import told
from tests.coupons.forms_scene import DAY, folder, memory, scene, signed
from tests.night import scene as night

NAMED = ("C-MS1", "Maria Seven")
WRONG = "Ada Other"
REFUSED = "C-MS1 is Maria Seven on the record, not Ada Other"


def described(person: str, name: str | None, **more: Any) -> list[Fact]:
    """The name on the record, from before all that is signed."""
    said = {"person": person, "printed_name": name, **more}
    return [
        replace(one, event_time=1_000_000_000_000_000, stream="house/names")
        for one in told("house/names", (0, "CredentialDescribed", said))
    ]


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """The coupons' ledger with the name of C-MS1 on the record."""
    path = tmp_path / "ledger"
    path.mkdir()
    return folder(path, [*scene().facts, *described(*NAMED)])


def test_a_form_is_signed_with_the_name_of_the_record(command: Command, named: Path) -> None:
    words = ("coupons", "sign", "daily", "--day", str(DAY), "--by", "C-MS1", "--ledger", named)
    refused = command(*words, "--name", WRONG)
    assert (refused.code, REFUSED in refused.err) == (2, True), refused.err
    done = command(*words, "--name", "maria  SEVEN")
    assert (done.code, "NOT CHECKED" in done.out) == (0, False), done.err


def test_a_name_that_the_record_lacks_is_said_not_to_be_checked(
    command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "ledger"
    path.mkdir()
    folder(path, scene().facts)
    words = ("coupons", "sign", "daily", "--day", str(DAY), "--by", "C-MS1", "--ledger", path)
    done = command(*words, "--name", WRONG)
    assert (done.code, "NOT CHECKED: the record has no name" in done.out) == (0, True), done.err


def test_without_a_roster_nobody_signs_and_it_says_why(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.mkdir()
    credentials = ("PersonCredentialled", "CredentialDescribed")
    folder(path, [one for one in scene().facts if type(one).__name__ not in credentials])
    words = ("coupons", "sign", "daily", "--day", str(DAY), "--by", "C-MS1", "--ledger", path)
    refused = command(*words, "--name", "Ms One")
    assert refused.code == 2
    assert "The record has nobody's credential, so nothing shows who signs" in refused.err


def test_the_report_is_signed_with_the_name_of_the_record(command: Command, tmp_path: Path) -> None:
    people = told("people/names", (-3400, "CredentialDescribed", {
        "person": "P-1", "printed_name": "Ada Quill",
    }))  # fmt: skip
    ledger = night.ledger(tmp_path / "ledger", night.with_streams(night.facts(), people))
    out = tmp_path / "out"
    where = ("--day", str(night.DAY), "--out", out, "--ledger", ledger)
    assert command("night", *where, "--processes", "1").code in (0, 1)
    sign = ("night", "sign", *where)
    refused = command(*sign, "--by", "P-1", "--as", "preparer", "--name", "Bo Lint")
    assert (refused.code, "P-1 is Ada Quill on the record, not Bo Lint" in refused.err) == (2, True)
    done = command(*sign, "--by", "P-1", "--as", "preparer", "--name", "ADA QUILL")
    assert (done.code, "NOT CHECKED" in done.out) == (0, False), done.err
    for same in ("P-1", "p 1", "P1"):
        again = command(*sign, "--by", same, "--as", "approver", "--name", "Ada Quill")
        assert again.code == 2, same
    done = command(
        *sign, "--by", "P-2", "--as", "approver", "--name", "Bo Lint", "--format", "json"
    )
    assert (done.code, done.json["name_checked"]) == (0, False)


# --- signatures that arrive as facts --------------------------------------------------------------


def of(**change: Any) -> Callable[[CouponFormSigned], CouponFormSigned]:
    def changed(one: CouponFormSigned) -> CouponFormSigned:
        signature = {name: change[name] for name in ("person", "printed_name") if name in change}
        rest = {name: value for name, value in change.items() if name not in signature}
        return replace(one, signature=replace(one.signature, **signature), **rest)

    return changed


# fmt: off
FORGED = [
    (of(printed_name=WRONG),                                REFUSED),
    (of(person="C-XX", recorded_by="C-XX"),                 "No valid credential for C-XX on this date"),
    (of(person="C-FS1", recorded_by="C-FS1"),               "C-FS1 has not the function to sign it as completed"),
    (of(person="C-MM1", recorded_by="C-MM1"),               "C-MM1 has not the function to sign it as completed"),
    (of(recorded_by="C-FS1"),                               "C-FS1 recorded it in the name of C-MS1"),
    (of(person=None, recorded_by=None),                     "No valid credential for nobody on this date"),
    (of(signed_as=SignedAs.FILED),                          "C-MS1 has not the function to sign it as filed"),
]
# fmt: on


@pytest.mark.parametrize(("change", "why"), FORGED)
def test_a_signature_that_the_command_refuses_is_a_finding_and_signs_nothing(
    change: Callable[[CouponFormSigned], CouponFormSigned], why: str
) -> None:
    facts = [*scene().facts, *described(*NAMED)]
    desk = FormDesk.open(memory(facts))
    right = of(printed_name=NAMED[1])(signed(desk, desk.issue("daily", DAY)))
    for fact, count in ((right, 1), (change(right), 0)):
        after = FormDesk.open(memory([*facts, fact]))
        assert len(after.issue("daily", DAY).signed) == count
        found = [
            one
            for one in audit_day(after.replay, DAY).findings
            if one.code == "decision_not_entitled"
        ]
        assert len(found) == 1 - count
        assert all(why in one.sentence and one.citations[0].section == "L.10" for one in found)


def test_one_person_signs_an_issue_once_by_whatever_credential() -> None:
    facts = [*scene().facts, *described(*NAMED)]
    desk = FormDesk.open(memory(facts))
    first = of(printed_name=NAMED[1])(signed(desk, desk.issue("daily", DAY)))
    for same in ("C-MS1", "c-ms1", "C MS1"):
        again = of(person=same, recorded_by=same)(replace(first, seq=2))
        after = FormDesk.open(memory([*facts, first, again]))
        assert len(after.issue("daily", DAY).signed) == 1
        said = [one.sentence for one in audit_day(after.replay, DAY).findings]
        assert any(f"{same} has signed this issue already" in one for one in said)
