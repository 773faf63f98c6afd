"""A ledger that is asked what would have been: opened so that nothing beside it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from ledger.analytics import JudgedTables, judged_by
from ledger.audit import Day, HouseRecord, day_of, read_coupons
from ledger.audit.side_by_side import Question, Start, compare
from ledger.audit.supposed_facts import SupposedField, SuppositionWrong
from ledger.audit.supposed_law import EditionUnknown, SupposedLaw, answers_of, by_text
from ledger.cli.days import round_seen
from ledger.coupons.followed_events import WANTED
from ledger.events import BettingOpened
from ledger.games import BY_GAME
from ledger.games.edition import amended, as_of
from ledger.kernel import FactRef, parse_round_id, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Replay
from ledger.reports import RoundView, read_edition
from ledger.reports.what_if_page import WhatIfAnswer
from ledger.rounds.supposition import Supposition

DRAFT_BYTES = 1_000_000
"""The largest draft of a text that is read."""


@dataclass(slots=True)
class SupposedLedger:
    """A ledger whose rounds are judged as if something had been otherwise.

    Args:
        folder: the ledger's.
        replay: its replay, which keeps nothing.
        judged: its judged tables, as they were kept.
    """

    folder: Path
    replay: Replay
    judged: JudgedTables
    _states: dict[str, dict[int, bytes]] = field(default_factory=dict, init=False)
    """By table, the state right before the round that was shown last, and when it held."""

    @classmethod
    def open(cls, folder: Path) -> SupposedLedger:
        """Open a ledger; no file of its folder changes.

        Raises:
            LedgerMissing, IntegrityBroken: as for any reader.
        """
        replay = Replay.open(folder, keeps=False)
        judged = judged_by(folder, replay)
        return cls(folder, replay, judged)

    def round(self, text: str) -> RoundView:
        """Return a round as recorded.

        Args:
            text: the id of any of its facts.

        Raises:
            RoundUnknown: the ledger has no such fact, or it lies in no round.
        """
        states: dict[int, bytes] = {}
        cache = self.folder / "cache"
        seen = round_seen(self.replay, self.judged, cache, text, states.__setitem__)
        self._states[seen.result.table] = states
        return seen

    def answer(
        self,
        seen: RoundView,
        supposed: Supposition,
        fields: Sequence[SupposedField],
        law: SupposedLaw,
    ) -> WhatIfAnswer:
        """Judge a round as recorded and as supposed.

        Args:
            seen: the round as recorded.
            supposed: the supposed facts.
            fields: the same, field by field.
            law: by what the round is judged.

        Raises:
            SuppositionWrong: another law is supposed for a round whose opening was lost.
        """
        house, opened = self.judged.house, parse_round_id(seen.result.round)
        if law.is_other and not isinstance(seen.steps[0].fact, BettingOpened):
            raise SuppositionWrong(
                f"The opening of {opened} is missing: by another law it stays unknown."
            )
        opens_at = self.replay.merged_at(opened.stream, opened.seq) or 0
        with_coupons = any(_is_of_coupons(fact) for fact in supposed.facts)
        question = Question(
            round=opened,
            opens_at=opens_at,
            supposed=supposed,
            law=law.judged_by if law.is_other else None,
            to_day_end=with_coupons,
        )
        day = day_of(house.clock, seen.result.gaming_day)
        other = self._other_coupons(house, supposed) if with_coupons else None
        comparison = compare(self._start(house, opened, day, opens_at), question, other)
        steps = tuple(s for s in supposed.apply(seen.steps) if isinstance(s, FactStep))
        return WhatIfAnswer(
            comparison=comparison, fields=fields, law=law, clock=house.clock, steps=steps
        )

    def _start(self, house: HouseRecord, opened: FactRef, day: Day, opens_at: int) -> Start:
        table = table_of(opened.stream)
        states = {**self.judged.states(day.date, table), **self._states.get(table, {})}
        since = max((at for at in states if at <= opens_at), default=None)
        resumed = None if since is None else (since, states[since])
        return Start(self.replay, house, day, self.folder / "cache" / "carried", resumed)

    def _other_coupons(self, house: HouseRecord, supposed: Supposition) -> HouseRecord:
        """The house's facts with the custody of coupons as supposed."""
        from ledger.coupons import RegisterLookup

        book = read_coupons(self.replay, house, supposing=supposed.apply)
        return house if book is None else replace(house, coupons=RegisterLookup(book))


def _is_of_coupons(fact: object) -> bool:
    """Whether a supposed fact changes where coupons are."""
    sides = (getattr(fact, "recorded", None), getattr(fact, "supposed", None))
    return any(type(side).__name__ in WANTED for side in sides)


def asked_law(game: str, edition: str | None, readings: tuple[str, ...]) -> SupposedLaw:
    """Return by what a round is judged, as a person asks for it.

    Args:
        game: the game of the round.
        edition: where a held text was published, or the file of a draft; None: the text in force.
        readings: answers to open questions, ``NAME=ANSWER``.

    Raises:
        EditionUnknown, EditionUnreadable, EditionTooEarly, ReadingUnknown, AnswerNotUsed: so.
    """
    answers = answers_of(readings)
    if edition is None:
        return SupposedLaw(game=game, answers=answers)
    room = BY_GAME.get(game)
    if room is None:
        raise SuppositionWrong(f"No text of {game} is held.")
    draft = Path(edition)
    try:
        is_draft = draft.suffix == ".toml" and draft.is_file()
        text = draft.read_text(encoding="utf-8") if is_draft else None
    except (OSError, UnicodeDecodeError, ValueError):
        raise EditionUnknown(edition, room) from None
    if text is None:
        other, chapter = by_text(room, edition)
        return SupposedLaw(game=game, room=other, text=chapter, answers=answers)
    amendment = read_edition(room, text[:DRAFT_BYTES])
    other = as_of(amended(room, amendment), amendment.text)
    return SupposedLaw(game=game, room=other, text=amendment.text, answers=answers)
