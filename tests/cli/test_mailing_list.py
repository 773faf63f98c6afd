"""A mailing list with its names: kept apart by the import, forgotten by a command, found in no file."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from ledger.intake import Act, ErasableStore, Import, OpeningUnknown, opens
from ledger.replay import Replay
from tests.cli.conftest import Command
from tests.intake.given import NOW, SAMPLES

SHEET = SAMPLES / "coupon-mailing-list.csv"
PATRONS = (
    ("Philippa Quillfeather", "12 Larkspur Lane, Ephrata"),
    ("Barnaby Thistlewood", "9 Gooseberry Court, Lititz"),
    ("Zelda Ünal-Õun", "77 Marzipan Row, Nazareth"),
)
WORDS = ("import", "coupon-mailing-list")
BY = ("--commit", "--by", "E-1")
CHANGE = ("--reason", "typed wrong", "--approved-by", "E-2")


@pytest.fixture
def own(empty: Path, command: Command) -> Path:
    words = ("--name", "Example Casino", "--time-zone", "America/New_York", "--by", "E-1")
    assert command("property", "describe", *words, "--ledger", empty).code == 0
    return empty


def lines(command: Command, own: Path) -> list[dict[str, str]]:
    """The lines of the list as the ledger has them, amendments aside."""
    facts = [json.loads(line) for line in command("cat", "--ledger", own).out.splitlines()]
    return [line for fact in facts if fact["event"] == "MailListSupplied" for line in fact["lines"]]


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of a folder; what is packed, unpacked too."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            yield str(path.relative_to(folder)), data
            if data.startswith(b"PK\x03\x04"):
                with ZipFile(io.BytesIO(data)) as packed:
                    yield from (
                        (f"{path.name}:{name}", packed.read(name)) for name in packed.namelist()
                    )


def holding(folder: Path, secrets: list[bytes]) -> list[str]:
    """The files that hold one of some secrets, in clear, as hexadecimal or in two bytes a letter."""
    forms = [form for secret in secrets for form in (secret, secret.hex().encode())]
    forms += [secret.decode().encode("utf-16-le") for secret in secrets if secret.isascii()]
    return [name for name, data in files(folder) if any(form in data for form in forms)]


def test_names_are_kept_apart_and_open_their_commitments(command: Command, own: Path) -> None:
    seen = command(*WORDS, SHEET, "--ledger", own)
    assert seen.code == 0
    assert not (own / "erasable").exists()  # a preview keeps nothing
    assert not any(text in seen.out + seen.err for patron in PATRONS for text in patron)
    assert "name commitment kept apart" in seen.out
    done = command(*WORDS, SHEET, *BY, "--ledger", own)
    assert done.code == 0, done.err
    store = ErasableStore(own)
    for line, (name, address) in zip(lines(command, own), PATRONS, strict=True):
        opening = store.read(line["opening"])
        assert (opening.name, opening.address) == (name, address)
        assert opens(bytes.fromhex(line["name_commitment"]), name, opening.name_salt)
        assert opens(bytes.fromhex(line["address_commitment"]), address, opening.address_salt)
    assert holding(own.parent, [PATRONS[0][0].encode()]) == []  # encrypted, keys included
    assert command("verify", "--ledger", own).code == 0


def test_the_same_list_again_and_a_corrected_name(
    command: Command, own: Path, tmp_path: Path
) -> None:
    command(*WORDS, SHEET, *BY, "--ledger", own)
    before = lines(command, own)
    assert "0 new · 1 unchanged" in command(*WORDS, SHEET, *BY, "--ledger", own).out
    path = tmp_path / "list.csv"
    path.write_text(SHEET.read_text("utf-8").replace("Thistlewood", "Thistledown"), "utf-8")
    done = command(*WORDS, path, *BY, *CHANGE, "--ledger", own)
    assert "0 new · 0 unchanged · 1 corrected" in done.out
    with Import(
        "coupon-mailing-list", path, Replay.open(own), "E-1", store=ErasableStore(own)
    ) as again:
        assert again.preview().counts.same == 1
    store = ErasableStore(own)
    assert store.read(before[1]["opening"]).name == "Barnaby Thistlewood"  # what stood before opens
    assert store.count() == (4, 0)


def test_forgetting_a_corrected_name_forgets_what_stood_before(
    command: Command, own: Path, tmp_path: Path
) -> None:
    command(*WORDS, SHEET, *BY, "--ledger", own)
    before = [line["opening"] for line in lines(command, own)]
    path = tmp_path / "list.csv"
    for number, name in enumerate(("Thistledown", "Thistlebury")):
        path.write_text(SHEET.read_text("utf-8").replace("Thistlewood", name), "utf-8")
        done = command(*WORDS, path, *BY, *CHANGE, "--ledger", own)
        assert "1 corrected" in done.out, (number, done.err)
    done = command("coupons", "forget", before[1], "--ledger", own, "--format", "json")
    assert done.json == {"erased": 3}
    secrets = [b"Thistlewood", b"Thistledown", b"Thistlebury"]
    assert holding(own, secrets) == []
    assert ErasableStore(own).read(before[0]).name == PATRONS[0][0]
    for opening in (before[1], "f" * 32):  # it is gone, or never was: said, and nothing is erased
        assert command("coupons", "forget", opening, "--ledger", own).code == 2


def test_files_beside_refused_rows_are_erased_too(command: Command, own: Path) -> None:
    """A copy that an editor or a person left, in a folder too; what a link leads to is left alone."""
    command(*WORDS, SHEET, *BY, "--ledger", own)
    rejected, other = own / "erasable" / "rejected", own.parent / "other.txt"
    (rejected / "old").mkdir(parents=True)
    other.write_text("not the ledger's")
    for name in ("list.csv~", ".list.csv.swp", "old/list.csv"):
        (rejected / name).write_text("Barnaby Thistlewood")
    (rejected / "link.csv").symlink_to(other)
    opening = lines(command, own)[1]["opening"]
    assert command("coupons", "forget", opening, "--ledger", own).code == 0
    assert holding(own, [b"Thistlewood"]) == []
    assert other.read_text() == "not the ledger's"


def test_refused_rows_of_a_list_lie_in_the_erasable_folder(
    command: Command, own: Path, tmp_path: Path
) -> None:
    path, asked = tmp_path / "list.csv", tmp_path / "refused.csv"
    path.write_text(SHEET.read_text("utf-8").replace("C-0000212,$5.00", "C-0000212,five"), "utf-8")
    ran = command(*WORDS, path, "--rejected", asked, "--ledger", own)
    assert ran.code == 1
    assert not asked.exists()
    kept = own / "erasable" / "rejected" / "refused.csv"
    assert "Thistlewood" in kept.read_text("utf-8")
    assert "Thistlewood" not in ran.out + ran.err
    assert kept.stat().st_mode & 0o077 == 0
    kept.write_text(kept.read_text("utf-8").replace(",five,", ",$5.00,"), "utf-8")
    done = command(*WORDS, path, "--mended", asked, *BY, "--ledger", own)
    assert done.code == 0, done.err
    assert len(lines(command, own)) == 3
    assert command("verify", "--ledger", own).code == 0
    openings = [line["opening"] for line in lines(command, own)]
    assert command("coupons", "forget", openings[0], "--ledger", own).code == 0
    assert list(kept.parent.iterdir()) == []


def test_what_was_forgotten_stands_in_no_file_and_does_not_come_back(
    command: Command, own: Path, tmp_path: Path
) -> None:
    command(*WORDS, SHEET, *BY, "--ledger", own)
    store = ErasableStore(own)
    numbers = [line["opening"] for line in lines(command, own)]
    patrons = [store.read(number) for number in numbers]
    secrets = [
        secret
        for patron in patrons[:2]
        for secret in (patron.name.encode(), patron.address.encode(), patron.name_salt, patron.address_salt)
    ]  # fmt: skip
    assert command("archive", "write", "--ledger", own).code in (0, 2)
    command("sql", "SELECT * FROM findings", "--ledger", own)
    command("audit", "--day", "2021-06-12", "--ledger", own)
    command("coupons", "forms", "--day", "2021-06-12", "--out", own / "forms", "--ledger", own)
    assert holding(own, secrets) == []  # they can be read with their keys only
    assert command("coupons", "forget", *numbers[:2], "--ledger", own).code == 0
    assert holding(own, secrets) == []
    assert store.read(numbers[2]).name == PATRONS[2][0]
    for number in numbers[:2]:
        with pytest.raises(OpeningUnknown):
            store.read(number)
    again = command(*WORDS, SHEET, *BY, "--ledger", own)
    assert "0 new · 1 unchanged" in again.out
    assert again.err.count("this name was erased and is not taken again") == 2
    path = tmp_path / "list.csv"
    path.write_text(SHEET.read_text("utf-8").replace("Thistlewood", "Thistledown"), "utf-8")
    assert "1 unchanged" in command(*WORDS, path, *BY, "--ledger", own).out
    assert holding(own, [*secrets, b"Thistledown"]) == []
    assert command("verify", "--ledger", own).code == 0


@pytest.mark.parametrize(("is_written", "left"), [(False, 0), (True, 3)])
def test_a_list_that_was_not_written_leaves_no_name(is_written: bool, left: int, own: Path) -> None:
    """Where a commit stopped after the ledger had the facts, their names are kept."""
    store = ErasableStore(own)

    def stopped(done: Import) -> None:
        with done.names_kept(lambda: is_written):
            assert list(done.facts(Act(by="E-1", at=NOW)))
            raise KeyboardInterrupt

    with Import("coupon-mailing-list", SHEET, Replay.open(own), "E-1", store=store) as done:
        assert done.preview().can_commit
        with pytest.raises(KeyboardInterrupt):
            stopped(done)
    assert store.count() == (left, 0)
    assert len(store.people.destroyed()) == 0  # a row that comes again is no forgotten one


def test_a_sheet_of_names_needs_its_store(own: Path) -> None:
    from ledger.intake.import_errors import StoreNeeded

    with pytest.raises(StoreNeeded):
        Import("coupon-mailing-list", SHEET, Replay.open(own), "E-1")
