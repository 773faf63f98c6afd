"""One day of facts has one digest, however and in whatever order it arrived (architecture, section 4)."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.audit import DayAudit, audit_day
from ledger.audit.digest import arguments, digest
from ledger.codec import frame
from ledger.events import Fact
from ledger.floor import FIRST_DAY
from ledger.kernel import Certainty, FactRef, Severity
from ledger.law import LEDGER_CONTRACT
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay
from tests.engine import SCALE, broken, floor_day, judged, log_of, said

PLANTS = ("overpaid", "late_wager", "wrong_result_called", "lost_event", "conflicting_event")
DAYS = {"honest": (), "planted": PLANTS}

CHILD = """
from tests.engine import floor_day, judged
import sys
print(judged(floor_day(*sys.argv[1:])[0]).digest)
"""


@pytest.fixture(params=DAYS, scope="module")
def facts(request: pytest.FixtureRequest) -> tuple[Fact, ...]:
    return floor_day(*DAYS[request.param])[0]


@pytest.fixture(scope="module")
def audit(facts: tuple[Fact, ...]) -> DayAudit:
    return judged(facts)


judged_plants = cache(lambda *plants: judged(floor_day(*plants)[0]))
"""The audit of a simulated day, which is judged once; it is only read."""


def same(one: DayAudit, other: DayAudit) -> None:
    """The digest, and with it everything that is not about the ledger's own size."""
    assert one.digest == other.digest
    assert one.findings == other.findings
    assert (one.events, one.rounds, one.unknown_rounds, one.wagers, one.capture) == (
        other.events, other.rounds, other.unknown_rounds, other.wagers, other.capture,
    )  # fmt: skip


def conflict_first(facts: tuple[Fact, ...], mixed: list[Fact]) -> list[Fact]:
    """Of two facts under one key the first to arrive is used: keep their order."""
    twins: dict[tuple[str, int], list[Fact]] = {}
    for fact in facts:
        twins.setdefault((fact.stream, fact.seq), []).append(fact)
    return [twins[(fact.stream, fact.seq)].pop(0) for fact in mixed]


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("batch", [7, 100, 10_000])
def test_appended_in_batches(facts: tuple[Fact, ...], audit: DayAudit, batch: int) -> None:
    same(judged(facts, batch=batch), audit)


@pytest.mark.by_turns(2)
def test_appended_one_by_one(facts: tuple[Fact, ...], audit: DayAudit) -> None:
    assert len(facts) > 2_000
    same(judged(facts, batch=1), audit)


@pytest.mark.parametrize("seed", [pytest.param("1", marks=pytest.mark.full), "424242"])
@pytest.mark.parametrize("name", DAYS)
def test_under_another_hash_seed(name: str, seed: str) -> None:
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *DAYS[name]], env=env, capture_output=True, text=True, check=True
    )  # fmt: skip
    assert done.stdout.strip() == judged_plants(*DAYS[name]).digest


@pytest.mark.by_turns(2)
def test_from_files_in_two_processes(
    facts: tuple[Fact, ...], audit: DayAudit, tmp_path: Path
) -> None:
    init(tmp_path / "l", origin="engine.example", property="Example", record_time=1)
    log = open_log(tmp_path / "l")
    log.append((Arrival(frame(fact)) for fact in facts), record_time=2)
    log.close()
    replay = Replay.open(tmp_path / "l")
    same(audit_day(replay, FIRST_DAY), audit)
    same(audit_day(replay, FIRST_DAY, processes=2), audit)
    carried = tmp_path / "carried"
    same(audit_day(replay, FIRST_DAY, carried=carried), audit)
    same(audit_day(replay, FIRST_DAY, carried=carried), audit)


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("seed", range(2))
def test_arriving_in_any_order(facts: tuple[Fact, ...], audit: DayAudit, seed: int) -> None:
    mixed = list(facts)
    Random(seed).shuffle(mixed)
    same(judged(conflict_first(facts, mixed), batch=500), audit)


@pytest.mark.by_turns(2)
def test_arriving_backwards(facts: tuple[Fact, ...], audit: DayAudit) -> None:
    same(judged(conflict_first(facts, list(reversed(facts)))), audit)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_some_facts_arrive_late(data: st.DataObject) -> None:
    """A stretch of each of a few streams arrives after everything else."""
    facts = floor_day()[0]
    streams = data.draw(st.sets(st.sampled_from(sorted({f.stream for f in facts})), min_size=1))
    share = data.draw(st.floats(0.05, 0.6))
    chance = Random(data.draw(st.integers(0, 1_000)))
    late = [f for f in facts if f.stream in streams and chance.random() < share]
    is_late = set(late)
    now = [f for f in facts if f not in is_late]
    chance.shuffle(late)
    audit = judged([*now, *late], batch=300)
    same(audit, judged_plants())


@pytest.mark.by_turns(2)
def test_delivered_twice(facts: tuple[Fact, ...], audit: DayAudit) -> None:
    again = list(facts)
    Random(5).shuffle(again)
    arrivals = [Arrival(frame(fact)) for fact in facts]
    known = {arrival.framed for arrival in arrivals}
    assert len(known) == len(arrivals)
    log = log_of(facts)
    size = log.size
    first = first_of_each_key(facts)
    accepted = [f for f in again if first[f.stream, f.seq] is f]
    log.append((Arrival(frame(fact)) for fact in accepted), record_time=9)
    assert log.size == size
    same(audit_day(Replay(log), FIRST_DAY), audit)


