"""From what a patron or a supervisor remembers to the rounds that it can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.search.answer import Hit, SearchAnswer, Searched, WagerHit
    from ledger.search.errors import SearchUnclear
    from ledger.search.find_rounds import find, find_in
    from ledger.search.history import History, SubjectDay, SubjectFinding, SubjectKind, history
    from ledger.search.search_line import FIELDS, Search, parse_search

__all__ = [
    "FIELDS",
    "History",
    "Hit",
    "Search",
    "SearchAnswer",
    "SearchUnclear",
    "Searched",
    "SubjectDay",
    "SubjectFinding",
    "SubjectKind",
    "WagerHit",
    "find",
    "find_in",
    "history",
    "parse_search",
]

load_on_first_use(__name__)
