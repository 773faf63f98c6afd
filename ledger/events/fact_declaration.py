"""How a fact is declared: a frozen dataclass with slots, each field given by name."""

from __future__ import annotations

from typing import TypeVar, dataclass_transform

from ledger.kernel.quick_dataclass import with_shared_methods

Event = TypeVar("Event")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def declared(kind: type[Event]) -> type[Event]:
    """Declare a fact or a part of one: frozen, with slots, each field given by name.

        >>> @declared
        ... class Chip:
        ...     color: str
        >>> Chip(color="red")
        Chip(color='red')

    Raises:
        TypeError: a field has a default. A missing value is never filled in.
    """
    if any(name in vars(kind) for name in kind.__annotations__):
        raise TypeError(f"{kind.__name__}: a field of a fact has no default.")
    return with_shared_methods(kind, frozen=True, kw_only=True)


@declared
class Header:
    """The fields with which every fact begins."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None


# The standard library compiles a guard against assignment for every subclass of a frozen class.
# A fact has the shared guard already, so the header, of which there is no instance, is not frozen.
getattr(Header, "__dataclass_params__").frozen = False  # noqa: B009
