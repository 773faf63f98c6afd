"""Whether the schemas keep their promise: nothing published changed, all versions read all others.

FULL_TRANSITIVE in our own few words, stricter than Avro's: between two versions of an event a
nullable field with the default null may come or go, an enum may gain symbols, docs may change, and
nothing else. ``schemas/README.md`` says it to people; a test holds it against the ``avro`` package.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum
from hashlib import sha256
from importlib.resources.abc import Traversable
from itertools import combinations
from typing import Any, Final, get_args, get_origin, get_type_hints

from ledger.codec.errors import SchemaUnusable
from ledger.codec.json_form import RESERVED
from ledger.codec.limits import TIME_MAX, TIME_MIN
from ledger.codec.registry import LockLine, Schema, read_lock, schema_files, schemas_folder
from ledger.codec.shapes import (
    Blob,
    Choice,
    Field,
    Many,
    Maybe,
    Part,
    Shape,
    Text,
    Truth,
    Whole,
)
from ledger.codec.upcast import UPCASTS
from ledger.codec.wire import classes, named
from ledger.events import EVENTS, SUBJECTS
from ledger.kernel.quick_dataclass import dataclass

UNRECOGNISED: Final = "UNRECOGNISED"
HEAD: Final = (
    ("stream", Text()),
    ("seq", Whole(low=1)),
    ("event_time", Whole(TIME_MIN, TIME_MAX, is_time=True)),
    ("source", Text()),
    ("recorded_by", Maybe(Text())),
)
"""What every fact begins with."""


class Kind(StrEnum):
    """What is wrong with the schemas."""

    EDITED = "edited"  # a published file is not what the lock says
    MISSING = "missing"  # the lock names a file that is not there
    UNPUBLISHED = "unpublished"  # a file that the lock does not name
    UNREADABLE = "unreadable"  # no JSON, or a part of Avro that facts do not use
    LOCK_ORDER = "lock_order"  # ids or versions leave a hole
    MISPLACED = "misplaced"  # the file lies under another subject, or has another name inside
    HEAD_DIFFERS = "head_differs"  # the first five fields are not those of every fact
    RESERVED_NAME = "reserved_name"  # a field has a name that the JSON form uses itself
    NO_DOC = "no_doc"  # a record, an enum or a field does not say what it means
    NO_UNRECOGNISED = "no_unrecognised"  # an enum without the symbol, or with another default
    NO_DEFAULT = "no_default"  # a nullable field without the default null
    RENAMED = "renamed"  # a record or an enum has another name than in an earlier version
    FIELD_REQUIRED = "field_required"  # a field without a default came or went
    FIELD_MOVED = "field_moved"  # common fields stand in another order
    TYPE_CHANGED = "type_changed"  # a type, a bound, a format or being nullable changed
    SYMBOL_REMOVED = "symbol_removed"  # an enum lost a symbol, or its symbols changed places
    NO_UPCAST = "no_upcast"  # no step leads from an older version to the next
    CLASS_DIFFERS = "class_differs"  # the dataclass or enum is not what the newest version says


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with the schemas.

    Attributes:
        kind: what is wrong, from the closed list.
        where: the file, the event or the field.
        detail: a sentence for people; not stable.
    """

    kind: Kind
    where: str
    detail: str

    def __str__(self) -> str:
        return f"{self.where}: {self.kind}: {self.detail}"


def check_schemas(folder: Traversable | None = None) -> list[Problem]:
    """Check a folder of schemas against its lock, its own history and the classes of the events.

    Args:
        folder: with ``published.lock``; None for the schemas of this installation.

    Returns:
        Every problem, those of the lock first; an empty list when all promises are kept.

    Raises:
        SchemaUnusable: there is no folder, or its lock cannot be read.
    """
    root = schemas_folder() if folder is None else folder
    lock, files = read_lock(root), schema_files(root)
    problems = list(_lock_problems(lock, files))
    versions: dict[str, list[Schema]] = {}
    for line in lock:
        name = _file_name(line)
        if name in files:
            problems += _file_problems(root, line, files[name])
            try:
                text = files[name].read_text(encoding="utf-8")
                schema = Schema(line.id, line.name, line.full_name, line.version, text)
                shape = schema.shape
            except (SchemaUnusable, ValueError, RecursionError) as error:
                problems.append(Problem(Kind.UNREADABLE, name, str(error)))
                continue
            versions.setdefault(line.name, []).append(schema)
            problems += _shape_problems(name, shape)
    for name, published in versions.items():
        problems += _version_problems(name, sorted(published, key=lambda one: one.version))
    for name in sorted(EVENTS.keys() - versions.keys()):
        problems.append(Problem(Kind.MISSING, name, "the event has no published schema"))
    return problems


