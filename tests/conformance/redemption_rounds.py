"""The rounds of redemption cases in each game's own vocabulary, what they leave out in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from ledger.events import Down
from ledger.games.football_field import Spot, advance, play_of
from tests.conformance import three_dice_football, words
from tests.conformance.timeline import SETUP, Origin

Fact = dict[str, Any]
Facts = Iterable[tuple[Origin, Fact]]
KINDS: Final = {
    **{name.lower().replace(" ", "_"): name for name in three_dice_football.WAGERS},
    "over_four": "Over Four Yards",
    "under_four": "Under Four Yards",
    "asia_poker": "Asia Poker Wager",
    "bonus": "Bonus Wager",
    "1_6_and_under": "1-6 and Under",
    "3_4_and_over": "3-4 and Over",
}


def kind(name: str) -> str:
    """The chapter's name of a wager, whatever its game."""
    plain = words.plain(name)
    return KINDS.get(plain) or words.wager(name, words.SIC_BO)


def renumbered(facts: Facts, numbers: dict[int, Origin]) -> list[Fact]:
    """The facts as a list; which word of the case each comes from is kept by its number."""
    found = []
    for number, (origin, one) in enumerate(facts):
        numbers[number] = origin
        found.append(one)
    return found


def _die(face: Any, rest: Any) -> Fact:
    return {"face": face, "rest": rest}


SHAKEN: Final = {"by": "P1", "shaker": "covered", "shakes": 3}
"""A shake of Props & Hops in order."""


def _rests(one: Fact, dice: list[Any]) -> list[Any]:
    """How the dice lie; flat where the case does not say."""
    return list(one.get("rest") or ["flat"] * len(dice))


def _paid(one: Fact) -> Fact:
    """A settlement in the games' own words."""
    said = {"winnings_cents": 0, "stake_taken_cents": 0, **one}
    for own, theirs in (
        ("winnings_cents", "winnings_paid_cents"),
        ("stake_taken_cents", "chips_taken_cents"),
    ):
        said[own] = one.get(theirs, said[own])
    for gone in ("winnings_paid_cents", "chips_taken_cents"):
        said.pop(gone, None)
    return said


# --- Sic Bo, Dreamcatcher, Props & Hops: the vocabulary of the general provisions ---------------


def sic_bo(facts: Facts) -> Iterator[tuple[Origin, Fact]]:
    """The entry and the lights follow the call."""
    listed = list(facts)
    entered = any("entered" in one["fact"] for _, one in listed)
    before = ""
    for origin, one in listed:
        last, before = before, one["fact"]
        match one["fact"]:
            case "wager":
                yield origin, {**one, "wager": kind(one["wager"])}
            case "shown":
                dice = [
                    _die(*pair) for pair in zip(one["dice"], _rests(one, one["dice"]), strict=True)
                ]
                yield origin, {"t": one["t"], "fact": "thrown", "dice": dice}
            case "called":
                yield origin, one
                if not entered:
                    lit = {"t": one["t"] + 1, "fact": "entered_and_illuminated"}
                    yield SETUP, {**lit, "dice": one["dice"]}
            case "no_roll":
                reason = str(one.get("reason"))
                if last == "shaken" and re.search(r"flat|\bon\b|stack|lean|cocked|tilt", reason):
                    lies = "on another die" if re.search(r"stack|\bon\b", reason) else "leaning"
                    dice = [_die(1, "flat"), _die(3, "flat"), _die(6, lies)]
                    yield SETUP, {"t": one["t"] - 1, "fact": "thrown", "dice": dice}
                yield origin, one
            case "settled":
                yield origin, _paid(one)
            case _:
                yield origin, one


def dreamcatcher(facts: Facts) -> Iterator[tuple[Origin, Fact]]:
    """The call follows a spin that stands."""
    listed = list(facts)
    called = any(one["fact"] == "called" for _, one in listed)
    for origin, one in listed:
        match one["fact"]:
            case "wager":
                said = {key: value for key, value in one.items() if key != "pick"}
                yield origin, {**said, "wager": str(one.get("pick", one["wager"]))}
            case "spun":
                clapper = str(one.get("clapper", "in_section")).replace("_", " ")
                section = None if one.get("section") is None else str(one["section"])
                yield origin, {**one, "clapper": clapper, "section": section}
                if section is not None and not called and clapper == "in section":
                    yield SETUP, {"t": one["t"] + 1, "fact": "called", "section": section}
            case "settled":
                yield origin, _paid(one)
            case _:
                yield origin, one


