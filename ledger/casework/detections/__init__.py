"""Detections: evidence about processes on the floor, and the alerts of a gaming day."""

from ledger.casework.detections.alert_judgement import (
    DETECTIONS,
    compared,
    detect,
    discoveries,
    examined,
    held_back,
    judged,
)
from ledger.casework.detections.card import CARDS, Card, Sample
from ledger.casework.detections.subject_evidence import Evidence

__all__ = [
    "CARDS",
    "DETECTIONS",
    "Card",
    "Evidence",
    "Sample",
    "compared",
    "detect",
    "discoveries",
    "examined",
    "held_back",
    "judged",
]
