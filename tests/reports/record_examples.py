"""Record `ledger/reports/examples.toml` again: ``python -m tests.reports.record_examples``.

The example of a code is a finding that was really made: by a room's transcript, else by a worked
example, else by a simulated day; only what none of them shows is told by the row itself.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from ledger import events
from ledger.audit import audit_day, gaming_days
from ledger.codec import frame
from ledger.floor import FIRST_DAY, KINDS, Plant, simulate
from ledger.games import BY_KEY, ROOMS, match_play
from ledger.house.duties import DUTIES
from ledger.kernel import Finding
from ledger.law import finding_codes
from ledger.log import Arrival
from ledger.replay import Replay
from tests.log.memory_log import MemoryLog

ROOT: Final = Path(__file__).parent.parent.parent
TARGET: Final = ROOT / "ledger" / "reports" / "examples.toml"
HEAD: Final = """\
# One example for each finding code: a sentence that the audit really said, the section it cited, and
# what said it. Recorded by `python -m tests.reports.record_examples`; reviewed as a diff.
"""
_SAID: Final = re.compile(r"\s+! (\w+) \(\w+(?:, \w+)?\): (.*) \[§ ([^,\]]+).*\]")
_OF_WAGER: Final = re.compile(
    r"\s+! (\w+) \(\w+(?:, \w+)?\) \S+(?: -?\$[\d,.]+)?: (.*) \[§ ([^,\]]+).*\]"
)

Example = tuple[str, str, str, str]
"""Code, sentence, section, where it was said."""


def from_wagers() -> Iterator[Example]:
    """What the rooms' transcripts find of single wagers."""
    return from_transcripts(_OF_WAGER)


def from_transcripts(line_of: re.Pattern[str] = _SAID) -> Iterator[Example]:
    """What the rooms' transcripts find."""
    for key, room in BY_KEY.items():
        for path in sorted((ROOT / "tests" / "games" / key / "rounds").glob("*.round")):
            for line in path.read_text(encoding="utf-8").splitlines():
                match = line_of.fullmatch(line)
                if match:
                    yield match[1], match[2], match[3], f"{room.game}, transcript {path.stem}"


