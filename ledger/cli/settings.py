"""The settings, and where each value came from."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import Field, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ledger.cli.errors import SettingsWrong
from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from ledger.casework import Policy
    from ledger.casework.cases import CaseRole
    from ledger.reports.installation_page import SettingRow
    from ledger.reports.paper import Paper
    from ledger.web.settings import OpenIdSettings

_TIME: Final = r"([01]\d|2[0-3]):[0-5]\d"
_THRESHOLD: Final = r"[^=;]{1,60}=\d{1,2}(\.\d{1,2})?"
_CLAIM: Final = r"[A-Za-z][\w:./-]{0,79}"
_ROLE: Final = "(surveillance|finance|auditor|supervisor|administrator|Board agent)"
_LONGEST_SECRET: Final = 1_000
HIDDEN: Final = "********"
PREFIX: Final = "PITLEDGER_"
"""With which the variables of settings begin."""
Read = Callable[[str], object]
"""Makes a value of the text of a variable; a ValueError says what it must be."""


def _whole(least: int, most: int | None = None) -> Read:
    def read(text: str) -> int:
        if re.fullmatch(r"[+-]?[0-9]{1,18}", text.strip()) is None:
            raise ValueError("it must be a whole number")
        number = int(text)
        if number < least or (most is not None and number > most):
            upto = "or more" if most is None else f"to {most:,}"
            raise ValueError(f"it must be {least} {upto}")
        return number

    return read


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise ValueError("it must be a number of seconds") from None
    if not 0 < seconds < float("inf"):
        raise ValueError("it must be a number of seconds above 0")
    return seconds


def _text(pattern: str, such_as: str) -> Read:
    def read(text: str) -> str:
        if re.fullmatch(pattern, text, re.DOTALL) is None:
            raise ValueError(f"it must be {such_as}")
        return text

    return read


_CODE: Final = _text(r"[0-9 ]{6,9}", "the six digits that the device shows")


def _address(text: str) -> str:
    from ledger.web.settings import is_guarded_address

    if not is_guarded_address(text) or "?" in text or len(text) > 255:
        raise ValueError("it must be an address with https://, or http:// on this machine")
    return text


def _says(about: str, read: Read = str) -> dict[str, Any]:
    """What a setting is, and what is made of a variable's text."""
    return {"about": about, "read": read}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the environment may set; an empty variable is as if it were not there."""

    ledger: Path = field(
        default=Path("pitledger-data"), metadata=_says("folder of the ledger", Path)
    )
    key: Path | None = field(
        default=None,
        metadata=_says(
            "file of the ledger's private key; without it FOLDER.key beside the ledger", Path
        ),
    )
    pass_phrase_file: Path | None = field(
        default=None,
        metadata=_says("file of the pass phrase of who acts; without it one is asked for", Path),
    )
    new_pass_phrase_file: Path | None = field(
        default=None, metadata=_says("file of the pass phrase of a person who is enrolled", Path)
    )
    person_key: Path | None = field(
        default=None,
        metadata=_says("file of the key by which who acts signs, instead of a pass phrase", Path),
    )
    approver_pass_phrase_file: Path | None = field(
        default=None,
        metadata=_says(
            "file of the pass phrase of who approves; without it one is asked for", Path
        ),
    )
    code: str | None = field(
        default=None,
        repr=False,
        metadata=_says(
            "code that the device of who acts shows, good once; without it one is asked for",
            _CODE,
        ),
    )
    approver_code: str | None = field(
        default=None,
        repr=False,
        metadata=_says(
            "code that the device of who approves shows, good once; without it one is asked for",
            _CODE,
        ),
    )
    approver_key: Path | None = field(
        default=None,
        metadata=_says(
            "file of the key by which who approves signs, instead of a pass phrase", Path
        ),
    )
    witnesses: Path | None = field(
        default=None,
        metadata=_says(
            "file that names the ledger's witnesses; without it FOLDER.witnesses beside it", Path
        ),
    )
    unwitnessed_entries: int = field(
        default=100_000,
        metadata=_says(
            "how many entries may be appended that not enough witnesses have seen", _whole(0)
        ),
    )
    kafka: str = field(default="127.0.0.1:19092", metadata=_says("where the broker is, HOST:PORT"))
    kafka_security: str = field(
        default="PLAINTEXT", metadata=_says("PLAINTEXT, or SASL_SSL on a floor")
    )
    kafka_mechanism: str = field(
        default="SCRAM-SHA-512", metadata=_says("how the password is proved")
    )
    kafka_ca: Path | None = field(
        default=None, metadata=_says("certificate authority of the broker", Path)
    )
    kafka_username: str | None = field(default=None, metadata=_says("principal at the broker"))
    kafka_password: str | None = field(
        default=None, repr=False, metadata=_says("its password; never printed")
    )
    kafka_timeout: float = field(
        default=30.0, metadata=_says("seconds that a broker may stay silent", _seconds)
    )
    night: Path = field(
        default=Path("pitledger-nights"), metadata=_says("folder of the nights' reports", Path)
    )
    night_preliminary: str = field(
        default="07:30",
        metadata=_says(
            "local time of the preliminary run, after the tables have closed",
            _text(_TIME, "a time such as 07:30"),
        ),
    )
    night_final: str = field(
        default="13:30",
        metadata=_says(
            "local time of the final run, after the count", _text(_TIME, "a time such as 07:30")
        ),
    )
    footage_days: int | None = field(
        default=None, metadata=_says("for how many days recordings are kept", _whole(1, 3_650))
    )
    action_days: int | None = field(
        default=None,
        metadata=_says("within how many days an action is to be closed", _whole(1, 3_650)),
    )
    paper: str = field(
        default="Letter",
        metadata=_says(
            "what pages are printed on: Letter or A4", _text("Letter|A4", "Letter or A4")
        ),
    )
    alerts_per_shift: int = field(
        default=4, metadata=_says("how many alerts a shift is shown at most", _whole(0, 1_000))
    )
    shift_hours: int = field(
        default=8,
        metadata=_says("hours of a shift, from the start of the gaming day", _whole(1, 24)),
    )
    hold_thresholds: str = field(
        default="",
        metadata=_says(
            "other states' thresholds for hold to be shown: NAME=POINTS; NAME=POINTS",
            _text(rf"{_THRESHOLD}(; *{_THRESHOLD})*", "NAME=POINTS; NAME=POINTS"),
        ),
    )
    second_factor: str = field(
        default="",
        metadata=_says(
            "roles that sign and decide at the desk with a second factor only: ROLE; ROLE, or all",
            _text(rf"all|{_ROLE}(; *{_ROLE})*", "all, or roles such as surveillance; supervisor"),
        ),
    )
    oidc_issuer: str | None = field(
        default=None,
        metadata=_says(
            "address of the OpenID provider at which people sign in to the desk", _address
        ),
    )
    oidc_client: str | None = field(
        default=None,
        metadata=_says(
            "name of the desk at the OpenID provider", _text("[!-~]{1,255}", "at most 255 letters")
        ),
    )
    oidc_secret_file: Path | None = field(
        default=None,
        metadata=_says("file of the desk's secret at the provider; without it there is none", Path),
    )
    oidc_desk: str | None = field(
        default=None,
        metadata=_says("the desk's own address, as browsers and the provider know it", _address),
    )
    oidc_claim: str = field(
        default="sub",
        metadata=_says(
            "claim of the provider's tokens that names the account a person links",
            _text(_CLAIM, "the name of a claim, such as sub"),
        ),
    )
    oidc_max_age: int = field(
        default=0,
        metadata=_says(
            "seconds since the sign-in at the provider that still count; 0: each time anew",
            _whole(0, 86_400),
        ),
    )
    oidc_acr: str = field(
        default="",
        metadata=_says(
            "authentication contexts of which the provider must state one: ACR ACR",
            _text(r"[!-~]{1,200}( [!-~]{1,200}){0,7}", "at most eight, with a space between"),
        ),
    )
    registry: str | None = field(default=None, metadata=_says("schema registry, by URL"))
    complaints: str = field(
        default="Ask a supervisor at the table, or the representative of the Pennsylvania Gaming"
        " Control Board in the casino.",
        metadata=_says(
            "what a patron is told about complaints", _text(".{1,400}", "at most 400 characters")
        ),
    )

    @property
    def printed_on(self) -> Paper:
        """The paper of the property."""
        from ledger.reports.paper import Paper

        return Paper(self.paper)

    @property
    def second_factor_roles(self) -> frozenset[CaseRole]:
        """The roles that need a second factor."""
        from ledger.casework.cases import CaseRole

        if self.second_factor == "all":
            return frozenset(CaseRole)
        return frozenset(CaseRole(name.strip()) for name in self.second_factor.split(";") if name)

    @property
    def openid(self) -> OpenIdSettings | None:
        """The OpenID provider of the desk.

        Raises:
            SettingsWrong: a part is missing, or the file of the secret cannot be used.
        """
        from ledger.web.settings import OpenIdSettings

        if self.oidc_issuer is None:
            return None
        if self.oidc_client is None or self.oidc_desk is None:
            name = "OIDC_CLIENT" if self.oidc_client is None else "OIDC_DESK"
            about = "who the desk is at the provider that PITLEDGER_OIDC_ISSUER names"
            raise SettingsWrong(PREFIX + name, "not set", "it is missing", about)
        return OpenIdSettings(
            issuer=self.oidc_issuer,
            client_id=self.oidc_client,
            client_secret=_secret_in(self.oidc_secret_file) if self.oidc_secret_file else "",
            desk=self.oidc_desk.rstrip("/"),
            claim=self.oidc_claim,
            max_age_seconds=self.oidc_max_age,
            acr=tuple(self.oidc_acr.split()),
        )

    @property
    def policy(self) -> Policy:
        """What the property decided about alerts."""
        from ledger.casework import Policy, Threshold

        pairs = (one.strip().partition("=") for one in self.hold_thresholds.split(";") if one)
        return Policy(
            per_shift=self.alerts_per_shift,
            shift_hours=self.shift_hours,
            thresholds=tuple(Threshold(source=name, points=float(at)) for name, _, at in pairs),
        )


def _secret_in(path: Path) -> str:
    """The secret that a file holds, which nobody else of the machine may read.

    Raises:
        SettingsWrong: it cannot be used; its text is never shown.
    """
    problem = None
    secret = ""
    try:
        with path.open(encoding="utf-8") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                problem = "others may read it; `chmod 600` ends that"
            secret = file.read(_LONGEST_SECRET + 1).strip()
    except (OSError, ValueError):
        problem = "it cannot be read"
    if problem is None and not (0 < len(secret) <= _LONGEST_SECRET and secret.isprintable()):
        problem = f"it must be one line of at most {_LONGEST_SECRET} characters"
    if problem is not None:
        about = "where the desk's secret at the provider is"
        raise SettingsWrong(PREFIX + "OIDC_SECRET_FILE", str(path), problem, about)
    return secret


def load() -> Settings:
    """The settings as the environment has them.

    Raises:
        SettingsWrong: a value cannot be used.
    """
    values: dict[str, Any] = {}
    for setting in fields(Settings):
        text = os.environ.get(variable_of(setting), "")
        if text:
            try:
                values[setting.name] = setting.metadata["read"](text)
            except ValueError as error:
                shown = HIDDEN if not setting.repr else repr(text)
                raise SettingsWrong(
                    variable_of(setting), shown, str(error), setting.metadata["about"]
                ) from error
    return Settings(**values)


def variable_of(setting: Field[Any]) -> str:
    """Return the name of the environment's variable for a setting."""
    return PREFIX + setting.name.upper()


def described(ledger: Path | None) -> list[SettingRow]:
    """Each setting with its value and where that came from; a password is never shown.

    Args:
        ledger: what the option ``--ledger`` said.
    """
    settings = load()
    rows: list[SettingRow] = []
    for setting in fields(Settings):
        variable = variable_of(setting)
        chosen = getattr(settings, setting.name)
        source = f"environment, {variable}" if os.environ.get(variable) else "default"
        if setting.name == "ledger" and ledger is not None:
            chosen, source = ledger, "option --ledger"
        if chosen is not None and not setting.repr:
            chosen = HIDDEN
        plain = chosen if chosen is None or isinstance(chosen, int | float) else str(chosen)
        rows.append(
            {
                "setting": setting.name,
                "value": plain,
                "from": source,
                "variable": variable,
                "is": setting.metadata["about"],
            }
        )
    return rows
