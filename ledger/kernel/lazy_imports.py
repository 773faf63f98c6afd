"""The face of a large package: each name is loaded when it is first asked for (PEP 562).

The package's ``__init__`` names its imports once, under ``if TYPE_CHECKING:``, and calls
``load_on_first_use`` beside them. The type checker reads these lines as imports; the program reads
them as text. A command that prints one page therefore loads the modules of that page and no others.
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType


class _Face(ModuleType):
    """A package that knows where its names live and has not loaded them."""

    _homes: dict[str, tuple[str, str]]

    def __getattr__(self, name: str) -> object:
        if name not in self._homes:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        home, own_name = self._homes[name]
        attribute = getattr(import_module(home), own_name)
        super().__setattr__(name, attribute)
        return attribute

    def __setattr__(self, name: str, attribute: object) -> None:
        """Keep the import system from putting a module where a function of its name belongs."""
        if not (isinstance(attribute, ModuleType) and name in self._homes):
            super().__setattr__(name, attribute)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._homes})


def load_on_first_use(package: str) -> None:
    """Turn a package whose imports are under ``if TYPE_CHECKING:`` into a face.

    Args:
        package: its full name. It is called while the package is being imported, from its
            ``__init__``, whose source file must be readable.
    """
    module = sys.modules[package]
    source = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    homes = {
        alias.asname or alias.name: (str(line.module), alias.name)
        for block in source.body
        if isinstance(block, ast.If)
        for line in block.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }
    module.__dict__["_homes"] = homes
    module.__class__ = _Face
