"""What is in force at a table at a moment, and the duties that outlive a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.house.duties import BY_CODE, BY_NAME, DUTIES
    from ledger.house.judged import judge_office
    from ledger.house.office import Office, Submission, take
    from ledger.house.provider_acts import judge_act
    from ledger.house.provider_duties import BY_NAME as PROVIDER_DUTIES
    from ledger.house.provider_services import judge_use
    from ledger.house.table import MINDED, TableHouse

__all__ = [
    "BY_CODE", "BY_NAME", "DUTIES", "MINDED", "PROVIDER_DUTIES", "Office", "Submission",
    "TableHouse", "judge_act", "judge_office", "judge_use", "take",
]  # fmt: skip

load_on_first_use(__name__)
