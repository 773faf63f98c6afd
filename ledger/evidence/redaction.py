"""What a twin hides: kinds of personal strings, and the labels in their place on its page.

A label such as "Patron A" says only that the same reference stood in several places. Nothing
proves it; the pack says so. A reference that stands inside another text is replaced there, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any, Final, TypeVar

from ledger.codec import PersonalKind
from ledger.codec.personal import declared_strings
from ledger.events import EVENTS
from ledger.evidence.errors import KindUnknown
from ledger.kernel import ERASED, WITHHELD, Citation, FactRef, person_key
from ledger.reports.fact_sentences import printable

KINDS: Final = {
    "patrons": PersonalKind.PATRON,
    "staff": PersonalKind.STAFF,
    "names": PersonalKind.NAME,
    "text": PersonalKind.TEXT,
}
ALL: Final = "all"
_TITLES: Final = {
    PersonalKind.PATRON: "Patron",
    PersonalKind.STAFF: "Staff",
    PersonalKind.NAME: "Name",
}
_SENTENCES: Final = frozenset(
    {"sentence", "expected", "observed", "because", "unknown_because", "missing_since"}
)
"""Fields of sentences that were put together: here even a short reference is replaced."""
_BETWEEN: Final = r"(?:[-_ .]|(?-i:[\u2010-\u2015])){1,2}"
"""What stands between the parts of a reference, however it is spelled.

