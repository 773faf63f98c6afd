"""`pitledger whatif`: a past round on other facts, interpretations or law; nothing is kept."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, progress

Repeated = Annotated[tuple[str, ...], Parameter(show_default=False, negative="")]


def whatif(
    round_id: Annotated[str, Parameter(name="ROUND")],
    /,
    *,
    change: Annotated[
        tuple[str, ...], Parameter(name="--set", show_default=False, negative="")
    ] = (),
    late: Repeated = (),
    return_: Annotated[
        tuple[str, ...], Parameter(name="--return", show_default=False, negative="")
    ] = (),
    add_coupon: Repeated = (),
    edition: Annotated[str | None, Parameter(show_default=False)] = None,
    reading: Repeated = (),
    options: Options = OPTIONS,
) -> int:
    """Judge a past round as if something had been otherwise: NOT ON RECORD.

    The round as recorded and as supposed are followed side by side into later rounds, until they
    are the same again or the table's day ends. Nothing is written. The exit code is 1 if an outcome
    or an amount is unknown.

    Addresses for --set count from 1, in the order of the page of `round show`:
    dice[2]=5, dice[2].rest=OFF_TABLE, throw[3].dice[2]=5 where there are several throws;
    section=12 or spin[2].section=12, by the numbers on that page; cards[5][1]=10H (the first card
    dealt to position 5), hand[5].low[1]=AS (as set: two cards of the same seven change places);
    W3.stake=50, W3.wager="Small Bet", W3.picks=2,6; W3.paid=45, W3.taken=0, W3.outcome=lost;
    or any field of any fact of the round: SB-01:1240.faces[2]=5. Amounts are dollars.

    Args:
        round_id: stream and number of any of its facts, such as SB-01:1234.
        change: what was otherwise: ADDRESS=VALUE.
        late: the wager that came after "no more bets": W3, or W3@SB-01:1240 after that fact.
        return_: the wager that the dealer handed back in place of settling it: W1, or
            W1@SB-01:1240 after that fact.
        add_coupon: the coupon that lay with a wager: W1=SERIAL.
        edition: the text by which the round is judged: where it was published ("40 Pa.B. 1740"), or
            the file of a draft.
        reading: another answer to an open question: NAME=ANSWER (pitledger law readings).
    """
    from ledger.audit.supposed_facts import SupposedRound
    from ledger.cli.supposed_rounds import SupposedLedger, asked_law
    from ledger.reports.what_if_page import what_if_data, what_if_text

    with progress("judging twice", ""):
        ledger = SupposedLedger.open(options.folder)
        seen = ledger.round(round_id)
        law = asked_law(seen.result.game, edition, reading)
        supposed = SupposedRound(seen.result, seen.steps, seen.wheel)
        for text in change:
            supposed.put(text)
        for text in add_coupon:
            supposed.add_coupon(text)
        for text in return_:
            supposed.hand_back(text)
        for text in late:
            supposed.make_late(text)
        answer = ledger.answer(seen, supposed.supposition(), supposed.fields, law)
    if options.is_json:
        emit_json(what_if_data(answer))
    else:
        emit(what_if_text(answer))
    return 1 if answer.stays_unknown else 0
