"""Who is signed in, on the server's side; a browser holds a random number and nothing else."""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import field
from hashlib import sha256
from threading import Lock
from typing import Final

from ledger.casework.person_proofs import SECRET_BYTES
from ledger.casework.provider_accounts import ProviderAccount
from ledger.kernel.quick_dataclass import dataclass

TOKEN_BYTES: Final = 32
SECOND: Final = 1_000_000
MOST_PER_PERSON: Final = 8
TYPING: Final = "typing"
"""The name of the line that is being typed, of which there is one."""
MOST_SEARCHES: Final = 50
"""Searches that a session remembers; the oldest is forgotten first."""


@dataclass(slots=True)
class Session:
    """One browser of one person; times in microseconds UTC.

    ``form_token`` stands in each form; ``searches`` are the search lines by an opaque name, and
    ``suppositions`` what was supposed of rounds; ``looked`` says of which case or round patrons'
    references are shown, and in which sitting; ``ticket`` shows the writer that this person is at
    the desk, and never leaves the server; ``second_secret`` is offered for a second factor;
    ``offered_account`` is an account at the provider that may be linked, and when it was proved;
    ``sign_out_address`` is where the provider's own session is ended, empty where there is none;
    ``at_provider`` names the person and the session there, where it was begun by its account.
    """

    digest: bytes
    person: str
    browser: str
    began_at: int
    used_at: int
    ticket: str = ""
    form_token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    name: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    searches: OrderedDict[str, str] = field(default_factory=OrderedDict)
    suppositions: OrderedDict[str, dict[str, str]] = field(default_factory=OrderedDict)
    looked: dict[str, str] = field(default_factory=dict)
    second_secret: bytes = field(default_factory=lambda: secrets.token_bytes(SECRET_BYTES))

    offered_account: tuple[ProviderAccount, int] | None = None
    sign_out_address: str = field(default="", repr=False)
    at_provider: tuple[str, str | None] | None = None

    def renew_secret(self) -> None:
        """Offer another secret for a second factor from now on."""
        self.second_secret = secrets.token_bytes(SECRET_BYTES)

    def remember(self, line: str) -> str:
        """Keep a search line under an opaque name, which is returned."""
        name = secrets.token_urlsafe(12)
        self.searches[name] = line
        while len(self.searches) > MOST_SEARCHES:
            self.searches.popitem(last=False)
        return name

    def type(self, line: str) -> str:
        """Keep the line that is being typed in the place of the one before; return its name."""
        self.searches[TYPING] = line
        return TYPING

    def suppose(self, fields: dict[str, str]) -> str:
        """Keep what was supposed of a round under an opaque name, which is returned."""
        name = secrets.token_urlsafe(12)
        self.suppositions[name] = fields
        while len(self.suppositions) > MOST_SEARCHES:
            self.suppositions.popitem(last=False)
        return name

    def is_form_token(self, token: str) -> bool:
        """Whether a form carries this session's token."""
        return hmac.compare_digest(self.form_token.encode(), token.encode())


@dataclass(slots=True)
class Sessions:
    """All sessions of one desk.

    Attributes:
        clock: now, in microseconds UTC.
        idle_seconds: after so long without a request a session ends.
        longest_seconds: after so long it ends in any case.
    """

    clock: Callable[[], int]
    idle_seconds: int
    longest_seconds: int
    _by_digest: dict[bytes, Session] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def begin(self, person: str, browser: str = "") -> tuple[str, Session]:
        """Begin a session; return the token that the browser gets."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        moment = self.clock()
        session = Session(_digest(token), person, browser, moment, moment)
        with self._lock:
            self._sweep(moment)
            own = [each for each in self._by_digest.values() if each.person == person]
            if len(own) >= MOST_PER_PERSON:
                oldest = min(own, key=lambda each: each.used_at)
                del self._by_digest[oldest.digest]
            self._by_digest[session.digest] = session
        return token, session

    def of(self, token: str, *, is_used: bool = True) -> Session | None:
        """Return the session of a token; None where it has ended or never was.

        Args:
            token: what the browser sent.
            is_used: a person asks; a page that reads itself again keeps no session alive.
        """
        moment = self.clock()
        with self._lock:
            session = self._by_digest.get(_digest(token))
            if session is None:
                return None
            if self._is_over(session, moment):
                del self._by_digest[session.digest]
                return None
            if is_used:
                session.used_at = moment
            return session

    def end(self, session: Session) -> None:
        """End one session."""
        with self._lock:
            self._by_digest.pop(session.digest, None)

    def end_others(self, session: Session) -> int:
        """End all other sessions of the same person; return how many."""
        with self._lock:
            others = [
                each
                for each in self._by_digest.values()
                if each.person == session.person and each is not session
            ]
            for other in others:
                del self._by_digest[other.digest]
        return len(others)

    def end_at_provider(self, subject: str | None, provider_session: str | None) -> list[Session]:
        """End the sessions that an account began which signed out at the provider; return them.

        Args:
            subject: what the provider calls the person; None: whoever is in the session.
            provider_session: what it calls the session; None: all of the person's.
        """
        with self._lock:
            ended = [
                session
                for session in self._by_digest.values()
                if session.at_provider is not None
                and subject in (None, session.at_provider[0])
                and provider_session in (None, session.at_provider[1])
            ]
            for session in ended:
                del self._by_digest[session.digest]
        return ended

    def of_person(self, person: str) -> list[Session]:
        """Return the sessions of a person, the one used last first."""
        with self._lock:
            self._sweep(self.clock())
            own = [each for each in self._by_digest.values() if each.person == person]
        return sorted(own, key=lambda each: -each.used_at)

    def _is_over(self, session: Session, moment: int) -> bool:
        idle = moment - session.used_at > self.idle_seconds * SECOND
        return idle or moment - session.began_at > self.longest_seconds * SECOND

    def _sweep(self, moment: int) -> None:
        for session in [each for each in self._by_digest.values() if self._is_over(each, moment)]:
            del self._by_digest[session.digest]


def _digest(token: str) -> bytes:
    return sha256(token.encode()).digest()
