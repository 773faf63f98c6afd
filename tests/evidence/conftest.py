"""The small day's ledger, and the pack of its disputed round."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.log import read_log
from tests.cli import given
from tests.evidence.packs import ledger_of, pack_of


@pytest.fixture(scope="session")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with the small day; it is only read."""
    return ledger_of(tmp_path_factory.mktemp("evidence") / "ledger", given.day())


@pytest.fixture(scope="session")
def key(ledger: Path) -> str:
    """The ledger's public key."""
    return str(read_log(ledger).verifier)


@pytest.fixture(scope="session")
def pack(ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The pack of the round in which a winner was not paid."""
    return pack_of(ledger, given.ROUND, tmp_path_factory.mktemp("pack") / "round.zip")
