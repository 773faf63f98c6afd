"""The one process that writes for the desk: it proves, judges, and appends what is allowed.

Only here the ledger's private key is read. A request waits while others before it are appended,
and all that wait together become durable under one checkpoint; each is answered when that stands.
"""

from __future__ import annotations

import json
import secrets
import socket
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path
from threading import BoundedSemaphore, Condition, Event, Lock, Thread
from time import monotonic, sleep
from typing import Any, Final, NamedTuple

from ledger.casework.cases import CaseRole, roles_of
from ledger.casework.cases.terms import CaseEvent
from ledger.casework.passkeys import (
    CHALLENGE_BYTES,
    PasskeyWrong,
    challenge_in,
    creation_options,
    registered,
    request_options,
)
from ledger.casework.person_proofs import SECRET_BYTES, NotProved, PersonProofs
from ledger.casework.provider_accounts import account_in
from ledger.cli.desk_acts import Act, DeskActs, Facts
from ledger.cli.desk_packs import DeskPack
from ledger.cli.desk_signatures import SIGNATURES, signature_of
from ledger.cli.lent_ledger import ASKED_AGAIN_SECONDS
from ledger.cli.recorded_requests import RecordedRequests, Request, content_of, digest_of
from ledger.cli.unsigned_tail import open_ledger
from ledger.codec import frame
from ledger.kernel import LedgerError, UsageError
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import Arrival, FileLog
from ledger.log.errors import LedgerLocked
from ledger.log.lock_wishes import wish
from ledger.replay import Enrollments, Replay, person_key
from ledger.web.writer_socket import PACKS, PROVED_AGAIN, is_own_user, read_line

MOST_IN_A_GROUP: Final = 64
CONNECTIONS: Final = 64
READ_SECONDS: Final = 10.0
LOCKED_SECONDS: Final = 5.0
"""How long an act waits for another command that has the ledger open."""
TICKET_MICROS: Final = 36_000 * 1_000_000
MOST_TICKETS: Final = 10_000
CHALLENGE_MICROS: Final = 120 * 1_000_000
"""How long a browser may take to answer with a passkey."""
CHANGES: Final = frozenset(
    {"second_factor", "passkey_added", "passkey_removed", "account_linked", "account_unlinked"}
)
"""Acts that change how a person signs in and proves; nothing of them stands on the record."""


class ProofNeeded(UsageError):
    """Who acts gives the pass phrase first."""

    code = "proof_needed"


class RequestWrong(UsageError):
    """A request is none that the desk sends."""

    code = "request_wrong"


class CodeNeeded(UsageError):
    """Who acts gives the code of the second factor, too."""

    code = "code_needed"


class SecondFactorMissing(UsageError):
    """Whoever acts in this role has to set up a second factor first."""

    code = "second_factor_missing"


class Asked(NamedTuple):
    """What a browser is asked to sign with a passkey: until when, what, and for which pages."""

    until: int
    challenge: bytes
    site: str
    origin: str


@dataclass(slots=True)
class Waiting:
    """An act that waits for its group; ``answer`` is set when it is durable, or refused."""

    act: Act
    content: str
    answer: dict[str, object] = field(default_factory=dict)
    is_answered: Event = field(default_factory=Event)

    def done(self, **answer: object) -> None:
        """Answer."""
        self.answer = answer
        self.is_answered.set()