def from_cases() -> Iterator[Example]:
    """What the worked examples find."""
    from tests.conformance.engine import judge
    from tests.conformance.keys import NotTranslatable
    from tests.conformance.translate import defaults_of, translate, vocabulary

    for path in sorted((ROOT / "tests" / "conformance" / "examples").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        try:
            speaks = vocabulary(document)
            defaults = defaults_of(document, speaks)
        except NotTranslatable:
            continue
        for case in document["cases"]:
            try:
                told = translate(case, speaks, defaults)
                judged = judge(told.ready.facts, told.days)
            except NotTranslatable:
                continue
            for day in judged:
                yield from _found(day.audit.findings, f"worked example {case['id']}")


def from_the_floor() -> Iterator[Example]:
    """What a simulated day with plants of every kind finds."""
    simulation = simulate(1, plants=[Plant(kind) for kind in KINDS])
    facts = [Arrival(frame(fact)) for fact in simulation.facts]
    yield from _audited(facts, "simulated floor")


def from_the_record() -> Iterator[Example]:
    """What a small day finds whose record is broken, once in each way of the Ledger contract."""
    facts = list(simulate(1, scale=0.02).facts)
    closing, rest = facts[-1], facts[:-1]
    assert isinstance(closing, events.GamingDayClosed)
    wagers = [place for place, fact in enumerate(rest) if isinstance(fact, events.WagerPlaced)]
    other = replace(rest[wagers[1]], source="T-99")
    early = replace(rest[wagers[2]], event_time=rest[wagers[2]].event_time - 60_000_000)
    odd = [Arrival(frame(fact)) for fact in rest]
    odd[wagers[0]] = Arrival(frame(rest[wagers[0]]), key=b"SB-9")
    odd[wagers[1]], odd[wagers[2]] = Arrival(frame(other)), Arrival(frame(early))
    odd.append(Arrival(b"\x01 not a fact", key=b"SB-01"))
    place = ("pitledger.terminal.DC-01.v1", 0, 1)  # of another table's terminal
    foreign = replace(rest[wagers[3]], source="DC-01")
    odd.append(Arrival(frame(foreign), foreign.stream.encode(), *place))
    yield from _audited(odd)
    for change in (1, -1):
        ends = tuple(replace(end, last_seq=end.last_seq + change) for end in closing.streams[1:])
        wrong = replace(closing, streams=(closing.streams[0], *ends))
        yield from _audited(Arrival(frame(fact)) for fact in [*rest, wrong])
    last = max((fact for fact in rest if fact.stream == "SB-01"), key=lambda fact: fact.seq)
    far = replace(last, seq=last.seq + 1, event_time=last.event_time + 4_748 * 86_400_000_000)
    yield from _audited(Arrival(frame(fact)) for fact in [*rest, far])
    yield from _audited(Arrival(frame(fact)) for fact in [*rest, *idle_amendments(rest[wagers[0]])])
    yield from _audited(Arrival(frame(fact)) for fact in [*rest, *odd_counts(rest[wagers[0]])])
    withdrawn, *_ = idle_amendments(rest[wagers[0]], approved="E-2")
    added = addition(rest[wagers[0]])
    yield from _audited(Arrival(frame(fact)) for fact in [*rest, withdrawn, added])
    yield from _audited(Arrival(frame(fact)) for fact in [*rest, put_off(rest[wagers[0]])])
    nobody = [fact for fact in rest if not isinstance(fact, events.PersonCredentialled)]
    yield from _audited(Arrival(frame(fact)) for fact in [*nobody, withdrawn])


def odd_counts(fact: events.Fact) -> Iterator[events.Fact]:
    """Slips numbered twice and with one left out, and a box of a table that never opened."""
    for number, slip in enumerate(("F-1001", "F-1003", "F-1003"), 1):
        yield events.FillDelivered(
            stream="SB-01/slips",
            seq=number,
            event_time=fact.event_time + number,
            source="T-cage",
            recorded_by=None,
            slip=slip,
            chips_cents=20_000,
            signed_by=(),
        )
    yield events.DropBoxCounted(
        stream="SB-77/count",
        seq=1,
        event_time=fact.event_time,
        source="T-count",
        recorded_by=None,
        box="B-77",
        for_gaming_day=FIRST_DAY.isoformat(),
        cash=(events.DenominationCount(denomination_cents=10_000, pieces=2),),
        chips_cents=0,
        coupons=(),
        counted_by=(),
    )


def addition(fact: events.Fact) -> events.FactsAdded:
    """A fact that was added by hand, and nobody approved it."""
    return events.FactsAdded(
        stream="cases/additions",
        seq=1,
        event_time=fact.event_time,
        source="pitledger",
        recorded_by=None,
        added_stream=fact.stream,
        first_seq=fact.seq,
        last_seq=fact.seq,
        reason="typed from the log",
        added_by="E-1",
        approved_by=None,
        approved_time=None,
        file_sha256=None,
        proof=None,
        approval_proof=None,
    )


def put_off(fact: events.Fact) -> events.CauseSuppressed:
    """A cause that one person put off in the name of another."""
    return events.CauseSuppressed(
        stream="cases/actions",
        seq=1,
        event_time=fact.event_time,
        source="pitledger",
        recorded_by="D-SB-01-1",
        about="0" * 16,
        for_gaming_day=FIRST_DAY.isoformat(),
        code="wager_underpaid",
        table="SB-01",
        subject="dealer D-SB-01-1",
        until=FIRST_DAY.isoformat(),
        reason="known",
        suppressed_by="M-1",
        proof=None,
    )


def idle_amendments(fact: events.Fact, approved: str | None = None) -> Iterator[events.FactAmended]:
    """Amendments that change nothing, once in each way; ``approved`` of the first."""
    ways = ((fact.seq, None, approved), (fact.seq, b"", "E-2"), (99_999, None, "E-2"))
    for number, (seq, replacement, approved) in enumerate(ways, 1):
        yield events.FactAmended(
            stream="amendments",
            seq=number,
            event_time=fact.event_time,
            source="T-house",
            recorded_by=None,
            amended_stream=fact.stream,
            amended_seq=seq,
            replacement=replacement,
            reason="typed wrong",
            amended_by="E-1",
            approved_by=approved,
            approved_time=None,
            file_sha256=None,
            proof=None,
            approval_proof=None,
        )


def _audited(arrivals: Iterable[Arrival], where: str = "a broken record") -> Iterator[Example]:
    log = MemoryLog(origin="floor.example", property="Floor", record_time=1)
    log.append(arrivals, 2)
    replay = Replay(log)
    for day in gaming_days(replay):
        yield from _found(audit_day(replay, day).findings, where)


def from_rows() -> Iterator[Example]:
    """What the rows themselves would say."""
    anywhere = [(DUTIES, "any game"), (match_play.DUTIES, "match play coupons")]
    for rows, game in [(room.duties, room.game) for room in ROOMS] + anywhere:
        for duty in rows:
            said = duty.says.replace("{observed}", "...").replace("{expected}", "...")
            yield duty.code, said, duty.cite.section, f"{game}, its row"


def _found(findings: Iterable[Finding], where: str) -> Iterator[Example]:
    for finding in findings:
        yield finding.code, finding.sentence, finding.citations[0].section, where


def recorded() -> str:
    """The file as it should be."""
    known: dict[str, Example] = {}
    for source in (
        *(from_transcripts, from_cases, from_the_floor, from_the_record),
        *(from_wagers, from_rows),
    ):
        if len(known) < len(finding_codes()):
            for example in source():
                known.setdefault(example[0], example)
    blocks = []
    for code in finding_codes():
        if code in known:
            _, sentence, section, where = known[code]
            quoted = json.dumps(sentence, ensure_ascii=False)
            blocks.append(
                f'[{code}]\nsentence = {quoted}\nsection = "{section}"\nsaid_by = "{where}"\n'
            )
    return HEAD + "\n" + "\n".join(blocks)


if __name__ == "__main__":
    TARGET.write_text(recorded(), encoding="utf-8")
    sys.stdout.write(f"{TARGET.relative_to(ROOT)} recorded\n")
