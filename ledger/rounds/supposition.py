"""What a question about a past round supposes: other facts in the place of recorded ones.

Nothing of it is ever written. A walk hands its steps through a supposition, and whoever judges them
is told the supposed facts; the recorded ones stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ledger.events import Fact
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class SupposedFact:
    """One recorded fact, and what is supposed in its place.

    Args:
        recorded: the fact as it stands.
        supposed: what it says by the supposition, with the same key; None: it is not there.
        after: the fact that it follows; None: it keeps its place.
    """

    recorded: Fact
    supposed: Fact | None
    after: FactRef | None = None

    @property
    def ref(self) -> FactRef:
        """The key of the recorded fact."""
        return ref_of(self.recorded)


@dataclass(frozen=True, slots=True)
class Supposition:
    """Supposed facts, each about another recorded one.

    Raises:
        ValueError: two are about the same fact, or one follows a fact that is moved itself.
    """

    facts: tuple[SupposedFact, ...] = ()

    def __post_init__(self) -> None:
        refs = [fact.ref for fact in self.facts]
        moved = {fact.ref for fact in self.facts if fact.after is not None}
        if len(set(refs)) != len(refs) or any(fact.after in moved for fact in self.facts):
            raise ValueError("two suppositions about one fact")

    def apply(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Yield the steps of a walk with the supposed facts; the steps themselves stay as they are.

        A moved fact comes right after the fact that it follows, at the same moment.
        """
        by_ref = {fact.ref: fact for fact in self.facts}
        following: dict[FactRef, list[SupposedFact]] = {}
        for fact in self.facts:
            if fact.after is not None:
                following.setdefault(fact.after, []).append(fact)
        for step in steps:
            if not isinstance(step, FactStep):
                yield step
                continue
            ref = ref_of(step.fact)
            supposed = by_ref.get(ref)
            if supposed is None:
                yield step
            elif supposed.after is None and supposed.supposed is not None:
                yield step._replace(fact=supposed.supposed)
            for later in following.get(ref, ()):
                if later.supposed is not None:
                    yield step._replace(fact=later.supposed)


def moved_after(fact: Fact, after: Fact, supposed: Fact | None = None) -> SupposedFact:
    """Return a fact as if it had been recorded right after another one.

    Args:
        fact: the recorded fact.
        after: the fact that it follows.
        supposed: what it says there; None: what it says now.
    """
    content = fact if supposed is None else supposed
    put_off = replace(content, event_time=after.event_time)
    return SupposedFact(recorded=fact, supposed=put_off, after=ref_of(after))
