"""Money, odds, ids, citations and refusals: what is read, what is printed, what is refused."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.kernel import (
    Cents,
    Citation,
    Edition,
    EditionStatus,
    FactRef,
    IntegrityBroken,
    LedgerError,
    Odds,
    SourceUnavailable,
    UsageError,
    dollars,
    event_id,
    parse_dollars,
    parse_odds,
    parse_round_id,
    round_id,
    table_of,
    whole_cents,
)
from ledger.law import CHAPTERS, DREAMCATCHER, GENERAL, LEDGER_CONTRACT, SIC_BO

# --- money -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cents", "text"),
    [(0, "$0.00"), (5, "$0.05"), (5_000, "$50.00"), (-150_050, "-$1,500.50"), (123_456_789, "$1,234,567.89"), (-1, "-$0.01")],
)  # fmt: skip
def test_dollars_are_printed(cents: int, text: str) -> None:
    assert dollars(cents) == text


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("text", "cents"),
    [("50", 5_000), ("$50", 5_000), ("50.00", 5_000), ("1,250.50", 125_050), (" 7 ", 700), ("-$3.05", -305), ("0.01", 1), ("1234567", 123_456_700)],
)  # fmt: skip
def test_dollars_are_read(text: str, cents: int) -> None:
    assert parse_dollars(text) == cents


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "text",
    ["", "$", "5.5", "5.", ".50", "1,25", "12,34.00", "50.000", "1e3", "NaN", "inf", "fifty", "5 0", "--5", "$-5", "+5", "50 USD", "1,2345", "٣"],
)  # fmt: skip
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        parse_dollars(text)


@given(st.integers(-(10**15), 10**15))
def test_what_is_printed_can_be_read(cents: int) -> None:
    assert parse_dollars(dollars(cents)) == cents


def test_a_fraction_of_a_cent_is_never_rounded_here() -> None:
    assert whole_cents(Fraction(10, 2)) == Cents(5)
    assert whole_cents(Fraction(1, 2)) is None


# --- odds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "odds"),
    [("150:1", Odds(150, 1)), ("150 to 1", Odds(150, 1)), (" 9 : 5 ", Odds(9, 5)), ("3 to 2", Odds(3, 2)), ("0:1", Odds(0, 1))],
)  # fmt: skip
def test_odds_are_read(text: str, odds: Odds) -> None:
    assert parse_odds(text) == odds


@pytest.mark.row_by_row
@pytest.mark.parametrize("text", ["151 for 1", "8", "8:", ":1", "8 to", "8:0", "-8:1", "8.5:1", "8:1:1", "eight to one", "", "8/1"])  # fmt: skip
def test_what_is_no_odds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not odds"):
        parse_odds(text)


@given(st.integers(0, 10_000), st.integers(1, 100), st.integers(0, 10**9))
def test_winnings_are_exact(pays: int, stake: int, cents: int) -> None:
    odds = Odds(pays, stake)
    assert parse_odds(str(odds)) == odds
    assert odds.winnings(cents) == cents * odds.ratio
    assert odds.times(7).winnings(cents) == 7 * odds.winnings(cents)


def test_539_6_a_odds_say_to() -> None:
    assert str(Odds(8, 1)) == "8 to 1"
    assert "for" not in str(Odds(8, 1))


# --- ids ---------------------------------------------------------------------------------------------


def test_an_event_id_is_the_start_of_a_hash() -> None:
    known = sha256(b"SB-01\x00" + (1_234).to_bytes(8, "big")).digest()[:16]
    assert event_id("SB-01", 1_234) == known
    assert len(known) == 16
    assert event_id("SB-01", 1) != event_id("SB-0", 11)


@pytest.mark.parametrize(("stream", "table"), [("SB-01", "SB-01"), ("SB-01/wheel", "SB-01"), ("SB-01/a/b", "SB-01"), ("house", "house")])  # fmt: skip
def test_the_table_of_a_stream(stream: str, table: str) -> None:
    assert table_of(stream) == table


@pytest.mark.parametrize("ref", [FactRef("SB-01", 1_234), FactRef("SB-01/x", 1), FactRef("a:b", 7)])
def test_a_round_id_is_read_back(ref: FactRef) -> None:
    assert parse_round_id(round_id(ref)) == ref


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "text", ["", "SB-01", ":5", "SB-01:", "SB-01:0", "SB-01:-1", "SB-01:x", "SB-01:1.0", "SB-01:²"]
)
def test_what_is_no_round_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a round"):
        parse_round_id(text)


# --- citations on days ---------------------------------------------------------------------------------

CITE = DREAMCATCHER[".3(a)#1"]


@pytest.mark.parametrize(
    ("day", "standing", "words"),
    [
        (date(2020, 11, 27), EditionStatus.NOT_YET, "in force only from 2020-11-28"),
        (date(2020, 11, 28), EditionStatus.IN_FORCE, None),
        (date(2022, 11, 27), EditionStatus.IN_FORCE, None),
        (date(2022, 11, 28), EditionStatus.LAPSED, "no text is known for that day"),
        (date(2024, 5, 24), EditionStatus.LAPSED, "no text is known for that day"),
        (date(2024, 5, 25), EditionStatus.CONTINUED, "continued as 689a, text not held"),
        (date(2030, 1, 1), EditionStatus.CONTINUED, "continued as 689a, text not held"),
    ],
)
def test_689_on_a_day(day: date, standing: EditionStatus, words: str | None) -> None:
    """In force from publication for two years; 689a only from 25 May 2024 (reading lapse-gap)."""
    assert CITE.edition.standing(day) is standing
    assert CITE.edition.remark(day) == words
    assert CITE.on(day) == (
        "§ 689.3(a) (50 Pa.B. 6778)" if words is None else f"§ 689.3(a) (50 Pa.B. 6778; {words})"
    )


@pytest.mark.parametrize("chapter", [GENERAL, SIC_BO], ids=["521", "539"])
def test_chapters_without_a_gap(chapter: type) -> None:
    edition = chapter.edition  # type: ignore[attr-defined]
    assert edition.standing(date(2010, 4, 2)) is EditionStatus.NOT_YET
    assert edition.standing(date(2010, 4, 3)) is EditionStatus.IN_FORCE
    assert edition.standing(date(2012, 4, 2)) is EditionStatus.IN_FORCE
    assert edition.standing(date(2012, 4, 3)) is EditionStatus.CONTINUED


def test_a_text_that_ended_for_good() -> None:
    ended = Edition("1", "x", date(2000, 1, 1), date(2001, 1, 1))
    assert ended.standing(date(2001, 1, 1)) is EditionStatus.LAPSED


def test_a_citation_needs_its_edition() -> None:
    with pytest.raises(TypeError):
        Citation(section="539.6(b)")  # type: ignore[call-arg]


def test_a_pin_keeps_its_part_to_itself() -> None:
    cite = SIC_BO[".6(b)#total-9"]
    assert (cite.section, cite.part, cite.pin) == ("539.6(b)", "total-9", "§ 539.6(b)")
    assert "total-9" not in str(cite)
    assert LEDGER_CONTRACT[".1"].section == "L.1"
    assert len(CHAPTERS) >= 4


# --- refusals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "code"), [(UsageError, 2), (SourceUnavailable, 3), (IntegrityBroken, 4)])  # fmt: skip
def test_a_refusal_says_what_where_why_and_what_next(kind: type[LedgerError], code: int) -> None:
    error = kind("It cannot be.", where="a.py:3", cause="a reason", next_step="do this")
    assert error.exit_code == code
    assert str(error) == (
        f"It cannot be. [{error.code}]\n  where: a.py:3\n  cause: a reason\n  next:  do this"
    )
    assert str(kind("Short.")) == f"Short. [{error.code}]"


def test_codes_of_refusals_are_unique() -> None:
    kinds = [LedgerError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    own = {
        f"{kind.__module__}.{kind.__name__}": kind.code for kind in kinds if "code" in vars(kind)
    }
    codes = Counter(code for name, code in own.items() if not name.startswith("tests."))
    twice = [f"{name} {code}" for name, code in own.items() if codes[code] > 1]
    assert twice == []
