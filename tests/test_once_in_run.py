"""What one worker of a run builds, the others copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.once_in_run import once_in_run


class Worker:
    """The temporary folders of a worker."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def getbasetemp(self) -> Path:
        return self.folder

    def mktemp(self, name: str) -> Path:
        (self.folder / name).mkdir()
        return self.folder / name


def test_it_is_built_once_and_each_worker_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    built: list[Path] = []

    def build(folder: Path) -> None:
        built.append(folder)
        (folder / "half").touch()
        if len(built) == 1:
            raise OSError("the worker's disk is full")
        (folder / "ledger").write_text("as built", encoding="utf-8")

    workers = [Worker(tmp_path / name) for name in ("gw0", "gw1", "gw2")]
    with pytest.raises(OSError, match="disk is full"):
        once_in_run(workers[0], "ledgers", build)  # type: ignore[arg-type]
    folders = []
    for worker in workers:
        folder = once_in_run(worker, "ledgers", build)  # type: ignore[arg-type]
        assert (folder / "ledger").read_text(encoding="utf-8") == "as built"
        (folder / "ledger").write_text("written by its worker", encoding="utf-8")
        folders.append(folder)
    assert len(built) == 2
    assert len({*folders}) == 3
