"""From findings and evidence to what persons act on."""

from ledger.casework.detections import CARDS, detect
from ledger.casework.history import History, Night, as_plain, from_plain
from ledger.casework.many import Policy, Suppression, Threshold
from ledger.casework.reading import history_of, night_of
from ledger.casework.values import Action, Alert, Status

__all__ = [
    "CARDS",
    "Action",
    "Alert",
    "History",
    "Night",
    "Policy",
    "Status",
    "Suppression",
    "Threshold",
    "as_plain",
    "detect",
    "from_plain",
    "history_of",
    "night_of",
]
