"""The law of what was staked: against the exact house edges, and against brute force."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ledger.audit import Theory, read_office, rounds_of
from ledger.audit.result import Staked
from ledger.casework import staked
from ledger.casework.staked import Laws, RoundLaw, chances_of, convolve
from ledger.floor import FIRST_DAY
from ledger.house import Office
from ledger.replay import Replay
from ledger.rounds import RoundStatus
from tests.engine import floor_day, log_of, results


def law(nets, chances, came):
    mean = sum(n * p for n, p in zip(nets, chances, strict=True))
    return RoundLaw(
        stake_cents=0,
        came=came,
        mean=mean,
        low=min(nets),
        high=max(nets),
        spread=1.0,
        nets=np.array(nets),
        chances=np.array(chances),
        parts=1,
    )


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


def test_a_grid_too_fine_is_refused(monkeypatch):
    monkeypatch.setattr(staked, "MOST_PLACES", 100)
    assert chances_of([law([-1, 0, 1000], [0.3, 0.2, 0.5], -1.0)]) is None


def test_the_mean_of_a_round_is_the_sum_of_stakes_and_edges():
    replay = Replay(log_of(floor_day(seed=4, scale=0.02)[0]))
    office = read_office(replay).office
    laws, theory = Laws(office), Theory(office)
    seen = 0
    for result in rounds_of(replay, FIRST_DAY):
        if result.game in ("Sic Bo", "Dreamcatcher") and not laws.why_not(result):
            decided = [w for w in result.wagers if w.expected.outcome in ("won", "lost")]
            found = laws.of(result, result.wagers)
            if not decided:
                assert found is None
                continue
            edges = [
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
                for one in decided
            ]
            seen += 1
            assert found.mean == pytest.approx(-float(sum(edges, Fraction(0))))
            assert found.low <= found.came
            assert (found.high is None) == (result.game == "Dreamcatcher")
            net = sum(
                one.expected.winnings_cents - one.expected.stake_taken_cents for one in decided
            )
            assert found.came == net
    assert seen > 20


def test_why_a_round_is_left_out():
    laws = Laws(Office())
    every = results(floor_day(seed=4, scale=0.02)[0])
    football = next(one for one in every if one.game == "Three Dice Football")
    assert laws.why_not(football) == "a game without one outcome for all wagers"
    sic_bo = [one for one in every if one.game == "Sic Bo"]
    assert {laws.why_not(one) for one in sic_bo if one.status is RoundStatus.VOID} <= {
        "the round is void"
    }
    assert date(2021, 6, 12) == FIRST_DAY
