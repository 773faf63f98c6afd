"""Searches of two planted days, against the rounds that the rules engine hands out itself."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from ledger.kernel import PropertyClock
from ledger.rounds import RoundResult, RoundStatus, WagerResult
from ledger.search import SearchAnswer, SearchUnclear, find
from tests.cli.given import run_here

DAY = date(2021, 6, 12)
Matches = Callable[[RoundResult, WagerResult], bool]


def search(folder: Path, line: str) -> SearchAnswer:
    return find(folder, line, today=lambda: DAY + timedelta(days=1), most=10_000)


def names(answer: SearchAnswer) -> list[str]:
    return sorted(hit.round for hit in answer.hits)


def having(rounds: list[RoundResult], matches: Matches) -> list[str]:
    """The rounds with a wager that matches."""
    return sorted(
        {result.round for result in rounds if any(matches(result, bet) for bet in result.wagers)}
    )


def full_name(bet: WagerResult) -> str:
    return " ".join([bet.wager, *map(str, bet.picks)])


@pytest.mark.parametrize("count", [10, pytest.param(40, marks=pytest.mark.full)])
def test_by_wager_seat_stake_and_patron(
    count: int, folder: Path, rounds: list[RoundResult]
) -> None:
    """Wagers of the record, each asked for by what a patron remembers of it."""
    bets = [(result, bet) for result in rounds for bet in result.wagers]
    for result, bet in random.Random(19).sample(bets, count):
        dollars = f"${bet.stake_cents // 100}"
        line = f'{result.table} bet:"{full_name(bet)}" {dollars} patron:{bet.patron}'
        line += f" seat:{bet.position}" if bet.position else ""
        like = (result.table, full_name(bet), bet.stake_cents, bet.patron)
        expected = {
            other.round
            for other in rounds
            for wager in other.wagers
            if (other.table, full_name(wager), wager.stake_cents, wager.patron) == like
            and bet.position in (None, wager.position)
        }
        answer = search(folder, line)
        assert names(answer) == sorted(expected), line
        own = next(hit for hit in answer.hits if hit.round == result.round)
        assert bet.wager_id in {wager.wager_id for wager in own.wagers}
        assert {f"stake {dollars}.00", f"patron {bet.patron}", f"at {result.table}"} <= set(own.why)


def test_one_wager_must_fulfill_all_words(folder: Path, rounds: list[RoundResult]) -> None:
    """Not a round in which one has the seat and another the stake."""

    def both(_: RoundResult, bet: WagerResult) -> bool:
        return bet.position == "2" and bet.stake_cents >= 5000

    assert names(search(folder, "seat:2 $50+")) == having(rounds, both)
    seats = set(having(rounds, lambda _, bet: bet.position == "2"))
    stakes = set(having(rounds, lambda _, bet: bet.stake_cents >= 5000))
    assert set(having(rounds, both)) < seats & stakes


def test_by_time(folder: Path, rounds: list[RoundResult], clock: PropertyClock) -> None:
    """A spell of the second day, by the property's clocks; and the same time without a date."""
    table = "SB-01"
    own = [r for r in rounds if r.table == table and r.gaming_day == DAY + timedelta(days=1)]
    middle = clock.local(own[len(own) // 2].opened_at).replace(second=0, tzinfo=None)

    def under_way(result: RoundResult, minutes: int) -> bool:
        begins, ends = (clock.local(at).replace(tzinfo=None) for at in (result.opened_at, result.closed_at or result.opened_at))  # fmt: skip
        around = timedelta(minutes=minutes)
        return begins.replace(microsecond=0) <= middle + around and ends >= middle - around

    expected = sorted(r.round for r in own if under_way(r, 3))
    assert len(expected) > 1
    dated = search(folder, f"{table} {middle:%H:%M}±3m {DAY + timedelta(days=1)}")
    assert names(dated) == expected
    assert not dated.took
    last = search(folder, f"{table} {middle:%H:%M}±3m")
    assert names(last) == expected
    assert last.took == (f"{middle:%H:%M}±3m is that of {middle:%B} {middle.day}, {middle.year}, the last in the record",)  # fmt: skip
    assert names(search(folder, f"{table} {middle:%H:%M}±3m today")) == expected
    yesterday = search(folder, f"{table} {middle:%H:%M}±3m yesterday")
    assert {hit.gaming_day for hit in yesterday.hits} <= {DAY}
    assert yesterday.took == ("yesterday is gaming day June 12, 2021",)


def test_a_time_after_midnight_is_of_the_day_before(
    folder: Path, rounds: list[RoundResult], clock: PropertyClock
) -> None:
    late = [r for r in rounds if clock.local(r.opened_at).date() > r.gaming_day]
    if late:
        begins = clock.local(late[0].opened_at)
        answer = search(folder, f"{late[0].table} {begins:%H:%M:%S} {late[0].gaming_day}")
        assert late[0].round in names(answer)


def test_by_money(folder: Path, rounds: list[RoundResult]) -> None:
    def under(_: RoundResult, bet: WagerResult) -> bool:
        return bet.difference_cents is not None and bet.difference_cents < 0

    def over(_: RoundResult, bet: WagerResult) -> bool:
        return bet.difference_cents is not None and bet.difference_cents > 1000

    assert names(search(folder, "underpaid")) == having(rounds, under) != []
    assert names(search(folder, "overpaid>10")) == having(rounds, over) != []
    hit = search(folder, "overpaid>10").hits[0]
    assert all((wager.difference_cents or 0) > 1000 for wager in hit.wagers)


def test_by_state_and_finding(folder: Path, rounds: list[RoundResult]) -> None:
    for word, status in (("unknown", RoundStatus.UNKNOWN), ("void", RoundStatus.VOID)):
        expected = sorted(r.round for r in rounds if r.status is status)
        assert names(search(folder, word)) == expected
    answer = search(folder, "code:late_wager")
    codes = {r.round: {f.code for f in r.findings} for r in rounds}
    assert (
        set(names(answer)) == {name for name, own in codes.items() if "late_wager" in own} != set()
    )
    assert all("finding late_wager" in hit.why for hit in answer.hits)
    with_findings = {name for name, own in codes.items() if own}
    assert with_findings <= set(names(search(folder, "findings")))


def test_by_coupon(folder: Path, rounds: list[RoundResult]) -> None:
    serials = [(r, serial) for r in rounds for bet in r.wagers for serial in coupons_of(bet)]
    assert serials
    result, serial = serials[0]
    short = re.sub(r"-0+", "-", serial)  # as a person writes it
    assert short != serial
    for written in (serial, short, serial.lower()):
        assert result.round in names(search(folder, f"coupon:{written}"))
    assert search(folder, "coupon:Z99-1").hints == ("the record has no coupon Z99-1",)


def coupons_of(bet: WagerResult) -> Iterator[str]:
    """The serials with a wager."""
    return (getattr(coupon, "serial", str(coupon)) for coupon in bet.coupons)


def test_by_any_fact_or_wager(folder: Path, rounds: list[RoundResult]) -> None:
    """Each fact of a round opens it, whatever stream of the table it stands in."""
    for result in random.Random(5).sample([r for r in rounds if r.wagers], 10):
        bet = result.wagers[-1]
        for word in (result.round, str(bet.placed), f"round:{bet.placed}"):
            assert names(search(folder, word)) == [result.round]
        named = names(search(folder, f"{result.table} {result.gaming_day} round:{bet.wager_id}"))
        assert named == [result.round]


def test_by_people_and_equipment(folder: Path) -> None:
    everything = {hit.round for hit in search(folder, "SB-01").hits}
    dealers = {
        dealer: set(names(search(folder, f"SB-01 dealer:{dealer}")))
        for dealer in ("D-SB-01-1", "D-SB-01-2", "D-SB-01-3", "D-SB-01-4")
    }
    assert set().union(*dealers.values()) == everything
    assert sum(map(len, dealers.values())) == len(everything)
    assert set(names(search(folder, "dealer:D-SB-01-*"))) == everything
    assert set(names(search(folder, "person:D-SB-01-*"))) == everything
    for piece in ("camera:CAM-SB-01*", "shaker:SH-SB-01", "dice:SB-01-*"):
        assert set(names(search(folder, piece))) == everything, piece
    assert names(search(folder, "wheel:WH-DC-01")) == names(search(folder, "DC-01"))
    assert names(search(folder, 'game:"sic bo" SB-01')) == sorted(everything)


def test_words_of_one_kind_are_alternatives(folder: Path) -> None:
    both = names(search(folder, "SB-01 DC-01"))
    assert both == sorted(names(search(folder, "SB-01")) + names(search(folder, "DC-01")))
    assert names(search(folder, "SB-01 bet:big bet:small")) == sorted(
        {*names(search(folder, "SB-01 bet:big")), *names(search(folder, "SB-01 bet:small"))}
    )


def test_a_number_is_a_whole_number(folder: Path, rounds: list[RoundResult]) -> None:
    """bet:1 at Dreamcatcher is the 1, and neither 10 nor a wager of dice."""
    expected = having(rounds, lambda r, bet: r.table == "DC-01" and bet.wager == "1")
    assert names(search(folder, "DC-01 bet:1")) == expected != []


def test_free_text(folder: Path, rounds: list[RoundResult]) -> None:
    shown = search(folder, 'SB-01 "1 2 3"')
    assert all("1 2 3" in (hit.shown or "") for hit in shown.hits)
    assert search(folder, '"100%_"').hits == ()


def test_no_hit_says_where_was_looked_and_what_is_unknown(
    folder: Path, rounds: list[RoundResult]
) -> None:
    answer = search(folder, "$99,999")
    assert (answer.hits, answer.total) == ((), 0)
    searched = answer.searched
    assert (searched.rounds, searched.wagers) == (len(rounds), sum(len(r.wagers) for r in rounds))
    unknown = {r.round for r in rounds if r.status is RoundStatus.UNKNOWN}
    assert set(searched.unknown) == unknown != set()
    assert ("SB-03", DAY) in searched.uncovered
    assert any("missing" in sentence for sentence in searched.doubts)
    ran = run_here("find", "$99,999", "--ledger", str(folder))
    assert ran.code == 1
    assert "No round matches." in ran.out
    assert "Wagers are not recorded at SB-03" in ran.out
    clean = run_here("find", "AP-01", "$99,999", "--ledger", str(folder))
    assert clean.code == 0


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("SB01", "perhaps SB-0"),
        ("roulette", "the ledger has: AP-01"),
        ("late_wager", "code:late_wager"),
        ("code:latewager", "perhaps late_wager"),
        ("unknow", "perhaps unknown"),
    ],
)
def test_a_mistyped_word_is_refused_with_the_nearest(folder: Path, line: str, hint: str) -> None:
    with pytest.raises(SearchUnclear) as refused:
        search(folder, line)
    assert hint in (refused.value.next_step or "")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("DC-01 bet:smal", "perhaps Small Bet"),
        ("dealer:D-SB-01-9", "perhaps D-SB-01-"),
        ("patron:p-SB-01", "perhaps p-SB-01"),
        ('DC-01 bet:"small bet"', "is called small bet; it is on record elsewhere"),
        ("beat:3", "perhaps bet:"),
        ("SB-01:99999999", "the record has no fact SB-01:99999999"),
        ("round:nothing", "the record has no round, wager or fact nothing"),
    ],
)
def test_a_name_that_the_record_lacks_is_said(folder: Path, line: str, hint: str) -> None:
    answer = search(folder, line)
    assert answer.hits == ()
    assert any(hint in said for said in answer.hints), answer.hints


