"""Plays a transcript: one event per line in, the same lines and what is said of them out.

A file begins with ``# section: case``. ``> filed 5=6:1``, ``> limit 2000 TABLE_AND_ROUND`` and
``> shaker AUTOMATED`` change the table it is played at. An event is its seconds, its name and its
fields; ``-`` is null. Recorded are the rulings (``|``), the findings (``!``) and the end (``=``).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from ledger.audit import rounds_of
from ledger.codec import frame
from ledger.events import (
    Capture,
    Fact,
    FiledOdds,
    HopGroup,
    HouseWayStep,
    LimitScope,
    PayoutLimit,
    Seen,
    Subject,
)
from ledger.games import BY_KEY
from ledger.games.room import (
    Annulled,
    Breach,
    ByPosition,
    Contested,
    Decided,
    DecidedSome,
    Multiplied,
    Reopened,
    Requires,
    Returned,
    Room,
    Ruling,
    Undecidable,
)
from ledger.kernel import Citation, Finding, dollars
from ledger.log import Arrival
from ledger.replay import Replay
from ledger.reports.verdict import in_doubt_words
from ledger.rounds import RoundResult, WagerResult
from tests.games.facts import NOON, SECOND, fact, follow
from tests.log.memory_log import MemoryLog

FOLDER: Final = Path(__file__).parent
DAY: Final = date(2021, 3, 15)
OPENED: Final = -60
RIM: Final = "7x,2,1,5,1,2,5,1,2,10,1,2,1,20,1,2,1,2,1,5,1,2,10,1,5,1,2,2x,1,5,1,40,2,1,2,1,10,2,1,5,1,2,1,5,2,1,20,1,2,1,10,1,2,1"
SECONDS: Final = {"started_time"}


def transcripts(room: str) -> list[Path]:
    """The transcripts of a room."""
    return sorted((FOLDER / room / "rounds").glob("*.round"))


def results_of(path: Path) -> list[RoundResult]:
    """The rounds of a transcript."""
    room = BY_KEY[path.parent.parent.name]
    text = path.read_text(encoding="utf-8").splitlines()
    settings = [line[1:].split() for line in text if line.startswith(">")]
    lines = [line for line in text if line[:1] in "-0123456789" and line]
    before = setting(room, settings)
    events = [event(line, len(before) + number) for number, line in enumerate(lines, 1)]
    return walk(room, settings, [*before, *events])


def play(path: Path) -> str:
    """The whole text of a transcript as it should be."""
    room = BY_KEY[path.parent.parent.name]
    given = [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if line[:1] in "#>-0123456789" and line
    ]
    settings = [line[1:].split() for line in given if line.startswith(">")]
    lines = [line for line in given if line[0] not in "#>"]
    before = setting(room, settings)
    told = [event(line, len(before) + number) for number, line in enumerate(lines, 1)]
    results = walk(room, settings, [*before, *told])
    rulings = follow(room, [*before, *told])[0][len(before) :]
    text = [line for line in given if line[0] in "#>"]
    for line, each, ruled in zip(lines, told, rulings, strict=True):
        text.append(line)
        text += [f"    | {words}" for ruling in ruled if (words := ruling_words(room, ruling))]
        found = [f for result in results for f in result.findings if f.facts[-1].seq == each.seq]
        text += [f"    ! {finding_words(f)}" for f in found]
    for result in results:
        text += [f"= {words}" for words in result_words(result)]
        text += [f"! {finding_words(f)}" for f in result.findings if f.facts[-1].seq > told[-1].seq]
    return "\n".join(text) + "\n"


def event(line: str, seq: int) -> Fact:
    """One event line."""
    at, kind, *said = line.split()
    pairs: list[list[str]] = []
    for word in said:
        if "=" in word:
            pairs.append(word.split("=", 1))
        else:
            pairs[-1][1] += f" {word}"
    fields: dict[str, Any] = {
        name: NOON + int(value) * SECOND if name in SECONDS and value != "-" else value
        for name, value in pairs
    }
    return fact(kind, seq, int(at), **fields)


def setting(room: Room, settings: list[list[str]]) -> list[Fact]:
    """The facts of a table that is ready for its first round."""
    facts = [
        fact("LimitsSet", 1, OPENED, minimum_cents=100, maximum_cents=1_000_000),
        fact("StaffAssigned", 2, OPENED, role="DEALER", person="D1"),
    ]
    if room.key == "dreamcatcher":
        facts.append(
            fact(
                "WheelPlaced",
                3,
                OPENED,
                wheel="W-1",
                sections=RIM,
                read_clockwise=True,
                clapper=True,
            )
        )
    elif room.key == "three_dice_football":
        facts.append(fact("StaffAssigned", 3, OPENED, role="STICKPERSON", person="S1"))
    elif room.key != "props_and_hops":
        kind = next((words[1] for words in settings if words[0] == "shaker"), "MANUAL")
        facts.append(fact("ShakerPlaced", 3, OPENED, kind=kind))
    if room.key == "props_and_hops":
        facts.append(fact("ShakerPlaced", 3, OPENED, kind="MANUAL"))
    if room.key == "asia_poker":
        facts.extend(deck_in_order(len(facts) + 1))
    names = [Seen(name=name, value=None) for name in ("minimum", "maximum", "payout_limit")]
    limits: dict[str, Any] = {
        "subject": Subject.LAYOUT,
        "subject_id": "L-1",
        "item": "stated_limits",
        "found": True,
    }
    facts.append(
        fact("ItemInspected", len(facts) + 1, OPENED, **limits, seen=names, inspected_by="F1")
    )
    facts.append(
        fact(
            "TableOpened",
            len(facts) + 1,
            OPENED,
            game=room.game,
            layout="L-1",
            paytable="RS-1",
            capture=Capture.FULL,
        )
    )
    seats = next((words[1].split(",") for words in settings if words[0] == "seats"), [])
    for seat in seats:
        facts.append(fact("PositionTaken", len(facts) + 1, OPENED, position=seat))
    if room.key == "three_dice_football":
        crew: list[tuple[str, dict[str, Any]]] = [
            ("StaffAssigned", {"role": "DEALER", "person": "D2"}),
            ("CameraDescribed", {"camera": "C1", "stationary": True, "covers": "end A"}),
            ("CameraDescribed", {"camera": "C2", "stationary": True, "covers": "end B"}),
            ("DiceAccepted", {"position": "5"}),
        ]
        for kind, said in crew:
            facts.append(fact(kind, len(facts) + 1, OPENED, **said))
    if room.key == "props_and_hops":
        facts.append(fact("DiceShaken", len(facts) + 1, OPENED))
    return facts


def deck_in_order(seq: int) -> list[Fact]:
    """A whole deck, inspected, verified and shuffled by a device."""
    said: tuple[tuple[str, dict[str, Any]], ...] = (
        ("StaffAssigned", {"role": "FLOORPERSON", "person": "F1"}),
        ("DeckPlaced", {"deck": "D1", "cards": 53, "jokers": 1, "back": "red"}),
        ("DeckInspected", {"deck": "D1", "fit": True, "inspected_by": "D1"}),
        ("DeckInspectionVerified", {"deck": "D1", "verified_by": "F1"}),
        ("CardsShuffled", {"deck": "D1", "method": "AUTOMATED", "completed": True}),
    )
    return [fact(kind, seq + place, OPENED, **fields) for place, (kind, fields) in enumerate(said)]


def asia_poker_options(settings: list[list[str]]) -> list[tuple[str, dict[str, Any]]]:
    """Every option in order, the maximum payout if said, and the simplest house way."""
    most = next((int(words[1]) for words in settings if words[0] == "maximum"), None)
    step = HouseWayStep(holding=None, prefer=("highest high", "highest medium", "highest low"))
    options = {"submission": "RS-1", "bonus_offered": True, "bonus_paytable": "A"}
    return [
        ("AsiaPokerOptionsFiled", {**options, "maximum_payout_cents": most}),
        ("HouseWayFiled", {"submission": "RS-1", "text": "the highest", "steps": [step]}),
    ]


def office(room: Room, settings: list[list[str]]) -> list[Fact]:
    """The property's own facts: a submission at the chapter's odds unless said."""
    odds, limit = [], None
    for words in settings:
        if words[0] == "filed":
            for row in words[1:]:
                name, _, value = row.partition("=")
                wager, _, on = name.replace("_", " ").partition("/")
                odds.append(FiledOdds(wager=wager, on=on or None, odds=value))
        elif words[0] == "limit":
            limit = PayoutLimit(limit_cents=int(words[1]), scope=LimitScope(words[2]))
    before = NOON - 3_600 * SECOND
    said: list[tuple[str, dict[str, Any]]] = [
        (
            "PropertyDescribed",
            {"name": "Example", "time_zone": "America/New_York", "gaming_day_starts_minutes": 360},
        ),
        (
            "RulesSubmissionFiled",
            {"submission": "RS-1", "game": room.game, "paytable": odds, "payout_limit": limit},
        ),
        ("RulesSubmissionApproved", {"submission": "RS-1", "approved_time": before}),
        (
            "LayoutApproved",
            {
                "layout": "L-1",
                "game": room.game,
                "bureau": "GAMING_OPERATIONS",
                "boxes_approved": True,
            },
        ),
    ]
    groups = [
        HopGroup(wager=name.replace("_", " "), combinations=tuple(value.split(",")))
        for words in settings
        if words[0] == "hops"
        for name, _, value in (word.partition("=") for word in words[1:])
    ]
    if groups:
        said.insert(2, ("HopGroupsFiled", {"submission": "RS-1", "groups": groups}))
    if room.key == "asia_poker":
        said[2:2] = asia_poker_options(settings)
    facts = [fact(kind, seq, -3_600, **fields) for seq, (kind, fields) in enumerate(said, 1)]
    return [replace(each, stream="house") for each in facts]


def walk(room: Room, settings: list[list[str]], facts: list[Fact]) -> list[RoundResult]:
    """Play the table through; the next round that opens, or the closing of the table, ends a round."""
    closing = fact("TableClosed", len(facts) + 1, 3_600)
    log = MemoryLog(origin="transcript.example", property="Example", record_time=1)
    told = [*office(room, settings), *facts, closing]
    appended = log.append((Arrival(frame(each)) for each in told), record_time=2)
    assert appended.accepted == len(told), appended.troubles
    return list(rounds_of(Replay(log), DAY))


# --- words ---------------------------------------------------------------------------------------


def pins(cites: tuple[Citation, ...]) -> str:
    return "[" + ", ".join(dict.fromkeys(cite.pin for cite in cites)) + "]"


def ruling_words(room: Room, ruling: Ruling) -> str:
    match ruling:
        case Decided():
            times = f", the odds times {ruling.factor}" if ruling.factor > 1 else ""
            return f"decided: {room.words_of(ruling.detail)}{times} {pins((ruling.cite,))}"
        case DecidedSome():
            kinds = "some wagers" if len(ruling.wagers) > 1 else next(iter(ruling.wagers))
            return f"{kinds} {ruling_words(room, ruling.by)}"
        case ByPosition():
            return f"by position: {room.words_of(ruling.detail)} {pins((ruling.cite,))}"
        case Returned():
            return f"returned: {ruling.why} {pins((ruling.cite,))}"
        case Undecidable():
            return f"undecidable: {ruling.why} {pins((ruling.cite,))}"
        case Annulled():
            return f"does not count: {ruling.row.cause}; {ruling.row.then.value} {pins((ruling.row.cite,))}"
        case Multiplied():
            return f"multiplier: {ruling.symbol}"
        case Reopened():
            return "open again: what this throw decided"
        case Contested():
            added = "what was added: " if ruling.added_by is not None else ""
            return f"{ruling.wager}: {added}no rule says how it fares"
        case Requires() | Breach():
            return ""


def finding_words(found: Finding) -> str:
    wager = f" {found.wager}" if found.wager else ""
    effect = "" if found.effect_cents is None else f" {dollars(found.effect_cents)}"
    return (
        f"{found.code} ({found.severity}){wager}{effect}: {found.sentence} {pins(found.citations)}"
    )


def result_words(result: RoundResult) -> list[str]:
    why = (
        f": {result.unknown_because}"
        if result.unknown_because
        else f": {result.shown}"
        if result.shown
        else ""
    )
    return [f"{result.status}{why}", *map(wager_words, result.wagers)]


def wager_words(wager: WagerResult) -> str:
    due, done = wager.expected, wager.observed
    picks = "".join(f" {pick}" for pick in wager.picks)
    amount = "" if not due.winnings_cents else f" {dollars(due.winnings_cents)}"
    house = "not settled"
    if done is not None:
        house = f"the house: {done.outcome.value}"
        house += f" {dollars(done.winnings_cents)}" if done.winnings_cents else ""
    cites = f" {pins(due.citations)}" if due.citations else ""
    doubt = in_doubt_words(wager)
    house += f". {doubt}" if doubt else ""
    return f"{wager.wager_id} {dollars(wager.stake_cents)} on {wager.wager}{picks}: {due.outcome.value}{amount}{cites}; {house}"
