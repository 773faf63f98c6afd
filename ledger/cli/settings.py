"""The settings, and where each value came from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from ledger.cli.errors import SettingsWrong
from ledger.cli.ledger_folder import DEFAULT_LEDGER, PREFIX

if TYPE_CHECKING:
    from ledger.casework import Policy
    from ledger.reports.installation_page import SettingRow
    from ledger.reports.paper import Paper

_THRESHOLD: Final = r"[^=;]{1,60}=\d{1,2}(\.\d{1,2})?"
HIDDEN: Final = "********"


class Settings(BaseSettings):
    """What the environment may set; an empty variable is as if it were not there."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="ignore")

    ledger: Path = Field(default=DEFAULT_LEDGER, description="folder of the ledger")
    key: Path | None = Field(
        default=None,
        description="file of the ledger's private key; without it FOLDER.key beside the ledger",
    )
    pass_phrase_file: Path | None = Field(
        default=None, description="file of the pass phrase of who acts; without it one is asked for"
    )
    new_pass_phrase_file: Path | None = Field(
        default=None, description="file of the pass phrase of a person who is enrolled"
    )
    person_key: Path | None = Field(
        default=None,
        description="file of the key by which who acts signs, instead of a pass phrase",
    )
    approver_pass_phrase_file: Path | None = Field(
        default=None,
        description="file of the pass phrase of who approves; without it one is asked for",
    )
    approver_key: Path | None = Field(
        default=None,
        description="file of the key by which who approves signs, instead of a pass phrase",
    )
    witnesses: Path | None = Field(
        default=None,
        description="file that names the ledger's witnesses; without it FOLDER.witnesses beside it",
    )
    unwitnessed_entries: int = Field(
        default=100_000,
        description="how many entries may be appended that not enough witnesses have seen",
        ge=0,
    )
    kafka: str = Field(default="127.0.0.1:19092", description="where the broker is, HOST:PORT")
    kafka_security: str = Field(
        default="PLAINTEXT", description="PLAINTEXT, or SASL_SSL on a floor"
    )
    kafka_mechanism: str = Field(default="SCRAM-SHA-512", description="how the password is proved")
    kafka_ca: Path | None = Field(default=None, description="certificate authority of the broker")
    kafka_username: str | None = Field(default=None, description="principal at the broker")
    kafka_password: SecretStr | None = Field(
        default=None, description="its password; never printed"
    )
    kafka_timeout: float = Field(
        default=30, description="seconds that a broker may stay silent", gt=0
    )
    night: Path = Field(
        default=Path("pitledger-nights"), description="folder of the nights' reports"
    )
    night_preliminary: str = Field(
        default="07:30",
        description="local time of the preliminary run, after the tables have closed",
        pattern=r"^([01]\d|2[0-3]):[0-5]\d$",
    )
    night_final: str = Field(
        default="13:30",
        description="local time of the final run, after the count",
        pattern=r"^([01]\d|2[0-3]):[0-5]\d$",
    )
    footage_days: int | None = Field(
        default=None, description="for how many days recordings are kept", ge=1, le=3_650
    )
    action_days: int | None = Field(
        default=None, description="within how many days an action is to be closed", ge=1, le=3_650
    )
    paper: Literal["Letter", "A4"] = Field(
        default="Letter", description="what pages are printed on: Letter or A4"
    )
    alerts_per_shift: int = Field(
        default=4, description="how many alerts a shift is shown at most", ge=0, le=1_000
    )
    shift_hours: int = Field(
        default=8, description="hours of a shift, from the start of the gaming day", ge=1, le=24
    )
    hold_thresholds: str = Field(
        default="",
        description="other states' thresholds for hold to be shown: NAME=POINTS; NAME=POINTS",
        pattern=rf"^({_THRESHOLD}(; *{_THRESHOLD})*)?$",
    )
    registry: str | None = Field(default=None, description="schema registry, by URL")
    complaints: str = Field(
        default="Ask a supervisor at the table, or the representative of the Pennsylvania Gaming"
        " Control Board in the casino.",
        description="what a patron is told about complaints",
        max_length=400,
    )

    @property
    def printed_on(self) -> Paper:
        """The paper of the property."""
        from ledger.reports.paper import Paper

        return Paper(self.paper)

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


def load() -> Settings:
    """The settings as the environment has them.

    Raises:
        SettingsWrong: a value cannot be used.
    """
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        entry = Settings.model_fields[name]
        secret = "password" in name
        raise SettingsWrong(
            PREFIX + name.upper(),
            HIDDEN if secret else repr(first["input"]),
            first["msg"][:1].lower() + first["msg"][1:],
            entry.description or name,
        ) from error


def described(ledger: Path | None) -> list[SettingRow]:
    """Each setting with its value and where that came from; a password is never shown.

    Args:
        ledger: what the option ``--ledger`` said.
    """
    settings = load()
    rows: list[SettingRow] = []
    for name, entry in Settings.model_fields.items():
        variable = PREFIX + name.upper()
        setting = getattr(settings, name)
        source = f"environment, {variable}" if os.environ.get(variable) else "default"
        if name == "ledger" and ledger is not None:
            setting, source = ledger, "option --ledger"
        if isinstance(setting, SecretStr):
            setting = HIDDEN
        plain = setting if setting is None or isinstance(setting, int | float) else str(setting)
        rows.append(
            {
                "setting": name,
                "value": plain,
                "from": source,
                "variable": variable,
                "is": entry.description,
            }
        )
    return rows
