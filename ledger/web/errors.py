"""Why the desk refuses."""

from __future__ import annotations

from ledger.kernel import UsageError


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
