"""What the findings of a day are about: the paytable, person or equipment behind each of them.

The table ``causes.toml`` says which subject matters for a code; here it is read from the finding's
own facts, from who stood at the table at that moment, and from the submission that was in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, fields
from functools import lru_cache
from typing import Final

from ledger.audit import AuditedDay, HouseRecord
from ledger.casework.causes import Cause, causes
from ledger.casework.in_use_at_table import Line, TableTimeline, timeline_of
from ledger.casework.wrong_payments import PRICED, WrongPayment, WrongPayments
from ledger.coupons import SerialForms, SerialUnreadable
from ledger.events import DiceSetPlaced, Fact, TableOpened
from ledger.house import Submission
from ledger.kernel import FactRef, Finding, parse_round_id, ref_of, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Replay

EQUIPMENT: Final = (
    "shaker", "device_id", "equipment", "wheel", "deck", "layout", "sign", "camera", "box",
    "subject_id",
)  # fmt: skip
"""Fields that name a thing, and ``subject_id`` of an inspection."""
AS_SAID: Final = {"form": ("form_id",), "provider": ("provider",), "service": ("service",)}
"""Fields that name what a subject of this kind is."""
FILING: Final = ("request", "submission", "game")
NOT_DONE_BY: Final = {"recorded_by", "approved_by"}


@dataclass(frozen=True, slots=True)
class Seen:
    """A finding beside what it shares with others.

    ``at`` is the event time of its last fact, ``table`` where it happened, ``subject`` what it is
    about in words ("dealer D-7"), empty where nothing can be named. ``remark`` says in what way a
    paytable is the cause ("below § 539.6(b)"); ``filing`` is the submission that it names,
    ``unlawful`` says that the filed line itself cannot stand. ``part`` tells periods of one subject
    apart that other facts have shown to be two.
    """

    finding: Finding
    at: int
    table: str
    subject: str = ""
    remark: str = ""
    filing: FactRef | None = None
    unlawful: bool = False
    part: int = 0


def see(replay: Replay, house: HouseRecord, audit: AuditedDay) -> tuple[Seen, ...]:
    """Each finding of an audited day with its subject, in their order.

    Args:
        replay: of the ledger that was audited.
        house: its office, as ``read_office`` makes it.
        audit: the day.
    """
    return tuple(_Look(replay, house, audit).all())


@dataclass(slots=True)
class _Look:
    replay: Replay
    house: HouseRecord
    audit: AuditedDay
    timelines: dict[str, TableTimeline] = field(default_factory=dict)
    facts: dict[FactRef, Fact | None] = field(default_factory=dict)

    def all(self) -> Iterator[Seen]:
        findings = self.audit.findings
        begins, _ = self.house.clock.bounds(self.audit.gaming_day)
        times = _times(self.replay, findings, begins)
        prices = WrongPayments(self.replay, self.house, self.audit.gaming_day)
        for finding, at in zip(findings, times, strict=True):
            if finding.code in PRICED and finding.effect_cents:
                prices.add(self._priced(finding, at))
        causing = prices.judge()
        table_of_codes = causes()
        for finding, at in zip(findings, times, strict=True):
            table = table_at(finding)
            price = causing.get(id(finding))
            if price is not None:
                name = f"paytable {price.submission.filed.submission}"
                ref, unlawful = price.submission.ref, price.part == 0
                yield Seen(finding, at, table, name, price.remark, ref, unlawful, price.part)
                continue
            cause = table_of_codes.get(finding.code)
            if cause is None:
                yield Seen(finding, at, table)
                continue
            subject, filed = self._subject(cause, finding, at, table)
            if filed is not None and table not in self.replay.tables():
                named = filed.filed.tables or ()
                table = named[0] if len(named) == 1 else table
            yield Seen(finding, at, table, subject, filing=filed.ref if filed else None)

    def _priced(self, finding: Finding, at: int) -> WrongPayment:
        table = table_at(finding)
        return WrongPayment(
            finding=finding,
            at=at,
            table=table,
            dealer=self._dealer(finding, at, table),
            submission=self._in_force(finding, at, table),
        )

    def _subject(
        self, cause: Cause, finding: Finding, at: int, table: str
    ) -> tuple[str, Submission | None]:
        """The first of the cause's kinds that the facts can name, in words."""
        for kind in cause.of:
            if kind == "role":
                return cause.role, None
            if kind == "paytable":
                filed = None if finding.code in PRICED else self._filed(finding, at, table)
                if filed is not None:
                    return f"paytable {filed.filed.submission}", filed
                continue
            name = self._name(kind, finding, at, table)
            if name is not None:
                return (name if kind == "equipment" else f"{kind} {name}"), None
        return "", None

    def _name(self, kind: str, finding: Finding, at: int, table: str) -> str | None:
        match kind:
            case "dealer":
                return self._dealer(finding, at, table)
            case "person":
                return self._person(finding)
            case "dice":
                return self._dice(finding, at, table)
            case "shaker" | "wheel" | "deck":
                line: Line[str] = getattr(self._timeline(table), kind)
                return self._named_in(finding, (kind,)) or line.at(at)
            case "equipment":
                return self._thing(finding)
            case "series":
                return self._series(finding)
            case "filing":
                return self._named_in(finding, FILING)
            case "stream":
                return finding.stream or None
            case "source":
                return finding.observed
            case _:
                return self._named_in(finding, AS_SAID[kind])

    def _dealer(self, finding: Finding, at: int, table: str) -> str | None:
        """Who dealt: the only dealer at the table then, else a dealer whom the last fact names."""
        known: frozenset[str] | None = None
        if table in self.replay.tables():
            known = self._timeline(table).dealers.at(at)
            if known is not None and len(known) == 1:
                return min(known)  # the fact need not even be read
        fact = self._fact(finding.facts[-1]) if finding.facts else None
        if fact is None:
            return None
        for candidate in (self._person(finding), fact.recorded_by):
            if candidate is not None and (
                candidate in known if known is not None else candidate == fact.recorded_by
            ):
                return candidate
        return None

    def _person(self, finding: Finding) -> str | None:
        """Who did what the last fact says, else who recorded it."""
        fact = self._fact(finding.facts[-1]) if finding.facts else None
        if fact is None:
            return None
        for name in _done_by(type(fact)):
            named: object = getattr(fact, name)
            if isinstance(named, tuple):
                named = named[0] if len(named) == 1 else None
            named = getattr(named, "person", named)
            if isinstance(named, str) and named:
                return named
        return fact.recorded_by

    def _dice(self, finding: Finding, at: int, table: str) -> str | None:
        """The set that the finding names, else the one in use then."""
        placed = (fact for fact in self._facts(finding) if isinstance(fact, DiceSetPlaced))
        named = next(placed, None)
        moment = at if named is None else named.event_time
        return self._timeline(table).dice.at(moment)

    def _thing(self, finding: Finding) -> str | None:
        of_layout = finding.code.startswith("layout")
        for fact in self._facts(finding):
            if isinstance(fact, TableOpened) and not of_layout:
                continue  # it names the layout, which is only one of the things at the table
            for name in EQUIPMENT:
                named = getattr(fact, name, None)
                if isinstance(named, str) and named:
                    kind = getattr(fact, "subject", None) if name == "subject_id" else None
                    return f"{kind.value.lower() if kind else name.partition('_')[0]} {named}"
        return None

    def _series(self, finding: Finding) -> str | None:
        serial = self._named_in(finding, ("serial",))
        if serial is None:
            return None
        try:
            forms = SerialForms(self.house.office.series)
            series = forms.series_of(forms.read(serial))
        except SerialUnreadable:
            return serial
        return serial if series is None else series.series

    def _named_in(self, finding: Finding, names: Iterable[str]) -> str | None:
        """What a field of the finding's facts says, the last fact first."""
        for fact in self._facts(finding):
            for name in names:
                named = getattr(fact, name, None)
                if isinstance(named, str) and named:
                    return named
        return None

    def _filed(self, finding: Finding, at: int, table: str) -> Submission | None:
        """The submission that a finding is about: the one it names, else the one in force."""
        office = self.house.office
        for fact in self._facts(finding):
            known = office.submissions.get(ref_of(fact))
            submission = getattr(fact, "submission", None)
            known = known or (office.named(submission, at) if isinstance(submission, str) else None)
            if known is not None:
                return known
        return self._in_force(finding, at, table)

    def _in_force(self, finding: Finding, at: int, table: str) -> Submission | None:
        """The submission by which the wagers of a round were judged."""
        if table not in self.replay.tables():
            return None
        game = self._timeline(table).game.at(at) or next(
            (line.game for line in self.audit.capture if line.table == table), None
        )
        if finding.round is not None:
            opened = parse_round_id(finding.round)
            at = self.replay.times(opened.stream, [opened.seq])[0] or at
        return None if game is None else self.house.office.filed_for(game, table, at)

    def _timeline(self, table: str) -> TableTimeline:
        timeline = self.timelines.get(table)
        if timeline is None:
            begins, ends = self.house.clock.bounds(self.audit.gaming_day)
            timeline = self.timelines[table] = timeline_of(self.replay, table, begins, ends)
        return timeline

    def _facts(self, finding: Finding) -> Iterator[Fact]:
        for ref in reversed(finding.facts):
            fact = self._fact(ref)
            if fact is not None:
                yield fact

    def _fact(self, ref: FactRef) -> Fact | None:
        if ref not in self.facts:
            self.facts[ref] = self.replay.fact(*ref)
        return self.facts[ref]


def table_at(finding: Finding) -> str:
    """The table (or office) at which it happened."""
    stream = finding.stream if finding.round is None else parse_round_id(finding.round).stream
    return table_of(stream)


@lru_cache(maxsize=512)
def _done_by(kind: type[Fact]) -> tuple[str, ...]:
    """The fields of an event that name who did it."""
    names = [one.name for one in fields(kind)]
    acting = [one for one in names if one.endswith("_by") and one not in NOT_DONE_BY]
    return (*(one for one in names if one == "person"), *acting)


def _times(replay: Replay, findings: Sequence[Finding], begins: int) -> list[int]:
    """When the last fact of each finding happened; the day's start for one without facts."""
    wanted: dict[str, list[int]] = {}
    for finding in findings:
        if finding.facts:
            last = finding.facts[-1]
            wanted.setdefault(last.stream, []).append(last.seq)
    known = {stream: iter(replay.times(stream, seqs)) for stream, seqs in wanted.items()}
    out = []
    for finding in findings:
        at = next(known[finding.facts[-1].stream]) if finding.facts else None
        out.append(begins if at is None else at)
    return out
