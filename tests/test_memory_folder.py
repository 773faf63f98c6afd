"""Where temporary folders lie: in memory if there is room, on the disk that a caller named if not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import disk_usage
from types import SimpleNamespace

import pytest

from tests import memory_folder
from tests.memory_folder import MEMORY, NEEDED, PREFIX, folder_in_memory

CHILD = """
def test_child(tmp_path):
    import tempfile
    print("lies", tmp_path, tempfile.gettempdir())
"""


def test_a_run_has_a_folder_of_its_own_and_removes_what_killed_runs_left(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (tmp_path / f"{PREFIX}{dead.pid}" / "t").mkdir(parents=True)
    (tmp_path / f"{PREFIX}1" / "t").mkdir(parents=True)  # of a process that lives
    assert folder_in_memory(tmp_path, 0) == tmp_path / f"{PREFIX}{os.getpid()}"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [f"{PREFIX}1", f"{PREFIX}{os.getpid()}"]
    )


def test_without_room_or_memory_there_is_none(tmp_path: Path) -> None:
    assert folder_in_memory(tmp_path, 1 << 62) is None
    assert folder_in_memory(tmp_path / "none", 0) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_named", [True, False])
def test_a_named_folder_is_used(tmp_path: Path, is_named: bool) -> None:
    (tmp_path / "test_child.py").write_text(CHILD, encoding="utf-8")
    environment = {name: word for name, word in os.environ.items() if name != "TMPDIR"}
    if is_named:
        environment["TMPDIR"] = str(tmp_path)
    words = ("-q", "-s", "-p", "tests.memory_folder", "-p", "no:cacheprovider", "-c", os.devnull)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "--rootdir", str(tmp_path), str(tmp_path)],
        env=environment, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout
    _, own, temporary = next(row for row in ran.stdout.splitlines() if "lies " in row).split()[-3:]
    assert Path(own).is_relative_to(temporary)
    has_room = os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free >= NEEDED
    assert Path(temporary).is_relative_to(MEMORY if has_room and not is_named else tmp_path.anchor)
    assert (temporary == str(tmp_path)) is is_named
    assert Path(temporary).exists() is is_named or not has_room


def test_what_a_test_leaves_goes_and_its_name_is_not_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that lies on a disk keeps what is in it."""
    monkeypatch.setattr(memory_folder, "MEMORY", tmp_path / "memory")
    left = []
    for folder in (tmp_path / "memory" / "t", tmp_path / "disk"):
        (folder / "inner").mkdir(parents=True)
        (folder / "file").write_text("words", encoding="utf-8")
        (folder / "link").symlink_to(folder / "inner")
        fixture = SimpleNamespace(argname="tmp_path", cached_result=(folder, None, None))
        memory_folder.pytest_fixture_post_finalizer(fixture)  # type: ignore[arg-type]
        left.append(sorted(path.name for path in folder.iterdir()))
    assert left == [[], ["file", "inner", "link"]]
