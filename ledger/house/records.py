"""What the office recorded about requests, permissions, the rules text and the gaming guide.

It is only looked up here, for a moment; ``requests.py``, ``access.py`` and ``guide.py`` judge it. A
decision that states its own time holds from then on, but not before what it decides on was filed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Protocol, TypeVar

from ledger import events
from ledger.kernel.quick_dataclass import dataclass


class _Timed(Protocol):
    @property
    def event_time(self) -> int: ...


T = TypeVar("T", bound=_Timed)


def last(facts: Iterable[T], at: int) -> T | None:
    """Return the last of these facts up to a moment; the later one of two with the same time."""
    latest: T | None = None
    for fact in facts:
        if fact.event_time <= at and (latest is None or latest.event_time <= fact.event_time):
            latest = fact
    return latest


def plain(words: str) -> str:
    """Return words in lower case, without extra blanks and without a leading article.

    >>> plain("  The Security   Podium")
    'security podium'
    """
    bare = " ".join(words.casefold().split())
    for article in ("the ", "its ", "a ", "an "):
        bare = bare.removeprefix(article)
    return bare


def filed_at(request: events.GameRequestFiled) -> int:
    """Return when a request was filed, microseconds UTC: as stated, else when it was recorded."""
    return request.event_time if request.filed_time is None else request.filed_time


def decided_at(decision: events.RequestDecided) -> int:
    """Return when a request was decided, microseconds UTC: as stated, else when it was recorded."""
    return decision.event_time if decision.decided_time is None else decision.decided_time


@dataclass(slots=True)
class Requests:
    """Requests for something new (§ 521.4), by their ids, and the decisions on them."""

    filed: dict[str, list[events.GameRequestFiled]] = field(default_factory=dict)
    decided: dict[str, list[events.RequestDecided]] = field(default_factory=dict)

    def approved(self, game: str, wager: str | None, at: int) -> bool | None:
        """Whether a game, or a wager within it, was approved on request by then.

        Args:
            game: the game.
            wager: the wager; None for the game itself.
            at: the moment, microseconds UTC.

        Returns:
            None if no request for it is on record.
        """
        known = None
        for name, requests in self.filed.items():
            mine = [r for r in requests if _asks_for(r, game, wager) and filed_at(r) <= at]
            if not mine:
                continue
            known = bool(known)
            since = min(filed_at(request) for request in mine)
            decision = max(
                (d for d in self.decided.get(name, ()) if max(decided_at(d), since) <= at),
                key=lambda d: (decided_at(d), d.event_time, d.seq),
                default=None,
            )
            if decision is not None and decision.approved:
                return True
        return known


def _asks_for(request: events.GameRequestFiled, game: str, wager: str | None) -> bool:
    if request.game != game:
        return False
    if wager is None:
        return request.kind is events.RequestKind.GAME
    return (
        request.kind in (events.RequestKind.WAGER, events.RequestKind.FEATURE)
        and request.feature == wager
    )


@dataclass(slots=True)
class Access:
    """Permitted devices (§ 521.6), and the places of the text of the rules (§ 521.9)."""

    permissions: dict[tuple[str, str | None], list[events.ElectronicDevicePermitted]] = field(
        default_factory=dict
    )
    places: dict[str, list[events.RulesTextPlaceApproved]] = field(default_factory=dict)
    looks: list[events.RulesTextKept] = field(default_factory=list)

    def permission(
        self, device: str, person: str | None, at: int
    ) -> events.ElectronicDevicePermitted | None:
        """Return the last decision on a device for a person; None if there is none.

        Withdrawing a permission for everyone leaves a person's own.

        Args:
            device: the device in the words of a fact; case, extra blanks and a leading
                article do not matter.
            person: the credential of its holder; None: nobody in particular.
            at: the moment, microseconds UTC.
        """
        to_all = last(self.permissions.get((plain(device), None), ()), at)
        own = last(self.permissions.get((plain(device), person), ()), at) if person else None
        if own is None or to_all is None:
            return own or to_all
        if to_all.withdrawn:
            return own
        return own if not own.withdrawn or own.event_time >= to_all.event_time else to_all


@dataclass(slots=True)
class Guides:
    """Gaming guides (§ 521.9): how they were prepared, decided on and shown."""

    prepared: dict[str, list[events.GuidePrepared]] = field(default_factory=dict)
    decided: dict[str, list[events.GuideSampleDecided]] = field(default_factory=dict)
    displays: list[events.GuideDisplayed | events.GuideRemoved] = field(default_factory=list)

    def shown(self, guide: str, at: int) -> list[events.GuideDisplayed]:
        """Return the displays of a guide that were not removed by then, one for each place."""
        up: dict[str | None, events.GuideDisplayed] = {}
        for fact in self.displays:
            if fact.guide != guide or fact.event_time > at:
                continue
            if isinstance(fact, events.GuideDisplayed):
                up.setdefault(fact.place, fact)
            elif fact.place is None:
                up.clear()
            else:
                up.pop(fact.place, None)
                up.pop(None, None)
        return list(up.values())


def record(requests: Requests, access: Access, guides: Guides, fact: events.Fact) -> None:
    """Add one office fact where it belongs; facts come in merged order."""
    match fact:
        case events.GameRequestFiled():
            requests.filed.setdefault(fact.request, []).append(fact)
        case events.RequestDecided():
            requests.decided.setdefault(fact.request, []).append(fact)
        case events.ElectronicDevicePermitted():
            key = (plain(fact.device), fact.person)
            access.permissions.setdefault(key, []).append(fact)
        case events.RulesTextPlaceApproved():
            access.places.setdefault(plain(fact.place), []).append(fact)
        case events.RulesTextKept():
            access.looks.append(fact)
        case events.GuidePrepared():
            guides.prepared.setdefault(fact.guide, []).append(fact)
        case events.GuideSampleDecided():
            guides.decided.setdefault(fact.guide, []).append(fact)
        case events.GuideDisplayed() | events.GuideRemoved():
            guides.displays.append(fact)
        case _:
            pass
