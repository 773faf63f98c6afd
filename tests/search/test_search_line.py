"""Search lines: what each word means, and how what cannot be read is refused."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.kernel import FactRef
from ledger.search import FIELDS, Search, SearchUnclear, parse_search
from ledger.search.search_line import LINE_CHARACTERS, STATES, Amount, Moment


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("DC-01", {"words": ["DC-01"]}),
        ("dc-01 SB-*", {"words": ["dc-01", "SB-*"]}),
        ("21:45±5m", {"moments": [Moment(time(21, 45), time(21, 45), "21:45±5m", 300, 300)]}),
        ("21:45+-5m", {"moments": [Moment(time(21, 45), time(21, 45), "21:45+-5m", 300, 300)]}),
        ("1:05~90s", {"moments": [Moment(time(1, 5), time(1, 5), "1:05~90s", 90, 90)]}),
        ("21:45", {"moments": [Moment(time(21, 45), time(21, 45), "21:45", 0, 59)]}),
        ("21:45:10", {"moments": [Moment(time(21, 45, 10), time(21, 45, 10), "21:45:10", 0, 0)]}),
        ("9:45pm", {"moments": [Moment(time(21, 45), time(21, 45), "9:45pm", 0, 59)]}),
        ("12:10AM", {"moments": [Moment(time(0, 10), time(0, 10), "12:10AM", 0, 59)]}),
        ("23:50-0:10", {"moments": [Moment(time(23, 50), time(0, 10), "23:50-0:10", 0, 59)]}),
        ("2021-06-12 6/13/2021", {"days": [date(2021, 6, 12), date(2021, 6, 13)]}),
        ("Yesterday", {"days": ["yesterday"]}),
        ("$25", {"stakes": [Amount(2500, 2500, "$25.00")]}),
        ("$1,250.50", {"stakes": [Amount(125050, 125050, "$1,250.50")]}),
        ("25", {"stakes": [Amount(2500, 2500, "$25.00")]}),
        ("$20-30", {"stakes": [Amount(2000, 3000, "$20.00 to $30.00")]}),
        ("$20-$30", {"stakes": [Amount(2000, 3000, "$20.00 to $30.00")]}),
        ("$100+", {"stakes": [Amount(10000, None, "at least $100.00")]}),
        (">=$50", {"stakes": [Amount(5000, None, "at least $50.00")]}),
        ("<5", {"stakes": [Amount(None, 499, "less than $5.00")]}),
        ("<=$5", {"stakes": [Amount(None, 500, "at most $5.00")]}),
        ("underpaid>100", {"underpaid": [Amount(10001, None, "more than $100.00")]}),
        ("underpaid=$2.50", {"underpaid": [Amount(250, 250, "$2.50")]}),
        ("Overpaid", {"overpaid": [Amount(1, None, "by any amount")]}),
        ("unknown Void", {"states": ["unknown", "void"]}),
        ("SB-02:9251", {"references": [FactRef("SB-02", 9251)]}),
        ("SB-02/wheel:7", {"references": [FactRef("SB-02/wheel", 7)]}),
        ("round:SB-02:9251", {"references": [FactRef("SB-02", 9251)]}),
        ("round:W-1", {"fields": {"round": ["W-1"]}}),
        ("bet:1 bet:1-6", {"fields": {"bet": ["1", "1-6"]}}),
        ('bet:"total 9"', {"fields": {"bet": ["total 9"]}}),
        ("BET:small", {"fields": {"bet": ["small"]}}),
        ("patron:p-DC-01-53*", {"fields": {"patron": ["p-DC-01-53*"]}}),
        ("camera:CAM:7", {"fields": {"camera": ["CAM:7"]}}),
        ('"2 facts are missing"', {"phrases": ["2 facts are missing"]}),
        ("unknowns", {"words": ["unknowns"]}),
    ],
)  # fmt: skip
def test_a_word(line: str, expected: dict[str, Any]) -> None:
    assert parse_search(line) == Search(**expected)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("", "pitledger find --help"),
        ('""', "pitledger find --help"),
        ("beat:small", "perhaps bet: the wager"),
        ("seat:", "seat: the seat"),
        ('seat:""', "the seat of the wager"),
        ("25:00", "21:45"),
        ("13:00pm", "21:45"),
        ("2021-02-30", "2021-06-12"),
        ("2/30/2021", "2021-06-12"),
        ('"no end', "pitledger find --help"),
        *(
            (f"{start}{'9' * 40}", "pitledger find --help")
            for start in ("SB-01:", "$", "$5-$", "<=")
        ),
        *(
            (f"{start}{'9' * 19}", "pitledger find --help")
            for start in ("round:SB-01:", "overpaid>")
        ),
        ("x" * (LINE_CHARACTERS + 1), "pitledger find --help"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_hint(line: str, hint: str) -> None:
    with pytest.raises(SearchUnclear) as refused:
        parse_search(line)
    assert refused.value.code == "search_unclear"
    assert hint in (refused.value.next_step or "")


@given(st.text(max_size=60) | st.lists(st.sampled_from([*FIELDS, *STATES, ":", '"', "$", "±5m", "21:45", " ", "-", ">"])).map("".join))  # fmt: skip
def test_any_text_is_read_or_refused(line: str) -> None:
    with suppress(SearchUnclear):
        assert parse_search(line) != Search()


words = st.sampled_from(
    [
        *("DC-01", "21:45±5m", "$25", "$20-30", "bet:1", 'bet:"total 9"', "seat:2", "yesterday"),
        *("unknown", "SB-02:9251", "underpaid>100", "overpaid", '"free text"', "2021-06-12"),
        "code:late_wager",
    ]
)  # fmt: skip


@given(st.lists(words, min_size=1), st.lists(words, min_size=1))
def test_a_line_means_what_its_words_mean_one_by_one(left: list[str], right: list[str]) -> None:
    """The grammar has no context: a line of two halves asks what both halves ask."""
    whole, first, second = (parse_search(" ".join(part)) for part in (left + right, left, right))
    for name in Search.__dataclass_fields__:
        one, two = getattr(first, name), getattr(second, name)
        if name == "fields":
            two = {key: one.get(key, []) + two.get(key, []) for key in {**one, **two}}
            one = {}
        assert getattr(whole, name) == (two if name == "fields" else one + two)
