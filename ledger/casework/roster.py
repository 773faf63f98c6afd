"""Who holds a credential at a moment, as far as the record says: for what persons do with cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ledger.events import PersonCredentialled
from ledger.kernel import UsageError
from ledger.replay import FactStep, Replay

KINDS: Final = ("PersonCredentialled",)


class CredentialNotHeld(UsageError):
    """A person is named who holds no credential, where the record says who does."""

    code = "credential_not_held"

    def __init__(self, person: str) -> None:
        super().__init__(
            f"{person} holds no credential on the record.",
            cause="it was never recorded, or it was revoked",
            next_step="--by CREDENTIAL",
        )


@dataclass(frozen=True, slots=True)
class Roster:
    """What was recorded of credentials: by person, whether one was held from each moment on."""

    known: Mapping[str, Sequence[tuple[int, bool]]] = field(default_factory=dict)

    def holds(self, person: str, at: int) -> bool | None:
        """Whether a person held a credential then; None where the ledger has nobody's.

        Args:
            person: credential number.
            at: UTC microseconds.
        """
        if not self.known:
            return None
        said = [held for since, held in self.known.get(person, ()) if since <= at]
        return said[-1] if said else False


def read_roster(replay: Replay) -> Roster:
    """All credentials that were recorded."""
    known: dict[str, list[tuple[int, bool]]] = {}
    for step in replay.walk(replay.streams_with(KINDS), only=KINDS):
        if isinstance(step, FactStep) and isinstance(step.fact, PersonCredentialled):
            one = step.fact
            known.setdefault(one.person, []).append((step.at, not one.revoked))
    return Roster(known)


def credentials(replay: Replay) -> dict[str, PersonCredentialled]:
    """What was recorded last of each credential, by its number."""
    last: dict[str, PersonCredentialled] = {}
    for step in replay.walk(replay.streams_with(KINDS), only=KINDS):
        if isinstance(step, FactStep) and isinstance(step.fact, PersonCredentialled):
            last[step.fact.person] = step.fact
    return dict(sorted(last.items()))


def admit(roster: Roster, person: str, at: int) -> bool:
    """Let a person act on cases; whether the record says who they are.

    Raises:
        CredentialNotHeld: others hold a credential on the record, and this person holds none.
    """
    holds = roster.holds(person, at)
    if holds is False:
        raise CredentialNotHeld(person)
    return holds is True
