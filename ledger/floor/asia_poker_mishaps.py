"""What may go wrong in a deal of Asia Poker, and how this floor's staff deal with it.

Law: 58 Pa. Code §§ 575.8(e), 575.10(d), 575.13(e), (k), (m), (n).
"""

from __future__ import annotations

from ledger import events
from ledger.floor.asia_poker_equipment import device_of, replace_deck, shoe_of
from ledger.floor.asia_poker_payouts import DEALER
from ledger.floor.betting import Bet, Twist, hand_back
from ledger.floor.table_state import Table


def stop(table: Table, twist: Twist, start: str) -> None:
    """The deal begins and goes no further."""
    spec = table.spec
    table.sheet.append(
        events.DealBegan(
            **table.sensor.stamp(table.wait(1, 3), None),
            deck=table.cards.deck.name,
            method=spec.offer.deals,
            device_id=shoe_of(spec),
            position=start,
        )
    )
    if twist is Twist.SHOE_FAILS:
        table.sheet.append(
            events.CardDeviceFailed(
                **table.sensor.stamp(table.wait(5, 15), None),
                device=events.CardDevice.AUTOMATED_SHOE,
                device_id=shoe_of(spec),
                fault=events.CardDeviceFault.JAMMED,
                note=None,
            )
        )
        irregular(table, events.Irregularity.SHOE_FAILED, None)
        return
    table.sheet.append(
        events.HandExposed(
            **table.main.stamp(table.wait(5, 15), table.dealer),
            position=DEALER,
            hand=None,
            cards=None,
            count=1,
            during_deal=True,
            role=events.Role.DEALER,
            exposed_by=table.dealer,
        )
    )
    irregular(table, events.Irregularity.DEALER_CARD_EXPOSED, DEALER, count=1, exposed=True)


def irregular(
    table: Table,
    irregularity: events.Irregularity,
    position: str | None,
    *,
    count: int | None = None,
    exposed: bool | None = None,
) -> None:
    """The table records that something went wrong.

    Args:
        table: the table.
        irregularity: what went wrong.
        position: the hand that it concerns; None for the deal as a whole.
        count: how many cards; None where that does not matter.
        exposed: whether a card was seen; None where that does not matter.
    """
    table.sheet.append(
        events.IrregularityFound(
            **table.main.stamp(table.wait(3, 8), table.dealer),
            irregularity=irregularity,
            position=position,
            cards=None,
            count=count,
            exposed=exposed,
            used_as_next_card=None,
            note=None,
            found_by=table.dealer,
        )
    )


def void(table: Table, twist: Twist | None, bets: list[Bet]) -> None:
    """All hands are void, every wager goes back; what failed is mended before the next round.

    Args:
        table: the table.
        twist: what went wrong; None where nothing has to be mended.
        bets: the wagers that lie.
    """
    table.sheet.append(
        events.RoundVoided(
            **table.main.stamp(table.wait(3, 8), table.dealer),
            reason=str(twist.value) if twist is not None else None,
            called_by=table.floorperson,
        )
    )
    hand_back(table, bets)
    if twist is Twist.SHORT_DECK:
        prepared = len(table.cards.decks) == 2
        replace_deck(table, table.cards.deck, "a card is missing", prepared=prepared)
    elif twist is Twist.SHOE_FAILS:
        table.sheet.append(
            events.OutOfOrderShown(
                **table.main.stamp(table.wait(5, 10), table.floorperson),
                device=events.CardDevice.AUTOMATED_SHOE,
                device_id=shoe_of(table.spec),
                covered=False,
                sign=True,
                shown_by=table.floorperson,
            )
        )
        mend(table, events.CardDevice.AUTOMATED_SHOE)


def mend(table: Table, device: events.CardDevice) -> None:
    table.sheet.append(
        events.CardDeviceFixed(
            **table.main.stamp(table.wait(60, 200), table.floorperson),
            device=device,
            device_id=device_of(table.spec, device),
        )
    )
