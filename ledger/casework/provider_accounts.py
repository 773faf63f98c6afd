"""Accounts at an OpenID provider: which one a person has linked to the credential."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass

LONGEST: Final = 255
"""Characters of what names an account (OpenID Connect Core 1.0, section 2, of a subject)."""


class AccountTaken(UsageError):
    """An account is linked to another person already."""

    code = "account_taken"


class AccountUnreadable(UsageError):
    """What was sent names no account at a provider."""

    code = "account_unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderAccount:
    """What names an account at a provider.

    Attributes:
        issuer: the provider's own address.
        claim: which claim of its tokens names the account, such as ``sub``.
        name: what the claim says.
    """

    issuer: str
    claim: str
    name: str

    def plain(self) -> dict[str, str]:
        """The same as plain data."""
        return asdict(self)


def account_of(kept: Mapping[str, Any]) -> ProviderAccount | None:
    """Return the account among what is kept of a person; None where none is linked."""
    account = kept.get("account")
    return None if account is None else ProviderAccount(**account)


def account_in(fields: Mapping[str, str]) -> ProviderAccount:
    """Return the account that a request names.

    Raises:
        AccountUnreadable: a part is missing, too long, or has signs that nobody sees.
    """
    parts = {part: fields.get(part, "") for part in ("issuer", "claim", "name")}
    if not all(part.isprintable() and 0 < len(part) <= LONGEST for part in parts.values()):
        raise AccountUnreadable(
            "This names no account at a provider.", next_step="begin again on your own page"
        )
    return ProviderAccount(**parts)
