"""Where a rule stands: a pin to a section, with its edition."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class EditionStatus(StrEnum):
    """How the text we hold stands on a gaming day."""

    IN_FORCE = "in force"
    NOT_YET = "not yet in force"
    CONTINUED = "continued, text not held"
    LAPSED = "lapsed, no text known"


@dataclass(frozen=True, slots=True)
class Edition:
    """One published text of a chapter, and how long it held.

    Args:
        chapter: number, "539".
        source: where it was published, "40 Pa.B. 1740".
        since: first gaming day.
        until: first gaming day on which it no longer holds by its own words, None while open.
        continued_as: the chapter that followed, "625a".
        continued_since: its first day; the days between ``until`` and this are a lapse gap.
    """

    chapter: str
    source: str
    since: date
    until: date | None = None
    continued_as: str | None = None
    continued_since: date | None = None

    def standing(self, day: date) -> EditionStatus:
        """How this text stands on a gaming day (readings: lapse-gap)."""
        if day < self.since:
            return EditionStatus.NOT_YET
        if self.until is None or day < self.until:
            return EditionStatus.IN_FORCE
        if self.continued_as is None or (
            self.continued_since is not None and day < self.continued_since
        ):
            return EditionStatus.LAPSED
        return EditionStatus.CONTINUED

    def remark(self, day: date) -> str | None:
        """What every citation of that day adds, None while the text is in force."""
        match self.standing(day):
            case EditionStatus.IN_FORCE:
                return None
            case EditionStatus.NOT_YET:
                return f"in force only from {self.since}"
            case EditionStatus.CONTINUED:
                return f"continued as {self.continued_as}, text not held"
            case EditionStatus.LAPSED:
                return "no text is known for that day"


@dataclass(frozen=True, slots=True)
class Citation:
    """A pin to the words of a section; a citation without an edition cannot be made.

    ``section`` is the number with its subsections: "539.6(b)", "L.1". ``part`` names one thing of
    a section that says several, by the list of obligations ("#2", "#total-9").
    """

    edition: Edition
    section: str
    part: str = ""

    @property
    def pin(self) -> str:
        """The section as people say it: "§ 539.6(b)"."""
        return f"§ {self.section}"

    def __str__(self) -> str:
        return f"§ {self.section} ({self.edition.source})"

    def on(self, day: date) -> str:
        """The citation as it must be printed for a gaming day."""
        remark = self.edition.remark(day)
        return (
            str(self) if remark is None else f"§ {self.section} ({self.edition.source}; {remark})"
        )
