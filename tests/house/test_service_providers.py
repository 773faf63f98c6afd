"""Services and providers: how sure each finding is, what a lost fact takes away, odd dates."""

import json
from datetime import date
from pathlib import Path

import pytest

from ledger.audit import audit_day
from ledger.audit.ledger_contract import day_of
from ledger.audit.provider_services import service_findings, service_standing
from ledger.codec import frame
from ledger.events import ServiceUsed
from ledger.house import Office, take
from ledger.house.service_providers import anniversary, by_then, last_day
from ledger.kernel import Certainty, PropertyClock, to_micros
from ledger.log import Arrival
from ledger.replay import Replay
from tests.conformance.run import run
from tests.conformance.translate import defaults_of, translate, vocabulary
from tests.engine import sealed_replay
from tests.log.memory_log import MemoryLog

FILE = Path(__file__).parents[1] / "conformance" / "examples" / "own_providers.json"
DOCUMENT = json.loads(FILE.read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in DOCUMENT["cases"]}
CLOCK = PropertyClock("America/New_York", 360)


def seen(case):
    return {key: case[key] for key in ("id", "setup", "facts")}


@pytest.fixture(scope="module")
def results():
    return run({**DOCUMENT, "cases": [seen(case) for case in DOCUMENT["cases"]]})


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_finding_has_its_section_first_and_its_certainty(case, results):
    wanted = [(one["code"], one["section"], one["certainty"]) for one in case["expect"]["findings"]]
    got = [
        (one["code"], one["section"].partition(", ")[0], one["certainty"])
        for one in results[case["id"]]["findings"]
    ]
    assert sorted(got) == sorted(wanted)


def facts_of(name):
    speaks = vocabulary(DOCUMENT)
    return translate(seen(CASES[name]), speaks, defaults_of(DOCUMENT, speaks)).ready.facts


def audited(facts, day=date(2010, 6, 15)):
    log = MemoryLog(origin="providers.example", property="Example", record_time=1)
    assert not log.append((Arrival(frame(fact)) for fact in facts), record_time=2).troubles
    return audit_day(Replay(log), day)


def of_chapter(found):
    return [f for f in found.findings if f.citations[0].edition.chapter == "528"]


def test_a_lost_fact_of_the_office_makes_what_is_missing_unknown():
    facts = facts_of("cleared-and-certified")
    assert of_chapter(audited(facts)) == []
    left = [one for one in facts if type(one).__name__ != "ServiceLaboratoryDecided"]
    found = of_chapter(audited(left))
    assert [(f.code, f.certainty) for f in found] == [
        ("service_not_lab_approved", Certainty.UNKNOWN)
    ]


def test_the_header_says_how_the_chapter_stands_where_a_service_is_in_use():
    assert audited(facts_of("cleared-and-certified")).standing["528"] == "in force"
    late = audited(facts_of("renewal-pending"), date(2014, 6, 15))
    assert late.standing["528"] == "continued as 613a, text not held"


def test_a_service_out_of_use_says_nothing_of_the_chapter():
    facts = facts_of("out-of-use-before-the-round")
    assert "528" in audited(facts).standing
    assert "528" not in audited(facts, date(2010, 6, 17)).standing


@pytest.mark.parametrize("name", ["in-use-after-the-cease-date", "out-of-use-before-the-round"])
def test_the_audit_is_the_same_from_carried_state(name, tmp_path):
    log = MemoryLog(origin="providers.example", property="Example", record_time=1)
    log.append((Arrival(frame(fact)) for fact in facts_of(name)), record_time=2)
    replay, day = sealed_replay(log), date(2010, 6, 17)
    whole = audit_day(replay, day)
    assert bool(of_chapter(whole)) is name.startswith("in-use")
    assert audit_day(replay, day, carried=tmp_path) == whole  # keeps the states
    assert list(tmp_path.iterdir())
    assert audit_day(replay, day, carried=tmp_path) == whole  # starts from them


def used(at, table="SB-01", **said):
    known = {"service": "S1", "service_version": None, "provider": None, "game": None}
    return ServiceUsed(
        stream="house", seq=1, event_time=at, source="T", recorded_by=None, table=table,
        wager=None, **{**known, **said},
    )  # fmt: skip


def noon(day):
    return CLOCK.start_of(day) + 6 * 3_600_000_000


def test_a_service_of_which_nothing_is_known_is_unknown_throughout():
    office, day = Office(), date(2011, 5, 1)
    take(office, used(noon(day)))
    found = list(service_findings(office, CLOCK, day_of(CLOCK, day), {}))
    assert {f.code for f in found} == {
        "service_not_lab_approved",
        "lab_costs_unpaid",
        "service_not_approved_for_use",
        "provider_not_certified",
    }
    assert {f.certainty for f in found} == {Certainty.UNKNOWN}


def test_a_use_at_no_named_table_is_asked_of_at_every_table_and_told_once():
    office, day = Office(), date(2011, 5, 1)
    take(office, used(noon(day), table=None, provider="V1"))
    span = day_of(CLOCK, date(2011, 5, 2))
    opened = {"SB-01": [(span.begins + 5, "SB-01:7")], "SB-02": [(span.begins + 3, "SB-02:4")]}
    found = list(service_findings(office, CLOCK, span, opened))
    assert {f.round for f in found} == {"SB-02:4"}
    assert len(found) == len({f.code for f in found})
    assert service_standing(office, span, {}) == {}


def test_a_day_without_services_has_nothing_to_say():
    span = day_of(CLOCK, date(2011, 5, 1))
    assert (
        list(service_findings(Office(), CLOCK, span, {"SB-01": [(span.begins, "SB-01:1")]})) == []
    )


@pytest.mark.parametrize(
    ("approved", "last"),
    [
        (date(2010, 5, 20), date(2014, 5, 19)),
        (date(2012, 2, 29), date(2016, 2, 28)),
        (date(2096, 2, 29), date(2100, 2, 28)),  # 2100 has no 29 February
        (date(9998, 1, 1), date(9999, 12, 30)),
    ],
)
def test_the_last_day_of_a_term(approved, last):
    assert last_day(approved) == last
    assert anniversary(approved) > last


def test_what_is_dated_on_the_day_itself_came_first_only_if_it_was_recorded_first():
    at = noon(date(2011, 5, 1))
    assert by_then("2011-04-30", at + 9, at, CLOCK) is True
    assert by_then("2011-05-02", at - 9, at, CLOCK) is False
    assert by_then("2011-05-01", at, at, CLOCK) is True
    assert by_then("2011-05-01", at + 1, at, CLOCK) is None
    assert by_then(None, at, at, CLOCK) is None
    assert to_micros(CLOCK.local(at)) == at
