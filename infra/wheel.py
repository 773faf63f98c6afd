"""How a wheel gets the schemas: setuptools copies ``schemas`` into the package ``ledger``.

The folder at the top stays the one source. In a checkout, and in an editable install, the codec
finds it there; an installed wheel has it inside ``ledger``. ``pyproject.toml`` names this class.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools.command.build_py import build_py

SCHEMAS = Path("schemas")
ALSO_READ = ("infra/requirements.in", "infra/wheel.py")
"""What a build reads besides; a source distribution needs it too."""


class BuildWithSchemas(build_py):
    """Builds the packages, and the schemas as a folder of ``ledger``."""

    def run(self) -> None:
        """Build; an editable install reads the checkout and gets no copy."""
        super().run()
        if not self.editable_mode:
            into = Path(self.build_lib) / "ledger" / "schemas"
            shutil.rmtree(into, ignore_errors=True)
            shutil.copytree(SCHEMAS, into)

    def get_source_files(self) -> list[str]:
        """Name what a source distribution needs to build the same wheel."""
        schemas = [str(path) for path in sorted(SCHEMAS.rglob("*")) if path.is_file()]
        return [*super().get_source_files(), *schemas, *ALSO_READ]
