"""The accounts of the desk: which credentials may sign in, and what is kept of their pass phrases.

The file lies beside the ledger's folder (``FOLDER.accounts``), sealed by the ledger's key: whoever
has no key adds no account and changes no pass phrase. The desk only reads it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from ledger.log.signed_file_index import Seals
from ledger.replay import Holding, Roster
from ledger.replay.persons import person_key
from ledger.web.errors import AccountsUnsealed, AccountsUnwritable, EnrollmentRefused
from ledger.web.pass_phrases import COST, Cost, check_pass_phrase, hash_of
from ledger.web.roles import roles_of

KIND: Final = "accounts"
FORMAT: Final = 1
MOST: Final = 2_000
"""Accounts that a file may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One credential that may sign in; ``enrolled_at`` is in microseconds UTC."""

    credential: str
    pass_phrase: str
    enrolled_at: int


Accounts = Mapping[str, Account]
"""By ``person_key`` of the credential."""


def accounts_file(folder: Path) -> Path:
    """Return where the accounts of a ledger lie: beside its folder."""
    beside = Path(os.path.abspath(folder))
    return beside.with_name(f"{beside.name}.accounts")


def read_accounts(folder: Path, seals: Seals) -> Accounts:
    """Return the accounts of a ledger; none where nobody was enrolled.

    Raises:
        AccountsUnsealed: there is a file, and the ledger's key did not seal it so.
    """
    path = accounts_file(folder)
    if not path.exists():
        return {}
    try:
        document = json.loads(seals.opened(KIND, KIND, path.read_bytes()) or b"")
        if document["format"] != FORMAT:
            raise AccountsUnsealed(str(path))
        accounts = [Account(**entry) for entry in document["accounts"]]
    except (ValueError, TypeError, KeyError) as error:
        raise AccountsUnsealed(str(path)) from error
    return {person_key(account.credential): account for account in accounts}


def enroll(
    folder: Path,
    seals: Seals,
    roster: Roster,
    credential: str,
    pass_phrase: str,
    at: int,
    cost: Cost = COST,
) -> Account:
    """Give a credential an account, or a new pass phrase, and seal the file.

    Args:
        folder: the ledger's.
        seals: with the ledger's private key.
        roster: who holds which credential.
        credential: whose account.
        pass_phrase: the new one.
        at: now, microseconds UTC.
        cost: what a guess shall cost.

    Raises:
        EnrollmentRefused: the credential is not held, or no role at the desk follows from it.
        PassPhraseRefused: the pass phrase is easily guessed.
        AccountsUnsealed: the file that is there is not what the ledger's key sealed.
        AccountsUnwritable: the ledger's private key is not at hand, or the file not writable.
    """
    if roster.holding(credential, at) is not Holding.HELD:
        raise EnrollmentRefused(credential, "the record has no valid credential of that number")
    if not roles_of(roster, credential, at):
        raise EnrollmentRefused(credential, "its department has no work at the desk")
    check_pass_phrase(pass_phrase, credential)
    accounts = dict(read_accounts(folder, seals))
    account = Account(credential=credential, pass_phrase=hash_of(pass_phrase, cost), enrolled_at=at)
    accounts[person_key(credential)] = account
    if len(accounts) > MOST:
        raise EnrollmentRefused(credential, f"there are {MOST} accounts, the most there may be")
    entries = [
        {name: getattr(each, name) for name in Account.__dataclass_fields__}
        for _, each in sorted(accounts.items())
    ]
    document = json.dumps({"format": FORMAT, "accounts": entries}, indent=1).encode()
    _write(accounts_file(folder), seals, document)
    return account


def _write(path: Path, seals: Seals, document: bytes) -> None:
    """Seal the file under one name, so that a ledger that is moved keeps its accounts."""
    if seals.signer is None:
        raise AccountsUnwritable(str(path))
    sealed = document + seals.trailer(KIND, KIND, sha256(document).hexdigest())
    scratch = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        scratch.touch(mode=0o600)
        scratch.write_bytes(sealed)
        scratch.replace(path)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        raise AccountsUnwritable(str(path)) from error
