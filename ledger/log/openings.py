"""Seal the personal strings of facts, and open them again for whoever holds the keys.

A sealed entry holds, in place of each personal string, SHA-256(domain, random salt, path, string).
Salt and string lie in ``openings/``, a file for each bundle of entries, encrypted under the key of
the person whom they are about (``person_keys``), bound to the ledger and the position. What is read
is held against the commitment in the entry, which the tree proves. A string whose key was
overwritten reads as erased; the entry, its proof and the root stay as they were.

A free text, or a printed name, may say something of everybody whom its fact names. It is encrypted
under the keys of all of them together, so that it goes with the first who is forgotten: the
patrons; without patrons the staff beside who recorded it; else who recorded it; else the ledger.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.codec import (
    PersonalKind,
    Undecodable,
    holds_event,
    personal_strings,
    same_record,
    sealed_strings,
    validate,
    with_strings,
    without_size,
)
from ledger.kernel import ERASED, WITHHELD
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.entry import accepted_head, decode, long_bytes
from ledger.log.errors import OpeningsMissing, OpeningWrong, PersonKeysMissing, StorageFailed
from ledger.log.person_keys import NUMBER_BYTES, PersonKeys
from ledger.log.port import FRAMED_BYTES, Entry, Sealed
from ledger.log.storage import Durable, Storage
from ledger.log.tiles import WIDTH, index_path

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

FOLDER: Final = "openings"
"""The folder of a ledger for what opens its sealed entries; all in it is encrypted."""
FORGOTTEN: Final = f"{FOLDER}/forgotten"
"""The numbers of overwritten keys: an older copy of the keys stays without them."""
SALT_BYTES: Final = 32
MARK: Final = b"\xff"
NESTED: Final = ">"
DOMAIN: Final = b"pitledger personal string v1\0"
_LIKENESS: Final = b"pitledger likeness v1\0"
_TOGETHER: Final = b"pitledger keys together v1\0"
_NONCE: Final = 12
_SEAL: Final = 16
_POOL: Final = 1 << 14
_HEAD: Final = 6  # item, length
_RECORDER: Final = "recorded_by"
_REFERENCES: Final = (PersonalKind.PATRON, PersonalKind.STAFF)


def commitment(salt: bytes, path: str, text: bytes) -> bytes:
    """Return what stands for a personal string: a SHA-256, 32 bytes.

    Args:
        salt: 32 random bytes of its own.
        path: where it stands in its fact: the field, with the number of each item from 0.
        text: the string, UTF-8.
    """
    where = path.encode()
    return sha256(DOMAIN + salt + len(where).to_bytes(2, "big") + where + text).digest()


class Disclosure(NamedTuple):
    """A personal string with the salt that shows it to be the one that was sealed.

    Attributes:
        path: where it stands in its fact.
        salt: 32 bytes.
        text: the string, UTF-8.
    """

    path: str
    salt: bytes
    text: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactedEntry:
    """A sealed entry with some of its strings disclosed.

    Attributes:
        record_time: microseconds UTC.
        framed: the framed event; what was not disclosed reads as withheld.
        hidden: the paths of these strings.
    """

    record_time: int
    framed: bytes
    hidden: tuple[str, ...]


class SealedFact(NamedTuple):
    """A fact as it goes into the ledger: its likeness and its sealed form."""

    likeness: bytes
    sealed: bytes


class _Plain(NamedTuple):
    """A personal string of a fact that is being sealed."""

    path: str
    kind: PersonalKind
    text: bytes
    salt: bytes


Reveal = Callable[[str, bytes], bytes | None]
"""From the path of a string and its commitment to the string; None: it is not known."""


# ---------------------------------------------------------------- forms of an event


class _Random:
    """Random bytes of the system, asked for many at a time; none is given out twice."""

    def __init__(self) -> None:
        self._bytes = b""
        self._at = 0

    def forget(self) -> None:
        """Let go of what was not given out: a process that was forked has the same bytes."""
        self._bytes, self._at = b"", 0

    def __call__(self, count: int) -> bytes:
        if self._at + count > len(self._bytes):
            self._bytes, self._at = os.urandom(_POOL), 0
        self._at += count
        return self._bytes[self._at - count : self._at]


_random = _Random()
os.register_at_fork(after_in_child=_random.forget)


def _sealed_form(framed: bytes, strings: list[_Plain], within: str = "") -> bytes:
    """Put a commitment in place of each personal string, and note it in ``strings``."""
    places = [one for one in personal_strings(framed) if one.kind is not PersonalKind.BLOCK]
    new = []
    for place in places:
        content, path = framed[place.begin : place.end], within + place.path
        if place.kind is PersonalKind.EVENT and holds_event(content):
            new.append(_sealed_form(content, strings, path + NESTED))
            continue
        salt = _random(SALT_BYTES)
        strings.append(_Plain(path, place.kind, content, salt))
        new.append(MARK + commitment(salt, path, content))
    return with_strings(framed, places, new)


def _opened_form(sealed: bytes, reveal: Reveal, instead: str, within: str = "") -> bytes:
    """Put the strings in place of their commitments, and ``instead`` for those not known."""
    places = sealed_strings(sealed)
    marker, is_whole, new = instead.encode(), True, list[bytes]()
    for place in places:
        content, path = sealed[place.begin : place.end], within + place.path
        if place.kind is PersonalKind.BLOCK:
            new.append(content)
        elif content[:1] == MARK:
            text = reveal(path, content[1:])
            is_whole &= text is not None
            new.append(marker if text is None else text)
        elif place.kind is PersonalKind.EVENT:
            opened = _opened_form(content, reveal, instead, path + NESTED)
            is_whole &= marker not in opened
            new.append(opened)
        else:
            new.append(content)
    if not is_whole:
        for number, place in enumerate(places):
            if place.kind is PersonalKind.BLOCK:
                new[number] = without_size(place)
    return with_strings(sealed, places, new)


def blank_form(sealed: bytes) -> bytes:
    """Return the framed event with all of its sealed strings erased.

    Raises:
        Undecodable: the bytes are no sealed event.
    """
    return _opened_form(sealed, lambda _path, _commitment: None, ERASED)


def commitments_of(entry: bytes) -> list[tuple[str, bytes]]:
    """Return path and commitment of each sealed string of an entry, in their order."""
    decoded = decode(entry)
    out: list[tuple[str, bytes]] = []
    if isinstance(decoded, Sealed):
        _opened_form(decoded.sealed, lambda path, hashed: out.append((path, hashed)), ERASED)
    return out


def redacted(entry: bytes, shown: Iterable[Disclosure]) -> RedactedEntry:
    """Rebuild a sealed entry with some of its strings, each held against its commitment.

    Whoever has the entry and a proof of its leaf hash needs nothing else to check a disclosure.

    Args:
        entry: the bytes of the entry, as they stand in the tree.
        shown: the strings that are disclosed.

    Raises:
        OpeningWrong: a disclosure does not open the string at its path, or there is none.
        EntryUnreadable: the bytes are no entry.
    """
    decoded = decode(entry)
    disclosed = {one.path: one for one in shown}
    hidden: list[str] = []
    if not isinstance(decoded, Sealed):
        raise OpeningWrong(-1, "the entry is not sealed")

    def reveal(path: str, hashed: bytes) -> bytes | None:
        disclosure = disclosed.pop(path, None)
        if disclosure is None:
            hidden.append(path)
            return None
        if commitment(disclosure.salt, path, disclosure.text) != hashed:
            raise OpeningWrong(-1, f"another text was sealed as {path}")
        return disclosure.text

    framed = _opened_form(decoded.sealed, reveal, WITHHELD)
    if disclosed:
        raise OpeningWrong(-1, f"nothing is sealed as {min(disclosed)}")
    return RedactedEntry(record_time=decoded.record_time, framed=framed, hidden=tuple(hidden))


# ---------------------------------------------------------------- the store


class Openings:
    """What opens the sealed entries of one ledger.

    Args:
        storage: the ledger's folder.
        ledger: what names the ledger, 32 bytes: the leaf hash of its first entry.
        keys: where the persons' keys lie.
    """

    def __init__(self, storage: Storage, ledger: bytes, keys: Path) -> None:
        self._storage = storage
        self._ledger = ledger
        self.keys = PersonKeys(keys, ledger)
        self._is_loaded = False
        self._ciphers: dict[bytes, AESGCM] = {}
        self._bundle: tuple[int, dict[int, bytes]] = (-1, {})

    def load(self) -> PersonKeys:
        """The persons' keys, read once; those that were forgotten stay so in an older copy."""
        if not self._is_loaded:
            self.keys.load()
            self.keys.forget_destroyed(self._forgotten())
            self._is_loaded = True
        return self.keys

    def state(self) -> bytes:
        """32 bytes that change with whatever is erased, and tell nobody without the keys anything.

        What is derived from opened entries and kept must be bound to it.
        """
        keys = self.load()
        erased = b"".join(sorted(keys.destroyed)) + bytes([keys.is_lost])
        return hmac.digest(keys.secret, b"state" + erased, sha256)

    def hash_key(self) -> bytes:
        """A secret key, 32 bytes, for hashes of facts that go into the ledger themselves."""
        return hmac.digest(self.load().secret, b"imported rows", sha256)

    def opened(self, position: int, entry: bytes) -> bytes:
        """Return a sealed entry as the ``Accepted`` that it would be, each string checked.

        Raises:
            OpeningsMissing, PersonKeysMissing: what opens it is not at hand.
            OpeningWrong: what should open it belongs to something else.
        """
        decoded = _sealed_of(position, entry)
        framed = _opened_form(decoded.sealed, self._revealing(position, []), ERASED)
        head = accepted_head(decoded.record_time, decoded.coordinates, decoded.odd_key)
        return head + long_bytes(len(framed)) + framed

    def disclosures(self, position: int, entry: bytes) -> list[Disclosure]:
        """Return the strings of a sealed entry that are not erased, with what proves them.

        Raises:
            OpeningsMissing, PersonKeysMissing, OpeningWrong: as for ``opened``.
        """
        out: list[Disclosure] = []
        sealed = _sealed_of(position, entry).sealed
        _opened_form(sealed, self._revealing(position, out), ERASED)
        return out

    def _revealing(self, position: int, out: list[Disclosure]) -> Reveal:
        """What opens the strings of an entry in their order, each held against its commitment."""
        texts, items = self._texts(position), count()

        def reveal(path: str, hashed: bytes) -> bytes | None:
            opening = texts.get(next(items))
            if opening is None:
                return None
            salt, text = opening
            if commitment(salt, path, text) != hashed:
                raise OpeningWrong(position, f"another text was sealed as {path}")
            out.append(Disclosure(path, salt, text))
            return text

        return reveal

    def drop_cached(self) -> None:
        """Read the openings of the last bundle again when they are asked for."""
        self._bundle = (-1, {})

    def _texts(self, position: int) -> dict[int, tuple[bytes, bytes]]:
        """Salt and text of what can be decrypted of an entry, by its place among the strings."""
        texts: dict[int, tuple[bytes, bytes]] = {}
        if self.load().is_lost:
            return texts
        packed = self.rows(position // WIDTH).get(position % WIDTH)
        if packed is None:
            raise OpeningsMissing(position, bundle_path(position // WIDTH))
        for content in self._sections(position, packed):
            at = 0
            while at < len(content):
                number = int.from_bytes(content[at : at + 2], "big")
                length = int.from_bytes(content[at + 2 : at + _HEAD], "big")
                begin = at + _HEAD + SALT_BYTES
                texts[number] = (content[at + _HEAD : begin], content[begin : begin + length])
                at = begin + length
        return texts

    def _sections(self, position: int, packed: bytes) -> Iterator[bytes]:
        """The decrypted sections of an entry's openings, but for those that are erased."""
        from cryptography.exceptions import InvalidTag

        at, packed = 0, self._unsealed(position, packed)
        while at < len(packed):
            owners, at = packed[at], at + 1
            numbers = [
                packed[start : start + NUMBER_BYTES]
                for start in range(at, at + owners * NUMBER_BYTES, NUMBER_BYTES)
            ]
            at += owners * NUMBER_BYTES
            length = int.from_bytes(packed[at : at + 4], "big")
            sealed, at = packed[at + 4 : at + 4 + length], at + 4 + length
            cipher = self.cipher(numbers)
            if cipher is None:
                continue
            try:
                yield cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], self.bound(position))
            except (InvalidTag, ValueError) as error:
                raise OpeningWrong(position, "it cannot be decrypted") from error

    def _unsealed(self, position: int, packed: bytes) -> bytes:
        """The sections of an entry, if they are those that the writer put together for it."""
        content = packed[:-_SEAL]
        if not hmac.compare_digest(self.seal(position, content), packed):
            raise OpeningWrong(position, "it was altered, or is another entry's")
        return content

    def seal(self, position: int, content: bytes) -> bytes:
        """The openings of an entry with what shows that nothing in them was changed."""
        code = hmac.digest(self.load().secret, b"row" + self.bound(position) + content, sha256)
        return content + code[:_SEAL]

    def cipher(self, numbers: list[bytes]) -> AESGCM | None:
        """What encrypts under the keys of these persons together; None where one is erased."""
        joined = b"".join(numbers)
        cipher = self._ciphers.get(joined)
        if cipher is None:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM

            keys = [self.load().key(number) for number in numbers]
            present = [key for key in keys if key is not None]
            if not keys or len(present) != len(keys):
                return None
            if len(present) > 1:
                present = [sha256(_TOGETHER + b"".join(present)).digest()]
            cipher = self._ciphers[joined] = AESGCM(present[0])
        return cipher

    def bound(self, position: int) -> bytes:
        """Where an opening belongs; it can be read nowhere else."""
        return self._ledger + position.to_bytes(8, "big")

    def rows(self, bundle: int) -> dict[int, bytes]:
        """The openings of a bundle by the place of their entry in it; none without a file.

        Raises:
            OpeningWrong: the file is not what was written.
        """
        if self._bundle[0] == bundle:
            return self._bundle[1]
        try:
            content = self._storage.read(bundle_path(bundle))
        except FileNotFoundError:
            content = b""
        except OSError as error:
            raise StorageFailed(error, "Reading openings") from error
        out, at = {}, 0
        while at < len(content):
            length = int.from_bytes(content[at + 1 : at + 5], "big")
            if at + 5 + length > len(content):
                raise OpeningWrong(bundle * WIDTH + content[at], "the file ends too early")
            out[content[at]] = content[at + 5 : at + 5 + length]
            at += 5 + length
        self._bundle = (bundle, out)
        return out

    def likeness(self, stream: str, seq: int, strings: Iterable[tuple[str, bytes]]) -> bytes:
        """By what a fact is known again once its texts were erased.

        Only who holds the ledger's secret can make it: for anybody else it is no way to try out
        what an erased text may have been.
        """
        parts = [_LIKENESS, _counted(stream.encode()), seq.to_bytes(8, "big")]
        for path, text in strings:
            parts += [_counted(path.encode()), _counted(text)]
        return hmac.digest(self.load().secret, b"".join(parts), sha256)

    def is_same(self, entry: bytes, opened: bytes, other: bytes, key: tuple[str, int]) -> bool:
        """Whether an arrival is the fact of a sealed entry of which something was erased.

        Args:
            entry: the sealed entry.
            opened: its framed event, as far as it can be opened.
            other: the framed event that arrived under the same key.
            key: its stream and number.
        """
        decoded = decode(entry)
        if not isinstance(decoded, Sealed) or ERASED.encode() not in opened:
            return False
        try:
            if validate(other)[:2] != key:
                return False
        except Undecodable:
            return False
        strings: list[_Plain] = []
        blank = blank_form(_sealed_form(other, strings))
        likeness = self.likeness(*key, [(one.path, one.text) for one in strings])
        if not hmac.compare_digest(likeness, decoded.likeness):
            return False
        return same_record(blank, blank_form(decoded.sealed))

    def _forgotten(self) -> set[bytes]:
        try:
            numbers = self._storage.read(FORGOTTEN)
        except FileNotFoundError:
            return set()
        return {
            numbers[at : at + NUMBER_BYTES]
            for at in range(0, len(numbers) - NUMBER_BYTES + 1, NUMBER_BYTES)
        }

    def forget(self, reference: str) -> bool:
        """Overwrite the key of a person, so that nothing opens his strings any more.

        Returns:
            Whether there was a key.

        Raises:
            OSError: it cannot be overwritten.
        """
        keys = self.load()
        number = keys.destroy(reference)
        self.forget_again()
        return number is not None

    def forget_again(self) -> None:
        """Note beside the openings whose keys were overwritten; what was cut off is finished."""
        keys = self.load()
        self._ciphers.clear()
        if keys.destroyed - self._forgotten():
            numbers = b"".join(sorted(keys.destroyed | self._forgotten()))
            Durable(self._storage).put([(FORGOTTEN, numbers)])


def _sealed_of(position: int, entry: bytes) -> Sealed:
    decoded: Entry = decode(entry)
    if not isinstance(decoded, Sealed):
        raise OpeningWrong(position, "the entry is not sealed")
    return decoded


def bundle_path(bundle: int) -> str:
    """Where the openings of a bundle lie."""
    return f"{FOLDER}/{index_path(bundle)}"


def _counted(content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + content


# ---------------------------------------------------------------- writing


class Sealer:
    """Seals facts for one writer, and writes what opens them before their entries count.

    Args:
        openings: of the ledger.
        storage: its folder.
    """

    def __init__(self, openings: Openings, storage: Storage) -> None:
        self.openings = openings
        self._storage = storage
        self._keys = openings.load()
        if self._keys.is_lost:
            raise PersonKeysMissing(str(self._keys.path), "they are lost; nothing can be sealed")
        self._numbers: dict[bytes, bytes] = {}

    def seal(
        self, framed: bytes, key: tuple[str, int], position: int
    ) -> tuple[SealedFact, bytes] | None:
        """Seal a fact.

        Args:
            framed: the framed event, checked.
            key: its stream and number.
            position: that its entry gets.

        Returns:
            The fact as it goes into the ledger, and what opens it; None where it has nothing
            personal.
        """
        strings: list[_Plain] = []
        sealed = _sealed_form(framed, strings)
        if not strings:
            return None
        likeness = self.openings.likeness(*key, [(one.path, one.text) for one in strings])
        return SealedFact(likeness, sealed), self._packed(strings, position)

    def is_too_long(self, framed: bytes) -> bool:
        """Whether the sealed form of a fact is longer than an entry can be."""
        if len(framed) <= FRAMED_BYTES // 36:  # even if all of it were texts without a letter
            return False
        return len(_sealed_form(framed, [])) > FRAMED_BYTES

    def _packed(self, strings: list[_Plain], position: int) -> bytes:
        """The openings of one entry: a section for each person, or persons together."""
        sections: dict[tuple[bytes, ...], bytearray] = {}
        together: tuple[bytes, ...] | None = None
        for number, string in enumerate(strings):
            owners: tuple[bytes, ...]
            if string.kind in _REFERENCES:
                owners = (self._number(string.text),)
            else:
                owners = together = together or self._owners(strings)
            content = sections.setdefault(owners, bytearray())
            content += number.to_bytes(2, "big") + len(string.text).to_bytes(4, "big")
            content += string.salt + string.text
        out, bound = bytearray(), self.openings.bound(position)
        for owners, content in sections.items():
            nonce = _random(_NONCE)
            cipher = self.openings.cipher(list(owners))
            assert cipher is not None, "a key that is taken is there"
            sealed = nonce + cipher.encrypt(nonce, bytes(content), bound)
            out += bytes([len(owners)]) + b"".join(owners) + _counted(sealed)
        return self.openings.seal(position, bytes(out))

    def _owners(self, strings: list[_Plain]) -> tuple[bytes, ...]:
        """The keys of a text: those of all whom its fact names."""
        patrons = [one.text for one in strings if one.kind is PersonalKind.PATRON]
        staff = [one for one in strings if one.kind is PersonalKind.STAFF]
        others = [one.text for one in staff if one.path != _RECORDER]
        named = patrons or others or [one.text for one in staff] or [b""]
        return tuple(sorted({self._number(text) for text in named})[:255])

    def _number(self, text: bytes) -> bytes:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = self._keys.take(text.decode())
        return number

    def files(self, first: int, stop: int, packed: dict[int, bytes]) -> list[tuple[str, bytes]]:
        """Keep the persons' new keys; return the files of openings that new entries add.

        They replace what an append left that never counted.

        Args:
            first: the position of the first new entry.
            stop: the position after the last.
            packed: what opens those that are sealed, by position.

        Raises:
            OSError: the keys cannot be written.
        """
        self._keys.keep()
        self.openings.drop_cached()
        out = []
        for bundle in range(first // WIDTH, (stop - 1) // WIDTH + 1):
            begins = bundle * WIDTH
            rows = {} if first <= begins else self.openings.rows(bundle)
            rows = {at: row for at, row in rows.items() if begins + at < first}
            for position in range(max(first, begins), min(stop, begins + WIDTH)):
                if position in packed:
                    rows[position - begins] = packed[position]
            if rows or (begins < first and self.openings.rows(bundle)):
                content = [bytes([at]) + _counted(row) for at, row in rows.items()]
                out.append((bundle_path(bundle), b"".join(content)))
        self.openings.drop_cached()
        return out


def clear_openings(storage: Storage, size: int) -> None:
    """Remove whole files of openings beyond the last entry: no entry came to need them.

    Args:
        storage: the ledger's folder.
        size: its entries.
    """
    bundle, durable = -(-size // WIDTH), Durable(storage)
    while True:
        folder, _, name = bundle_path(bundle).rpartition("/")
        if name not in storage.names(folder):
            return
        durable.remove(bundle_path(bundle))
        bundle += 1
