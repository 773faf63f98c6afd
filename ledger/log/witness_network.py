"""The witnesses of a ledger on other machines: each new checkpoint is shown to them.

They answer with cosignatures, which join the checkpoint. What enough of them saw last is kept in
``witnessed`` inside the ledger; it authenticates itself, by their signatures.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.checkpoint import Checkpoint, parse_checkpoint
from ledger.log.cosignature import with_cosignatures
from ledger.log.errors import WitnessesUnreachable, WitnessInconsistent, WitnessPolicyWrong
from ledger.log.ledger_at_checkpoint import FileSnapshot
from ledger.log.note import NoteBroken, split_note
from ledger.log.storage import DirectoryStorage, Storage
from ledger.log.witness_policy import RemoteWitness, WitnessPolicy, policy_of
from ledger.log.witness_protocol import (
    PATH,
    REQUEST_BYTES,
    TEXT_TYPE,
    AddCheckpoint,
    Answer,
)

WITNESSED: Final = "witnessed"
"""The latest checkpoint that enough witnesses cosigned."""
UNWITNESSED_VARIABLE: Final = "PITLEDGER_UNWITNESSED_ENTRIES"
UNWITNESSED: Final = 100_000
"""How many entries may go on without enough witnesses: about a gaming day of a small floor."""
TIMEOUT_SECONDS: Final = 5.0
PAUSE_SECONDS: Final = 30.0
"""For how long a witness that did not answer is left alone."""

Transport = Callable[[str, bytes], Answer]
"""Post a body to an address; raises ``OSError`` where nobody answers."""


def post(url: str, body: bytes) -> Answer:
    """Post a request over HTTP.

    Raises:
        OSError: nobody answers in time, or what answers speaks no HTTP.
    """
    from http.client import HTTPException  # most commands speak to nobody: they are spared these
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, build_opener

    from ledger.log.no_redirect import NoRedirect

    request = Request(url, body, {"Content-Type": TEXT_TYPE}, method="POST")
    try:
        with build_opener(NoRedirect).open(request, timeout=TIMEOUT_SECONDS) as answer:
            kind = answer.headers.get("Content-Type", "")
            return Answer(answer.status, kind, answer.read(REQUEST_BYTES))
    except HTTPError as error:
        with error:
            kind = error.headers.get("Content-Type", "")
            return Answer(error.code, kind, error.read(REQUEST_BYTES))
    except URLError as error:
        raise error.reason if isinstance(error.reason, OSError) else error from None
    except (HTTPException, ValueError) as error:
        raise OSError(f"no HTTP answer: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Witnessed:
    """How far the witnesses of a ledger have seen it.

    Attributes:
        cosigned: names of those under the present checkpoint.
        silent: name and reason of each other one.
        is_quorum: whether those who cosigned are enough.
        entries: how many entries no quorum has seen.
        limit: how many of them are allowed.
    """

    cosigned: tuple[str, ...]
    silent: tuple[tuple[str, str], ...]
    is_quorum: bool
    entries: int
    limit: int


def checkpoint_with_quorum(policy: WitnessPolicy, note: bytes, origin: str) -> Checkpoint | None:
    """Return the checkpoint of a note that enough witnesses of a policy cosigned; else None."""
    try:
        checkpoint = parse_checkpoint(split_note(note)[0])
        is_enough = policy.is_quorum(set(policy.cosigned_by(note)))
    except NoteBroken:
        return None
    return checkpoint if is_enough and checkpoint.origin == origin else None


def last_witnessed(storage: Storage, policy: WitnessPolicy, origin: str) -> Checkpoint | None:
    """Return the latest checkpoint that the ledger keeps with a quorum of cosignatures."""
    try:
        note = storage.read(WITNESSED)
    except FileNotFoundError:
        return None
    return checkpoint_with_quorum(policy, note, origin)


class WitnessNetwork:
    """The witnesses of one ledger, for its writer.

    Args:
        policy: who they are, and how many are enough.
        limit: how many entries may go on that not enough of them have seen.
        transport: how one is asked; HTTP unless a test says otherwise.
        clock: seconds that only rise.
    """

    def __init__(
        self,
        policy: WitnessPolicy,
        limit: int = UNWITNESSED,
        *,
        transport: Transport = post,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.policy = policy
        self.limit = limit
        self._transport = transport
        self._clock = clock
        self._seen: dict[str, int] = {}
        self._silent: dict[str, tuple[str, float]] = {}
        self._witnessed_size = 0
        self._note = b""

    def look_back(self, snapshot: FileSnapshot) -> None:
        """Take up what the ledger keeps of its witnesses.

        Raises:
            WitnessInconsistent: the ledger does not continue what a quorum saw.
        """
        seen = last_witnessed(snapshot.storage, self.policy, snapshot.origin)
        if seen is None:
            return
        if seen.size > snapshot.size:
            problem = f"they saw {seen.size} entries, the ledger has {snapshot.size}"
            raise WitnessInconsistent(problem, WITNESSED)
        if snapshot.root_at(seen.size) != seen.root:
            problem = f"the first {seen.size} entries are not those that they saw"
            raise WitnessInconsistent(problem, WITNESSED)
        self._witnessed_size = seen.size

    def cosign(self, snapshot: FileSnapshot, *, urgent: bool = False) -> bytes:
        """Show the witnesses the present checkpoint; return it with their signatures.

        Args:
            snapshot: the ledger at its checkpoint.
            urgent: also ask those who have only just not answered.

        Raises:
            WitnessInconsistent: a witness saw another history, or a longer one.
        """
        note = snapshot.note
        for witness in self.policy.witnesses:
            if witness.url is None:
                self._silent[witness.name] = ("no address", self._clock())
            elif urgent or not self._is_paused(witness.name):
                note = self._ask(witness, witness.url, snapshot, note)
        self._note = note
        if self.policy.is_quorum(set(self.policy.cosigned_by(note))):
            self._witnessed_size = snapshot.size
        return note

    def recall(self, snapshot: FileSnapshot) -> Witnessed:
        """Return how far the witnesses have seen the ledger, from its checkpoint; ask nobody."""
        self._note = snapshot.note
        if self.policy.is_quorum(set(self.policy.cosigned_by(snapshot.note))):
            self._witnessed_size = snapshot.size
        return self.status(snapshot.size)

    def unwitnessed(self, size: int) -> int:
        """Return how many of the first entries no quorum has seen."""
        return size - self._witnessed_size

    def require(self, size: int) -> None:
        """Refuse to go on where more entries than allowed are not witnessed.

        Raises:
            WitnessesUnreachable: they are too many.
        """
        if self.unwitnessed(size) > self.limit:
            reasons = "; ".join(f"{name}: {reason}" for name, reason in self.status(size).silent)
            raise WitnessesUnreachable(self.unwitnessed(size), self.limit, reasons)

    def status(self, size: int) -> Witnessed:
        """Return how far the witnesses have seen a ledger of this size."""
        cosigned = set(self.policy.cosigned_by(self._note)) if self._note else set()
        return Witnessed(
            cosigned=tuple(sorted(cosigned)),
            silent=tuple(
                (witness.name, self._silent.get(witness.name, ("not asked", 0.0))[0])
                for witness in self.policy.witnesses
                if witness.name not in cosigned
            ),
            is_quorum=self.policy.is_quorum(cosigned),
            entries=self.unwitnessed(size),
            limit=self.limit,
        )

    def _is_paused(self, name: str) -> bool:
        silent = self._silent.get(name)
        return silent is not None and self._clock() - silent[1] < PAUSE_SECONDS

    def _ask(self, witness: RemoteWitness, url: str, snapshot: FileSnapshot, note: bytes) -> bytes:
        """Show one witness the checkpoint; the note with its signature, if it gave one."""
        old = min(self._seen.get(witness.name, self._witnessed_size), snapshot.size)
        answer = self._answer(url, snapshot, old)
        known = _known_size(answer)
        if known is not None and known != old and known <= snapshot.size:
            old, answer = known, self._answer(url, snapshot, known)
        problem = _difference(answer, witness.name, old, snapshot.size)
        if problem is not None:
            raise WitnessInconsistent(problem, url)
        if answer.status == 200:
            lines = answer.body.decode("utf-8", "replace")
            cosigned = with_cosignatures(note, lines, witness.key)
            if cosigned is not None:
                self._seen[witness.name] = snapshot.size
                self._silent.pop(witness.name, None)
                return cosigned
        self._silent[witness.name] = (_silence(answer), self._clock())
        return note

    def _answer(self, url: str, snapshot: FileSnapshot, old: int) -> Answer:
        """What a witness says to the checkpoint; status 0 and the reason where it says nothing."""
        proof = snapshot.consistency(old) if 0 < old < snapshot.size else []
        request = AddCheckpoint(old, tuple(proof), snapshot.note)
        try:
            return self._transport(url.rstrip("/") + PATH, request.body())
        except OSError as error:
            reason = error.strerror or str(getattr(error, "reason", "")) or str(error)
            return Answer(0, TEXT_TYPE, reason.encode())


def _known_size(answer: Answer) -> int | None:
    """The size that a witness saw last, where it says that it is not the one that was named."""
    body = answer.body.decode("ascii", "replace").removesuffix("\n")
    is_size = body.isascii() and body.isdecimal() and len(body) < 20
    return int(body) if answer.status == 409 and is_size else None


def _difference(answer: Answer, name: str, old: int, size: int) -> str | None:
    """How a ledger of this size differs from what a witness saw; None if it said no such thing."""
    known = _known_size(answer)
    if known is not None and known > size:
        return f"{name} saw {known} entries, the ledger has {size}"
    if known is not None and known == old == size:
        return f"{name} saw another root of its {known} entries"
    if answer.status == 422:
        return f"the first {old} entries are not those that {name} saw"
    return None


def _silence(answer: Answer) -> str:
    """Why a witness did not cosign, for people."""
    reasons = {
        0: f"does not answer ({answer.body.decode('utf-8', 'replace')})",
        200: "answered with no signature of its key",
        403: "does not know the key that signed this checkpoint",
        404: "does not know this ledger",
    }
    return reasons.get(answer.status, f"answers {answer.status}")


def witnessed_of(snapshot: FileSnapshot) -> Witnessed | None:
    """Return how far witnesses have seen a ledger, from what it keeps; None if it names none.

    Nobody is asked.

    Raises:
        WitnessPolicyWrong: the policy, or the number of entries that may go on, cannot be read.
        WitnessInconsistent: the ledger does not continue what a quorum saw.
    """
    network = network_of(snapshot.storage)
    if network is None:
        return None
    network.look_back(snapshot)
    return network.recall(snapshot)


def network_of(storage: Storage) -> WitnessNetwork | None:
    """Return the witnesses that a ledger's policy names; None if it has none.

    Raises:
        WitnessPolicyWrong: the policy, or the number of entries that may go on, cannot be read.
    """
    if not isinstance(storage, DirectoryStorage):
        return None
    policy = policy_of(storage.folder)
    if policy is None:
        return None
    return WitnessNetwork(policy, unwitnessed_limit())


def unwitnessed_limit() -> int:
    """Return how many entries may go on unwitnessed, from ``PITLEDGER_UNWITNESSED_ENTRIES``.

    Raises:
        WitnessPolicyWrong: the variable holds no whole number from 0.
    """
    text = os.environ.get(UNWITNESSED_VARIABLE) or str(UNWITNESSED)
    if not text.isascii() or not text.isdecimal():
        raise WitnessPolicyWrong(UNWITNESSED_VARIABLE, None, f"{text!r} is no number of entries")
    return int(text)
