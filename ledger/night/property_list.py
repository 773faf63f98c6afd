"""The list of properties that a roll-up reads: whose key is trusted, and where its nights lie.

A TOML file of the reader's own, with a ``[[property]]`` for each::

    [[property]]
    name = "Harrisburg"
    verifier = "casino.example/floor+3f9a...+AbCd..."     # or a file that holds it
    nights = "s3://records/harrisburg"                    # or a folder
    earlier = [{ verifier = "...", until = 120345 }]      # keys before it, and up to which size

The key is the one that the reader names; one that lies beside the nights is not looked at.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from ledger.kernel import LedgerError
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.keys import read_public_key
from ledger.log.note import Verifier
from ledger.log.signed_file_index import Seals
from ledger.night.errors import PropertiesWrong

MOST_PROPERTIES: Final = 1_000
LIST_BYTES: Final = 4 << 20
NAME_CHARACTERS: Final = 80
_KEYS: Final = frozenset({"name", "verifier", "nights", "earlier"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedProperty:
    """A property as the reader lists it.

    Attributes:
        name: as the reader calls it.
        nights: the folder or address of its nights.
        seals: with the keys that the reader trusts for it.
    """

    name: str
    nights: str
    seals: Seals


def read_properties(path: Path) -> tuple[ListedProperty, ...]:
    """Return the properties of a list, in its order.

    Raises:
        PropertiesWrong: it is no such list, or names a property or a key twice.
    """
    try:
        raw = path.read_bytes()
        if len(raw) > LIST_BYTES:
            raise PropertiesWrong(str(path), f"it has more than {LIST_BYTES:,} bytes")
        listed = tomllib.loads(raw.decode())
    except OSError as error:
        raise PropertiesWrong(str(path), error.strerror or "it cannot be read") from error
    except (ValueError, RecursionError) as error:
        raise PropertiesWrong(str(path), str(error)[:200] or "it is no TOML") from error
    entries = listed.get("property")
    if not isinstance(entries, list) or not 0 < len(entries) <= MOST_PROPERTIES or len(listed) > 1:
        problem = f"it has no [[property]], more than {MOST_PROPERTIES:,}, or something else"
        raise PropertiesWrong(str(path), problem)
    properties = tuple(_property(entry, path) for entry in entries)
    for kind, names in (
        ("name", [one.name for one in properties]),
        ("key", [one.seals.verifier.public.hex() for one in properties]),
        ("place", [one.nights.rstrip("/") for one in properties]),
    ):
        if len({*names}) < len(names):
            raise PropertiesWrong(str(path), f"two properties have the same {kind}")
    return properties


def _property(entry: Any, path: Path) -> ListedProperty:
    """One entry of the list.

    Raises:
        PropertiesWrong: it lacks something, or holds something else.
    """
    if not isinstance(entry, dict) or not {*entry} <= _KEYS:
        raise PropertiesWrong(
            str(path), "a property has something else than name, verifier, nights"
        )
    name, nights = entry.get("name"), entry.get("nights")
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= NAME_CHARACTERS:
        raise PropertiesWrong(str(path), f"a name has 1 to {NAME_CHARACTERS} characters")
    if not isinstance(nights, str) or not nights:
        raise PropertiesWrong(str(path), f"{name} has no nights")
    earlier = entry.get("earlier", [])
    if not isinstance(earlier, list):
        raise PropertiesWrong(str(path), f"{name}: earlier is a list of keys")
    return ListedProperty(
        name=name,
        nights=nights,
        seals=Seals(
            _verifier(entry.get("verifier"), name, path),
            earlier=tuple(_earlier(one, name, path) for one in earlier),
        ),
    )


def _earlier(entry: Any, name: str, path: Path) -> tuple[Verifier, int]:
    until = entry.get("until") if isinstance(entry, dict) else None
    if type(until) is not int or until < 0 or {*entry} != {"verifier", "until"}:
        raise PropertiesWrong(str(path), f"{name}: an earlier key has a verifier and until")
    return _verifier(entry["verifier"], name, path), until


def _verifier(text: Any, name: str, path: Path) -> Verifier:
    """A public key, as text or in a file beside the list."""
    if not isinstance(text, str) or not text:
        raise PropertiesWrong(str(path), f"{name} has no verifier")
    try:
        return read_public_key(text if "+" in text else str(path.parent / text))
    except (LedgerError, OSError, ValueError) as error:
        raise PropertiesWrong(str(path), f"the verifier of {name} is no key") from error
