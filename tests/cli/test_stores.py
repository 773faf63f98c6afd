"""What readers are answered where the store is behind and cannot be kept, or where it is harmed.

Whoever cannot keep what he derives is told so, and changes no file. The tests run as root, whom no mode of a folder
stops, so the system's own refusals are put in the place of each write below the ledger.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from ledger.events import Fact, GamingDayClosed
from ledger.kernel.cache_obstacles import CacheObstacle
from tests.analytics import given
from tests.cli.given import Ran, run_here
from tests.engine import of_tables

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("rounds", "--only", "findings"),
    ("sql", "SELECT count(*), sum(stake_cents) FROM wagers"),
    ("find", "SB-01 underpaid>0"),
    ("tables",),
    ("actions", "list"),
    ("audit",),
    ("clocks",),
    ("inforce", "--table", "SB-01"),
)
"""Those who read a store, each with its own part of it."""


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger that grew after its store was brought forward."""
    folder = tmp_path_factory.mktemp("behind") / "ledger"
    facts: list[Fact] = of_tables(given.facts("overpaid@SB-01", scale=0.03), "SB-01")
    half = len(facts) // 2
    given.ledger(folder, facts[:half])
    assert run_here("sql", "SELECT 1", "--ledger", str(folder)).code == 0
    given.append(folder, facts[half:])
    assert any(type(fact) is GamingDayClosed for fact in facts)
    return folder


@pytest.fixture(scope="module")
def answers(behind: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], Ran]:
    """What each command answers where all may be kept."""
    folder = copied(behind, tmp_path_factory.mktemp("whole"))
    ran = {words: run_here(*words, "--ledger", str(folder)) for words in COMMANDS}
    assert {words: each.err for words, each in ran.items() if each.code not in (0, 1)} == {}
    return ran


def copied(behind: Path, where: Path) -> Path:
    return copytree(behind, where / "ledger")


@pytest.fixture
def ledger(behind: Path, tmp_path: Path) -> Path:
    return copied(behind, tmp_path)


