"""Tables for rows that no worked example tells: what their words cannot say, in facts of our own.

Each scene is in order but for what its name says; beside it stands what the audit must find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from ledger.audit import FormDesk, audit_day
from ledger.replay import Replay
from tests.coupons import forms_scene
from tests.engine import LAYOUT, OPENED, SECTION, Scene, dreamcatcher, roll, said, sic_bo, spin

BEFORE: Final = OPENED - 300


def _dice() -> Scene:
    """One round of Sic Bo in order: Small on 2-3-4."""
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    roll(scene, 20, 2, 3, 4)
    scene.won(30, "W1", 1_000)
    scene.add("LightsCleared", 32)
    return scene


def _wheel(*shown: str) -> Scene:
    """A round of Dreamcatcher in order: a wager on 1."""
    scene = dreamcatcher()
    scene.add("BettingOpened", 0)
    scene.wager(1, "1")
    spin(scene, 20, *(shown or ("1",)))
    if not shown:
        scene.won(30, "W1", 1_000)
    return scene


def _shaker_lacks(item: str) -> Callable[[], Scene]:
    return lambda: _dice().change("ItemInspected", {"subject": "SHAKER", "item": item}, found=False)


def _automated(**cover: bool) -> Scene:
    """The same round with an automated shaker; ``found`` says whether it had a cover of its own."""
    scene = _dice().drop("ShakerCovered").drop("ShakerUncovered")
    scene.change("ShakerPlaced", kind="AUTOMATED")
    scene.change("DiceShaken", kind="AUTOMATED", shakes=None)
    scene.change("ItemInspected", {"subject": "SHAKER", "item": "cover_opaque"}, found=False)
    scene.house(
        "EquipmentApproved", -4 * 3600,
        equipment="S-1", bureau="GAMING_LABORATORY_OPERATIONS", withdrawn=False,
    )  # fmt: skip
    scene.add(
        "DeviceInspected", BEFORE, device="AUTOMATED_SHAKER", device_id="S-1", inspected_by="F1",
        operations=3, tossed_properly=True, working=True,
    )  # fmt: skip
    return scene


def _dice_seen(inside: bool) -> Scene:
    scene = _dice()
    scene.add(
        "ItemInspected", BEFORE, subject="DICE", subject_id="S-1", item="inside_shaker",
        found=inside, seen=[], inspected_by="F1",
    )  # fmt: skip
    return scene


def _found_in_play(subject: str, thing: str, item: str) -> Scene:
    """An inspection shortly before the round finds a thing wrong."""
    scene = _dice()
    scene.add(
        "ItemInspected", -5, subject=subject, subject_id=thing, item=item,
        found=False, seen=[], inspected_by="F1",
    )  # fmt: skip
    return scene


def _neither_device_nor_trial() -> Scene:
    scene = _dice().drop("DeviceInspected")
    return scene.change("ItemInspected", {"item": "present"}, found=False)


def _another_game(*, approved: bool | None) -> Scene:
    scene = sic_bo()
    scene.lines = [line for line in scene.lines if line.stream == "house"]
    scene.add("TableOpened", 0, game="Chuck-a-Luck", layout=LAYOUT, paytable=None, capture="COUNTS")
    if approved is not None:
        scene.house(
            "GameApproved", -3600, game="Chuck-a-Luck",
            requested_time=lambda s: s.noon - 86_400_000_000,
            approved_time=lambda s: s.noon - 3_700_000_000 if approved else None, approved_by="ED",
        )  # fmt: skip
    return scene


def _filed(*odds: tuple[str, str | None, str]) -> Callable[[], Scene]:
    def build() -> Scene:
        scene = sic_bo(odds=odds)
        scene.add("BettingOpened", 0)
        return scene

    return build


def _requested(approved: bool, *, decided: float = -3600) -> Scene:
    """The wager that the chapter lacks was asked for, and decided on before the table opened."""
    scene = _filed(("Odd Totals", None, "1:1"))()
    scene.house(
        "GameRequestFiled", -4 * 3600, request="R-1", kind="WAGER", game="Sic Bo",
        feature="Odd Totals", addressed_to="Executive Director", description=True,
        rules_of_play=True, rules_of_wagering=True, reason="asked for", jurisdictions=[],
        intellectual_property="none",
    )  # fmt: skip
    scene.house("RequestDecided", decided, request="R-1", approved=approved)
    return scene


def _requested_and_played(approved: bool) -> Scene:
    """That wager is placed, wins at its filed odds and is paid; no row can settle it."""
    scene = _requested(approved=approved)
    scene.wager(1, "Odd Totals")
    roll(scene, 20, 2, 3, 4)
    scene.won(30, "W1", 1_000)
    scene.add("LightsCleared", 32)
    return scene


def _trial(**said: object) -> Callable[[], Scene]:
    return lambda: _dice().change("DeviceInspected", **said)


def _short_spin_left() -> Scene:
    """Under three turns, and the next round begins: nobody spun again."""
    scene = _wheel("1")
    scene.change("WheelSpun", revolutions_thousandths=2_990)
    scene.drop("SpinCalled")
    scene.add("BettingOpened", 100)
    return scene


def _first_multiplier_left() -> Scene:
    """The wheel stops on the 7x, and the next round begins."""
    scene = _wheel("7x")
    scene.add("BettingOpened", 100)
    return scene


def _index_says_another() -> Scene:
    """The section recorded is that of a 5, the call says 1."""
    scene = _wheel("1").change("WheelSpun", section=SECTION["5"], symbols=["5"])
    scene.lost(30, "W1")
    return scene


@dataclass(frozen=True)
class SignedForm:
    """The daily form of a day of coupons, signed by its supervisor; ``late``: a fact came after."""

    late: bool

    def said(self) -> list[str]:
        """What the audit says of the signed form."""
        given = forms_scene.scene()
        own = FormDesk.open(forms_scene.memory(given.facts))
        fact = forms_scene.signed(own, own.issue("daily", forms_scene.DAY))
        facts = [*given.facts, fact, *([given.late] if self.late else [])]
        audit = audit_day(Replay(forms_scene.memory(facts)), forms_scene.DAY)
        return said(one for one in audit.findings if one.code == "form_superseded")


class Told(Protocol):
    """Anything of which the audit says something."""

    def said(self) -> list[str]:
        """The findings in short."""


SCENES: Final[dict[str, tuple[Callable[[], Told], tuple[str, ...]]]] = {
    # nothing to find
    "dice-in-order": (_dice, ()),
    "wheel-in-order": (_wheel, ()),
    # what no chapter has
    "game-of-no-chapter": (lambda: _another_game(approved=None), ("game_not_approved 521.4 ?",)),
    "game-of-no-chapter-refused": (
        lambda: _another_game(approved=False),
        ("game_not_approved 521.4",),
    ),
    "game-of-no-chapter-approved": (lambda: _another_game(approved=True), ()),
    "wager-of-no-chapter-filed": (
        _filed(("Odd Totals", None, "1:1")),
        ("wager_not_approved 521.4",),
    ),
    "wager-of-no-chapter-on-request": (lambda: _requested(approved=True), ()),
    "wager-of-no-chapter-on-a-request-denied": (
        lambda: _requested(approved=False),
        ("wager_not_approved 521.4",),
    ),
    "wager-of-no-chapter-played-on-request": (lambda: _requested_and_played(approved=True), ()),
    "wager-of-no-chapter-played": (
        lambda: _requested_and_played(approved=False),
        ("wager_not_approved 521.4", "wager_not_offered 539.3"),
    ),
    "wager-of-no-chapter-approved-too-late": (
        lambda: _requested(approved=True, decided=OPENED + 1),
        ("wager_not_approved 521.4",),
    ),
    "filed-as-the-chapter-has-it": (_filed(("Small Bet", None, "1:1")), ()),
    # the shaker and its dice
    "shaker-compartment-not-transparent": (
        _shaker_lacks("compartment_transparent"),
        ("equipment_not_approved 539.1(d)(1)(i)",),
    ),
    "shaker-cover-not-opaque": (
        _shaker_lacks("cover_opaque"),
        ("equipment_not_approved 539.1(d)(1)(i)",),
    ),
    "shaker-cannot-be-sealed": (
        _shaker_lacks("sealable"),
        ("equipment_not_approved 539.1(d)(1)(ii)",),
    ),
    "shaker-without-a-name": (
        _shaker_lacks("holder_name_or_logo"),
        ("equipment_not_approved 539.1(d)(1)(iii)",),
    ),
    "automated-shaker-without-a-cover": (_automated, ()),
    "dice-outside-the-shaker": (
        lambda: _dice_seen(inside=False),
        ("dice_outside_shaker 539.2(a)",),
    ),
    "dice-inside-the-shaker": (lambda: _dice_seen(inside=True), ()),
    "dice-outside-the-shaker-in-play": (
        lambda: _found_in_play("DICE", "S-1", "inside_shaker"),
        ("dice_outside_shaker 539.2(a)",),
    ),
    "layout-loses-its-name-in-play": (
        lambda: _found_in_play("LAYOUT", LAYOUT, "holder_name_or_logo"),
        ("layout_incomplete 539.1(c)(1)",),
    ),
    "shaker-unsealable-in-play": (
        lambda: _found_in_play("SHAKER", "S-1", "sealable"),
        ("equipment_not_approved 539.1(d)(1)(ii)",),
    ),
    "neither-device-nor-trial": (
        _neither_device_nor_trial,
        ("device_missing 539.1(b)", "inspection_missing 539.5(a)"),
    ),
    # the trial before opening
    "trial-lit-wrongly": (_trial(lit_properly=False), ("opened_with_fault 539.5(a)",)),
    "trial-lights-not-recorded": (
        _trial(lit_properly=None),
        ("inspection_incomplete 539.5(a)(1) ?",),
    ),
    # spins that owe another
    "short-spin-and-a-new-round": (_short_spin_left, ("void_spin_not_respun 689.2(b)",)),
    "multiplier-and-a-new-round": (_first_multiplier_left, ("bonus_spin_missing 689.1(d)",)),
    # a form of the coupon program that was signed
    "signed-form-that-changed": (lambda: SignedForm(late=True), ("form_superseded 525.21(j)(8)",)),
    "signed-form-as-it-was": (lambda: SignedForm(late=False), ()),
    "index-of-another-section": (_index_says_another, ("wrong_call 689.1(b)",)),
}


def names() -> Iterator[str]:
    """The scenes by name."""
    yield from SCENES


def breaching(name: str) -> bool:
    """Whether something must be found."""
    return bool(SCENES[name][1])


def found(name: str) -> list[str]:
    """What the audit says of a scene, as the product now stands."""
    return SCENES[name][0]().said()
