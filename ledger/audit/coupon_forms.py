"""The forms of the coupon program with their issues: who signed which, and what changed since.

A signature names the size of the ledger on which it was given. When a later fact changes a signed
form, the form is made again from the ledger as it stood then, and both are shown.
Law: 58 Pa. Code § 525.21(j)(8), (m)(2), (r)(2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.audit.amended_coupon_facts import amended_before, amended_of_form, marked_of
from ledger.audit.coupons import OFFICE, read_coupons
from ledger.audit.dates import days_held, own_span
from ledger.audit.late_and_added_facts import Arrivals
from ledger.audit.ledger_contract import _finding, day_of, numbered_here
from ledger.audit.office import HouseRecord, read_office
from ledger.coupons import CustodyRegister, forms
from ledger.events import CouponFormSigned
from ledger.kernel import Finding, Severity, UsageError, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import EarlierLog, ReadableLog
from ledger.replay import FactStep, Holding, Mark, Replay

if TYPE_CHECKING:
    from ledger.coupons.forms import Form, Issue


class NoCoupons(UsageError):
    """The ledger has no fact of the coupon program."""

    code = "no_coupons"


def read_signatures(replay: Replay) -> tuple[CouponFormSigned, ...]:
    """Return every signature on a derived form, in merged order."""
    steps = replay.walk(replay.offices().get(OFFICE, ()), only={"CouponFormSigned"})
    return tuple(
        step.fact
        for step in steps
        if isinstance(step, FactStep) and isinstance(step.fact, CouponFormSigned)
    )


@dataclass(slots=True)
class FormDesk:
    """Makes the forms of a ledger as it stands, each with its issue.

    Args:
        log: the log.
        replay: its replay.
        house: the house's facts.
        book: the custody of coupons, followed to the end of the record.
        signatures: every signature on a form, in merged order.
    """

    log: ReadableLog
    replay: Replay
    house: HouseRecord
    book: CustodyRegister
    signatures: tuple[CouponFormSigned, ...]
    _earlier: dict[int, tuple[bytes, CustodyRegister | None]] = field(default_factory=dict)
    _recorded: CustodyRegister | None = None
    _marks: tuple[Mark, ...] | None = None

    @classmethod
    def open(
        cls, log: ReadableLog, carried: Path | None = None, replay: Replay | None = None
    ) -> FormDesk:
        """Read the coupon program of a log.

        Args:
            log: the log.
            carried: folder for carried states (a cache).
            replay: the log's replay, where there is one already.

        Raises:
            NoCoupons: the log has no fact of the program.
            PropertyUnknown: no fact says in which time zone the property lies.
        """
        replay = Replay(log) if replay is None else replay
        house = read_office(replay)
        book = read_coupons(replay, house, carried)
        if book is None:
            raise NoCoupons(
                "The ledger has no fact of Match Play Coupons.",
                next_step="append the facts of the streams coupons/finance, coupons/marketing, ...",
            )
        return cls(log, replay, house, book, read_signatures(replay))

    def last_day(self) -> date:
        """Return the last gaming day with coupons, one dated years off only as a last resort."""
        groups = {**self.replay.tables(), OFFICE: self.replay.offices().get(OFFICE, ())}
        streams = (one for group in groups.values() for one in group if not numbered_here(one))
        span = own_span(self.replay, self.house.clock, streams)
        own = [day for day in self.book.days if span and span[0] <= day <= span[1]]
        return max(own or self.book.days)

    def issue(self, name: str, day: date) -> Issue:
        """Return a form of a gaming day, with its issue and what changed since the signed one.

        Args:
            name: the form's name, a key of ``MAKERS``.
            day: the gaming day.

        Raises:
            FormUnknown: there is no form of that name.
        """
        form = forms.form_of(self.book, name, day)
        amended = amended_of_form(self.replay, self.book, form)
        earlier = amended_before(self.replay, self.book, form)
        if earlier and self._as_recorded(name, day) != form.plain():
            amended = (*earlier, *amended)
        span = form.period or form.day.isoformat()
        marked = marked_of(self.replay, self.book, span, self._marks_of_days())
        counting = counting_signatures(self.replay, self.book, form, self.signatures)
        issue = replace(forms.issue_of(form, counting), amended=amended, marked=marked)
        return self._beside(issue, name, day) if issue.before else issue

    def _as_recorded(self, name: str, day: date) -> dict[str, object] | None:
        """Return the form as the facts recorded first would make it, without any amendment."""
        if self._recorded is None:
            replay = Replay(self.log, as_recorded=True)
            self._recorded = read_coupons(replay, read_office(replay))
        return (
            forms.form_of(self._recorded, name, day).plain() if self._recorded is not None else None
        )

    def marks(self, day: date) -> tuple[Mark, ...]:
        """Return the marked facts of coupons of a gaming day, or about it."""
        return marked_of(self.replay, self.book, day.isoformat(), self._marks_of_days())

    def _marks_of_days(self) -> tuple[Mark, ...]:
        """Return the marked facts of every gaming day; they are read once."""
        if self._marks is None:
            arrivals = Arrivals.of(self.replay, self.house)
            clock, streams = self.house.clock, self.replay.streams()
            self._marks = tuple(
                mark
                for day in sorted(days_held(self.replay, clock, streams))
                for mark in arrivals.of_day(day_of(clock, day)).values()
            )
        return self._marks

    def issues(self, day: date, names: Iterable[str] | None = None) -> tuple[Issue, ...]:
        """Return several forms of a gaming day; all of them by default."""
        return tuple(self.issue(name, day) for name in (forms.MAKERS if names is None else names))

    def _beside(self, issue: Issue, name: str, day: date) -> Issue:
        """Add the issue that was signed before, made again from the ledger of that time."""
        signed = issue.before[-1]
        root, book = self._at(signed.tree_size)
        if root != signed.root:
            return replace(
                issue,
                doubt=f"Issue {signed.issue} was signed on a ledger of {signed.tree_size} entries"
                " with another root than this one had: it cannot be made again from this ledger.",
            )
        former: Form | None = forms.form_of(book, name, day) if book is not None else None
        if former is None or former.digest() != signed.digest:
            return replace(
                issue,
                former=former,
                doubt=f"Issue {signed.issue}, made again from the ledger on which it was signed,"
                " has another digest than the one signed: what was signed is not what stands here.",
            )
        return replace(issue, former=former, differences=forms.differences(former, issue.form))

    def _at(self, size: int) -> tuple[bytes, CustodyRegister | None]:
        """Return root and book of the ledger at a size; an empty root if it never had that size."""
        earlier = self._earlier.get(size)
        if earlier is None:
            if not 0 < size <= self.log.size:
                return b"", None
            log = EarlierLog(self.log, size)
            replay = Replay(log)
            earlier = log.root, read_coupons(replay, read_office(replay))
            self._earlier[size] = earlier
        return earlier


def form_findings(replay: Replay, book: CustodyRegister | None, day: date) -> list[Finding]:
    """Report forms signed for a gaming day, or for a period ending on it, that changed since.

    Signatures that do not count are reported too. ``book`` None: the ledger has no coupons, so
    nothing is reported.
    """
    if book is None:
        return []
    findings: list[Finding] = []
    signatures = read_signatures(replay)
    for name in _concerned(signatures, day):
        form = forms.form_of(book, name, day)
        counting = counting_signatures(replay, book, form, signatures)
        finding = forms.judge_issue(forms.issue_of(form, counting), day)
        if finding is not None:
            findings.append(finding)
        findings.extend(
            _finding(
                day_of(book.clock, day),
                "decision_not_entitled",
                ".10",
                (ref_of(one),),
                Severity.HIGH,
                f"It does not count that {one.signature.person or 'nobody'} signed {form.form_id}"
                f" issue {one.issue}. {why}.",
                expected="a person who may sign it",
                observed=one.signature.person or "nobody",
            )
            for one, why in idle_signatures(replay, book, form, signatures)
        )
    return findings


def counting_signatures(
    replay: Replay, book: CustodyRegister, form: Form, signatures: Iterable[CouponFormSigned]
) -> tuple[CouponFormSigned, ...]:
    """Return those of the signatures that count for a form.

    Args:
        replay: the replay of the ledger.
        book: the coupons' custody, as the ledger has it now.
        form: the form.
        signatures: those of any forms, in the order in which they were recorded.
    """
    all_signatures = tuple(signatures)
    idle = {ref_of(one) for one, _ in idle_signatures(replay, book, form, all_signatures)}
    return tuple(one for one in all_signatures if ref_of(one) not in idle)


def idle_signatures(
    replay: Replay, book: CustodyRegister, form: Form, signatures: Iterable[CouponFormSigned]
) -> Iterator[tuple[CouponFormSigned, str]]:
    """Yield the signatures of a form that do not count, and why.

    The reasons are those for which the command that signs would refuse them.
    """
    counting: list[CouponFormSigned] = []
    for signature in signatures:
        if signature.form is not form.form or signature.form_id != form.form_id:
            continue
        why = _bar(
            replay, book, form, signature, [two for two in counting if two.issue == signature.issue]
        )
        if why is None:
            counting.append(signature)
        else:
            yield signature, why


def _bar(
    replay: Replay,
    book: CustodyRegister,
    form: Form,
    signature: CouponFormSigned,
    beside: Iterable[CouponFormSigned],
) -> str | None:
    """Return why a signature does not count, None if it does."""
    roster, person, at = replay.roster(), signature.signature.person or "", signature.event_time
    if signature.recorded_by is not None and not roster.are_one(signature.recorded_by, person):
        return f"{signature.recorded_by} recorded it in the name of {person or 'nobody'}"
    holding = roster.holding(person, at)
    if holding is not Holding.HELD:
        return f"No valid credential for {person or 'nobody'} on this date"
    stated = roster.name_differs(person, signature.signature.printed_name or "", at)
    if stated is not None:
        printed = signature.signature.printed_name or "unnamed"
        return f"{person} is {stated} on the record, not {printed}"
    if any(roster.are_one(two.signature.person or "", person) for two in beside):
        return f"{person} has signed this issue already"
    if not any(
        signer.signed_as is signature.signed_as
        and book.program.acts_for(person, at, signer.department, supervisor=signer.supervisor)
        for signer in form.signers
    ):
        return f"{person} has not the function to sign it as {signature.signed_as.value.lower()}"
    bar = roster.unproved(signature, person, signature.proof)
    return None if bar is None else bar.why


def _concerned(signatures: Iterable[CouponFormSigned], day: date) -> list[str]:
    """Return the names of forms signed for a day, or for a month or quarter that ends on it."""
    tomorrow = day + timedelta(days=1)
    ends_month = tomorrow.day == 1
    ends_quarter = ends_month and tomorrow.month % 3 == 1
    periods = {f"{day:%Y-%m}"} if ends_month else set()
    if ends_quarter:
        periods.add(f"{day.year}-Q{(day.month - 1) // 3 + 1}")
    kinds = {
        one.form
        for one in signatures
        if one.for_gaming_day == day.isoformat() or one.period in periods
    }
    return [name for name, kind in forms.KINDS.items() if kind in kinds]
