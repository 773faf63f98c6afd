"""`pitledger whatif` and `amend --preview`: the money is derived by hand beside each case."""

from __future__ import annotations

import json
import os
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ledger.analytics.projection import vouched_parts
from ledger.audit import read_office
from ledger.log import key_beside
from ledger.replay import Replay
from tests.cli import given
from tests.cli.conftest import Command

MARK = "NOT ON RECORD"
SIMULATED = ("--seed", "144", "--scale", "10000", "--coupons", "--plant", "winner_taken@SB-01")
PEOPLE = ("--by", "CO-1", "--approved-by", "CO-2", "--reason", "the tape shows it")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small simulated day of every game, without anything kept; it is only read."""
    folder = tmp_path_factory.mktemp("floor") / "ledger"
    assert given.run("floor", "simulate", "--ledger", str(folder), *SIMULATED).code == 0
    return folder


def hashed(folder: Path) -> dict[str, str]:
    """SHA-256 of every file in and beside a ledger's folder, by path; folders, too."""
    files: dict[str, str] = {}
    for place, folders, names in os.walk(folder.parent):
        files.update({f"{place}/{name}/": "" for name in folders})
        for name in names:
            path = Path(place, name)
            files[str(path)] = sha256(path.read_bytes()).hexdigest()
    return files


def asked(command: Command, floor: Path, *words: str) -> dict[str, Any]:
    ran = command("whatif", *words, "--ledger", floor, "--format", "json")
    assert ran.code in (0, 1), ran.err
    data: dict[str, Any] = ran.json
    assert data["not_on_record"] is True
    assert ran.code == (1 if data["stays_unknown"] else 0)
    return data


def more_by_wager(data: dict[str, Any]) -> dict[str, int]:
    """How much more each patron is due, in cents, over all rounds."""
    more: dict[str, int] = {}
    for part in (data["asked"], *data["later"]):
        for wager in part["wagers"]:
            name = wager["wager_id"]
            more[name] = more.get(name, 0) + wager["patron_more_cents"]
    return {name: cents for name, cents in more.items() if cents}


