"""The part of a round that every game shares: wagers come in, wagers are settled."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from ledger import events
from ledger.floor import asia_poker_payouts, people
from ledger.floor.patron_habits import CHIP, Patron, menu_of
from ledger.floor.sic_bo_payouts import Area
from ledger.floor.table_state import Table


class Twist(StrEnum):
    """A lawful irregularity, at most one in a round."""

    NO_ROLL = "no roll"
    DEVICE_FAILS = "the electrical device fails"
    SHAKER_FAILS = "the automated shaker fails"
    BETWEEN = "the clapper rests between sections"
    SHORT = "the spin is too short"
    STACKED = "two multipliers, one after the other"
    HANDED_BACK = "a wager over the limit is handed back"
    TAKEN_DOWN = "a wager is taken down in time"
    INCREASED = "a wager is increased in time"
    MOVED = "a wager is moved in time"
    REFUSED = "a late wager is refused"
    TAKE_DOWN_REFUSED = "a late take down is refused"
    DEALER_CARD = "a card of the dealer is exposed"
    PLAYER_CARD = "the dealer exposes a card of a player"
    FACE_UP = "a card lies face up in the shoe"
    WRONG_COUNT = "a position gets eight cards"
    SHORT_DECK = "three cards remain of a short deck"
    SHUFFLER_FAILS = "the shuffling device jams"
    SHOE_FAILS = "the automated shoe jams"
    LID_LIFTED = "the player takes off the lid"
    OFF_TABLE = "a die goes off the table"
    PROPPED = "two sides of a die are propped"
    FAR_END = "a die does not strike the far end"
    COCKED = "a die leans on a stack of chips"
    DISPUTED = "a face is disputed"


class Bet:
    """A wager as it stands on the layout."""

    __slots__ = ("area", "patron", "stake", "wager_id")

    def __init__(self, wager_id: str, patron: Patron, area: Area, stake: int) -> None:
        self.wager_id = wager_id
        self.patron = patron
        self.area = area
        self.stake = stake


def take_wagers(
    table: Table, twist: Twist | None, also: Callable[[Table], None] | None = None
) -> list[Bet]:
    """From the opening of the betting to "no more bets": the wagers that stand.

    ``also`` may take further ones before the betting closes.

    Args:
        table: the table.
        twist: what a patron or the dealer does irregularly; None: nothing.
        also: takes further wagers before the betting closes.
    """
    open_betting(table)
    bets = first_wagers(table, twist)
    if also is not None:
        also(table)
    table.wait(6, 14)
    table.sheet.append(
        events.NoMoreBetsAnnounced(
            **table.main.stamp(table.wait(0.5, 2), table.dealer),
            announced_by=table.dealer,
            role=events.Role.DEALER,
        )
    )
    if twist is not None and bets:
        refuse_late(table, twist, bets[0])
    return bets


def open_betting(table: Table) -> None:
    """A round begins."""
    table.round_count += 1
    table.sheet.append(events.BettingOpened(**table.main.stamp(table.wait(12, 28), table.dealer)))


def first_wagers(table: Table, twist: Twist | None) -> list[Bet]:
    """What the patrons stake by their habits, and what becomes of it while betting is open."""
    menu = menu_of(table.spec)
    rng = table.rng
    bets: list[Bet] = []
    for patron in sorted(table.patrons, key=lambda _: rng.random()):
        wishes = patron.wagers(table.limits, menu, rng)
        if table.spec.is_cards:
            wishes = asia_poker_payouts.with_main_first(wishes, patron.chips)
        for area, stake in wishes:
            patron.chips -= stake
            bets.append(place(table, patron, area, stake))
    if twist is not None and bets:
        _before_no_more_bets(table, twist, bets)
    return bets


def place(table: Table, patron: Patron, area: Area, stake: int) -> Bet:
    table.wager_count += 1
    bet = Bet(f"W{table.wager_count}", patron, area, stake)
    at = table.wait(0.4, 2.6)
    if not table.spec.sees_wagers:
        table.unseen += 1
        return bet
    table.sheet.append(
        events.WagerPlaced(
            **table.main.stamp(at, table.dealer),
            wager_id=bet.wager_id,
            position=patron.position,
            patron=patron.ref,
            wager=area[0],
            picks=area[1],
            stake_cents=stake,
            instrument=events.Instrument.CHIPS,
            coupons=(),
        )
    )
    return bet


def _before_no_more_bets(table: Table, twist: Twist, bets: list[Bet]) -> None:
    """What may still happen to a wager while the betting is open."""
    if not table.spec.sees_wagers:
        return
    bet = bets[int(table.rng.random() * len(bets))]
    if twist is Twist.HANDED_BACK:
        bet = max(bets, key=lambda other: other.patron.chips)
    patron = bet.patron
    if twist is Twist.HANDED_BACK:
        stake = table.limits.highest(bet.area[0]) + CHIP
        if patron.chips >= stake:
            over = place(table, patron, bet.area, stake)
            table.sheet.append(
                events.WagerReturned(
                    **table.main.stamp(table.wait(1, 3), table.dealer),
                    wager_id=over.wager_id,
                    returned_cents=stake,
                    reason="above the maximum",
                )
            )
    elif twist is Twist.TAKEN_DOWN and not _bound(table, bet, bets):
        mine = [other for other in bets if other.patron is patron]
        bet = mine[-1] if table.spec.is_cards else bet  # the Bonus Wager needs the other
        table.sheet.append(
            events.WagerTakenDown(
                **table.main.stamp(table.wait(1, 3), table.dealer),
                wager_id=bet.wager_id,
                taken_cents=None,
            )
        )
        patron.chips += bet.stake
        bets.remove(bet)
    elif twist is Twist.INCREASED:
        if bet.stake + CHIP <= table.limits.highest(bet.area[0]) and patron.chips >= CHIP:
            table.sheet.append(
                events.WagerIncreased(
                    **table.main.stamp(table.wait(1, 3), table.dealer),
                    wager_id=bet.wager_id,
                    added_cents=CHIP,
                    instrument=events.Instrument.CHIPS,
                )
            )
            patron.chips -= CHIP
            bet.stake += CHIP
    elif twist is Twist.MOVED:
        _move(table, bet, bets)


def _bound(table: Table, bet: Bet, bets: list[Bet]) -> bool:
    """Whether the wager is a player's last one where each must have one (§ 577.6(b))."""
    return table.spec.is_football and sum(other.patron is bet.patron for other in bets) == 1


