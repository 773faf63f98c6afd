"""Who holds which credential at a moment, of which rank and department, and who may do what.

The roster is what the record says of credentials. Where it says nothing at all, nobody can be
checked: that is ``Holding.UNKNOWN`` and never a pass. Law: the Ledger contract, L.9 and L.10; the
table of acts (``ledger/law/decision_rights.toml``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Final

from ledger import events
from ledger.kernel import UsageError, is_unknown_person
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import ADDRESSED, ANY, RANKS, Act, ranks_of_roles
from ledger.replay.persons import name_key, person_key, same_spelling
from ledger.replay.proven_acts import unproved

ENROLLED: Final = "PersonEnrolled"
KINDS: Final = ("PersonCredentialled", "CredentialDescribed", "CouponFunctionGiven", ENROLLED)
"""The facts that a roster is read from."""
ADMINISTRATION: Final = frozenset({"administration", "information technology"})
"""Departments whose people enroll others, in small letters as the roster compares them."""
BOARD: Final = frozenset({"board", "gaming control board", "pennsylvania gaming control board"})
"""Departments of the Board's agents, who read and do nothing of what the table of acts has."""
FOREVER: Final = 1 << 62
_COUPON_RANKS: Final = {
    events.CouponRank.MEMBER: "member",
    events.CouponRank.SUPERVISOR: "supervisor",
    events.CouponRank.ABOVE_SUPERVISOR: "manager",
}


class Holding(StrEnum):
    """Whether a credential is held at a moment."""

    HELD = "held"
    NOT_RECORDED = "not_recorded"
    REVOKED = "revoked"
    EXPIRED = "expired"
    UNKNOWN = "unknown"  # the record has nobody's credential then: nothing can be checked


class CredentialNotHeld(UsageError):
    """A person is named who holds no credential, where the record says who does."""

    code = "credential_not_held"

    def __init__(self, person: str, cause: str, option: str = "--by CREDENTIAL") -> None:
        super().__init__(
            f"{person} holds no credential on the record.", cause=cause, next_step=option
        )


class NotEntitled(UsageError):
    """A person who holds a credential may not do this: rank, department, or it concerns them."""

    code = "not_entitled"


@dataclass(frozen=True, slots=True)
class Bar:
    """Why a person may not do something.

    Attributes:
        why: a sentence without its full stop.
        holds: False where the reason is that the person holds no valid credential.
    """

    why: str
    holds: bool = True


