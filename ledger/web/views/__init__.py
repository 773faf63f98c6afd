"""The pages: from a visit to what the page says. Each is a name of ``roles.MAY_SEE`` and a path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.web.rendering import Answer
from ledger.web.views import find, ledger_pages, money, round_of_play, shift
from ledger.web.visit import Visit

View = Callable[[Visit], Answer]

VIEWS: Final[tuple[tuple[str, str, View], ...]] = (
    ("find", "/find", find.empty_search),
    ("find", "/find/{search}", find.results),
    ("round", "/round/{round}", round_of_play.round_page),
    ("shift", "/shift", shift.shift_page),
    ("money", "/money", money.money_page),
    ("law", "/law", ledger_pages.chapters),
    ("law", "/law/{chapter}", ledger_pages.chapter),
    ("ledger", "/ledger", ledger_pages.checkpoint),
    ("entry", "/ledger/{position}", ledger_pages.entry),
    ("sessions", "/sessions", ledger_pages.sessions),
)
