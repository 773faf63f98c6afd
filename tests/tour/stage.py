"""What every stop of the tour is given, and how it says that something is not as it must be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.cli.given import Ran, run

Stop = Callable[[Path], Iterator[str]]
"""Given a folder of its own; says in lines what is seen. It raises ``Broken`` or fails."""


class Broken(AssertionError):
    """A stop does not show what it must."""


def check(holds: object, what: str) -> None:
    """Go on only if it holds.

    Raises:
        Broken: it does not.
    """
    if not holds:
        raise Broken(what)


def said(*words: str | Path, code: int = 0) -> Ran:
    """What a command says, with the exit code that it must have.

    Raises:
        Broken: it has another.
    """
    done = run(*map(str, words))
    named = " ".join(map(str, words[:2]))
    check(done.code == code, f"pitledger {named}: exit code {done.code}, {done.err or done.out}")
    return done


@dataclass(frozen=True, slots=True)
class Sight:
    """One stop: its title, what there is to look at, and how it is shown."""

    title: str
    look: str
    show: Stop
