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
    areas += [f"Two Dice Combination {low} {high}" for low in kinds for high in kinds if low < high]
    if not triple:
        areas += ["Small Bet"] if 4 <= total <= 10 else []
        areas += ["Big Bet"] if 11 <= total <= 17 else []
    areas += [f"One of a Kind {face}" for face in kinds]
    return tuple(areas)


def area(word: Any) -> str:
    """One area in the words of the facts: the wager's name, then its picks."""
    if isinstance(word, dict) and set(word) <= {"wager", "picks", "pick"} and "wager" in word:
        numbers = words.picks(word.get("picks", word.get("pick")))
        return _named(words.wager(str(word["wager"]), words.SIC_BO), list(numbers))
    if isinstance(word, list) and word and isinstance(word[0], str):
        flat = [n for part in word[1:] for n in (part if isinstance(part, list) else [part])]
        return _named(words.wager(word[0], words.SIC_BO), [int(n) for n in flat])
    if not isinstance(word, str):
        raise NotTranslatable(f"not an area of the layout: {word!r}")
    name = re.sub(r"[\s_(\[]+(?:of|on)?[\s_(\[]*$", "", re.split(r"\d", word, maxsplit=1)[0])
    return _named(words.wager(name, words.SIC_BO), [int(n) for n in re.findall(r"\d+", word)])


def _named(wager: str, numbers: list[int]) -> str:
    """An area's name; the two numbers of a combination are told in rising order."""
    if wager == "Two Dice Combination":
        numbers = sorted(numbers)
    return " ".join([wager, *map(str, numbers)])
