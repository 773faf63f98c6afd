"""The examples in docstrings: each module of the ledger that shows one has it run here."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROMPT = ">>> "


def modules_with_examples() -> list[str]:
    """Name every module that shows an example."""
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in sorted(ROOT.glob("ledger/**/*.py"))
        if PROMPT in path.read_text(encoding="utf-8")
    ]


def test_values_that_an_example_explains_have_one():
    shown = {
        "ledger.kernel.citation",
        "ledger.kernel.gaming_day",
        "ledger.kernel.ids",
        "ledger.kernel.money",
        "ledger.kernel.odds",
        "ledger.law.chapter",
        "ledger.coupons.intervals",
    }
    assert shown <= set(modules_with_examples())


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_show_what_happens(name: str):
    """A failed example is printed with what was expected and what came."""
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0
