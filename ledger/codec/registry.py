"""The published schemas: found once, held against the lock, looked up by id, name or fingerprint.

``schemas/published.lock`` names every schema that a fact may have been written with, and the
SHA-256 of its file. A file that differs is refused at once: bytes written with the old text would
be read with another.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from ledger.codec.errors import PublishedSchemaChanged, SchemaUnknown, SchemaUnusable
from ledger.codec.shapes import JsonValue, Part, parse_record
from ledger.kernel.quick_dataclass import dataclass

LOCK_NAME: Final = "published.lock"
FINGERPRINTS: Final = ("CRC-64-AVRO", "SHA-256")
"""Rabin's, 16 hexadecimal digits in the order of fastavro, and SHA-256, 64: each of the schema's
Parsing Canonical Form, which leaves out docs, defaults and attributes."""


@dataclass(frozen=True, slots=True)
class LockLine:
    """One line of the lock: ``id full_name version sha256``."""

    id: int
    full_name: str
    version: int
    sha256: str

    @property
    def name(self) -> str:
        """The event's name, without the namespace."""
        return self.full_name.rpartition(".")[2]


@dataclass(frozen=True)
class Schema:
    """One published version of one event.

    Args:
        id: as written into every framed event.
        name: of the event, and of its dataclass.
        version: from 1.
        text: the file as published, for ``SchemaUsed`` entries and for registries.
    """

    id: int
    name: str
    full_name: str
    version: int
    text: str

    @cached_property
    def shape(self) -> Part:
        """What the text says.

        Raises:
            SchemaUnusable: it is no schema of a fact, or of another one.
        """
        try:
            parsed: JsonValue = json.loads(self.text)
        except ValueError as error:
            where = f"{self.name}.{self.version}.avsc"
            raise SchemaUnusable(f"Not JSON: {error}", where=where) from error
        return parse_record(parsed, self.name)

    @cached_property
    def fingerprints(self) -> tuple[str, ...]:
        """The fingerprints of the schema, one for each algorithm of ``FINGERPRINTS``."""
        return fingerprints_of(self.text)


class Registry:
    """All published schemas."""

    def __init__(self, schemas: Iterable[Schema]) -> None:
        self._by_id = {schema.id: schema for schema in schemas}
        self._by_name = {(schema.name, schema.version): schema for schema in self}
        self._newest: dict[str, Schema] = {}
        for schema in sorted(self, key=lambda one: one.version):
            self._newest[schema.name] = schema

    def __iter__(self) -> Iterator[Schema]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def by_id(self, schema_id: int) -> Schema:
        """The schema of an id.

        Raises:
            SchemaUnknown: none has it.
        """
        return self._require(self._by_id.get(schema_id), f"id {schema_id}")

    def by_name(self, name: str, version: int | None = None) -> Schema:
        """A version of an event, the newest if none is asked for.

        Raises:
            SchemaUnknown: there is no such event, or no such version of it.
        """
        if version is None:
            return self._require(self._newest.get(name), name)
        return self._require(self._by_name.get((name, version)), f"{name} version {version}")

    def has_id(self, schema_id: int) -> bool:
        """Whether a schema of this id is published."""
        return schema_id in self._by_id

    def has_name(self, name: str, version: int | None = None) -> bool:
        """Whether an event of this name, or this version of it, is published."""
        return name in self._newest if version is None else (name, version) in self._by_name

    def by_fingerprint(self, digits: str) -> Schema:
        """The schema with a fingerprint of either kind, the newest if several share it.

        Raises:
            SchemaUnknown: none has it.
        """
        return self._require(self._by_fingerprint.get(digits.lower()), f"fingerprint {digits}")

    def by_text(self, text: str) -> Schema:
        """The schema that another registry holds under another id: the same canonical form.

        Raises:
            SchemaUnknown: none is the same, or the text is no schema.
        """
        try:
            digits = fingerprints_of(text)[1]
        except Exception as error:  # whatever the text makes the parser raise
            raise SchemaUnknown(f"This is no Avro schema: {error}") from error
        return self.by_fingerprint(digits)

    @cached_property
    def _by_fingerprint(self) -> dict[str, Schema]:
        ordered = sorted(self, key=lambda one: one.version)
        return {digits: schema for schema in ordered for digits in schema.fingerprints}

    @staticmethod
    def _require(schema: Schema | None, asked: str) -> Schema:
        if schema is None:
            raise SchemaUnknown(
                f"No published schema: {asked}.",
                next_step="pitledger schemas list shows what is known",
            )
        return schema


