"""Proof of who acts: a pass phrase that only its person knows, or a signature by the person's key.

A typed credential proves nothing. Of a pass phrase a verifier (Argon2id, RFC 9106) lies beside the
ledger, in a folder of its own, sealed by the ledger's key and never in the ledger: an older copy of
the ledger tells nobody's pass phrase. The public half of a key stands in the ledger: whoever
reads an act checks the signature in it without us.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, flock
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Any, Final, Protocol

from ledger import events
from ledger.casework.passkeys import MOST, Passkey, PasskeyWrong, passkeys_of, used
from ledger.casework.provider_accounts import AccountTaken, ProviderAccount, account_of
from ledger.kernel import SourceUnavailable, UsageError
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.keys import read_signer
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.log.storage import DirectoryStorage
from ledger.replay import person_key

KIND: Final = "person"
SHORTEST: Final = 12
"""Characters of a pass phrase, at least (NIST SP 800-63B asks for 8)."""
LONGEST: Final = 1_000
GUESSABLE: Final = 4
"""The estimate from which a pass phrase is taken: more than ten thousand million tries."""
ESTIMATED: Final = 72
"""Characters that are estimated; what follows only adds to them."""
OWN_WORDS: Final = ("pitledger", "casino", "surveillance", "table games", "pennsylvania")
"""Words that somebody who knows the property tries first."""
MEMORY_KIB: Final = 65_536
ITERATIONS: Final = 3
LANES: Final = 4
"""What RFC 9106 recommends where memory is short: 64 MiB, three passes, four lanes."""
_ONE_AT_A_TIME: Final = Lock()
"""Lanes are threads of the library's one pool: two derivations at once fail for want of threads, as
a MemoryError, or wait for each other for ever. So many sign-ins at once fill no memory, either."""
DIGITS: Final = 6
STEP_SECONDS: Final = 30
"""A code of a second factor, and how long it is shown."""
SECRET_BYTES: Final = 20
"""Of a second factor's secret: as long as its hash (RFC 4226)."""
LOCK: Final = "codes.lock"
"""Held while a code is looked at and used up."""
TRIES: Final = 5
"""Wrong pass phrases in a row before the next try has to wait."""
WAIT_SECONDS: Final = 60


class NotProved(UsageError):
    """Who acts is not proved."""

    code = "person_not_proved"


class SecondFactorWrong(NotProved):
    """A code is not the one that the person's device shows."""

    code = "second_factor_wrong"


class SecondFactorUsed(NotProved):
    """A code of a second factor was used already."""

    code = "second_factor_used"


class PassPhraseWeak(UsageError):
    """A pass phrase is too short, too long, or one that everybody tries first."""

    code = "pass_phrase_weak"


class TooManyTries(UsageError):
    """Too many wrong pass phrases were given."""

    code = "too_many_tries"


class ProofsUnwritable(SourceUnavailable):
    """What proves a person cannot be kept: no private key of the ledger, or no place."""

    code = "proofs_unwritable"


class Provable(Protocol):
    """An event that says how it was proved who acted."""

    @property
    def proof(self) -> events.ActProof:
        """How."""


def _unwritable(own: Path) -> ProofsUnwritable:
    return ProofsUnwritable(
        "The proof of a person cannot be kept.",
        where=str(own),
        next_step="the ledger's private key must be at hand, and the folder writable",
    )


def persons_folder(folder: Path) -> Path:
    """Return where the verifiers of a ledger's pass phrases lie: beside it."""
    beside = Path(os.path.abspath(folder))
    return beside.with_name(f"{beside.name}.persons")


