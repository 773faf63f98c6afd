"""The facts of a pack with their proofs and schemas, each in the form in which it is shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from ledger.codec import PersonalKind
from ledger.evidence.derivation import Values
from ledger.evidence.packed_tree import PackedTree
from ledger.evidence.redaction import Redaction, Strings
from ledger.evidence.shown_entries import ShownEntry, packed_entry, shown_entry
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import SchemaUsed
from ledger.reports import RoundView, with_position

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedFacts:
    """The facts of a pack.

    Attributes:
        shown: each in its form, by position.
        schemas: the entries that record their schemas, by position.
        redaction: what is hidden; None: nothing.
    """

    shown: tuple[ShownEntry, ...]
    schemas: Mapping[int, SchemaUsed]
    redaction: Redaction | None

    def values(self) -> Values:
        """Return the fields of each fact, with labels for what is hidden."""
        return self.masked({each.packed.ref: each.packed.values for each in self.shown})

    def masked(self, part: T) -> T:
        """Return a copy of facts, results or texts in which labels stand for what is hidden."""
        return part if self.redaction is None else self.redaction.masked(part)

    def hashes(self) -> list[FactRef]:
        """Return the facts that are shown as a hash only."""
        return [each.packed.ref for each in self.shown if not each.is_shown]

    def closed(self, instead: str) -> int:
        """Return how many sealed strings of facts that are shown read so."""
        shown = [each for each in self.shown if each.is_shown]
        return sum([*each.closed.values()].count(instead) for each in shown)

    def labels(self) -> dict[str, list[str]]:
        """Return where each label stands: fact and field."""
        out: dict[str, list[str]] = {}
        for each in self.shown:
            for text in each.packed.texts:
                if self.redaction is None or text.text is None:
                    continue
                if text.kind in self.redaction.kinds:
                    label = self.redaction.label(text.kind, text.text)
                    out.setdefault(label, []).append(f"{each.packed.ref} {text.path}")
        return out

    def unproven(self) -> dict[str, object]:
        """Return what the page of a twin says and nothing proves: labels, amounts of hashes."""
        if self.redaction is None:
            return {}
        amounts = {
            str(each.packed.ref): amounts
            for each in self.shown
            if not each.is_shown and (amounts := _amounts(each.packed.values))
        }
        return {"unproven_labels": self.labels(), "unproven_amounts": amounts}

    def members(self, tree: PackedTree) -> dict[str, bytes]:
        """Return the members of the zip that hold them."""
        members, openings, lines = {}, {}, []
        for position in (*self.schemas, *(each.packed.position for each in self.shown)):
            members[f"proofs/{position:012d}.proof"] = tree.proof(position)
        for position in (*self.schemas, *self._positions()):
            members[f"entries/{position:012d}"] = tree.raw(position)
        for each in self.shown:
            if each.is_shown:
                lines.append(_line(each.packed.position, each.line))
            if each.is_shown and each.packed.is_sealed:
                openings[f"{each.packed.position:012d}"] = each.openings()
        for schema in self.schemas.values():
            members[_file(schema)] = schema.text.encode()
        members["facts.jsonl"] = "".join(lines).encode()
        if openings:
            members["openings.json"] = (json.dumps(openings, indent=1) + "\n").encode()
        return members

    def _positions(self) -> Iterator[int]:
        return (each.packed.position for each in self.shown if each.is_shown)

    def listed(self, tree: PackedTree) -> dict[str, object]:
        """Return what the manifest says of them."""
        return {
            "schemas": [
                {**_item(tree, position), "shown": True, "schema": _file(entry)}
                for position, entry in self.schemas.items()
            ],
            "facts": [
                {
                    **_item(tree, each.packed.position),
                    "shown": each.is_shown,
                    "fact": str(each.packed.ref),
                    "event": each.packed.values["event"],
                }
                for each in self.shown
            ],
        }


def packed_facts(
    tree: PackedTree, refs: Iterable[FactRef], redact: frozenset[PersonalKind], others: Strings
) -> PackedFacts:
    """Read the facts of a pack.

    Args:
        tree: the tree that is packed.
        refs: the facts; those that the tree lacks are left out.
        redact: the kinds of personal strings that are hidden.
        others: personal strings that its page may name, though none of its facts does.
    """
    packed = [packed_entry(tree, position, ref) for position, ref in tree.positions(refs).items()]
    redaction = None
    if redact:
        texts = [text for each in packed for text in each.texts]
        own = [(each.kind, each.text) for each in texts if each.text is not None]
        redaction = Redaction(redact, own, others)
    shown = tuple(shown_entry(each, redaction) for each in packed)
    used = {number for each in shown if each.is_shown for number in each.packed.schemas}
    schemas = tree.schemas(used)
    recorded = {entry.id for entry in schemas.values()}
    shown = tuple(  # an amendment may have an event inside whose schema the ledger never used
        replace(each, is_shown=each.is_shown and each.packed.schemas <= recorded) for each in shown
    )
    return PackedFacts(shown=shown, schemas=schemas, redaction=redaction)


def refs_of(seen: RoundView) -> Iterator[FactRef]:
    """Yield the facts of a round, and those that its verdict names or its page draws."""
    result = seen.result
    yield from (ref_of(step.fact) for step in seen.steps)
    yield from result.afterwards
    for finding in result.findings:
        yield from finding.facts
    for wager in result.wagers:
        yield wager.placed
        yield from () if wager.decided_by is None else (wager.decided_by,)
        yield from () if wager.observed is None else wager.observed.facts
    yield from () if result.paytable is None else (result.paytable,)
    yield from () if seen.wheel is None else (ref_of(seen.wheel),)
    for change in seen.amended:
        yield ref_of(change.before)
        yield ref_of(change.by)


def _amounts(values: object, within: str = "") -> dict[str, object]:
    """Each amount in cents by the path of its field."""
    out: dict[str, object] = {}
    if isinstance(values, Mapping):
        for name, part in values.items():
            if isinstance(part, int) and name.endswith("_cents"):
                out[f"{within}{name}"] = part
            out |= _amounts(part, f"{within}{name}.")
    elif isinstance(values, list | tuple):
        for number, part in enumerate(values):
            out |= _amounts(part, f"{within}{number}.")
    return out


def _line(position: int, values: Mapping[str, object]) -> str:
    """A line of ``facts.jsonl``: what ``cat`` prints, in ASCII."""
    return json.dumps(with_position(values, position), separators=(",", ":")) + "\n"


def _item(tree: PackedTree, position: int) -> dict[str, object]:
    return {"position": position, "leaf": tree.leaf(position).hex()}


def _file(schema: SchemaUsed) -> str:
    return f"schemas/{schema.name.rpartition('.')[2]}.{schema.version}.avsc"