class DeskWriter:
    """Takes acts of people who proved who they are, and appends them in groups.

    Args:
        folder: the ledger's.
        own: the writer's folder.
        clock: now, microseconds UTC.
        key: the ledger's private key, where it is not in the usual places.
        nights: the folder of the nights' reports.
        second_factor_roles: who signs and decides with a second factor only.
    """

    def __init__(
        self,
        folder: Path,
        own: Path,
        clock: Callable[[], int],
        key: Path | None = None,
        nights: Path = Path("pitledger-nights"),
        second_factor_roles: frozenset[CaseRole] = frozenset(),
    ) -> None:
        self.folder, self._clock, self._key = folder, clock, key
        self._acts = DeskActs(folder)
        self._log: FileLog | None = None
        self._own, self._packing, self._signing = own, Lock(), Lock()
        self._nights, self._second_factor_roles = nights, second_factor_roles
        self._requests = RecordedRequests(own)
        self._asked: dict[bytes, Asked] = {}
        self._tickets: dict[bytes, tuple[str, int]] = {}
        self._lock = Lock()
        self._waiting: deque[Waiting] = deque()
        self._came = Condition()
        self._is_stopped = False
        self._last_at = 0

    # --- one request --------------------------------------------------------------------------

    def answer(self, document: Any) -> dict[str, object]:
        """Return the answer to a request; waits until what it asks for is durable."""
        try:
            words = _words(document)
            if words["act"] == "ping":
                return {"ok": True}
            if words["act"] == "sign_out":
                self._tickets.pop(_digest(words["ticket"]), None)
                return {"ok": True}
            if words["act"] == "sign_in":
                self._prove(words["person"], words["pass_phrase"])
                self._prove_second(words)
                return {"ok": True, "ticket": self._ticket(words["person"])}
            if words["act"] in CHANGES:
                return self._changed(words, document["fields"])
            if words["act"] == "passkey_challenge":
                return {"ok": True, "options": self._challenge(words["person"], document["fields"])}
            fresh = self._check(words)
            act = Act(id=words["id"], name=words["act"], by=words["person"],
                      number=words["case"], fields=document["fields"])  # fmt: skip
            if not act.id.isascii() or not 16 <= len(act.id) <= 64:
                raise RequestWrong("A request has an id of 16 to 64 letters.")
        except LedgerError as error:
            return refused(error)
        except Exception as error:  # else nobody would be told
            return _failed(error)
        if act.name == "pack":
            return self._packed(act) | fresh
        if act.name in SIGNATURES:
            return self._signed(act) | fresh
        return self._recorded(act) | fresh

    def _recorded(self, act: Act) -> dict[str, object]:
        """Let an act wait for its group; return the answer when it is durable, or refused."""
        entered = {**act.fields, "act": act.name, "by": act.by, "case": act.number}
        waiting = Waiting(act, content_of(act.id, entered))
        with self._came:
            self._waiting.append(waiting)
            self._came.notify()
        waiting.is_answered.wait()
        return waiting.answer

    def _signed(self, act: Act) -> dict[str, object]:
        """Make a signature ready, one at a time, and let it wait for its group."""
        with self._signing:
            if self._requests.found(act.id, Replay.open(self.folder)) is not None:
                return self._recorded(act)
            try:
                signature = signature_of(self.folder, self._nights, act, self._clock())
            except LedgerError as error:
                return refused(error)
            except Exception as error:
                return _failed(error)
            return self._recorded(replace(act, signature=signature))

    def _packed(self, act: Act) -> dict[str, object]:
        """Make the pack of a case, one at a time; a look at its patrons is recorded before."""
        try:
            with self._packing:
                pack = DeskPack.of(self.folder, act, self._clock(), self._key)
                if pack.shows_patrons:
                    answer = self._recorded(replace(act, name="reveal", number=pack.number))
                    if not answer["ok"]:
                        return answer
                name = pack.write(self._own / PACKS)
        except LedgerError as error:
            return refused(error)
        except Exception as error:
            return _failed(error)
        return {"ok": True, "case": pack.number, "file": name}

    def _check(self, words: Mapping[str, str]) -> dict[str, str]:
        """Require that it is proved who acts; return a ticket where a pass phrase was given.

        Raises:
            ProofNeeded, CodeNeeded, NotProved, TooManyTries: it is not.
            SecondFactorMissing: the role needs a second factor for this act, and there is none.
        """
        has_second = PersonProofs(self.folder).has_second(words["person"])
        if words["act"] in PROVED_AGAIN and not has_second:
            self._may_without_second(words["person"])
        person, until = self._tickets.get(_digest(words["ticket"]), ("", 0))
        is_here = person == person_key(words["person"]) and until > self._clock()
        if words["pass_phrase"]:
            self._prove_both(words)
            return {} if is_here else {"ticket": self._ticket(words["person"])}
        if words["act"] in PROVED_AGAIN:
            raise ProofNeeded("Give your pass phrase again: this act needs it.")
        if not is_here:
            raise ProofNeeded("Give your pass phrase: nothing shows any more who is at the desk.")
        return {}

    def _may_without_second(self, person: str) -> None:
        """Refuse acts that weigh to a role that must have a second factor."""
        if self._second_factor_roles and self._second_factor_roles & roles_of(
            Replay.open(self.folder).roster(), person, self._clock()
        ):
            raise SecondFactorMissing(
                "Your role needs a second factor before it signs or decides.",
                next_step="set it up on the page of your own sessions, behind your name at the top,"
                " then send the form again",
            )

    def _prove(self, person: str, pass_phrase: str) -> None:
        try:
            PersonProofs(self.folder).prove(person, pass_phrase, self._clock())
        except NotProved as error:  # in the same words, whoever it is
            raise NotProved(
                f"This is not the pass phrase of {person[:64]}.", next_step="nothing was recorded"
            ) from error

    def _prove_both(self, words: Mapping[str, str]) -> None:
        """Check the pass phrase, and the second factor of who has one.

        Raises:
            CodeNeeded, NotProved, TooManyTries: one is missing or wrong.
        """
        is_given = words["code"].strip() or words["passkey"]
        if PersonProofs(self.folder).has_second(words["person"]) and not is_given:
            raise CodeNeeded("Give your second factor, too: this needs both.")
        self._prove(words["person"], words["pass_phrase"])
        self._prove_second(words)

    def _prove_second(self, words: Mapping[str, str]) -> None:
        """Check the second factor of who has one, one at a time: what proves is good once."""
        person, sent = words["person"], words["passkey"]
        with self._lock:
            proofs = PersonProofs(self.folder, self._key)
            if not sent or not proofs.has_second(person):
                try:
                    proofs.prove_second(person, words["code"], self._clock())
                except NotProved as error:  # by one code, whatever was wrong with it
                    raise NotProved(error.problem, next_step=error.next_step) from error
                return
            try:
                challenge = self._answered(sent).challenge
            except PasskeyWrong as error:
                raise NotProved(error.problem, next_step=error.next_step) from error
            proofs.prove_passkey(person, sent, challenge, self._clock())

    def _answered(self, sent: str) -> Asked:
        """What a browser answers, which is asked no more.

        Raises:
            PasskeyWrong: it answers none that was asked just now.
        """
        asked = self._asked.pop(challenge_in(sent), None)
        if asked is None or asked.until < self._clock():
            raise PasskeyWrong(
                "The passkey was asked too long ago.", next_step="use it again, or your code"
            )
        return asked

    def _challenge(self, person: str, fields: Mapping[str, str]) -> str:
        """What a browser is asked: to sign, or to make a passkey for a person who is named."""
        challenge, site = secrets.token_bytes(CHALLENGE_BYTES), fields.get("site", "")
        until = self._clock() + CHALLENGE_MICROS
        with self._lock:
            while len(self._asked) >= MOST_TICKETS:
                del self._asked[next(iter(self._asked))]
            self._asked[challenge] = Asked(until, challenge, site, fields.get("origin", ""))
        if not person:
            return request_options(site, challenge)
        kept = PersonProofs(self.folder).passkeys(person)
        return creation_options(person, site, challenge, kept)

    def _changed(self, words: Mapping[str, str], fields: Mapping[str, str]) -> dict[str, object]:
        """Change how a person signs in, after the pass phrase and the second factor of who has one.

        Raises:
            ProofNeeded, CodeNeeded, NotProved, TooManyTries: it is not proved who asks.
            RequestWrong, PasskeyWrong, AccountUnreadable, AccountTaken: what is to be kept is none.
        """
        if not words["pass_phrase"]:
            raise ProofNeeded("Give your pass phrase again: this needs it.")
        self._prove_both(words)
        person = words["person"]
        with self._lock:
            proofs = PersonProofs(self.folder, self._key)
            match words["act"]:
                case "passkey_added":
                    sent, name = fields.get("created", ""), fields.get("name", "")
                    asked = self._answered(sent)
                    proofs.add_passkey(
                        person, registered(sent, asked.challenge, asked.site, asked.origin, name)
                    )
                case "passkey_removed":
                    proofs.remove_passkey(person, fields.get("passkey_id", ""))
                case "account_linked":
                    everybody = Enrollments.of(Replay.open(self.folder).roster()).persons
                    proofs.link_account(person, account_in(fields), everybody)
                case "account_unlinked":
                    proofs.unlink_account(person)
                case _:
                    secret = _secret(fields.get("secret", ""))
                    proofs.set_second(person, secret, fields.get("new_code", ""), self._clock())
        return {"ok": True}

    def _ticket(self, person: str) -> str:
        """Return what shows from now on that a person is at the desk."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            while len(self._tickets) >= MOST_TICKETS:
                del self._tickets[next(iter(self._tickets))]
            self._tickets[_digest(token)] = (person_key(person), self._clock() + TICKET_MICROS)
        return token

    # --- groups -------------------------------------------------------------------------------

    def run(self) -> None:
        """Append what comes, group by group, until ``stop``."""
        while True:
            with self._came:
                self._came.wait_for(lambda: self._waiting or self._is_stopped)
                if not self._waiting:
                    return
                group = [
                    self._waiting.popleft() for _ in range(min(MOST_IN_A_GROUP, len(self._waiting)))
                ]
            try:
                later = self._append(group)
            except Exception as error:
                self._acts = DeskActs(self.folder)
                answer = _failed(error)
                for waiting in group:
                    if not waiting.is_answered.is_set():
                        waiting.done(**answer)
                continue
            with self._came:
                self._waiting.extendleft(reversed(later))

    def stop(self) -> None:
        """End ``run`` after what waits."""
        with self._came:
            self._is_stopped = True
            self._came.notify()

    def _append(self, group: list[Waiting]) -> list[Waiting]:
        """Append a group under one checkpoint; return who is left for the next one."""
        with ExitStack() as stack:
            log = self._opened(stack)
            replay = self._acts.forward()
            ready: list[tuple[Waiting, Facts]] = []
            names: set[str] = set()
            left = deque(group)
            while left:
                waiting = left[0]
                if waiting.act.id in names or (ready and ready[-1][1].is_alone):
                    break
                recorded = self._requests.found(waiting.act.id, replay)
                if recorded is not None:
                    left.popleft().done(**_again(recorded, waiting))
                    continue
                try:
                    facts = self._acts.facts_of(waiting.act, self._now())
                except LedgerError as error:
                    left.popleft().done(**refused(error))
                    continue
                if not facts.facts:
                    left.popleft().done(ok=True, case=waiting.act.number)
                    continue
                if facts.is_alone and ready:  # it was followed already: read it again, alone
                    self._acts.forget()
                    break
                ready.append((waiting, facts))
                names.add(waiting.act.id)
                left.popleft()
            if ready:
                self._write(log, ready)
        for waiting, facts in ready:
            waiting.done(ok=True, case=_case_of(facts, waiting))
        return list(left)

    def _write(self, log: FileLog, ready: list[tuple[Waiting, Facts]]) -> None:
        """Note what is about to be appended, and append it whole."""
        self._requests.note(
            Request(
                id=waiting.act.id,
                content=waiting.content,
                stream=facts.facts[-1].stream,
                seq=facts.facts[-1].seq,
                digest=digest_of(facts.facts[-1]),
                about=_case_of(facts, waiting),
            )
            for waiting, facts in ready
        )
        arrivals = [Arrival(frame(fact)) for _, facts in ready for fact in facts.facts]
        log.append_whole(arrivals, self._now())
        self._acts.appended(log.size)

    def _opened(self, stack: ExitStack) -> FileLog:
        """Open the ledger for writing; wait a little for another command that has it open."""
        until, is_waiting = monotonic() + LOCKED_SECONDS, False
        with ExitStack() as wishes:
            while True:
                try:
                    log = self._log
                    if log is not None and log.reopen(self._key):
                        return stack.enter_context(log)
                    self._log = stack.enter_context(open_ledger(self.folder, key=self._key))
                    return self._log
                except LedgerLocked:
                    if monotonic() > until:
                        raise
                    if not is_waiting:
                        wishes.enter_context(wish(self.folder))
                        is_waiting = True
                    sleep(ASKED_AGAIN_SECONDS)

    def _now(self) -> int:
        """The time, never the same twice: acts are followed in the order of their times."""
        self._last_at = max(self._clock(), self._last_at + 1)
        return self._last_at


def serve_connections(writer: DeskWriter, listening: socket.socket, is_over: Event) -> None:
    """Answer the connections of this user's processes until it is over."""
    free = BoundedSemaphore(CONNECTIONS)
    listening.settimeout(0.2)
    while not is_over.is_set():
        try:
            connection, _ = listening.accept()
        except TimeoutError:
            continue
        except OSError:
            return
        if not free.acquire(timeout=READ_SECONDS):
            connection.close()
            continue
        Thread(target=_answer, args=(writer, connection, free), daemon=True).start()


