"""``--record`` writes the transcripts again from what is said today; read the difference."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="record the transcripts of rooms again")
