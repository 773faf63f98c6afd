"""Which areas of a Sic Bo layout light up for three faces: a second table, apart from the room's."""

from __future__ import annotations

import re
from typing import Any

from tests.conformance import words
from tests.conformance.keys import NotTranslatable


def lit(faces: tuple[int, ...]) -> tuple[str, ...] | None:
    """The areas that win on three faces, None for any other number of faces."""
    if len(faces) != 3:
        return None
    total, kinds = sum(faces), sorted(set(faces))
    triple = len(kinds) == 1
    areas = []
    if triple:
        areas += [f"Three of a Kind {kinds[0]}", "Any Three of a Kind"]
    areas += [f"Two of a Kind {face}" for face in kinds if faces.count(face) >= 2]
    areas += [f"Total Value Bet {total}"] if 4 <= total <= 17 else []
    areas += [
        f"Two Dice Combination {low} {high}" for low in kinds for high in kinds if low < high
    ]
    if not triple:
        areas += ["Small Bet"] if 4 <= total <= 10 else []
        areas += ["Big Bet"] if 11 <= total <= 17 else []
    areas += [f"One of a Kind {face}" for face in kinds]
    return tuple(areas)


def area(word: Any) -> str:
    """One area in the words of the facts: the wager's name, then its picks."""
    if isinstance(word, dict) and set(word) <= {"wager", "picks", "pick"} and "wager" in word:
        numbers = words.picks(word.get("picks", word.get("pick")))
        return " ".join([words.wager(str(word["wager"]), words.SIC_BO), *map(str, numbers)])
    if isinstance(word, list) and word and isinstance(word[0], str):
        flat = [n for part in word[1:] for n in (part if isinstance(part, list) else [part])]
        return " ".join([words.wager(word[0], words.SIC_BO), *map(str, flat)])
    if not isinstance(word, str):
        raise NotTranslatable(f"not an area of the layout: {word!r}")
    found = re.fullmatch(r"(.*?)[\s_]*(?:(?:of|on)?[\s_]*(\d+(?:\s*(?:,|-|_|and|\s)\s*\d+)*))?", word)
    name, numbers = (found[1], found[2]) if found else (word, None)
    name = re.sub(r"[\s_]+(?:of|on)$", "", name)
    return " ".join([words.wager(name, words.SIC_BO), *re.findall(r"\d+", numbers or "")])
