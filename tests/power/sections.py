"""The parts of the power table. Each draws from its own seed, so that it can be made again alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from math import log
from unittest.mock import patch

import numpy as np

from ledger.casework.detections import CARDS, DETECTIONS, detect, discoveries
from ledger.casework.detections.wheel_bias import log_wheel
from ledger.casework.e_values import CONCENTRATIONS, fair, log_arc, log_bias
from ledger.casework.history import Night
from ledger.casework.multiple_testing import Policy
from ledger.casework.night_from_audit import history_of
from ledger.events import DiceThrown
from ledger.floor import FIRST_DAY, Plant, simulate
from ledger.floor import day as floor_day
from ledger.floor.betting import Twist
from ledger.replay import Replay
from tests.engine import log_of
from tests.power.makers import LAST, MAKERS, face_chances, section_chances
from tests.power.study import counted_interval, crossings, orders, run_bias, share

SEED = 20140131
ALONE = 1_000.0
TESTS = 60
NIGHT = TESTS * Policy().nights / Policy().alpha
WOLF = (3246, 3449, 2897, 2841, 3635, 3932)
HEAD = [
    "| planted | looked at | alarm by itself | alarm among a night's tests |",
    "|---|---|---|---|",
]
Logs = Sequence[float]


def prior() -> Iterator[str]:
    """Which prior finds simulated mild biases; drawn before any real throw was looked at."""
    yield "| strength of the prior | s = 0.05 | s = 0.10 | s = 0.15 | s = 0.20 |"
    yield "|---|---|---|---|---|"
    sets: dict[str, tuple[int, ...]] = {
        "6 (flat)": (6,),
        "30": (30,),
        "100": (100,),
        "300": (300,),
        "1000": (1000,),
        "100, 300, 1000 (in use)": CONCENTRATIONS,
    }
    drawn = {}
    for s in (0.05, 0.1, 0.15, 0.2):
        rng = np.random.default_rng(SEED)
        biased = np.exp(s * rng.standard_normal((200, 6)))
        biased /= biased.sum(axis=1, keepdims=True)
        drawn[s] = np.stack([rng.choice(6, 4000, p=p) for p in biased])
    for name, concentrations in sets.items():
        found = (crossings(runs, ALONE, concentrations) <= 4000 for runs in drawn.values())
        yield f"| {name} | {' | '.join(f'{one.mean():.1%}' for one in found)} |"


def wolf() -> Iterator[str]:
    """Random orders of Wolf's counts, watched after every throw."""
    found = crossings(orders(WOLF, 1000, 4000, SEED), ALONE)
    yield "| throws | share of 1,000 orders that alarmed |"
    yield "|---|---|"
    for n in (1000, 2000, 3000, 4000):
        yield f"| {n:,} | {share(int((found <= n).sum()), 1000)} |"


def fair_runs(runs: int = 1000, throws: int = 20_000) -> Iterator[str]:
    """Even dice, watched after every throw."""
    found = run_bias(face_chances(), runs, throws, SEED, ALONE)
    hits = int((found <= throws).sum())
    yield f"Of {runs:,} fair runs of {throws:,} throws {hits} alarmed at any time: {share(hits, runs)}."


def lives() -> Iterator[str]:
    """A die in a lawful life, by the busiest Sic Bo table of a simulated day."""
    rolled = Counter(
        one.stream
        for one in simulate(3).facts
        if isinstance(one, DiceThrown) and one.stream.startswith("SB-")
    )
    life = max(rolled.values())
    yield f"A die lives at most 24 hours; the busiest Sic Bo table of a simulated day throws its dice {life:,} times in them."
    yield ""
    yield f"| planted | one die in a life of {life:,} throws, by itself | among a night's tests | all three dice of a table in a week ({life * 21:,}), among a night's tests |"
    yield "|---|---|---|---|"
    for name, chances in [
        ("Wolf's white die", face_chances(counts=WOLF)),
        *((f"one face {x:.0%} likelier", face_chances(x)) for x in (0.1, 0.2, 0.4, 0.8)),
    ]:
        one = run_bias(chances, 400, life, SEED, ALONE)
        night = run_bias(chances, 400, life, SEED, NIGHT)
        drawn = np.random.default_rng(SEED).multinomial(life * 21, chances, 400)
        week = sum(log_bias(row, fair(6)) >= log(NIGHT) for row in drawn.tolist())
        yield f"| {name} | {share(int((one <= life).sum()), 400)} | {share(int((night <= life).sum()), 400)} | {share(week, 400)} |"


def _rows(planted: str, sizes: Sequence[tuple[str, Logs]]) -> Iterator[str]:
    for size, logs in sizes:
        cells = (
            share(sum(one >= log(level) for one in logs), len(logs)) for level in (ALONE, NIGHT)
        )
        yield f"| {planted} | {size} | {' | '.join(cells)} |"


