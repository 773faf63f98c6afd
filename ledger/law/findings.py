"""The one table of finding codes: what each means, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass
from ledger.law.data import read_toml


class CodeUnknown(UsageError):
    """No finding has that code."""

    code = "code_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingCode:
    """One code of a finding.

    Args:
        code: the stable name; it is never renamed.
        means: what such a finding says, in one sentence.
        do: what the reader should do about it.
        chapters: the chapters that no row or obligation with this code shows: sections of the
            Ledger contract, and chapters by which the audit finds it.
        example: a line of a transcript.
        note: why a retired code is no longer used; None while it is in use.
    """

    code: str
    means: str
    do: str
    chapters: tuple[str, ...] = ()
    example: str | None = None
    note: str | None = None


@lru_cache(maxsize=1)
def finding_codes() -> Mapping[str, FindingCode]:
    """Return every code, in alphabetical order.

    Raises:
        ValueError: the table is out of order.
    """
    entries = {
        code: FindingCode(code=code, **{**entry, "chapters": tuple(entry.get("chapters", ()))})
        for code, entry in read_toml("findings.toml").items()
    }
    if list(entries) != sorted(entries):
        raise ValueError("findings.toml: the codes are not in alphabetical order")
    return MappingProxyType(entries)


def explain(code: str) -> FindingCode:
    """Return what a code means and what to do about it.

    Raises:
        CodeUnknown: it is not in the table; its next step names similar codes.
    """
    entry = finding_codes().get(code)
    if entry is None:
        near = [name for name in finding_codes() if code.lower() in name]
        hint = f"did you mean {', '.join(near[:5])}?" if near else "pitledger explain"
        raise CodeUnknown(f"there is no finding code {code!r}", next_step=hint)
    return entry
