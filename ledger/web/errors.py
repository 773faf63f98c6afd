"""Why the desk refuses."""

from __future__ import annotations

from ledger.kernel import IntegrityBroken, SourceUnavailable, UsageError


class AccountsUnsealed(IntegrityBroken):
    """The file of accounts is not what the ledger's key sealed."""

    code = "accounts_unsealed"

    def __init__(self, path: str) -> None:
        super().__init__(
            "The accounts of the desk are not what the ledger's key sealed.",
            where=path,
            cause="the file was changed or cut, or belongs to another ledger",
            next_step="move the file aside and run `pitledger serve enroll CREDENTIAL` again",
        )


class AccountsUnwritable(SourceUnavailable):
    """The file of accounts cannot be written or sealed."""

    code = "accounts_unwritable"

    def __init__(self, path: str) -> None:
        super().__init__(
            "The accounts of the desk cannot be sealed and written.",
            where=path,
            cause="the ledger's private key is not at hand, or the folder cannot be written",
            next_step="run it where the ledger's private key is; PITLEDGER_KEY names its file",
        )


class PassPhraseRefused(UsageError):
    """A pass phrase is too short, too long or too well known."""

    code = "pass_phrase_refused"

    def __init__(self, why: str) -> None:
        super().__init__(
            f"This pass phrase cannot be used: {why}.",
            next_step="choose four or more words that nobody would guess",
        )


class EnrollmentRefused(UsageError):
    """A credential cannot sign in at the desk."""

    code = "desk_enrollment_refused"

    def __init__(self, credential: str, why: str) -> None:
        super().__init__(
            f"{credential} cannot be enrolled at the desk: {why}.",
            next_step="pitledger people lists the credentials on record",
        )


class BindingRefused(UsageError):
    """The desk would be reachable from other machines without encryption."""

    code = "binding_refused"

    def __init__(self, host: str) -> None:
        super().__init__(
            f"The desk is not served in the clear at {host}.",
            cause="pass phrases and what patrons wagered would cross the network unencrypted",
            next_step="give --tls-certificate and --tls-key, or --plain-http-behind-proxy where a"
            " proxy on this machine encrypts",
        )


class FormRefused(UsageError):
    """What a browser sent cannot be read."""

    code = "form_refused"
