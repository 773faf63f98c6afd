"""The fields of a fact in its plain form, in words: dollars, local time, symbols as said."""

from __future__ import annotations

import re
from dataclasses import is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Final, get_args, get_type_hints

from ledger.events import EVENTS
from ledger.kernel import PropertyClock, dollars, seconds, to_micros
from ledger.kernel.quick_dataclass import dataclass

LOCAL: Final = "%m/%d/%Y %H:%M:%S"
"""A moment by the property's clocks."""


def field_name(field: str) -> str:
    """A field's name in words, without its unit."""
    return re.sub(r"_(cents|micros|time)$", "", field).replace("_", " ")


@dataclass(frozen=True, slots=True)
class FieldWords:
    """The contents of an event's fields in words.

    Attributes:
        event: the event's name.
        clock: the property's; None leaves times in UTC, as they are in the plain form.
    """

    event: str
    clock: PropertyClock | None

    def of(self, field: str, content: object) -> str:
        """The content of one field in words; the field's name has its unit."""
        match content:
            case None:
                return "not recorded"
            case bool():
                return "yes" if content else "no"
            case list():
                return "; ".join(self.of(field, part) for part in content) or "none"
            case dict():
                parts = [
                    f"{field_name(name)} {self.of(name, part)}"
                    for name, part in content.items()
                    if part is not None
                ]
                return f"({', '.join(parts)})"
            case int() if field.endswith("_cents") or field == "denominations":
                return dollars(content)
            case int() if field.endswith("_micros"):
                return seconds(content)
            case str() if field.endswith("_commitment"):
                return "kept apart"
            case str() if self.clock is not None and field.endswith("_time"):
                return f"{self.clock.local(to_micros(datetime.fromisoformat(content))):{LOCAL}}"
            case str() if field in _word_fields(self.event):
                return content.lower().replace("_", " ")
        return str(content)


@cache
def _word_fields(event: str) -> frozenset[str]:
    """The fields of an event, and of the records in it, that hold words of the schemas."""
    names: set[str] = set()
    waiting: list[object] = [EVENTS[event]]
    while waiting:
        for name, hint in get_type_hints(waiting.pop()).items():
            for part in (hint, *get_args(hint), *(a for h in get_args(hint) for a in get_args(h))):
                if isinstance(part, type) and issubclass(part, Enum):
                    names.add(name)
                elif is_dataclass(part):
                    waiting.append(part)
    return frozenset(names)
