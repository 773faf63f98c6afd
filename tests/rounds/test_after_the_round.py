"""What comes for a wager after its round has ended belongs to that round, in every room.

A payment, a second payment, a correction, chips handed back, a coupon: until the next round ends,
and where none follows, until the gaming day does.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import pytest

from ledger.games import BY_KEY
from ledger.kernel import Finding
from ledger.rounds import RoundResult
from tests.games.transcript import FOLDER, event, setting, walk

LENGTH: Final = 200
"""From the opening of a round to the next, in seconds."""
OPENED: Final = LENGTH
MONEY: Final = {
    "fact_out_of_order", "settled_before_result", "wager_unsettled", "wager_settled_twice",
    "wager_underpaid", "wager_overpaid", "wrong_outcome", "settlement_corrected",
    "late_take_down", "late_wager",
}  # fmt: skip


class Won(NamedTuple):
    """A round up to the settlements: the transcript that shows it, and what its W1 wins."""

    transcript: str
    wins_cents: int


WON: Final = {
    "sic_bo": Won("539.5-e-underpayment-made-good", 75_000),
    "dreamcatcher": Won("689.2-e-overpayment-taken-back", 500),
    "props_and_hops": Won("668a.3-i-underpayment-made-good", 1_000),
    "three_dice_football": Won("577.6-f-settlements-put-right", 2_500),
    "asia_poker": Won("575.11-f-2-two-hands-higher", 2_500),
}


def lines_of(key: str, number: int) -> list[str]:
    """The lines of a round without its settlements, ``number`` rounds later; W1 is its own."""
    text = (FOLDER / key / f"rounds/{WON[key].transcript}.round").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line[:1].isdigit()]
    kept = [line for line in lines if "WagerSettled" not in line and "wager_id=W2" not in line]
    out = []
    for line in kept:
        at, rest = line.split(" ", 1)
        rest = rest.replace("started_time=15", f"started_time={15 + number * LENGTH}")
        out.append(f"{int(at) + number * LENGTH} {rest}".replace("=W1", f"=W{number + 1}"))
    return out


def paid(key: str, at: int, wager: str = "W1", cents: int | None = None) -> str:
    """What the wager wins, paid at a moment."""
    amount = WON[key].wins_cents if cents is None else cents
    return f"{at} WagerSettled wager_id={wager} outcome=WON winnings_cents={amount}"


def taken(at: int, cents: int, wager: str = "W1") -> str:
    """Chips taken back."""
    return f"{at} WagerSettled wager_id={wager} outcome=LOST stake_taken_cents={cents}"


def rounds(key: str, *more: str, many: int = 2, skipped: str = "W1") -> list[RoundResult]:
    """Rounds one after the other; each wager but the ``skipped`` is paid in its round."""
    lines = [line for number in range(many) for line in lines_of(key, number)]
    wagers = [f"W{number + 1}" for number in range(many)]
    lines += [paid(key, n * LENGTH + 120, w) for n, w in enumerate(wagers) if w != skipped]
    lines = sorted([*lines, *more], key=lambda line: int(line.split(" ", 1)[0]))
    before = setting(BY_KEY[key], [])
    facts = [event(line, len(before) + number) for number, line in enumerate(lines, 1)]
    return walk(BY_KEY[key], [], [*before, *facts])


def money(results: list[RoundResult]) -> list[Finding]:
    """What is told of money and of facts out of order."""
    return [f for result in results for f in result.findings if f.code in MONEY]


def differences(results: list[RoundResult]) -> list[int | None]:
    """The difference of each wager."""
    return [wager.difference_cents for result in results for wager in result.wagers]


rooms = pytest.mark.parametrize("key", WON)


@rooms
def test_a_wager_paid_just_after_the_next_opening_was_settled(key: str) -> None:
    results = rounds(key, paid(key, OPENED + 1))
    assert money(results) == []
    assert differences(results) == [0, 0]
    assert [len(result.afterwards) for result in results] == [1, 0]


@rooms
def test_a_second_payment_is_judged_by_the_sum(key: str) -> None:
    results = rounds(key, paid(key, 120), paid(key, OPENED + 1))
    (finding,) = money(results)
    assert (finding.code, finding.effect_cents) == ("wager_overpaid", WON[key].wins_cents)
    assert (finding.round, finding.wager) == (results[0].round, "W1")
    assert differences(results) == [WON[key].wins_cents, 0]


@rooms
def test_so_it_is_when_the_next_round_is_nearly_over(key: str) -> None:
    results = rounds(key, paid(key, 120), paid(key, 2 * LENGTH - 1))
    (finding,) = money(results)
    assert (finding.code, finding.round) == ("wager_overpaid", results[0].round)


@rooms
def test_the_rest_of_an_underpayment_makes_it_good(key: str) -> None:
    results = rounds(
        key, paid(key, 120, cents=100), paid(key, OPENED + 1, cents=WON[key].wins_cents - 100)
    )
    (finding,) = money(results)
    assert (finding.code, finding.effect_cents) == ("settlement_corrected", 0)
    assert differences(results) == [0, 0]


@rooms
def test_chips_taken_back_put_an_overpayment_right(key: str) -> None:
    first = paid(key, 120, cents=WON[key].wins_cents + 300)
    results = rounds(key, first, taken(OPENED + 1, 300))
    (finding,) = money(results)
    assert (finding.code, finding.effect_cents) == ("settlement_corrected", 0)
    assert differences(results) == [0, 0]


@rooms
def test_chips_handed_back_are_those_of_the_wager(key: str) -> None:
    results = rounds(key, f"{OPENED + 1} WagerReturned wager_id=W1")
    (finding,) = money(results)
    assert finding.round == results[0].round
    assert finding.effect_cents == differences(results)[0] == -WON[key].wins_cents


@rooms
def test_a_stake_lifted_then_was_lifted_too_late(key: str) -> None:
    results = rounds(key, f"{OPENED + 1} WagerTakenDown wager_id=W1")
    (finding,) = money(results)
    assert (finding.code, finding.round) == ("late_take_down", results[0].round)


@rooms
def test_a_second_payment_after_the_table_closed_belongs_to_the_last_round(key: str) -> None:
    results = rounds(key, paid(key, 120), paid(key, 3_700), many=1)
    (finding,) = money(results)
    assert (finding.code, finding.effect_cents) == ("wager_overpaid", WON[key].wins_cents)


@rooms
def test_once_the_next_round_has_ended_it_is_out_of_order(key: str) -> None:
    results = rounds(key, paid(key, 120), paid(key, 2 * LENGTH + 1), many=3)
    assert "fact_out_of_order" in [finding.code for finding in money(results)]
    assert results[0].afterwards == ()


@rooms
@pytest.mark.parametrize("kind", ["CouponDropped", "CouponRedeemed denomination_cents=2500"])
def test_a_coupon_dropped_after_the_next_opening_is_that_of_its_wager(key: str, kind: str) -> None:
    results = rounds(
        key,
        paid(key, 120),
        "19 CouponAccepted serial=M25-0000001 wager_id=W1 denomination_cents=2500",
        f"{OPENED + 1} {kind} serial=M25-0000001 wager_id=W1 box_table=T-01",
    )
    (coupon,) = results[0].wagers[0].coupons
    assert coupon.went == "dropped into the box of T-01"
    codes = [finding.code for finding in results[0].findings]
    assert "coupon_dropped_late" in codes
    assert not {"coupon_not_dropped", "fact_out_of_order"} & {*codes}


@rooms
def test_a_coupon_that_is_laid_again_is_none_of_the_round_before(key: str) -> None:
    results = rounds(
        key,
        paid(key, 120),
        "19 CouponAccepted serial=M25-0000001 wager_id=W1 denomination_cents=2500",
        "122 CouponGivenBack serial=M25-0000001 wager_id=W1",
        f"{OPENED + 1} CouponAccepted serial=M25-0000001 denomination_cents=1000",
    )
    assert results[0].afterwards == ()


# --- a wager that stands over ---------------------------------------------------------------------

SHAKE: Final = """
0 BettingOpened
1 WagerPlaced wager_id=W1 wager=Field stake_cents=500 position=1
1 WagerPlaced wager_id=W9 wager=Six~Eight~Shake stake_cents=500 position=1
2 NoMoreBetsAnnounced
3 PlayerShook position=1 shakes=3
4 ShakerUncovered
5 DiceThrown dice=1,5
6 RollCalled faces=1,5
9 LammerCollected combination=1-5
20 DiceShaken
30 BettingOpened
32 WagerPlaced wager_id=W2 wager=Field stake_cents=500 position=1
33 NoMoreBetsAnnounced
34 PlayerShook position=1 shakes=3
35 ShakerUncovered
36 DiceThrown dice=3,4
37 RollCalled faces=3,4
38 WagerSettled wager_id=W2 outcome=LOST stake_taken_cents=500
"""


def shakes(*more: str) -> list[RoundResult]:
    """A Field loses, a Six Eight Shake stands over and loses on the 7 of the next round."""
    lines = [*SHAKE.strip().splitlines(), *more]
    lines.sort(key=lambda line: int(line.split(" ", 1)[0]))
    room = BY_KEY["props_and_hops"]
    before = setting(room, [])
    facts = [event(line.replace("~", " "), len(before) + n) for n, line in enumerate(lines, 1)]
    return walk(room, [], [*before, *facts])


def test_a_wager_that_stands_over_is_settled_in_the_round_that_decides_it() -> None:
    results = shakes(taken(31, 500), taken(39, 500, "W9"))
    assert money(results) == []
    first, second = results
    assert [(w.wager_id, w.expected.outcome) for w in first.wagers] == [
        ("W1", "lost"),
        ("W9", "stands"),
    ]
    assert [(w.wager_id, w.expected.outcome) for w in second.wagers] == [
        ("W9", "lost"),
        ("W2", "lost"),
    ]
    assert first.wagers[1].observed is None
    assert differences(results) == [0, None, 0, 0]


def test_its_payment_after_the_next_opening_is_none_of_the_round_before() -> None:
    first, second = shakes(taken(31, 500), paid("props_and_hops", 31, "W9", 100))
    assert money([first]) == []
    assert first.wagers[1].observed is None
    assert {finding.wager for finding in money([second])} >= {"W9"}


def test_one_that_was_decided_is_paid_in_its_own_round() -> None:
    """The 7 decides the Six Eight Shake; it is collected after the third opening."""
    results = shakes(taken(31, 500), "50 DiceShaken", "60 BettingOpened", taken(61, 500, "W9"))
    assert money(results) == []
    assert results[1].wagers[0].difference_cents == 0