def first_of_each_key(facts: tuple[Fact, ...]) -> dict[tuple[str, int], Fact]:
    """What is judged under each key; a rival that comes twice is quarantined twice."""
    return {(fact.stream, fact.seq): fact for fact in reversed(facts)}


GARBAGE = (
    b"",
    b"\x00",
    b"\x00\x00\x00\x00\x63abc",
    b"{}",
    b"\x01" * 300,
    b"\x00\xff\xff\xff\xff\x00",
)


@pytest.mark.by_turns(2)
def test_garbage_adds_only_its_own_findings(facts: tuple[Fact, ...], audit: DayAudit) -> None:
    """Bytes of no known key stand on the day, once each, as L.3 and unknown; nothing else moves."""
    mixed: list[Fact | Arrival] = list(facts)
    for number, bad in enumerate(GARBAGE, 1):
        mixed.insert(number * 311, Arrival(bad, key=b"nobody"))
    with_garbage = judged(mixed)
    known = set(audit.findings)
    added = [f for f in with_garbage.findings if f not in known]
    assert said(added) == ["undecodable L.3 ?"] * len(GARBAGE)
    assert all(f.stream == "" and f.facts == () for f in added)
    assert [f for f in with_garbage.findings if f not in added] == list(audit.findings)
    assert with_garbage.rounds == audit.rounds
    assert with_garbage.unknown_rounds == audit.unknown_rounds
    assert with_garbage.digest != audit.digest
    # the same garbage elsewhere gives the same digest
    assert judged([*facts, *(Arrival(bad, key=b"nobody") for bad in GARBAGE)]).digest == (
        with_garbage.digest
    )


def test_garbage_under_a_known_stream_belongs_to_it(facts: tuple[Fact, ...]) -> None:
    audit = judged([*facts, Arrival(b"\x00nonsense", key=b"SB-01")])
    found = [f for f in audit.findings if f.code == "undecodable"]
    assert [f.stream for f in found] == ["SB-01"]


def test_the_digest_sees_every_finding_and_ruling(audit: DayAudit) -> None:
    """Another day, another digest; the honest and the planted day differ."""
    digests = {judged_plants(*plants).digest for plants in DAYS.values()}
    digests |= {judged(floor_day(seed=seed)[0]).digest for seed in (2, 3)}
    assert len(digests) == 4
    assert SCALE < 0.1


OTHER = {
    "code": "x", "severity": Severity.INFO, "certainty": Certainty.UNKNOWN, "citations": (LEDGER_CONTRACT[".5"],),
    "stream": "x", "facts": (FactRef("x", 9),), "round": "x:9", "wager": "x", "readings": ("x",), "expected": "$7.01",
    "observed": "x 9", "effect_cents": 7,
}  # fmt: skip


@pytest.mark.row_by_row
@pytest.mark.parametrize("field", OTHER)
def test_each_part_of_a_finding_is_hashed(field: str) -> None:
    finding = judged_plants("overpaid").findings[0]
    other = replace(finding, **{field: OTHER[field]})  # type: ignore[arg-type]
    assert digest({}, [other]) != digest({}, [finding])


def test_no_sentence_is_hashed() -> None:
    """Better words for the same finding leave the digest as it is."""
    finding = judged_plants("overpaid").findings[0]
    assert finding.expected is not None
    other = replace(finding, sentence="Said better.", expected=f"some {finding.expected} or so")
    assert digest({}, [other]) == digest({}, [finding])


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("$25.00 at 1 to 1", [["cents", 2500], ["number", 1], ["number", 1]]),
        ("-$1,000, not $0.05", [["cents", -100_000], ["cents", 5]]),
        ("M25-0000007 at DC-01/wheel:12", [["name", "M25-0000007"], ["name", "DC-01/wheel:12"]]),
        ("2021-06-12 21:02:10.5", [["name", "2021-06-12"], ["name", "21:02:10.5"]]),
        ("± 2.5 s, 3 wagers.", [["name", "2.5"], ["number", 3]]),
        ("shaken twice; at least three are required", [["number", 2], ["number", 3]]),
        ("nobody", []),
        ("", []),
        (None, None),
    ],
)
def test_only_values_of_what_was_expected_and_observed_are_hashed(
    words: str | None, values: list[list[str | int]] | None
) -> None:
    assert arguments(words) == values


def test_streams_are_joined_in_the_order_of_their_bytes() -> None:
    """The lines ``stream SP digest``, each stream's findings hashed after its rulings."""
    rulings = {name: name.encode() * 8 for name in ("b", "a/x", "a", "\u00e9", "Z")}
    backwards = dict(reversed(rulings.items()))
    lines = [
        f"{name} {sha256(rulings[name]).hexdigest()}\n" for name in ("Z", "a", "a/x", "b", "\u00e9")
    ]
    known = sha256("".join(lines).encode()).hexdigest()
    assert digest(rulings, []) == digest(backwards, []) == known


@pytest.mark.by_turns(2)
def test_the_tree_does_not_matter_to_the_digest(facts: tuple[Fact, ...], audit: DayAudit) -> None:
    other = judged([*reversed(facts)] if not has_twins(facts) else facts, batch=3)
    assert other.digest == audit.digest
    assert broken(other) == broken(audit)


def has_twins(facts: tuple[Fact, ...]) -> bool:
    return len({(f.stream, f.seq) for f in facts}) < len(facts)
