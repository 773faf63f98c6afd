"""A face loads a name when it is asked for, and no module of the same name takes its place."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from ledger import reports


def test_a_face_has_all_that_it_names_and_no_module_among_it() -> None:
    assert sorted(set(reports.__all__) - set(dir(reports))) == []
    for name in reports.__all__:
        assert not isinstance(getattr(reports, name), ModuleType), name


def test_a_function_keeps_its_name_when_its_module_is_loaded_first() -> None:
    program = (
        "import sys\n"
        "import ledger.reports.law.printed_rows\n"
        "from ledger.reports import law_show\n"
        "sys.exit(0 if callable(law_show) else 1)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_face_loads_nothing_by_itself() -> None:
    program = (
        "import sys, ledger.reports\n"
        "print(*(name for name in sys.modules if name.startswith('ledger.reports.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_a_name_that_no_module_has_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        reports.nonsense  # noqa: B018
    with pytest.raises(ImportError):
        from ledger.reports import nonsense  # type: ignore[attr-defined]  # noqa: F401


def test_a_face_names_each_home_once() -> None:
    source = ast.parse(Path(str(reports.__file__)).read_text(encoding="utf-8"))
    named = [
        (alias.name, str(line.module))
        for line in ast.walk(source)
        if isinstance(line, ast.ImportFrom) and str(line.module).startswith("ledger.reports.")
        for alias in line.names
    ]
    assert sorted(name for name, _ in named) == sorted(reports.__all__)
    for name, home in named:
        assert getattr(reports, name) is getattr(import_module(home), name)
