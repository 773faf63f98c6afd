"""Where is the broker, what are its topics called, and how do we show who we are?

The password never stands in a setting that is printed: it is read from the environment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.kafka_errors import KafkaSettingsWrong

BOOTSTRAP: Final = "127.0.0.1:19092"
TOPIC_PREFIX: Final = "pitledger"
PLAINTEXT: Final = "PLAINTEXT"
SASL_SSL: Final = "SASL_SSL"
MECHANISMS: Final = ("SCRAM-SHA-512", "SCRAM-SHA-256")
TIMEOUT_SECONDS: Final = 30
"""How long a broker may stay away or silent before we say so."""
RECORD_BYTES: Final = 1_000_000
"""The longest record, key and headers included, that is sent: a topic takes batches of 1 MiB."""

LEAST_RECORD_BYTES: Final = 80_000

_PREFIX: Final = re.compile(r"[A-Za-z0-9._-]{1,200}")
_SERVER: Final = re.compile(r"[^\s,/]+:\d{1,5}")


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """How a broker is reached.

    Args:
        bootstrap: ``HOST:PORT``, several with commas.
        topic_prefix: stands before ``.tables.v1`` and the others.
        security: ``PLAINTEXT`` (one machine, loopback), or ``SASL_SSL`` on a floor.
        mechanism: how the password is proved, with ``SASL_SSL``: one of ``MECHANISMS``.
        ca_file: the certificate authority that signed the broker's certificate; None takes those
            of the operating system.
        username: the principal, with ``SASL_SSL``.
        password: its password; never printed.
        registry_url: a Confluent-compatible registry that resolves the ids of the records; None
            takes the ids as published.
        timeout_seconds: how long a broker or registry may stay away or silent; of several brokers
            each has its share.
        record_bytes: the longest record that is sent; a topic may take more than ours do.
    """

    bootstrap: str = BOOTSTRAP
    topic_prefix: str = TOPIC_PREFIX
    security: str = PLAINTEXT
    mechanism: str = MECHANISMS[0]
    ca_file: Path | None = None
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    registry_url: str | None = None
    timeout_seconds: float = TIMEOUT_SECONDS
    record_bytes: int = RECORD_BYTES

    def __post_init__(self) -> None:
        """Refuse settings that cannot work, before anything is connected."""
        for problem, wrong in (
            ("the bootstrap is not HOST:PORT", not all(map(_SERVER.fullmatch, self.servers))),
            ("the topic prefix has other signs than A-Z a-z 0-9 . _ -", not self._prefix_fits()),
            ("security is PLAINTEXT or SASL_SSL", self.security not in (PLAINTEXT, SASL_SSL)),
            (f"the mechanism is one of {', '.join(MECHANISMS)}", self.mechanism not in MECHANISMS),
            ("the timeout is not above nought", not self.timeout_seconds > 0),
            ("a record must be able to hold a fact", self.record_bytes < LEAST_RECORD_BYTES),
            ("the registry is not an http or https address", not self._registry_fits()),
        ):
            if wrong:
                raise KafkaSettingsWrong(problem)
        if self.security == SASL_SSL and not (self.username and self.password):
            raise KafkaSettingsWrong("SASL_SSL needs a user name and a password")
        if self.security == PLAINTEXT and (self.username or self.password):
            raise KafkaSettingsWrong("a password is never sent in clear: security must be SASL_SSL")
        if self.ca_file is not None and not self.ca_file.is_file():
            raise KafkaSettingsWrong(f"there is no file {self.ca_file} of a certificate authority")

    @property
    def servers(self) -> list[str]:
        """The bootstrap, one by one."""
        return self.bootstrap.split(",")

    @property
    def timeout_ms(self) -> int:
        """The timeout in milliseconds."""
        return int(self.timeout_seconds * 1000)

    def _prefix_fits(self) -> bool:
        return _PREFIX.fullmatch(self.topic_prefix) is not None

    def _registry_fits(self) -> bool:
        if self.registry_url is None:
            return True
        parts = urlsplit(self.registry_url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)


def settings_from(
    environment: Mapping[str, str],
    *,
    bootstrap: str | None = None,
    topic_prefix: str | None = None,
    registry_url: str | None = None,
) -> KafkaSettings:
    """The settings that an environment says; what is given by name goes first.

    Variables: ``PITLEDGER_KAFKA`` (bootstrap), ``PITLEDGER_KAFKA_SECURITY``, ``..._MECHANISM``,
    ``..._CA``, ``..._USERNAME``, ``..._PASSWORD``, ``..._TIMEOUT`` (seconds), and
    ``PITLEDGER_REGISTRY`` (URL). A variable that is empty is as if it were not there.

    Args:
        environment: names and values of variables.
        bootstrap: where the broker is, HOST:PORT.
        topic_prefix: what the names of all topics begin with.
        registry_url: where the schema registry is.

    Raises:
        KafkaSettingsWrong: they cannot work.
    """

    def setting(name: str, default: str = "") -> str:
        return environment.get(f"PITLEDGER_{name}") or default

    ca_file = setting("KAFKA_CA")
    try:
        timeout = float(setting("KAFKA_TIMEOUT", str(TIMEOUT_SECONDS)))
    except ValueError as error:
        raise KafkaSettingsWrong("PITLEDGER_KAFKA_TIMEOUT is not a number of seconds") from error
    return KafkaSettings(
        bootstrap=bootstrap or setting("KAFKA", BOOTSTRAP),
        topic_prefix=topic_prefix or TOPIC_PREFIX,
        security=setting("KAFKA_SECURITY", PLAINTEXT),
        mechanism=setting("KAFKA_MECHANISM", MECHANISMS[0]),
        ca_file=Path(ca_file) if ca_file else None,
        username=setting("KAFKA_USERNAME") or None,
        password=setting("KAFKA_PASSWORD") or None,
        registry_url=registry_url or setting("REGISTRY") or None,
        timeout_seconds=timeout,
    )