# Each case: the round, what is supposed, and by the paytable row how much more is due.
BY_HAND: list[tuple[str, tuple[str, ...], dict[str, int]]] = [
    # 1 5 2 -> 6 5 2 is 13. Big Bet, $500, "1 to 1": lost 50000, now won 50000.
    # Total Value Bet 8, $500, "8 to 1": won 400000, now lost 50000.
    ("SB-01:26", ("--set", "dice[1]=6"), {"W1": 100_000, "W2": -450_000}),
    # Section 3 shows 5. $10 on 5, "5 to 1": lost 1000, now won 5000. $10 on 10 loses either way.
    ("DC-01:18", ("--set", "section=3"), {"W1": 6_000}),
    # Low hand 3♣ for 2♦ beats the dealer's 2♥; with the medium hand two of three are higher.
    # Asia Poker Wager, $10, "1 to 1": lost 1000, now won 1000.
    ("AP-01:38", ("--set", "hand[2].low[1]=3C"), {"W1": 2_000}),
    # Play 2: 4 + 2 - 1 gains five yards. Over Four Yards, $10, "1 to 1": lost 1000, now won 1000.
    # From yard 13, play 3 gains 3 + 1 - 2: yard 11, a turnover on downs as before.
    (
        "FB-01:44",
        ("--set", "throw[2].dice[3]=1", "--set", "throw[3].dice[1]=3"),
        {"W7": 2_000},
    ),
    # 3-3 -> 4-3 is a seven. 1-6 and Under, $25 with a $10 coupon, "1 to 1": won 3500, now lost 2500.
    # Hop the Top, $25, "3 to 2": lost 2500, now won 3750. The Six Eight Shake, $5, loses here, and
    # not in the later round in which it lost.
    ("PH-01:30", ("--set", "dice[1]=4"), {"W1": -6_000, "W2": 6_250}),
    # By the text that is applied, the page of which is 4697, nothing is otherwise (§ 577.8(b)).
    ("FB-01:719", ("--edition", "42 Pa.B. 4697"), {}),
    # Defense, $50, "4 to 5": at $100 it wins 8000 for 4000; the stake is the patron's either way.
    ("FB-01:719", ("--set", "W208.stake=100", "--edition", "42 Pa.B. 4697"), {"W208": 4_000}),
    # Coupons of series M10 pay $10 at the odds of their wager, "by its terms" (§ 525.22(b)):
    # Defense "4 to 5" (§ 577.8(b)): 10 * 4 / 5.
    ("FB-01:719", ("--add-coupon", "W208=M10-0000024"), {"W208": 800}),
    # Total Value Bet 8, "8 to 1" (§ 539.6(b)): 10 * 8.
    ("SB-01:26", ("--add-coupon", "W2=M10-0000024"), {"W2": 8_000}),
    # Hop the Top, "3 to 2" (§ 668a.4): 10 * 3 / 2.
    ("PH-01:130", ("--add-coupon", "W24=M10-0000024"), {"W24": 1_500}),
    # 2, "2 to 1" (§ 689.3(a)): 10 * 2; on 1, "1 to 1" after two sections 2x: 10 * 4 (§ 689.3(b)).
    ("DC-01:515", ("--add-coupon", "W169=M10-0000024"), {"W169": 2_000}),
    ("DC-01:301", ("--add-coupon", "W83=M10-0000024"), {"W83": 4_000}),
    # Asia Poker Wager, "1 to 1" (§ 575.12(a)); a Bonus Wager at "2 to 1".
    ("AP-01:86", ("--add-coupon", "W5=M10-0000024"), {"W5": 1_000}),
    ("AP-01:63", ("--add-coupon", "W4=M10-0000024"), {"W4": 2_000}),
    # Coupons of series E05 pay $5 at even money, whatever the wager pays: on "2 to 1" and "1 to 1".
    ("DC-01:515", ("--add-coupon", "W169=E05-0000016"), {"W169": 500}),
    ("SB-01:507", ("--add-coupon", "W110=E05-0000016"), {"W110": 500}),
    # Had this coupon come into the box first, the round in which it paid $10 pays nothing on it:
    # "redeemed before" (§ 525.22(b)); of $20 due there $10 are left.
    ("DC-01:18", ("--set", "DC-01:26.serial=P10-0000014"), {"W28": -1_000}),
    # Nothing is added: by its print it is not good for the wager or the game, it was voided, it was
    # never received, it was redeemed half an hour before, or the wager loses.
    ("SB-01:26", ("--add-coupon", "W2=E05-0000016"), {}),
    ("PH-01:43", ("--add-coupon", "W4=E05-0000016"), {}),
    ("DC-01:515", ("--add-coupon", "W169=E05-0000018"), {}),
    ("DC-01:515", ("--add-coupon", "W169=M10-0000025"), {}),
    ("DC-01:515", ("--add-coupon", "W169=M10-0000021"), {}),
    ("DC-01:18", ("--add-coupon", "W1=M10-0000024"), {}),
]


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(("round_", "words", "due"), BY_HAND)
def test_the_money_is_what_the_paytable_says(
    command: Command, floor: Path, round_: str, words: tuple[str, ...], due: dict[str, int]
) -> None:
    data = asked(command, floor, round_, *words)
    assert more_by_wager(data) == due
    assert data["patrons_more_cents"] == sum(due.values())
    for wager in data["asked"]["wagers"]:
        for side in ("recorded", "supposed"):
            decided = wager[side]["outcome"] in ("won", "lost")
            assert bool(wager[side]["citations"]) is decided or not decided


def test_a_change_runs_on_to_later_rounds_until_both_are_the_same(
    command: Command, floor: Path
) -> None:
    data = asked(command, floor, "PH-01:30", "--set", "dice[1]=4")
    (shake,) = (one for one in data["asked"]["wagers"] if one["wager_id"] == "W3")
    assert (shake["recorded"]["outcome"], shake["supposed"]["outcome"]) == ("stands", "lost")
    ends = data["later"][-1]
    (late,) = (one for one in ends["wagers"] if one["wager_id"] == "W3")
    assert (late["recorded"]["outcome"], late["supposed"]) == ("lost", None)
    lammers = [one for part in data["later"] for one in part["findings"]["only_supposed"]]
    assert lammers
    assert data["same_again_at"] is not None


