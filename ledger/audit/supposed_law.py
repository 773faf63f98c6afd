"""Another text or interpretation by which one past round is judged: never the law in force.

Law: the register of readings; the editions of the rooms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Final

from ledger.games.edition import as_of
from ledger.games.room import Room
from ledger.house.filed_options import unused
from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import BULLETIN_PAGES, Chapter, reading

TEXTS_LISTED: Final = 10
"""How many texts a refusal names."""


class EditionUnknown(UsageError):
    """No text of the game's chapter is known by that name."""

    code = "edition_unknown"

    def __init__(self, name: str, room: Room) -> None:
        known = "; ".join(f'"{text.edition.source}"' for text in texts(room)[:TEXTS_LISTED])
        super().__init__(
            f"No text of {room.game} is held that was published in {name[:80]!r}.",
            next_step=f"--edition one of {known}, or the file of a draft (pitledger law edition"
            f" new {room.key})",
        )


class AnswerNotUsed(UsageError):
    """An interpretation has that answer, and the rules engine cannot judge by it."""

    code = "answer_not_used"

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"The interpretation {name[:80]!r} cannot be supposed so: {why}.",
            next_step="pitledger law readings lists the questions with their answers",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SupposedLaw:
    """By what a round is judged in place of the law in force.

    Args:
        game: the game of the round.
        room: the room by another text; None: by the text in force.
        text: that text; None without one.
        answers: by the id of the open question, the answer that takes the place of ours and of the
            one that the property filed.
    """

    game: str
    room: Room | None = None
    text: Chapter | None = None
    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_other(self) -> bool:
        """Whether anything else than the law in force is supposed."""
        return self.room is not None or bool(self.answers)

    def judged_by(self, room: Room) -> Room:
        """Return the room to judge by in place of the one in force; others stay as they are."""
        if room.game != self.game:
            return room
        other = self.room or room
        return replace(other, supposed=dict(self.answers)) if self.answers else other


def texts(room: Room) -> tuple[Chapter, ...]:
    """The texts of a game's chapter that are held, the first one first."""
    return (room.law, *room.editions)


def by_text(room: Room, name: str) -> tuple[Room, Chapter]:
    """Return the room by one of its texts, and that text.

    Args:
        room: the room with all its texts.
        name: where the text was published, as citations print it, or its page of the Bulletin.

    Raises:
        EditionUnknown: no such text is held.
    """
    wanted = " ".join(name.split()).casefold()
    for text in texts(room):
        names = [text.edition.source]
        if text is room.law and text.edition.chapter in BULLETIN_PAGES:
            names.append(BULLETIN_PAGES[text.edition.chapter])
        if wanted in (one.casefold() for one in names):
            return as_of(room, text), text
    raise EditionUnknown(name, room)


def answers_of(suppositions: tuple[str, ...]) -> dict[str, str]:
    """Read answers to open questions: ``NAME=ANSWER``.

    Raises:
        ReadingUnknown: the register has no such question.
        AnswerNotUsed: it has no such answer, the rules engine does not judge by it, or a question
            is answered twice.
    """
    answers: dict[str, str] = {}
    for text in suppositions:
        name, _, answer = (part.strip() for part in text.partition("="))
        reading(name[:80])
        why = unused(name, answer)
        if name in answers:
            why = "it is answered twice"
        elif why is not None and answer not in reading(name).options:
            known = ", ".join(reading(name).options)
            why = f"its answers are {known}"
        if why is not None:
            raise AnswerNotUsed(name, why)
        answers[name] = answer
    return answers