def _answer(writer: DeskWriter, connection: socket.socket, free: BoundedSemaphore) -> None:
    """Answer one request; whoever sends none, or is another user, hears nothing."""
    try:
        with connection, suppress(OSError, ValueError):
            connection.settimeout(READ_SECONDS)
            if not is_own_user(connection):
                return
            line = read_line(connection)
            if line is not None:
                answer = writer.answer(json.loads(line))
                connection.sendall(json.dumps(answer).encode() + b"\n")
    finally:
        free.release()


def refused(error: LedgerError) -> dict[str, object]:
    """Return the answer that says why not."""
    return {
        "ok": False,
        "code": error.code,
        "problem": error.problem,
        "next": error.next_step or error.cause or "",
        "exit": error.exit_code,
    }


def _failed(error: Exception) -> dict[str, object]:
    if isinstance(error, LedgerError):
        return refused(error)
    problem = f"The writer itself went wrong ({type(error).__name__})."
    step = "look in the case whether it was recorded before you repeat it"
    return {"ok": False, "code": "writer_failed", "problem": problem, "next": step, "exit": 3}


def _again(recorded: Request, waiting: Waiting) -> dict[str, object]:
    """The answer to a request that is on the record."""
    if recorded.content == waiting.content:
        return {"ok": True, "case": recorded.about, "repeated": True}
    return refused(
        RequestWrong(
            "This form was recorded before, with the words that it had then.",
            next_step="open the page again; what is there can be added to",
        )
    )


