"""The chapters whose texts are held, with their editions, and the product's own contract.

Law: 40 Pa.B. 1740 (521, 528, 539), 50 Pa.B. 6778 (689), the compilation of 13 July 2012 (525).
Temporary chapters lapse two years after publication; the texts do not say whether the anniversary
itself still counts, and it is taken as the first day after. Which chapter followed, and since when
where that is recorded, stands in the register of readings (lapse-gap). Chapter 603a followed 525 on
1 February 2014, and its text is not held: 603a.21(d) alone is cited, and the citation says so
(coupon-limit-edition).
"""

from __future__ import annotations

from datetime import date
from types import MappingProxyType
from typing import Final

from ledger.kernel import Edition
from ledger.law.chapter import Chapter
from ledger.law.data import read_toml, table_names

GENERAL: Final = Chapter(
    Edition("521", "40 Pa.B. 1740", date(2010, 4, 3), date(2012, 4, 3), continued_as="601a"),
    "General provisions",
)
SERVICE_PROVIDERS: Final = Chapter(
    Edition(
        "528",
        "40 Pa.B. 1740",
        date(2010, 4, 3),
        date(2012, 4, 3),
        continued_as="613a",
        continued_since=date(2012, 5, 12),
    ),
    "Gaming related gaming service providers",
)
SIC_BO: Final = Chapter(
    Edition("539", "40 Pa.B. 1740", date(2010, 4, 3), date(2012, 4, 3), continued_as="625a"),
    "Sic Bo",
)
DREAMCATCHER: Final = Chapter(
    Edition(
        "689",
        "50 Pa.B. 6778",
        date(2020, 11, 28),
        date(2022, 11, 28),
        continued_as="689a",
        continued_since=date(2024, 5, 25),
    ),
    "Dreamcatcher",
)
PROPS_AND_HOPS: Final = Chapter(
    Edition("668a", "46 Pa.B. 5540", date(2016, 8, 27)),
    "Props & Hops",
)
ASIA_POKER: Final = Chapter(
    Edition("575", "compilation of 13 July 2012", date(2012, 7, 13), continued_as="659a"),
    "Asia Poker",
)
THREE_DICE_FOOTBALL: Final = Chapter(
    Edition(
        "577", "42 Pa.B., 28 July 2012", date(2012, 7, 28), date(2014, 2, 1), continued_as="661a"
    ),
    "Three Dice Football",
)
MATCH_PLAY: Final = Chapter(
    Edition(
        "525",
        "compilation of 13 July 2012",
        date(2012, 7, 13),
        date(2014, 2, 1),
        continued_as="603a",
    ),
    "Match Play Coupons",
)
MATCH_PLAY_FOLLOWED: Final = Chapter(
    Edition("603a", "outside the texts held: confirm before reliance", date(2014, 2, 1)),
    "Match Play Coupons, as it went on",
)
BULLETIN_PAGES: Final = MappingProxyType({"577": "42 Pa.B. 4697"})
"""By chapter, the page of the Bulletin that its text held does not name: a text can be asked for by it.

The text of 577 names its document, 12-1409; the Bulletin of 28 July 2012 has that on page 4697.
"""
LEDGER_CONTRACT: Final = Chapter(
    Edition("L", "Pitledger ledger contract", date(1970, 1, 1)),
    "Ledger contract",
)


def _added(number: str) -> Chapter:
    """Return a chapter that has a file of its own, ``editions/<number>.toml``.

    Raises:
        KeyError: the file lacks the chapter's name, its source or its first day.
    """
    entry = read_toml(f"editions/{number}.toml")
    edition = Edition(number, entry["published"], entry["since"], entry.get("until"))
    return Chapter(edition, entry["name"])


ADDED: Final = {number: _added(number) for number in table_names("editions", ".toml")}
"""Chapters by number that have a file in ``editions/`` in place of a line above: ``ADDED["539"]``."""

CHAPTERS: Final[tuple[Chapter, ...]] = (
    GENERAL,
    MATCH_PLAY,
    SERVICE_PROVIDERS,
    SIC_BO,
    DREAMCATCHER,
    THREE_DICE_FOOTBALL,
    PROPS_AND_HOPS,
    ASIA_POKER,
    MATCH_PLAY_FOLLOWED,
    LEDGER_CONTRACT,
    *ADDED.values(),
)
