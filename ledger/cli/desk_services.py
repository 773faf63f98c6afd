"""What the desk works with: the makers of the command line, on the ledger that it has read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.cli.case_letters import LetterOptions, signatures_on, written_letter
from ledger.cli.coupons import rendered, stamp_of
from ledger.cli.days import round_seen
from ledger.web.services import LetterAsked, RoundNamed, Services, WrittenLetter

if TYPE_CHECKING:
    from ledger.analytics import JudgedTables
    from ledger.audit import FormDesk
    from ledger.casework.cases import CaseFile
    from ledger.kernel import PropertyClock
    from ledger.replay import Replay
    from ledger.reports import RoundView
    from ledger.reports.forms import Stamp
    from ledger.reports.what_if_page import WhatIfAnswer


def write_letter(
    replay: Replay, case: CaseFile, asked: LetterAsked, clock: PropertyClock, read: RoundNamed
) -> WrittenLetter:
    """Return a letter of a case as it stands now, with the signatures that count."""
    chosen = LetterOptions(wager=asked.wager, round=asked.round)
    letter = written_letter(replay, case, asked.recipient, chosen, clock, read)
    return WrittenLetter(letter=letter, signatures=signatures_on(case, letter, clock))


def suppose(
    replay: Replay,
    judged: JudgedTables,
    folder: Path,
    seen: RoundView,
    supposed: Mapping[str, Sequence[str]],
) -> WhatIfAnswer:
    """Judge a round as if something had been otherwise; nothing is written.

    Args:
        replay: the ledger's replay.
        judged: its judged tables.
        folder: the ledger.
        seen: the round as recorded.
        supposed: the words of `pitledger whatif`, by its options: set, late, return, add_coupon,
            reading, edition.
    """
    from ledger.audit.supposed_facts import SupposedRound
    from ledger.cli.supposed_rounds import SupposedLedger, asked_law

    edition = next(iter(supposed.get("edition", ())), None)
    law = asked_law(seen.result.game, edition, tuple(supposed.get("reading", ())))
    facts = SupposedRound(seen.result, seen.steps, seen.wheel)
    for option, take in (
        ("set", facts.put),
        ("add_coupon", facts.add_coupon),
        ("return", facts.hand_back),
        ("late", facts.make_late),
    ):
        for words in supposed.get(option, ()):
            take(words)
    ledger = SupposedLedger(folder, replay, judged)
    return ledger.answer(seen, facts.supposition(), facts.fields, law)


def coupon_desk(folder: Path, replay: Replay) -> tuple[FormDesk, Stamp]:
    """Return the coupon forms of a ledger, and what is stamped on them.

    Raises:
        NoCoupons: the ledger has no fact of the program.
    """
    from ledger.audit import FormDesk
    from ledger.log import read_log

    log = read_log(folder)
    desk = FormDesk.open(log, folder / "cache" / "carried", replay)
    return desk, stamp_of(desk, log.origin)


SERVICES: Final = Services(
    round=round_seen,
    write_letter=write_letter,
    suppose=suppose,
    coupon_desk=coupon_desk,
    printed_forms=rendered,
)