@dataclass(frozen=True, slots=True)
class PersonProofs:
    """The persons of one ledger who can prove who they are.

    Args:
        folder: the ledger.
        key: the ledger's private key, where it is not in the usual places.
    """

    folder: Path
    key: Path | None = None

    def keep(self, person: str, pass_phrase: str) -> None:
        """Keep the verifier of a person's pass phrase in the place of an earlier one.

        Raises:
            PassPhraseWeak: it can be guessed.
            ProofsUnwritable: without the ledger's private key nothing is sealed.
        """
        check_strength(pass_phrase, person)
        salt = os.urandom(16)
        verifier = {
            "person": person_key(person),
            "salt": salt.hex(),
            "verifier": _derived(pass_phrase, salt).hex(),
        }
        self._write(person, verifier)

    def _write(self, person: str, verifier: Mapping[str, Any]) -> None:
        name, own = _name(person), persons_folder(self.folder)
        with suppress(OSError):  # the secret of a second factor is nobody else's to read
            own.chmod(0o700)
        if not self._sealed().write(name, [json.dumps(verifier).encode()]):
            raise _unwritable(own)
        os.chmod(own, 0o700)
        os.chmod(own / name, 0o600)

    # --- the second factor --------------------------------------------------------------------

    def has_second(self, person: str) -> bool:
        """Whether a person has set up a second factor: a device that shows codes, or a passkey."""
        return bool(self.second_factors(person))

    def second_factors(self, person: str) -> frozenset[str]:
        """Which second factors a person has: ``code``, ``passkey``."""
        kept = self._kept(person)
        named = {"code": "second" in kept, "passkey": bool(kept.get("passkeys"))}
        return frozenset(name for name, is_there in named.items() if is_there)

    def passkeys(self, person: str) -> tuple[Passkey, ...]:
        """The passkeys of a person."""
        return passkeys_of(self._kept(person))

    def add_passkey(self, person: str, passkey: Passkey) -> None:
        """Keep a passkey of a person, who has proved to be that.

        Raises:
            PasskeyWrong: it is kept already, or there are too many.
            ProofsUnwritable: without the ledger's private key nothing is sealed.
        """
        own = self.passkeys(person)
        if len(own) >= MOST or passkey.id in {each.id for each in own}:
            raise PasskeyWrong(
                f"You have this passkey already, or {MOST} others.", next_step="remove one first"
            )
        self._keep_passkeys(person, [*own, passkey])

    def remove_passkey(self, person: str, identity: str) -> None:
        """Forget a passkey of a person, who has proved to be that.

        Raises:
            ProofsUnwritable: without the ledger's private key nothing is sealed.
        """
        self._keep_passkeys(person, [each for each in self.passkeys(person) if each.id != identity])

    def prove_passkey(self, person: str, sent: str, challenge: bytes, at: int) -> None:
        """Check what a browser signed with a passkey of a person.

        Args:
            person: the credential.
            sent: the browser's answer, JSON.
            challenge: the one that was asked, and is asked no more.
            at: the moment, microseconds UTC.

        Raises:
            NotProved: no passkey of the person signed it.
            TooManyTries: something was wrong too often just now.
            ProofsUnwritable: that it was used cannot be kept.
        """
        tries = self._tries_of_codes(person)
        _wait(tries, at)
        own = self.passkeys(person)
        try:
            passkey = used(sent, challenge, own)
        except PasskeyWrong as error:
            _note_try(tries, at)
            raise NotProved(error.problem, next_step=error.next_step) from error
        self._keep_passkeys(person, [passkey if each.id == passkey.id else each for each in own])
        with suppress(OSError):
            tries.unlink(missing_ok=True)

    def _keep_passkeys(self, person: str, passkeys: Iterable[Passkey]) -> None:
        plain = [each.plain() for each in passkeys]
        self._write(person, {**self._kept(person), "passkeys": plain})

    def _tries_of_codes(self, person: str) -> Path:
        """Apart from those of the pass phrase, which one who knows it would set back."""
        return persons_folder(self.folder) / f"{_name(person)}.code-tries"

    def set_second(self, person: str, secret: bytes, code: str, at: int) -> None:
        """Set up a person's second factor, which a code shows to be in the person's hands.

        It stands in the same sealed file as the pass phrase: whoever removes the one removes the
        other. Enrolling the person again with a new pass phrase ends it.

        Args:
            person: the credential; the pass phrase has been checked.
            secret: what the person's device was given.
            code: six digits that the device shows.
            at: the moment, microseconds UTC.

        Raises:
            NotProved: the code is another one, or no pass phrase is kept.
            ProofsUnwritable: without the ledger's private key nothing is sealed.
        """
        kept = self._kept(person)
        step = _step_of(secret, code, at)
        if not kept or step is None:
            raise NotProved("This is not the code of the device.", next_step="nothing was changed")
        self._write(person, {**kept, "second": {"secret": secret.hex(), "step": step}})

    def prove_second(self, person: str, code: str, at: int) -> None:
        """Check a code of a person's second factor (RFC 6238); each is good once.

        Nothing is asked of whoever has set up none.

        Raises:
            SecondFactorWrong: it is another one.
            SecondFactorUsed: it was used before, at the desk or by a command.
            TooManyTries: something was wrong too often just now.
            ProofsUnwritable: that it was used cannot be kept.
        """
        if not self.has_second(person):
            return
        tries = self._tries_of_codes(person)
        with self._one_at_a_time():
            _wait(tries, at)
            kept = self._kept(person)
            second = kept.get("second")
            step = second and _step_of(bytes.fromhex(second["secret"]), code, at)
            if not second or step is None:
                _note_try(tries, at)
                raise SecondFactorWrong(
                    "This is not the code of the device.", next_step="wait for the next one"
                )
            if step <= second["step"]:
                _note_try(tries, at)
                raise SecondFactorUsed(
                    "This code was used already; each is good once.",
                    next_step="wait for the next one",
                )
            self._write(person, {**kept, "second": {**second, "step": step}})
            with suppress(OSError):
                tries.unlink(missing_ok=True)

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """Let one process at a time use up a code: a command and the desk, or two commands.

        Raises:
            ProofsUnwritable: there is no place for the lock.
        """
        own = persons_folder(self.folder)
        try:
            lock = os.open(own / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise _unwritable(own) from error
        try:
            flock(lock, LOCK_EX)
            yield
        finally:
            os.close(lock)  # which lets go of it

    # --- the account at a provider ------------------------------------------------------------

    def account(self, person: str) -> ProviderAccount | None:
        """The account at a provider that a person has linked."""
        return account_of(self._kept(person))

    def persons_with(self, account: ProviderAccount, persons: Iterable[str]) -> tuple[str, ...]:
        """Which of these persons have linked an account: one, or nobody."""
        sealed = self._sealed()
        return tuple(
            person for person in persons if account_of(_kept_in(sealed, person)) == account
        )

    def link_account(self, person: str, account: ProviderAccount, enrolled: Iterable[str]) -> None:
        """Link an account to a person, who has proved to be that, in the place of an earlier one.

        Enrolling the person again with a new pass phrase ends the link.

        Args:
            person: the credential; the pass phrase has been checked.
            account: at the provider.
            enrolled: everybody who is enrolled.

        Raises:
            AccountTaken: it is linked to somebody else.
            ProofsUnwritable: without the ledger's private key nothing is sealed.
        """
        own = person_key(person)
        if any(person_key(each) != own for each in self.persons_with(account, enrolled)):
            raise AccountTaken(
                "This account is linked to another credential.",
                next_step="its person unlinks it there, or an administrator enrolls that person"
                " again",
            )
        self._write(person, {**self._kept(person), "account": account.plain()})

    def unlink_account(self, person: str) -> None:
        """Forget the account of a person, who has proved to be that.

        Raises:
            ProofsUnwritable: without the ledger's private key nothing is sealed.
        """
        self._write(person, {**self._kept(person), "account": None})

    def _kept(self, person: str) -> dict[str, Any]:
        """What is kept of a person and sealed; nothing where it is another's."""
        return _kept_in(self._sealed(), person)

    def prove(self, person: str, pass_phrase: str, at: int) -> None:
        """Check a person's pass phrase at a moment, microseconds UTC.

        Raises:
            NotProved: it is another one, or none is kept that the ledger's key sealed.
            TooManyTries: it was wrong too often just now.
        """
        tries = persons_folder(self.folder) / f"{_name(person)}.tries"
        _wait(tries, at)
        kept = self._kept(person)
        if not kept:
            raise NotProved(
                f"No pass phrase of {person} is kept for this ledger.",
                next_step=f"`pitledger person enroll {person}`",
            )
        derived = _derived(pass_phrase, bytes.fromhex(kept["salt"]))
        if not _same(derived, bytes.fromhex(kept["verifier"])):
            _note_try(tries, at)
            raise NotProved(
                f"This is not the pass phrase of {person}.", next_step="nothing was recorded"
            )
        with suppress(OSError):
            tries.unlink(missing_ok=True)

    def pretend(self) -> None:
        """Take as long as a proof does, for whoever is not enrolled."""
        _derived("", bytes(16))

    def _sealed(self) -> SealedFolder:
        seals = Seals.of(self.folder)
        if self.key is not None:
            signer = read_signer(DirectoryStorage(self.folder), self.key, seals.verifier)
            seals = Seals(seals.verifier, signer, seals.earlier)
        return SealedFolder(persons_folder(self.folder), KIND, seals)


def check_strength(pass_phrase: str, person: str) -> None:
    """Refuse a pass phrase that can be guessed, without asking anybody outside.

    Raises:
        PassPhraseWeak: too short, too long, a common one or made of such, the credential, or
            characters that nobody sees.
    """
    from zxcvbn import zxcvbn

    plain = _plain(pass_phrase)
    is_sentence = plain in _common() or plain.rstrip("0123456789") in _common()
    problem = None
    if not SHORTEST <= len(pass_phrase) <= LONGEST:
        problem = f"A pass phrase has {SHORTEST} to {LONGEST:,} characters."
    elif (
        is_sentence
        or person_key(person) in pass_phrase.casefold()
        or zxcvbn(pass_phrase[:ESTIMATED], [person, *OWN_WORDS])["score"] < GUESSABLE
    ):
        problem = "This pass phrase is among the first that somebody would try."
    elif not pass_phrase.isprintable():
        problem = "A pass phrase has only characters that can be typed and seen."
    if problem is not None:
        raise PassPhraseWeak(problem, next_step="take four words that have nothing in common")


@cache
def _common() -> frozenset[str]:
    """Sentences that everybody knows: lists of single words, dates and keys do not have them."""
    listed = files("ledger.casework").joinpath("common_pass_phrases.txt").read_text("utf-8")
    return frozenset(filter(None, map(_plain, listed.splitlines())))


def _plain(text: str) -> str:
    """Only letters and digits, in small letters: what a guesser varies is left out."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _derived(pass_phrase: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    kdf = Argon2id(salt=salt, length=32, iterations=ITERATIONS, lanes=LANES, memory_cost=MEMORY_KIB)
    with _ONE_AT_A_TIME:
        return kdf.derive(pass_phrase.encode("utf-8", "surrogatepass"))


def _step_of(secret: bytes, code: str, at: int) -> int | None:
    """Return the number of the half minute whose code this is: now, the one before or after."""
    from cryptography.hazmat.primitives.hashes import SHA1
    from cryptography.hazmat.primitives.twofactor.totp import TOTP

    device = TOTP(secret, DIGITS, SHA1(), STEP_SECONDS)  # what every such app takes by default
    digits = "".join(code.split())
    present = at // 1_000_000 // STEP_SECONDS
    steps = [
        step
        for step in (present - 1, present, present + 1)
        if _same(device.generate(step * STEP_SECONDS), digits.encode("utf-8", "replace"))
    ]
    return max(steps, default=None)


def _same(first: bytes, second: bytes) -> bool:
    from hmac import compare_digest

    return compare_digest(first, second)


def _wait(tries: Path, at: int) -> None:
    """Refuse another try right after too many wrong ones."""
    try:
        times = [int(line) for line in tries.read_text("ascii").split()[-TRIES:]]
    except (OSError, ValueError):
        return
    waits = WAIT_SECONDS - (at - max(times, default=0)) / 1_000_000
    if len(times) >= TRIES and waits > 0:
        raise TooManyTries(
            f"The pass phrase or the second factor was wrong {TRIES} times.",
            next_step=f"wait {int(min(waits, WAIT_SECONDS)) + 1} seconds, then try again",
        )


def _note_try(tries: Path, at: int) -> None:
    with tries.open("a", encoding="ascii") as times:
        times.write(f"{at}\n")


def _kept_in(sealed: SealedFolder, person: str) -> dict[str, Any]:
    stored = sealed.read(_name(person))
    kept: dict[str, Any] = {} if stored is None else json.loads(stored)
    return kept if kept.get("person") == person_key(person) else {}


def _name(person: str) -> str:
    return sha256(person_key(person).encode()).hexdigest()[:32]
