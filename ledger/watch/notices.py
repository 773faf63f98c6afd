"""What a watch says: a finding that arose, changed or fell away; a table that fell silent."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from ledger.kernel import FactRef, Finding, table_of
from ledger.kernel.quick_dataclass import dataclass

Key = tuple[str, str, str, str]
"""Id, telling, version and change of a notice: what tells one telling from another."""


class Change(StrEnum):
    """What happened to a finding."""

    FOUND = "found"
    RESTATED = "restated"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A finding as it is told.

    Attributes:
        id: the same for the same finding, whoever tells it and however often: 32 hexadecimal digits
            of SHA-256 over ledger, gaming day, code, round, wager and the fact it belongs to.
        version: 16 digits of SHA-256 over what it says; another where a later fact changed that.
        change: whether it is new, says something else, or fell away.
        telling: counts what is said of this finding, from 1: a finding that was withdrawn may be
            found again, and its number tells the second time from the first.
        because: for a change after the first telling, why, for people.
        gaming_day: the day under which it is reported.
        code, severity, certainty, sentence, section, expected, observed: as in ``Finding``.
        stream: the stream of the fact that it belongs to; the key of its record.
        table: the table, or the office.
        round, wager: as in ``Finding``.
        facts: the facts it rests on.
        effect_cents: as in ``Finding``.
        happened_at: the time of the fact that it belongs to, microseconds UTC; None if not known.
    """

    id: str
    version: str
    change: Change
    because: str
    gaming_day: date
    code: str
    severity: str
    certainty: str
    sentence: str
    section: str
    stream: str
    table: str
    round: str | None
    wager: str | None
    facts: tuple[str, ...]
    expected: str | None
    observed: str | None
    effect_cents: int | None
    happened_at: int | None
    telling: int = 1

    @property
    def key(self) -> Key:
        """What tells one telling from another: of these, nobody needs to see two."""
        return self.id, str(self.telling), self.version, self.change.value

    def says_what(self, other: Notice) -> bool:
        """Whether it says of its finding what another one does: that it stands so, or does not."""
        gone = Change.WITHDRAWN
        if self.change is gone or other.change is gone:
            return self.change is other.change
        return self.version == other.version


class Feed(NamedTuple):
    """A table as a whole, or with ``stream`` one of its feeds."""

    table: str
    stream: str | None = None


class FeedLimit(NamedTuple):
    """How long a table or a feed may be silent.

    Attributes:
        feed: the table or the feed.
        micros: so many microseconds.
        fact: the fact that registered it; None: nothing is registered, it is the default.
        terminal: who writes the feed; None for a table, or if not known.
    """

    feed: Feed
    micros: int
    fact: str | None
    terminal: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """A table or a feed of one that fell silent while it was open, or a picture that was lost.

    Attributes:
        table: the table.
        last_at: its last fact, or when the picture was lost, microseconds UTC.
        floor_at: the last fact of any table then, microseconds UTC.
        is_over: it is heard again, or the picture is back.
        camera: the camera; None where the table itself is silent.
        is_behind: its facts come, but later than it may be silent.
        stream: the feed that is silent; None: the table as a whole.
        limit_micros: how long it may be silent, microseconds; None for a picture.
        limit_fact: the fact that registered that; None: nothing is registered, it is the default.
    """

    table: str
    last_at: int
    floor_at: int
    is_over: bool
    camera: str | None = None
    is_behind: bool = False
    stream: str | None = None
    limit_micros: int | None = None
    limit_fact: str | None = None


def identity(origin: str, finding: Finding) -> str:
    """Return the id of a finding in a ledger; see ``Notice``."""
    last = str(finding.facts[-1]) if finding.facts else finding.stream
    parts = (
        origin,
        finding.gaming_day.isoformat(),
        finding.code,
        finding.round or "",
        finding.wager or "",
        last,
    )
    return sha256("\0".join(parts).encode()).hexdigest()[:32]


def notice_of(origin: str, finding: Finding, happened_at: int | None, number: int = 0) -> Notice:
    """Return the first telling of a finding.

    Args:
        origin: the ledger's.
        finding: what was found.
        happened_at: the time of the fact that it belongs to.
        number: counts findings that nothing else tells apart.
    """
    name = identity(origin, finding)
    if number:
        name = sha256(f"{name}\0{number}".encode()).hexdigest()[:32]
    section = finding.citations[0].pin if finding.citations else ""
    notice = Notice(
        id=name,
        version="",
        change=Change.FOUND,
        because="",
        gaming_day=finding.gaming_day,
        code=finding.code,
        severity=finding.severity.value,
        certainty=finding.certainty.value,
        sentence=finding.sentence,
        section=section,
        stream=finding.stream,
        table=table_of(finding.stream),
        round=finding.round,
        wager=finding.wager,
        facts=tuple(str(fact) for fact in finding.facts),
        expected=finding.expected,
        observed=finding.observed,
        effect_cents=finding.effect_cents,
        happened_at=happened_at,
    )
    return replace(notice, version=version_of(notice))


def version_of(notice: Notice) -> str:
    """Return the hash of what a notice says; see ``Notice``."""
    says = (
        notice.severity, notice.certainty, notice.sentence, notice.section, notice.facts,
        notice.expected, notice.observed, notice.effect_cents,
    )  # fmt: skip
    return sha256(json.dumps(says).encode()).hexdigest()[:16]


def belongs_to(finding: Finding) -> FactRef | None:
    """Return the fact that a finding belongs to; None where it rests on none."""
    return finding.facts[-1] if finding.facts else None


def notice_data(notice: Notice) -> dict[str, object]:
    """Return a notice as plain data."""
    return {
        "id": notice.id,
        "version": notice.version,
        "change": notice.change.value,
        "telling": notice.telling,
        "because": notice.because,
        "gaming_day": notice.gaming_day.isoformat(),
        "code": notice.code,
        "severity": notice.severity,
        "certainty": notice.certainty,
        "sentence": notice.sentence,
        "section": notice.section,
        "stream": notice.stream,
        "table": notice.table,
        "round": notice.round,
        "wager": notice.wager,
        "facts": list(notice.facts),
        "expected": notice.expected,
        "observed": notice.observed,
        "effect_cents": notice.effect_cents,
        "happened_at": notice.happened_at,
    }


def notice_from(plain: dict[str, object]) -> Notice:
    """Return the notice of plain data; the counterpart of ``notice_data``.

    Raises:
        KeyError, TypeError, ValueError: they are not those of a notice.
    """
    facts = plain["facts"]
    if not isinstance(facts, list):
        raise TypeError("facts are a list")
    values = {
        **plain,
        "change": Change(str(plain["change"])),
        "gaming_day": date.fromisoformat(str(plain["gaming_day"])),
        "facts": tuple(map(str, facts)),
    }
    return Notice(**values)  # type: ignore[arg-type]


def silence_data(silence: Silence) -> dict[str, object]:
    """Return a silence as plain data; times are microseconds UTC."""
    return {
        "table": silence.table,
        "last_at": silence.last_at,
        "floor_at": silence.floor_at,
        "is_over": silence.is_over,
        "camera": silence.camera,
        "is_behind": silence.is_behind,
        "stream": silence.stream,
        "limit_micros": silence.limit_micros,
        "limit_fact": silence.limit_fact,
    }
