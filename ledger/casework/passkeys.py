"""Passkeys of persons (WebAuthn): what a browser is asked, and what it sends, verified.

A passkey signs for one site only, and what it signs names the page that asked: who is led to
another page gives nothing away that is good here. Only its public half is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any, Final

from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass

CHALLENGE_BYTES: Final = 32
MOST: Final = 5
"""Passkeys of one person."""
LONGEST: Final = 20_000
"""Characters of what a browser sends."""
LONGEST_NAME: Final = 60
_UNREADABLE: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


class PasskeyWrong(UsageError):
    """What a browser sent is no proof by a passkey of this person for this desk."""

    code = "passkey_wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passkey:
    """The public half of a passkey.

    Attributes:
        id: its own, in hexadecimal.
        public_key: as COSE states it, in hexadecimal.
        count: how often its device says that it signed; 0 for one that does not count.
        site: the name that it signs for.
        origin: the address of the pages that may ask it.
        name: how its person calls it.
    """

    id: str
    public_key: str
    count: int
    site: str
    origin: str
    name: str

    def plain(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def passkeys_of(kept: Mapping[str, Any]) -> tuple[Passkey, ...]:
    """Return the passkeys among what is kept of a person."""
    return tuple(Passkey(**each) for each in kept.get("passkeys", ()))


def request_options(site: str, challenge: bytes) -> str:
    """Return what a browser is asked to sign with any passkey that it has for a site, as JSON."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    return options_to_json(
        generate_authentication_options(
            rp_id=site, challenge=challenge, user_verification=UserVerificationRequirement.REQUIRED
        )
    )


def creation_options(person: str, site: str, challenge: bytes, kept: Iterable[Passkey]) -> str:
    """Return what a browser is asked to make for a person, as JSON."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    return options_to_json(
        generate_registration_options(
            rp_id=site,
            rp_name="Pitledger",
            user_name=person,
            user_id=sha256(person.encode()).digest(),
            challenge=challenge,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(id=bytes.fromhex(each.id)) for each in kept
            ],
        )
    )


def challenge_in(sent: str) -> bytes:
    """Return the challenge that an answer of a browser says it answers; nothing is verified yet.

    Raises:
        PasskeyWrong: it says none.
    """
    from webauthn.helpers import base64url_to_bytes, parse_client_data_json

    with _verifying():
        if len(sent) > LONGEST:
            raise ValueError
        client_data = json.loads(sent)["response"]["clientDataJSON"]
        return parse_client_data_json(base64url_to_bytes(client_data)).challenge


def registered(sent: str, challenge: bytes, site: str, origin: str, name: str) -> Passkey:
    """Return the passkey that a browser made.

    Args:
        sent: the browser's answer, JSON.
        challenge: the one that was asked.
        site: the name of the desk.
        origin: the address of its pages.
        name: how its person calls it.

    Raises:
        PasskeyWrong: it was not made for this, or its person was not verified.
    """
    from webauthn import verify_registration_response

    with _verifying():
        registration = verify_registration_response(
            credential=sent,
            expected_challenge=challenge,
            expected_rp_id=site,
            expected_origin=origin,
            require_user_verification=True,
        )
    return Passkey(
        id=registration.credential_id.hex(),
        public_key=registration.credential_public_key.hex(),
        count=registration.sign_count,
        site=site,
        origin=origin,
        name=name.strip()[:LONGEST_NAME] or "Passkey",
    )


def used(sent: str, challenge: bytes, kept: Iterable[Passkey]) -> Passkey:
    """Return the passkey that signed, with its new count.

    Raises:
        PasskeyWrong: none of these signed this challenge for a page of this desk.
    """
    from webauthn import verify_authentication_response
    from webauthn.helpers import base64url_to_bytes

    with _verifying():
        own = {each.id: each for each in kept}[base64url_to_bytes(json.loads(sent)["id"]).hex()]
        signed = verify_authentication_response(
            credential=sent,
            expected_challenge=challenge,
            expected_rp_id=own.site,
            expected_origin=own.origin,
            credential_public_key=bytes.fromhex(own.public_key),
            credential_current_sign_count=own.count,
            require_user_verification=True,
        )
    return replace(own, count=signed.new_sign_count)


@contextmanager
def _verifying() -> Iterator[None]:
    """Refuse whatever is wrong with what a browser sent in the same words."""
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        yield
    except (WebAuthnException, *_UNREADABLE) as error:
        raise PasskeyWrong(
            "This is no passkey of yours for this desk.", next_step="use it again, or your code"
        ) from error
