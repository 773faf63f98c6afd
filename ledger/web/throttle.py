"""How often a sign-in may fail before the next one has to wait."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import field
from threading import Lock
from typing import Final

from ledger.kernel.quick_dataclass import dataclass

FREE: Final = 5
"""Failures after which the next try waits."""
FIRST_SECONDS: Final = 60
"""The first wait: as long as that of the pass phrases of persons, so that it tells nothing."""
LONGEST_SECONDS: Final = 900
REMEMBERED: Final = 10_000
"""Names and addresses of which failures are counted; the oldest is forgotten first."""
_SECOND: Final = 1_000_000


@dataclass(slots=True)
class Throttle:
    """Counts failures by name: of a credential, and of an address.

    The wait doubles from a minute on with each failure after the free ones. ``clock`` gives
    microseconds UTC.
    """

    clock: Callable[[], int]
    _failures: OrderedDict[str, tuple[int, int]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def wait_seconds(self, *names: str) -> int:
        """Return how long the next try has to wait; 0: it may be made."""
        moment = self.clock()
        with self._lock:
            return max(self._wait(name, moment) for name in names)

    def failed(self, *names: str) -> None:
        """Count a failure."""
        moment = self.clock()
        with self._lock:
            for name in names:
                count, last = self._failures.pop(name, (0, 0))
                is_old = moment - last > LONGEST_SECONDS * _SECOND
                self._failures[name] = (1 if is_old else count + 1, moment)
            while len(self._failures) > REMEMBERED:
                self._failures.popitem(last=False)

    def succeeded(self, name: str) -> None:
        """Forget the failures of a name."""
        with self._lock:
            self._failures.pop(name, None)

    def _wait(self, name: str, moment: int) -> int:
        count, last = self._failures.get(name, (0, 0))
        if count < FREE:
            return 0
        whole = min(FIRST_SECONDS << min(count - FREE, 12), LONGEST_SECONDS)
        return max(0, -((moment - last - whole * _SECOND) // _SECOND))