@dataclass(slots=True)
class Roster:
    """What was recorded of credentials. Moments are microseconds UTC.

    Attributes:
        people: by ``person_key``, the credentials with the moment from which each holds, rising.
        described: the same for what was stated of a credential: rank, name, expiry.
        functions: the same for functions in the coupon program.
        same: by ``person_key``, another credential of the same person.
        enrolled: by ``person_key``, the enrollments that count, with the moment from which each
            holds, rising.
    """

    people: dict[str, list[tuple[int, events.PersonCredentialled]]] = field(default_factory=dict)
    described: dict[str, list[tuple[int, events.CredentialDescribed]]] = field(default_factory=dict)
    functions: dict[str, list[tuple[int, events.CouponFunctionGiven]]] = field(default_factory=dict)
    same: dict[str, str] = field(default_factory=dict)
    enrolled: dict[str, list[tuple[int, events.PersonEnrolled]]] = field(default_factory=dict)
    begins: int | None = None
    """The moment of the first credential on the record."""
    proves_since: int | None = None
    """The moment of the first enrollment that counts: from there on whoever acts proves it."""

    def take(self, fact: events.Fact, at: int) -> None:
        """Add one fact of ``KINDS``; others say nothing."""
        match fact:
            case events.PersonCredentialled():
                if not is_unknown_person(fact.person):
                    self.people.setdefault(person_key(fact.person), []).append((at, fact))
                self.begins = at if self.begins is None else min(at, self.begins)
            case events.CredentialDescribed() if not is_unknown_person(fact.person):
                self.described.setdefault(person_key(fact.person), []).append((at, fact))
                if fact.same_person_as is not None and not is_unknown_person(fact.same_person_as):
                    self._join(fact.person, fact.same_person_as)
            case events.CouponFunctionGiven() if not is_unknown_person(fact.person):
                self.functions.setdefault(person_key(fact.person), []).append((at, fact))
            case _:
                pass

    def enroll(self, fact: events.PersonEnrolled, at: int) -> None:
        """Add an enrollment that counts."""
        self.enrolled.setdefault(person_key(fact.person), []).append((at, fact))
        self.proves_since = at if self.proves_since is None else self.proves_since

    @property
    def is_known(self) -> bool:
        """Whether the record has anybody's credential."""
        return bool(self.people)

    def unproved(
        self,
        fact: events.Fact,
        person: str,
        proof: events.ActProof | None,
        field: str = "proof",
    ) -> Bar | None:
        """Return why an act does not count since nothing proves who did it; None where it counts.

        Where nobody is enrolled yet at that moment nobody can prove anything: it counts, and None
        does not mean that it was proved.

        Args:
            fact: the act, dated.
            person: credential of who acted.
            proof: how the act says that it was proved.
            field: of the act, in which that proof stands.
        """
        at = fact.event_time
        if self.proves_since is None or at < self.proves_since or is_unknown_person(person):
            return None
        known = [one for since, one in self.enrolled.get(person_key(person), ()) if since <= at]
        why = unproved(fact, person, proof, {person_key(person): known[-1]} if known else {}, field)
        return None if why is None else Bar(why)

    def holding(self, person: str, at: int) -> Holding:
        """Return whether a person holds a credential at a moment.

        ``UNKNOWN`` before the first credential on the record, whoever is asked about, and for
        whoever was erased from it.
        """
        if self.begins is None or at < self.begins or is_unknown_person(person):
            return Holding.UNKNOWN
        known = [fact for since, fact in self.people.get(person_key(person), ()) if since <= at]
        if not known:
            return Holding.NOT_RECORDED
        if known[-1].revoked:
            return Holding.REVOKED
        ends = self._described(person, at, "expires_time")
        return Holding.EXPIRED if isinstance(ends, int) and ends <= at else Holding.HELD

    def held_until(self, person: str, at: int) -> tuple[int, Holding]:
        """Return until when nothing changes, and whether a credential is held until then.

        The moment is ``FOREVER`` where the record has nothing later.
        """
        key = person_key(person)
        turns = [since for since, _ in self.people.get(key, ()) if since > at]
        turns += [since for since, _ in self.described.get(key, ()) if since > at]
        ends = self._described(person, at, "expires_time")
        turns += [ends] if isinstance(ends, int) and ends > at else []
        turns += [self.begins] if self.begins is not None and self.begins > at else []
        return min(turns, default=FOREVER), self.holding(person, at)

    def rank(self, person: str, at: int) -> str | None:
        """Return a person's rank at a moment, a word of ``RANKS``; None where the record has none.

        A stated rank counts first; else the highest that follows from the role of the credential
        or a function in the coupon program.
        """
        stated = self._described(person, at, "rank")
        if isinstance(stated, events.StaffRank) and stated is not events.StaffRank.UNRECOGNISED:
            return stated.value.lower()
        known = [fact for since, fact in self.people.get(person_key(person), ()) if since <= at]
        by_role = ranks_of_roles().get(known[-1].role.value) if known and known[-1].role else None
        ranks = [*([by_role] if by_role else []), *self._functions(person, at).values()]
        return max(ranks, key=RANKS.index, default=None)

    def departments(self, person: str, at: int) -> frozenset[str]:
        """Return the departments for which a person works at a moment, in small letters."""
        known = [fact for since, fact in self.people.get(person_key(person), ()) if since <= at]
        own = [name_key(known[-1].department)] if known else []
        return frozenset([*own, *self._functions(person, at)])

    def printed_name(self, person: str, at: int) -> str | None:
        """Return the name beside a credential, else beside another one of the same person.

        Returns:
            None where the record has no name.
        """
        own = person_key(person)
        others = sorted(key for key in self.described if self._root(key) == self._root(own))
        names = (self._described(key, at, "printed_name") for key in (own, *others))
        return next((name for name in names if isinstance(name, str)), None)

    def are_one(self, first: str, second: str) -> bool:
        """Whether two credentials are one person's, by spelling or by what the record says.

        Of whoever was erased nobody can say so.
        """
        if is_unknown_person(first) or is_unknown_person(second):
            return False
        mine, other = self._root(person_key(first)), self._root(person_key(second))
        if mine == other:
            return True
        both = person_key(first) in self.people and person_key(second) in self.people
        return same_spelling(first, second) and not both

    def bar(
        self,
        act: Act,
        person: str,
        at: int,
        *,
        department: str | None = None,
        concerned: Mapping[str, str] | None = None,
        others: Iterable[str] = (),
    ) -> Bar | None:
        """Return why a person may not do an act at a moment; None where nothing stands against it.

        Where the record has no credential at all, only the spellings of names are compared, and
        None does not mean that the person was checked: see ``is_known``.

        Args:
            act: a row of the table of acts.
            person: credential of who acts.
            at: the moment, UTC microseconds.
            department: to which the subject is addressed, where the act asks for it.
            concerned: by credential, how the subject concerns the person, in words that follow a
                name ("dealt at C-01 then").
            others: persons who have done their part already and must be another person.
        """
        for other in others:
            if self.are_one(person, other):
                return Bar(f"{person} and {other} are one person; a second person is needed")
        if act.apart:
            for other, how in (concerned or {}).items():
                if self.are_one(person, other):
                    return Bar(f"{person} {how}: nobody decides about themselves")
        holding = self.holding(person, at)
        if holding is Holding.UNKNOWN:
            return None
        if holding is not Holding.HELD:
            return Bar(f"No valid credential for {person} on this date: {_WHY[holding]}", False)
        return self._bar_of_rank(act, person, at, department)

    def _bar_of_rank(self, act: Act, person: str, at: int, department: str | None) -> Bar | None:
        own = self.departments(person, at)
        if own and own <= BOARD:
            return Bar(f"{person} is an agent of the Board, who reads only")
        rank = self.rank(person, at)
        if RANKS.index(act.rank) and rank is None:
            return Bar(f"The record states no rank for {person}; {act.does}: {act.rank} or above")
        if rank is not None and RANKS.index(rank) < RANKS.index(act.rank):
            return Bar(f"{person} is a {rank}; to {act.does} takes a {act.rank} or above")
        may = act.departments
        if ADDRESSED in may:
            may = () if department is None else (department,)
        if ANY in may or not may:
            return None
        if own.isdisjoint(name_key(one) for one in may):
            mine = " and ".join(sorted(own)) or "no department"
            return Bar(f"{person} is of {mine}; this is for {' or '.join(may)}")
        return None

    def require(
        self,
        act: Act,
        person: str,
        at: int,
        *,
        department: str | None = None,
        concerned: Mapping[str, str] | None = None,
        others: Iterable[str] = (),
        option: str = "--by CREDENTIAL",
    ) -> bool:
        """Require that a person may do an act; arguments as for ``bar``.

        Args:
            option: the option of the command that names the person, for the refusal.

        Returns:
            False where the record has nobody's credential at that moment, so that nothing but
            spellings could be checked.

        Raises:
            CredentialNotHeld: the record has credentials, and not this one.
            NotEntitled: rank or department do not fit, or the subject concerns the person.
        """
        bar = self.bar(act, person, at, department=department, concerned=concerned, others=others)
        if bar is None:
            return self.holding(person, at) is not Holding.UNKNOWN
        if not bar.holds:
            raise CredentialNotHeld(person, _WHY[self.holding(person, at)], option)
        raise NotEntitled(f"{bar.why}.", cause=", ".join(act.cites), next_step=option)

    def name_differs(self, person: str, name: str, at: int) -> str | None:
        """Return the name on the record where it differs from this one; None where it does not.

        Names are compared as ``name_key`` writes them. A record without a name differs from none.
        """
        stated = self.printed_name(person, at)
        return stated if stated is not None and name_key(stated) != name_key(name) else None

    def _described(self, person: str, at: int, column: str) -> object:
        """What was stated last of a credential in one column, up to a moment."""
        facts = (fact for since, fact in self.described.get(person_key(person), ()) if since <= at)
        stated = [
            stated_value for one in facts if (stated_value := getattr(one, column)) is not None
        ]
        return stated[-1] if stated else None

    def _functions(self, person: str, at: int) -> dict[str, str]:
        """The departments of the coupon program in which a person has a function, with the rank."""
        ranks: dict[str, set[str]] = {}
        for since, fact in self.functions.get(person_key(person), ()):
            rank = _COUPON_RANKS.get(fact.rank)
            if since <= at and rank is not None:
                mine = ranks.setdefault(fact.department.value.lower(), set())
                (mine.discard if fact.ended else mine.add)(rank)
        return {name: max(mine, key=RANKS.index) for name, mine in ranks.items() if mine}

    def _join(self, first: str, second: str) -> None:
        mine, other = sorted((self._root(person_key(first)), self._root(person_key(second))))
        if mine != other:
            self.same[other] = mine

    def _root(self, key: str) -> str:
        while key in self.same:
            key = self.same[key]
        return key


