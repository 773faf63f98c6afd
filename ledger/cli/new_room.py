"""Lay down the folder of a new game: ``pitledger law new-room``."""

from __future__ import annotations

import re
from datetime import date
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated, Final

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json

PACKAGE: Final = Path(__file__).resolve().parent.parent
LAW_TABLES: Final = {
    "edition.toml": "law/editions/{}.toml",
    "index.tsv": "law/index/{}.tsv",
    "obligations.tsv": "law/obligations/{}.tsv",
    "coverage.tsv": "law/coverage/{}.tsv",
}
"""Where the tables of the new chapter go, by template; everything else is the room's folder."""
_GAME: Final = re.compile(r"[A-Z][A-Za-z0-9]*(?: (?:[A-Z0-9][A-Za-z0-9]*|&))*")
_CHAPTER: Final = re.compile(r"[1-9][0-9]{2}[a-z]?")
_IMPORTS: Final = re.compile(r"(?:from ledger\.[\w.]+ import [^(\n]+\n)+")
KEY_LETTERS: Final = 24
"""The longest name of a room's folder: with it every import fits a line."""
COMMAND: Final = "pitledger law new-room"


def law_new_room(
    game: str,
    /,
    *,
    chapter: str,
    since: date,
    published: str = "text not yet cited",
    into: Annotated[Path | None, Parameter(name="--into", show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Lay down the folder of a new game: a small room that runs, to be replaced table by table.

    It plays one six-sided die with three wagers. The checklist in ledger/games/README.md says what
    comes next. Nothing that exists is written over.

    Args:
        game: the game's name as the chapter writes it, such as "Big Six Wheel".
        chapter: the number of its chapter.
        since: the first day on which the chapter was in force.
        published: where the edition was published.
        into: the folder of the package; default the one that runs.
    """
    if not _GAME.fullmatch(game):
        raise CommandWrong(f"{game!r} is not the name of a game: capitalized words", COMMAND)
    if not _CHAPTER.fullmatch(chapter):
        raise CommandWrong(
            f"{chapter!r} is not the number of a chapter, such as 539 or 668a", COMMAND
        )
    if any(sign in published for sign in '"\\\n'):
        raise CommandWrong("where it was published is plain text without quotes", COMMAND)
    package = PACKAGE if into is None else into
    key = re.sub(r"[^a-z0-9]+", "_", game.lower().replace("&", "and"))
    words = {"game": game, "key": key, "chapter": chapter, "since": since.isoformat()}
    words["published"] = published
    if len(key) > KEY_LETTERS:
        raise CommandWrong(f"the folder {key} would have more than {KEY_LETTERS} letters", COMMAND)
    pages = {}
    for template in files("ledger.law").joinpath("new_room").iterdir():
        name = template.name.removesuffix(".txt")
        place = LAW_TABLES.get(name, f"games/{key}/{name}").format(chapter)
        text = Template(template.read_text(encoding="utf-8")).substitute(words)
        pages[package / place] = _IMPORTS.sub(_in_order, text)
    standing = sorted(str(path) for path in (*pages, package / "games" / key) if path.exists())
    if standing:
        raise CommandWrong(f"already there: {', '.join(standing)}", COMMAND)
    for path, text in sorted(pages.items()):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    laid = [path.relative_to(package).as_posix() for path in sorted(pages)]
    if options.is_json:
        emit_json({"room": key, "files": laid})
    else:
        emit("".join(f"{name}\n" for name in laid))
        emit(f"Next: pitledger law show {key}, then the checklist in ledger/games/README.md.\n")
    return 0


def _in_order(imports: re.Match[str]) -> str:
    """Imports by module: where the room's own stand among them hangs on its name."""
    return "".join(sorted(imports[0].splitlines(keepends=True), key=lambda line: line.split()[1]))
