"""One $25 coupon missing among a million: its serial, its last holder, a form issued again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ledger.codec import to_text
from ledger.events import CouponsCounted, Fact
from tests.coupons.forms_scene import at, m25, scene
from tests.tour.stage import check, said

DAY: Final = "2013-06-14"
LOST: Final = 41_877
SERIAL: Final = f"M25-00{LOST}"
MILLION: Final = (
    (
        '"first":"M25-0041801","last":"M25-0042000","quantity":200',
        '"first":"M25-0000001","last":"M25-1000000","quantity":1000000',
    ),
    ('"last":"M25-0900000"', '"last":"M25-1000000"'),
    (
        '"first":"M25-0041891","last":"M25-0042000","quantity":110}',
        '"first":"M25-0000001","last":"M25-0041800","quantity":41800},{"denomination_cents":2500,'
        '"first":"M25-0041891","last":"M25-1000000","quantity":958110}',
    ),
)
"""The delivery of the hand-made day, its series and its inventory: a million instead of 200."""


def one_in_a_million(work: Path) -> Iterator[str]:
    """Ask where a coupon is, sign the form, count it late, and see the form issued again."""
    folder, lines = work / "ledger", work / "facts.jsonl"
    facts = scene().facts
    text = "".join(f"{to_text(one)}\n" for one in facts)
    for was, now in MILLION:
        check(was in text, f"the day has no {was}")
        text = text.replace(was, now)
    lines.write_text(text, encoding="utf-8")
    said("init", "--origin", "coupons.example", "--ledger", folder)
    said("append", lines, "--ledger", folder)
    told = said("coupons", "reconcile", "--day", DAY, "--ledger", folder, code=1).out
    check(told.startswith(f"{DAY}: does NOT balance"), "the day balances")
    check(SERIAL in told and "redeemed_not_dropped" in told, f"{SERIAL} is not told of")
    yield "1,000,000 coupons of $25 were received; 14 June 2013 does not balance"
    yield said("coupons", "where", SERIAL, "--ledger", folder, code=1).out.splitlines()[0]
    where = said("coupons", "where", SERIAL, "--ledger", folder, "--format", "json", code=1).json
    last = where["steps"][-1]
    check(last["event"] == "CouponRedeemed", f"it was last seen in a {last['event']}")
    yield f"last holder: {last['who']}, who took it at SB-02 (position {last['position']:,})"
    before = _form(folder)
    said(
        "coupons",
        "sign",
        "finance",
        "--day",
        DAY,
        "--by",
        "C-FM1",
        "--name",
        "Fm One",
        "--ledger",
        folder,
    )
    check(_form(folder)["signed_by_all"], "the form is not signed")
    yield f"{before['form_id']} issue {before['issue']} is signed"
    lines.write_text(f"{to_text(_late(facts))}\n", encoding="utf-8")
    said("append", lines, "--ledger", folder)
    after = _form(folder)
    check(
        (after["issue"], after["supersedes"]) == (before["issue"] + 1, before["issue"]),
        "no new issue",
    )
    check(not after["signed_by_all"], "the new issue is signed already")
    check(after["differences"], "nothing differs")
    yield f"a late count finds it: issue {after['issue']} supersedes issue {after['supersedes']}, to be signed again"
    yield from (
        f"  {one['where'].partition(': ')[2]}: was {one['was']}, now {one['now']}"
        for one in after["differences"][:3]
    )
    line = said("coupons", "where", SERIAL, "--ledger", folder, code=1).out.splitlines()[0]
    check("NOT FOUND" not in line, "it is still missing")
    yield line


def _late(facts: tuple[Fact, ...]) -> Fact:
    """The second count of the box, which has the coupon."""
    counted = [one for one in facts if isinstance(one, CouponsCounted)]
    last = max(counted, key=lambda one: one.seq)
    return replace(
        last, seq=last.seq + 1, event_time=at("15 16:00:00"), ranges=(m25(LOST),), part=2, parts=2
    )


def _form(folder: Path) -> Any:
    """Finance's reconciliation of the day, as it stands."""
    told = said(
        "coupons", "form", "finance", "--day", DAY, "--ledger", folder, "--format", "json"
    ).json
    return told[0] if isinstance(told, list) else told