Signs below and above 256 stand apart: as one set each place of it costs a map of all 65,536."""
_SHORTEST: Final = 4
_SHORTEST_TEXT: Final = 12
_LETTERS: Final = 26

T = TypeVar("T")
Strings = Iterable[tuple[PersonalKind, str]]


def kinds_of(words: str | None) -> frozenset[PersonalKind]:
    """Return the kinds that are named: "all", or some of them after one another.

    Raises:
        KindUnknown: there is no such kind.
    """
    if words is None:
        return frozenset()
    named = [word.strip() for word in words.split(",")]
    if named == [ALL]:
        return frozenset(KINDS.values())
    for word in named:
        if word not in KINDS:
            raise KindUnknown(word, (ALL, *KINDS))
    return frozenset(KINDS[word] for word in named)


def words_of(kinds: frozenset[PersonalKind]) -> list[str]:
    """Return how kinds are named."""
    return [word for word, kind in KINDS.items() if kind in kinds]


class Redaction:
    """The personal strings that a twin hides.

    Args:
        kinds: which are hidden.
        strings: those of its facts, in their order.
        others: further ones that its sentences may name.
    """

    def __init__(
        self, kinds: frozenset[PersonalKind], strings: Strings, others: Strings = ()
    ) -> None:
        self.kinds = kinds
        self._labels: dict[tuple[PersonalKind, str], str] = {}
        self._kinds: dict[str, PersonalKind] = {}
        sharp, every = dict[str, None](), dict[str, None]()
        own = [(kind, text) for kind, text in strings if kind in kinds and _is_said(text)]
        for kind, text in own:
            self.label(kind, text)
        for kind, text in (*own, *(pair for pair in others if pair[0] in kinds)):
            if not _is_said(text):
                continue
            for form in (person_key(text), _folded(text), _folded(printable(text))):
                self._kinds.setdefault(form, kind)
            patterns = dict.fromkeys(_patterns(text))
            every |= patterns
            if _is_sharp(kind, text):
                sharp |= patterns
        self._sharp = _any_of(sharp)
        self._every = self._sharp if sharp == every else _any_of(every)

    def hides(self, kind: PersonalKind, text: str) -> bool:
        """Whether a string is hidden: for its kind, or since it names somebody who is."""
        return kind in self.kinds or self.is_named_in(text)

    def is_named_in(self, text: str) -> bool:
        """Whether a text has a hidden string in it; short ones are taken for chance."""
        return self._sharp.search(text) is not None

    def label(self, kind: PersonalKind, text: str) -> str:
        """Return what stands in place of a hidden string."""
        title = _TITLES.get(kind)
        if title is None or not _is_said(text):
            return WITHHELD
        key = (kind, person_key(text) or text)
        if key not in self._labels:
            count = sum(1 for other, _ in self._labels if other is kind)
            self._labels[key] = f"{title} {_letters(count)}"
        return self._labels[key]

    def masked(self, part: T) -> T:
        """Return a copy of facts, results or texts in which labels stand for what is hidden."""
        masked: T = self._masked(part, self._sharp)
        return masked

    def _masked(self, part: Any, pattern: re.Pattern[str]) -> Any:
        match part:
            case Enum() | FactRef() | Citation():
                return part
            case str():
                return pattern.sub(self._label_of, part)
            case bytes():
                return WITHHELD.encode() if pattern.search(part.hex()) else part
            case tuple() if hasattr(part, "_fields"):
                return type(part)(*(self._masked(item, pattern) for item in part))
            case tuple() | list():
                return type(part)(self._masked(item, pattern) for item in part)
            case Mapping():
                return {key: self._masked(item, pattern) for key, item in part.items()}
        if is_dataclass(part) and not isinstance(part, type):
            name = type(part).__name__
            own = name if EVENTS.get(name) is type(part) else None
            return self._copy(part, own, "", pattern)
        return part

    def _copy(self, part: Any, event: str | None, path: str, pattern: re.Pattern[str]) -> Any:
        """A dataclass with each of its fields masked; those of an event as they are declared."""
        new = {}
        for field in fields(part):
            content = getattr(part, field.name)
            if event is not None:
                masked = self._declared(content, event, f"{path}{field.name}", pattern)
            else:
                is_sentence = field.name in _SENTENCES and isinstance(content, str)
                masked = self._masked(content, self._every if is_sentence else pattern)
            if masked is not content and field.init and masked != content:
                new[field.name] = masked
        return replace(part, **new) if new else part

    def _declared(self, content: Any, event: str, path: str, pattern: re.Pattern[str]) -> Any:
        if isinstance(content, tuple) and not hasattr(content, "_fields"):
            return tuple(self._declared(item, event, f"{path}[]", pattern) for item in content)
        if is_dataclass(content) and not isinstance(content, type):
            return self._copy(content, event, f"{path}.", pattern)
        if isinstance(content, str | bytes) and not isinstance(content, Enum):
            declared = _declared_kinds()
            kind = declared.get((event, path)) or declared.get(("*", path))
            if kind in self.kinds:
                return self._hidden(kind, content)
        return self._masked(content, pattern)

    def _hidden(self, kind: PersonalKind, content: str | bytes) -> str | bytes:
        if isinstance(content, bytes):
            return WITHHELD.encode()
        return self.label(kind, content) if _is_said(content) else content

    def _label_of(self, match: re.Match[str]) -> str:
        for form in (person_key(match[0]), _folded(match[0])):
            if form in self._kinds:
                return self.label(self._kinds[form], match[0])
        return WITHHELD


@cache
def _declared_kinds() -> dict[tuple[str, str], PersonalKind | None]:
    """What the table of personal strings says, read once."""
    return declared_strings()


def _is_said(text: str) -> bool:
    return bool(text.strip()) and text not in (ERASED, WITHHELD)


def _is_sharp(kind: PersonalKind, text: str) -> bool:
    """Whether the string is unlikely to be another word by chance."""
    if kind is PersonalKind.TEXT:
        return len(text) >= _SHORTEST_TEXT
    is_mixed = len(text) > 1 and not text.isalpha() and not text.isdecimal()
    return is_mixed or len(text) >= _SHORTEST


def _folded(text: str) -> str:
    return text.casefold()


def _patterns(text: str) -> Iterable[str]:
    """A text as it is, as it is printed, and in the other spellings of the same reference."""
    for form in (text, printable(text)):
        before = r"(?<![^\W_])" if form[0].isalnum() else ""
        after = r"(?![^\W_])" if form[-1].isalnum() else ""
        yield f"{before}{re.escape(form)}{after}"
    if key := person_key(text):
        spelled = _BETWEEN.join(map(re.escape, key.split("-")))
        yield rf"(?<![^\W_]){spelled}(?![^\W_])"


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(patterns, key=lambda pattern: (-len(pattern), pattern))
    return re.compile("|".join(longest) or r"(?!)", re.IGNORECASE)


def _letters(number: int) -> str:
    """A, B, ... Z, AA, AB."""
    out = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, _LETTERS)
        out = chr(ord("A") + rest) + out
    return out
