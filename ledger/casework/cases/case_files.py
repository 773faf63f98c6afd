"""All cases of a ledger, as their events leave them, and the events that a command adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from datetime import date
from typing import Final

from ledger import events
from ledger.audit.ledger_contract import CASES
from ledger.casework.action_facts import Head, head, registered_streams, registrations
from ledger.casework.cases.case_file import CaseFile, evolve, opened_file, set_aside
from ledger.casework.cases.decider import Ground, barred_from, is_subject, refusal
from ledger.casework.cases.errors import CaseRefused, CaseUnknown
from ledger.casework.cases.followed_acts import FollowedActs
from ledger.casework.cases.terms import APART, KINDS, CaseAct, CaseEvent, act_of, person_of
from ledger.kernel import FactRef, parse_round_id, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import ENROLLED, FactStep, Replay, Roster, persons_of

STREAM: Final = f"{CASES}/files"
_ENDS_A_ROUND: Final = ("BettingOpened", "TableClosed")


@dataclass(slots=True)
class CaseFiles(FollowedActs):
    """The cases of one ledger.

    Attributes:
        files: each case by its number, in the order in which they were opened.
        unopened: acts on the record with cases that there are not.
    """

    KINDS_READ = KINDS | {ENROLLED}

    files: dict[str, CaseFile] = field(default_factory=dict)
    unopened: list[CaseEvent] = field(default_factory=list)
    _people: dict[events.CaseMatter, Mapping[str, str]] = field(default_factory=dict)

    @property
    def roster(self) -> Roster:
        """Who holds which credential."""
        return self.replay.roster()

    def take(self, fact: CaseEvent) -> None:
        """Follow one event of the record."""
        case = self.files.get(fact.case_number)
        why = refusal(case, fact, self.ground(case, act_of(fact)))
        if case is None and (why is not None or not isinstance(fact, events.CaseOpened)):
            self.unopened.append(fact)
        elif case is None and isinstance(fact, events.CaseOpened):
            self.files[fact.case_number] = opened_file(fact)
        elif case is not None:
            after = evolve(case, fact) if why is None else set_aside(case, fact, why)
            self.files[fact.case_number] = after

    def ground(self, case: CaseFile | None, act: CaseAct) -> Ground:
        """Return what a decision about an act with a case rests on."""
        apart = case is not None and act in APART
        people = self.concerned(case) if case is not None and apart else {}
        return Ground(
            roster=self.roster,
            concerned=people,
            numbers=self.files.keys(),
            enrolled=self.enrollments.persons,
        )

    def concerned(self, case: CaseFile) -> dict[str, str]:
        """Return whom the matter of a case concerns: credential, and how, after a name."""
        people: dict[str, str] = {}
        for matter in case.matters:
            if matter not in self._people:
                self._people[matter] = dict(_concerned(self.replay, matter))
            people = {**self._people[matter], **people}
        return people

    def seen_by(self, person: str, at: int) -> Iterator[CaseFile]:
        """Yield the cases that a person may see; their subjects are told of none."""
        for case in self.files.values():
            if barred_from(case, CaseAct.SEE, person, at, self.ground(case, CaseAct.SEE)) is None:
                yield case

    def one(self, number: str, person: str, at: int) -> CaseFile:
        """Return a case that a person may see.

        Raises:
            CaseUnknown: there is none of that number, or its subject asks for it: both are told
                alike.
            CaseRefused: the person's role sees no case.
        """
        case = self.require(number, person)
        why = barred_from(case, CaseAct.SEE, person, at, self.ground(case, CaseAct.SEE))
        if why is not None:
            raise CaseRefused(why)
        return case

    def named(self, number: str) -> CaseFile | None:
        """Return the case of a number; without its year the newest one that is counted so."""
        plain = number.strip()
        if plain.isascii() and plain.isdecimal():
            plain = max(
                (name for name in self.files if name[5:] == f"{int(plain):04d}"), default=""
            )
        return self.files.get(plain)

    def require(self, number: str, person: str) -> CaseFile:
        """Return a case of which a person is no subject.

        Raises:
            CaseUnknown: there is none of that number, or the person is its subject.
        """
        case = self.named(number)
        if case is None or is_subject(case, self.roster, person):
            raise CaseUnknown(number)
        return case

    def holds(self, reference: str) -> bool:
        """Whether a case holds footage and is about a person, by credential or reference."""
        return any(
            case.held()
            and any(
                subject.reference == reference or self.roster.are_one(subject.reference, reference)
                for subject in case.subjects
            )
            for case in self.files.values()
        )

    def held_coupons(self) -> frozenset[str]:
        """Return the serial numbers of coupons that cases which hold footage are about."""
        return frozenset(
            matter.reference
            for case in self.files.values()
            if case.held()
            for matter in case.matters
            if matter.kind is events.CaseMatterKind.COUPON
        )

    def about(self, references: Iterable[str]) -> Iterator[CaseFile]:
        """Yield the cases about a person, a patron or a camera: by its subjects and its matters.

        Args:
            references: credentials, a patron's references or the names of cameras.
        """
        wanted = frozenset(references)
        for case in self.files.values():
            named = {subject.reference for subject in case.subjects} | {*self.concerned(case)}
            named |= {each.camera for each in case.footage.values()}
            if wanted & named or any(
                self.roster.are_one(mine, other) for mine in wanted for other in named
            ):
                yield case

    def next_number(self, day: date) -> str:
        """Return the number of the next case of a year."""
        prefix = f"{day.year:04d}-"
        used = [number.removeprefix(prefix) for number in self.files if number.startswith(prefix)]
        last = max((int(digits) for digits in used if digits.isdecimal()), default=0)
        return f"{prefix}{last + 1:04d}"

    def decide(self, fact: CaseEvent) -> tuple[events.Fact, ...]:
        """Return the events by which an act is recorded: itself, and who may write its stream.

        Raises:
            CaseUnknown: there is no such case, or its subject acts.
            CaseRefused: the act is not allowed, or says nothing that can be.
        """
        person = person_of(fact)
        if not isinstance(fact, events.CaseOpened):
            self.require(fact.case_number, person)
        case = self.files.get(fact.case_number)
        why = refusal(case, fact, self.ground(case, act_of(fact)))
        if why is not None:
            raise CaseRefused(why)
        return (*self._registrations(person, fact.event_time), fact)

    def head(self, by: str, at: int) -> Head:
        """Return what the next event of the stream of cases begins with."""
        return head(self.replay, by, at, STREAM)

    def _registrations(self, by: str, at: int) -> Iterator[events.Fact]:
        return registrations(self.replay, registered_streams(self.replay), by, at, STREAM)


def _concerned(replay: Replay, matter: events.CaseMatter) -> Iterator[tuple[str, str]]:
    """Who is named in what a case is about, and who stood at its table then."""
    ref = _ref_of(matter)
    if ref is None:
        return
    facts = [replay.fact(*ref)]
    amended = replay.amended(*ref)
    facts += [] if amended is None else [amended.before]
    for fact in facts:
        if fact is not None:
            yield from persons_of(fact)
    moment = replay.merged_at(*ref)
    table = table_of(ref.stream)
    if moment is None or table not in replay.tables():
        return
    moments = [moment]
    if matter.kind is events.CaseMatterKind.ROUND:
        moments.append(_end_of_round(replay, table, moment))
    yield from replay.attending(table, moments)


def _ref_of(matter: events.CaseMatter) -> FactRef | None:
    if matter.kind not in (events.CaseMatterKind.ROUND, events.CaseMatterKind.FACT):
        return None
    try:
        return parse_round_id(matter.reference)
    except ValueError:
        return None


def _end_of_round(replay: Replay, table: str, begins: int) -> int:
    """When the next round began, or the table closed; its last fact where neither is recorded."""
    own = replay.tables()[table]
    for step in replay.walk(own, since=begins + 1, only=_ENDS_A_ROUND):
        if isinstance(step, FactStep):
            return step.at
    return max(replay.extent(stream).last_time for stream in own)


def matters_of(pairs: Iterable[tuple[str, str]]) -> tuple[events.CaseMatter, ...]:
    """Return what a case is about from kinds and references."""
    return tuple(
        events.CaseMatter(kind=events.CaseMatterKind(kind), reference=reference)
        for kind, reference in dict.fromkeys(pairs)
    )
