"""The pages: from a visit to what the page says. Each is a name of ``roles.MAY_SEE`` and a path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.web.rendering import Answer, Download
from ledger.web.views import (
    cases,
    coupons,
    find,
    law_pages,
    ledger_pages,
    letters_and_packs,
    money,
    money_trends,
    night,
    round_of_play,
    shift,
    verification,
    what_if,
)
from ledger.web.visit import Visit

View = Callable[[Visit], Answer]

VIEWS: Final[tuple[tuple[str, str, View], ...]] = (
    ("find", "/find", find.empty_search),
    ("find", "/find/{search}", find.results),
    ("find", "/find/at/{table}/{day}/{time}", find.at_moment),
    ("round", "/round/{round}", round_of_play.round_page),
    ("round", "/round/{round}/what-if", what_if.what_if_page),
    ("round", "/round/{round}/what-if/{supposed}", what_if.what_if_page),
    ("cases", "/cases", cases.case_list),
    ("cases", "/cases/new", cases.new_case),
    ("cases", "/case/{number}", cases.case_page),
    ("cases", "/case/{number}/letter/{recipient}", letters_and_packs.letter_page),
    ("cases", "/case/{number}/pack", letters_and_packs.pack_page),
    ("coupons", "/coupons", coupons.coupons_page),
    ("coupons", "/coupons/serial/{serial}", coupons.serial_page),
    ("coupons", "/coupons/figure/{figure}", coupons.figure_page),
    ("coupons", "/coupons/form/{form}", coupons.form_page),
    ("shift", "/shift", shift.shift_page),
    ("money", "/money", money.money_page),
    ("money", "/money/trends", money_trends.trends),
    ("money", "/money/slips", money_trends.slips),
    ("night", "/night", night.nights),
    ("night", "/night/{day}", night.night),
    ("law", "/law", law_pages.chapters),
    ("law", "/law/coverage", law_pages.coverage_page),
    ("law", "/law/interpretations", law_pages.interpretations),
    ("law", "/law/{chapter}", law_pages.chapter),
    ("law", "/law/{chapter}/odds", law_pages.odds),
    ("ledger", "/ledger", ledger_pages.checkpoint),
    ("entry", "/ledger/entries", ledger_pages.entries),
    ("ledger", "/ledger/schemas", ledger_pages.schemas),
    ("ledger", "/ledger/schemas/{event}", ledger_pages.schema),
    ("ledger", "/ledger/verification", verification.verification),
    ("ledger", "/ledger/verification/{size}", verification.consistency),
    ("entry", "/ledger/{position}", ledger_pages.entry),
    ("sessions", "/sessions", ledger_pages.sessions),
)

DOCUMENTS: Final[tuple[tuple[str, str, Callable[[Visit], Download]], ...]] = (
    ("cases", "/case/{number}/letter/{recipient}/print", letters_and_packs.letter_print),
    ("cases", "/case/{number}/letter/{recipient}/pdf", letters_and_packs.letter_file),
    ("night", "/night/{day}/{issue}/report", night.report),
    ("coupons", "/coupons/form/{form}/print", coupons.form_print),
    ("coupons", "/coupons/form/{form}/file/{kind}", coupons.form_file),
)
"""Documents that are given out as they are, under the same rights."""
