"""Settings that cannot work are refused before anything is connected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ledger.log.kafka import KafkaSettings, KafkaSettingsWrong, settings_from
from ledger.log.kafka_client import options


def test_nothing_said_is_the_broker_of_this_machine():
    assert settings_from({}) == KafkaSettings(
        bootstrap="127.0.0.1:19092", topic_prefix="pitledger", security="PLAINTEXT"
    )


def test_what_is_named_goes_before_the_environment():
    environment = {"PITLEDGER_KAFKA": "one:1", "PITLEDGER_REGISTRY": "http://r", "X": "y"}
    assert settings_from(environment).bootstrap == "one:1"
    named = settings_from(environment, bootstrap="two:2,three:3", topic_prefix="p")
    assert (named.servers, named.topic_prefix) == (["two:2", "three:3"], "p")
    assert named.registry_url == "http://r"


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_a_floor_has_passwords_and_certificates(tmp_path: Path, mechanism: str):
    authority = tmp_path / "ca.crt"
    authority.touch()
    settings = settings_from(
        {
            "PITLEDGER_KAFKA": "broker.floor:9093",
            "PITLEDGER_KAFKA_SECURITY": "SASL_SSL",
            "PITLEDGER_KAFKA_MECHANISM": mechanism,
            "PITLEDGER_KAFKA_CA": str(authority),
            "PITLEDGER_KAFKA_USERNAME": "auditor",
            "PITLEDGER_KAFKA_PASSWORD": "a secret",
            "PITLEDGER_KAFKA_TIMEOUT": "2.5",
        }
    )
    said = options(settings)
    assert said["security_protocol"] == "SASL_SSL"
    assert said["sasl_mechanism"] == mechanism
    assert (said["sasl_plain_username"], said["sasl_plain_password"]) == ("auditor", "a secret")
    assert said["ssl_cafile"] == str(authority)
    assert said["request_timeout_ms"] == 2_500
    assert "a secret" not in repr(settings)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "wrong",
    [
        {"bootstrap": "nowhere"},
        {"bootstrap": "one:1, two:2"},
        {"bootstrap": ""},
        {"topic_prefix": "a topic"},
        {"topic_prefix": ""},
        {"security": "SSL"},
        {"mechanism": "PLAIN"},
        {"timeout_seconds": 0},
        {"timeout_seconds": float("nan")},
        {"record_bytes": 1_000},
        {"registry_url": "file:///etc/passwd"},
        {"registry_url": "registry:8081"},
        {"ca_file": Path("no/such/file")},
        {"security": "SASL_SSL"},
        {"security": "SASL_SSL", "username": "u"},
        {"username": "u", "password": "p"},
    ],
    ids=str,
)
def test_settings_that_cannot_work(wrong: dict[str, Any]):
    with pytest.raises(KafkaSettingsWrong) as caught:
        KafkaSettings(**wrong)
    assert (caught.value.code, caught.value.exit_code) == ("kafka_settings", 3)


def test_a_timeout_that_is_no_number():
    with pytest.raises(KafkaSettingsWrong, match="PITLEDGER_KAFKA_TIMEOUT"):
        settings_from({"PITLEDGER_KAFKA_TIMEOUT": "soon"})