def _counts(chances: np.ndarray, n: int, log_e: Callable[[list[int]], float]) -> list[float]:
    drawn = np.random.default_rng(SEED).multinomial(n, chances, 200)
    return [log_e(row) for row in drawn.tolist()]


def wheels() -> Iterator[str]:
    """Wheels of 54 sections, looked at after so many spins."""
    yield from HEAD
    plans = [
        ("an even wheel", {}),
        *((f"arc preferred by {x:.0%}", {"arc": x}) for x in (0.1, 0.2, 0.4)),
        *((f"one section {x:.0%} likelier", {"section": x}) for x in (0.5, 1.0)),
    ]
    for planted, given in plans:
        sizes = [
            (
                f"{n:,} spins",
                _counts(
                    section_chances(54, **given),
                    n,
                    log_wheel,
                ),
            )
            for n in (1000, 5000, 20_000)
        ]
        yield from _rows(planted, sizes)


def signatures() -> Iterator[str]:
    """Displacements between successive spins."""
    yield from HEAD
    for x in (0.0, 0.1, 0.2, 0.4):
        sizes = [
            (f"{n:,} spins", _counts(section_chances(54, x), n, log_arc))
            for n in (500, 2000, 10_000)
        ]
        yield from _rows(f"displacement preferred by {x:.0%}" if x else "honest spins", sizes)


def dependence() -> Iterator[str]:
    """Throws of which a part stays as it lay."""
    yield from HEAD
    for x in (0.0, 0.02, 0.05, 0.1):
        chances = np.array([x + (1 - x) / 6] + [(1 - x) / 6] * 5)
        sizes = [
            (f"{n:,} pairs", _counts(chances, n, lambda c: log_bias(c, fair(6))))
            for n in (1000, 3000, 10_000)
        ]
        yield from _rows(
            f"{x:.0%} of throws stay as they lay" if x else "independent throws", sizes
        )


def _examined(name: str, maker: str, runs: int, **given: object) -> list[float]:
    """The strongest evidence of a detection in each of so many histories."""
    card = CARDS[name]
    if name in (
        "same_hands",
        "coupon_concentration",
        "coupon_times",
    ):  # the shuffles stand beside the evidence only
        card = replace(card, settings={**card.settings, "shuffles": 19})
    logs = []
    for run in range(runs):
        history = MAKERS[maker](seed=SEED + run, **given)
        found = [one for one in DETECTIONS[name](history, LAST, card) if one.volume >= card.minimum]
        logs.append(max((one.log_e for one in found), default=-1e9))
    return logs


def examined(name: str) -> Iterator[str]:
    """A detection on made-up nights; the strongest of its subjects counts."""
    maker, runs, plans, sizes = PLANS[name]
    yield from HEAD
    for planted, given in plans:
        yield from _rows(
            planted, [(size, _examined(name, maker, runs, **given, **by)) for size, by in sizes]
        )


Plan = tuple[str, int, list[tuple[str, dict[str, object]]], list[tuple[str, dict[str, object]]]]
PLANS: dict[str, Plan] = {
    "win_on_wagers": ("rounds", 60, [("honest, doubled after losses", {"raises": True}), *((f"patrons win {x:.0%} of the stake too much", {"edge": x, "raises": True}) for x in (0.05, 0.1, 0.2))],
                      [(f"{n:,} rounds", {"rounds": n}) for n in (500, 2000, 6000)]),
    "late_wagers": ("late", 200, [("late and blind", {"knows": 0.0}), *((f"{x:.0%} know the outcome", {"knows": x}) for x in (0.25, 0.5, 1.0))],
                    [(f"{n} late rounds", {"rounds": n}) for n in (10, 30, 100)]),
    "payment_errors": ("payments", 40, [("all err alike", {"times": 1.0}), *((f"one of eight errs {x:g} times as often", {"times": x}) for x in (2.0, 4.0, 10.0))],
                       [(f"{n} days", {"days": n}) for n in (3, 10, 31)]),
    "same_hands": ("hands", 40, [("errors where they fall", {"favours": 0}), *((f"{n} favours in one combination", {"favours": n}) for n in (5, 10, 20))],
                   [(f"{n} days", {"days": n}) for n in (10, 31)]),
    "coupon_concentration": ("coupons", 20, [("where they fall", {}), *((f"{x:.0%} of one issuer's to one dealer", {"gather": x}) for x in (0.25, 0.5))],
                             [(f"{n} days of 30 coupons", {"days": n}) for n in (5, 15, 31)]),
    "coupon_times": ("coupons", 20, [("with the wagers", {}), ("early, until they are spent", {"early": True}), *((f"{x:.0%} of one issuer's in a quiet hour", {"quiet_hours": x}) for x in (0.1, 0.2, 0.4))],
                     [(f"{n} days of 30 coupons", {"days": n}) for n in (5, 15, 31)]),
    "coupon_neighbours": ("coupons", 20, [("where they fall", {}), *((f"{x:.0%} from a strip", {"strips": x}) for x in (0.1, 0.2, 0.4))],
                          [(f"{n} days of 30 coupons", {"days": n}) for n in (5, 15)]),
}  # fmt: skip


