"""Facts of a wheel.

One frozen dataclass per schema under ``schemas/wheel``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import Clapper, Direction, Role
from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import SectionOdds


@declared
class WheelPlaced(Header):
    """A wheel was put into use at the table."""

    wheel: str
    sections: tuple[str, ...]
    read_clockwise: bool | None
    diameter_thousandths: int | None
    clapper: bool | None
    equally_spaced: bool | None
    odds_shown: tuple[SectionOdds, ...] | None


@declared
class WheelRemoved(Header):
    """A wheel was taken out of use."""

    wheel: str


@declared
class WheelSpun(Header):
    """A spin ended: the clapper came to rest."""

    started_time: int | None
    direction: Direction | None
    revolutions_thousandths: int | None
    clapper: Clapper | None
    section: int | None
    between: tuple[int, ...] | None
    symbols: tuple[str, ...] | None
    spun_by: str | None
    role: Role | None


@declared
class SpinVoided(Header):
    """The dealer declared the last spin void."""

    reason: str | None
    called_by: str | None


@declared
class SpinCalled(Header):
    """The result of a spin was announced."""

    result: str
    called_by: str | None