def fingerprints_of(text: str) -> tuple[str, ...]:
    """The fingerprints of a schema's Parsing Canonical Form, one for each of ``FINGERPRINTS``."""
    from fastavro.schema import fingerprint, parse_schema, to_parsing_canonical_form

    canonical = to_parsing_canonical_form(parse_schema(json.loads(text), _force=True))
    return tuple(fingerprint(canonical, algorithm) for algorithm in FINGERPRINTS)


@lru_cache(maxsize=1)
def registry() -> Registry:
    """The registry of this installation, loaded on first use.

    Raises:
        SchemaUnusable: the schemas are not there or not readable.
        PublishedSchemaChanged: a file is not what the lock says.
    """
    return load(schemas_folder(), parse=False)  # what the lock names was parsed when published


def schemas_folder() -> Traversable:
    """Where the schemas are: ``schemas`` inside the installed package, or beside it in a checkout.

    Raises:
        SchemaUnusable: neither is there.
    """
    package = files("ledger")
    for folder in (package / "schemas", package / ".." / "schemas"):
        if (folder / LOCK_NAME).is_file():
            return folder
    raise SchemaUnusable(
        "The folder of published schemas is missing.", cause="an incomplete installation"
    )


def sample_of(schema: Schema) -> dict[str, JsonValue] | None:
    """A fact of a schema in the form that ``append`` reads, from ``schemas/samples``.

    Returns:
        The sample that fills every field, if there is one, or else the first by file name; None if
        the schema has no sample.
    """
    start = f"{schema.name}.{schema.version}."
    folder = schemas_folder().joinpath("samples")
    names = sorted(
        one.name
        for one in (folder.iterdir() if folder.is_dir() else ())
        if one.name.startswith(start) and one.name.endswith(".pass.json")
    )
    full = f"{start}full.pass.json"
    name = full if full in names else next(iter(names), None)
    if name is None:
        return None
    sample: dict[str, JsonValue] = json.loads(folder.joinpath(name).read_text(encoding="utf-8"))
    return sample


def load(folder: Traversable, *, parse: bool = True) -> Registry:
    """Read the lock and every schema it names, and check their hashes.

    Args:
        folder: the lock and the folders of schemas.
        parse: parse every schema now; else each is parsed when a fact of it is first read.

    Raises:
        SchemaUnusable: the lock, or a file it names, is missing or cannot be read.
        PublishedSchemaChanged: a file is not what the lock says.
    """
    published = {f"{line.name}.{line.version}.avsc": line for line in read_lock(folder)}
    files_found = schema_files(folder)
    for missing in published.keys() - files_found.keys():
        raise SchemaUnusable("A published schema is missing.", where=missing)
    schemas = [read_schema(files_found[name], line) for name, line in published.items()]
    for schema in schemas if parse else ():
        if schema.shape.name != schema.name:
            raise SchemaUnusable("The schema has another name than the lock.", where=schema.name)
    return Registry(schemas)


def read_lock(folder: Traversable) -> list[LockLine]:
    """The lines of the lock, in its order.

    Raises:
        SchemaUnusable: it is missing, a line is not of four words, or an id or version comes twice.
    """
    lines: list[LockLine] = []
    for number, text in enumerate(_read(folder / LOCK_NAME).decode().splitlines(), 1):
        words = text.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 4 or not (words[0] + words[2]).isdigit():
            raise SchemaUnusable("Not 'id name version sha256'.", where=f"{LOCK_NAME}:{number}")
        lines.append(LockLine(int(words[0]), words[1], int(words[2]), words[3]))
    for key in ([line.id for line in lines], [(line.full_name, line.version) for line in lines]):
        if len(set(key)) != len(key):
            raise SchemaUnusable("An id or a version is listed twice.", where=LOCK_NAME)
    return lines


def schema_files(folder: Traversable) -> dict[str, Traversable]:
    """Every ``<Event>.<n>.avsc`` of the folder's subjects, by file name."""
    subjects = [subject for subject in folder.iterdir() if subject.is_dir()]
    files = {file.name: file for subject in subjects for file in subject.iterdir()}
    return {name: files[name] for name in sorted(files) if name.endswith(".avsc")}


def read_schema(path: Traversable, line: LockLine) -> Schema:
    """Read one schema file and hold it against its line of the lock; raises as ``load``."""
    content = _read(path)
    if sha256(content).hexdigest() != line.sha256:
        raise PublishedSchemaChanged(
            "A published schema was edited.",
            where=str(path),
            cause="a published file is never edited again; a change is a new version",
            next_step="restore the file, and put the change into the next version",
        )
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise SchemaUnusable(f"Not UTF-8: {error}", where=str(path)) from error
    return Schema(line.id, line.name, line.full_name, line.version, text)


def _read(path: Traversable) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SchemaUnusable(f"Cannot read: {error}", where=str(path)) from error