def on_the_floor(floors: int = 4, redrawn: int = 25, scale: float = 0.15) -> Iterator[str]:
    """Days of the simulated floor with 30 late wagers planted at SB-01, by what they knew; and the
    same days with a bias planted into the dice of SB-01. Each day is drawn again many times."""
    yield from HEAD
    plants = [Plant.parse("late_wager:30@SB-01")]
    days = [
        history_of(
            Replay(log_of(simulate(SEED + at, plants=plants, scale=scale).facts)), [FIRST_DAY]
        )
        for at in range(floors)
    ]
    rng = np.random.default_rng(SEED)
    late = f"a day with {sum(len(night.late) for (night,) in days) / floors / 2:.0f} late rounds"
    for knows in (0.0, 0.5, 1.0):
        logs = [
            _strongest("late_wagers", knowing(night, knows, rng))
            for (night,) in days
            for _ in range(redrawn)
        ]
        yield from _rows(
            f"past-posting, {knows:.0%} know" if knows else "late and blind", [(late, logs)]
        )
    thrown = f"a day of {sum(one.table == 'SB-01' for (night,) in days for one in night.throws) / floors:.0f} throws of three dice"
    for bias in (0.0, 0.2, 0.4, 0.8):
        chances = face_chances(bias)
        logs = [
            _strongest("dice_bias", loaded(night, chances, rng))
            for (night,) in days
            for _ in range(redrawn)
        ]
        yield from _rows(f"one face {bias:.0%} likelier" if bias else "even dice", [(thrown, logs)])


def knowing(night: Night, knows: float, rng: np.random.Generator) -> Night:
    """The night with late wagers that won where they knew, and else came blind, with the same mean."""
    late, held = [], {}
    for one in night.late:
        wins = (one.mean - one.low) / ((one.high or 0.0) - one.low)
        won = held.setdefault(one.seq, rng.random() < knows + (1 - knows) * wins)
        late.append(replace(one, came=one.high if won else one.low))
    return replace(night, late=tuple(late), throws=())


def loaded(night: Night, chances: np.ndarray, rng: np.random.Generator) -> Night:
    """The night with the dice of SB-01 thrown again with these chances."""
    throws = []
    for one in night.throws:
        if one.table == "SB-01":
            faces = rng.choice(6, len(one.dice), p=chances) + 1
            dice = tuple(
                (serial, int(face)) for (serial, _), face in zip(one.dice, faces, strict=True)
            )
            throws.append(replace(one, dice=dice))
    return replace(night, throws=tuple(throws))


def _strongest(name: str, night: Night) -> float:
    card = CARDS[name]
    found = DETECTIONS[name]((night,), night.day, card)
    return max((one.log_e for one in found if one.volume >= card.minimum), default=-1e9)


def honest_months(months: int = 3, scale: float = 0.15) -> Iterator[str]:
    """The simulated floor played honestly, all detections every night, discoveries carried on.

    Its lawful irregularities stay but for one: it makes two multipliers follow each other once a
    day at each wheel, which chance does in one round of 729, and which is found as a bias of the
    wheel within months (see the floor's README).
    """
    by_chance = tuple(one for one in floor_day._TWISTS if one[0] is not Twist.STACKED)
    with patch.object(floor_day, "_TWISTS", by_chance):
        yield from _honest_months(months, scale)


def _honest_months(months: int, scale: float) -> Iterator[str]:
    alarms, tests, nights, loud = 0, 0, 0, 0
    by: Counter[str] = Counter()
    for month in range(months):
        history, earlier = [], 0
        for night in range(31):
            day = FIRST_DAY + timedelta(days=night)
            drawn = simulate(SEED + 100 * month + night, first_day=day, scale=scale, coupons=True)
            history += history_of(Replay(log_of(drawn.facts)), [day])
            found = detect(tuple(history), day, policy=Policy(earlier=earlier))
            raised = discoveries(found)
            by.update(f"{one.detection} ({one.subject})" for one in found if one.raised)
            loud += raised > 0
            tests += sum(one.level > 1 for one in found)
            earlier, alarms, nights = earlier + raised, alarms + raised, nights + 1
    low, high = counted_interval(alarms)
    which = ", ".join(f"{name} {n}" for name, n in sorted(by.items())) or "none"
    yield f"{months} honest month{'s' if months > 1 else ''} of 31 nights of the simulated floor ({scale:.0%} of its hours), {tests:,} lines of tests, all detections in use:"
    yield f"{alarms} alarms, {alarms / months:.1f} a month ({low / months:.1f} to {high / months:.1f}, 95 % by Poisson's law), by subject: {which}; nights with one: {share(loud, nights)}."
    yield "Left out is the one thing that this floor does not leave to chance, two multipliers in a row once a day at each wheel."
    yield f"Where what a detection takes for honest is exactly so, at most {Policy().alpha:.0%} of honest months have any."
