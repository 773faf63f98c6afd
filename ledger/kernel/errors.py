"""What every refusal of the product looks like: a stable code, what, where, and what to do next.

A refusal says that we cannot honestly go on. What a fact did wrong is a finding (a value), never
an exception.
"""

from __future__ import annotations

from typing import ClassVar


class LedgerError(Exception):
    """A refusal: its class holds the stable code and the process's exit code.

    Args:
        problem: one sentence, in plain words.
        where: ``topic-partition-offset``, position, ``file:line`` or path.
        cause: the likely cause, if there is one worth naming.
        next_step: the command or act that helps.
    """

    code: ClassVar[str] = "ledger_error"
    exit_code: ClassVar[int] = 2

    def __init__(
        self,
        problem: str,
        *,
        where: str | None = None,
        cause: str | None = None,
        next_step: str | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.where = where
        self.cause = cause
        self.next_step = next_step

    def __str__(self) -> str:
        lines = [f"{self.problem} [{self.code}]"]
        lines += [f"  where: {self.where}"] if self.where else []
        lines += [f"  cause: {self.cause}"] if self.cause else []
        lines += [f"  next:  {self.next_step}"] if self.next_step else []
        return "\n".join(lines)


class UsageError(LedgerError):
    """The command, day, round or room that was asked for does not exist (exit 2)."""

    code = "usage"
    exit_code = 2


class SourceUnavailable(LedgerError):
    """A source or a setting that is needed cannot be had (exit 3)."""

    code = "source_unavailable"
    exit_code = 3


class IntegrityBroken(LedgerError):
    """What is stored is not what was stored: stop, keep everything (exit 4)."""

    code = "integrity_broken"
    exit_code = 4
