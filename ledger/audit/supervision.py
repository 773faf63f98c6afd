"""How many tables each floorperson supervised, and of which games: seen over all tables at once.

Law: § 577.9(c) through the room's own rows. A breach is told when it begins, and again only after
the floorperson had fewer tables in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ledger.audit.contract import Day
from ledger.games import BY_GAME
from ledger.games.room import Breach
from ledger.kernel import FactRef, Finding, Standing
from ledger.rounds import Post, as_finding

NOBODY: Final = Post(-1, FactRef("", 0))


def over_ratio(tables: Mapping[str, Iterable[Post]], day: Day) -> list[Finding]:
    """The findings of one day; ``tables`` says of each what its facts said up to the day's end."""
    now: dict[str, Post] = {}
    changes: list[tuple[int, FactRef, str, Post]] = []
    for table, posts in tables.items():
        for post in posts:
            if post.at < day.begins:
                now[table] = post
            elif post.at < day.ends:
                changes.append((post.at, post.fact, table, post))
    people = {person for post in now.values() for person in post.floorpersons}
    told = {person for person in people if _broken(now, person, day)}
    findings = []
    for _, fact, table, post in sorted(changes, key=lambda change: change[:3]):
        concerned = now.get(table, NOBODY).floorpersons | post.floorpersons
        now[table] = post
        for person in sorted(concerned):
            breach = _broken(now, person, day)
            if breach is None:
                told.discard(person)
            elif person not in told:
                told.add(person)
                findings.append(_finding(breach, now, person, fact, day))
    return findings


def _tables(now: Mapping[str, Post], person: str) -> dict[str, Post]:
    """The open tables that a floorperson supervises."""
    here = {t: post for t, post in now.items() if post.game and person in post.floorpersons}
    return dict(sorted(here.items()))


def _broken(now: Mapping[str, Post], person: str, day: Day) -> tuple[str, str] | None:
    """The game whose chapter forbids it, and by which duty."""
    games = tuple(post.game or "" for post in _tables(now, person).values())
    for game in sorted(set(games)):
        room = BY_GAME.get(game)
        if room is None or room.over_ratio is None:
            continue
        duty = room.over_ratio(games)
        if duty is not None and room.law.edition.standing(day.date) is not Standing.NOT_YET:
            return game, duty
    return None


def _finding(
    broken: tuple[str, str], now: Mapping[str, Post], person: str, fact: FactRef, day: Day
) -> Finding:
    game, duty = broken
    tables = _tables(now, person)
    said = ", ".join(f"{table} ({post.game})" for table, post in tables.items())
    facts = (*(post.fact for post in tables.values() if post.fact != fact), fact)
    breach = Breach(
        duty=BY_GAME[game].duty_by_name[duty], facts=facts, observed=said, expected=person
    )
    return as_finding(breach, day=day.date, stream=fact.stream, round_id=None)
