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
from ledger.casework.detections import CARDS, compared, detect, discoveries, held_back, judged
from ledger.casework.fold import fold
from ledger.casework.history import History, Night
from ledger.casework.many import Policy, Suppression, Threshold
from ledger.casework.reading import history_of, joined_night, night_of, table_night
from ledger.casework.roster import CredentialNotHeld, Roster, admit, read_roster
from ledger.casework.staked import Laws
from ledger.casework.standing import (
    ActionFact,
    DayActions,
    actions_of,
    aged,
    read_done,
    read_suppressions,
    standing,
    suppressed,
)
from ledger.casework.subject import Seen, see
from ledger.casework.suppressing import suppress
from ledger.casework.values import Action, Alert, Status

__all__ = [
    "CARDS",
    "Action",
    "ActionAmbiguous",
    "ActionFact",
    "ActionRefused",
    "ActionUnknown",
    "Alert",
    "Cause",
    "CredentialNotHeld",
    "DayActions",
    "History",
    "Laws",
    "Night",
    "Policy",
    "Roster",
    "Seen",
    "Status",
    "Suppression",
    "Threshold",
    "actions_of",
    "admit",
    "aged",
    "causes",
    "close",
    "compared",
    "detect",
    "discoveries",
    "fold",
    "held_back",
    "history_of",
    "joined_night",
    "judged",
    "named",
    "night_of",
    "note",
    "read_done",
    "read_roster",
    "read_suppressions",
    "see",
    "standing",
    "suppress",
    "suppressed",
    "table_night",
    "take",
]
