"""A ledger of every frozen format is read and written on; one of a newer format is refused, whole.

What frozen ledgers say today is compared in ``tests/formats``.
"""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

from ledger.cli import app
from ledger.cli import main as pitledger
from ledger.codec import to_text
from ledger.log import KeyRotated, file_log, ledger_at_checkpoint, new_ledger, open_log, verify
from ledger.log.entry import SEALED, encode
from tests.faults.commands import SAMPLES, opened_rounds
from tests.log.facts import TIME
from tests.night import scene

FORMATS: Final = Path(__file__).parent.parent / "formats"
DAY: Final = scene.DAY.isoformat()
BY: Final = ("--by", "P-1")
REFUSED: Final = 3
NOWHERE: Final = ("--bootstrap", "127.0.0.1:1")

WRITERS: Final[dict[str, tuple[str, ...]]] = {
    "append": ("append", "{facts}"),
    "append strictly": ("append", "{facts}", "--strict"),
    "import": ("import", "table-wagers", str(SAMPLES / "table-wagers.csv"), "--commit", *BY),
    "amend": ("amend", "SB-01", "1", "--withdraw", *BY, "--approved-by", "P-2", "--reason", "x"),
    "ingest": ("ingest", *NOWHERE),
    "publish": ("publish", *NOWHERE),
    "tail": ("tail", "--set-aside"),
    "tail that adopts": ("tail", "--adopt", "{ledger}/checkpoint"),
    "backup": ("backup", "{elsewhere}/copy"),
    "pack": ("pack", "--round", "SB-01:1", "--out", "{elsewhere}/pack.zip"),
    "property describe": (
        *("property", "describe", "--name", "X", "--time-zone", "America/New_York", *BY),
    ),
    "key rotate": ("key", "rotate", "--handover", "{elsewhere}/handover"),
    "key rotate, lost": ("key", "rotate", "--handover", "{elsewhere}/handover", "--lost"),
    "coupons form": ("coupons", "form", "custody", "--out", "{elsewhere}/form.txt"),
    "coupons forms": ("coupons", "forms", "--out", "{elsewhere}/forms"),
    "coupons sign": ("coupons", "sign", "custody", *BY, "--name", "A. Name"),
    "coupons forget": ("coupons", "forget", "0" * 32),
    "coupons hold": ("coupons", "hold", "0" * 32, *BY, "--reason", "x"),
    "coupons release": ("coupons", "release", "0" * 32, *BY, "--reason", "x"),
    "person forget": ("person", "forget", "E-1"),
    "person hold": ("person", "hold", "E-1", *BY, "--reason", "x"),
    "person release": ("person", "release", "E-1", *BY, "--reason", "x"),
    "actions take": ("actions", "take", "0123", *BY),
    "actions note": ("actions", "note", "0123", "text", *BY),
    "actions close": ("actions", "close", "0123", "--reason", "x", *BY),
    "actions suppress": ("actions", "suppress", "0123", "--until", DAY, "--reason", "x", *BY),
    "observe": ("observe", "{facts}", *BY),
    "observe confirm": ("observe", "confirm", "1", *BY),
    "person enroll": ("person", "enroll", "P-1", *BY),
    "case open": ("case", "open", "x", *BY),
    "case show": ("case", "show", "1", "--as", "P-1", "--reveal"),
    "case subject": ("case", "subject", "1", "staff:P-3", "--why", "x", *BY),
    "case assign": ("case", "assign", "1", "--to", "P-2", *BY),
    "case note": ("case", "note", "1", "x", *BY),
    "case task": ("case", "task", "1", "x", *BY),
    "case pin": ("case", "pin", "1", "--round", "SB-01:1", "--why", "x", *BY),
    "case media": ("case", "media", "1", "{facts}", *BY),
    "case footage": ("case", "footage", "1", "1", "--state", "held", *BY),
    "case link": ("case", "link", "1", "2", "--why", "x", *BY),
    "case assess": ("case", "assess", "1", "--error", "none", *BY),
    "case decide": ("case", "decide", "1", "x", *BY),
    "case close": ("case", "close", "1", "--reason", "x", *BY),
    "case reopen": ("case", "reopen", "1", "--reason", "x", *BY),
    "case sign": ("case", "sign", "1", "--to", "board", "--as", "preparer", "--name", "A", *BY),
    "shift log": ("shift", "log", "text", *BY),
    "shift handover": ("shift", "handover", "text", "--to", "P-2", *BY),
    "archive write": ("archive", "write"),
    "floor simulate": ("floor", "simulate", "--seed", "1", "--scale", "10000", "--continue"),
    "night": ("night", "--day", DAY, "--out", "{elsewhere}/nights", "--processes", "1"),
    "night sign": (
        *("night", "sign", "--day", DAY, "--out", "{elsewhere}/nights"),
        *(*BY, "--name", "A. Name", "--as", "preparer"),
    ),
    "night signed": ("night", "signed", "--day", DAY, "--out", "{elsewhere}/nights"),
}
"""Each command that writes to a ledger, or from it to elsewhere; the words before ``--ledger``."""
COME_TO_NO_ENTRY: Final = [
    WRITERS[name] for name in ("publish", "tail", "tail that adopts", "backup", "person forget")
]
"""They read no entry, or end before: a single newer one they leave alone, or copy as it is. Nothing
was issued that ``night signed`` could write again."""
WITHOUT_A_LEDGER: Final = {
    *("init", "demo", "law new-room", "law edition new"),
    *("witness init", "witness trust", "witness serve"),
    *("serve", "serve writer"),
}
"""Commands that write and take no ledger that stands."""
READERS: Final = (
    *(("cat",), ("audit", "--day", DAY), ("sql", "select 1 as n"), ("rounds", "--day", DAY)),
    *(("coupons", "outstanding", "--day", DAY), ("tables", "--day", DAY), ("prove", "0")),
)
"""Commands that leave at most caches."""


