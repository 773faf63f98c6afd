"""Persons by their credentials: whether two spellings name one person.

A credential is compared as a person reads it: width, case, invisible characters and the kind of
separator do not make another person. Nothing here knows who holds what; see ``roster.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from unicodedata import category, normalize

from ledger.events import Fact
from ledger.kernel.person import person_key as person_key

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

NO_PERSON: Final = frozenset({"cease_by", "same_person_as", "relieved_by"})
"""Fields whose names end as those of persons do."""


def same_spelling(first: str, second: str) -> bool:
    """Whether two credentials may be one person's: they differ in nothing but separators.

    >>> same_spelling("E1041", "e-1041")
    True
    """
    return spelling_key(first) == spelling_key(second)


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """Return a printed name as it is compared: without case, accents and punctuation.

    >>> name_key("Zoë  O'Neill")
    'zoe o neill'
    """
    plain = "".join(one for one in normalize("NFKD", name) if category(one) != "Mn")
    return re.sub(r"[\W_]+", " ", plain.casefold()).strip()


def spelling_key(credential: str) -> str:
    """Return a credential without its separators: two of ``same_spelling`` have one."""
    return person_key(credential).replace("-", "")


def persons_of(fact: Fact) -> Iterator[tuple[str, str]]:
    """Yield everyone whom a fact names as acting.

    Returns:
        Credential, and how, in words that follow a name ("signed what it is about").
    """
    for name, person in _persons(fact):
        if name == "recorded_by":
            yield person, "recorded what it is about"
        elif "sign" in name:
            yield person, "signed what it is about"
        else:
            yield person, "is named in what it is about"


def _persons(record: DataclassInstance, under: str = "") -> Iterator[tuple[str, str]]:
    """Field and credential of each person whom a value names."""
    for name, is_person in _columns(type(record)):
        part = getattr(record, name)
        for part_value in part if isinstance(part, tuple) else (part,):
            if is_person and isinstance(part_value, str) and person_key(part_value):
                yield under or name, part_value
            elif is_dataclass(part_value) and not isinstance(part_value, type):
                yield from _persons(part_value, name)


@lru_cache(maxsize=1024)
def _columns(kind: type[DataclassInstance]) -> tuple[tuple[str, bool], ...]:
    """The fields of an event or a part of one, and whether each names a person."""
    return tuple((one.name, names_person(one.name)) for one in fields(kind))


def names_person(name: str) -> bool:
    """Whether a field of this name holds the credential of a person who acted."""
    acts = name == "person" or name.endswith("_by") or name == "in_presence_of"
    return acts and name not in NO_PERSON
