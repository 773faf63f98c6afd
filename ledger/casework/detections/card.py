"""The card of a detection: its ``.toml``, read once.

It says what is asked, how much must have been seen before anything is said, what else could be
behind an alert, what to do, and which samples must fire and which must not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import field
from importlib.resources import files
from typing import Any, Final

from ledger.kernel import Severity
from ledger.kernel.quick_dataclass import dataclass

NAMES: Final = (
    "coupon_concentration",
    "coupon_neighbours",
    "coupon_times",
    "dealer_signature",
    "dice_bias",
    "late_wagers",
    "payment_errors",
    "same_hands",
    "serial_dependence",
    "wheel_bias",
    "win_on_wagers",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A made-up sequence: ``maker`` draws it with ``arguments``; ``fires`` says what follows."""

    name: str
    maker: str
    fires: bool
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a detection is. ``minimum`` units of ``unit`` must have been seen before it speaks.

    One that is not ``tested`` is off by default: its honest process is not what it assumes.
    """

    name: str
    title: str
    question: str
    severity: Severity
    unit: str
    minimum: int
    references: tuple[str, ...]
    false_positives: tuple[str, ...]
    runbook: str
    settings: Mapping[str, Any]
    samples: tuple[Sample, ...]
    tested: bool = True


def read_card(name: str) -> Card:
    """Read the card beside a detection's module."""
    text = files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    card = tomllib.loads(text)
    return Card(
        name=name,
        title=card["title"],
        question=card["question"],
        severity=Severity(card["severity"]),
        unit=card["unit"],
        minimum=card["minimum"],
        references=tuple(card["references"]),
        false_positives=tuple(card["false_positives"]),
        runbook=card["runbook"],
        settings=card.get("settings", {}),
        tested=card.get("tested", True),
        samples=tuple(Sample(**one) for one in card["sample"]),
    )


CARDS: Final[Mapping[str, Card]] = {name: read_card(name) for name in NAMES}
