"""Run the power study, print it, and write it into the runbook: ``python -m tests.power``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.power import sections as s

PAGE = Path(__file__).parent.parent.parent / "infra" / "runbooks" / "power.md"
Section = Callable[[], Iterator[str]]
SECTIONS: dict[str, Section] = {
    "Wolf's white die, 20,000 real throws in random orders": s.wolf,
    "False alarms of dice": s.fair_runs,
    "A die's lawful life": s.lives,
    "Wheels (wheel_bias)": s.wheels,
    "Displacement between spins (dealer_signature)": s.signatures,
    "Throws that hang on the throw before (serial_dependence)": s.dependence,
    "Win against the wagers made (win_on_wagers)": partial(s.examined, "win_on_wagers"),
    "Late wagers and past-posting (late_wagers)": partial(s.examined, "late_wagers"),
    "Wrong payments by dealer (payment_errors)": partial(s.examined, "payment_errors"),
    "Patron, dealer and supervisor (same_hands)": partial(s.examined, "same_hands"),
    "Coupons by issuer, dealer and patron (coupon_concentration)": partial(
        s.examined, "coupon_concentration"
    ),
    "Hours of coupons (coupon_times)": partial(s.examined, "coupon_times"),
    "Neighbouring serials (coupon_neighbours)": partial(s.examined, "coupon_neighbours"),
    "False alarms per honest month": s.honest_months,
    "How the prior was fixed": s.prior,
}
INTRODUCTION = f"""# What the detections see

Written by `make power`, which makes it again from fixed seeds (seed {s.SEED}); change nothing by hand.

Shares are of simulated runs, with Clopper and Pearson's 95 % interval. *By itself*: the evidence
reaches {s.ALONE:,.0f}, which an honest process ever does with chance at most 1 in 1,000, however often it
is looked at. *Among a night's tests*: it reaches {s.NIGHT:,.0f}, the level in a night of {s.TESTS} tests of which
none is a discovery yet, in a month whose share of false alarms is held at 5 %. Dice are watched
after every throw; the others are looked at once, after the time said. What is planted stands in
`tests/power/makers.py`; a real irregularity need not look like it.
"""


def section(title: str) -> str:
    """One section of the page."""
    return f"## {title}\n\n" + "\n".join(SECTIONS[title]()) + "\n"


def main() -> int:
    """Print every section as it is done, then write the page."""
    print(INTRODUCTION)
    began, parts = time.process_time(), [INTRODUCTION]
    for title in SECTIONS:
        parts.append(section(title))
        print(parts[-1], flush=True)
        print(f"{title}: {time.process_time() - began:.0f} s of processor time", file=sys.stderr)
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    print(
        f"Written to {PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE}",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
