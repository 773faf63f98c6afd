"""In which form an entry stands in a pack: whole, sealed with some strings opened, or as a hash.

A sealed entry stands as it was signed; beside it path, salt and text of each string that is shown.
An entry that is not sealed cannot be shown in part: in a twin it is a leaf hash where it holds
anything that the twin hides.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ledger.codec import (
    PersonalKind,
    decode,
    holds_event,
    personal_strings,
    plain_of,
    schema_of,
    sealed_strings,
    to_plain,
)
from ledger.evidence.packed_tree import PackedTree
from ledger.evidence.redaction import Redaction
from ledger.kernel import ERASED, WITHHELD, FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import Disclosure, Sealed, unwrap
from ledger.log.entry import decode as entry_of

_MARK: Final = b"\xff"
_NESTED: Final = ">"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalText:
    """A personal string of an entry.

    Attributes:
        path: where it stands in its fact.
        kind: what it is.
        text: the string as JSON has it; None where it is erased.
        opening: what opens it; None where the entry is not sealed, or where it is erased.
    """

    path: str
    kind: PersonalKind
    text: str | None
    opening: Disclosure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedEntry:
    """The entry of a fact, read in full.

    Attributes:
        position: where it stands.
        ref: the fact.
        entry: its bytes, as they were signed.
        values: the fact as JSON values, with the strings that are erased named so.
        schemas: ids of the schemas that it was written with.
        texts: its personal strings.
        is_sealed: whether they are sealed in it.
    """

    position: int
    ref: FactRef
    entry: bytes
    values: dict[str, object]
    schemas: frozenset[int]
    texts: tuple[PersonalText, ...]
    is_sealed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEntry:
    """A fact as a pack has it.

    Attributes:
        packed: its entry.
        is_shown: False: as a leaf hash only.
        line: its JSON values as they are shown.
        closed: "(withheld)" or "(erased)" by the path of each sealed string that is not opened.
    """

    packed: PackedEntry
    is_shown: bool
    line: Mapping[str, object]
    closed: Mapping[str, str]

    def openings(self) -> dict[str, list[str]]:
        """Return, by path, text and salt of what is opened; what is closed without a salt."""
        out = {}
        for text in self.packed.texts:
            if text.path in self.closed:
                out[text.path] = [self.closed[text.path]]
            elif text.opening is not None and text.text is not None:
                out[text.path] = [text.text, text.opening.salt.hex()]
        return out


def packed_entry(tree: PackedTree, position: int, ref: FactRef) -> PackedEntry:
    """Read the entry of a fact.

    Raises:
        OpeningsMissing, PersonKeysMissing, OpeningWrong: it is sealed, and cannot be opened.
    """
    entry = tree.raw(position)
    unwrapped = unwrap(tree.opened(position))
    assert unwrapped is not None, "the index points at facts only"
    framed, decoded = unwrapped[1], entry_of(entry)
    values, schemas = _values(framed), {schema_of(framed).id}
    if not isinstance(decoded, Sealed):
        texts = [
            PersonalText(path=path, kind=kind, text=_said(content))
            for path, kind, content in _personal(framed, is_sealed=False)
        ]
        return PackedEntry(
            position=position, ref=ref, entry=entry, values=values, schemas=frozenset(schemas),
            texts=tuple(texts), is_sealed=False,
        )  # fmt: skip
    openings = {each.path: each for each in tree.openings(position)}
    for name, nested in _events_inside(framed, decoded.sealed):
        _put(values, name, _values(nested))
        schemas.add(schema_of(nested).id)
    texts = []
    for path, kind, _ in _personal(decoded.sealed, is_sealed=True):
        opening = openings.get(path)
        if opening is None:
            _put(values, path, ERASED)
        text = None if opening is None else _at(values, path)
        texts.append(PersonalText(path=path, kind=kind, text=text, opening=opening))
    return PackedEntry(
        position=position, ref=ref, entry=entry, values=values, schemas=frozenset(schemas),
        texts=tuple(texts), is_sealed=True,
    )  # fmt: skip


def shown_entry(packed: PackedEntry, redaction: Redaction | None) -> ShownEntry:
    """Return a fact in the form in which a pack shows it.

    Args:
        packed: its entry.
        redaction: what the pack hides; None: nothing.
    """
    hidden = [
        personal
        for personal in packed.texts
        if redaction is not None and personal.text and redaction.hides(personal.kind, personal.text)
    ]
    if not packed.is_sealed:
        is_shown = not hidden and not _names(packed, packed.values, redaction)
        return ShownEntry(packed=packed, is_shown=is_shown, line=packed.values, closed={})
    closed = {each.path: ERASED for each in packed.texts if each.text is None}
    closed |= {each.path: WITHHELD for each in hidden}
    line: dict[str, object] = json.loads(json.dumps(packed.values))
    for path, instead in closed.items():
        _put(line, path, instead)
    return ShownEntry(
        packed=packed,
        is_shown=not _names(packed, line, redaction),
        line=line,
        closed=closed,
    )


def _names(packed: PackedEntry, line: Mapping[str, object], redaction: Redaction | None) -> bool:
    """Whether what would be shown of a fact still has a hidden string in it."""
    if redaction is None:
        return False
    decoded = entry_of(packed.entry)
    coordinates, odd_key = getattr(decoded, "coordinates", None), getattr(decoded, "odd_key", None)
    beside = [
        "" if coordinates is None else coordinates.topic,
        (odd_key or b"").decode("utf-8", "replace"),
    ]
    return any(redaction.is_named_in(text) for text in (*beside, *_texts(line)))


def _texts(values: object) -> Iterator[str]:
    match values:
        case str():
            yield values
        case Mapping():
            for each in values.values():
                yield from _texts(each)
        case list() | tuple():
            for each in values:
                yield from _texts(each)


def _values(framed: bytes) -> dict[str, object]:
    """A fact as JSON values in the version that it was written in."""
    schema, newest = schema_of(framed), to_plain(decode(framed))
    own = {name: newest[name] for name in plain_of(framed)}
    return {"event": schema.name, "version": schema.version, **own}


def _personal(
    framed: bytes, *, is_sealed: bool, within: str = ""
) -> Iterator[tuple[str, PersonalKind, bytes]]:
    """Path, kind and bytes of each personal string, those of an event inside it, too."""
    for place in sealed_strings(framed) if is_sealed else personal_strings(framed):
        content, path = framed[place.begin : place.end], within + place.path
        if place.kind is PersonalKind.BLOCK:
            continue
        is_commitment = is_sealed and content[:1] == _MARK
        if place.kind is not PersonalKind.EVENT:
            if is_commitment or not is_sealed:
                yield path, place.kind, content
        elif is_commitment or not (is_sealed or holds_event(content)):
            yield path, PersonalKind.TEXT, content
        else:
            yield from _personal(content, is_sealed=is_sealed, within=path + _NESTED)


def _events_inside(framed: bytes, sealed: bytes) -> Iterator[tuple[str, bytes]]:
    """The framed events that a sealed event has inside, by path, opened."""
    opened = [place for place in personal_strings(framed) if place.kind is PersonalKind.EVENT]
    closed = [place for place in sealed_strings(sealed) if place.kind is PersonalKind.EVENT]
    for place, signed in zip(opened, closed, strict=True):
        if sealed[signed.begin : signed.begin + 1] != _MARK:
            yield place.path, framed[place.begin : place.end]


def _put(values: dict[str, object], path: str, content: object) -> None:
    """Set what stands at a path: ``a.b[1]``, ``replacement>patron``."""
    part, last = _part(values, path)
    if isinstance(part, list):
        part[int(last)] = content
    else:
        part[last] = content


def _at(values: dict[str, object], path: str) -> str:
    part, last = _part(values, path)
    return str(part[int(last)] if isinstance(part, list) else part[last])


def _part(values: dict[str, object], path: str) -> tuple[dict[str, object] | list[object], str]:
    """The record or the list in which a path ends, and its last step there."""
    *before, last = path.replace(_NESTED, ".").replace("[", ".").replace("]", "").split(".")
    part: Any = values
    for name in before:
        part = part[int(name)] if isinstance(part, list) else part[name]
    return part, last


def _said(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.hex()
