"""Made-up nights by seed: honest, or with something planted. Samples and the power study draw them.

Each maker returns a history that ends with ``LAST``; the same arguments give the same history.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np

from ledger.casework.history import Decided, Handled, History, Night, Redeemed, Spin, Throw

LAST = date(2026, 3, 31)
BEGINS = 1_774_951_200_000_000
SECOND = 1_000_000
HOUR = 3600 * SECOND


def night(back: int = 0, **parts: Any) -> Night:
    return Night(
        day=LAST - timedelta(days=back),
        begins=BEGINS - back * 24 * HOUR,
        **{name: tuple(units) for name, units in parts.items()},
    )


def face_chances(bias: float = 0.0, counts: Sequence[int] | None = None) -> np.ndarray:
    """Chances of the faces: as in real counts, or the six 1 + bias times as likely."""
    if counts is not None:
        return np.array(counts) / sum(counts)
    up = (1 + bias) / 6
    return np.array([(1 - up) / 5] * 5 + [up])


def dice(
    seed: int,
    throws: int,
    bias: float = 0.0,
    counts: Sequence[int] | None = None,
    repeats: float = 0.0,
) -> History:
    """One identified die: biased, or with throws that stay as they lay."""
    rng = np.random.default_rng(seed)
    faces = rng.choice(np.arange(1, 7), throws, p=face_chances(bias, counts))
    stays = rng.random(throws) < repeats
    for at in range(1, throws):
        if stays[at]:
            faces[at] = faces[at - 1]
    return (
        night(
            throws=(
                Throw(
                    at=BEGINS + at * SECOND,
                    stream="SB-01",
                    seq=at + 1,
                    table="SB-01",
                    dice=(("D-1", int(face)),),
                    set="S-1",
                )
                for at, face in enumerate(faces)
            )
        ),
    )


def section_chances(n: int, arc: float = 0.0, section: float = 0.0) -> np.ndarray:
    """Chances of the sections: a preferred arc, or one section 1 + ``section`` times as likely."""
    chances = (1 + arc * np.cos(np.arange(n) * 2 * np.pi / n)) / n
    if section:
        chances[:] = (1 - (1 + section) / n) / (n - 1)
        chances[7] = (1 + section) / n
    return chances


def wheel(
    seed: int,
    spins: int,
    arc: float = 0.0,
    section: float = 0.0,
    signature: float = 0.0,
    sections: int = 54,
    people: int = 1,
) -> History:
    """One wheel: out of balance, with one wide section, or spun by a steady hand."""
    rng = np.random.default_rng(seed)
    if signature:
        moved = rng.choice(sections, spins, p=section_chances(sections, signature))
        places = np.cumsum(moved) % sections
    else:
        places = rng.choice(sections, spins, p=section_chances(sections, arc, section))
    turn = max(spins // people, 1)
    return (
        night(
            spins=(
                Spin(
                    at=BEGINS + at * SECOND,
                    stream="DW-01",
                    seq=at + 1,
                    table="DW-01",
                    wheel="W-1",
                    sections=sections,
                    section=int(place),
                    by=f"P-{min(at // turn, people - 1) + 1}",
                )
                for at, place in enumerate(places)
            )
        ),
    )


WINS, ODDS = 105 / 216, 1.0
"""Small Bet at 1 to 1 where triples lose: the house keeps 6/216 of the stake."""


def even_money(stake: float, won: bool, at: int, **more: Any) -> Decided:
    mean = stake * (WINS * ODDS - (1 - WINS))
    return Decided(
        at=BEGINS + at * SECOND, stream="SB-01", seq=at + 1, table="SB-01", game="Sic Bo", came=stake if won else -stake, mean=mean,
        low=-stake, high=stake, spread=stake * 2 * (WINS * (1 - WINS)) ** 0.5, **more,
    )  # fmt: skip


def rounds(seed: int, rounds: int, edge: float = 0.0, raises: bool = False) -> History:
    """Even-money rounds; patrons win by ``edge`` of the stake more, and may double after a loss."""
    rng = np.random.default_rng(seed)
    out, stake = [], 1000.0
    for at, drawn in enumerate(rng.random(rounds)):
        won = bool(drawn < WINS + edge / 2)
        out.append(even_money(stake, won, at))
        stake = 1000.0 if won or not raises else min(stake * 2, 64_000.0)
    return (night(rounds=out),)


def late(seed: int, rounds: int, knows: float) -> History:
    """Late wagers of one patron, of which a part is made knowing the outcome."""
    rng = np.random.default_rng(seed)
    chance = knows + (1 - knows) * WINS
    out = []
    for at, drawn in enumerate(rng.random(rounds)):
        one = even_money(2500.0, bool(drawn < chance), at)
        out.append(one)
        out.append(even_money(2500.0, bool(drawn < chance), at, patron="G-1"))
    return (night(late=out),)


def payments(seed: int, days: int, times: float, wagers: int = 400, rate: float = 0.002) -> History:
    """Eight dealers at two tables; the first errs ``times`` as often."""
    rng = np.random.default_rng(seed)
    nights = []
    for back in range(days - 1, -1, -1):
        rows = []
        for table in ("SB-01", "SB-02"):
            for dealer in range(1, 9):
                p = rate * (times if dealer == 1 else 1.0)
                n = int(rng.integers(wagers // 2, wagers + 1))
                rows.append(
                    handled(
                        back,
                        table,
                        f"P-{dealer}",
                        "P-90",
                        "",
                        n,
                        over=int(rng.binomial(n, min(p, 1.0))),
                    )
                )
        nights.append(night(back, handled=rows))
    return tuple(nights)


def handled(
    back: int,
    table: str,
    dealer: str,
    supervisor: str,
    patron: str,
    n: int,
    over: int = 0,
    late: int = 0,
) -> Handled:
    return Handled(
        table=table, dealer=dealer, supervisor=supervisor, patron=patron, wagers=n, over=over, under=0, late=late,
        over_cents=500 * over, under_cents=0, stream=table, first=1, last=9, at=BEGINS - back * 24 * HOUR + HOUR,
    )  # fmt: skip


def hands(seed: int, days: int, favours: int, errors: int = 15) -> History:
    """Twenty patrons, six dealers, two supervisors; ``favours`` are done in one combination."""
    rng = np.random.default_rng(seed)
    nights = []
    for back in range(days - 1, -1, -1):
        rows = []
        for patron in range(1, 21):
            if patron != 1 and rng.random() < 0.5:
                continue
            for dealer in range(1, 7):
                supervisor = f"P-9{1 + (back + dealer) % 2}"
                mine = patron == 1 and dealer == 1 and supervisor == "P-91"
                done = int(rng.binomial(favours, 2 / days)) if mine else 0
                slips = int(rng.binomial(8, errors / (8 * 60 * days)))
                rows.append(
                    handled(
                        back,
                        "SB-01",
                        f"P-{dealer}",
                        supervisor,
                        f"G-{patron}",
                        8,
                        over=min(done + slips, 8),
                    )
                )
        nights.append(night(back, handled=rows))
    return tuple(nights)


def coupons(
    seed: int,
    days: int,
    gather: float = 0.0,
    quiet_hours: float = 0.0,
    strips: float = 0.0,
    per_day: int = 30,
    early: bool = False,
) -> History:
    """Coupons of five issuers, six dealers, one table; each plant by the part of them it moves.

    ``early``: all of them come in the first hours, other than the wagers, as on a day on which they
    are spent. ``quiet_hours`` moves one issuer's into the quietest hour.
    """
    rng = np.random.default_rng(seed)
    shares = np.array([1, 1, 2, 3, 4, 5, 6, 6, 5, 4, 2, 1], dtype=float)
    comes = np.array([9, 6, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1], dtype=float) if early else shares
    nights, serial = [], 0
    for back in range(days - 1, -1, -1):
        begins, out = BEGINS - back * 24 * HOUR, []
        strip = 0
        for at in range(per_day):
            hour = int(rng.choice(12, p=comes / comes.sum()))
            moved = rng.random() < quiet_hours
            issuer, dealer = int(rng.integers(1, 6)), int(rng.integers(1, 7))
            if moved and issuer == 1:
                hour = 11
            if issuer == 1 and rng.random() < gather:
                dealer = 1
            if rng.random() < strips:
                strip, dealer = strip + 1, 6
                number = 500_000 + 1000 * back + strip
            else:
                serial += int(rng.integers(1, 4))
                number = serial
            out.append(
                Redeemed(
                    at=begins + hour * HOUR + at * SECOND,
                    stream="SB-01",
                    seq=at + 1,
                    table="SB-01",
                    serial=f"MP-{number:07d}",
                    dealer=f"P-{dealer}",
                    issuer=f"P-8{issuer}",
                    patron=f"G-{back}-{at}",
                )
            )
        out.sort(key=lambda one: one.at)
        busy = [("SB-01", hour, int(100 * share)) for hour, share in enumerate(shares)]
        nights.append(night(back, redeemed=out, busy=busy))
    return tuple(nights)


MAKERS = {
    "dice": dice,
    "wheel": wheel,
    "rounds": rounds,
    "late": late,
    "payments": payments,
    "hands": hands,
    "coupons": coupons,
}
