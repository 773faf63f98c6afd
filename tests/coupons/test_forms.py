"""Forms: every field traced to § 525.21, their figures by hand, issues and signatures, no patron."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from datetime import date
from functools import cache
from html import escape

import openpyxl
import pytest

from ledger import events
from ledger.audit import FormDesk
from ledger.coupons import figures
from ledger.coupons.forms import (
    FIELDS,
    FOOTER,
    KINDS,
    MAKERS,
    SERVES,
    SIGNERS,
    Computed,
    DayEnd,
    Form,
    FormUnknown,
    bare,
    form_of,
    open_ranges,
)
from ledger.coupons.forms.daily import LINES, less
from ledger.coupons.forms.unaccounted import GROUPS
from ledger.coupons.serial import SerialRange
from ledger.events.coupon_words import CouponVoid
from ledger.kernel import Severity
from ledger.law import known, obligations
from ledger.reports.forms import Stamp, forms_csv, forms_html, forms_text, forms_xlsx, issue_data
from tests.coupons.forms_scene import CLOCK, DAY, NEXT, at, m5, memory, scene, signed
from tests.log.memory_log import MemoryLog

PAPER = re.compile(r"525\.21\((f|g|h|j|l|n|o)\)")
"""The paragraphs that say what stands on a paper."""
NO_FIELD = {
    "525.21(f)#2": "the order of examination and entry",
    "525.21(f)#3": "a receipt without an entry is a finding",
    "525.21(g)(4)#4": "who may sign is held against the roster",
    "525.21(g)(5)#4": "who may sign is held against the roster",
    "525.21(g)(5)#5": "two people",
    "525.21(g)(5)#6": "the order of authorization and issue",
    "525.21(h)#3": "who may enter is held against the roster",
    "525.21(h)#5": "two people",
    "525.21(h)(1)#3": "where the serial numbers lie is custody",
    "525.21(j)(8)#4": "who may sign is held against the roster",
    "525.21(l)(2)#3": "where the serial numbers lie is custody",
    "525.21(l)(5)#7": "who may sign is held against the roster",
    "525.21(l)(5)#8": "two people",
    "525.21(n)#5": "the procedure is filed, not printed",
}


def named(cite: object) -> str:
    part = getattr(cite, "part", "")
    return f"{cite.section}#{part}" if part else f"{cite.section}"  # type: ignore[attr-defined]


@cache
def log() -> MemoryLog:
    return memory(scene().facts)


@cache
def desk() -> FormDesk:
    return FormDesk.open(log())


def stamp(own: FormDesk | None = None) -> Stamp:
    own = own or desk()
    return Stamp(
        property_name="Coupon Casino",
        clock=CLOCK,
        tree_size=own.replay.size,
        root=own.replay.root.hex(),
        printed_at=at("15 12:00:00"),
    )


def form(name: str, day: date = DAY) -> Form:
    return form_of(desk().book, name, day)


def table(found: Form, title: str) -> list[dict[str, object]]:
    own = next(one for one in found.tables if one.title.startswith(title))
    return [
        {field.key: bare(value) for field, value in zip(own.fields, row, strict=True)}
        for row in own.rows
    ]


def table_named(found: Form, title: str) -> list[dict[str, object]]:
    own = next(one for one in found.tables if one.title == title)
    return table(replace(found, tables=(own,)), title)


# --- traced to the law ----------------------------------------------------------------------------


def test_every_duty_of_a_paper_has_a_field():
    cited = {named(cite) for one in FIELDS for cite in one.cites}
    cited |= {named(cite) for one in SIGNERS for cite in one.cites}
    due = {one.id for one in obligations() if PAPER.match(one.id)}
    assert due - cited - NO_FIELD.keys() == set()
    assert NO_FIELD.keys() - due == set()


def test_every_field_cites_a_paragraph_of_the_index():
    for one in (*FIELDS, *FOOTER, *SIGNERS):
        assert one.cites
        for cite in one.cites:
            assert cite.section.startswith("525.21(")
            assert known(cite), (one, cite)


BESIDE = {
    ("FINANCE_RECONCILIATION", "carried_in"): "525.21(k)",
    ("FINANCE_RECONCILIATION", "kept"): "525.21(k)",
    ("FINANCE_RECONCILIATION", "mailed"): "525.21(q)(4)",
    ("FINANCE_RECONCILIATION", "forwarded"): "525.21(k)",
    ("FINANCE_RECONCILIATION", "received_by"): "525.21(d)",
    ("FINANCE_RECONCILIATION", "reviewed_by"): "525.21(d)",
    ("UNACCOUNTED_SERIALS", "expiry"): "525.21(k)",
}
"""Fields that serve another paragraph than those that their form is for, and which."""


def test_every_field_serves_a_paragraph_of_its_form():
    """It cites what its form is for, the audit trail of (r)(2), or what is named above."""
    beside = {}
    for one in FIELDS:
        served = (*(cite.section for cite in SERVES[one.form]), "525.21(r)(2)")
        for cite in one.cites:
            if not cite.section.startswith(served):
                beside[one.form.name, one.key] = cite.section
    assert beside == BESIDE


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", MAKERS)
def test_every_field_is_on_its_form_and_in_every_format(name):
    found = form(name)
    printed = {one.field.key for one in found.heads}
    printed |= {field.key for one in found.tables for field in one.fields}
    own = [one for one in FIELDS if one.form is KINDS[name]]
    assert printed == {one.key for one in own}
    issue = desk().issue(name, DAY)
    plain, page = forms_text([issue], stamp()), forms_html([issue], stamp())
    rows = csv.reader(io.StringIO(forms_csv([issue], stamp())))
    heads = {title for row in rows if row[:1] == ["form"] for title in row}
    book = openpyxl.load_workbook(io.BytesIO(forms_xlsx([issue], stamp())))
    cells = "\n".join(str(c.value) for s in book for row in s.iter_rows() for c in row)
    empty = {
        field.key for one in found.tables if not one.rows for field in one.fields
    }  # a table without rows says so in place of its head
    blank = {one.field.key for one in found.heads if one.content == ""}
    for one in own:
        assert one.title in cells
        assert one.title in heads
        if one.key not in empty:
            assert one.title in plain
            assert one.key in blank or escape(one.title) in page
    for signer in found.signers:
        assert signer.who in page
        assert signer.who in plain
        assert signer.who in cells


def test_every_form_of_the_schema_is_made_and_signed_by_someone():
    assert {*KINDS.values()} == {*events.CouponForm} - {events.CouponForm.UNRECOGNISED}
    assert {one.form for one in SIGNERS} == set(KINDS.values())


def test_the_columns_of_the_daily_form_stand_in_the_order_of_the_section():
    block = form("daily").tables[0]
    assert tuple(one.key for one in block.fields) == LINES
    order = [one.cites[0].section for one in block.fields]
    assert order[0] == "525.21(k)"  # carried in: before what came from finance
    assert order[1:] == sorted(order[1:])


def test_every_footer_field_is_on_every_sheet():
    issue = desk().issue("daily", DAY)
    text, page = forms_text([issue], stamp()), forms_html([issue], stamp())
    for printed in (text, page):
        for word in ("MPC-DAY-2013-06-14", "issue 1", "gaming day 2013-06-14",
                     "printed 2013-06-15 12:00:00 EDT", f"tree size {log().size}", log().root.hex()):  # fmt: skip
            assert word in printed
    assert "page 1 of 1" in text
    assert '"page " counter(page)' in page


# --- figures, by hand -----------------------------------------------------------------------------


def test_the_daily_form_has_the_figures_of_the_day():
    found = form("daily")
    blocks = [one.title for one in found.tables]
    assert blocks == ["$5.00 coupons", "$10.00 coupons", "$25.00 coupons", "All denominations"]
    first, second = table(found, "$5.00")
    assert (first["to_distribute"], first["distributed"], first["remaining"]) == (200, 150, 50)
    assert first["received"] == "M05-0000001 - M05-0000200"
    assert first["remaining_serials"] == "M05-0000151 - M05-0000200 · kept for the next day"
    assert (second["distributed"], second["variation"]) == (1, -1)
    assert "M05-0000301" in str(second["explanation"])
    assert "-found in the drawer: +1 coupon" in str(second["explanation"])
    (zero,) = table(found, "$10.00")
    assert [zero[key] for key in ("to_distribute", "distributed", "remaining", "variation")] == [
        0
    ] * 4
    (line,) = table(found, "$25.00")
    assert line["voided"] == "M25-0041890: torn at the desk"
    assert (line["remaining"], line["variation"]) == (19, 0)
    totals = {row["denomination"]: row for row in table(found, "All")}
    assert totals[2_500]["distributed_value"] == 200_000
    assert totals[500]["variation_value"] == -500


def test_the_lines_add_up_to_the_figures_of_the_day():
    for day in (DAY, NEXT):
        known_figures = {one.denomination_cents: one for one in figures(desk().book, day)}
        for block in form("daily", day).tables[:-1]:
            own = known_figures[block.each_cents]
            sums = {key: block.total(place) for place, key in enumerate(LINES)}
            assert sums["to_distribute"] == own.to_distribute
            assert sums["distributed"] == own.distributed
            assert sums["variation"] == own.variation


def test_coupons_kept_are_carried_in_on_the_next_form():
    (line,) = table(form("daily", NEXT), "$25.00")
    assert line["carried_in"] == "M25-0041891 - M25-0041900"
    assert line["received"] == ""
    assert line["to_distribute"] == 10


def test_the_four_balances_name_what_breaks_them():
    found = form("finance")
    stock = {row["denomination"]: row for row in table(found, "(a)")}
    assert (stock[2_500]["stocked"], stock[2_500]["reissue"], stock[2_500]["on_hand"]) == (
        200,
        9,
        109,
    )
    assert stock[2_500]["issued"] == 100
    assert {row["difference"] for row in stock.values()} == {0}
    custody = {row["denomination"]: row for row in table(found, "(b)")}
    assert custody[500]["difference"] == -1
    assert custody[500]["breaking"] == "M05-0000301"
    assert custody[2_500]["difference"] == 0
    patrons = {row["denomination"]: row for row in table(found, "(c)")}
    assert (patrons[500]["mailed"], patrons[500]["outstanding"]) == (3, 153)
    assert (patrons[500]["difference"], patrons[500]["breaking"]) == (1, "M05-0000301")
    assert (patrons[2_500]["redeemed"], patrons[2_500]["outstanding"]) == (2, 78)
    (box,) = table(found, "(d)")
    assert (box["box_redeemed"], box["box_counted"], box["box_cancelled"]) == (2, 1, 1)
    assert (box["missing"], box["status"]) == ("M25-0041877", "DIFFERS")


@pytest.mark.parametrize(("cancelled", "status"), [(True, "agrees"), (False, "NOT ALL CANCELLED")])
def test_a_box_agrees_when_all_that_was_counted_is_cancelled(cancelled: bool, status: str) -> None:
    facts = [
        fact
        for fact in scene().facts
        if not (isinstance(fact, events.CouponRedeemed) and fact.serial == "M25-0041877")
        and (cancelled or not isinstance(fact, events.CouponsCancelled))
    ]
    (box,) = table(form_of(FormDesk.open(memory(facts)).book, "finance", DAY), "(d)")
    assert (box["box_redeemed"], box["box_counted"]) == (1, 1)
    assert (box["box_cancelled"], box["status"]) == (int(cancelled), status)


def test_the_papers_of_the_day():
    (first, second) = table(form("receipts"), "Entries")
    assert (first["quantity"], first["value"]) == (200, 500_000)
    assert first["checked_names"] == "FM1 name\nMM1 name"
    assert (second["first"], second["last"]) == ("M05-0000001", "M05-0000500")
    assert len(table(form("requisition"), "Requisitions")) == 2
    (issued, _) = table(form("issues"), "Entries")
    assert (issued["first"], issued["handed_to"]) == ("M25-0041801", "C-MS1")
    (back,) = table(form("returns"), "Entries")
    assert (back["quantity"], back["voided"], back["void_reason"]) == (
        9,
        "M25-0041890",
        "torn at the desk",
    )
    assert table(form("returns", NEXT), "Entries") == []
    assert "No entry of return" in form("returns", NEXT).tables[0].none


def test_the_daily_form_foots_line_by_line():
    """To distribute - distributed - voided = remaining, as printed; § 525.21(j)(3) to (6)."""
    for block in form("daily").tables[:-1]:
        for row in table(replace(form("daily"), tables=(block,)), block.title):
            if row["carried_in"] or row["received"]:
                left = row["to_distribute"] - row["distributed"] - row["voided_quantity"]
                assert left == row["remaining"]
    (line,) = table(form("daily"), "$25.00")
    assert (line["to_distribute"], line["distributed"], line["voided_quantity"]) == (100, 80, 1)
    totals = {row["denomination"]: row for row in table(form("daily"), "All")}
    assert (totals[2_500]["voided_quantity"], totals[2_500]["voided_value"]) == (1, 2_500)


def void(serial: str, cents: int | None, reason: str = "torn") -> CouponVoid:
    return CouponVoid(denomination_cents=cents, first=serial, last=None, reason=reason)


def entered(voided: tuple[CouponVoid, ...]) -> list[dict[str, object]]:
    """The issue form with one entry of a line of $25 and a line of $5, and these voids."""
    facts = list(scene().facts)
    pattern = next(one for one in facts if isinstance(one, events.CouponIssueEntered))
    lines = (*pattern.lines, m5(201, 210))
    place = facts.index(pattern)
    facts[place] = replace(pattern, lines=lines, voided=voided)
    rows = table(form_of(FormDesk.open(memory(facts)).book, "issues", DAY), "Entries of issue")
    return [row for row in rows if row["entry"] == pattern.entry]


def test_a_voided_coupon_stands_on_the_line_of_its_own_denomination_only():
    """§ 525.21(h)(4)."""
    large, small = entered((void("M05-0000205", 500),))
    assert (large["denomination"], large["voided"], large["void_reason"]) == (2_500, "none", "")
    assert (small["denomination"], small["voided"], small["void_reason"]) == (
        500,
        "M05-0000205",
        "torn",
    )
    large, small = entered((void("M05-0000499", None), void("M25-0041999", 2_500, "misprint")))
    assert (large["voided"], small["voided"]) == ("M25-0041999", "M05-0000499")
    *_, own = entered((void("M10-0000001", 1_000),))
    assert (own["denomination"], own["voided"], own["quantity"]) == (1_000, "M10-0000001", "")


def test_a_return_prints_a_voided_coupon_once():
    """§ 525.21(l)(4)."""
    facts = [
        replace(one, ranges=(*one.ranges, m5(151, 152)))
        if isinstance(one, events.CouponReturnEntered)
        else one
        for one in scene().facts
    ]
    rows = table(form_of(FormDesk.open(memory(facts)).book, "returns", DAY), "Entries of return")
    assert [(row["denomination"], row["voided"]) for row in rows] == [
        (2_500, "M25-0041890"), (500, "none"),
    ]  # fmt: skip


def test_expired_coupons_that_came_back_and_dollars_are_on_finances_form():
    """§ 525.21(k), (m)(3): returned expired is not returned for reissue."""
    facts = [
        replace(one, kind=events.CouponReturnKind.EXPIRED)
        if isinstance(one, events.CouponsReturned)
        else one
        for one in scene().facts
    ]
    found = form_of(FormDesk.open(memory(facts)).book, "finance", DAY)
    custody = {row["denomination"]: row for row in table(found, "(b)")}
    assert (custody[2_500]["returned"], custody[2_500]["returned_expired"]) == (0, 9)
    assert custody[2_500]["difference"] == 0
    back = {row["denomination"]: row for row in table(found, "(e)")}
    assert (back[2_500]["came_back_expired"], back[2_500]["back_on_hand"]) == (9, 9)
    assert {row["difference"] for row in back.values()} == {0}
    dollars = {row["denomination"]: row for row in table(found, "Face values")}
    assert dollars[2_500] == {
        "denomination": 2_500, "on_hand_value": 250_000, "back_value": 22_500,
        "given_value": 250_000, "distributed_value": 200_000, "returned_value": 0,
        "returned_expired_value": 22_500, "voided_value": 2_500, "redeemed_value": 5_000,
        "outstanding_value": 195_000,
    }  # fmt: skip


def test_the_quarter_names_what_was_redeemed_out_of_order():
    """§ 525.21(o), reading quarterly-irregular: counted and named; of no series: named as paid."""
    used = next(one for one in scene().facts if isinstance(one, events.CouponRedeemed))
    wrong = [
        replace(used, stream="SB-09", seq=number, event_time=at(f"14 22:0{number}:00"), serial=serial,
                box_table="SB-09")
        for number, serial in enumerate(("M25-0041890", "QQ-0000001"), start=1)
    ]  # fmt: skip
    found = form_of(FormDesk.open(memory([*scene().facts, *wrong])).book, "quarterly", DAY)
    quarter = {row["denomination"]: row for row in table(found, "Match")}
    assert (quarter[2_500]["quantity"], quarter[2_500]["irregular"]) == (3, 1)
    assert quarter[2_500]["irregular_value"] == 2_500
    listed = table(found, "Redemptions that were not in order")
    assert [(row["serial"], row["why"], row["paid"], row["in_total"]) for row in listed] == [
        ("M25-0041890", "voided", 2_500, "yes"),
        ("QQ-0000001", "matches no series", 2_500, "no"),
    ]
    assert "Redemptions counted though not in order: 1, of $25.00" in found.remarks[-2]
    assert found.remarks[-1] == (
        "Redemptions of coupons of no series, in no total: 1; paid on them: $25.00."
    )
    assert form("quarterly").remarks == tuple(
        text for text in form("quarterly").remarks if "Redemptions" not in text
    )


def test_inventory_and_quarter():
    books = {row["denomination"]: row for row in table(form("inventory"), "Coupons not")}
    assert (books[500]["books"], books[500]["counted"], books[500]["difference"]) == (350, 349, -1)
    assert (books[2_500]["books"], books[2_500]["difference"]) == (119, 0)
    assert form("inventory") == form("inventory", date(2013, 6, 14))
    assert form("inventory").digest() == form("inventory", NEXT).digest()
    quarter = {row["denomination"]: row for row in table(form("quarterly"), "Match")}
    assert (quarter[2_500]["quantity"], quarter[2_500]["value"]) == (2, 5_000)
    assert quarter[500]["reported"] is None  # the report has no line for it: not zero, not recorded


def test_a_total_of_what_nobody_recorded_is_no_figure():
    (quarter,) = (one for one in form("quarterly").tables if one.title.startswith("Match"))
    place = [field.key for field in quarter.fields].index("reported")
    assert quarter.total_shown(place) is None  # one row is not recorded: no sum of the others
    known_rows = tuple((*row[:place], 100, *row[place + 1 :]) for row in quarter.rows)
    assert replace(quarter, rows=known_rows).total_shown(place) == 100 * len(known_rows)
    not_filed = tuple((*row[:place], "", *row[place + 1 :]) for row in quarter.rows)
    assert replace(quarter, rows=not_filed).total_shown(place) == ""


def test_what_cannot_be_found_stands_first_and_is_aged():
    found = form("unaccounted")
    assert found.tables[0].title == "Not accounted for"
    (lost,) = table(found, "Not accounted")  # alone, however much is out beside it
    assert (lost["first"], lost["quantity"], lost["value"]) == ("M25-0041877", 1, 2_500)
    assert lost["status"] == "NOT FOUND in its drop box"
    groups = [title for title, _ in GROUPS]
    lines = [lost, *(row for title in groups for row in table_named(found, title))]
    assert [str(row["first"]) for row in lines].count("M25-0041890") == 0  # voided and cancelled
    later = {
        row.age for row in open_ranges(desk().book, date(2013, 6, 16)) if row.range.prefix == "M25-"
    }
    assert later == {"0-2"}
    assert sum(int(row["quantity"]) for row in lines) == 153 + 50 + 78 + 10 + 1
    by_status = [(row["status"], row["denomination"], row["quantity"], row["value"])
                 for row in table(found, "All that is out, by status")]  # fmt: skip
    assert by_status == [
        ("NOT FOUND in its drop box", 2_500, 1, 2_500),
        *(("with a patron", 500, 153, 76_500), ("with a patron", 1_000, 0, 0)),
        ("with a patron", 2_500, 78, 195_000),
        *(("kept for the next day", 500, 50, 25_000), ("kept for the next day", 2_500, 10, 25_000)),
    ]
    owed = [(row["expiry"], row["denomination"], row["quantity"], row["value"])
            for row in table(found, "With patrons, by the last day")]  # fmt: skip
    assert owed == [("2013-06-30", 500, 153, 76_500), ("2013-06-30", 2_500, 78, 195_000)]


def test_what_has_its_place_is_not_among_what_is_missing():
    """Marketing has no form of the 16th: what it holds is owed to finance and is not lost."""
    found = form_of(desk().book, "unaccounted", NEXT)
    owed = table_named(found, "With marketing")
    assert {row["status"] for row in owed} == {"with marketing, NOT RETURNED"}
    lost = [row["first"] for row in table(found, "Not accounted")]
    assert lost == ["M25-0041877"]


def test_a_redemption_into_no_box_is_missing_and_one_awaiting_its_count_is_not():
    facts = [one for one in scene().facts if not isinstance(one, events.CouponsCounted)]
    early = FormDesk.open(memory(facts))
    assert table(form_of(early.book, "unaccounted", DAY), "Not accounted") == []
    held = table(form_of(early.book, "unaccounted", DAY), "Redeemed, on the way")
    assert [(row["first"], row["status"]) for row in held] == [
        ("M25-0041877", "in a drop box, awaiting count"),
    ]
    aside = [
        replace(one, box_table=None)
        if isinstance(one, events.CouponRedeemed) and one.serial == "M25-0041877"
        else one
        for one in scene().facts
    ]
    (lost,) = table(form_of(FormDesk.open(memory(aside)).book, "unaccounted", DAY), "Not accounted")
    assert lost["status"] == "REDEEMED, put into no drop box"


def test_a_form_of_a_day_does_not_change_with_the_days_after_it():
    facts = scene().facts
    whole = FormDesk.open(memory(facts))
    until = at("15 10:30:00")
    part = FormDesk.open(memory(one for one in facts if one.event_time < until))
    for name in ("daily", "finance", "receipts", "requisition", "issues", "returns", "unaccounted"):
        assert form_of(part.book, name, DAY).plain() == form_of(whole.book, name, DAY).plain(), name


def test_ranges_stay_ranges_at_a_days_end():
    held = list(DayEnd(desk().book, DAY).ranges())
    assert len(held) < 20
    assert sum(one.range.quantity for one in held) == 200 + 500 + 3


def test_less_is_what_is_left():
    def one(first: int, last: int) -> SerialRange:
        return SerialRange("A", 4, first, last)

    assert less([one(1, 10), one(20, 30)], [one(5, 22), one(25, 25)]) == [
        one(1, 4),
        one(23, 24),
        one(26, 30),
    ]
    assert less([one(1, 10)], []) == [one(1, 10)]
    assert less([one(1, 10)], [one(1, 10)]) == []
    assert less([one(1, 10)], [SerialRange("B", 4, 1, 10)]) == [one(1, 10)]


# --- issues and signatures ------------------------------------------------------------------------


def test_a_signed_form_stays_the_same_issue_while_nothing_about_it_changes():
    own = FormDesk.open(memory(scene().facts))
    fact = signed(own, own.issue("daily", DAY))
    after = FormDesk.open(memory([*scene().facts, fact]))
    issue = after.issue("daily", DAY)
    assert (issue.number, issue.supersedes, len(issue.signed)) == (1, None, 1)
    assert "Ms One" in forms_text([issue], stamp(after))


def test_a_late_fact_makes_a_new_issue_that_shows_the_difference_and_asks_for_a_signature():
    given = scene()
    growing = memory(given.facts)
    own = FormDesk.open(growing)
    first = own.issue("daily", DAY)
    log_with = memory([*given.facts, signed(own, first), given.late])
    after = FormDesk.open(log_with)
    issue = after.issue("daily", DAY)
    assert (issue.number, issue.supersedes, issue.signed, issue.doubt) == (2, 1, (), None)
    assert issue.former is not None
    assert issue.former.digest() == first.form.digest()
    changes = {one.where: (one.before, one.after) for one in issue.differences}
    assert changes["$5.00 coupons: M05-0000001 - M05-0000200, Distributed"] == ("150", "153")
    text = forms_text([issue], stamp(after))
    assert "issue 2, supersedes issue 1" in text
    assert "It must be signed again." in " ".join(text.split())
    assert "SUPERSEDED: issue 1, as signed." in text
    page = forms_html([issue], stamp(after))
    assert "Changes since issue 1" in page
    assert page.count("<section") == 2
    again = FormDesk.open(
        memory([*given.facts, signed(own, first), given.late, signed(after, issue, 2)])
    )
    assert again.issue("daily", DAY).number == 2
    assert len(again.issue("daily", DAY).signed) == 1


def test_a_superseded_form_is_a_finding_of_its_day():
    from ledger.audit import audit_day
    from ledger.replay import Replay

    given = scene()
    own = FormDesk.open(memory(given.facts))
    fact = signed(own, own.issue("daily", DAY))
    codes = [one.code for one in audit_day(Replay(memory([*given.facts, fact])), DAY).findings]
    assert "form_superseded" not in codes
    late = audit_day(Replay(memory([*given.facts, fact, given.late])), DAY)
    (finding,) = [one for one in late.findings if one.code == "form_superseded"]
    assert finding.severity is Severity.MEDIUM
    assert finding.citations[0].section == "525.21(j)(8)"


@pytest.mark.parametrize("broken", ["root", "digest", "tree_size"])
def test_a_signature_that_does_not_fit_the_ledger_is_told(broken):
    from dataclasses import replace

    given = scene()
    own = FormDesk.open(memory(given.facts))
    values = {"root": b"\x00" * 32, "digest": b"\x01" * 32, "tree_size": 10**9}
    fact = replace(signed(own, own.issue("daily", DAY)), **{broken: values[broken]})
    issue = FormDesk.open(memory([*given.facts, fact, given.late])).issue("daily", DAY)
    assert issue.doubt is not None
    assert issue.differences == ()


def test_an_unknown_form_is_refused():
    with pytest.raises(FormUnknown) as refusal:
        form_of(desk().book, "nonsense", DAY)
    assert refusal.value.code == "form_unknown"


# --- formats --------------------------------------------------------------------------------------


def test_workbooks_compute_what_is_printed():
    issues = desk().issues(DAY)
    book = openpyxl.load_workbook(io.BytesIO(forms_xlsx(issues, stamp())))
    shown = openpyxl.load_workbook(io.BytesIO(forms_xlsx(issues, stamp())), data_only=True)
    formulas = 0
    for sheet in book:
        assert sheet.freeze_panes in ("A4", "A5", "A6")
        assert sheet.page_setup.orientation == "landscape"
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    formulas += 1
                    want = shown[sheet.title][cell.coordinate].value
                    assert evaluated(shown[sheet.title], str(cell.value)) == pytest.approx(
                        want or 0
                    )
    assert formulas > 60


def test_tabs_carry_the_form_and_each_table_its_head_under_its_caption():
    issues = [desk().issue(name, DAY) for name in ("daily", "finance", "daily")]
    book = openpyxl.load_workbook(io.BytesIO(forms_xlsx(issues, stamp())))
    names = book.sheetnames
    assert names[0] == "Daily reconciliation"
    assert "Finance reconciliation table 1" in names
    assert "Daily reconciliation (2)" in names, "the same form twice"
    assert all(len(one) <= 31 for one in names)
    below = {
        (cell.value, sheet.cell(cell.row + 1, 1).value) for sheet in book for cell in sheet["A"]
    }
    for table in (one for issue in issues for one in issue.form.tables):
        first = table.fields[0]
        assert (table.title, f"{first.title}\n{first.pins}") in below


def evaluated(sheet: object, formula: str) -> float:
    """The sums, differences and products that our formulas are made of, computed apart."""

    def value(name: str) -> float:
        found = sheet[name].value  # type: ignore[index]
        return found if isinstance(found, int | float) else 0

    total = re.fullmatch(r"=SUM\(([A-Z]+)(\d+):[A-Z]+(\d+)\)", formula)
    if total:
        return sum(value(f"{total[1]}{row}") for row in range(int(total[2]), int(total[3]) + 1))
    words = re.sub(r"[A-Z]+\d+", lambda name: f"({value(name[0])})", formula[1:])
    assert re.fullmatch(r"[\d.()+*-]+", words), formula
    return float(eval(words))  # noqa: S307 - digits and signs only, as the line above shows


def test_no_text_becomes_a_formula():
    issue = desk().issue("daily", DAY)
    rows = list(csv.reader(io.StringIO(forms_csv([issue], stamp()))))
    for row in rows:
        for cell in row:
            if cell[:1] in ("=", "+", "-", "@"):
                assert re.fullmatch(r"-\d+(\.\d\d)?", cell), cell
    book = openpyxl.load_workbook(io.BytesIO(forms_xlsx([issue], stamp())))
    told = [
        c
        for s in book
        for row in s.iter_rows()
        for c in row
        if "found in the drawer" in str(c.value)
    ]
    assert told
    assert all(c.data_type == "s" for c in told)


@pytest.mark.row_by_row
@pytest.mark.parametrize(("text", "safe"), [("=1+1", "'=1+1"), ("+1", "'+1"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"),
                                            ("\t=1", "'\t=1"), (" =1", "' =1"), ("M25-1", "M25-1"), ("", "")])  # fmt: skip
def test_a_text_that_looks_like_a_formula_is_written_as_text(text, safe):
    from ledger.kernel import cell_text

    assert cell_text(text) == safe


def test_the_same_input_gives_the_same_bytes():
    issues = desk().issues(DAY)
    assert forms_xlsx(issues, stamp()) == forms_xlsx(issues, stamp())
    assert forms_html(issues, stamp()) == forms_html(issues, stamp())


def test_data_for_scripts_cites_every_field():
    for issue in desk().issues(DAY):
        data = json.loads(json.dumps(issue_data(issue, stamp())))
        keys = {key for one in data["tables"] for key in one["fields"]}
        assert keys <= data["fields"].keys()
        assert data["digest"] == issue.form.digest().hex()


def test_arithmetic_of_a_row_names_fields_of_its_table():
    for name in MAKERS:
        for own in form(name).tables:
            keys = {field.key for field in own.fields}
            for row in own.rows:
                for value in row:
                    if isinstance(value, Computed):
                        assert set(re.findall(r"\{(\w+)\}", value.formula)) <= keys


def test_a_long_table_says_what_a_page_leaves_out(monkeypatch):
    from ledger.reports.forms import contents, page, text

    issue = desk().issue("unaccounted", DAY)
    long = max(issue.form.tables, key=lambda own: len(own.rows))
    lines = len(long.rows)
    for module in (contents, page, text):
        monkeypatch.setattr(module, "MOST_LINES", 3)
    said = f"{lines - 3} more lines not shown here"
    assert said in forms_text([issue], stamp())
    assert said in forms_html([issue], stamp())
    rows = forms_csv([issue], stamp())
    assert all(str(row[0]) in rows for row in long.rows)
    assert "more lines" not in rows


def test_a_count_of_the_next_morning_belongs_to_the_day_of_its_box():

    facts = [one for one in scene().facts if not isinstance(one, events.CouponsCancelled)]
    own = FormDesk.open(memory(facts))
    states = {
        row.range.first: row.status
        for row in open_ranges(own.book, DAY)
        if row.range.prefix == "M25-"
    }
    assert states[41_801] == "counted, not cancelled"
    assert states[41_877] == "NOT FOUND in its drop box"
    assert states[41_890] == "voided, not cancelled"


def test_a_coupon_counts_once_for_each_time_that_it_was_returned():
    from ledger.coupons.forms.daily import _Pool

    def one(first: int, last: int) -> SerialRange:
        return SerialRange("A", 4, first, last)

    pool = _Pool([one(1, 10), one(1, 10)])  # returned, issued again, returned again
    assert pool.take([one(1, 10)]) == [one(1, 10)]
    assert pool.take([one(1, 5)]) == [one(1, 5)]
    assert pool.take([one(1, 10)]) == [one(6, 10)]
    assert pool.take([one(1, 10)]) == []
