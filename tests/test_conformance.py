"""Every worked example through the product, judged by the examples' own comparison."""

import importlib.util
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.conformance.run import run

ROOT = Path(__file__).parent.parent
EXAMPLES = Path(__file__).parent / "conformance" / "examples"
PLAYED = (
    "sic_bo",
    "dreamcatcher",
    "own_sic_bo",
    "own_dreamcatcher",
    "own_limits",
    "own_coverage",
    "own_general",
    "props_and_hops",
    "own_props_and_hops",
    "three_dice_football",
    "asia_poker",
)
OTHER_ROOMS = ("match_play",)
OF_PROVIDERS = {"authorization-rescinded-cease-date-ahead", "renewal-denied-in-writing"}
"""The general provisions' cases of chapter 528."""
GENERAL = {
    "amendment-approved-old-odds-paid",
    "announced-only-after-change",
    "device-permitted",
    "empty-table-any-time",
    "game-opened-before-approval",
    "guide-before-approval",
    "guide-materially-revised",
    "guide-not-on-web",
    "guide-refused",
    "handed-back-before-no-more-bets",
    "increment-filed-and-kept",
    "lawful-odds-player-edge",
    "limit-per-kind-of-wager",
    "multiplier-on-over-limit-stake",
    "over-limit-then-no-roll",
    "rules-at-podium-clean",
    "same-stake-two-tables-limits",
    "standing-wager-outlives-limit-change",
    "sign-approved-in-two-of-three",
    "submission-below-floor",
}
"""Its cases of chapter 521 and of the games."""

_spec = importlib.util.spec_from_file_location("compare", EXAMPLES / "compare.py")
assert _spec is not None
assert _spec.loader is not None
compare = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(compare)


@cache
def document(name):
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def blind(name):
    """A file without anything that tells what is expected."""
    keep = ("id", "setup", "facts")
    cases = [{key: case[key] for key in keep if key in case} for case in document(name)["cases"]]
    return {**document(name), "cases": cases}


@cache
def results(name):
    return run(blind(name))


def is_coupon(case):
    return str(case.get("section", "")).startswith("525.22")


ALL = [
    pytest.param(name, case, id=f"{name}:{case['id']}")
    for name in PLAYED
    for case in document(name)["cases"]
] + [
    pytest.param("general_provisions", case, id=f"general_provisions:{case['id']}")
    for case in document("general_provisions")["cases"]
    if case["id"] in GENERAL
]


@pytest.mark.parametrize(("name", "case"), ALL)
def test_the_product_agrees_with_the_example(name, case):
    got = results(name)[case["id"]]
    if is_coupon(case):
        assert "coupon" in got["not_translatable"]
        return
    assert "not_translatable" not in got, got["not_translatable"]
    assert compare.judge(case, got) == []


def test_what_no_schema_can_hold_is_not_translatable():
    facts = [
        {"t": 0, "fact": "betting_opened"},
        {"t": 1, "fact": "wager", "wager_id": "W1", "wager": "Small Bet", "stake_cents": -500},
    ]
    got = run({"game": "Sic Bo", "cases": [{"id": "negative", "setup": {}, "facts": facts}]})
    assert "no schema can hold it" in got["negative"]["not_translatable"]


def test_only_coupons_are_not_translatable():
    assert {
        case["id"]
        for name in PLAYED
        for case in document(name)["cases"]
        if "not_translatable" in results(name)[case["id"]]
    } == {"coupon-on-small", "coupon-dropped-on-multiplier", "coupon-through-bonus-round"}


def test_the_rest_of_the_general_provisions_says_why_it_cannot_be_told():
    got = results("general_provisions")
    assert {name for name, one in got.items() if "not_translatable" in one} == OF_PROVIDERS
    assert set(got) == GENERAL | OF_PROVIDERS
    assert all(one.get("not_translatable", "why") for one in got.values())


@pytest.mark.parametrize("name", OTHER_ROOMS)
def test_rooms_that_are_not_built_are_named(name):
    got = results(name)
    assert set(got) == {case["id"] for case in document(name)["cases"]}
    assert all("no facts exist yet" in one["not_translatable"] for one in got.values())


def test_the_command_writes_what_the_comparison_reads(tmp_path):
    out = tmp_path / "results.json"
    cases = str(EXAMPLES / "dreamcatcher.json")
    command = [sys.executable, "-m", "tests.conformance", cases, "--out", str(out)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    assert json.loads(out.read_text(encoding="utf-8")) == results("dreamcatcher")
    judged = subprocess.run(
        [sys.executable, str(EXAMPLES / "compare.py"), cases, str(out)],
        check=False,
        capture_output=True,
        text=True,
    )
    counted = json.loads(judged.stdout.splitlines()[-1])
    assert counted == {
        "cases": 21, "passed": 19, "failed": 0, "not_translatable": 2, "missing": 0,
    }  # fmt: skip


def test_what_is_expected_is_never_looked_at():
    spoiled = blind("sic_bo")
    for number, case in enumerate(spoiled["cases"]):
        case |= {"id": str(number), "expect": None, "title": None, "section": None, "tags": None}
    assert list(run(spoiled).values()) == list(results("sic_bo").values())
