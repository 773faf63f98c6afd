"""The register of readings: complete, well formed, and in step with the rows that name it."""

import pytest

from ledger.law import CONFIRM, ReadingUnknown, reading, readings, sections
from tests.law.source import rows

# The list that we started from, in its order.
TEXT = """
touchdown-at-zero first-and-goal-at-once extra-point-is-no-play extra-point-without-touchdown
trips-over-everything turnover-is-penalty-wager exactly-four invalid-is-rethrown triple-is-a-pair
total-includes-triple two-dice-once hop-groups-are-filed shake-joins-fresh multipliers-multiply
face-up-card-aside nine-high-or-better asia-payout-limit asia-void-returns start-miscounted
bonus-joker-ace nine-high-over-flush four-hand-tiebreak joker-in-flush a234-second-highest
pair-is-medium copy-loses unusable-coupon which-of-two coupon-expiry coupon-and-limits
chips-under-coupon kept-by-marketing redeemed-in-equation coupon-given-back coupon-on-void
coupon-limit-edition breakage floors late-wager late-take-down groundless-no-roll too-few-shakes
short-spin one-no-more-bets verbal-cash-wager limit-at-acceptance limits-change
fixed-odds-filed-otherwise below-floor-filing payout-limit dice-clock dice-decide
shake-ends-on-removal first-throw-closes game-broken-off total-3-or-18 lapse-gap over-limit-stands
"""
GIVEN = TEXT.split()
BUILT = ("521", "525", "539", "689")


def test_every_given_reading_is_in_the_register_and_the_rest_is_marked_as_added():
    register = readings()
    assert [name for name in register if not register[name].added] == GIVEN


def test_every_reading_that_a_row_names_is_in_the_register():
    named = {row.reading for row in rows() if getattr(row, "reading", None)}
    assert named - set(readings()) == set()


def test_every_reading_offers_a_choice():
    for entry in readings().values():
        assert entry.alternatives or entry.id == "hop-groups-are-filed"  # it has no default at all
        assert entry.choice in entry.options, entry.id


def test_every_reading_says_what_hangs_on_it_and_who_closes_it():
    for entry in readings().values():
        texts = (entry.question, entry.effect, *entry.options.values())
        assert all(text.endswith((".", "?")) for text in texts), entry.id
        assert entry.status == "open", entry.id
        assert entry.owner in {"counsel", "property"}, entry.id
        assert entry.used, entry.id


def test_every_section_of_a_chapter_held_that_a_reading_names_exists():
    named = {place for entry in readings().values() for place in entry.used}
    built = {place for place in named if place.partition(".")[0] in BUILT}
    assert built - set(sections()) == set()


def test_what_rests_on_a_text_not_held_says_where_it_was_read():
    outside = [entry for entry in readings().values() if entry.outside]
    assert [entry.id for entry in outside] == ["coupon-limit-edition"]
    assert all(entry.address for entry in outside)
    assert CONFIRM == "confirm before reliance"


def test_an_unknown_reading_is_refused():
    with pytest.raises(ReadingUnknown, match="no reading 'floor'"):
        reading("floor")
