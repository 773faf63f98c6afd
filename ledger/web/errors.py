"""Why the desk refuses."""

from __future__ import annotations

from ledger.kernel import SourceUnavailable, UsageError


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


class ProviderAway(SourceUnavailable):
    """The OpenID provider gives no answer."""

    code = "provider_away"

    def __init__(self, provider: str, cause: str) -> None:
        super().__init__(
            f"{provider} does not answer, so nobody can sign in there at the moment.",
            cause=cause,
            next_step="sign in with your pass phrase below, or try again in a minute",
        )


class ProviderWrong(SourceUnavailable):
    """The OpenID provider answers something that a desk must not rely on."""

    code = "provider_wrong"

    def __init__(self, provider: str, cause: str) -> None:
        super().__init__(
            f"{provider} is not set up as this desk needs it.",
            cause=cause,
            next_step="sign in with your pass phrase below, and tell whoever runs the desk",
        )


class OpenIdRefused(UsageError):
    """What came back from the OpenID provider proves nobody."""

    code = "openid_refused"

    def __init__(self, cause: str, problem: str = "", step: str = "") -> None:
        super().__init__(
            problem or "What came back from the provider proves nobody.",
            cause=cause,
            next_step=step or "begin again",
        )