def differences(older: Shape, newer: Shape, where: str) -> list[Problem]:
    """Find what keeps two versions of a shape from reading each other, in both directions.

    Args:
        older: the shape of the earlier version.
        newer: the shape of the later version.
        where: how a problem names the place, such as ``StaffRelieved 1 to 2``.
    """
    match older, newer:
        case Part(name=name), Part(name=renamed) if name != renamed:
            return [Problem(Kind.RENAMED, where, f"{name} became {renamed}")]
        case Part(), Part():
            return _field_differences(older, newer, where)
        case Choice(name=name), Choice(name=renamed) if name != renamed:
            return [Problem(Kind.RENAMED, where, f"{name} became {renamed}")]
        case Choice(symbols=old), Choice(symbols=new):
            kept = [symbol for symbol in new if symbol in old]
            if kept != list(old):
                return [Problem(Kind.SYMBOL_REMOVED, where, "every symbol must stay, in its order")]
            return []
        case (Maybe(inner=old), Maybe(inner=new)) | (Many(element=old), Many(element=new)):
            return differences(old, new, where)
        case _ if older != newer:
            return [Problem(Kind.TYPE_CHANGED, where, f"{older} became {newer}")]
        case _:
            return []


def _field_differences(older: Part, newer: Part, where: str) -> list[Problem]:
    problems = []
    before, after = _by_name(older), _by_name(newer)
    for name in before.keys() ^ after.keys():
        field = before.get(name) or after[name]
        if not field.default_null:
            problems.append(
                Problem(
                    Kind.FIELD_REQUIRED,
                    f"{where}.{name}",
                    "only a field with default null may come or go",
                )
            )
    common = [name for name in before if name in after]
    if common != [name for name in after if name in before]:
        problems.append(Problem(Kind.FIELD_MOVED, where, "common fields stand in another order"))
    for name in common:
        problems += differences(before[name].shape, after[name].shape, f"{where}.{name}")
    return sorted(problems, key=lambda problem: problem.where)


def _by_name(part: Part) -> dict[str, Field]:
    return {field.name: field for field in part.fields}


def _file_name(line: LockLine) -> str:
    return f"{line.name}.{line.version}.avsc"


def _lock_problems(lock: list[LockLine], files: dict[str, Traversable]) -> Iterator[Problem]:
    published = {_file_name(line) for line in lock}
    for name in sorted(published - files.keys()):
        yield Problem(Kind.MISSING, name, "published, but the file is not there")
    for name in sorted(files.keys() - published):
        yield Problem(
            Kind.UNPUBLISHED, name, "the lock does not name it; no fact may be written with it"
        )
    if [line.id for line in lock] != list(range(1, len(lock) + 1)):
        yield Problem(
            Kind.LOCK_ORDER, "published.lock", "ids run from 1 without holes, new ones at the end"
        )
    seen: dict[str, int] = {}
    for line in lock:
        if line.version != seen.get(line.name, 0) + 1:
            yield Problem(Kind.LOCK_ORDER, _file_name(line), "versions run from 1 without holes")
        seen[line.name] = line.version


def _file_problems(root: Traversable, line: LockLine, path: Traversable) -> Iterator[Problem]:
    name, content = _file_name(line), path.read_bytes()
    if sha256(content).hexdigest() != line.sha256:
        yield Problem(
            Kind.EDITED, name, "the file is not what was published; a change is a new version"
        )
    if not (root / SUBJECTS.get(line.name, "") / name).is_file():
        yield Problem(Kind.MISPLACED, name, "its subject in ledger.events is another folder")
    try:
        text: Any = json.loads(content)
    except (ValueError, RecursionError):
        return  # reported as unreadable
    if isinstance(text, dict) and f"{text.get('namespace')}.{text.get('name')}" != line.full_name:
        yield Problem(Kind.MISPLACED, name, f"the lock says {line.full_name}")
    for where in _without_doc(text, line.name):
        yield Problem(Kind.NO_DOC, name, f"{where} does not say what it means")


