"""What the program of a schema is made of: see ``bulk_validation.py``."""

from __future__ import annotations

from enum import IntEnum


class Step(IntEnum):
    """What stands at a place of the bytes; the numbers after each are its ``low`` and ``high``."""

    END = 0  # nothing more
    BYTES = 1  # a length and so many bytes; low 1: each of them ASCII
    WHOLE = 2  # a number from low to high
    SEQ = 3  # as WHOLE, and it is the sequence number
    TIME = 4  # a number of eight bytes, which is the event time
    BYTE = 5  # one byte up to high, none of the bits of low set
    MAYBE = 6  # the branch of a union; where it is null, go on at low
    MANY = 7  # how many items follow; without any, go on at low
    NEXT = 8  # an item ends here; the next one begins at low
    UNSURE = 9  # what is left to ``validate``
