"""The table of causes: complete over all codes, and nothing in it that there is not."""

from ledger.casework import causes
from ledger.casework.causes import DEPARTMENTS, KINDS
from ledger.law import finding_codes


def test_every_code_has_a_cause_and_every_cause_a_code():
    assert set(causes()) == set(finding_codes())


def test_every_cause_names_kinds_and_a_department_that_there_are():
    for cause in causes().values():
        assert cause.of, cause.code
        assert set(cause.of) <= KINDS, cause.code
        assert cause.department in DEPARTMENTS, cause.code
        assert ("role" in cause.of) is bool(cause.role), cause.code


def test_every_kind_and_department_is_used():
    assert {kind for cause in causes().values() for kind in cause.of} == KINDS
    assert {cause.department for cause in causes().values()} == set(DEPARTMENTS)


def test_a_title_counts_in_words():
    assert causes()["wager_underpaid"].counted(1) == "1 wager underpaid"
    assert causes()["wager_underpaid"].counted(1_812) == "1,812 wagers underpaid"
    assert causes()["too_few_shakes"].counted(1) == "too few shakes"
    assert causes()["too_few_shakes"].counted(14) == "too few shakes, 14 times"
