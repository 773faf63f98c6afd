"""Pure functions to text and plain data: what people read. No file, clock or network here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.reports.actions import action_data, action_page, actions_data, actions_page
    from ledger.reports.alerts import alerts_page, title_of
    from ledger.reports.amendments import amended_data, amended_text
    from ledger.reports.audit_page import TimeOf, audit_data, audit_page
    from ledger.reports.clocks_page import clocks_data, clocks_page
    from ledger.reports.day_rounds import recorded_round, round_views_on, with_accounts
    from ledger.reports.demo.nights import DemoNight, DemoRestated, not_on_pages
    from ledger.reports.demo.page import demo_html
    from ledger.reports.demo.planted import Comparison, Match, TruthMalformed, compare, truth_rows
    from ledger.reports.demo.text import (
        Demo,
        Simulated,
        demo_data,
        demo_page,
        simulated_data,
        simulated_text,
    )
    from ledger.reports.fact_sentences import tell
    from ledger.reports.finding_examples import Example, examples, explained_data, explained_text
    from ledger.reports.findings import finding_data, folded
    from ledger.reports.import_page import (
        import_data,
        import_text,
        profiles_data,
        profiles_text,
    )
    from ledger.reports.in_force.page import in_force_data, in_force_page
    from ledger.reports.installation_page import (
        Check,
        Health,
        doctor_data,
        doctor_page,
        settings_page,
    )
    from ledger.reports.law.chances_counted_again import recount_text
    from ledger.reports.law.coverage import coverage_text, law_coverage
    from ledger.reports.law.edition import (
        EditionTooEarly,
        EditionUnreadable,
        edition_draft,
        not_before,
        read_edition,
    )
    from ledger.reports.law.exhibit import exhibit, exhibit_csv, exhibit_html, exhibit_text
    from ledger.reports.law.finding_codes import codes_text, explain_text, law_explain
    from ledger.reports.law.guide import guide, guide_data, guide_text
    from ledger.reports.law.odds import LawNotHeld, chapter_paytables, law_day, law_odds
    from ledger.reports.law.printed_rows import RoomUnknown, law_show, names, room_named, show_text
    from ledger.reports.law.readings import law_readings, readings_text
    from ledger.reports.law.what_if import whatif_data, whatif_text
    from ledger.reports.ledger_output import (
        AppendedLines,
        Refused,
        append_data,
        append_text,
        entry_data,
        judged_data,
        judged_text,
        printed_data,
        printed_text,
        verify_data,
        verify_text,
        with_position,
    )
    from ledger.reports.observation_page import (
        empty_form,
        observations_data,
        observations_page,
    )
    from ledger.reports.patron_statement import PatronStatement, statement_page
    from ledger.reports.range_page import range_data, range_page
    from ledger.reports.restatement import restated
    from ledger.reports.round_list import round_row, rounds_page, wanted_round
    from ledger.reports.round_page import round_data, round_page
    from ledger.reports.round_view import LastingFacts, RoundView, RoundWatch
    from ledger.reports.schema_page import schema_rows, schemas_page
    from ledger.reports.selection_page import selection_page
    from ledger.reports.table_days import (
        table_days,
        table_days_csv,
        table_days_data,
        table_days_page,
    )
    from ledger.reports.verdict import verdict
    from ledger.reports.witness_output import (
        witness_data,
        witness_text,
        witnessed_data,
        witnessed_text,
    )
else:
    load_on_first_use(__name__)

__all__ = [
    "AppendedLines",
    "Check",
    "Comparison",
    "Demo",
    "DemoNight",
    "DemoRestated",
    "EditionTooEarly",
    "EditionUnreadable",
    "Example",
    "Health",
    "LastingFacts",
    "LawNotHeld",
    "Match",
    "PatronStatement",
    "Refused",
    "RoomUnknown",
    "RoundView",
    "RoundWatch",
    "Simulated",
    "TimeOf",
    "TruthMalformed",
    "action_data",
    "action_page",
    "actions_data",
    "actions_page",
    "alerts_page",
    "amended_data",
    "amended_text",
    "append_data",
    "append_text",
    "audit_data",
    "audit_page",
    "chapter_paytables",
    "clocks_data",
    "clocks_page",
    "codes_text",
    "compare",
    "coverage_text",
    "demo_data",
    "demo_html",
    "demo_page",
    "doctor_data",
    "doctor_page",
    "edition_draft",
    "empty_form",
    "entry_data",
    "examples",
    "exhibit",
    "exhibit_csv",
    "exhibit_html",
    "exhibit_text",
    "explain_text",
    "explained_data",
    "explained_text",
    "finding_data",
    "folded",
    "guide",
    "guide_data",
    "guide_text",
    "import_data",
    "import_text",
    "in_force_data",
    "in_force_page",
    "judged_data",
    "judged_text",
    "law_coverage",
    "law_day",
    "law_explain",
    "law_odds",
    "law_readings",
    "law_show",
    "names",
    "not_before",
    "not_on_pages",
    "observations_data",
    "observations_page",
    "printed_data",
    "printed_text",
    "profiles_data",
    "profiles_text",
    "range_data",
    "range_page",
    "read_edition",
    "readings_text",
    "recorded_round",
    "recount_text",
    "restated",
    "room_named",
    "round_data",
    "round_page",
    "round_row",
    "round_views_on",
    "rounds_page",
    "schema_rows",
    "schemas_page",
    "selection_page",
    "settings_page",
    "show_text",
    "simulated_data",
    "simulated_text",
    "statement_page",
    "table_days",
    "table_days_csv",
    "table_days_data",
    "table_days_page",
    "tell",
    "title_of",
    "truth_rows",
    "verdict",
    "verify_data",
    "verify_text",
    "wanted_round",
    "whatif_data",
    "whatif_text",
    "with_accounts",
    "with_position",
    "witness_data",
    "witness_text",
    "witnessed_data",
    "witnessed_text",
]
