"""Each modelled row of the lists has a test that would fail without what carries it.

The tests that ``coverage/`` names are worked examples and scenes. Each row of a table that carries
an obligation is taken out in turn, and at least one of them must then come out otherwise.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from ledger.events import Fact
from ledger.games import BY_KEY
from ledger.games.room import rules_on
from ledger.law import Carried, Status, coverage
from tests.games.facts import DAYS, fact
from tests.law import scenes
from tests.law.rows_dropped import Carrier, carriers, cases, say, steps, without

EXAMPLE: Final = "tests/test_conformance.py::test_the_product_agrees_with_the_example"
SCENE: Final = "tests/law/test_scenes.py::test_a_scene_finds_what_its_row_says"
EVERY: Final = 8
"""The normal run takes one carrier of so many; ``full`` takes them all."""

IDLE: Final = {
    ("dreamcatcher", "drop_or_tip_box_misplaced", "689.1(f)#1"): "the requirements say it",
}
"""Duties that stand in a table and that nothing looks up, and what speaks in their place."""

NO_OTHER_SIDE: Final = {
    "539#2": "how the chapter is lettered",
    "577#2": "a day after the text: the header says so, and nothing is broken",
    "689 edition#2": "a day after the text: the header says so, and nothing is broken",
    "689 edition#4": "a check figure: it is reached or it is not",
    "689.2(b)#2": "a permission: nothing can break it",
}
"""Modelled rows whose tests have one side only."""


# --- what the coverage names ---------------------------------------------------------------------


def modelled() -> list[Carried]:
    """The rows that something carries."""
    return [entry for entry in coverage() if entry.status is Status.MODELLED]


def named_cases(entry: Carried) -> dict[str, tuple[str, ...]]:
    """The worked examples that an entry names: ids by file; scenes under "scenes"."""
    found: dict[str, list[str]] = {}
    for test in entry.tests:
        path, _, inside = test.partition("[")
        if path == EXAMPLE:
            name, _, case = inside.removesuffix("]").partition(":")
            found.setdefault(name, []).append(case)
        elif path == SCENE:
            found.setdefault("scenes", []).append(inside.removesuffix("]"))
    return {name: tuple(ids) for name, ids in found.items()}


def breaching(name: str, case: str) -> bool:
    """Whether a case expects a finding."""
    if name == "scenes":
        return scenes.breaching(case)
    expect: dict[str, Any] = cases(name)[case]["expect"]
    return any(not finding.get("optional") for finding in expect.get("findings", ()))


def test_modelled_rows_name_tests_and_cases_that_exist() -> None:
    """That the functions exist which they name is tested with the lists."""
    assert [entry.obligation.id for entry in modelled() if not entry.tests] == []
    unknown = [
        (entry.obligation.id, case)
        for entry in coverage()
        for name, ids in named_cases(entry).items()
        for case in ids
        if case not in (scenes.SCENES if name == "scenes" else cases(name))
    ]
    assert unknown == []


def test_modelled_rows_are_tried_on_both_sides() -> None:
    sides = {
        entry.obligation.id: {
            breaching(name, case) for name, ids in named_cases(entry).items() for case in ids
        }
        for entry in modelled()
    }
    assert sides.keys() >= NO_OTHER_SIDE.keys()
    lacking = {row: tried for row, tried in sides.items() if tried != {False, True}}
    assert lacking.keys() == NO_OTHER_SIDE.keys(), (
        "tried on the breaching side alone, or the lawful"
    )


def expected(name: str, case: str) -> set[tuple[str, str]]:
    """The findings that a case expects: code and section."""
    if name == "scenes":
        told = (line.split() for line in scenes.SCENES[case][1])
        return {(code, section) for code, section, *_ in told}
    findings = cases(name)[case]["expect"].get("findings", ())
    return {(str(one.get("code")), str(one.get("section"))) for one in findings}


def test_the_breach_that_is_tried_is_that_of_the_row() -> None:
    """By a code that the row names, or in its section."""
    strayed = {}
    for entry in modelled():
        if entry.obligation.id in NO_OTHER_SIDE:
            continue
        codes = {word.removeprefix("finding:") for word in entry.by if word.startswith("finding:")}
        findings = {
            finding
            for name, ids in named_cases(entry).items()
            for case in ids
            for finding in expected(name, case)
        }
        section = entry.obligation.section
        if not any(code in codes or cited.startswith(section) for code, cited in findings):
            strayed[entry.obligation.id] = findings
    assert strayed == {}


# --- without a row -------------------------------------------------------------------------------


def idle(carrier: Carrier) -> tuple[str, str, str]:
    """How ``IDLE`` names a duty."""
    return carrier.owner, str(getattr(carrier.row, "code", "")), carrier.name


def carried() -> list[tuple[Carried, Carrier]]:
    """Each obligation with each table row that carries it."""
    return [
        (entry, carrier)
        for entry in modelled()
        for carrier in carriers()
        if f"row:{carrier.name}" in entry.by and carries(entry, carrier)
    ]


def carries(entry: Carried, carrier: Carrier) -> bool:
    """A duty carries what names its code; several may stand under one citation."""
    if carrier.table != "duties":
        return True
    return idle(carrier) not in IDLE and f"finding:{carrier.row.code}" in entry.by


def said(entry: Carried) -> dict[str, Any]:
    """What the product now says of the cases that an entry names; an error is a saying too."""
    told: dict[str, Any] = {}
    for name, ids in named_cases(entry).items():
        if name != "scenes":
            told[name] = say(name, ids)
            continue
        for one in ids:
            try:
                told[one] = scenes.found(one)
            except Exception as error:  # a room that misses a row may well fail
                told[one] = type(error).__name__
    return told


def matters(entry: Carried, carrier: Carrier) -> None:
    whole = said(entry)
    with without(carrier):
        poorer = said(entry)
    assert poorer != whole, f"no test of {entry.obligation.id} needs {carrier.id}"
    assert said(entry) == whole, "taking a row out leaves something behind"


def parameters(pairs: list[tuple[Carried, Carrier]]) -> list[Any]:
    return [pytest.param(e, c, id=f"{e.obligation.id} {c.id}") for e, c in pairs]


@pytest.mark.by_turns(4)
@pytest.mark.parametrize(("entry", "carrier"), parameters(carried()[::EVERY]))
def test_a_row_matters(entry: Carried, carrier: Carrier) -> None:
    matters(entry, carrier)


@pytest.mark.full
@pytest.mark.parametrize(("entry", "carrier"), parameters(carried()))
def test_each_row_matters(entry: Carried, carrier: Carrier) -> None:
    matters(entry, carrier)


def test_rows_named_as_carriers_are_rows_that_can_be_taken_out() -> None:
    names = {carrier.name for carrier in carriers()}
    rest = {
        word
        for entry in modelled()
        for word in entry.by
        if word.startswith("row:") and word.removeprefix("row:") not in names
    }
    assert rest == set()


def test_no_obligation_rests_on_idle_rows_alone() -> None:
    known = {idle(carrier) for carrier in carriers() if carrier.table == "duties"}
    assert set(IDLE) - known == set(), "a row that was idle is gone or used: take it off the list"
    tried = {entry.obligation.id for entry, _ in carried()}
    without_rows = {
        entry.obligation.id
        for entry in modelled()
        if any(word.startswith("row:") for word in entry.by)
    } - tried
    assert without_rows == set()


# --- the moves of a round ------------------------------------------------------------------------


NEEDS: Final[dict[str, dict[str, Any]]] = {
    "DiceThrown": {"dice": "1,3,4"},
    "ValuesEntered": {"faces": (1, 3, 4)},
    "SpinCalled": {"result": "1"},
    "RemainingCardsCounted": {"cards": 4},
    "HandSet": {"position": "3"},
    "HandSurrendered": {"position": "3"},
}


def moved(carrier: Carrier) -> Fact:
    """A fact that makes this move."""
    kind = carrier.row.fact.__name__
    return fact(kind, 1, 0, **NEEDS.get(kind, {}))


@pytest.mark.parametrize("step", steps(), ids=lambda step: step.id)
def test_each_move_of_a_round_matters(step: Carrier) -> None:
    """Without it the fact is out of order; the first move begins the round, which nothing forbids."""
    room = BY_KEY[step.owner]
    rules = rules_on(room, DAYS[step.owner], None)
    shows = {"shows": ("1",)} if hasattr(room.initial, "shows") else {}
    state = type(room.initial)(phase=step.row.phase, **shows)
    codes = [getattr(one, "duty", None) for one in room.decide(rules, state, moved(step))]
    assert (rules.duty(step.row.breach) in codes) if step.row.breach else True
    with without(step):
        poorer = room.decide(rules, state, moved(step))
    out = [one.duty.code for one in poorer if hasattr(one, "duty")]
    if step.row.phase == room.initial.phase:
        assert "fact_out_of_order" not in out
    else:
        assert "fact_out_of_order" in out
