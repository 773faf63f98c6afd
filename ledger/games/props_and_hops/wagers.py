"""The wagers and their odds.

Law: § 668a.2(d)-(f) (wagers), § 668a.4 (exactly these odds). Reading: hop-groups-are-filed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ledger.events import HopGroupsFiled, WagersOfferedFiled
from ledger.games.dice import PAIRS, Faces, rolls
from ledger.games.props_and_hops.terms import DICE, LAMMERS, LAW, SEVEN, Roll, Sequence
from ledger.games.room import EVERY_WIN, Breach, Payout, Picks, Rules, Shown, Wager
from ledger.kernel import Citation, Odds
from ledger.kernel.quick_dataclass import dataclass

DOUBLES: Final[tuple[Picks, ...]] = tuple((face, face) for face in range(1, 7))
"""The six boxes with two equal faces (§ 668a.2(d))."""


@dataclass(frozen=True, slots=True)
class ShowsBox:
    """The two dice show the two numbers of the box, in either order."""

    def __call__(self, shown: Roll, picks: Picks) -> bool:
        return shown.faces == picks

    def __str__(self) -> str:
        return "the dice show the two numbers of the box"


@dataclass(frozen=True, slots=True)
class Totals:
    """The two dice add up to one of these, or show the one combination named beside them."""

    totals: tuple[int, ...]
    besides: Faces | None = None

    def __call__(self, shown: Roll, picks: Picks) -> bool:
        return sum(shown.faces) in self.totals or shown.faces == self.besides

    def __str__(self) -> str:
        listed = f"the total is {', '.join(map(str, self.totals))}"
        return listed if self.besides is None else f"{listed}, or the dice show {box(self.besides)}"


@dataclass(frozen=True, slots=True)
class FiledGroup:
    """The dice show a combination of the group; only a filing says which these are.

    Args:
        place: where the layout shows the group.
        combinations: those filed, None if they are not known: then none wins.
    """

    place: str
    combinations: frozenset[Faces] | None = None

    def __call__(self, shown: Roll, picks: Picks) -> bool:
        return self.combinations is not None and shown.faces in self.combinations

    def __str__(self) -> str:
        where = f"the dice show a combination {self.place} of the layout"
        if self.combinations is None:
            return f"{where}, as filed"
        return f"{where}: {', '.join(box(faces) for faces in sorted(self.combinations))}"

    @property
    def is_known(self) -> bool:
        """Whether a filing says what wins."""
        return self.combinations is not None

    def as_filed(self, listed: Iterable[str]) -> FiledGroup:
        """Return the group with its filed combinations, unchanged if one of them cannot be read."""
        read = [faces_of(word) for word in listed]
        known = frozenset(faces for faces in read if faces is not None)
        return self if not read or None in read else FiledGroup(self.place, known)


@dataclass(frozen=True, slots=True)
class AllSixBeforeSeven:
    """Each combination of 6 and of 8 was rolled before a 7."""

    def __call__(self, shown: Roll, picks: Picks) -> bool:
        return shown.sequence is Sequence.COMPLETED

    def __str__(self) -> str:
        return "1-5, 2-4, 3-3, 2-6, 3-5 and 4-4 are each rolled before a 7"


SIX_EIGHT_SHAKE: Final = "Six Eight Shake"

# fmt: off
WAGERS: Final = (       # § 668a.2(d)-(f), in its own order; each loses on any other result of its roll
    #     wager             wins on                                        defined at         picks
    Wager("Double",         ShowsBox(),                                    LAW[".2(d)"],      picks=DOUBLES),
    Wager("Any Number",     ShowsBox(),                                    LAW[".2(e)"],      picks=PAIRS),
    Wager("Field",          Totals((2, 3, 4, 9, 10, 11, 12)),              LAW[".2(f)(1)#1"], also_called=("Field Bet",)),
    Wager("Hop the Top",    FiledGroup("in the top row"),                  LAW[".2(f)(2)#1"], reading="hop-groups-are-filed"),
    Wager("Hop the Left",   FiledGroup("on the left side"),                LAW[".2(f)(3)#1"], reading="hop-groups-are-filed"),
    Wager("Hop the Right",  FiledGroup("on the right side"),               LAW[".2(f)(4)#1"], reading="hop-groups-are-filed"),
    Wager("Hop the Center", FiledGroup("in the center"),                   LAW[".2(f)(5)#1"], reading="hop-groups-are-filed"),
    Wager("1-6 and Under",  Totals((2, 3, 4, 5, 6), besides=(1, 6)),       LAW[".2(f)(6)"]),
    Wager("3-4 and Over",   Totals((8, 9, 10, 11, 12), besides=(3, 4)),    LAW[".2(f)(7)"]),
    Wager(SIX_EIGHT_SHAKE,  AllSixBeforeSeven(),                           LAW[".2(f)(8)#1"]),
)
PAYOUTS: Final = (      # § 668a.4: exactly these
    #      wager             on                         pays           listed at     filed as
    Payout("Double",         EVERY_WIN,                 Odds(30, 1),   LAW[".4#2"],  fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("Any Number",     EVERY_WIN,                 Odds(15, 1),   LAW[".4#3"],  fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("Field",          Totals((2, 12)),           Odds(2, 1),    LAW[".4#4"],  filed_as="2 or 12", fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("Field",          Totals((3, 4, 9, 10, 11)), Odds(1, 1),    LAW[".4#5"],  filed_as="3, 4, 9, 10 or 11", fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("Hop the Top",    EVERY_WIN,                 Odds(3, 2),    LAW[".4#6"],  fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("Hop the Left",   EVERY_WIN,                 Odds(2, 1),    LAW[".4#7"],  fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("Hop the Right",  EVERY_WIN,                 Odds(2, 1),    LAW[".4#8"],  fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("Hop the Center", EVERY_WIN,                 Odds(3, 2),    LAW[".4#9"],  fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("1-6 and Under",  EVERY_WIN,                 Odds(1, 1),    LAW[".4#10"], fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("3-4 and Over",   EVERY_WIN,                 Odds(1, 1),    LAW[".4#11"], fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout(SIX_EIGHT_SHAKE,  EVERY_WIN,                 Odds(150, 1),  LAW[".4#12"], fixed=True, reading="fixed-odds-filed-otherwise"),
)


@dataclass(frozen=True, slots=True)
class Group:
    """The most of the 36 ways that a filed group may hold so that the house keeps an edge."""

    wager: str
    most: int
    cite: Citation
    reading: str


GROUPS: Final = (
    #     wager             most  at most this                     reading
    Group("Hop the Top",    14,   LAW[".2(f)(2)#2"],               "hop-groups-are-filed"),
    Group("Hop the Left",   11,   LAW[".2(f)(3)#2"],               "hop-groups-are-filed"),
    Group("Hop the Right",  11,   LAW[".2(f)(4)#2"],               "hop-groups-are-filed"),
    Group("Hop the Center", 14,   LAW[".2(f)(5)#2"],               "hop-groups-are-filed"),
)
# fmt: on

LASTING: Final = frozenset({SIX_EIGHT_SHAKE})


def left_by(sequence: Sequence) -> frozenset[str]:
    """Return the wagers that a valid roll leaves undecided.

    That is the Six Eight Shake while its sequence goes on.
    """
    return LASTING if sequence is Sequence.GOES_ON else frozenset()


def sequence_after(lammers: frozenset[Faces], faces: Faces, wanted: frozenset[Faces]) -> Sequence:
    """Return the state of a sequence after a roll.

    Args:
        lammers: the combinations collected before it.
        faces: the roll, in rising order.
        wanted: the combinations that complete the sequence.
    """
    if sum(faces) == SEVEN:
        return Sequence.LOST
    return Sequence.COMPLETED if lammers | {faces} >= wanted else Sequence.GOES_ON


def ways(combinations: Iterable[Faces]) -> int:
    """Return in how many of the 36 ways these combinations fall.

    >>> ways([(3, 3), (2, 5)])
    3
    """
    return sum(1 if a == b else 2 for a, b in set(combinations))


def faces_of(word: str) -> Faces | None:
    """Return the faces of "2-5" in rising order, None where these are not two faces of a die.

    >>> faces_of("5-2")
    (2, 5)
    """
    match = re.fullmatch(r"([1-6])-([1-6])", word)
    return None if match is None else tuple(sorted((int(match[1]), int(match[2]))))


def box(faces: Faces) -> str:
    """A combination as the layout shows it."""
    return "-".join(map(str, faces))


def outcomes() -> Iterator[tuple[Shown, Fraction, Fraction]]:
    """Yield the next roll of two fair dice, and how a Six Eight Shake that begins with it ends.

    Returns:
        What it shows, its exact probability, and the factor on the odds (1).
    """
    for faces, chance in rolls(DICE):
        collected = frozenset({faces}) & LAMMERS
        sequence = sequence_after(frozenset(), faces, LAMMERS)
        if sequence is Sequence.LOST:
            yield Roll(faces, Sequence.LOST), chance, Fraction(1)
            continue
        completes = chance_to_complete(collected)
        yield Roll(faces, Sequence.COMPLETED), chance * completes, Fraction(1)
        yield Roll(faces, Sequence.LOST), chance * (1 - completes), Fraction(1)


@lru_cache(maxsize=64)
def chance_to_complete(collected: frozenset[Faces]) -> Fraction:
    """Return the exact probability that the remaining lammers are all collected before a 7."""
    if collected >= LAMMERS:
        return Fraction(1)
    stays, moves = Fraction(0), Fraction(0)
    for faces, chance in rolls(DICE):
        if sequence_after(collected, faces, LAMMERS) is Sequence.LOST:
            continue
        if faces in LAMMERS and faces not in collected:
            moves += chance * chance_to_complete(collected | {faces})
        else:
            stays += chance
    return moves / (1 - stays)


def adapt(rules: Rules) -> Rules:
    """Apply what the submission files about hop groups and about the wagers offered."""
    options = rules.filed.options if rules.filed else ()
    wagers, offered = dict(rules.wagers), None
    for option in options:
        if isinstance(option, HopGroupsFiled):
            for group in option.groups:
                row = wagers.get(group.wager)
                if row is not None and isinstance(row.wins_on, FiledGroup):
                    filed = row.wins_on.as_filed(group.combinations)
                    wagers[group.wager] = replace(row, wins_on=filed)
        elif isinstance(option, WagersOfferedFiled):
            offered = frozenset(option.wagers)
    return replace(rules, wagers=wagers, chosen=offered)


def judge_filing(rules: Rules, _minimums: Mapping[str, int]) -> tuple[Breach, ...]:
    """Report filed hop groups that leave the house no edge (reading hop-groups-are-filed)."""
    breaches = []
    for group in GROUPS:
        row = rules.wagers[group.wager].wins_on
        covered = ways(row.combinations or ()) if isinstance(row, FiledGroup) else 0
        if covered > group.most:
            breaches.append(
                Breach(
                    duty=rules.duty(
                        f"hop_group_too_generous@{group.cite.section.removeprefix(LAW.edition.chapter)}"
                    ),
                    facts=(),
                    observed=f"{group.wager} covers {covered} of the 36 ways",
                    expected=str(group.most),
                )
            )
    return tuple(breaches)