def props_and_hops(facts: Facts) -> Iterator[tuple[Origin, Fact]]:
    """A player shakes; after a void shake the dealer makes the dice ready again."""
    for origin, one in facts:
        match one["fact"]:
            case "wager":
                name = kind(one["wager"])
                said = {key: value for key, value in one.items() if key != "pick"}
                pick = one.get("pick")
                if name in ("Double", "Any Number"):
                    said["pick"] = [pick, pick] if isinstance(pick, int) else pick
                yield origin, {**said, "wager": name}
            case "shaken":
                yield origin, {**SHAKEN, **one}
            case "shown":
                dice = [
                    _die(*pair) for pair in zip(one["dice"], _rests(one, one["dice"]), strict=True)
                ]
                yield origin, {"t": one["t"], "fact": "thrown", "dice": dice}
            case "settled":
                yield origin, _paid(one)
            case _:
                yield origin, one


GENERAL: Final = {
    "sic_bo": sic_bo,
    "dreamcatcher": dreamcatcher,
    "props_and_hops": props_and_hops,
}

# --- Three Dice Football ------------------------------------------------------------------------

DOWNS: Final = {down: word for word, down in three_dice_football.DOWNS.items()}


def football(facts: Facts) -> Iterator[tuple[Origin, Fact]]:
    """Dice offered and taken before the game, the markers moved and the down said after a play."""
    spot: Any = None
    over = False
    for origin, one in facts:
        at = one["t"]
        match one["fact"]:
            case "betting_opened":
                spot, over = Spot(20, Down.FIRST_DOWN, 1), False
                yield SETUP, {"t": at - 15, "fact": "offered", "position": 5}
                yield SETUP, {"t": at - 10, "fact": "accepted", "position": 5}
                dice = ["G1", "G2", "R1"]
                yield SETUP, {"t": at - 5, "fact": "selected", "position": 5, "dice": dice}
                yield origin, {"t": at, "fact": "betting_opened"}
                yield SETUP, _marked(at + 1, spot)
            case "wager":
                said = {"t": at, "fact": "wager", "wager": one["wager_id"], "position": 5}
                name = str(one["wager"])
                if name.startswith("game_length"):
                    said |= {"kind": "Game Length", "pick": one.get("pick", int(name[-1]))}
                else:
                    said |= {"kind": kind(name)}
                said |= {"stake_cents": one["stake_cents"], "instrument": one.get("means", "chips")}
                yield origin, {**said, "patron": one.get("patron")}
            case "thrown":
                yield origin, _thrown(one)
            case "no_roll":
                reason = {"off table": "die off the table"}.get(one["reason"], one["reason"])
                yield origin, {**one, "reason": reason, "by": "stickperson"}
            case "called":
                yield origin, {**one, "by": "stickperson"}
                if over:
                    continue
                green, red = one["green"], one["red"]
                spot = advance(spot, play_of((green[0], green[1], red)))
                over = not isinstance(spot, Spot)
                if over:
                    if "turnover" in str(spot.result):
                        yield SETUP, {"t": at + 1, "fact": "announced", "what": "turnover"}
                    continue
                yield SETUP, _marked(at + 1, spot)
                down = {"what": "down_and_distance", "down": DOWNS[spot.down]}
                yield SETUP, {"t": at + 2, "fact": "announced", **down, "distance_yards": spot.yard}
            case "settled":
                said = _paid(one)
                said["wager"] = said.pop("wager_id")
                yield origin, said
            case _:
                yield origin, one


def _marked(at: Any, spot: Spot) -> Fact:
    down = DOWNS[spot.down]
    return {"t": at, "fact": "markers", "yard": spot.yard, "down": down, "play": spot.play}


def _thrown(one: Fact) -> Fact:
    names = (("G1", "green"), ("G2", "green"), ("R1", "red"))
    up = [*one["green"], one["red"]]
    return {
        "t": one["t"],
        "fact": "thrown",
        "purpose": one.get("purpose", "down"),
        "position": 5,
        "released_together": one.get("left_hand_together", True),
        "struck_far_end": one.get("struck_far_end", True),
        "dice": [
            {"die": die, "colour": colour, "face": face, "rest": rest}
            for (die, colour), face, rest in zip(names, up, _rests(one, up), strict=True)
        ],
    }


# --- Asia Poker ---------------------------------------------------------------------------------

PLAYER: Final = 2
"""The place of the cases' position 1; the dealer's own place is 1."""
OTHERS: Final = (3, 4, 5, 6, 7)


