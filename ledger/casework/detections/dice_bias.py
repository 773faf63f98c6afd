"""Whether dice fall evenly: each die, each set, and what dice have in common.

Dice live 24 hours, so a mild bias of one die is seldom seen in its life; a shaker, a supplier's lot
and a table outlive their dice. Throws that do not count by rule are left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from ledger.casework.detections.card import Card
from ledger.casework.detections.subject_evidence import (
    Evidence,
    began,
    ends,
    grouped,
    nights,
    shown,
)
from ledger.casework.e_values import (
    e_value,
    fair,
    highest_bias,
    log_bias,
    p_value,
    power_words,
)
from ledger.casework.history import History, Throw
from ledger.kernel import FactRef, ref_of

FACES: Final = 6


class Seen(NamedTuple):
    """The faces that one throw adds to a subject; none where it is left out."""

    at: int
    fact: FactRef
    faces: tuple[int, ...]


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence against even dice, of every subject that was thrown on this gaming day.

    A shaker or a set in use for all throws of the table says nothing more than the table does.
    """
    throws = [one for night in nights(history, day, card.settings["days"]) for one in night.throws]
    pairs = (pair for throw in throws for pair in _subjects(throw))
    units = list(grouped(pairs, began(history, day)))
    whole = {table: seen for table, subject, seen in units if subject == f"all dice at {table}"}
    for table, subject, seen in units:
        if not (subject.startswith(("dice ", "shaker ")) and seen == whole[table]):
            yield judge_faces(table, subject, seen)


def _subjects(throw: Throw) -> Iterator[tuple[tuple[str, str], Seen]]:
    """What one throw speaks of. A die that is identified speaks for itself, and its set is then
    not asked again; an unidentified one speaks for its set."""
    fact = ref_of(throw)
    counts = not throw.out
    every = tuple(face for _, face in throw.dice) if counts else ()
    identified = bool(throw.dice) and all(serial for serial, _ in throw.dice)
    if identified:
        for serial, face in throw.dice:
            faces = (face,) if counts else ()
            yield (throw.table, f"die {serial}"), Seen(throw.at, fact, faces)
    elif throw.set:
        yield (throw.table, f"dice {throw.set}"), Seen(throw.at, fact, every)
    if throw.shaker:
        yield (throw.table, f"shaker {throw.shaker}"), Seen(throw.at, fact, every)
    if throw.lot:
        yield ("", f"supplier's lot {throw.lot}"), Seen(throw.at, fact, every)
    yield (throw.table, f"all dice at {throw.table}"), Seen(throw.at, fact, every)


def judge_faces(table: str, subject: str, seen: Sequence[Seen]) -> Evidence:
    """Evidence of one subject from the faces it showed, in order."""
    faces = [face - 1 for one in seen for face in one.faces]
    counts = [faces.count(face) for face in range(FACES)]
    null, n = fair(FACES), len(faces)
    log_e = log_bias(counts, null)
    p, test = p_value(counts, null)
    return Evidence(
        table=table,
        subject=subject,
        log_e=log_e,
        volume=n,
        left_out=sum(not one.faces for one in seen),
        at=seen[-1].at,
        no_evidence=f"nothing unusual in {n:,} throws of a die ({subject})",
        discovery=f"{n:,} throws of a die ({subject}) do not fit even chances of the six faces",
        power=lambda level: power_words(FACES, n, level, "face"),
        facts=ends(seen, lambda one: one.fact),
        detail=(
            ("faces 1 to 6", ", ".join(f"{count:,}" for count in counts)),
            (f"{test}, for this number of throws only", f"p {shown(p)}"),
            ("highest e-value on the way", f"{e_value(highest_bias(faces, null)):,.3g}"),
        ),
    )
