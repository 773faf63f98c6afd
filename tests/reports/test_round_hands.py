"""Hands are drawn as they were set: card by card, beside the dealer's, with who wins."""

from __future__ import annotations

from ledger.audit import day_of, read_office, with_coupons
from ledger.floor import FIRST_DAY
from ledger.replay import Replay
from ledger.reports import round_data, round_views_on
from ledger.reports.night import round_html
from ledger.reports.round_hands import hands_of
from tests.engine import log_of, table_day

RANKED = {"higher": 1, "copy": 0, "lower": 0}


def test_each_hand_stands_beside_the_dealers_with_the_winner_marked() -> None:
    replay = Replay(log_of(table_day("AP-01")))
    house = with_coupons(replay, read_office(replay))
    openings = [
        f"{step.fact.stream}:{step.fact.seq}"
        for stream in replay.tables()["AP-01"]
        for step in replay.walk([stream], only=("BettingOpened",))
    ]
    drawn = 0
    for seen in round_views_on(replay, house, day_of(house.clock, FIRST_DAY), openings[5:15]):
        hands = hands_of(seen)
        page = round_html(seen, house.clock)
        if not hands:
            continue
        dealer, *players = hands
        assert dealer.is_dealer
        assert not any(player.is_dealer for player in players)
        for hand in hands:
            if hand.high is not None:
                assert (len(hand.high), len(hand.medium or ()), len(hand.low or ())) == (4, 2, 1)
            if hand.compared:
                wager = next(
                    w
                    for w in seen.result.wagers
                    if w.position == hand.position and w.wager == "Asia Poker Wager"
                )
                higher = sum(RANKED[word] for word in hand.compared)
                assert (wager.expected.outcome.value == "won") is (higher >= 2)
                drawn += 1
        assert page.count('class="card') >= 7 * sum(hand.high is not None for hand in hands)
        assert len(round_data(seen)["hands"]) == len(hands)
    assert drawn > 5