_WHY: Final = {
    Holding.NOT_RECORDED: "it was never recorded",
    Holding.REVOKED: "it was revoked",
    Holding.EXPIRED: "it has expired",
}


@dataclass(slots=True)
class Enrollments:
    """Who can prove who acts, as far as the record was followed.

    An enrollment counts where an administrator recorded it who proved it; the first one where the
    person is an administrator.

    Attributes:
        roster: who holds which credential.
        persons: by ``person_key``, how each can prove it now.
    """

    roster: Roster
    persons: dict[str, events.PersonEnrolled] = field(default_factory=dict)

    @classmethod
    def of(cls, roster: Roster) -> Enrollments:
        """As the whole record stands."""
        return cls(roster, {key: known[-1][1] for key, known in roster.enrolled.items()})

    def take(self, fact: events.PersonEnrolled) -> bool:
        """Follow one enrollment; return whether it counts. What does not count changes nothing."""
        counts = self.refusal(fact) is None
        if counts:
            self.persons[person_key(fact.person)] = fact
        return counts

    def refusal(self, fact: events.PersonEnrolled) -> str | None:
        """Return why an enrollment does not count; None where it does."""
        by, at = fact.enrolled_by, fact.event_time
        if fact.recorded_by is None or not self.roster.are_one(fact.recorded_by, by):
            return f"{fact.recorded_by or 'a machine'} recorded it in the name of {by}"
        for person in (fact.person, by):
            if self.roster.holding(person, at) is not Holding.HELD:
                return f"No valid credential for {person} on this date"
        if ADMINISTRATION.isdisjoint(self.roster.departments(by, at)):
            return f"{by} is nobody of administration"
        if (fact.how is events.ProofKind.KEY) is (fact.public_key is None):
            return "a key is enrolled with its public half, a pass phrase without"
        if not self.persons:
            return None if self.roster.are_one(fact.person, by) else "nobody enrolled before"
        return unproved(fact, by, fact.proof, self.persons)


def roster_of(facts: Iterable[tuple[int, events.Fact]]) -> Roster:
    """Make the roster of facts, in any order, each with the moment from which it holds."""
    roster = Roster()
    enrollments = Enrollments(roster)
    later: list[tuple[int, events.PersonEnrolled]] = []
    for at, fact in sorted(facts, key=lambda pair: (pair[0], pair[1].stream, pair[1].seq)):
        if isinstance(fact, events.PersonEnrolled):
            later.append((at, fact))  # after the credentials that it leans on
        else:
            roster.take(fact, at)
    for at, enrolled in later:
        if enrollments.take(enrolled):
            roster.enroll(enrolled, at)
    return roster
