"""Data to stdout, everything else to stderr: colours, widths, closed pipes, progress."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from typing import TYPE_CHECKING, Final, TextIO

from ledger.cli.errors import FileUnwritable
from ledger.kernel import visible, visible_json
from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

PIPED_WIDTH: Final = 100
"""How wide a page is where no terminal says so."""
LEAST_WIDTH: Final = 60
PAGE_BREAK: Final = "\n\f\n"
"""What stands between two forms."""

ProgressReport = Callable[[int, int], None]
"""Told how much is done, and of how much (0: not known)."""


@dataclass(slots=True)
class Record:
    """What a command writes, as it writes it.

    Attributes:
        parts: what went to stdout.
        is_whole: whether that is all it said, and all was read.
    """

    parts: list[str] = field(default_factory=list)
    is_whole: bool = True


_RECORD: Final[ContextVar[Record | None]] = ContextVar("record", default=None)


@contextmanager
def recording() -> Iterator[Record]:
    """Record what is written to stdout, and whether anything was said beside it."""
    record = Record()
    token = _RECORD.set(record)
    try:
        yield record
    finally:
        _RECORD.reset(token)


def emit_again(text: str) -> bool:
    """Write again what was recorded."""
    return _write(text)


def emit(text: str) -> bool:
    """Write a text for people; False when nobody reads any more, which is no error."""
    return _write(PAGE_BREAK.join(map(visible, text.split(PAGE_BREAK))))


def _write(text: str) -> bool:
    """Write what is safe to write."""
    record = _RECORD.get()
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
        if record is not None:
            record.is_whole = False
        return False
    except OSError as error:
        silence()
        raise FileUnwritable("standard output", error) from error
    if record is not None:
        record.parts.append(text)
    return True


def emit_exact(document: str) -> bool:
    """Write text that is JSON already: hidden signs become escapes, which say the same."""
    return _write(visible_json(document))


def emit_json(document: object) -> bool:
    """Write one JSON document."""
    return _write(visible_json(json.dumps(document, ensure_ascii=False, indent=2)) + "\n")


def emit_json_line(document: object) -> bool:
    """Write one JSON document on a line of its own."""
    return _write(visible_json(json.dumps(document, ensure_ascii=False)) + "\n")


def emit_list(items: Iterable[object]) -> bool:
    """Write a JSON list, one element on a line, as the elements come."""
    first = True
    for element in items:
        text = visible_json(json.dumps(element, ensure_ascii=False))
        if not _write(f"{'[' if first else ','}\n{text}"):
            return False
        first = False
    return _write("[]\n" if first else "\n]\n")


def show(page: RenderableType) -> bool:
    """Write a page for people."""
    from rich.console import Console

    console = Console(
        width=width(),
        force_terminal=coloured(sys.stdout),
        color_system="standard" if coloured(sys.stdout) else None,
        no_color=not coloured(sys.stdout),
        highlight=False,
        legacy_windows=False,
    )
    with console.capture() as captured:
        console.print(_Visible(page), soft_wrap=False)
    lines = (line.rstrip() for line in captured.get().removesuffix("\n").split("\n"))
    return _write("\n".join(lines) + "\n")


class _Visible:
    """A page of which each text is made visible; colours are added after that."""

    def __init__(self, page: RenderableType) -> None:
        self.page = page

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        from rich.segment import Segment

        for segment in console.render(self.page, options):
            yield Segment(visible(segment.text), segment.style, segment.control)


def say(text: str) -> None:
    """Tell a person something beside the data."""
    if (record := _RECORD.get()) is not None:
        record.is_whole = False
    try:
        sys.stderr.write(visible(text) + "\n")
        sys.stderr.flush()
    except OSError:
        silence()


def width() -> int:
    """How many columns a page has."""
    return max(shutil.get_terminal_size((PIPED_WIDTH, 24)).columns, LEAST_WIDTH)


def coloured(stream: TextIO) -> bool:
    """Whether colours are wanted: a terminal, and nobody said no (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def silence() -> None:
    """Send what is still to be written to stdout nowhere: its reader has gone."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except OSError:  # stdout is no real file: then nothing is flushed at exit either
        return


@contextmanager
def progress(task_name: str, unit: str) -> Iterator[ProgressReport]:
    """A bar on stderr for long work, where stderr is a terminal; else nothing."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, no_color=not coloured(sys.stderr))
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TextColumn("{task.completed:,.0f} " + unit),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(task_name, total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total or None)

        yield report
