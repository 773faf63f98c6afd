"""Signatures that are given at the desk: on coupon forms, and on the final report of a night.

What is signed is read from the ledger's entries, and not from an index that is kept of them. That
takes as long as the ledger is large, so it is done before the act waits for its group.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.cli.errors import CommandWrong
from ledger.cli.person import Proof
from ledger.replay import Replay

if TYPE_CHECKING:
    from ledger import events
    from ledger.cli.desk_acts import Act

SIGNATURES: Final = frozenset({"sign_form", "sign_report"})
FUNCTIONS: Final = ("preparer", "approver")


def signature_of(folder: Path, nights: Path, act: Act, at: int) -> events.Fact:
    """Return the signature that an act asks for, with the proof of who gives it.

    Args:
        folder: the ledger.
        nights: the folder of nights.
        act: what was entered; its pass phrase has been checked.
        at: now, microseconds UTC.

    Raises:
        SignerRefused, SignedAlready, FormUnknown: as for coupon forms.
        NothingIssued, IssueDamaged, ReportNotSigned: as for reports.
        NotProved: who signs is enrolled with a key.
    """
    day = act.day("day")
    if day is None:
        raise CommandWrong("A signature is for a gaming day.", "coupons sign")
    replay = Replay.open(folder, from_entries=True)
    proof = Proof(replay.roster(), act.by, None)
    if act.name == "sign_form":
        return proof.on(_on_form(folder, replay, act, day, at))
    from ledger.night import signature_on_report

    if act.text("signed_as") not in FUNCTIONS:
        raise CommandWrong("A report is signed as preparer or approver.", "night sign")
    signature = signature_on_report(
        folder, nights, day, person=act.by, name=act.text("name"),
        signed_as=act.text("signed_as"), at=at, replay=replay,
    )  # fmt: skip
    return proof.on(signature)


def _on_form(folder: Path, replay: Replay, act: Act, day: date, at: int) -> events.CouponFormSigned:
    from ledger.audit import FormDesk
    from ledger.cli.form_signing import signature_on_form
    from ledger.log import read_log

    desk = FormDesk.open(read_log(folder), folder / "cache" / "carried", replay)
    return signature_on_form(
        desk, act.text("form"), day, act.by, act.text("name"), act.optional("signed_as"), at
    )
