"""The command in this process, as for the tests of the command line."""

from tests.cli.conftest import command

__all__ = ["command"]