def _without_doc(schema: Any, where: str) -> Iterator[str]:
    """The records, enums and fields that have no doc."""
    match schema:
        case list():
            for branch in schema:
                yield from _without_doc(branch, where)
        case {"type": "array", "items": element}:
            yield from _without_doc(element, where)
        case {"type": "record" | "enum"}:
            if not schema.get("doc"):
                yield where
            for field in schema.get("fields", []):
                inner = f"{where}.{field.get('name')}"
                if not field.get("doc"):
                    yield inner
                yield from _without_doc(field.get("type"), inner)
        case _:
            pass


def _shape_problems(name: str, shape: Part) -> Iterator[Problem]:
    """What must hold for one schema alone."""
    if tuple((field.name, field.shape) for field in shape.fields[: len(HEAD)]) != HEAD:
        yield Problem(
            Kind.HEAD_DIFFERS, name, "begin with stream, seq, event_time, source, recorded_by"
        )
    for field in shape.fields:
        if field.name in RESERVED:
            yield Problem(
                Kind.RESERVED_NAME, name, f"{field.name} stands beside the fields in JSON"
            )
    for named_type in named(shape):
        if isinstance(named_type, Choice):
            if UNRECOGNISED not in named_type.symbols:
                yield Problem(Kind.NO_UNRECOGNISED, name, f"{named_type.name} lacks the symbol")
            if named_type.default != UNRECOGNISED:
                yield Problem(
                    Kind.NO_UNRECOGNISED,
                    name,
                    f"{named_type.name} has the default {named_type.default}",
                )
            continue
        for field in named_type.fields:
            if isinstance(field.shape, Maybe) and not field.default_null:
                yield Problem(
                    Kind.NO_DEFAULT, name, f"{named_type.name}.{field.name} lacks the default null"
                )


def _version_problems(name: str, published: list[Schema]) -> Iterator[Problem]:
    """What must hold among the versions of one event, and for the newest and its dataclass."""
    for old, new in combinations(published, 2):
        yield from differences(old.shape, new.shape, f"{name} {old.version} to {new.version}")
    for old in published[:-1]:
        if (name, old.version) not in UPCASTS:
            yield Problem(Kind.NO_UPCAST, name, f"no step from version {old.version}")
    event = EVENTS.get(name)
    if event is None:
        yield Problem(Kind.CLASS_DIFFERS, name, "ledger.events has no such event")
        return
    for named_type in named(published[-1].shape):
        yield from _class_problems(named_type)


def _class_problems(shape: Choice | Part) -> Iterator[Problem]:
    """Where a dataclass or an enum differs from the shape of its name."""
    own_class = classes().get(shape.name)
    if own_class is None:
        yield Problem(Kind.CLASS_DIFFERS, shape.name, "ledger.events has no such class")
    elif isinstance(shape, Choice):
        if tuple(member.value for member in own_class) != shape.symbols:
            yield Problem(Kind.CLASS_DIFFERS, shape.name, "the enum has other members")
    elif [field.name for field in fields(own_class)] != [field.name for field in shape.fields]:
        yield Problem(Kind.CLASS_DIFFERS, shape.name, "the dataclass has other fields")
    else:
        hints = get_type_hints(own_class)
        for field in shape.fields:
            if not _fits(hints[field.name], field.shape):
                where = f"{shape.name}.{field.name}"
                yield Problem(Kind.CLASS_DIFFERS, where, f"the dataclass says {hints[field.name]}")


def _fits(hint: object, shape: Shape) -> bool:
    """Whether an annotation is the one for a shape."""
    match shape:
        case Maybe(inner=inner):
            arguments = get_args(hint)
            return len(arguments) == 2 and arguments[1] is type(None) and _fits(arguments[0], inner)
        case Many(element=element):
            arguments = get_args(hint)
            return (
                get_origin(hint) is tuple
                and arguments[1:] == (...,)
                and _fits(arguments[0], element)
            )
        case Choice(name=name) | Part(name=name):
            return hint is classes().get(name, ...)
        case Text():
            return hint is str
        case Whole():
            return hint is int
        case Truth():
            return hint is bool
        case Blob():
            return hint is bytes
