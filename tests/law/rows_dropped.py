"""Tables with one row taken out: what the product says of a case when a row of the law is missing.

Rows are looked up through what the rooms and the house precompute, so each kind of row is taken out
where it is read: from the room that the tables play, from the maps of duties and steps, from the
lists that a module reads by itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from ledger.coupons import duties as coupon_duties
from ledger.coupons.forms import signature_issues as form_issues
from ledger.games import BY_KEY, ROOMS, Room, match_play
from ledger.games.asia_poker import lookup as poker_lookup
from ledger.games.asia_poker import procedure as poker_procedure
from ledger.games.asia_poker import settling as poker_settling
from ledger.games.asia_poker import terms as poker_terms
from ledger.games.asia_poker import validity as poker_validity
from ledger.games.dreamcatcher import equipment as wheel_equipment
from ledger.games.dreamcatcher import procedure as wheel_procedure
from ledger.games.dreamcatcher import validity as wheel_validity
from ledger.games.dreamcatcher import wagers as wheel_wagers
from ledger.games.props_and_hops import procedure as hops_procedure
from ledger.games.props_and_hops import validity as hops_validity
from ledger.games.sic_bo import procedure as dice_procedure
from ledger.games.sic_bo import validity as dice_validity
from ledger.games.three_dice_football import procedure as football_procedure
from ledger.games.three_dice_football import validity as football_validity
from ledger.house import duties as house_duties
from ledger.house import provider_duties
from ledger.rounds import compare
from tests.conformance.run import run

EXAMPLES: Final = Path(__file__).parents[1] / "conformance" / "examples"
TABLES: Final = ("wagers", "payouts", "invalid", "requirements", "trials", "approvals", "duties")
STEPS: Final = {
    "sic_bo": dice_procedure.STEPS,
    "dreamcatcher": wheel_procedure.STEPS,
    "props_and_hops": hops_procedure.STEPS,
    "three_dice_football": football_procedure.STEPS,
    "asia_poker": poker_procedure.STEPS,
}


@dataclass(frozen=True)
class Carrier:
    """One row of a table: whose, in which table, and the row as a citation names it."""

    owner: str
    table: str
    number: int
    name: str
    row: Any

    @property
    def id(self) -> str:
        """Its name in a test."""
        return f"{self.owner}.{self.table}[{self.number}] {self.name}"


def named(cite: Any) -> str:
    """A citation with its part: "539.6(b)#total-9"."""
    return f"{cite.section}#{cite.part}" if cite.part else str(cite.section)


@cache
def carriers() -> tuple[Carrier, ...]:
    """Every row that cites, of the rooms and of the house."""
    found = [
        Carrier(room.key, table, number, named(row.cite), row)
        for room in ROOMS
        for table in TABLES
        for number, row in enumerate(getattr(room, table))
    ]
    wheel = BY_KEY["dreamcatcher"]
    for number, check in enumerate(wheel_equipment.WHEEL_CHECKS):
        cite = wheel.duty_by_name[check.duty].cite
        found.append(Carrier("dreamcatcher", "wheel_checks", number, named(cite), check))
    for number, row in enumerate(wheel_wagers.MULTIPLIERS):
        found.append(Carrier("dreamcatcher", "multipliers", number, named(row.cite), row))
    for number, row in enumerate(poker_terms.RANKINGS):
        found.append(Carrier("asia_poker", "rankings", number, named(row.cite), row))
    for number, duty in enumerate(house_duties.DUTIES):
        found.append(Carrier("house", "duties", number, named(duty.cite), duty))
    for number, duty in enumerate(provider_duties.DUTIES):
        found.append(Carrier("providers", "duties", number, named(duty.cite), duty))
    for number, duty in enumerate(coupon_duties.DUTIES):
        found.append(Carrier("coupons", "duties", number, named(duty.cite), duty))
    for number, duty in enumerate(form_issues.DUTIES):
        found.append(Carrier("forms", "duties", number, named(duty.cite), duty))
    for number, duty in enumerate(match_play.DUTIES):
        found.append(Carrier("match_play", "duties", number, named(duty.cite), duty))
    return tuple(found)


@cache
def steps() -> tuple[Carrier, ...]:
    """Every move of a round; they cite through the duty that they break, if any."""
    return tuple(
        Carrier(room.key, "phases", number, f"{step.phase} / {step.fact.__name__}", step)
        for room in ROOMS
        for number, step in enumerate(room.phases)
    )


@contextmanager
def without(carrier: Carrier) -> Iterator[None]:
    """The product with this row taken out."""
    with pytest.MonkeyPatch.context() as patch:
        match carrier.owner, carrier.table:
            case "house", _:
                _drop_duty(patch, carrier.number)
            case "providers", _:
                key = next(k for k, row in provider_duties.BY_NAME.items() if row is carrier.row)
                patch.delitem(provider_duties.BY_NAME, key)
            case "match_play", _:
                name = next(k for k, one in match_play.BY_NAME.items() if one is carrier.row)
                patch.delitem(match_play.BY_NAME, name)
                patch.setattr(compare, "WITH_COUPON", _left_of(compare.WITH_COUPON, carrier.row))
            case "coupons", _:
                name = next(k for k, one in coupon_duties.BY_NAME.items() if one is carrier.row)
                patch.delitem(coupon_duties.BY_NAME, name)
            case "forms", _:
                patch.setattr(form_issues, "DUTIES", _but(form_issues.DUTIES, carrier.number))
            case owner, "phases":
                step = carrier.row
                patch.delitem(STEPS[owner], (step.phase, step.fact))
            case _, "wheel_checks":
                left = _but(wheel_equipment.WHEEL_CHECKS, carrier.number)
                patch.setattr(wheel_equipment, "WHEEL_CHECKS", left)
            case _, "multipliers":
                patch.delitem(wheel_wagers.FACTORS, carrier.row.symbol)
            case _, "rankings":
                _forget_ranks()
                patch.delitem(poker_terms.STRENGTH, carrier.row.name)
            case owner, table:
                _drop_row(patch, BY_KEY[owner], table, carrier.number)
        try:
            yield
        finally:
            _forget_ranks()


def _forget_ranks() -> None:
    """Hands ranked by other rows are not remembered."""
    poker_lookup.lookup.cache_clear()
    poker_terms.rank_four.cache_clear()
    poker_settling._LAST[0] = ((None, None, None), None)


def _drop_row(patch: pytest.MonkeyPatch, room: Room, table: str, number: int) -> None:
    left = _but(getattr(room, table), number)
    poorer = replace(room, **{table: left})
    patch.setattr(import_module(f"ledger.games.{room.key}"), "ROOM", poorer)
    if table == "invalid" and room.key == "three_dice_football":
        voids = tuple(row for row in left if row in football_validity.VOID_ROWS)
        patch.setattr(football_validity, "INVALID_ROLLS", left)
        patch.setattr(football_validity, "VOID_ROWS", voids)
        patch.delitem(football_validity.GROUNDS, room.invalid[number].cause, raising=False)
    elif table == "invalid":
        module, name = {
            "sic_bo": (dice_validity, "INVALID_ROLLS"),
            "dreamcatcher": (wheel_validity, "INVALID_SPINS"),
            "props_and_hops": (hops_validity, "INVALID_ROLLS"),
            "asia_poker": (poker_validity, "INVALID_HANDS"),
        }[room.key]
        patch.setattr(module, name, left)


def _drop_duty(patch: pytest.MonkeyPatch, number: int) -> None:
    left = _but(house_duties.DUTIES, number)
    maps = (
        (house_duties.BY_NAME, {f"{duty.code}#{duty.cite.section}": duty for duty in left}),
        (house_duties.BY_CODE, {duty.code: duty for duty in reversed(left)}),
        (house_duties.BY_ROW, house_duties.by_row(left)),
    )
    for known, poorer in maps:
        for name in list(known):
            if name not in poorer:
                patch.delitem(known, name)
            else:
                patch.setitem(known, name, poorer[name])


def _left_of(rows: Mapping[str, Any], gone: Any) -> dict[str, Any]:
    return {code: row for code, row in rows.items() if row is not gone}


def _but(rows: tuple[Any, ...], number: int) -> tuple[Any, ...]:
    return rows[:number] + rows[number + 1 :]


# --- cases ---------------------------------------------------------------------------------------


@cache
def document(name: str) -> dict[str, Any]:
    """A file of worked examples."""
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return found


@cache
def cases(name: str) -> Mapping[str, dict[str, Any]]:
    """The cases of a file by their ids."""
    return {case["id"]: case for case in document(name)["cases"]}


def say(name: str, ids: tuple[str, ...]) -> dict[str, Any]:
    """What the product says of some cases of a file, as it now stands."""
    keep = ("id", "setup", "facts")
    chosen = [
        {key: cases(name)[one][key] for key in keep if key in cases(name)[one]} for one in ids
    ]
    return run({**document(name), "cases": chosen})
