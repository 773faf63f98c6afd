"""Which terminal may write which stream: proved by the topic, since no reader sees a principal.

A terminal on a floor has a topic of its own, ``PREFIX.terminal.NAME.v1``, to which the broker
lets only its principal write. ``SourceRegistered`` facts say which streams it may write. Whatever
else it sends is quarantined before it can take the place of a true fact. A stream that once came by
such a topic comes by no shared topic again.

Registrations count where the ledger's own writer appended them, where they came by a shared topic
(to which no terminal may write), or by the topic of a terminal that may write the very stream of
the house that they stand in. So the ledger's own beginning roots the first one.
"""

from __future__ import annotations

import re
from dataclasses import field
from functools import lru_cache
from typing import Final

from ledger.codec import decode, registry, source_of
from ledger.events import SourceRegistered
from ledger.kernel.quick_dataclass import dataclass

FOREIGN: Final = "foreign_writer"
"""Why a fact is quarantined that its terminal may not write."""
HOUSE: Final = "house"
"""The stream, with all below it, in which registrations by a terminal count."""
TERMINAL_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
"""Names that a terminal with a topic of its own can have; Kafka allows no others."""
_TOPIC: Final = re.compile(rf".+\.terminal\.({TERMINAL_NAME.pattern})\.v1")


def terminal_topic(prefix: str, terminal: str) -> str:
    """Return the name of a terminal's own topic.

    Raises:
        ValueError: no topic can be named for this terminal.
    """
    if not TERMINAL_NAME.fullmatch(terminal):
        raise ValueError(f"{terminal!r}: letters, digits, dot, dash and underscore, at most 100")
    return f"{prefix}.terminal.{terminal}.v1"


@lru_cache(maxsize=10_000)
def terminal_of(topic: str) -> str | None:
    """Return the terminal whose own topic this is; None for a shared topic."""
    match = _TOPIC.fullmatch(topic)
    return None if match is None else match[1]


@lru_cache(maxsize=1)
def registration_ids() -> frozenset[bytes]:
    """The schemas of registrations, as they stand in the framing: four bytes each."""
    name = SourceRegistered.__name__
    return frozenset(schema.id.to_bytes(4, "big") for schema in registry() if schema.name == name)


@dataclass(slots=True)
class StreamWriters:
    """What the facts of a ledger, in their order, say of who may write.

    Attributes:
        terminals: by stream, those that are registered for it.
        proven: streams of which a fact came by a terminal's own topic.
    """

    terminals: dict[str, set[str]] = field(default_factory=dict)
    proven: set[str] = field(default_factory=set)

    def may_write(self, stream: str, topic: str | None, framed: bytes) -> bool:
        """Whether a fact may enter by the way it came.

        Args:
            stream: of the fact.
            topic: by which it came; None where the ledger's own writer appended it.
            framed: the fact.
        """
        if topic is None:
            return True
        terminal = terminal_of(topic)
        may_bring = self.may_bring(stream, terminal)
        return may_bring and (terminal is None or source_of(framed) == terminal)

    def may_bring(self, stream: str, terminal: str | None) -> bool:
        """Whether facts of a stream may enter by a topic.

        Args:
            stream: of the facts.
            terminal: whose own topic it is, which is their source; None for a shared one.
        """
        if terminal is None:
            return stream not in self.proven
        return terminal in self.terminals.get(stream, ())

    def note(self, stream: str, topic: str | None, framed: bytes) -> None:
        """Take in a fact that entered.

        Args:
            stream: of the fact.
            topic: by which it came; None where the ledger's own writer appended it.
            framed: the fact.
        """
        terminal = None if topic is None else terminal_of(topic)
        if terminal is not None:
            self.proven.add(stream)
        if framed[1:5] in registration_ids() and (terminal is None or _is_of_house(stream)):
            fact = decode(framed)
            if isinstance(fact, SourceRegistered):
                names = self.terminals.setdefault(fact.registered_stream, set())
                names.add(fact.registered_source)


def _is_of_house(stream: str) -> bool:
    return stream == HOUSE or stream.startswith(f"{HOUSE}/")
