"""What the source itself uses: every cited row of every room and house, every code it writes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ledger.coupons.duties import DUTIES as COUPON_DUTIES
from ledger.games import ROOMS, match_play
from ledger.games.asia_poker.terms import RANKINGS, Ranking
from ledger.games.dreamcatcher.wagers import MULTIPLIERS
from ledger.games.wheel import Multiplier
from ledger.house.duties import DUTIES
from ledger.house.provider_duties import DUTIES as PROVIDER_DUTIES
from ledger.reports.law.printed_rows import Row, rows_of

LEDGER = Path(__file__).parents[2] / "ledger"
CODE_AT = {
    "Duty": 0,
    "Finding": 0,
    "Requirement": 3,
    "Step": 3,
    "WheelCheck": 2,
    "duty": 0,
    "has": 0,
    "_finding": 1,
    "_breach": 1,
    "_once": 3,
    "service_breach": 0,
}
"""In which place of a call a finding's code stands, by the name that is called."""


@cache
def rows() -> tuple[Row | Multiplier | Ranking, ...]:
    """Every cited row: the rooms' tables, the duties of the house, of providers and of coupons."""
    return (
        *(row for room in ROOMS for row in rows_of(room)),
        *MULTIPLIERS,
        *RANKINGS,
        *DUTIES,
        *PROVIDER_DUTIES,
        *COUPON_DUTIES,
        *match_play.DUTIES,
    )


def codes_written() -> Iterator[tuple[str, str]]:
    """Every finding code that the source spells out in a row or a call, with where."""
    for path in sorted(LEDGER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                code = _code(node)
                if code is not None:
                    where = f"{path.relative_to(LEDGER.parent)}:{node.lineno}"
                    yield re.split("[#@]", code)[0], where


def _code(call: ast.Call) -> str | None:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    for keyword in call.keywords:
        if name in CODE_AT and keyword.arg in ("code", "breach"):
            return _text(keyword.value)
    place = CODE_AT.get(name)
    if place is None or len(call.args) <= place:
        return None
    return _text(call.args[place])


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
