"""What is in force at a table at a moment, and the duties that outlive a round."""

from ledger.house.duties import BY_CODE, BY_NAME, DUTIES
from ledger.house.judged import judge_office
from ledger.house.office import Office, Submission, take
from ledger.house.table import MINDED, TableHouse

__all__ = [
    "BY_CODE", "BY_NAME", "DUTIES", "MINDED", "Office", "Submission", "TableHouse", "judge_office",
    "take",
]  # fmt: skip
