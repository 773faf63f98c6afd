"""The words of the cases, and the words of the facts that mean the same."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Final, TypeVar

from ledger import events
from tests.conformance import football_words
from tests.conformance.keys import Keys, NotTranslatable, plain

T = TypeVar("T")

SIC_BO: Final = "Sic Bo"
DREAMCATCHER: Final = "Dreamcatcher"
PROPS_AND_HOPS: Final = "Props & Hops"
ASIA_POKER: Final = "Asia Poker"
THREE_DICE_FOOTBALL: Final = "Three Dice Football"

TOTALS: Final = {
    4: "50:1", 5: "18:1", 6: "14:1", 7: "12:1", 8: "8:1", 9: "6:1", 10: "6:1",
    11: "6:1", 12: "6:1", 13: "8:1", 14: "12:1", 15: "14:1", 16: "18:1", 17: "50:1",
}  # fmt: skip
SIC_BO_FLOORS: Final[dict[tuple[str, str | None], str]] = {
    ("Three of a Kind", None): "150:1",
    ("Two of a Kind", None): "8:1",
    ("Any Three of a Kind", None): "24:1",
    **{("Total Value Bet", str(total)): odds for total, odds in TOTALS.items()},
    ("Two Dice Combination", None): "5:1",
    ("Small Bet", None): "1:1",
    ("Big Bet", None): "1:1",
    ("One of a Kind", "1"): "1:1",
    ("One of a Kind", "2"): "2:1",
    ("One of a Kind", "3"): "3:1",
}
"""Typed from the list of the regulation, not taken from the rules engine."""
DREAMCATCHER_FLOORS: Final[dict[tuple[str, str | None], str]] = {
    (number, None): f"{number}:1" for number in ("1", "2", "5", "10", "20", "40")
}
SIC_BO_WAGERS: Final = tuple(dict.fromkeys(wager for wager, _ in SIC_BO_FLOORS))
DREAMCATCHER_WAGERS: Final = tuple(wager for wager, _ in DREAMCATCHER_FLOORS)

PROPS_AND_HOPS_ODDS: Final[dict[tuple[str, str | None], str]] = {
    ("Double", None): "30:1",
    ("Any Number", None): "15:1",
    ("Field", "2 or 12"): "2:1",
    ("Field", "3, 4, 9, 10 or 11"): "1:1",
    ("Hop the Top", None): "3:2",
    ("Hop the Left", None): "2:1",
    ("Hop the Right", None): "2:1",
    ("Hop the Center", None): "3:2",
    ("1-6 and Under", None): "1:1",
    ("3-4 and Over", None): "1:1",
    ("Six Eight Shake", None): "150:1",
}

ASIA_POKER_ODDS: Final[dict[tuple[str, str | None], str]] = {
    ("Asia Poker Wager", None): "1:1",
    ("Bonus Wager", "Three of a kind and four 8s"): "5000:1",
    ("Bonus Wager", "Five aces"): "800:1",
    ("Bonus Wager", "Royal flush"): "200:1",
    ("Bonus Wager", "Natural straight flush"): "80:1",
    ("Bonus Wager", "Straight flush with joker"): "40:1",
    ("Bonus Wager", "Four of a kind"): "30:1",
    ("Bonus Wager", "9-high"): "10:1",
    ("Bonus Wager", "Full house"): "5:1",
    ("Bonus Wager", "Flush"): "4:1",
    ("Bonus Wager", "Three of a kind"): "3:1",
    ("Bonus Wager", "Straight"): "2:1",
}
"""Paytable A."""

_WAGER_WORDS: Final = {
    "three_of_a_kind": "Three of a Kind",
    "two_of_a_kind": "Two of a Kind",
    "any_three_of_a_kind": "Any Three of a Kind",
    "total_value_bet": "Total Value Bet",
    "total_value": "Total Value Bet",
    "total": "Total Value Bet",
    "two_dice_combination": "Two Dice Combination",
    "any_two_dice_combination": "Two Dice Combination",
    "two_dice": "Two Dice Combination",
    "small": "Small Bet",
    "small_bet": "Small Bet",
    "big": "Big Bet",
    "big_bet": "Big Bet",
    "one_of_a_kind": "One of a Kind",
    "hop_the_top": "Hop the Top",
    "hop_the_left": "Hop the Left",
    "hop_the_right": "Hop the Right",
    "hop_the_center": "Hop the Center",
    "1_6_and_under": "1-6 and Under",
    "3_4_and_over": "3-4 and Over",
    "double": "Double",
    "any_number": "Any Number",
    "field": "Field",
    "hop_top": "Hop the Top",
    "hop_left": "Hop the Left",
    "hop_right": "Hop the Right",
    "hop_center": "Hop the Center",
    "one_six_and_under": "1-6 and Under",
    "three_four_and_over": "3-4 and Over",
    "six_eight_shake": "Six Eight Shake",
}
_ASIA_POKER_WORDS: Final = {
    "asia_poker": "Asia Poker Wager",
    "bonus": "Bonus Wager",
}
_COUNTS: Final = {"one": "1", "two": "2", "three": "3", "1": "1", "2": "2", "3": "3"}
_UNITS: Final = {"a cent": 1, "cent": 1, "whole cent": 1, "nickel": 5, "dime": 10, "quarter": 25,
                 "dollar": 100, "half dollar": 50}  # fmt: skip


def game(word: str | None) -> str:
    """The chapter's name of a game; a game of another chapter cannot be told yet."""
    match plain(word or ""):
        case "sic_bo" | "sicbo":
            return SIC_BO
        case "dreamcatcher" | "dream_catcher":
            return DREAMCATCHER
        case "props_and_hops" | "props_hops":
            return PROPS_AND_HOPS
        case "asia_poker":
            return ASIA_POKER
        case "three_dice_football":
            return THREE_DICE_FOOTBALL
    raise NotTranslatable(f"the game {word!r} has no room")


