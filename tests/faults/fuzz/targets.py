"""What is fuzzed: for each kind of input what it must do with any bytes, and inputs to begin with.

A target takes bytes and returns nothing. It lets through what its docstring's reader may raise and
nothing else; where the bytes are taken, it asks a second opinion: another decoder, the way back, or
the specification by another derivation.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from ledger.codec import (
    Undecodable,
    decode,
    frame,
    from_text,
    header_and_body,
    key_of,
    plain_of,
    registry,
    sample_of,
    source_of,
    to_text,
    validate,
)
from ledger.codec.json_form import from_plain
from ledger.intake.import_errors import FileEmpty, HeadingsMissing, HeadingTwice, SheetUnreadable
from ledger.intake.profile import PROFILES, ProfileWrong, parse_profile, profile_names
from ledger.intake.sheet import open_sheet
from ledger.log import entry as entries
from ledger.log.checkpoint import Checkpoint, open_checkpoint, parse_checkpoint
from ledger.log.cosignature import (
    new_cosigner,
    parse_cosigner,
    parse_cosigner_key,
    with_cosignatures,
)
from ledger.log.errors import FormatNewer
from ledger.log.merkle import continues, includes, leaf_hash
from ledger.log.note import NoteBroken, open_note, parse_signer, parse_verifier, split_note
from ledger.log.port import (
    Accepted,
    Began,
    Coordinates,
    EarlierFact,
    KeyRotated,
    Quarantined,
    SchemaUsed,
)
from ledger.log.witness_policy import WitnessPolicyWrong, parse_policy
from ledger.log.witness_protocol import AddCheckpoint, parse_add_checkpoint
from ledger.search.errors import SearchUnclear
from ledger.search.search_line import FIELDS, Search, parse_search
from tests.codec import avro_library
from tests.log.facts import ORIGIN, SIGNER
from tests.log.test_merkle import root_from_proof

TIME: Final = 1_790_000_000_000_000
WITNESS: Final = parse_cosigner(new_cosigner("witness.example/w1").secret_text()).public
CELLS: Final = 20_000
"""How much of a sheet is read of one input."""


@dataclass(frozen=True, slots=True)
class Target:
    """One kind of input.

    Attributes:
        name: how it is called on the command line, and its folder of the corpus.
        run: takes any bytes; raises where a promise is broken.
        seeds: inputs to begin with, one of each form.
        limit: the longest input in bytes.
    """

    name: str
    run: Callable[[bytes], None]
    seeds: Callable[[], Iterator[bytes]]
    limit: int = 4_096


# --- facts -----------------------------------------------------------------------------------------


def fact(raw: bytes) -> None:
    """Framed bytes of Kafka: six readers agree, fastavro too, and what is taken goes back to bytes."""
    readings = []
    for read in (decode, plain_of, validate, header_and_body):
        try:
            readings.append(read(raw))
        except Undecodable as error:
            readings.append(error.reason)
    event, plain, key, text = readings
    if isinstance(key, str):
        assert event == plain == key == text, readings
        return
    assert key == key_of(raw)
    assert event.source == source_of(raw)  # type: ignore[union-attr]
    schema = registry().by_id(int.from_bytes(raw[1:5], "big"))
    assert plain == avro_library.read(schema, raw)
    header, own = [*plain.items()][:5], dict([*plain.items()][5:])
    body = json.dumps(own, ensure_ascii=False, separators=(",", ":"), default=bytes.hex)
    assert text == (*(field for _, field in header[1:]), body)
    again = avro_library.framed(schema, plain)  # lists in one block, where Avro allows several
    assert plain_of(again) == plain
    newest = frame(event)  # type: ignore[arg-type]
    assert decode(newest) == event
    assert from_text(to_text(event).encode()) == event  # type: ignore[arg-type]
    assert newest[:5] != raw[:5] or newest == again


@cache
def samples() -> tuple[bytes, ...]:
    """A fact of each schema."""
    written = (sample_of(schema) for schema in registry())
    return tuple(frame(from_plain(values)) for values in written if values is not None)


# --- entries, notes and proofs ---------------------------------------------------------------------


def entry(raw: bytes) -> None:
    """An entry of the ledger: one reading, one writing, and the quick readers say the same."""
    try:
        whole = entries.decode(raw)
    except (entries.EntryUnreadable, FormatNewer):
        whole = None
    if whole is not None:
        assert entries.encode(whole) == raw
        framed = whole.framed if isinstance(whole, Accepted) else None
        quick = entries.unwrap(raw)
        assert (quick is None) == (framed is None)
        assert quick is None or quick == (whole.record_time, framed)
        if framed is not None:
            assert entries.coordinates_of(raw) == whole.coordinates  # type: ignore[union-attr]
        assert list(entries.facts_in(7, [raw])) == ([] if quick is None else [(7, *quick)])


def entry_seeds() -> Iterator[bytes]:
    """Each branch, with and without what may be left out."""
    place = Coordinates(topic="pitledger.tables.v1", partition=2, offset=70)
    for framed in samples()[:3]:
        for at in (None, place):
            for odd in (None, b"SB-01"):
                taken = Accepted(record_time=TIME, coordinates=at, odd_key=odd, framed=framed)
                yield entries.encode(taken)
    yield entries.encode(
        Quarantined(
            record_time=TIME, reason="malformed", sha256=bytes(32), length=3, head=b"abc",
            key=b"k", coordinates=place, conflicts_with=EarlierFact("SB-01", 9, 3),
        )
    )  # fmt: skip
    yield entries.encode(
        SchemaUsed(record_time=TIME, id=3, name="ShakerShaken", version=1, text="{}")
    )
    yield entries.encode(
        Began(record_time=TIME, format_version=1, origin=ORIGIN, property="Mountain")
    )
    rotated = KeyRotated(
        record_time=TIME, old="a+b", new="c+d", size=9, root=bytes(32), signed_by_old=b"s", signed_by_new=b"t"
    )  # fmt: skip
    yield entries.encode(rotated)


def note(raw: bytes) -> None:
    """A signed note, its checkpoint, keys and cosignatures: refused as broken, or as it was written."""
    try:
        text, signatures = split_note(raw)
    except NoteBroken:
        pass
    else:
        assert raw.startswith(text.encode() + b"\n")
        assert signatures
        with_cosignatures(raw, raw.decode(), WITNESS)
    for read in (
        lambda: open_note(raw, SIGNER.verifier),
        lambda: open_checkpoint(raw, SIGNER.verifier),
    ):
        try:
            read()
        except NoteBroken:
            continue
        assert SIGNER.sign(text).rpartition(b"\n\n")[2] in raw  # Ed25519 signs a text in one way
    written = raw.decode("utf-8", "replace")
    try:
        checkpoint = parse_checkpoint(written)
        assert checkpoint.text() == written
    except NoteBroken:
        pass
    for parse in (parse_verifier, parse_cosigner_key):
        with suppress(NoteBroken):
            assert str(parse(written)) == written
    for secret in (parse_signer, parse_cosigner):
        with suppress(NoteBroken):
            assert secret(written).secret_text() == written


def note_seeds() -> Iterator[bytes]:
    """Checkpoints with none, one and several signatures, and keys of every kind."""
    cosigner = new_cosigner(WITNESS.name)
    signed = Checkpoint(ORIGIN, 70, bytes(32)).signed(SIGNER)
    text = Checkpoint(ORIGIN, 70, bytes(32)).text()
    yield signed
    yield signed + cosigner.line(text, 1_790_000_000).encode()
    yield text.encode()
    for key in (SIGNER.verifier, cosigner.public):
        yield str(key).encode()
    yield SIGNER.secret_text().encode()
    yield cosigner.secret_text().encode()


def proof(raw: bytes) -> None:
    """Proofs of inclusion and of consistency, against RFC 9162 by recursion from the root down."""
    index, size, steps = raw[0:1], raw[1:2], raw[2:]
    hashes = [steps[at : at + 32] for at in range(0, len(steps) - 31, 32)]
    if not index or not size:
        return
    place, leaves, leaf = index[0], size[0], leaf_hash(b"")
    root = root_from_proof(place, leaves, leaf, hashes) if place < leaves else None
    if root is not None:
        assert includes(leaf, place, leaves, hashes, root)
        assert not includes(leaf, place, leaves, [*hashes, root], root)
    assert not includes(leaf, place, leaves, hashes, bytes(32))
    assert not continues(place, bytes(32), leaves, bytes(31) + b"\1", hashes) or not hashes


def proof_seeds() -> Iterator[bytes]:
    """Proofs of the lengths that trees of these sizes have."""
    for size in (1, 2, 3, 7, 8, 9, 200, 255):
        for index in {0, size // 2, size - 1}:
            yield bytes([index, size]) + b"".join(bytes([n]) * 32 for n in range(8))
            yield bytes([index, size]) + b"".join(bytes([n]) * 32 for n in range(2))


def witness(raw: bytes) -> None:
    """A request to a witness, and a policy of witnesses: read as written, or refused."""
    try:
        request = parse_add_checkpoint(raw)
    except NoteBroken:
        pass
    else:
        assert isinstance(request, AddCheckpoint)
        assert parse_add_checkpoint(request.body()) == request
    try:
        policy = parse_policy(raw, "fuzz")
    except WitnessPolicyWrong:
        return
    names = {key.name for key in policy.keys}
    if policy.is_quorum(set()):
        assert policy.is_quorum(names)


def witness_seeds() -> Iterator[bytes]:
    """A request with a proof and without, and a policy with groups within groups."""
    signed = Checkpoint(ORIGIN, 70, bytes(32)).signed(SIGNER)
    yield AddCheckpoint(0, (), signed).body()
    yield AddCheckpoint(8, (bytes(32), bytes(32)), signed).body()
    keys = [new_cosigner(f"w{number}.example").public for number in range(3)]
    lines = [f"log {SIGNER.verifier}"]
    lines += [f"witness w{n} {key} https://w{n}.example" for n, key in enumerate(keys)]
    lines += ["group both 2 w0 w1", "group all any both w2", "quorum all", "# a comment", ""]
    yield "\n".join(lines).encode()
    yield b"quorum none\n"


# --- files that are imported -----------------------------------------------------------------------


def profile(raw: bytes) -> None:
    """A profile of an import: read, or refused by name."""
    with suppress(ProfileWrong):
        parse_profile(raw, "fuzz.toml")


def profile_seeds() -> Iterator[bytes]:
    """The profiles that come with the product."""
    for name in profile_names():
        yield (PROFILES / f"{name}.toml").read_bytes()


WANTED: Final = {"date": ("date", "day"), "amount": ("amount",), "serial": ("serial number",)}


def sheet(raw: bytes) -> None:
    """A sheet of any form: its rows have the number of the file's lines, or it is refused."""
    ending = ".xlsx" if raw[:4] == b"PK\x03\x04" else ".csv"
    with NamedTemporaryFile(suffix=ending) as file:
        file.write(raw)
        file.flush()
        try:
            with open_sheet(
                Path(file.name), WANTED, {"amount"}, encoding="utf-8", separator=None
            ) as opened:
                numbers, cells = [opened.heading_row], 0
                for row in opened.rows:
                    numbers.append(row.number)
                    cells += len(row.cells)
                    if cells > CELLS:
                        break
        except (SheetUnreadable, FileEmpty, HeadingsMissing, HeadingTwice):
            return
    assert numbers == sorted(numbers)


