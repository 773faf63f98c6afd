"""Pass phrases: which are refused, and how they are kept (Argon2id, RFC 9106)."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from ledger.web.errors import PassPhraseRefused

SHORTEST: Final = 12
LONGEST: Final = 128
FEWEST_SIGNS: Final = 5
"""Different characters that a pass phrase has at least."""
_SALT_BYTES: Final = 16
_HASH_BYTES: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a guess costs: passes over the memory, lanes, and kibibytes of memory."""

    passes: int = 3
    lanes: int = 4
    kibibytes: int = 65_536


COST: Final = Cost()
"""The second recommendation of RFC 9106: 64 MiB, for machines that cannot spare 2 GiB."""


@cache
def _common() -> frozenset[str]:
    text = files("ledger.web").joinpath("common_pass_phrases.txt").read_text("utf-8")
    return frozenset(filter(None, map(_plain, text.splitlines())))


def _plain(text: str) -> str:
    """Only letters and digits, in small letters: what a guesser varies is left out."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _bytes(pass_phrase: str) -> bytes:
    return unicodedata.normalize("NFKC", pass_phrase).encode()


def check_pass_phrase(pass_phrase: str, credential: str) -> None:
    """Refuse a pass phrase that is easily guessed.

    Raises:
        PassPhraseRefused: it is short, long, well known, or made of the credential.
    """
    plain = _plain(unicodedata.normalize("NFKC", pass_phrase))
    if len(pass_phrase) < SHORTEST:
        raise PassPhraseRefused(f"it has fewer than {SHORTEST} characters")
    if len(pass_phrase) > LONGEST:
        raise PassPhraseRefused(f"it has more than {LONGEST} characters")
    if not pass_phrase.isprintable():
        raise PassPhraseRefused("it has characters that cannot be printed")
    if len(set(plain)) < FEWEST_SIGNS:
        raise PassPhraseRefused(f"it has fewer than {FEWEST_SIGNS} different letters and digits")
    if plain in _common() or plain.rstrip("0123456789") in _common():
        raise PassPhraseRefused("it is on the list of common ones")
    if plain.replace(_plain(credential), "", 1) in ("", "pitledger", "password", "passphrase"):
        raise PassPhraseRefused("it is made of the credential")


def hash_of(pass_phrase: str, cost: Cost = COST) -> str:
    """Return what is kept of a pass phrase: Argon2id in PHC form, with a salt of its own."""
    kdf = Argon2id(
        salt=os.urandom(_SALT_BYTES),
        length=_HASH_BYTES,
        iterations=cost.passes,
        lanes=cost.lanes,
        memory_cost=cost.kibibytes,
    )
    return kdf.derive_phc_encoded(_bytes(pass_phrase))


def is_pass_phrase(pass_phrase: str, kept: str) -> bool:
    """Return whether a pass phrase is the one of which ``kept`` was kept."""
    try:
        Argon2id.verify_phc_encoded(_bytes(pass_phrase), kept)
    except InvalidKey:
        return False
    return True