def content(folder: Path) -> dict[str, tuple[int, str]]:
    """Each file with its time of last write and its hash."""
    return {
        str(path.relative_to(folder)): (
            path.stat().st_mtime_ns, sha256(path.read_bytes()).hexdigest()
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }  # fmt: skip


@pytest.fixture
def refusing(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Let the system refuse each write below the ledger with an error of its own."""

    def begin(number: int) -> None:
        def refused(path: object) -> None:
            if not isinstance(path, int) and Path(os.fsdecode(path)).is_relative_to(ledger):  # type: ignore[arg-type]
                raise OSError(number, os.strerror(number), str(path))

        opened, made, moved = os.open, os.mkdir, os.replace
        io_open = Path.open

        def path_open(path: Path, mode: str = "r", *words: object, **names: object) -> object:
            if set(mode) & set("wax+"):
                refused(path)
            return io_open(path, mode, *words, **names)  # type: ignore[call-overload]

        def os_open(path: str, flags: int, *words: object, **names: object) -> int:
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                refused(path)
            return opened(path, flags, *words, **names)  # type: ignore[arg-type]

        def mkdir(path: str, *words: object, **names: object) -> None:
            if not os.path.isdir(path):
                refused(path)
            made(path, *words, **names)  # type: ignore[arg-type]

        def replace(first: str, second: str, *words: object) -> None:
            refused(second)
            moved(first, second)

        monkeypatch.setattr(Path, "open", path_open)
        monkeypatch.setattr(os, "open", os_open)
        monkeypatch.setattr(os, "mkdir", mkdir)
        monkeypatch.setattr(os, "replace", replace)

    yield begin
    monkeypatch.undo()


def answered(
    ledger: Path,
    answers: dict[tuple[str, ...], Ran],
    why: CacheObstacle,
    *,
    before: dict[str, object],
) -> None:
    """Ask every command: the answer is that of the whole store, and nothing changed."""
    for words, whole in answers.items():
        ran = run_here(*words, "--ledger", str(ledger))
        assert (ran.code, ran.out) == (whole.code, whole.out), (words, ran.err)
        remarks = [line for line in ran.err.splitlines() if "[not_kept]" in line]
        assert len(remarks) <= 1, ran.err
        assert all(f"since {why.value}" in line for line in remarks), ran.err
        if words[0] in ("rounds", "sql", "audit"):
            assert remarks, (words, ran.err)
        assert content(ledger) == before, words


def test_without_the_key(ledger: Path, answers: dict[tuple[str, ...], Ran]) -> None:
    (ledger / "keys" / "signer").unlink()
    answered(ledger, answers, CacheObstacle.NO_KEY, before=dict(content(ledger)))


@pytest.mark.parametrize(
    ("number", "why"),
    [(errno.EROFS, CacheObstacle.ONLY_READ), (errno.ENOSPC, CacheObstacle.DISK_FULL)],
    ids=["read-only", "full"],
)
def test_where_nothing_can_be_written(
    ledger: Path,
    answers: dict[tuple[str, ...], Ran],
    refusing: Callable[[int], None],
    number: int,
    why: CacheObstacle,
) -> None:
    before = dict(content(ledger))
    refusing(number)
    answered(ledger, answers, why, before=before)


def test_afterwards_the_digest_is_that_from_nothing(
    ledger: Path, answers: dict[tuple[str, ...], Ran], refusing: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The disk was full while it was asked; then there is room again."""
    refusing(errno.ENOSPC)
    assert run_here("audit", "--ledger", str(ledger)).out == answers[("audit",)].out
    monkeypatch.undo()
    _equal_afterwards(ledger)


def _cut(ledger: Path, other: Path) -> None:
    """Each file ends in its middle, as after a machine that stopped."""
    for path in _files(ledger):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _emptied(ledger: Path, other: Path) -> None:
    for path in _files(ledger):
        path.write_bytes(b"")


def _exchanged(ledger: Path, other: Path) -> None:
    """It is the store of another ledger, sealed by that one's key."""
    rmtree(ledger / "cache")
    copytree(other / "cache", ledger / "cache")


def _begun(ledger: Path, other: Path) -> None:
    """Whoever wrote each file was killed before it took the place of the one before."""
    for path in _files(ledger):
        path.with_name(f"{path.name}.4711").write_bytes(path.read_bytes()[:9])


def _shuffled(ledger: Path, other: Path) -> None:
    """Each file of a folder stands under the name of another one."""
    for folder in {path.parent for path in _files(ledger)}:
        paths = [path for path in _files(ledger) if path.parent == folder]
        contents = [path.read_bytes() for path in paths]
        for path, moved in zip(paths, [*contents[1:], *contents[:1]], strict=True):
            path.write_bytes(moved)


def _files(ledger: Path) -> list[Path]:
    return [path for path in sorted((ledger / "cache").rglob("*")) if path.is_file()]


@pytest.fixture(scope="module")
def other(behind: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another ledger with other facts, whose store is brought forward."""
    folder = tmp_path_factory.mktemp("other") / "ledger"
    facts: list[Fact] = of_tables(given.facts("late_wager@SB-01", scale=0.03), "SB-01")
    given.ledger(folder, facts)
    assert run_here("sql", "SELECT 1", "--ledger", str(folder)).code == 0
    return folder


HARMS: tuple[object, ...] = (
    _cut,
    _exchanged,
    *(pytest.param(harm, marks=pytest.mark.full) for harm in (_emptied, _begun, _shuffled)),
)


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("harm", HARMS)
def test_a_harmed_store_says_nothing_and_is_made_again(
    ledger: Path, answers: dict[tuple[str, ...], Ran], other: Path,
    harm: Callable[[Path, Path], None],
) -> None:  # fmt: skip
    harm(ledger, other)
    for words, whole in list(answers.items())[:3]:
        ran = run_here(*words, "--ledger", str(ledger))
        assert (ran.code, ran.out) == (whole.code, whole.out), (words, ran.err)
    _equal_afterwards(ledger)


def test_a_store_of_another_version_is_made_again(
    ledger: Path, answers: dict[tuple[str, ...], Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    rmtree(ledger / "cache")
    with monkeypatch.context() as patched:
        for module in ("projection", "judged_tables"):
            patched.setattr(f"ledger.analytics.{module}.code_hash", lambda: "f" * 64)
        assert run_here("sql", "SELECT 1", "--ledger", str(ledger)).code == 0
    for words, whole in list(answers.items())[:3]:
        ran = run_here(*words, "--ledger", str(ledger))
        assert (ran.code, ran.out) == (whole.code, whole.out), (words, ran.err)
    _equal_afterwards(ledger)


def _equal_afterwards(ledger: Path) -> None:
    """The digest from the store is that from nothing, and every judgment in it."""
    kept, fresh = (
        run_here("audit", "--format", "json", "--ledger", str(ledger), *words).json["digest"]
        for words in ((), ("--from-nothing",))
    )
    assert kept == fresh
    assert run_here("verify", "--judged", "--ledger", str(ledger)).code == 0
