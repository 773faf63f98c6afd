"""How many tables each floorperson supervised, and of which games: judged over all tables at once.

Law: § 577.9(c) through the room's own rows; the Ledger contract, L.5. A breach is reported when it
begins, and again only after the floorperson had fewer tables in between. One that lasts from one
terminal's fact to another's is unknown where their clocks leave open which came first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ledger.audit.ledger_contract import Day
from ledger.games import BY_GAME, bounds_supervision
from ledger.games.room import Breach
from ledger.house.clocks import Apart, Clocks, interval
from ledger.kernel import Certainty, EditionStatus, FactRef, Finding
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds import Post, as_finding

NOBODY: Final = Post(-1, FactRef("", 0))


class Change(NamedTuple):
    """A change of one table's post; ``at`` is in microseconds UTC."""

    at: int
    fact: FactRef
    table: str
    post: Post


def over_ratio(
    tables: Mapping[str, Iterable[Post]], day: Day, clocks: Clocks | None = None
) -> list[Finding]:
    """Return the findings of one day.

    Args:
        tables: the posts of each table up to the day's end, in order.
        day: the day.
        clocks: how far the terminals' clocks may be off; without them they count as right.
    """
    current_posts: dict[str, Post] = {}
    changes: list[Change] = []
    for table, posts in tables.items():
        for post in posts:
            if post.at < day.begins:
                current_posts[table] = post
            elif post.at < day.ends:
                changes.append(Change(post.at, post.fact, table, post))
    people = {person for post in current_posts.values() for person in post.floorpersons}
    reported = {person for person in people if _broken(current_posts, person, day)}
    findings = []
    changes.sort(key=lambda change: change[:3])
    off = [0 if clocks is None else _off(clocks, change.post) for change in changes]
    look = _Look(changes, off, dict(current_posts), day)
    for place, (_, fact, table, post) in enumerate(changes):
        before = dict(current_posts)
        concerned = current_posts.get(table, NOBODY).floorpersons | post.floorpersons
        current_posts[table] = post
        for person in sorted(concerned):
            breach = _broken(current_posts, person, day)
            if breach is None:
                reported.discard(person)
                turned = look.in_between(place, before, person)
                findings.extend([turned] if turned else [])
            elif person not in reported:
                reported.add(person)
                apart = look.ended_at_once(place, current_posts, person)
                findings.append(_finding(breach, current_posts, person, fact, day, apart))
    return findings


@dataclass(frozen=True, slots=True)
class _Look:
    """The changes of a day in order, and the posts at its beginning: to look at other orders.

    ``off`` is how far the clock behind each change may be off, in microseconds.
    """

    changes: Sequence[Change]
    off: Sequence[int]
    begin: Mapping[str, Post]
    day: Day

    def near(self, place: int, step: int) -> Iterator[tuple[int, Apart]]:
        """Yield the changes at other tables after (1) or before (-1) one whose order is open."""
        changes, off = self.changes, self.off
        post, own, most = changes[place].post, off[place], max(off)
        other = place + step
        while 0 <= other < len(changes):
            other_post = changes[other].post
            after, joint = abs(other_post.moment - post.moment), own + off[other]
            if after >= own + most:
                return
            elsewhere = changes[other].table != changes[place].table
            if after < joint and elsewhere and other_post.source != post.source:
                yield other, (after, joint)
            other += step

    def ended_at_once(
        self, place: int, current_posts: Mapping[str, Post], person: str
    ) -> Apart | None:
        """Return the interval if a fact that ends a breach may have come before it began.

        Args:
            place: the number of the change that began the breach.
            current_posts: the posts by table after that change.
            person: the floorperson.

        Returns:
            How far apart both facts lie, and their joint uncertainty; None where the order is sure.
        """
        for later, apart in self.near(place, 1):
            change = self.changes[later]
            if _broken({**current_posts, change.table: change.post}, person, self.day) is None:
                return apart
        return None

    def in_between(self, place: int, before: Mapping[str, Post], person: str) -> Finding | None:
        """Return a breach that existed if this fact preceded one that the clocks let follow it.

        Args:
            place: the number of the change.
            before: the posts by table before it, in the recorded order.
            person: the floorperson.
        """
        change, was = self.changes[place], dict(before)
        for earlier, apart in self.near(place, -1):
            table = self.changes[earlier].table
            earlier_posts = [one.post for one in self.changes[:earlier] if one.table == table]
            was[table] = earlier_posts[-1] if earlier_posts else self.begin.get(table, NOBODY)
            then = {**was, change.table: change.post}
            breach = _broken(then, person, self.day)
            if breach is not None and _broken(was, person, self.day) is None:
                return _finding(breach, then, person, change.fact, self.day, apart)
        return None


def _off(clocks: Clocks, post: Post) -> int:
    return clocks.uncertainty(post.fact.stream, post.moment)


def _tables(current_posts: Mapping[str, Post], person: str) -> dict[str, Post]:
    """Return the open tables that a floorperson supervises."""
    here = {
        t: post for t, post in current_posts.items() if post.game and person in post.floorpersons
    }
    return dict(sorted(here.items()))


def _broken(current_posts: Mapping[str, Post], person: str, day: Day) -> tuple[str, str] | None:
    """Return the game whose chapter forbids this, and by which duty; None if none does."""
    games = tuple(post.game or "" for post in _tables(current_posts, person).values())
    for game in sorted(filter(bounds_supervision, set(games))):
        room = BY_GAME[game]
        duty = None if room.over_ratio is None else room.over_ratio(games)
        if duty is not None and room.law.edition.standing(day.date) is not EditionStatus.NOT_YET:
            return game, duty
    return None


def _finding(
    broken: tuple[str, str],
    current_posts: Mapping[str, Post],
    person: str,
    fact: FactRef,
    day: Day,
    apart: Apart | None = None,
) -> Finding:
    game, duty = broken
    tables = _tables(current_posts, person)
    supervised = ", ".join(f"{table} ({post.game})" for table, post in tables.items())
    facts = (*(post.fact for post in tables.values() if post.fact != fact), fact)
    breach = Breach(
        duty=BY_GAME[game].duty_by_name[duty], facts=facts, observed=supervised, expected=person,
        certainty=Certainty.UNKNOWN if apart else Certainty.BROKEN,
        interval=interval(apart) if apart else None,
    )  # fmt: skip
    return as_finding(breach, day=day.date, stream=fact.stream, round_id=None)
