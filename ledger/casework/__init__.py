"""From findings and evidence to what persons act on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.casework.action_facts import (
        ActionAmbiguous,
        ActionRefused,
        ActionUnknown,
        close,
        named,
        note,
        take,
    )
    from ledger.casework.action_status import (
        DayActions,
        actions_of,
        aged,
        read_done,
        read_suppressions,
        seen_in,
        standing,
        suppressed,
        whom_of,
        with_acts,
    )
    from ledger.casework.actions_and_alerts import Action, ActionStatus, Alert
    from ledger.casework.authorization import ActionFact, needs_second
    from ledger.casework.causes import Cause, causes
    from ledger.casework.detections import CARDS, compared, detect, discoveries, held_back, judged
    from ledger.casework.finding_subjects import Seen, see
    from ledger.casework.findings_to_actions import fold
    from ledger.casework.history import History, Night
    from ledger.casework.multiple_testing import Policy, Suppression, Threshold
    from ledger.casework.night_from_audit import history_of, joined_night, night_of, table_night
    from ledger.casework.observation_form import (
        MOST_BYTES,
        FormWrong,
        ObservationForm,
        parse_form,
        read_form,
    )
    from ledger.casework.observing import (
        ObservationRefused,
        ObservationUnknown,
        cameras_at,
        confirmed,
        observed,
    )
    from ledger.casework.outcome_laws import Laws
    from ledger.casework.persons_concerned import concerned
    from ledger.casework.suppression import suppress
    from ledger.replay import CredentialNotHeld, NotEntitled

__all__ = [
    "CARDS",
    "MOST_BYTES",
    "Action",
    "ActionAmbiguous",
    "ActionFact",
    "ActionRefused",
    "ActionStatus",
    "ActionUnknown",
    "Alert",
    "Cause",
    "CredentialNotHeld",
    "DayActions",
    "FormWrong",
    "History",
    "Laws",
    "Night",
    "NotEntitled",
    "ObservationForm",
    "ObservationRefused",
    "ObservationUnknown",
    "Policy",
    "Seen",
    "Suppression",
    "Threshold",
    "actions_of",
    "aged",
    "cameras_at",
    "causes",
    "close",
    "compared",
    "concerned",
    "confirmed",
    "detect",
    "discoveries",
    "fold",
    "held_back",
    "history_of",
    "joined_night",
    "judged",
    "named",
    "needs_second",
    "night_of",
    "note",
    "observed",
    "parse_form",
    "read_done",
    "read_form",
    "read_suppressions",
    "see",
    "seen_in",
    "standing",
    "suppress",
    "suppressed",
    "table_night",
    "take",
    "whom_of",
    "with_acts",
]

load_on_first_use(__name__)
