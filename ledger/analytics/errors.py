"""Why a projection or a query cannot honestly go on: one class per reason."""

from __future__ import annotations

from datetime import date

from ledger.kernel import IntegrityBroken, SourceUnavailable, UsageError


def _marts_named() -> str:
    from ledger.analytics.marts import MARTS  # only who asks in vain needs their names

    return f"the marts are {', '.join(MARTS)}; `DESCRIBE wagers` lists one"


class ProjectionStale(SourceUnavailable):
    """The projection is not of the ledger's present state, and no rebuild was allowed."""

    code = "projection_stale"

    def __init__(self, why: str, where: str) -> None:
        super().__init__(
            f"The projection cannot be used as it is: {why}.",
            where=where,
            next_step="ask again and let it be rebuilt",
        )


class CacheUnwritable(SourceUnavailable):
    """The projection must be built and there is no place for it."""

    code = "cache_unwritable"

    def __init__(self, problem: str, where: str) -> None:
        super().__init__(
            f"The projection cannot be written: {problem}.",
            where=where,
            cause="the disk is full, or the folder may only be read",
            next_step="make room, or name another folder for the projection",
        )


class ProjectionBroken(IntegrityBroken):
    """What was built does not keep its own contract: our mistake, so nothing is published."""

    code = "projection_broken"

    def __init__(self, mart: str, problem: str) -> None:
        super().__init__(
            f"The mart {mart} does not keep its contract: {problem}.",
            cause="a mistake of this program; the ledger itself is not touched by it",
            next_step="report it; the audit does not depend on the marts",
        )
        self.mart = mart


class ArchiveMissing(UsageError):
    """The archive does not have the day."""

    code = "archive_missing"

    def __init__(self, day: date | None, where: str) -> None:
        super().__init__(
            f"The archive has no gaming day{'' if day is None else f' {day}'}.",
            where=where,
            next_step=f"pitledger archive write --day {day or 'DAY'}",
        )


class ArchiveUnreadable(IntegrityBroken):
    """What the archive says of a day cannot be read."""

    code = "archive_unreadable"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"The archive's manifest cannot be read: {problem[:200]}.",
            where=where,
            next_step="pitledger archive write makes the day again from the ledger",
        )


class QueryNotOneSelect(UsageError):
    """The text is not exactly one SELECT."""

    code = "sql_not_one_select"

    def __init__(self, statements: str) -> None:
        super().__init__(
            f"Exactly one SELECT can be run; this is {statements}.",
            next_step=_marts_named(),
        )


class QueryWrong(UsageError):
    """The query cannot be understood, or names what is not there."""

    code = "sql_wrong"

    def __init__(self, problem: str) -> None:
        super().__init__(f"The query is wrong: {problem}", next_step=_marts_named())


class QueryRefused(UsageError):
    """The query reaches for something outside the projection."""

    code = "sql_refused"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The query may only read the projection: {problem}",
            cause="files, networks, settings and writing are shut off",
        )


class QueryTimedOut(SourceUnavailable):
    """The query was stopped at its time limit."""

    code = "sql_timeout"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The query was stopped after {seconds:g} s.",
            next_step="narrow it, for instance to one gaming day, or give it a longer --timeout",
        )
        self.seconds = seconds


class QueryTooBig(SourceUnavailable):
    """The query, or its answer, needs more memory than it may have."""

    code = "sql_too_big"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The query needs more memory than it may have: {problem}",
            next_step="select fewer columns, narrow it to one gaming day, or aggregate",
        )


class QueryFailed(SourceUnavailable):
    """The process that ran the query ended without an answer."""

    code = "sql_failed"

    def __init__(self, problem: str) -> None:
        super().__init__(f"The query ended without an answer: {problem}.")


class ArchiveUnproved(IntegrityBroken):
    """No key that the reader trusts sealed the manifest."""

    code = "archive_unproved"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"The archived day is not proved: {problem}.",
            where=where,
            cause="the archive of another ledger, a manifest that was changed, or one written"
            " without the ledger's private key",
            next_step="name the key that you trust with --verifier, or write the day again",
        )


class ArchiveOvertaken(SourceUnavailable):
    """A later state of the ledger was published already, or another ledger's."""

    code = "archive_overtaken"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"The day is not published: {problem}.",
            where=where,
            cause="another publisher was quicker, or this ledger was restored from a backup",
            next_step="pitledger archive list shows what stands; name another address to publish"
            " beside it",
        )


class ArchiveFileTooLarge(UsageError):
    """A stream has more facts on a day than are published as one object."""

    code = "archive_file_too_large"

    def __init__(self, stream: str, size: int, limit: int) -> None:
        super().__init__(
            f"The day's file of {stream} has {size:,} bytes; at most {limit:,} are published.",
            next_step="write the archive to a folder and copy it",
        )
