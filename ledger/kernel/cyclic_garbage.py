"""How often the collector looks for objects that are kept alive by circles among them alone.

By default it looks whenever 700 more objects were made than let go. What is made here is mostly
values that refer to others and not back: looking through millions of them takes up to a third of
the time of a batch, and finds next to nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

OBJECTS_BETWEEN: Final = 20_000
"""Objects that are made before the collector looks: loading the modules of a short command makes
hundreds of thousands, and none of these is ever garbage."""


def collect_seldom(objects: int = OBJECTS_BETWEEN) -> None:
    """Have this process look for circles once in so many objects."""
    gc.set_threshold(objects, *gc.get_threshold()[1:])


@contextmanager
def collected_seldom(objects: int = OBJECTS_BETWEEN) -> Iterator[None]:
    """Look for circles once in so many objects, as long as this lasts."""
    before = gc.get_threshold()
    collect_seldom(objects)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no circles, as long as this lasts."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
