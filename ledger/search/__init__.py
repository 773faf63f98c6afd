"""From what a patron or a supervisor remembers to the rounds that it can be."""

from ledger.search.answer import Hit, SearchAnswer, Searched, WagerHit
from ledger.search.errors import SearchUnclear
from ledger.search.find_rounds import find
from ledger.search.search_line import FIELDS, Search, parse_search

__all__ = [
    "FIELDS",
    "Hit",
    "Search",
    "SearchAnswer",
    "SearchUnclear",
    "Searched",
    "WagerHit",
    "find",
    "parse_search",
]