def _case_of(facts: Facts, waiting: Waiting) -> str:
    fact = facts.facts[-1]
    return fact.case_number if isinstance(fact, CaseEvent) else waiting.act.number


def _secret(text: str) -> bytes:
    """The secret of a device that shows codes.

    Raises:
        RequestWrong: it is none.
    """
    try:
        secret = bytes.fromhex(text)
    except ValueError as error:
        raise RequestWrong("A secret is written in hexadecimal.") from error
    if len(secret) != SECRET_BYTES:
        raise RequestWrong(f"A secret has {SECRET_BYTES} bytes.")
    return secret


def _digest(token: str) -> bytes:
    return sha256(token.encode()).digest()


def _words(document: Any) -> dict[str, str]:
    """The texts of a request.

    Raises:
        RequestWrong: it is none.
    """
    names = ("act", "id", "person", "pass_phrase", "code", "passkey", "ticket", "case")
    if not isinstance(document, dict):
        raise RequestWrong("A request is an object.")
    words = {name: document.get(name, "") for name in names}
    fields = document.setdefault("fields", {})
    texts = [*words.values(), *(fields.values() if isinstance(fields, dict) else [None])]
    if not all(isinstance(text, str) for text in texts):
        raise RequestWrong("What a request says is text.")
    return words