def test_scripts_get_a_list_of_rounds(folder: Path) -> None:
    ran = run_here("find", "overpaid", "--format", "json", "--most", "1", "--ledger", str(folder))
    hits = json.loads(ran.out)
    assert ran.code == 1
    assert len(hits) == 1
    assert hits[0]["wagers"][0]["difference_cents"] > 0
    assert datetime.fromisoformat(hits[0]["opened"]).tzinfo is not None
    assert hits[0]["why"] == ["overpaid by any amount"]
    people = run_here("find", "overpaid", "--most", "1", "--ledger", str(folder)).out
    assert hits[0]["round"] in people
    assert "too much" in people


def test_of_a_table_of_hands_only_the_matching_seat_is_shown(
    folder: Path, rounds: list[RoundResult]
) -> None:
    dealt = next(r for r in rounds if r.shown and r.shown.count("; ") > 1 and r.wagers[0].position)
    bet = dealt.wagers[0]
    line = f"round:{bet.wager_id} {dealt.table} seat:{bet.position}"
    page = run_here("find", line, "--ledger", str(folder)).out
    shown = re.sub(r"[\s─]+", " ", page)
    own, *others = sorted(
        (dealt.shown or "").split("; "), key=lambda part: not part.startswith(f"{bet.position}:")
    )
    assert own.split(":")[0] in shown
    assert all(f" {other.split(':')[0]}: " not in shown for other in others)