def hashes(folder: Path) -> dict[str, str]:
    """Every file below a folder with its hash, but for caches, which can be made again."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and folder / "cache" not in path.parents
    }


def of_a_newer_format(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """A ledger whose first entry says format 3."""
    patch.setattr(new_ledger, "FORMAT_VERSION", 3)
    patch.setattr(ledger_at_checkpoint, "SEALED_FORMAT", 4)  # so that it reads this one
    scene.ledger(folder)


def with_a_newer_entry(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """A ledger of today's format with an entry of a kind that came later."""
    scene.ledger(folder)
    later = KeyRotated(
        record_time=TIME, old="a", new="b", size=1, root=bytes(32),
        signed_by_old=None, signed_by_new=bytes(64),
    )  # fmt: skip
    patch.setattr(file_log, "encode", lambda rotated: bytes([SEALED + 2]) + encode(rotated)[1:])
    with open_log(folder) as log:
        log.record_rotation(later)
    shutil.rmtree(folder / "cache")


MAKERS: Final = {"a newer format": of_a_newer_format, "a newer entry": with_a_newer_entry}


@pytest.fixture(scope="module", params=list(MAKERS))
def newer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A ledger that a newer version wrote; it must stay as it is."""
    folder = tmp_path_factory.mktemp(request.param.replace(" ", "-"))
    with pytest.MonkeyPatch.context() as patch:
        MAKERS[request.param](folder / "ledger", patch)
    text = "".join(f"{to_text(fact)}\n" for fact in opened_rounds(1, 5, "NEW-01"))
    (folder / "facts.jsonl").write_text(text, encoding="utf-8")
    before = hashes(folder / "ledger")
    yield folder
    assert hashes(folder / "ledger") == before


Said = Callable[..., tuple[int, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Said:
    """Exit code and standard error of a command."""
    for name in [name for name in os.environ if name.startswith("PITLEDGER_")]:
        monkeypatch.delenv(name)

    monkeypatch.setenv("PITLEDGER_KAFKA_TIMEOUT", "1")

    def run(*words: str | Path) -> tuple[int, str]:
        code = pitledger([str(word) for word in words])
        return code, capsys.readouterr().err

    return run


def test_every_command_that_writes_is_tried() -> None:
    single = {word for word in app.names() if word not in app.GROUPS}
    grouped = {word for words in app.GROUPS.values() for word in words}
    writing = {word for word in single | grouped if app.is_write(word.split())}
    tried = {" ".join(words[: 1 + (words[0] in app.GROUPS)]) for words in WRITERS.values()}
    tried = {"night" if words.startswith("night --") else words for words in tried}
    tried = {"observe" if words == "observe {facts}" else words for words in tried}
    assert writing == tried | WITHOUT_A_LEDGER


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_a_newer_ledger_is_refused_by_name_and_nothing_is_written(
    newer: Path, tmp_path: Path, command: Said, words: tuple[str, ...]
) -> None:
    ledger = newer / "ledger"
    places = {"ledger": ledger, "facts": newer / "facts.jsonl", "elsewhere": tmp_path}
    before = hashes(ledger)
    code, errors = command(*(word.format(**places) for word in words), "--ledger", ledger)
    assert hashes(ledger) == before
    if words == WRITERS["night signed"] or (
        newer.name.startswith("a-newer-entry") and words in COME_TO_NO_ENTRY
    ):
        assert code in (0, 2, 3, 4), errors
        return
    assert (code, "[format_newer]" in errors) == (REFUSED, True), errors
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] in ([], [".lock"])


@pytest.mark.parametrize("words", READERS, ids=lambda words: words[0])
def test_a_newer_ledger_is_not_read_by_guess(
    newer: Path, tmp_path: Path, command: Said, words: tuple[str, ...]
) -> None:
    ledger = shutil.copytree(newer / "ledger", tmp_path / "ledger")
    code, errors = command(*words, "--ledger", ledger)
    if words != ("prove", "0"):  # a proof needs no entry but its own
        assert (code, "[format_newer]" in errors) == (REFUSED, True), errors


def test_verify_says_that_it_cannot_vouch_for_a_newer_ledger(newer: Path) -> None:
    assert verify(newer / "ledger").problem is not None


@pytest.mark.parametrize(
    "name", ["empty", "few", "bundles", "quarantined", "rotated", "witnessed", "from-kafka"]
)
def test_a_ledger_of_format_1_is_read_and_written_on(
    name: str, tmp_path: Path, command: Said
) -> None:
    with tarfile.open(FORMATS / "1" / "corpus.tar.gz") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        wanted = f"ledgers/{name}/"
        archive.extractall(
            tmp_path, [part for part in archive if f"{part.name}/".lstrip("./").startswith(wanted)]
        )
    ledger = tmp_path / "ledgers" / name
    text = "".join(f"{to_text(fact)}\n" for fact in opened_rounds(1, 300, "FURTHER-01"))
    (tmp_path / "facts.jsonl").write_text(text, encoding="utf-8")
    before = verify(ledger)
    assert before.problem is None
    assert command("append", tmp_path / "facts.jsonl", "--ledger", ledger)[0] == 0
    assert command("backup", tmp_path / "copy", "--ledger", ledger)[0] == 0
    assert command("key", "rotate", "--handover", tmp_path / "to", "--ledger", ledger)[0] == 0
    after = verify(ledger)
    assert after.problem is None
    assert after.tree_size > before.tree_size + 300