def symbol(word: Any) -> str:
    """A number or symbol of the wheel: ``2x`` with a plain x."""
    return str(word).strip().lower().replace("×", "x")


def wager(name: str, of_game: str) -> str:
    """The chapter's name of a wager; a name that no chapter has stays as it is."""
    if of_game == DREAMCATCHER:
        return symbol(name)
    if of_game == THREE_DICE_FOOTBALL:
        return football_words.kind(name)
    if of_game == ASIA_POKER:
        return _ASIA_POKER_WORDS.get(_without_kind(plain(name)), name)
    return _known(name) or box(name)[0] or name


def _known(name: str) -> str | None:
    """A wager by its name, with or without the word "wager" or "bet" behind it."""
    words = plain(name)
    return _WAGER_WORDS.get(words) or _WAGER_WORDS.get(_without_kind(words))


def _without_kind(words: str) -> str:
    return re.sub(r"_(wagers?|bets?)$", "", words)


_FACES: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
                 "eight": 8, "ten": 10, "twelve": 12}  # fmt: skip


def box(name: str) -> tuple[str | None, list[int] | None]:
    """A box of Props & Hops by its own name, and the two faces that it depicts."""
    words = re.sub(r"_(wager|bet)$", "", plain(name))
    hard = re.fullmatch(r"([a-z]+)_the_hardway", words)
    if hard and (total := _FACES.get(hard[1], 1)) % 2 == 0:
        return "Double", [total // 2, total // 2]
    faces = [_FACES.get(word, 0) for word in words.split("_")]
    if len(faces) == 2 and faces[0] != faces[1] and all(1 <= face <= 6 for face in faces):
        return "Any Number", sorted(faces)
    return None, None


def picks(value: Any) -> tuple[int, ...]:
    """Picked numbers, from a number, a list or null."""
    values = [] if value is None else value if isinstance(value, list) else [value]
    try:
        return tuple(int(number) for number in values)
    except (TypeError, ValueError) as error:
        raise NotTranslatable(f"not numbers picked: {value!r}") from error


def row(name: str, of_game: str) -> tuple[str, str | None]:
    """A line of a paytable: the wager, and the total or number of dice it is for."""
    if of_game == DREAMCATCHER:
        number = symbol(name)
        if (number, None) not in DREAMCATCHER_FLOORS:
            raise NotTranslatable(f"no line of the paytable: {name!r}")
        return number, None
    words = plain(name)
    if of_game == PROPS_AND_HOPS and words.startswith("field_"):
        outer = words in {"field_12", "field_2", "field_2_or_12", "field_2_12"}
        return "Field", "2 or 12" if outer else "3, 4, 9, 10 or 11"
    if known := _known(name):
        return known, None
    if found := re.fullmatch(r"total(?:_value)?(?:_of)?(?:_bet)?(?:_of)?_(\d+)", words):
        return "Total Value Bet", found[1]
    found = re.fullmatch(r"one_of_a_kind(?:_on)?(?:_only)?_(\w+?)(?:_dic?e)?", words)
    if found and found[1] in _COUNTS:
        return "One of a Kind", _COUNTS[found[1]]
    raise NotTranslatable(f"no line of the paytable: {name!r}")


def rows(name: str, of_game: str) -> list[tuple[str, str | None]]:
    """All lines that a name stands for: ``Total Value Bet`` alone is fourteen."""
    if of_game == ASIA_POKER:
        spelled = re.sub(r"^(bonus|asia_poker)(_wager)?_?", r"\1 ", plain(name)).strip()
        found = [
            (kind, on)
            for kind, on in ASIA_POKER_ODDS
            if spelled
            in (short := plain(kind.removesuffix(" Wager")), f"{short} {plain(on or '')}")
        ]
        if not found:
            raise NotTranslatable(f"no line of the paytable: {name!r}")
        return found
    if of_game == THREE_DICE_FOOTBALL:
        lines = football_words.lines(name)
        if lines[0][0] not in football_words.WAGERS:
            raise NotTranslatable(f"no line of the paytable: {name!r}")
        return lines
    wanted = row(name, of_game)
    table = floors(of_game)
    return (
        [wanted] if wanted in table else [key for key in table if key[0] == wanted[0]] or [wanted]
    )


def filed_rows(name: str, of_game: str) -> list[tuple[str, str | None]]:
    """The lines that a filing names; one that the chapter does not have is filed as it is said."""
    try:
        return rows(name, of_game)
    except NotTranslatable:
        return [(name, None)]


def floors(of_game: str) -> dict[tuple[str, str | None], str]:
    """The least odds of the chapter, line by line."""
    if of_game == ASIA_POKER:
        return ASIA_POKER_ODDS
    if of_game == THREE_DICE_FOOTBALL:
        return football_words.ODDS
    if of_game == PROPS_AND_HOPS:
        return PROPS_AND_HOPS_ODDS
    return SIC_BO_FLOORS if of_game == SIC_BO else DREAMCATCHER_FLOORS


def wagers_of(of_game: str) -> tuple[str, ...]:
    """The wagers of a chapter, in its order."""
    return tuple(dict.fromkeys(name for name, _ in floors(of_game)))


def odds(value: Any) -> str:
    """Odds as a filing writes them: 180, "180:1", "180 to 1" are all ``180:1``."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value}:1"
    found = re.fullmatch(r"\s*(\d+)\s*(?::|to|-to-)\s*(\d+)\s*", str(value))
    if found is None:
        raise NotTranslatable(f"not odds that a filing can hold: {value!r}")
    return f"{found[1]}:{found[2]}"


def printed(value: Any) -> str:
    """Odds as they are printed: ``8 to 1``; other words stay as they are."""
    try:
        return " to ".join(odds(value).split(":"))
    except NotTranslatable:
        if isinstance(value, str):
            return value
        raise


def paytable(filed: dict[tuple[str, str | None], str]) -> tuple[events.FiledOdds, ...]:
    """A filed paytable, line by line."""
    return tuple(
        events.FiledOdds(wager=name, on=on, odds=value) for (name, on), value in filed.items()
    )


def rounding(value: Any) -> events.Breakage | None:
    """The filed rule for fractions, in any of its spellings; None where none is filed."""
    if value is None or (isinstance(value, str) and plain(value) in {"none", "none_needed", ""}):
        return None
    if isinstance(value, dict):
        keys = Keys(value, "rounding")
        rule, unit = keys.take("rule", "method"), keys.take("unit_cents", "to_cents", default=1)
        keys.finish()
        if rule is None:
            return None
        return events.Breakage(rule=_rule(str(rule)), unit_cents=int(unit))
    words = str(value).lower()
    unit = 1
    if found := re.search(r"(\d+)[ -]*cents?", words):
        unit = int(found[1])
    elif found := re.search(r"\$\s*(\d+)(?:\.(\d\d))?", words):
        unit = int(found[1]) * 100 + int(found[2] or 0)
    else:
        unit = next(
            (cents for word, cents in _UNITS.items() if re.search(rf"\b{word}\b", words)), 1
        )
    return events.Breakage(rule=_rule(words), unit_cents=unit)


def _rule(words: str) -> events.Rounding:
    for word, rule in (("exact", events.Rounding.EXACT), ("down", events.Rounding.DOWN),
                       ("nearest", events.Rounding.NEAREST), ("up", events.Rounding.UP)):  # fmt: skip
        if re.search(rf"\b{word}\b", words.lower()):
            return rule
    raise NotTranslatable(f"not a rule for fractions: {words!r}")


def payout_limit(keys: Keys) -> events.PayoutLimit:
    """A limit on what one round pays, as it is filed."""
    cents = keys.need("cents", "limit_cents")
    per = plain(str(keys.take("per", "scope", default="patron and round")))
    counts = plain(str(keys.take("counts", default="winnings without the returned stake")))
    sharing = plain(str(keys.take("sharing", default="in proportion to uncapped winnings")))
    scopes = {
        "patron_and_round": events.LimitScope.PATRON_AND_ROUND,
        "round_and_patron": events.LimitScope.PATRON_AND_ROUND,
        "patron": events.LimitScope.PATRON_AND_ROUND,
        "table_and_round": events.LimitScope.TABLE_AND_ROUND,
        "round_and_table": events.LimitScope.TABLE_AND_ROUND,
        "table": events.LimitScope.TABLE_AND_ROUND,
        "round": events.LimitScope.TABLE_AND_ROUND,
    }
    if per not in scopes:
        raise NotTranslatable(f"a filing cannot limit payouts per {per!r}")
    if not counts.startswith("winnings_without"):
        raise NotTranslatable(f"a filing cannot say that a payout limit counts {counts!r}")
    if not sharing.startswith("in_proportion"):
        raise NotTranslatable(f"a filing cannot share a payout limit by {sharing!r}")
    return events.PayoutLimit(limit_cents=int(cents), scope=scopes[per])


_ROLES: Final = {
    plain(role.value): role for role in events.Role if role is not events.Role.UNRECOGNISED
} | {
    "floor_person": events.Role.FLOORPERSON,
    "floor_supervisor": events.Role.FLOORPERSON,
    "player": events.Role.PATRON,
    "stick_person": events.Role.STICKPERSON,
    "stickman": events.Role.STICKPERSON,
    "stick": events.Role.STICKPERSON,
    "box_person": events.Role.BOXPERSON,
    "pit_boss": events.Role.PIT_MANAGER,
    "manager": events.Role.CASINO_MANAGER,
}
_RESTS: Final = {
    "flat": events.Rest.FLAT,
    "flat_in_shaker": events.Rest.FLAT,
    "one_side_propped": events.Rest.ONE_SIDE_PROPPED,
    "leaning": events.Rest.ONE_SIDE_PROPPED,
    "cocked": events.Rest.ONE_SIDE_PROPPED,
    "propped": events.Rest.ONE_SIDE_PROPPED,
    "not_flat": events.Rest.ONE_SIDE_PROPPED,
    "two_sides_propped": events.Rest.TWO_SIDES_PROPPED,
    "on_a_die": events.Rest.ON_A_DIE,
    "on_die": events.Rest.ON_A_DIE,
    "on_another_die": events.Rest.ON_A_DIE,
    "stacked": events.Rest.ON_A_DIE,
    "on_the_other_die": events.Rest.ON_A_DIE,
    "leaning_not_flat": events.Rest.ONE_SIDE_PROPPED,
    "fell_out": events.Rest.OUTSIDE_SHAKER,
    "fell_out_of_the_shaker": events.Rest.OUTSIDE_SHAKER,
    "on_bank": events.Rest.ON_BANK,
    "on_the_bank_of_chips": events.Rest.ON_BANK,
    "off_table": events.Rest.OFF_TABLE,
    "off_the_table": events.Rest.OFF_TABLE,
    "outside_shaker": events.Rest.OUTSIDE_SHAKER,
    "outside": events.Rest.OUTSIDE_SHAKER,
    "out_of_the_shaker": events.Rest.OUTSIDE_SHAKER,
}
_RESTS_SAID: Final = (
    (r"(two|both)_(sides|edges)", events.Rest.TWO_SIDES_PROPPED),
    (r"(on|atop)_.*(die|dice)\b|stacked", events.Rest.ON_A_DIE),
    (r"bank", events.Rest.ON_BANK),
    (r"off_.*table|floor", events.Rest.OFF_TABLE),
    (r"outside|out_of|fell_out|fallen", events.Rest.OUTSIDE_SHAKER),
    (r"lean|cocked|propped|tilted|not_flat|edge|corner", events.Rest.ONE_SIDE_PROPPED),
    (r"^flat_(in|on)_", events.Rest.FLAT),
)
"""The same in longer phrases, the first that fits."""
_MEANS: Final = {
    "chips": events.Instrument.CHIPS,
    "chip": events.Instrument.CHIPS,
    "gaming_chips": events.Instrument.CHIPS,
    "value_chips": events.Instrument.CHIPS,
    "value_chip": events.Instrument.CHIPS,
    "plaques": events.Instrument.PLAQUES,
    "plaque": events.Instrument.PLAQUES,
    "cash": events.Instrument.CASH,
    "verbal_cash": events.Instrument.SPOKEN_WITH_CASH,
    "cash_verbal": events.Instrument.SPOKEN_WITH_CASH,
    "verbal": events.Instrument.SPOKEN_WITH_CASH,
    "verbal_with_cash": events.Instrument.SPOKEN_WITH_CASH,
    "spoken": events.Instrument.SPOKEN_WITH_CASH,
    "spoken_cash": events.Instrument.SPOKEN_WITH_CASH,
    "spoken_with_cash": events.Instrument.SPOKEN_WITH_CASH,
    "electronic_credit": events.Instrument.ELECTRONIC_CREDIT,
}
_DEVICES: Final = {
    "electrical_device": events.Device.ELECTRICAL_DEVICE,
    "electronic_device": events.Device.ELECTRICAL_DEVICE,
    "device": events.Device.ELECTRICAL_DEVICE,
    "display_area": events.Device.DISPLAY_AREA,
    "display": events.Device.DISPLAY_AREA,
    "area": events.Device.DISPLAY_AREA,
    "automated_shaker": events.Device.AUTOMATED_SHAKER,
    "automated_dice_shaker": events.Device.AUTOMATED_SHAKER,
    "wheel": events.Device.WHEEL,
    "clapper": events.Device.WHEEL,
}
_SETTLED: Final = {
    "won": events.SettledAs.WON,
    "win": events.SettledAs.WON,
    "paid": events.SettledAs.WON,
    "lost": events.SettledAs.LOST,
    "taken": events.SettledAs.LOST,
    "returned": events.SettledAs.RETURNED,
    "push": events.SettledAs.RETURNED,
}


def _word(table: dict[str, T], word: Any, what: str) -> T:
    found = table.get(plain(str(word)))
    if found is None:
        raise NotTranslatable(f"not a word for {what}: {word!r}")
    return found


def role(word: Any) -> events.Role:
    """A person's function."""
    return _word(_ROLES, word, "a role")


def is_role(word: Any) -> bool:
    """Whether a word names a function rather than a person."""
    return plain(str(word)) in _ROLES


def rest(word: Any) -> events.Rest:
    """How a die lies; not recorded is neither flat nor not."""
    if word is None:
        return events.Rest.UNRECOGNISED
    said = plain(str(word))
    if said not in _RESTS:
        for pattern, lies in _RESTS_SAID:
            if re.search(pattern, said):
                return lies
    return _word(_RESTS, word, "how a die rests")


def means(word: Any) -> events.Instrument | None:
    """What a wager was made with."""
    if word is None:
        return None
    said = plain(str(word))
    if "cash" in said and re.search(r"verbal|spoken|oral", said):
        return events.Instrument.SPOKEN_WITH_CASH
    return _word(_MEANS, word, "what a wager is made with")


def device(word: Any) -> events.Device:
    """Equipment that can fail."""
    return _word(_DEVICES, word, "a device")


def settled_as(word: Any) -> events.SettledAs:
    """What the house did."""
    return _word(_SETTLED, word, "a settlement")


def direction(word: Any) -> events.Direction | None:
    """Which way a wheel turned."""
    if word is None:
        return None
    clockwise = plain(str(word))
    if clockwise in {"counterclockwise", "anticlockwise", "counter_clockwise", "anti_clockwise"}:
        return events.Direction.COUNTERCLOCKWISE
    if clockwise == "clockwise":
        return events.Direction.CLOCKWISE
    raise NotTranslatable(f"not a direction: {word!r}")


def shaker_kind(word: Any) -> events.ShakerKind | None:
    """Manual or automated, where a shaker's name says so."""
    words = plain(str(word))
    if "auto" in words:
        return events.ShakerKind.AUTOMATED
    return events.ShakerKind.MANUAL if "manual" in words else None


def thousandths(value: Any) -> int | None:
    """A number in thousandths, cut, never rounded up: 2.9999 is not 3."""
    if value is None:
        return None
    try:
        return int(Fraction(str(value)) * 1000 // 1)
    except (ValueError, ZeroDivisionError) as error:
        raise NotTranslatable(f"not a number: {value!r}") from error
