"""The same coupon event on January 31 and on February 1, 2014."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.rounds.test_coupons import edition
from tests.tour.stage import check


def two_editions(_work: Path) -> Iterator[str]:
    """Two coupons of one patron in one round: lawful one per wager, then one per round."""
    last, night, following = edition().split("\n\n")[1:4]
    for lawful in (last, night):
        check("lawful: no finding" in lawful, "what was lawful in January is a finding")
        check("603a" not in lawful, "January is judged by a later text")
    check("coupon_too_many (broken)" in following, "February has no finding")
    check("§ 603a.21(d) (outside the texts held" in following, "its citation is not marked")
    for part in (last, night, following):
        for line in part.splitlines():
            if not line.startswith("      ") or "603a.21(d)" in line:
                first, *rest = line.split("; ") if line.startswith("  W") else [line]
                yield first
                yield from (f"    {one}" for one in rest)