def _move(table: Table, bet: Bet, bets: list[Bet]) -> None:
    """Move a wager to an even area on which the patron has nothing yet."""
    taken = {other.area for other in bets if other.patron is bet.patron}
    free = [area for area in menu_of(table.spec).even if area not in taken]
    if not free or bet.stake > table.limits.highest(free[0][0]):
        return
    bet.area = free[0]
    table.sheet.append(
        events.WagerMoved(
            **table.main.stamp(table.wait(1, 3), table.dealer),
            wager_id=bet.wager_id,
            wager=bet.area[0],
            picks=bet.area[1],
        )
    )


def refuse_late(table: Table, twist: Twist, bet: Bet) -> None:
    """What the dealer refuses when the betting is closed.

    Args:
        table: the table.
        twist: what the patron tries.
        bet: an earlier wager of that patron.
    """
    if not table.spec.sees_wagers:
        return
    if twist is Twist.REFUSED:
        table.sheet.append(
            events.WagerRefused(
                **table.main.stamp(table.wait(0.5, 1), table.dealer),
                wager_id=None,
                patron=bet.patron.ref,
                reason="after 'no more bets'",
            )
        )
    elif twist is Twist.TAKE_DOWN_REFUSED:
        table.sheet.append(
            events.TakeDownRefused(
                **table.main.stamp(table.wait(0.5, 1), table.dealer),
                wager_id=bet.wager_id,
                reason="after 'no more bets'",
            )
        )


def settle(table: Table, results: list[tuple[Bet, int]]) -> None:
    """Collect the losers (winnings below zero), then pay the winners; patrons learn from it."""
    pay(table, results)
    nets: dict[int, int] = {}
    for bet, winnings in results:
        gain = -bet.stake if winnings < 0 else winnings
        nets[id(bet.patron)] = nets.get(id(bet.patron), 0) + gain
    for patron in table.patrons:
        patron.learn(nets.get(id(patron), 0))


def pay(table: Table, results: list[tuple[Bet, int]]) -> None:
    """Collect the losers (winnings below zero), then pay the winners."""
    losers = [bet for bet, winnings in results if winnings < 0]
    winners = [(bet, winnings) for bet, winnings in results if winnings >= 0]
    for bet in losers:
        _settled(table, bet, events.SettledAs.LOST, 0, bet.stake)
    due = sum(winnings for _, winnings in winners)
    if due > table.rack + table.skew:
        fill(table, due)
    for bet, winnings in winners:
        bet.patron.chips += bet.stake + winnings
        _settled(table, bet, events.SettledAs.WON, winnings, 0)


def settle_one(table: Table, bet: Bet, winnings: int) -> int:
    """Collect a loser (winnings below zero) or pay a winner; what the patron gains by it.

    Args:
        table: the table.
        bet: the wager.
        winnings: in cents, without the stake; below zero: it loses.

    Returns:
        Cents by which the patron's chips change.
    """
    if winnings < 0:
        _settled(table, bet, events.SettledAs.LOST, 0, bet.stake)
        return -bet.stake
    if winnings > table.rack + table.skew:
        fill(table, winnings)
    bet.patron.chips += bet.stake + winnings
    _settled(table, bet, events.SettledAs.WON, winnings, 0)
    return winnings


def return_one(table: Table, bet: Bet) -> None:
    """Hand back one wager."""
    bet.patron.chips += bet.stake
    _settled(table, bet, events.SettledAs.RETURNED, 0, 0)


def hand_back(table: Table, bets: list[Bet]) -> None:
    """Return every wager: nothing was decided."""
    for bet in bets:
        bet.patron.chips += bet.stake
        _settled(table, bet, events.SettledAs.RETURNED, 0, 0)
    for patron in table.patrons:
        patron.learn(0)


def _settled(table: Table, bet: Bet, outcome: events.SettledAs, winnings: int, taken: int) -> None:
    table.rack += taken - winnings
    at = table.wait(0.7, 2.2)
    if not table.spec.sees_wagers:
        return
    table.sheet.append(
        events.WagerSettled(
            **table.main.stamp(at, table.dealer),
            wager_id=bet.wager_id,
            outcome=outcome,
            winnings_cents=winnings,
            stake_taken_cents=taken,
        )
    )


def fill(table: Table, least: int) -> None:
    """Bring chips to the table."""
    deliver(table, max(least, table.spec.limits.maximum * 60), table.wait(20, 60))


def deliver(table: Table, cents: int, at: int) -> None:
    """Chips arrive with a slip.

    Args:
        table: the table.
        cents: their value.
        at: when, microseconds UTC.
    """
    table.slip_count += 1
    table.rack += cents
    table.sheet.append(
        events.FillDelivered(
            **table.chips.stamp(at, table.floorperson),
            slip=f"F-{table.spec.name}-{table.day}-{table.slip_count}",
            chips_cents=cents,
            signed_by=(table.dealer, table.floorperson, people.CAGE, people.SECURITY),
        )
    )
