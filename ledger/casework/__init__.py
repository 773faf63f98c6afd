"""From findings and evidence to what persons act on."""

from ledger.casework.fold import fold
from ledger.casework.subject import Seen, see
from ledger.casework.values import Action, Alert, Status

__all__ = ["Action", "Alert", "Seen", "Status", "fold", "see"]
