"""Refusals of an import: the file or its profile as a whole. A bad row is a value, ``RowFault``."""

from __future__ import annotations

from ledger.kernel import SourceUnavailable, UsageError


class ProfileUnknown(UsageError):
    """No profile has that name."""

    code = "profile_unknown"

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(
            f'There is no profile "{name}".',
            next_step=f"one of: {', '.join(known)}; or the path of a profile of your own (.toml)",
        )


class ProfileWrong(UsageError):
    """A profile does not say what a profile must say."""

    code = "profile_wrong"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"The profile cannot be used: {problem}.", where=where)


class SheetUnreadable(UsageError):
    """The file cannot be read as a sheet at all."""

    code = "sheet_unreadable"

    def __init__(self, where: str, problem: str, next_step: str | None = None) -> None:
        super().__init__(f"The file cannot be read: {problem}.", where=where, next_step=next_step)


class HeadingsMissing(UsageError):
    """No row of the file has the headings that the profile needs."""

    code = "headings_missing"

    def __init__(self, where: str, missing: list[str], fits: list[str]) -> None:
        step = f"it has the headings of: {', '.join(fits)}" if fits else None
        super().__init__(
            f"The file has no column for: {', '.join(missing)}.",
            where=where,
            cause="another profile's file, or a heading that was changed",
            next_step=step,
        )


class HeadingTwice(UsageError):
    """Two columns have one heading."""

    code = "heading_twice"

    def __init__(self, where: str, heading: str) -> None:
        super().__init__(f'Two columns have the heading "{heading}".', where=where)


class FileEmpty(UsageError):
    """There is no row below the headings."""

    code = "file_empty"

    def __init__(self, where: str) -> None:
        super().__init__("The file has no row below its headings.", where=where)


class ClockUnknown(UsageError):
    """Local times cannot be read before the property has said where it is."""

    code = "property_not_described"

    def __init__(self) -> None:
        super().__init__(
            "The ledger does not yet say which time zone the property is in.",
            next_step="`pitledger property describe --name NAME --time-zone ZONE --by YOU`",
        )


class SpoolFailed(SourceUnavailable):
    """The rows of a file could not be kept until all of it was read; nothing was written."""

    code = "spool_failed"

    def __init__(self, problem: str, next_step: str) -> None:
        super().__init__(f"The rows could not be kept aside: {problem}.", next_step=next_step)
        self.problem = problem


class MendedWrong(UsageError):
    """Mended rows that cannot be put back, or a file in the place of one that would be written."""

    code = "mended_wrong"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"The mended rows cannot be put back: {problem}.",
            where=where,
            next_step="write the refused rows anew with --rejected, and mend them there",
        )


class StoreNeeded(UsageError):
    """A sheet of names is read only where they can be kept apart from the facts."""

    code = "store_needed"

    def __init__(self, profile: str) -> None:
        super().__init__(
            f"The profile {profile} holds names of patrons, and no store for them was given."
        )


class PersonNeeded(UsageError):
    """An import is the act of a person."""

    code = "person_needed"

    def __init__(self, option: str, why: str) -> None:
        super().__init__(f"{option} is needed: {why}.")


class AmendmentWrong(UsageError):
    """An amendment that would change nothing."""

    code = "amendment_wrong"

    def __init__(self, problem: str) -> None:
        super().__init__(f"This amendment would change nothing: {problem}.")


class PropertyKnown(UsageError):
    """The property is described already; gaming days follow from the first description."""

    code = "property_known"

    def __init__(self, name: str, zone: str) -> None:
        super().__init__(f"The ledger already describes the property: {name}, {zone}.")


class PropertyWrong(UsageError):
    """A description of a property from which gaming days cannot be told."""

    code = "property_wrong"

    def __init__(self, problem: str) -> None:
        super().__init__(f"This description of the property cannot be used: {problem}.")