def poker(facts: Facts) -> Iterator[tuple[Origin, Fact]]:
    """One player and the dealer; the order of a round around what the case tells."""
    listed = list(facts)
    stacks: dict[str, Any] = {str(place): 7 for place in OTHERS}
    shown = False
    last_deal = max((n for n, (_, one) in enumerate(listed) if one["fact"] == "dealt"), default=-1)
    settlements = [n for n, (_, one) in enumerate(listed) if one["fact"] == "settled"]
    for number, (origin, said_so) in enumerate(listed):
        one = {key: _cards(value) for key, value in said_so.items()}
        at = one["t"]
        match one["fact"]:
            case "betting_opened":
                yield SETUP, {"t": at - 10, "fact": "shuffled"}
                yield origin, one
            case "wager":
                said = {**one, "wager": kind(one["wager"]), "position": PLAYER}
                yield origin, said
            case "no_more_bets":
                yield origin, one
                yield SETUP, {"t": at + 1, "fact": "shaken", "shakes": 3}
                up = [{"face": face, "rests": "flat"} for face in (3, 4, 5)]
                yield SETUP, {"t": at + 2, "fact": "uncovered", "dice": up}
                yield SETUP, {"t": at + 3, "fact": "called", "total": 12}
            case "dealt":
                place = "1" if one["position"] == "dealer" else str(PLAYER)
                stacks[place] = one["cards"]
                if number == last_deal:
                    yield from _dealt(origin, at, stacks)
            case "dealer_card_exposed":
                stacks |= {"1": 7, str(PLAYER): 7}
                yield from _dealt(SETUP, at - 3, stacks, rest=False)
                what = {"fact": "irregularity", "what": "a dealer's card is exposed"}
                yield origin, {"t": at, **what, "position": 1}
            case "player_card_exposed":
                shown_card = {"cards": 1, "by": "dealer", "during": "deal"}
                yield origin, {"t": at, "fact": "hand_exposed", "position": PLAYER, **shown_card}
            case "choice_after_exposure" | "hand_voided":
                said = {"choice": one.get("choice", "void"), "looked": one.get("looked", False)}
                yield origin, {"t": at, "fact": "choice_after_exposure", "position": PLAYER, **said}
            case "shoe_malfunction" | "misdeal":
                failed = one["fact"] == "shoe_malfunction"
                what = "automated shoe jammed" if failed else "incorrect number of cards"
                yield origin, {"t": at, "fact": "irregularity", "what": what}
            case "hand_set":
                dealer = one["position"] == "dealer"
                said = {**one, "position": 1 if dealer else PLAYER}
                if dealer:
                    yield SETUP, {"t": at - 2, "fact": "hand_exposed", "position": 1, "cards": 7}
                yield origin, {**said, "by": "dealer" if dealer else "player"}
            case "surrendered":
                yield origin, {"t": at, "fact": "surrendered", "position": PLAYER}
                counted = {"fact": "surrendered_cards_counted", "position": PLAYER, "cards": 7}
                yield SETUP, {"t": at + 1, **counted}
                gone = {"what": "surrendered cards", "position": PLAYER, "cards": 7}
                yield SETUP, {"t": at + 2, "fact": "discarded", **gone, "face_down": True}
                shown = True
            case "settled":
                if not shown and last_deal >= 0:
                    shown = True
                    face_up = {"fact": "hand_exposed", "position": PLAYER, "cards": 7}
                    yield SETUP, {"t": at - 2, **face_up}
                yield origin, _paid(one)
                if number == settlements[-1] and last_deal >= 0:
                    yield from _gathered(at, listed)
            case _:
                yield origin, one


def _cards(value: Any) -> Any:
    return [str(card).upper() for card in value] if isinstance(value, list) else value


def _dealt(
    origin: Origin, at: Any, stacks: dict[str, Any], *, rest: bool = True
) -> Iterator[tuple[Origin, Fact]]:
    deal = {"method": "manual_shoe", "first_position": 5, "direction": "clockwise"}
    yield origin, {"t": at, "fact": "dealt", **deal, "stacks": dict(sorted(stacks.items()))}
    if not rest:
        return
    yield SETUP, {"t": at + 1, "fact": "remaining_counted", "cards": 4}
    left = {"what": "remaining cards", "cards": 4, "face_down": True}
    yield SETUP, {"t": at + 2, "fact": "discarded", **left}
    for place in OTHERS:
        empty = {"what": "stack of a position without a wager", "position": place, "cards": 7}
        yield SETUP, {"t": at + 3, "fact": "discarded", **empty, "face_down": True}
    yield SETUP, {"t": at + 4, "fact": "shaken", "shakes": 1, "covered": True}


def _gathered(at: Any, listed: list[tuple[Origin, Fact]]) -> Iterator[tuple[Origin, Fact]]:
    given_up = any(one["fact"] == "surrendered" for _, one in listed)
    for what, place in (("hands of a position", PLAYER), ("hands of the dealer", 1)):
        if place == 1 or not given_up:
            gone = {"what": what, "position": place, "cards": 7, "kept_together": True}
            yield SETUP, {"t": at + 2, "fact": "discarded", **gone}
