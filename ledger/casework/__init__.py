"""From findings and evidence to what persons act on."""

from ledger.casework.acting import (
    ActionAmbiguous,
    ActionRefused,
    ActionUnknown,
    close,
    named,
    note,
    take,
)
from ledger.casework.causes import Cause, causes
from ledger.casework.fold import fold
from ledger.casework.standing import ActionFact, DayActions, actions_of, aged, read_done, standing
from ledger.casework.subject import Seen, see
from ledger.casework.values import Action, Alert, Status

__all__ = [
    "Action",
    "ActionAmbiguous",
    "ActionFact",
    "ActionRefused",
    "ActionUnknown",
    "Alert",
    "Cause",
    "DayActions",
    "Seen",
    "Status",
    "actions_of",
    "aged",
    "causes",
    "close",
    "fold",
    "named",
    "note",
    "read_done",
    "see",
    "standing",
    "take",
]
