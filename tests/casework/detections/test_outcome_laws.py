"""The law of what was staked: against the exact house edges, and against brute force."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from ledger.audit import Theory, read_office
from ledger.audit.result import Staked
from ledger.casework import convolution
from ledger.casework.convolution import Summand, chances_of, convolve
from ledger.casework.outcome_laws import Laws
from ledger.casework.standing_wagers import NOTHING_STANDS, Followed, worth, worth_after
from ledger.casework.wager_payoffs import BY_PLAY, NOT_FILED, multiplied
from ledger.games.dice import rolls
from ledger.games.dreamcatcher.wager_dependence import WAGER_DEPENDENCE as DREAMCATCHER
from ledger.games.props_and_hops.terms import LAMMERS, Roll, Sequence
from ledger.games.props_and_hops.wager_dependence import SHAKE
from ledger.games.props_and_hops.wagers import chance_to_complete
from ledger.games.three_dice_football import wager_dependence as football
from ledger.games.wager_dependence import Part
from ledger.house import Office
from ledger.kernel import FactRef
from ledger.replay import Replay
from ledger.rounds import Outcome, RoundStatus
from tests.engine import floor_day, log_of, results


def law(nets, chances, came):
    return Summand(nets=np.array(nets), chances=np.array(chances), parts=1, came=came)


def brute(laws):
    came = sum(round(one.came) for one in laws)
    below = above = 0.0
    for chosen in product(*(range(len(one.nets)) for one in laws)):
        total = sum(int(one.nets[i]) for one, i in zip(laws, chosen, strict=True))
        chance = float(np.prod([one.chances[i] for one, i in zip(laws, chosen, strict=True)]))
        below += chance * (total <= came)
        above += chance * (total >= came)
    return below, above


def test_rounds_together_against_brute_force():
    rng = np.random.default_rng(4)
    laws = []
    for _ in range(6):
        nets = (rng.integers(-20, 60, 4) * 250).tolist()
        chances = rng.dirichlet(np.ones(4)).tolist()
        laws.append(law(nets, chances, float(rng.choice(nets))))
    assert chances_of(laws) == pytest.approx(brute(laws), abs=1e-12)


def test_the_fast_convolution_is_the_slow_one():
    rng = np.random.default_rng(8)
    one, other = rng.dirichlet(np.ones(300)), rng.dirichlet(np.ones(171))
    assert np.abs(convolve(one, other) - np.convolve(one, other)).max() < 1e-15


def test_long_sums_are_close_to_the_binomial():
    from scipy.stats import binom

    laws = [law([-500, 500], [0.52, 0.48], 500.0 if at % 2 else -500.0) for at in range(2000)]
    below, above = chances_of(laws)
    assert below == pytest.approx(binom.cdf(1000, 2000, 0.48), abs=1e-9)
    assert above == pytest.approx(binom.sf(999, 2000, 0.48), abs=1e-9)


def test_rounds_that_reach_far_above_what_came_against_brute_force():
    """As with multipliers: a rare outcome of each round lies far beyond the grid."""
    rng = np.random.default_rng(7)
    for worst in (True, False):
        laws = []
        for _ in range(5):
            nets = [-250, 500, 1000, 10**12]
            chances = rng.dirichlet([5, 3, 2, 0.5]).tolist()
            laws.append(law(nets, chances, -250.0 if worst else float(rng.choice(nets[:3]))))
        assert chances_of(laws) == pytest.approx(brute(laws), abs=1e-12)


def test_one_round_alone_is_its_own_law():
    assert chances_of([law([-100, 250], [0.6, 0.4], -100.0)]) == pytest.approx((0.6, 1.0))
    assert chances_of([law([-100, 250], [0.6, 0.4], 250.0)]) == pytest.approx((1.0, 0.4))


def test_689_3_the_factors_of_dreamcatcher_are_those_of_its_wheel():
    """One section of 54 doubles and one multiplies by seven; the wheel is then spun again."""
    chances = multiplied((*DREAMCATCHER.multipliers.items(),))
    assert chances[1] == pytest.approx(52 / 54)
    assert chances[2] == pytest.approx(52 / 54 / 54)
    assert chances[14] == pytest.approx(2 * 52 / 54**3)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    on_average = sum(factor * chance for factor, chance in chances.items())
    assert on_average == pytest.approx(52 / 54 / (1 - 9 / 54), abs=1e-6)


def test_a_grid_too_fine_is_refused(monkeypatch):
    monkeypatch.setattr(convolution, "MOST_WORK", 1000)
    assert chances_of([law([-1000, -999, 1000], [0.3, 0.2, 0.5], -400.0)]) is None


@pytest.fixture(scope="module")
def floor():
    facts = floor_day(seed=4, scale=0.06)[0]
    return SimpleNamespace(rounds=results(facts), office=read_office(Replay(log_of(facts))).office)


def units(floor, *games):
    """Every variable of these games, with its round."""
    laws, followed = Laws(floor.office), {}
    for result in sorted(floor.rounds, key=lambda one: one.opened_at):
        if result.game not in games or not result.wagers:
            continue
        before = NOTHING_STANDS
        if result.game == "Props & Hops":
            before = followed.setdefault(result.table, Followed(SHAKE)).take(result)
        for unit in laws.units(result, result.wagers, before):
            yield result, unit


def by_edges(floor, result, wagers):
    """The mean of wagers by the exact house edges, which the reports print."""
    theory = Theory(floor.office)
    return -sum(
        one.stake_cents
        * theory.edge(
            Staked(
                game=result.game,
                paytable=result.paytable,
                wager=one.wager,
                picks=one.picks,
                cents=1,
            ),
            result.gaming_day,
        )
        for one in wagers
    )


def net(wagers):
    return sum(one.expected.winnings_cents - one.expected.stake_taken_cents for one in wagers)


@pytest.mark.parametrize("game", ["Sic Bo", "Dreamcatcher", "Three Dice Football"])
def test_the_mean_of_a_variable_is_the_sum_of_stakes_and_edges(floor, game):
    seen = Counter()
    for result, unit in units(floor, game):
        if unit.law is not None:
            mine = unit.wagers
            seen[unit.part] += 1
            assert unit.law.mean == pytest.approx(float(by_edges(floor, result, mine)))
            assert unit.law.came == net(mine)
            assert unit.law.low <= unit.law.came
            assert (unit.law.high is None) == (game == "Dreamcatcher")
            law = unit.law.summand
            mean = float((law.nets * law.chances).sum()) / law.parts
            assert mean == pytest.approx(unit.law.mean, abs=1e-6 * unit.law.stake_cents)
            assert law.came == net(mine)
    assert set(seen) == (
        {football.GAME.name, football.PLAYS.name} if game == "Three Dice Football" else {""}
    )
    assert min(seen.values()) > 15


def test_577_plays_are_variables_of_their_own_and_each_wager_is_in_one(floor):
    games = [one for one in floor.rounds if one.game == "Three Dice Football"]
    several = 0
    for result in games:
        parts = list(Laws(floor.office).units(result, result.wagers))
        if any(one.why for one in parts):
            continue
        held = [wager.wager_id for one in parts for wager in one.wagers]
        decided = [
            one.wager_id
            for one in result.wagers
            if one.expected.outcome in (Outcome.WON, Outcome.LOST)
        ]
        assert sorted(held) == sorted(decided)
        plays = [one for one in parts if one.part == football.PLAYS.name]
        several += len(plays) > 1
        for one in plays:
            assert len({wager.decided_by for wager in one.wagers}) == 1
    assert several


def test_577_no_game_is_left_out_for_how_it_ended(floor):
    """A score without an extra point roll is one on which no wager hung: left out, it would count
    the games that patrons lost and not those that they won."""
    without = 0
    for result, unit in units(floor, "Three Dice Football"):
        if result.status is RoundStatus.SETTLED and unit.part == football.GAME.name:
            assert unit.law is not None, result.outcome
            without += result.outcome.game.scored and result.outcome.extra is None
    assert without


def test_577_late_is_what_the_rules_of_the_game_call_late(floor):
    games = [one for one in floor.rounds if one.game == "Three Dice Football"]
    late = {one.late for result in games for one in result.wagers}
    assert late == {False}, "wagers on later plays are made in time"


def test_668a_a_roll_is_one_variable_with_what_it_makes_of_a_six_eight_shake(floor):
    shaken = 0
    for result, unit in units(floor, "Props & Hops"):
        if unit.law is None:
            continue
        rest = [one for one in unit.wagers if one.wager != "Six Eight Shake"]
        fresh = [one for one in unit.wagers if one.wager == "Six Eight Shake" and one.placed.seq > int(result.round.rpartition(":")[2])]  # fmt: skip
        assert unit.law.mean == pytest.approx(
            float(by_edges(floor, result, rest + fresh)), abs=1e-6
        )
        assert unit.law.low <= unit.law.came <= unit.law.high
        if unit.law.summand is not None:
            assert unit.law.summand.came == net(rest)
        shaken += bool(unit.law.without)
    assert shaken > 5


def test_668a_2_f_8_what_a_shake_is_worth_is_a_martingale():
    """By every roll of two dice from every set of lammers: on average nothing is won or lost."""
    for lammers in (frozenset(), frozenset({(1, 5)}), LAMMERS - {(4, 4)}):
        moved = sum(
            float(chance) * worth_after(SHAKE, lammers, Roll(faces, Sequence.GOES_ON), 150.0)
            for faces, chance in rolls(2)
        )
        assert moved == pytest.approx(worth(SHAKE, lammers, 150.0), abs=1e-12)
    assert worth(SHAKE, LAMMERS - {(4, 4)}, 150.0) == pytest.approx(float(Fraction(1, 7)) * 151 - 1)
    assert float(chance_to_complete(frozenset())) * 151 - 1 == worth(SHAKE, frozenset(), 150.0)


def shake(number, placed, outcome=Outcome.STANDS, cents=500):
    return SimpleNamespace(
        wager_id=f"W{number}",
        wager="Six Eight Shake",
        stake_cents=cents,
        placed=FactRef("PH-01", placed),
        expected=SimpleNamespace(outcome=outcome),
    )


def rolled(seq, faces, *wagers, ends=Sequence.GOES_ON, status=RoundStatus.SETTLED):
    return SimpleNamespace(
        round=f"PH-01:{seq}", outcome=Roll(faces, ends), status=status, wagers=wagers
    )


def test_668a_3_i_lammers_are_followed_from_roll_to_roll():
    table = Followed(SHAKE)
    assert table.take(rolled(10, (1, 5), shake(1, 11))) == NOTHING_STANDS
    second = table.take(rolled(20, (2, 2), shake(1, 11)))
    assert (second.collected, second.over) == ({(1, 5)}, {"W1"})
    third = table.take(rolled(30, (3, 3), shake(1, 11), shake(2, 31)))
    assert third.why == SHAKE.joined, "it is not settled by the rules alone"
    assert table.take(rolled(40, (1, 1), shake(1, 11), shake(2, 31))).why == SHAKE.joined
    lost = rolled(50, (3, 4), shake(1, 11, Outcome.LOST), ends=Sequence.LOST)
    assert table.take(lost).collected == {(1, 5), (3, 3)}
    assert table.take(rolled(60, (4, 4), shake(3, 61))) == NOTHING_STANDS


@pytest.mark.parametrize(
    "before",
    [[], [rolled(5, (1, 5), shake(1, 6), status=RoundStatus.UNKNOWN)]],
    ids=["stood over from another day", "after a round that is not known"],
)
def test_668a_lammers_that_are_not_known_are_said(before):
    table = Followed(SHAKE)
    for one in before:
        table.take(one)
    assert table.take(rolled(10, (1, 5), shake(1, 6))).why == SHAKE.unknown
    assert table.take(rolled(20, (1, 5), shake(1, 6))).why == SHAKE.unknown
    assert table.take(rolled(30, (3, 4), shake(1, 6, Outcome.LOST), ends=Sequence.LOST)).why
    assert table.take(rolled(40, (1, 5), shake(2, 41))) == NOTHING_STANDS


def test_575_bonus_wagers_have_an_exact_mean_and_the_other_wager_is_named(floor):
    laws, positions = Laws(floor.office), set()
    names = Counter()
    for result, unit in units(floor, "Asia Poker"):
        names.update(f"{one.wager}: {why}" for one, why in laws.untested(result, result.wagers))
        if unit.law is None:
            continue
        mine = [one for one in unit.wagers if one.wager == "Bonus Wager"]
        assert unit.law.mean == pytest.approx(float(by_edges(floor, result, mine)))
        assert unit.law.came == net(mine)
        alone = len({one.position for one in mine}) == 1
        assert (unit.law.summand is not None) == alone
        assert unit.law.low == -sum(one.stake_cents for one in mine)
        positions.add(len({one.position for one in mine}))
    assert list(names) == [f"Asia Poker Wager: {BY_PLAY}"]
    assert len(positions) > 1


def test_a_wager_without_a_law_is_left_out_of_its_variable_and_named(floor):
    """A hop group that nobody filed: what wins is not known, and the roll's other wagers count."""
    laws = Laws(Office())
    result, unit = next(
        (result, unit)
        for result, unit in units(floor, "Props & Hops")
        if unit.law is not None and len({one.wager for one in unit.wagers}) > 1
        and any(one.wager == "Any Number" for one in unit.wagers)
    )  # fmt: skip
    first = next(one for one in unit.wagers if one.wager == "Any Number")
    hop = replace(first, wager_id="W-hop", wager="Hop the Top", picks=())
    bare = replace(result, paytable=None, wagers=(first, hop))
    (alone,) = laws.units(bare, bare.wagers)
    (without,) = laws.units(bare, (first,))
    assert alone.law.mean == without.law.mean
    assert [(one.wager_id, why) for one, why in laws.untested(bare, bare.wagers)] == [
        ("W-hop", NOT_FILED)
    ]
    (none,) = laws.units(bare, (hop,))
    assert (none.law, none.why) == (None, "no wager of it has an exact law")


def test_why_a_round_is_left_out(floor):
    laws = Laws(Office())
    for result in floor.rounds:
        for unit in laws.units(result, result.wagers):
            if result.status is not RoundStatus.SETTLED:
                assert unit.why == f"the round is {result.status.value}"
            assert (unit.law is None) == bool(unit.why)
    assert Part().hangs_on(7) == 7
