"""One zip for the same members: stored, in the order of their names, each other field fixed.

``verify.py`` builds the same again and compares; so nothing can hide in a field of the format.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from typing import Final

FIRST_DAY: Final = 33
"""1980-01-01 as zip writes a date."""
VERSION: Final = 20


def zip_of(members: Mapping[str, bytes]) -> bytes:
    """Return the zip of these members; their names are ASCII."""
    out, listed = bytearray(), bytearray()
    for name in sorted(members):
        body, raw = members[name], name.encode("ascii")
        sizes = (zlib.crc32(body), len(body), len(body), len(raw), 0)
        fixed = struct.pack("<HHHHHIIIHH", VERSION, 0, 0, 0, FIRST_DAY, *sizes)
        listed += b"PK\x01\x02" + struct.pack("<H", VERSION) + fixed + bytes(10)
        listed += struct.pack("<I", len(out)) + raw
        out += b"PK\x03\x04" + fixed + raw + body
    count = len(members)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(listed), len(out), 0)
    return bytes(out + listed + b"PK\x05\x06" + end)
