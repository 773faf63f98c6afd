"""A wager that is paid just after the next betting opened belongs to its own round."""

from __future__ import annotations

from ledger.audit import read_office, with_coupons
from ledger.cli.days import seen_rounds
from ledger.kernel import ref_of, table_of
from ledger.replay import Replay
from ledger.rounds import TablePlay
from tests.engine import Scene, dreamcatcher, judged, log_of, roll, sic_bo, spin

PAID, OPENED = 61, 60


def dice() -> Scene:
    """1 2 3: a Small Bet wins 10.00; the next betting opens before it is paid."""
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    scene.wager(2, "Big Bet")
    roll(scene, 10, 1, 2, 3)
    scene.lost(30, "W2")
    scene.add("LightsCleared", 40)
    scene.add("BettingOpened", OPENED)
    return scene


def next_dice(scene: Scene) -> Scene:
    """The round after it."""
    scene.wager(OPENED + 5, "Small Bet")
    roll(scene, OPENED + 10, 2, 2, 3)
    scene.won(OPENED + 30, "W3", 1_000)
    scene.add("LightsCleared", OPENED + 40)
    return scene


def wheel() -> Scene:
    """The wheel stops on 1: a wager on it wins 10.00, and is paid too late."""
    scene = dreamcatcher()
    scene.add("BettingOpened", 0)
    scene.wager(1, "1")
    spin(scene, 10, "1")
    scene.add("BettingOpened", OPENED)
    scene.won(PAID, "W1", 1_000)
    scene.wager(OPENED + 5, "2")
    spin(scene, OPENED + 10, "2")
    scene.won(OPENED + 30, "W2", 2_000)
    return scene


def money(scene: Scene) -> list[str]:
    return [line for line in scene.said() if "settled" in line or line.startswith("fact_")]


def test_it_was_settled_and_not_before_the_result_of_the_next() -> None:
    scene = dice()
    scene.won(PAID, "W1", 1_000)
    assert money(next_dice(scene)) == []
    first, second = scene.rounds()
    assert [wager.wager_id for wager in first.wagers] == ["W1", "W2"]
    assert [wager.difference_cents for wager in (*first.wagers, *second.wagers)] == [0, 0, 0]
    assert first.opened_at < second.opened_at


def test_nor_where_the_wheel_was_not_spun_yet() -> None:
    assert wheel().said() == []


def test_what_was_paid_then_is_compared_with_what_was_due() -> None:
    scene = dice()
    scene.won(PAID, "W1", 900)
    findings = next_dice(scene).audit().findings
    (finding,) = [one for one in findings if one.effect_cents is not None]
    assert (finding.code, finding.effect_cents) == ("wager_underpaid", -100)
    assert finding.round == str(scene.lines_of("BettingOpened")[0].ref)


def test_one_that_is_never_paid_is_told() -> None:
    assert money(next_dice(dice())) == ["wager_unsettled 539.5(e)"]


def test_one_that_may_be_paid_in_a_gap_is_unknown() -> None:
    scene = next_dice(dice())
    scene.add("PatronsCounted", PAID, count=1)
    facts = [fact for fact in scene.build() if type(fact).__name__ != "PatronsCounted"]
    findings = judged(facts, scene.day).findings
    assert [f.certainty for f in findings if f.code == "wager_unsettled"] == ["unknown"]


def test_the_page_of_a_round_holds_what_came_afterwards() -> None:
    scene = dice()
    paid = scene.won(PAID, "W1", 1_000)
    replay = Replay(log_of(next_dice(scene).build()))
    house = with_coupons(replay, read_office(replay))
    first, second = seen_rounds(replay, house, "T-01", explain=True)
    assert paid.ref in [ref_of(step.fact) for step in first.steps]
    assert len(first.steps) == first.result.facts
    assert {type(step.fact).__name__ for step in first.steps} >= {"DiceThrown", "AreasLit"}
    assert second.result.round == str(scene.lines_of("BettingOpened")[1].ref)


def test_so_it_is_where_the_table_closes_at_once() -> None:
    scene = dice().change("TableClosed", at=PAID + 60)
    scene.won(PAID, "W1", 1_000)
    assert money(scene) == []
    assert [wager.difference_cents for wager in scene.rounds()[0].wagers] == [0, 0]


def test_what_comes_after_it_was_ended_on_trial_counts() -> None:
    """Whoever follows the table looks between the next opening and the payment, and after it."""
    scene = dice()
    scene.won(PAID, "W1", 1_000)
    facts = next_dice(scene).build()
    house = read_office(Replay(log_of(facts)))
    plain, tried = (TablePlay(scene.table, house.office, house.clock) for _ in range(2))
    rounds = []
    for fact in facts:
        if table_of(fact.stream) == scene.table:
            handed_out = [*plain.take(fact, fact.event_time)]
            assert [*tried.take(fact, fact.event_time)] == handed_out
            tried.late_as_it_stands()
            rounds += handed_out
    assert rounds[0].wagers[0].difference_cents == 0
