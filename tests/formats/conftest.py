"""``--record-digests`` writes the digests of the frozen days again; read the difference."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record-digests", action="store_true", help="record digests again")
