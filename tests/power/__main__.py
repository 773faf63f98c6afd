"""Run the power study and write it into the runbook: ``python -m tests.power [WORD...]``.

With words, only the sections whose titles have one of them are made again.
"""

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
    "On the simulated floor": s.on_the_floor,
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


def kept() -> dict[str, str]:
    """The sections that the page has, by title."""
    if not PAGE.exists():
        return {}
    _, *parts = PAGE.read_text(encoding="utf-8").split("\n## ")
    return {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in parts}


def main(wanted: list[str]) -> int:
    """Print the sections whose titles contain one of these words (none: all), and write the page."""
    page = kept()
    began = time.process_time()
    for title in SECTIONS:
        if not wanted or any(word in title for word in wanted) or title not in page:
            page[title] = section(title)
            print(page[title], flush=True)
            spent = time.process_time() - began
            print(f"{title}: {spent:.0f} s of processor time", file=sys.stderr)
    text = "\n".join([INTRODUCTION, *(page[title] for title in SECTIONS)])
    PAGE.write_text(text, encoding="utf-8")
    print("Written to infra/runbooks/power.md", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
