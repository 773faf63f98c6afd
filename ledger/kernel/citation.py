"""Where a rule stands: a pin to a section, with its edition."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from ledger.kernel.quick_dataclass import dataclass


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

    >>> from datetime import date
    >>> text = Edition("689", "50 Pa.B. 6778", date(2020, 11, 28), date(2022, 11, 28),
    ...                continued_as="689a", continued_since=date(2024, 5, 25))
    >>> for day in (date(2020, 1, 1), date(2021, 1, 1), date(2023, 1, 1), date(2025, 1, 1)):
    ...     print(text.standing(day).value)
    not yet in force
    in force
    lapsed, no text known
    continued, text not held
    """

    chapter: str
    source: str
    since: date
    until: date | None = None
    continued_as: str | None = None
    continued_since: date | None = None

    def standing(self, day: date) -> EditionStatus:
        """Say whether this text was in force on a gaming day (readings: lapse-gap).

        A chapter that was continued without a recorded first day counts as continued from ``until``
        on.
        """
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
        """Return what every citation of that day adds, None while the text is in force."""
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

    Args:
        edition: the text that is cited.
        section: the number with its subsections: "539.6(b)", "L.1".
        part: names one of several statements in a section, by the list of obligations ("#2" stands
            for "2", "#total-9" for "total-9"). It is never printed.
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
        """Print the citation for a gaming day: with the edition's remark if it was not in force.

        >>> from datetime import date
        >>> text = Edition("539", "40 Pa.B. 1740", date(2010, 4, 3), date(2012, 4, 3), "625a")
        >>> Citation(text, "539.6(b)").on(date(2011, 1, 1))
        '§ 539.6(b) (40 Pa.B. 1740)'
        >>> Citation(text, "539.6(b)").on(date(2013, 1, 1))
        '§ 539.6(b) (40 Pa.B. 1740; continued as 625a, text not held)'
        """
        remark = self.edition.remark(day)
        return (
            str(self) if remark is None else f"§ {self.section} ({self.edition.source}; {remark})"
        )
