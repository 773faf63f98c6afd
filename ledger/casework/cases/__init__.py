"""Cases: the file of a dispute or an incident, and who may do what with it."""

from ledger.casework.cases.case_file import CaseFile, IdleAct
from ledger.casework.cases.case_files import STREAM, CaseFiles, matters_of
from ledger.casework.cases.decider import barred_from, is_subject
from ledger.casework.cases.enrollment import EnrollmentRefused, enrollment
from ledger.casework.cases.errors import CaseRefused, CaseUnknown, HeldByCase
from ledger.casework.cases.terms import (
    RIGHTS,
    CaseAct,
    CaseEvent,
    CaseRole,
    CaseStatus,
    person_of,
    roles_of,
)

__all__ = [
    "RIGHTS",
    "STREAM",
    "CaseAct",
    "CaseEvent",
    "CaseFile",
    "CaseFiles",
    "CaseRefused",
    "CaseRole",
    "CaseStatus",
    "CaseUnknown",
    "EnrollmentRefused",
    "HeldByCase",
    "IdleAct",
    "barred_from",
    "enrollment",
    "is_subject",
    "matters_of",
    "person_of",
    "roles_of",
]