def sheet_seeds() -> Iterator[bytes]:
    """Texts in each separator and encoding, and a workbook."""
    rows = [["Date", "Amount", "Serial number"], ["11/22/2026", "$25.00", "M25-01"], ["", "", ""]]
    for separator in ",;\t|":
        text = io.StringIO()
        csv.writer(text, delimiter=separator).writerows(rows)
        yield text.getvalue().encode()
        yield text.getvalue().encode("utf-16")
    yield b'\xef\xbb\xbfDate,Amount\r\n"11/22\r\n/2026","1,000.00"\r\n'
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    packed = io.BytesIO()
    book.save(packed)
    yield packed.getvalue()
    stored = io.BytesIO()  # not deflated, so that a fuzzer sees what it changes
    with zipfile.ZipFile(packed) as before, zipfile.ZipFile(stored, "w") as after:
        for name in before.namelist():
            after.writestr(name, before.read(name))
    yield stored.getvalue()


# --- what a person types -----------------------------------------------------------------------------


def search(raw: bytes) -> None:
    """A search line: read, or refused with a hint."""
    line = raw.decode("utf-8", "surrogateescape")
    with suppress(SearchUnclear):
        parsed = parse_search(line)
        assert parsed == parse_search(f"  {line} ")
        assert parsed != Search()


def search_seeds() -> Iterator[bytes]:
    """A line with each kind of word."""
    yield "DC-01 21:45±5m bet:1 $25 seat:2".encode()
    yield b"9:45pm-10:15pm 6/12/2021 2021-06-12 yesterday $20-30 $100+ >=$50"
    yield b"underpaid>100 overpaid unknown void findings SB-02:9251 SB-*"
    yield b'bet:"total 9" "free text"'
    yield " ".join(f"{name}:x-1*" for name in FIELDS).encode()


TARGETS: Final = {
    target.name: target
    for target in (
        Target("fact", fact, lambda: iter(samples())),
        Target("entry", entry, entry_seeds),
        Target("note", note, note_seeds),
        Target("proof", proof, proof_seeds, 300),
        Target("witness", witness, witness_seeds),
        Target("profile", profile, profile_seeds, 16_384),
        Target("sheet", sheet, sheet_seeds, 16_384),
        Target("search", search, search_seeds, 400),
    )
}
