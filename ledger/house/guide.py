"""The gaming guide: approved before it is issued or shown, given to anyone who asks, on the web.

Law: § 521.9(b) to (f). A guide that differs immaterially from an approved one needs no approval;
what is material is a judgment, and is taken as recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import events
from ledger.games.room import Breach
from ledger.house.duties import BY_ROW
from ledger.house.office import Office
from ledger.house.records import last
from ledger.kernel import Certainty, ref_of

NOT_APPROVED = "gaming_guide_not_approved@.9(c)#"
DIFFERS = "gaming_guide_not_approved@.9(d)#"


def judge_use(office: Office, fact: events.GuideIssued | events.GuideDisplayed) -> Iterator[Breach]:
    """Judge a guide issued, distributed or displayed: § 521.9(c), (d); in any place: (e)."""
    use = "issued" if isinstance(fact, events.GuideIssued) else "displayed"
    yield from _used(office, fact, fact.guide, use)


def judge_guide_request(office: Office, fact: events.GuideRequested) -> Iterator[Breach]:
    """Judge a request for a guide: § 521.9(b); the guide that was given must be approved."""
    if fact.given is not True:
        yield Breach(
            duty=BY_ROW["gaming_guide_not_available@.9(b)#"],
            facts=(ref_of(fact),),
            observed=fact.requested_by or "Somebody",
            certainty=_certain(fact.given is False),
        )
    elif fact.guide is not None:
        yield from _used(office, fact, fact.guide, "given to a patron")
    elif not any(approved(office, guide, fact.event_time) for guide in office.guides.decided):
        yield Breach(
            duty=BY_ROW[NOT_APPROVED],
            facts=(ref_of(fact),),
            observed="(which is not recorded)",
            expected="given to a patron",
            certainty=Certainty.UNKNOWN,
        )


def judge_web_site(office: Office, fact: events.WebSiteChecked) -> Iterator[Breach]:
    """Judge a look at the web site: § 521.9(f); the guide that is there must be approved."""
    if fact.guide_present is not True:
        yield Breach(
            duty=BY_ROW["gaming_guide_not_on_web@.9(f)#"],
            facts=(ref_of(fact),),
            certainty=_certain(fact.guide_present is False),
        )
    elif fact.guide is not None:
        yield from _used(office, fact, fact.guide, "shown on the web site")


def judge_withdrawal(office: Office, fact: events.GuideSampleDecided) -> Iterator[Breach]:
    """Report a guide still on display at the end of the gaming day on which its approval ended."""
    clock = office.clock
    if fact.approved or clock is None:
        return
    _, ends = clock.bounds(clock.day_of(fact.event_time))
    if approved(office, fact.guide, ends - 1) is not False:
        return
    for display in office.guides.shown(fact.guide, ends - 1):
        if display.event_time < fact.event_time:
            yield Breach(
                duty=BY_ROW[NOT_APPROVED],
                facts=(ref_of(display), ref_of(fact)),
                observed=fact.guide,
                expected="left on display after its approval was taken back",
                certainty=_certain(office.sure(fact.event_time, ends - 1)),
            )


def approved(office: Office, guide: str, at: int) -> bool | None:
    """Whether Gaming Operations approved a sample of this very guide; None: unclear.

    ``at`` is in microseconds UTC; the last decision up to then counts.
    """
    decision = last(office.guides.decided.get(guide, ()), at)
    if decision is None or not decision.approved:
        stated = decision.event_time if decision is not None else None
        return False if office.sure(stated, at) else None
    if decision.bureau in (None, events.Bureau.UNRECOGNISED):
        return None
    return decision.bureau is events.Bureau.GAMING_OPERATIONS


def _used(office: Office, fact: events.Fact, guide: str, use: str) -> Iterator[Breach]:
    row, answer = _standing(office, guide, fact.event_time)
    if answer is not True:
        yield Breach(
            duty=BY_ROW[row],
            facts=(ref_of(fact),),
            observed=guide,
            expected=use,
            certainty=_certain(answer is False),
        )


def _standing(office: Office, guide: str, at: int) -> tuple[str, bool | None]:
    """Return the duty by which a guide is judged, and whether it was kept; None: not known.

    A guide may rest on its own approval or on that of the guide that it revises.
    """
    seen, name, own = {guide}, guide, approved(office, guide, at)
    sure, differences = own is not None, set[bool | None]()
    while own is not True:
        prepared = last(office.guides.prepared.get(name, ()), at)
        if prepared is None or prepared.revision_of is None or prepared.revision_of in seen:
            return NOT_APPROVED, False if sure else None
        differences.add(prepared.materially_different)
        name = prepared.revision_of
        seen.add(name)
        own = approved(office, name, at)
        sure = sure and own is not None
    if differences <= {False}:
        return NOT_APPROVED, True
    return DIFFERS, False if sure and True in differences else None


def _certain(known: bool) -> Certainty:
    return Certainty.BROKEN if known else Certainty.UNKNOWN
