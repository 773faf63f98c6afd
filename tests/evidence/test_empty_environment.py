"""The pack where nothing of us is: no variable, no product, an interpreter with ``cryptography`` alone."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from ledger.evidence.verify import members_of
from tests.cli import given
from tests.evidence.packs import pack_of

NEEDED = ("cryptography", "cffi", "_cffi_backend", "pycparser")
"""The package and what it is installed with."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh virtual environment without pip, in which only those packages can be imported."""
    place = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(place, with_pip=False, symlinks=True)
    (packages,) = place.glob("lib/python*/site-packages")
    for name in NEEDED:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin)
            origin = origin.parent if origin.name == "__init__.py" else origin
            (packages / origin.name).symlink_to(origin)
    return place / "bin" / "python"


def alone(python: Path, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the interpreter without any variable of the environment (``env -i``)."""
    return subprocess.run(
        [str(python), *words], cwd=folder, env={}, capture_output=True, text=True, check=False
    )


def test_a_pack_and_its_twin_verify_and_a_changed_one_does_not(
    python: Path, ledger: Path, pack: bytes, key: str, tmp_path: Path
) -> None:
    without = alone(python, "-c", "import cryptography, sys; import ledger", folder=tmp_path)
    assert "No module named 'ledger'" in without.stderr
    twin = pack_of(ledger, given.ROUND, tmp_path / "twin.zip", "--redact", "all")
    (tmp_path / "verify.py").write_bytes(members_of(pack)["verify.py"])
    (tmp_path / "pack.zip").write_bytes(pack)
    spoiled = bytearray(pack)
    spoiled[len(pack) // 2] ^= 1
    (tmp_path / "changed.zip").write_bytes(spoiled)

    def verified(name: str, *words: str) -> subprocess.CompletedProcess[str]:
        return alone(python, "verify.py", name, *words, folder=tmp_path)

    for name in ("pack.zip", "twin.zip"):
        done = verified(name, "--key", key)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        assert done.stdout.endswith("VERIFIED under your key\n")
        assert verified(name).returncode == 1
    assert members_of(twin)["checkpoint"] == members_of(pack)["checkpoint"]
    refused = verified("changed.zip", "--key", key)
    assert (refused.returncode, refused.stderr) == (4, "")
    assert refused.stdout.splitlines()[-1].startswith("REFUSED: ")
    assert sys.prefix not in alone(python, "-c", "import sys; print(sys.path)", folder=tmp_path).stdout  # fmt: skip
