"""From findings and evidence to what persons act on."""

from ledger.casework.values import Action, Alert, Status

__all__ = ["Action", "Alert", "Status"]
