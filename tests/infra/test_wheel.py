"""A wheel, installed where there is no checkout, is the whole product.

The dependencies come from this environment; the project comes from the wheel alone, and a guard in
every Python process refuses to open a file of the checkout.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.games.test_new_room import Installation, lay_down, walk

ROOT = Path(__file__).parent.parent.parent
PACKAGES = sysconfig.get_paths()["purelib"]
GUARD = """\
import os, sys
TREE, OWN = {tree!r}, {environment!r}
def refuse(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        path = os.path.abspath(os.fsdecode(arguments[0]))
        if path.startswith(TREE + os.sep) and not path.startswith(OWN + os.sep):
            raise AssertionError("a file of the checkout: " + path)
sys.addaudithook(refuse)
"""


def tracked() -> list[str]:
    """The files of the project, tracked or about to be."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a clean copy, by way of a source distribution, as publishing does."""
    place = tmp_path_factory.mktemp("wheel")
    for name in tracked():
        if not name.startswith("tests/"):
            (place / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / "tree" / name)
    build = (
        "import os, sys, tarfile\n"
        "from setuptools import build_meta\n"
        "place = sys.argv[1]\n"
        "archive = os.path.join(place, build_meta.build_sdist(place))\n"
        "packed = tarfile.open(archive)\n"
        "packed.extraction_filter = getattr(tarfile, 'data_filter', None)\n"
        "packed.extractall(place)\n"
        "os.chdir(archive.removesuffix('.tar.gz'))\n"
        "build_meta.build_wheel(place)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", build, str(place)],
        cwd=place / "tree",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return next(place.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel, the dependencies and nothing else."""
    environment = tmp_path_factory.mktemp("installed") / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    install = ("install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), *install, str(wheel)], check=True
    )
    packages = next(environment.glob("lib/python*/site-packages"))
    guard = GUARD.format(tree=str(ROOT), environment=str(Path(sys.prefix)))
    (packages / "guard.py").write_text(guard, encoding="utf-8")
    # not as sitecustomize: a system's Python may have one of its own
    (packages / "dependencies.pth").write_text(f"{PACKAGES}\nimport guard\n", encoding="utf-8")
    return environment / "bin"


def run(installed: Path, place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment, away from the checkout and without its settings."""
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    return subprocess.run(
        [str(installed / words[0]), *words[1:]],
        cwd=place,
        env={**kept, "PATH": os.defpath, "HOME": str(place), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_has_every_file_of_the_packages_and_the_schemas(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    wanted = {name for name in tracked() if name.startswith(("ledger/", "pipelines/"))}
    wanted |= {f"ledger/{name}" for name in tracked() if name.startswith("schemas/")}
    assert sorted(wanted - names) == []
    assert sorted(name for name in names - wanted if ".dist-info/" not in name) == []


def test_the_schemas_in_the_wheel_are_those_at_the_top(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        for name in tracked():
            if name.startswith("schemas/"):
                assert archive.read(f"ledger/{name}") == (ROOT / name).read_bytes(), name


def test_the_guard_refuses_the_checkout(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "python", "-c", f"open({str(ROOT / 'README.md')!r})")
    assert "a file of the checkout" in done.stderr


def test_the_installed_command_works_without_the_checkout(installed: Path, tmp_path: Path) -> None:
    where = run(installed, tmp_path, "python", "-c", "import ledger; print(ledger.__file__)")
    assert where.stdout.startswith(str(installed.parent))
    begun = run(installed, tmp_path, "pitledger", "init", "--origin", "wheel.example/floor")
    assert begun.returncode == 0, begun.stderr
    shown = run(
        installed, tmp_path, "pitledger", "schemas", "show", "BettingOpened", "--format", "json"
    )
    assert shown.returncode == 0, shown.stderr
    for words in (
        ("schemas", "check"),
        ("law", "show", "sic_bo"),
        ("law", "odds", "props_and_hops"),
        ("explain", "wager_underpaid"),
        ("import", "--profiles"),
        ("cat", "--format", "json"),
        ("verify",),
    ):
        done = run(installed, tmp_path, "pitledger", *words)
        assert done.returncode == 0, (words, done.stderr)


@pytest.mark.full
@pytest.mark.timeout(900)
def test_the_installed_command_runs_the_demo(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "pitledger", "demo", "--format", "json")
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout)


@pytest.mark.full
@pytest.mark.timeout(900)
def test_a_new_game_is_one_folder_in_the_installed_package(installed: Path, tmp_path: Path) -> None:
    """Last: it adds a room to the installation."""
    installation = Installation(str(installed / "python"), tmp_path)
    lay_down(installation)
    walk(installation)
