"""The folder of a ledger: sizes, writers, keys, torn tails, a checkpoint that was replaced."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.kernel import LedgerError
from ledger.log import Signer, init, open_log, read_log, set_tail_aside, verify
from ledger.log.errors import KeyMissing, LedgerLocked, WriterStopped
from ledger.log.file_log import FileLog
from ledger.log.intent import INTENT
from ledger.log.tiles import pack
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals


def begin(folder: Path) -> Path:
    """A ledger of one entry."""
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file that the ledger is made of."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "cache" not in path.parts
    }


@pytest.mark.parametrize("size", [1, 2, 3, 255, 256, 257, 511, 512, 513, 65_535, 65_537, 65_793])
def test_the_tiles_at_each_size(size: int, tmp_path: Path) -> None:
    begin(tmp_path)
    with open_log(tmp_path) as log:
        if size > 1:
            log.append(arrivals(1, size - 2), TIME)
            # a ledger of two entries cannot be: a schema comes with its first fact
            size = max(size, 1 if log.size == 1 else 3) if size != 2 else log.size
        assert log.size == size
    tiles = {name for name in files_of(tmp_path) if name.startswith("tile/")}
    wanted = {
        f"tile/{folder}/{number:03d}" for folder in ("0", "entries") for number in range(size >> 8)
    }
    wanted |= {f"tile/1/{number:03d}" for number in range(size >> 16)}
    for folder, count in (("entries", size), ("0", size), ("1", size >> 8), ("2", size >> 16)):
        if count % 256:
            wanted.add(f"tile/{folder}/{count >> 8:03d}.p/{count % 256}")
    stale = {f"tile/{folder}/000.p/1" for folder in ("entries", "0")} if 1 < size < 256 else set()
    assert tiles == wanted | stale
    found = verify(tmp_path)
    assert (found.tree_size, found.problem, found.remarks) == (size, None, ())


def test_partial_tiles_go_when_the_full_tile_stands(tmp_path: Path) -> None:
    begin(tmp_path)
    with open_log(tmp_path) as log:
        for seq in range(1, 254):
            log.append(arrivals(seq, seq), TIME)
        assert len(list(tmp_path.glob("tile/0/000.p/*"))) == 254
        log.append(arrivals(254, 254), TIME)
    assert sorted(name for name in files_of(tmp_path) if "tile" in name) == [
        "tile/0/000", "tile/1/000.p/1", "tile/entries/000",
    ]  # fmt: skip
    assert verify(tmp_path).problem is None


def test_one_entry_at_a_time_or_all_at_once(tmp_path: Path) -> None:
    with open_log(begin(tmp_path / "one")) as one, open_log(begin(tmp_path / "all")) as everything:
        for seq in range(1, 301):
            one.append(arrivals(seq, seq), TIME)
        everything.append(arrivals(1, 300), TIME)
        assert one.root == everything.root


def test_groups_make_the_same_tree(tmp_path: Path) -> None:
    roots = set()
    for number, group in enumerate((1, 7, 256, 1_000)):
        begin(tmp_path / str(number))
        with open_log(tmp_path / str(number), group_entries=group) as log:
            roots.add(log.append(arrivals(1, 600), TIME).root)
        assert verify(tmp_path / str(number)).problem is None
    assert len(roots) == 1


# ---------------------------------------------------------------- writers


def refused(call: Callable[[], object]) -> tuple[str, int]:
    """The code and exit code of the refusal that a call ends with."""
    with pytest.raises(LedgerError) as refusal:
        call()
    return refusal.value.code, refusal.value.exit_code


def test_a_second_writer_is_refused_and_readers_are_not(tmp_path: Path) -> None:
    begin(tmp_path)
    with open_log(tmp_path) as log:
        log.append(arrivals(1, 3), TIME)
        assert refused(lambda: open_log(tmp_path)) == ("ledger_locked", 3)
        assert read_log(tmp_path).size == log.size
        assert verify(tmp_path).problem is None
    open_log(tmp_path).close()


def test_a_writer_in_another_process(tmp_path: Path, in_checkout: Callable[[], Path]) -> None:
    begin(tmp_path)
    code = (
        "import sys; from pathlib import Path; from ledger.log import open_log\n"
        "try: open_log(Path(sys.argv[1]))\n"
        "except Exception as error: sys.exit(error.exit_code)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with open_log(tmp_path):
        assert subprocess.run(command, cwd=in_checkout(), check=False).returncode == 3
    assert subprocess.run(command, cwd=in_checkout(), check=False).returncode == 0


def test_a_reader_stays_at_its_checkpoint(tmp_path: Path) -> None:
    begin(tmp_path)
    with open_log(tmp_path) as log:
        log.append(arrivals(1, 200), TIME)
        reader = read_log(tmp_path)
        before = list(reader.entries())
        log.append(arrivals(201, 900), TIME)  # the reader's partial tiles are gone now
        assert list(reader.entries()) == before
        assert reader.index().gaps("SB-01") == []
        assert len(reader.index().positions("SB-01")) == 200
        assert reader.root_at(1) == log.snapshot.root_at(1)


def test_a_checkpoint_that_somebody_replaced(tmp_path: Path) -> None:
    begin(tmp_path)
    old = (tmp_path / "checkpoint").read_bytes()
    with open_log(tmp_path) as log:
        log.append(arrivals(1, 3), TIME)
        (tmp_path / "checkpoint").write_bytes(old)
        assert refused(lambda: log.append(arrivals(4, 5), TIME)) == ("checkpoint_replaced", 4)
        assert refused(lambda: log.append(arrivals(4, 5), TIME)) == ("writer_stopped", 4)
    assert (tmp_path / "checkpoint").read_bytes() == old


def test_arrivals_that_break_off(tmp_path: Path) -> None:
    begin(tmp_path)

    def source() -> object:
        yield from arrivals(1, 5)
        raise ConnectionError("the broker is gone")

    with open_log(tmp_path, group_entries=2) as log:
        with pytest.raises(ConnectionError):
            log.append(source(), TIME)  # type: ignore[arg-type]
        assert len(log.index().positions("SB-01")) == 4
        done = log.append(arrivals(1, 6), TIME)
        assert (done.accepted, done.repeated) == (2, 4)
    assert verify(tmp_path).problem is None


# ---------------------------------------------------------------- a torn tail


def test_what_no_intent_explains_is_refused_and_kept(tmp_path: Path) -> None:
    folder = begin(tmp_path / "good")
    with open_log(folder) as log:
        log.append(arrivals(1, 300), TIME)
    before = files_of(folder)
    torn = {
        "tile/entries/001": pack([b"torn"]), "tile/entries/001.p/200": b"torn",
        "tile/entries/999": b"torn", "tile/entries/x001/000": b"torn", "tile/0/002.p/3": b"torn",
        "tile/1/000": b"torn", "tile/1/000.p/2": b"torn", "tile/2/000.p/1": b"torn",
    }  # fmt: skip
    for name, data in torn.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (folder / "tmp/17").write_bytes(b"torn")
    assert "8 files lie beyond the checkpoint" in (verify(folder).problem or "")
    assert refused(lambda: open_log(folder)) == ("tail_unexplained", 4)
    assert files_of(folder) == before | torn
    moved = set_tail_aside(folder)
    assert moved is not None
    assert moved.files == 8
    kept = {f"{moved.folder}/{name}": data for name, data in torn.items()}
    assert files_of(folder) == before | kept
    with open_log(folder) as log:
        assert log.append(arrivals(301, 400), TIME).accepted == 100
    assert verify(folder).problem is None
    assert verify(folder).remarks == (f"set aside: {moved.folder}",)


def test_a_superseded_tile_that_was_left_is_swept(tmp_path: Path) -> None:
    begin(tmp_path)
    kept = (tmp_path / "tile/0/000.p/1").read_bytes()
    with open_log(tmp_path) as log:
        log.append(arrivals(1, 300), TIME)
    (tmp_path / "tile/0/000.p").mkdir()
    (tmp_path / "tile/0/000.p/1").write_bytes(kept)
    assert verify(tmp_path).problem is None
    open_log(tmp_path).close()
    assert not (tmp_path / "tile/0/000.p").exists()


# ---------------------------------------------------------------- beginning, keys


def test_there_is_no_ledger(tmp_path: Path) -> None:
    for call in (open_log, read_log, verify):
        assert refused(lambda call=call: call(tmp_path)) == ("ledger_missing", 3)  # type: ignore[misc]
        assert refused(lambda call=call: call(tmp_path / "no")) == ("ledger_missing", 3)  # type: ignore[misc]


def test_a_ledger_is_never_begun_twice(tmp_path: Path) -> None:
    begin(tmp_path)
    before = files_of(tmp_path)
    assert refused(lambda: begin(tmp_path)) == ("ledger_exists", 2)
    assert files_of(tmp_path) == before


@pytest.mark.parametrize("origin", ["", "two words", "a+b", "line\nbreak", "x" * 201])
def test_origins_that_cannot_be(origin: str, tmp_path: Path) -> None:
    call = lambda: init(tmp_path / "x", origin=origin, property=HOUSE, record_time=TIME)  # noqa: E731
    assert refused(call) == ("bad_origin", 2)
    assert not (tmp_path / "x").exists()


def test_the_private_key_is_for_its_owner_only(tmp_path: Path) -> None:
    init(tmp_path, origin=ORIGIN, property=HOUSE, record_time=TIME)
    assert stat.S_IMODE(os.stat(tmp_path / "keys/signer").st_mode) == 0o600
    text = (tmp_path / "keys/verifier").read_text()
    assert text.startswith(f"{ORIGIN}+")
    assert text.endswith("\n")


def test_the_private_key_may_lie_elsewhere(tmp_path: Path) -> None:
    folder, key = tmp_path / "ledger", tmp_path / "safe" / "key"
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, key=key)
    assert stat.S_IMODE(os.stat(key).st_mode) == 0o600
    assert not (folder / "keys/signer").exists()
    assert refused(lambda: open_log(folder)) == ("key_missing", 3)
    with open_log(folder, key=key) as log:
        log.append(arrivals(1, 2), TIME)
    assert verify(folder, key=key).problem is None


def test_a_wrong_key(tmp_path: Path) -> None:
    begin(tmp_path)
    thief = Signer(ORIGIN, bytes(32))
    (tmp_path / "keys/signer").write_text(thief.secret_text() + "\n")
    assert refused(lambda: open_log(tmp_path)) == ("key_mismatch", 4)
    assert "keys/signer" in (verify(tmp_path).problem or "")
    (tmp_path / "keys/signer").write_text("no key\n")
    assert refused(lambda: open_log(tmp_path)) == ("key_unreadable", 4)


def test_both_keys_replaced(tmp_path: Path) -> None:
    begin(tmp_path)
    thief = Signer(ORIGIN, bytes(32))
    (tmp_path / "keys/signer").write_text(thief.secret_text() + "\n")
    (tmp_path / "keys/verifier").write_text(f"{thief.verifier}\n")
    assert refused(lambda: open_log(tmp_path)) == ("checkpoint_broken", 4)
    assert "not signed by the ledger's key" in (verify(tmp_path).problem or "")


def test_keys_that_an_interrupted_init_left_are_used(tmp_path: Path) -> None:
    begin(tmp_path / "old")
    (tmp_path / "new/keys").mkdir(parents=True)
    (tmp_path / "new/keys/signer").write_bytes((tmp_path / "old/keys/signer").read_bytes())
    made = init(tmp_path / "new", origin=ORIGIN, property=HOUSE, record_time=TIME)
    assert made == SIGNER.verifier
    (tmp_path / "other/keys").mkdir(parents=True)
    (tmp_path / "other/keys/signer").write_bytes((tmp_path / "old/keys/signer").read_bytes())
    call = lambda: init(tmp_path / "other", origin="b", property=HOUSE, record_time=TIME)  # noqa: E731
    assert refused(call) == ("key_mismatch", 4)


def opened_again(folder: Path) -> FileLog:
    """A writer that appended and was closed."""
    log = open_log(begin(folder))
    log.append(arrivals(1, 300), TIME)
    log.close()
    return log


def test_a_writer_that_goes_on_makes_the_tree_of_one_that_opens_anew(tmp_path: Path) -> None:
    """It writes its cache seldom; whoever opens next reads on from there."""
    log = opened_again(tmp_path / "kept")
    for seq in range(301, 304):
        assert log.reopen()
        log.append(arrivals(seq, seq), TIME)
        log.close()
    with pytest.raises(WriterStopped):
        log.append(arrivals(304, 304), TIME)
    with open_log(tmp_path / "kept") as fresh:
        assert fresh.append(arrivals(303, 304), TIME).accepted == 1
    with open_log(begin(tmp_path / "anew")) as anew:
        anew.append(arrivals(1, 304), TIME)
    assert read_log(tmp_path / "kept").root == read_log(tmp_path / "anew").root
    assert verify(tmp_path / "kept").problem is None


def another_appends(folder: Path) -> None:
    with open_log(folder) as other:
        other.append(arrivals(301, 301), TIME)


def an_append_began(folder: Path) -> None:
    (folder / INTENT).write_bytes(b"begun")


def the_last_bundle_is_another(folder: Path) -> None:
    bundle = max((folder / "tile/entries/001.p").iterdir(), key=lambda path: int(path.name))
    bundle.write_bytes(bundle.read_bytes()[:-1] + b"\1")


def the_edge_is_another(folder: Path) -> None:
    tile = max((folder / "tile/0/001.p").iterdir(), key=lambda path: int(path.name))
    tile.write_bytes(tile.read_bytes()[:-32] + bytes(32))


@pytest.mark.parametrize(
    "meanwhile",
    [another_appends, an_append_began, the_last_bundle_is_another, the_edge_is_another],
)
def test_a_writer_does_not_go_on_where_anything_else_was_written(
    meanwhile: Callable[[Path], None], tmp_path: Path
) -> None:
    log = opened_again(tmp_path)
    meanwhile(tmp_path)
    assert not log.reopen()
    log.snapshot.storage.lock()  # it is nobody's
    log.snapshot.storage.unlock()


def test_a_writer_does_not_go_on_beside_another_or_without_its_key(tmp_path: Path) -> None:
    log = opened_again(tmp_path)
    with open_log(tmp_path), pytest.raises(LedgerLocked):
        log.reopen()
    (tmp_path / "keys/signer").rename(tmp_path / "moved")
    with pytest.raises(KeyMissing):
        log.reopen()
    assert log.reopen(tmp_path / "moved")
    log.close()
