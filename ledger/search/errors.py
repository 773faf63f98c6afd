"""Why a search cannot honestly be answered."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from ledger.kernel import UsageError


class SearchUnclear(UsageError):
    """A word of a search line cannot be read, or names nothing that there is."""

    code = "search_unclear"

    def __init__(self, problem: str, hint: str = "pitledger find --help") -> None:
        super().__init__(problem, next_step=hint)


def nearest(word: str, names: Iterable[str], most: int = 3) -> list[str]:
    """The names that a mistyped word may stand for, the nearest first; none for a name as it is.

    >>> nearest("DC01", ["SB-01", "DC-01", "DC-02"])
    ['DC-01', 'DC-02']
    >>> nearest("dc-01", ["SB-01", "DC-01", "DC-02"])
    []
    """
    by_small, small = {name.lower(): name for name in sorted(names)}, word.lower()
    if small in by_small:  # nobody is asked whether they meant what they typed
        return []
    begun = [other for other in by_small if small and other.startswith(small)]
    close = [*begun, *(other for other in get_close_matches(small, by_small) if other not in begun)]
    return [by_small[other] for other in close[:most]]


def perhaps(names: list[str]) -> str:
    """A hint at the names that may have been meant; empty without any.

    >>> perhaps(["DC-01", "DC-02"])
    'perhaps DC-01 or DC-02'
    """
    return f"perhaps {' or '.join(names)}" if names else ""