def test_a_down_runs_on_through_the_game(command: Command, floor: Path) -> None:
    # Play 2 gains five for one: yard 13 instead of 17. Play 3 gains five: yard 8, which is 1st &
    # Goal, so the game goes on after the last recorded throw, and what it comes to is unknown.
    data = asked(command, floor, "FB-01:44", "--set", "throw[2].dice[3]=1")
    unknown = {
        one["wager_id"]
        for one in data["asked"]["wagers"]
        if one["supposed"]["outcome"] == "unknown"
    }
    assert unknown == {"W1", "W2", "W3", "W4", "W5", "W6"}
    assert data["stays_unknown"]


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("table", ["SB-01", "DC-01", "AP-01", "FB-01", "PH-01"])
def test_nothing_supposed_makes_no_difference(command: Command, floor: Path, table: str) -> None:
    rounds = command("rounds", "--ledger", floor, "--table", table, "--format", "json").json
    for one in rounds[1 :: max(len(rounds) // 2, 1)]:
        facts = command("round", "show", one["round"], "--ledger", floor, "--format", "json").json
        wagers = [fact for fact in facts["facts"] if fact["event"] == "WagerPlaced"]
        same = [f"{wager['wager_id']}.stake={wager['stake_cents'] / 100:.2f}" for wager in wagers]
        words = [word for text in same for word in ("--set", text)]
        data = asked(command, floor, one["round"], *words)
        assert (data["asked"]["differs"], data["later"]) == (False, [])
        assert data["outside_rounds"] == {"only_recorded": [], "only_supposed": []}
        assert data["patrons_more_cents"] == 0


@pytest.mark.parametrize(
    ("round_", "change", "stream", "seq", "edit"),
    [
        ("SB-01:26", "dice[1]=6", "SB-01/dice", 4, ("dice", 0, "face", 6)),
        ("PH-01:30", "dice[1]=4", "PH-01/dice", 5, ("dice", 0, "face", 4)),
        ("FB-01:44", "throw[2].dice[3]=1", "FB-01/dice", 2, ("dice", 2, "face", 1)),
        ("SB-01:26", "W1.stake=25", "SB-01", 27, ("stake_cents", 2_500)),
    ],
)
def test_a_change_is_judged_as_the_amended_ledger_is(
    command: Command,
    floor: Path,
    tmp_path: Path,
    round_: str,
    change: str,
    stream: str,
    seq: int,
    edit: tuple[Any, ...],
) -> None:
    supposed = asked(command, floor, round_, "--set", change)
    copy = tmp_path / "ledger"
    shutil.copytree(floor, copy)
    shutil.copy(key_beside(floor), key_beside(copy))
    path = _edited(command, floor, tmp_path, stream, seq, edit)
    before = hashed(copy)
    words = ("amend", stream, str(seq), "--file", path, "--ledger", copy)
    preview = command(*words, "--preview", "--format", "json")
    assert preview.json["asked"] == supposed["asked"]
    assert preview.json["later"] == supposed["later"]
    assert hashed(copy) == before
    assert MARK in command(*words, "--preview").out.splitlines()[0]
    assert command(*words, *PEOPLE).code == 0
    for part in (supposed["asked"], *supposed["later"]):
        shown = command("round", "show", part["round"], "--ledger", copy, "--format", "json").json
        assert shown["verdict"] == part["supposed"]["verdict"]
        now = {one["wager_id"]: one for one in shown["wagers"]}
        for wager in part["wagers"]:
            side = wager["supposed"]
            if side is None:
                assert wager["wager_id"] not in now
                continue
            due = now[wager["wager_id"]]
            assert side["net_cents"] == _net(due["expected"])
            assert side["difference_cents"] == due["difference_cents"]
            assert side["citations"] == due["expected"]["citations"]


def _net(side: dict[str, Any]) -> int | None:
    if side["winnings_cents"] is None or side["stake_taken_cents"] is None:
        return None
    return int(side["winnings_cents"] - side["stake_taken_cents"])


def _edited(
    command: Command, floor: Path, tmp_path: Path, stream: str, seq: int, edit: tuple[Any, ...]
) -> Path:
    """The file of a fact with one field changed."""
    lines = command("cat", "--plain", "--stream", stream, "--ledger", floor).out.splitlines()
    fact = next(one for one in map(json.loads, lines) if one["seq"] == seq)
    holder: Any = fact
    for part in edit[:-2]:
        holder = holder[part]
    holder[edit[-2]] = edit[-1]
    path = tmp_path / "fact.json"
    path.write_text(json.dumps(fact), encoding="utf-8")
    return path


def test_no_file_of_the_ledger_changes_cold_or_warm(
    command: Command, tmp_path: Path, floor: Path
) -> None:
    copy = tmp_path / "x" / "ledger"
    shutil.copytree(floor, copy)
    shutil.copy(key_beside(floor), key_beside(copy))
    shutil.rmtree(copy / "cache", ignore_errors=True)
    for warm in (False, True):
        before = hashed(copy)
        for words in (
            ("SB-01:26", "--set", "dice[1]=6"),
            ("DC-01:18", "--add-coupon", "W1=M10-0000099"),
            ("DC-01:18", "--set", "DC-01:26.serial=M10-0000099"),
            ("SB-01:26", "--late", "W1", "--return", "W2"),
            ("SB-01:26", "--reading", "triple-is-a-pair=exactly-two"),
        ):
            asked(command, copy, *words)
        assert hashed(copy) == before
        if not warm:
            assert command("audit", "--day", "2021-06-12", "--ledger", copy).code == 1
            assert command("rounds", "--ledger", copy).code in (0, 1)  # with a read model, too
            assert hashed(copy) != before  # what others keep shows here


def test_every_page_says_first_and_last_that_it_is_not_on_record(
    command: Command, floor: Path
) -> None:
    for words in ((), ("--set", "dice[1]=6"), ("--late", "W1"), ("--edition", "40 Pa.B. 1740")):
        lines = command("whatif", "SB-01:26", *words, "--ledger", floor).out.splitlines()
        assert lines[0].startswith(MARK)
        assert lines[-1].startswith(MARK)
        assert all(len(line) <= 100 for line in lines)


def test_a_wager_that_came_late(command: Command, floor: Path) -> None:
    data = asked(command, floor, "SB-01:26", "--late", "W1")
    codes = [one["code"] for one in data["asked"]["findings"]["only_supposed"]]
    assert codes == ["late_wager"]
    # after the dice were seen it is unknown whether it stands: both amounts hang on that
    seen = asked(command, floor, "SB-01:26", "--late", "W1@SB-01:30")
    assert seen["stays_unknown"]
    void = asked(
        command, floor, "SB-01:26", "--late", "W1@SB-01:30", "--reading", "late-wager=void"
    )
    (wager,) = void["asked"]["wagers"]
    # Big Bet, $500, lost; void it is returned: 50000 more.
    assert (wager["supposed"]["outcome"], wager["patron_more_cents"]) == ("returned", 50_000)


def test_a_wager_that_was_handed_back(command: Command, floor: Path) -> None:
    data = asked(command, floor, "SB-01:26", "--return", "W1")
    # The $500 that lost stay with the patron: what is due is the same, the house's act is not.
    assert (data["patrons_more_cents"], data["settled_more_cents"]) == (0, 50_000)
    earlier = asked(command, floor, "SB-01:26", "--return", "W1@SB-01:28")
    (wager,) = earlier["asked"]["wagers"]
    assert wager["patron_more_cents"] == 50_000


def test_another_interpretation_decides_the_round(command: Command, floor: Path) -> None:
    changes = [*(f"dice[{die}]=5" for die in (1, 2, 3)), "W2.wager=Two of a Kind", "W2.picks=5"]
    words = [word for text in changes for word in ("--set", text)]
    ours = asked(command, floor, "SB-01:26", *words)
    other = asked(command, floor, "SB-01:26", *words, "--reading", "triple-is-a-pair=exactly-two")
    # 5 5 5: Two of a Kind 5, $500, wins "8 to 1"; by the other answer it loses on a triple.
    sides = [
        next(one["supposed"] for one in data["asked"]["wagers"] if one["wager_id"] == "W2")
        for data in (ours, other)
    ]
    assert [side["net_cents"] for side in sides] == [400_000, -50_000]
    assert other["readings"] == {"triple-is-a-pair": "exactly-two"}
    assert other["same_again_at"] == ours["same_again_at"]


def test_a_round_that_a_gap_leaves_unknown_says_what_stays_unknown(
    command: Command, floor: Path, tmp_path: Path
) -> None:
    lines = command("cat", "--plain", "--ledger", floor).out.splitlines()
    lost = ('"stream": "SB-01/dice", "seq": 4,', '"stream":"SB-01/dice","seq":4,')
    kept = [line for line in lines if not any(text in line for text in lost)]
    assert len(kept) == len(lines) - 1
    path = tmp_path / "kept.jsonl"
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    folder = tmp_path / "ledger"
    assert command("init", "--origin", "test.example/gap", "--ledger", folder).code == 0
    assert command("append", path, "--ledger", folder).code == 0
    ran = command("whatif", "SB-01:26", "--set", "W1.stake=25", "--ledger", folder)
    assert ran.code == 1
    assert "Stays unknown:" in ran.out
    assert "facts are missing (SB-01/dice:4)" in " ".join(ran.out.split())


def test_a_draft_of_a_later_text_is_judged_by(
    command: Command, floor: Path, tmp_path: Path
) -> None:
    words = ("law", "edition", "new", "sic_bo", "--since", "2030-01-01", "--source", "60 Pa.B. 1")
    draft = command(*words).out
    row = 'row = "payout Total Value Bet (8) 539.6(b)#total-8"'
    path = tmp_path / "draft.toml"
    lines = draft.splitlines()
    rows = [n for n, line in enumerate(lines) if "payout Total Value Bet" in line and "8" in line]
    assert rows, row
    for number in rows:
        if "8 to 1" in lines[number + 1] and "(8" in lines[number]:
            lines[number + 2] = 'change = "10 to 1"'
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    data = asked(command, floor, "SB-01:26", "--edition", str(path))
    # Total Value Bet 8, $500: 10 to 1 for 8 to 1 is 100000 more.
    assert more_by_wager(data) == {"W2": 100_000}
    assert data["later"] == []
    (wager,) = data["asked"]["wagers"]
    assert wager["supposed"]["citations"][0]["edition"] == "60 Pa.B. 1"


@pytest.mark.by_turns(5)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("SB-01:99999",), "round_unknown"),
        (("XX-01:1",), "round_unknown"),
        (("nonsense",), "round_unknown"),
        (("SB-01:26", "--set", "dice[1]=7"), "supposition_wrong"),
        (("SB-01:26", "--set", "dice[0]=1"), "supposition_wrong"),
        (("SB-01:26", "--set", "dice[4]=1"), "supposition_wrong"),
        (("SB-01:26", "--set", "dice[1]"), "supposition_wrong"),
        (("SB-01:26", "--set", "=5"), "supposition_wrong"),
        (("SB-01:26", "--set", "throw"), "supposition_wrong"),
        (("SB-01:26", "--set", "throw[2].dice[1]=5"), "supposition_wrong"),
        (("SB-01:26", "--set", "dice[1].colour.x=5"), "supposition_wrong"),
        (("SB-01:26", "--set", "dice[1].shape=round"), "supposition_wrong"),
        (("SB-01:26", "--set", "section=3"), "supposition_wrong"),
        (("SB-01:26", "--set", "W1.stake=-5"), "supposition_wrong"),
        (("SB-01:26", "--set", "W1.stake=0"), "supposition_wrong"),
        (("SB-01:26", "--set", "W1.stake=1e9"), "supposition_wrong"),
        (("SB-01:26", "--set", "W1.stake=" + "9" * 400), "supposition_wrong"),
        (("SB-01:26", "--set", "W1.wager=Craps"), "supposition_wrong"),
        (("SB-01:26", "--set", "W2.picks=99"), "supposition_wrong"),
        (("SB-01:26", "--set", "W1.outcome=perhaps"), "supposition_wrong"),
        (("SB-01:26", "--set", "SB-01:27.seq=4"), "supposition_wrong"),
        (("SB-01:26", "--set", "SB-01:27.event_time=x"), "supposition_wrong"),
        (("SB-01:26", "--set", "SB-01:99999.faces[1]=4"), "supposition_wrong"),
        (("SB-01:26", "--set", "x" * 5_000 + "=1"), "supposition_wrong"),
        (("SB-01:26", "--set", "[" * 300 + "=1"), "supposition_wrong"),
        (("SB-01:26", "--set", "W1.patron=\x1b[31m"), "supposition_wrong"),
        (("SB-01:26", "--set", "W9.stake=5"), "wager_not_of_round"),
        (("SB-01:26", "--late", "W9"), "wager_not_of_round"),
        (("SB-01:26", "--late", "W1@SB-01:99999"), "supposition_wrong"),
        (("SB-01:26", "--late", "W1@x"), "supposition_wrong"),
        (("SB-01:26", "--return", "W9"), "wager_not_of_round"),
        (("SB-01:26", "--add-coupon", "W1"), "supposition_wrong"),
        (("SB-01:26", "--add-coupon", "W9=M25-0000001"), "wager_not_of_round"),
        (("DC-01:18", "--add-coupon", "W2=M10-0000015"), "supposition_wrong"),
        (("DC-01:18", "--set", "section=54"), "supposition_wrong"),
        (("DC-01:18", "--set", "section=-1"), "supposition_wrong"),
        (("DC-01:18", "--set", "spin[2].section=1"), "supposition_wrong"),
        (("AP-01:38", "--set", "cards[1][1]=10H"), "supposition_wrong"),
        (("AP-01:38", "--set", "cards[1][1]=11H"), "supposition_wrong"),
        (("AP-01:38", "--set", "cards[9][1]=2D"), "supposition_wrong"),
        (("AP-01:38", "--set", "hand[2].low[1]=QH"), "supposition_wrong"),
        (("AP-01:38", "--set", "hand[7].low[1]=2D"), "supposition_wrong"),
        (("FB-01:44", "--set", "dice[1]=2"), "supposition_wrong"),
        (("SB-01:26", "--edition", "42 Pa.B. 4697"), "edition_unknown"),
        (("SB-01:26", "--edition", "/nowhere.toml"), "edition_unknown"),
        (("SB-01:26", "--edition", " "), "edition_unknown"),
        (("SB-01:26", "--reading", "nonsense=x"), "reading_unknown"),
        (("SB-01:26", "--reading", "triple-is-a-pair"), "answer_not_used"),
        (("SB-01:26", "--reading", "triple-is-a-pair=maybe"), "answer_not_used"),
        (("SB-01:26", "--reading", "copy-loses=push"), "answer_not_used"),
    ],
)
def test_what_makes_no_sense_is_refused(
    command: Command, floor: Path, words: tuple[str, ...], code: str
) -> None:
    ran = command("whatif", *words, "--ledger", floor)
    assert ran.code == 2, ran.out
    assert f"[{code}]" in ran.err
    assert "next:" in ran.err
    assert ran.out == ""
    assert "\x1b" not in ran.err


