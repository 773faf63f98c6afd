"""What every room does in one form: breaches, told once a round, and the sentences that rooms share."""

from __future__ import annotations

import pytest

from ledger.games import BY_KEY, ROOMS
from ledger.games.breach_reporting import breach, once
from ledger.games.room import Duty
from ledger.games.sentences import SENTENCES
from ledger.kernel import FactRef, Severity
from tests.games.facts import fact, rules_of

ROOM = BY_KEY["sic_bo"]
SHAKEN = fact("DiceShaken", 7, 0)


def test_a_breach_names_each_fact_once_and_its_own_last() -> None:
    earlier = FactRef("T-01", 3)
    ruling = breach(rules_of(ROOM), "shaken_uncovered", SHAKEN, earlier, None, earlier)
    assert ruling.facts == (earlier, FactRef("T-01", 7))


def test_a_breach_is_told_once_a_round() -> None:
    rules, state = rules_of(ROOM), ROOM.initial
    assert len(once(rules, state, SHAKEN, "shaken_uncovered")) == 1
    told = ROOM.evolve(state, breach(rules, "shaken_uncovered", SHAKEN))
    assert once(rules, told, SHAKEN, "shaken_uncovered") == ()


def test_a_duty_without_a_sentence_has_the_shared_one() -> None:
    cite = ROOM.law[".5(e)"]
    shared = Duty("settlement_corrected", Severity.LOW, cite)
    assert shared.says == SENTENCES["settlement_corrected"]
    with pytest.raises(ValueError, match="the row says nothing"):
        Duty("wrong_call", Severity.LOW, cite)


def test_each_shared_sentence_is_that_of_several_rooms() -> None:
    rows = [(room.key, duty.code, duty.says) for room in ROOMS for duty in room.duties]
    users = {
        code: {key for key, name, says in rows if (name, says) == (code, SENTENCES[code])}
        for code in SENTENCES
    }
    assert {code for code, keys in users.items() if len(keys) < 3} == set()
