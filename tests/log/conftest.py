"""Fixtures of the log's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def in_checkout() -> Callable[[], Path]:
    """The folder that a child process must run in to import the tests."""
    return lambda: Path(__file__).parent.parent.parent
