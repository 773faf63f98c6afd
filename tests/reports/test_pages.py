"""Pages for people: drawings, folding, verdicts, money, timelines."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from io import StringIO

import pytest
from hypothesis import given, settings
from rich.console import Console, RenderableType

from ledger import events
from ledger.codec import to_plain
from ledger.kernel import Certainty, FactRef, Finding, PropertyClock, Severity
from ledger.law import SIC_BO, finding_codes
from ledger.reports import examples, finding_data, folded, with_position
from ledger.reports.audit_page import per_cent
from ledger.reports.drawing import draw_dice, draw_wheel
from ledger.reports.fact_sentences import tell
from ledger.reports.round_page import signed
from tests.games.facts import fact as fact_of
from tests.strategies import facts as any_fact

CLOCK = PropertyClock(time_zone="America/New_York", starts_minutes=6 * 60)
SIX = ("1", "2", "5", "2x", "10", "40")
FINDING = Finding(
    code="late_wager",
    severity=Severity.MEDIUM,
    certainty=Certainty.BROKEN,
    sentence="A wager was accepted after 'no more bets'.",
    citations=(SIC_BO[".5(b)"],),
    gaming_day=date(2021, 3, 15),
    stream="SB-01",
    facts=(FactRef("SB-01", 8),),
)


def printed(page: RenderableType, width: int = 80) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        console.print(page)
    return captured.get()


def thrown(*dice: tuple[int | None, str]) -> events.DiceThrown:
    made = fact_of(
        "DiceThrown",
        1,
        0,
        dice=",".join("-" if face is None else f"{face}/{rest}" for face, rest in dice),
    )
    assert isinstance(made, events.DiceThrown)
    return made


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_shows_its_pips(face: int) -> None:
    drawn = printed(draw_dice(thrown((face, "FLAT"))))
    assert drawn.count("●") == face
    assert "?" not in drawn


def test_a_die_that_does_not_lie_flat_says_so() -> None:
    assert "leaning" in printed(draw_dice(thrown((2, "FLAT"), (3, "ONE_SIDE_PROPPED"))))


def wheel() -> events.WheelPlaced:
    made = fact_of("WheelPlaced", 1, 0, wheel="W-1", sections=SIX)
    assert isinstance(made, events.WheelPlaced)
    return made


def spun(section: int | None, between: tuple[int, ...] | None = None) -> events.WheelSpun:
    made = fact_of("WheelSpun", 2, 0, symbols=("5",))
    assert isinstance(made, events.WheelSpun)
    clapper = events.Clapper.IN_SECTION if between is None else events.Clapper.BETWEEN_SECTIONS
    return replace(made, section=section, between=between, clapper=clapper)


@pytest.mark.parametrize("section", range(6))
def test_the_clapper_points_at_its_section(section: int) -> None:
    lines = printed(draw_wheel(spun(section), wheel())).splitlines()
    rim = lines[2]
    at = lines[0].index("▼")
    start, end = rim.rindex("│", 0, at) + 1, rim.index("│", at)
    assert rim[start:end].strip() == SIX[section]


@pytest.mark.parametrize(("between", "one", "other"), [((1, 2), "2", "5"), ((5, 0), "40", "1"), ((0, 5), "40", "1")])  # fmt: skip
def test_the_clapper_between_two_sections(between: tuple[int, int], one: str, other: str) -> None:
    lines = printed(draw_wheel(spun(None, between), wheel())).splitlines()
    at = lines[0].index("▼")
    assert lines[2][at] == "│"
    assert lines[2][:at].rsplit("│", 1)[1].strip() == one
    assert lines[2][at + 1 :].split("│", 1)[0].strip() == other


@pytest.mark.parametrize("odd", [spun(99), spun(None), spun(None, (1, 4)), spun(None, (1,))])
def test_a_spin_that_cannot_be_drawn_is_told(odd: events.WheelSpun) -> None:
    assert "the clapper rests at: 5" in printed(draw_wheel(odd, wheel()))
    assert "the clapper rests at: 5" in printed(draw_wheel(spun(1), None))


@settings(max_examples=200)
@given(any_fact())
def test_any_fact_is_told_in_one_line(fact: events.Fact) -> None:
    line = tell(fact, CLOCK)
    assert line
    assert line.isprintable()
    assert "…" not in line


@settings(max_examples=50)
@given(any_fact())
def test_the_position_never_hides_a_field(one: events.Fact) -> None:
    plain = to_plain(one)
    shown = with_position(plain, 7)
    assert shown.pop("position") == 7
    if "fact_position" in shown:
        shown["position"] = shown.pop("fact_position")
    assert shown == plain


def test_alike_findings_fold_the_gravest_first() -> None:
    graver = replace(FINDING, code="wager_underpaid", severity=Severity.HIGH, effect_cents=-500)
    unknown = replace(FINDING, certainty=Certainty.UNKNOWN)
    groups = folded([FINDING, FINDING, unknown, graver, replace(graver, effect_cents=300)])
    assert [(fold.first.code, len(fold.findings)) for fold in groups] == [
        ("wager_underpaid", 2),
        ("late_wager", 2),
        ("late_wager", 1),
    ]
    assert (groups[0].house_lost, groups[0].patrons_lost) == (300, 500)


def test_a_finding_as_data_names_facts_by_stream_and_seq() -> None:
    data = finding_data(FINDING)
    assert data["facts"] == [{"stream": "SB-01", "seq": 8}]
    assert data["citations"][0]["text"].endswith("continued as 625a, text not held)")
    assert data["effect_cents"] is None


@pytest.mark.parametrize(("part", "whole", "said"), [(0, 0, "-"), (1, 1, "100.0"), (999, 1000, "99.9"), (9999, 10000, "99.9"), (1, 3, "33.3")])  # fmt: skip
def test_a_share_is_never_rounded_up(part: int, whole: int, said: str) -> None:
    assert per_cent(part, whole) == said


@pytest.mark.parametrize(("cents", "said"), [(None, "unknown"), (0, "$0.00"), (5_000, "+$50.00"), (-1, "-$0.01")])  # fmt: skip
def test_amounts_have_their_sign(cents: int | None, said: str) -> None:
    assert signed(cents) == said


def test_examples_are_of_codes_that_exist() -> None:
    assert set(examples()) <= set(finding_codes())


def test_examples_are_what_is_really_said() -> None:
    from tests.reports.record_examples import from_transcripts, from_wagers

    told = [*from_transcripts(), *from_wagers()]
    said = {(code, sentence, section) for code, sentence, section, _ in told}
    stale = [
        code
        for code, one in examples().items()
        if ", transcript " in one.said_by and (code, one.sentence, one.section) not in said
    ]
    assert stale == [], "python -m tests.reports.record_examples"
