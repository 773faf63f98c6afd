"""Every detection's own samples: those that must fire do, the others do not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.casework.detections import CARDS, DETECTIONS, Card, Sample, detect
from tests.power.makers import LAST, MAKERS

FOLDER = Path(__file__).parent.parent.parent.parent / "ledger" / "casework" / "detections"
SHARED = {"__init__", "card", "places_on_a_circle", "alert_judgement", "subject_evidence"}
SAMPLES = [(card, sample) for card in CARDS.values() for sample in card.samples]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("card", "sample"), SAMPLES, ids=[f"{c.name}: {s.name}" for c, s in SAMPLES]
)
def test_a_sample(card: Card, sample: Sample):
    alerts = detect(MAKERS[sample.maker](**sample.arguments), LAST, detections=[card.name])
    assert any(one.raised for one in alerts) == sample.fires
    assert alerts
    assert all((one.e_value >= one.level) == one.raised for one in alerts if one.level > 1)


def test_each_detection_has_its_two_files_and_both_kinds_of_samples():
    modules = {path.stem for path in FOLDER.glob("*.py")} - SHARED
    assert modules == {path.stem for path in FOLDER.glob("*.toml")} == set(CARDS) == set(DETECTIONS)
    assert [
        name for name, card in CARDS.items() if {s.fires for s in card.samples} != {True, False}
    ] == []
    assert [
        name for name, card in CARDS.items() if not (card.false_positives and card.references)
    ] == []


def test_no_word_is_a_verdict_about_a_person():
    verdicts = ("cheat", "steal", "fraud", "guilty", "suspect", "collu", "crook")
    said = [path.read_text(encoding="utf-8").lower() for path in FOLDER.glob("*.*")]
    assert [word for word in verdicts if any(word in text for text in said)] == []


def test_the_command_line_loads_neither_numpy_nor_scipy_for_it():
    code = "import sys, ledger.casework.detections; print('scipy' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"