def test_a_preview_of_what_lies_in_no_round_is_refused(command: Command, floor: Path) -> None:
    ran = command("amend", "office", "1", "--withdraw", "--preview", "--ledger", floor)
    assert (ran.code, "[round_unknown]" in ran.err) == (2, True)
    bare = command("amend", "SB-01", "27", "--withdraw", "--ledger", floor)
    assert (bare.code, "--by" in bare.err) == (2, True)


def test_a_warm_store_gives_the_bytes_that_a_cold_one_gives(
    command: Command, floor: Path, tmp_path: Path
) -> None:
    """What the read model vouches for is passed over; no answer and no pack is another for it."""
    warm, cold = tmp_path / "warm", tmp_path / "cold"
    for folder in (warm, cold):
        shutil.copytree(floor, folder)
        shutil.copy(key_beside(floor), key_beside(folder))
    shutil.rmtree(cold / "cache")
    listed = command("rounds", "--ledger", warm, "--format", "json")
    rounds = {one["stream"]: one["round"] for one in listed.json if one["status"] == "settled"}
    for number, name in enumerate(sorted(rounds.values())[:2]):
        pages, packs = [], []
        for folder in (cold, warm):
            file = tmp_path / f"{number}-{len(pages)}.zip"
            pages.append(command("whatif", name, "--ledger", folder).out)
            assert command("pack", "--round", name, "--out", file, "--ledger", folder).code == 0
            packs.append(file.read_bytes())
        assert pages[0] == pages[1], name
        assert packs[0] == packs[1], name
    for folder, is_vouched in ((warm, True), (cold, False)):
        replay = Replay.open(folder)
        assert bool(vouched_parts(folder, replay, read_office(replay)).parts) is is_vouched
