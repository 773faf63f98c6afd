"""JSON lines to framed facts: one event per line, each line judged alone, in flat memory.

The form is the codec's plain JSON form (``ledger.codec.json_form``). Nothing is appended here, and
nothing is raised for a bad line: it becomes a refusal with its number, and reading goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import BinaryIO, Final

from ledger.codec import JSON_BYTES, Fault, NotAFact, frame, from_plain
from ledger.codec.json_form import EVENT, parse_object
from ledger.codec.shapes import JsonValue
from ledger.kernel.quick_dataclass import dataclass

LINE_BYTES: Final = JSON_BYTES
"""The longest line, without its end: 2 MiB, more than the JSON of any event can need."""

POSITION: Final = "position"
OWN_POSITION: Final = "fact_position"
"""Under which name ``cat`` shows a field ``position`` of the fact itself."""
PASSED_OVER: Final = ("began", "schema_used")
"""Entries that ``cat --all`` prints and another ledger makes for itself."""

_BOM: Final = b"\xef\xbb\xbf"
_BLANK: Final = b" \t\r\n"
_CHUNK: Final = 65_536
_BEYOND: Final = len(_BOM) + len(b"\r\n")


class LineFault(StrEnum):
    """Why a line is refused as a line; all other codes are the codec's ``Fault``."""

    LINE_TOO_LONG = "line_too_long"  # longer than LINE_BYTES; its end is looked for and skipped
    LINE_CUT = "line_cut"  # the last line has no end and is not whole: the file was cut


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLine:
    """A line that is a fact: its number in the file, from 1, and the framed bytes."""

    number: int
    framed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedLine:
    """A line that is none: its number, a stable code, the field where known, and a sentence."""

    number: int
    code: Fault | LineFault
    path: str
    reason: str

    def __str__(self) -> str:
        at = f" at {self.path}" if self.path else ""
        return f"line {self.number}: {self.code}{at}: {self.reason}"


Line = FactLine | RefusedLine


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """Read a file of events line by line; see ``numbered_lines``.

    Args:
        stream: opened for bytes.
    """
    for number, text in numbered_lines(stream):
        if text is None:
            yield RefusedLine(
                number=number,
                code=LineFault.LINE_TOO_LONG,
                path="",
                reason=f"longer than {LINE_BYTES} bytes",
            )
        elif (line := read_line(text, number)) is not None:
            yield line


def numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines of a file with their numbers, each with its end; None in place of one too long.

    Blank lines are skipped but counted, a byte order mark at the start is no part of the first
    line, a line may end in CRLF, and the last line may lack its end if it is whole.

    Args:
        stream: opened for bytes.
    """
    number = 0
    while text := stream.readline(LINE_BYTES + _BEYOND):
        number += 1
        if number == 1:
            text = text.removeprefix(_BOM)
        if len(_body(text)) > LINE_BYTES:
            _skip_line(stream, text)
            yield number, None
        elif text.strip(_BLANK):
            yield number, text


def read_line(text: bytes, number: int) -> Line | None:
    """Read one line, with its end if it has one; None: it is an entry that is to be passed over."""
    try:
        values = as_appended(parse_object(_body(text)))
        return None if values is None else FactLine(number=number, framed=frame(from_plain(values)))
    except NotAFact as refusal:
        code: Fault | LineFault = refusal.reason
        detail = refusal.detail
        if code in (Fault.BAD_JSON, Fault.BAD_UTF8) and _is_cut(text):
            code, detail = LineFault.LINE_CUT, f"the file ends inside this line ({detail})"
        return RefusedLine(number=number, code=code, path=refusal.path, reason=detail)


def as_appended(values: dict[str, JsonValue]) -> dict[str, JsonValue] | None:
    """The form that is appended of a line that ``cat`` printed; any other is left as it is.

    ``cat`` puts the position in the ledger first and shows a fact's own field of that name as
    ``fact_position``. The beginning of a ledger and its schemas are no facts: another ledger has
    its own, so they are passed over (None).
    """
    if EVENT not in values and POSITION in values and values.get("entry") in PASSED_OVER:
        return None
    if type(values.get(POSITION)) is not int:
        return values
    plain = {name: value for name, value in values.items() if name != POSITION}
    if OWN_POSITION in plain:
        plain[POSITION] = plain.pop(OWN_POSITION)
    return plain


def _is_cut(text: bytes) -> bool:
    """Whether a line that is not JSON ends where the file does, be it inside a character."""
    if text.endswith(b"\n"):
        return False
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return error.end == len(text) and error.reason == "unexpected end of data"
    return True


def _body(text: bytes) -> bytes:
    """A line without its end."""
    return text.removesuffix(b"\n").removesuffix(b"\r")


def _skip_line(stream: BinaryIO, text: bytes) -> None:
    """Read on to the end of a line of which ``text`` is the beginning."""
    while text and not text.endswith(b"\n"):
        text = stream.readline(_CHUNK)
