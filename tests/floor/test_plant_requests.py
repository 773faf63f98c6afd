"""Each plant changes what it says, and nothing else; the truth names what is there to be found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from ledger.events import Fact, GamingDayClosed
from ledger.floor import KINDS, Plant, TruthRow, simulate
from ledger.floor.table_state import Kind
from ledger.floor.tables import TABLES
from ledger.kernel import UsageError, table_of

from .changed_dice import CHANGED as CHANGED_DICE
from .conftest import SEED
from .conftest import draw as draw_at
from .test_honest_money import MONEY_TABLES, chip_gap, settlement_differences

# What each kind takes from the honest day and puts in its place, by the names of the facts.
# Closing counts and control totals, which follow from it, are left out.
SERVICE = (
    "ServiceDescribed", "ServiceSubmitted", "ServiceLaboratoryDecided", "LaboratoryCostsPaid", "GameRequestFiled",
    "RequestDecided", "ProviderApplicationFiled", "ProviderCertified", "ServiceUsed", "ServiceUseEnded",
)  # fmt: skip
CHANGED = {
    "overpaid": ("WagerSettled", "WagerSettled"),
    "underpaid": ("WagerSettled", "WagerSettled"),
    "losing_wager_not_taken": ("WagerSettled", "WagerSettled"),
    "wager_left_unsettled": ("WagerSettled", ""),
    "winner_taken": ("WagerSettled", "WagerSettled"),
    "settled_twice": ("", "WagerSettled"),
    "multiplier_not_applied": ("WagerSettled", "WagerSettled"),
    "over_limit": ("WagerPlaced WagerSettled", "WagerPlaced WagerSettled"),
    "under_limit": ("WagerPlaced WagerSettled", "WagerPlaced WagerSettled"),
    "cash_wager": ("WagerPlaced", "WagerPlaced"),
    "late_wager": ("WagerPlaced", "WagerPlaced"),
    "late_take_down": ("WagerSettled", "WagerTakenDown"),
    "paid_before_collecting": ("WagerSettled*", "WagerSettled*"),
    "missing_no_more_bets": ("NoMoreBetsAnnounced", ""),
    "recorded_by_stranger": ("NoMoreBetsAnnounced", "NoMoreBetsAnnounced"),
    "two_shakes": ("DiceShaken", "DiceShaken"),
    "two_revolutions": ("WheelSpun", "WheelSpun"),
    "spun_by_patron": ("WheelSpun", "WheelSpun"),
    "wrong_result_called": ("RollCalled|SpinCalled", "RollCalled|SpinCalled"),
    "no_roll_not_called": ("DiceThrown", "DiceThrown"),
    "no_roll_without_cause": ("RollCalled ValuesEntered AreasLit LightsCleared WagerSettled*", "NoRollCalled WagerSettled*"),
    "lights_not_cleared": ("LightsCleared", ""),
    "device_fault_unsupervised": ("SupervisorPresent", ""),
    "table_closed_with_open_round": ("WagerSettled*", ""),
    "lost_event": ("RollCalled|SpinCalled|AreasLit|WagerSettled", ""),
    "conflicting_event": ("", "RollCalled|SpinCalled|WagerSettled"),
    "shaker_unattended": ("StaffAssigned StaffRelieved", "StaffAssigned StaffRelieved"),
    "inspection_missing": ("DeviceInspected", ""),
    "inspection_by_wrong_person": ("DeviceInspected", "DeviceInspected"),
    "limit_changed_without_notice": ("LimitsSignPosted LimitsChangeAnnounced LimitsSignRemoved", ""),
    "limits_sign_missing": ("LimitsSignPosted LimitsSignRemoved", ""),
    "limits_not_announced": ("LimitsChangeAnnounced", ""),
    "dice_over_24_hours": ("", "StaffAssigned DiceSetPlaced DiceSetRemoved StaffRelieved"),
    "paytable_below_floor": ("RulesSubmissionFiled ItemInspected WagerSettled*", "RulesSubmissionFiled ItemInspected WagerSettled*"),
    "unapproved_layout": ("LayoutApproved", ""),
    "unapproved_shaker": ("EquipmentApproved", ""),
    "unapproved_sign": ("SignApproved", ""),
    **{
        kind: ("", " ".join(word for word in SERVICE if word not in missing))
        for kind, missing in (
            ("service_uncertified", ("ProviderApplicationFiled", "ProviderCertified")),
            ("service_not_tested", ("ServiceLaboratoryDecided",)),
            ("service_costs_unpaid", ("LaboratoryCostsPaid",)),
            ("service_not_permitted", ("RequestDecided",)),
        )
    },
    "deck_not_shuffled": ("CardsShuffled", ""),
    "second_joker_left": ("SecondJokerRemoved", ""),
    "deck_not_verified": ("DeckInspectionVerified", ""),
    "start_miscounted": ("DealBegan CardsDealt", "DealBegan CardsDealt"),
    "dice_mistotalled": ("DiceTotalAnnounced", "DiceTotalAnnounced"),
    "start_shaken_twice": ("DiceShaken", "DiceShaken"),
    "start_die_leaning": ("DiceThrown", "DiceThrown"),
    "stub_shown": ("", "RemainingCardsExposed"),
    "empty_stack_shown": ("", "HandExposed"),
    "dealer_card_shown": ("", "HandExposed"),
    "surrendered_cards_shown": ("SurrenderedCardsCounted", "SurrenderedCardsCounted"),
    "dealer_set_otherwise": ("HandSet", "HandSet"),
    "hands_touched_again": ("", "HandSet"),
    "surrender_with_bonus": ("", "HandSurrendered"),
    "bonus_settled_first": ("WagerSettled WagerSettled", "WagerSettled WagerSettled"),
    "maximum_too_low": ("AsiaPokerOptionsFiled ItemInspected", "AsiaPokerOptionsFiled ItemInspected"),
    "house_way_missing": ("HouseWayFiled", ""),
    **CHANGED_DICE,
    "fill_not_recorded": ("FillDelivered", ""),
    "wrong_closer": ("", ""),
    "box_count_short": ("DropBoxCounted", "DropBoxCounted"),
}  # fmt: skip
ASKED = {
    "overpaid", "underpaid", "losing_wager_not_taken", "late_wager", "missing_no_more_bets", "two_shakes",
    "two_revolutions", "wrong_result_called", "over_limit", "limit_changed_without_notice", "paytable_below_floor",
    "settled_twice", "lost_event", "conflicting_event", "table_closed_with_open_round", "dice_over_24_hours",
}  # fmt: skip


SIC_BO_BY_OUTCOME = next(spec for spec in TABLES if spec.name == "SB-03")
SCALE = 0.3
FULL = pytest.mark.full


def scale_of(kind: str) -> float:
    """Short days do, but where limits change with patrons playing or dice grow old."""
    known = KINDS[kind.partition("@")[0]]
    return SCALE if known.notice or known.eve or known.last_round or known.step in _LONG else 0.12


_LONG = (Kind.LIMITS, Kind.RELIEF)


def draw(
    *plants: str, days: int = 1, scale: float | None = None
) -> tuple[tuple[Fact, ...], tuple[TruthRow, ...]]:
    own = scale_of(plants[0]) if len(plants) == 1 else SCALE
    return draw_at(*plants, days=days, scale=own if scale is None else scale)


def bare(facts: tuple[Fact, ...], *, without_house: bool = False) -> Counter[Fact]:
    """Facts without their numbers; a set of facts, not an order."""
    return Counter(
        replace(fact, seq=0)
        for fact in facts
        if not isinstance(fact, GamingDayClosed) and type(fact).__name__ != "CloserCounted"
        and not (without_house and fact.stream == "house")
    )  # fmt: skip


def matches(facts: Counter[Fact], pattern: str) -> bool:
    """Whether the names are those of the pattern: ``*`` any number of one, ``|`` one of several."""
    left = Counter(type(fact).__name__ for fact in facts.elements())
    for word in pattern.split():
        if word.endswith("*"):
            left.pop(word[:-1], None)
            continue
        name = next((name for name in word.split("|") if left[name]), None)
        if name is None:
            return False
        left[name] -= 1
    return not +left


def named(facts: tuple[Fact, ...], row: TruthRow) -> list[Fact]:
    return [fact for fact in facts if fact.stream == row["stream"] and fact.seq in row["seq"]]


def test_the_table_of_changes_is_complete() -> None:
    assert set(CHANGED) == set(KINDS)
    assert set(KINDS) >= ASKED


@pytest.mark.parametrize(
    "kind",
    [
        kind if number % 12 == 0 else pytest.param(kind, marks=FULL)
        for number, kind in enumerate(sorted(KINDS))
    ],
)
def test_a_planted_day(kind: str) -> None:
    """What a plant changes, what its truth names, the numbers of facts, and the chips."""
    planted, truth = draw(kind)
    it_changes_only_what_it_says(kind, planted, truth)
    truth_names_facts_that_are_there(planted, truth)
    if kind != "lost_event":
        numbers_have_no_holes(planted, twice=kind == "conflicting_event")
    if kind not in ("lost_event", "conflicting_event", "fill_not_recorded", "wrong_closer"):
        assert [chip_gap(planted, table) for table in MONEY_TABLES] == [0] * len(MONEY_TABLES)


Facts = tuple[Fact, ...]


def it_changes_only_what_it_says(kind: str, planted: Facts, truth: tuple[TruthRow, ...]) -> None:
    honest = draw(scale=scale_of(kind))[0]
    eve = KINDS[kind].eve
    before, after = bare(honest, without_house=eve), bare(planted, without_house=eve)
    gone, come = CHANGED[kind]
    assert matches(before - after, gone), before - after
    assert matches(after - before, come), after - before
    assert truth
    for row in truth:
        assert row["kind"] == kind
        assert row["gaming_day"] == "2021-06-12"
        assert row["detectable"]
        assert row["why"] is None
    assert truth[0]["code"] == KINDS[kind].code


def truth_names_facts_that_are_there(planted: Facts, truth: tuple[TruthRow, ...]) -> None:
    openings = {f"{f.stream}:{f.seq}" for f in planted if type(f).__name__ == "BettingOpened"}
    for row in truth:
        facts = named(planted, row)
        if row["code"] == "gap":
            assert facts == []
        elif row["code"] == "conflict":
            assert len(facts) == 2
            assert facts[0] != facts[1]
        else:
            assert len(facts) == len(row["seq"]) > 0
        assert row["round"] is None or row["round"] in openings
        assert ("unknown_rounds" in row) == (row["code"] in ("gap", "conflict"))


def numbers_have_no_holes(planted: Facts, *, twice: bool) -> None:
    last: Counter[str] = Counter()
    for fact in planted:
        assert fact.seq in (last[fact.stream] + 1, last[fact.stream] if twice else -1)
        last[fact.stream] = fact.seq


def test_a_lost_event_leaves_one_hole() -> None:
    facts, truth = draw("lost_event")
    row = truth[0]
    seqs = [fact.seq for fact in facts if fact.stream == row["stream"]]
    assert sorted(set(range(1, max(seqs) + 1)) - set(seqs)) == row["seq"]


MONEY_KINDS = (
    "overpaid", "underpaid", "losing_wager_not_taken", "wager_left_unsettled", "winner_taken", "multiplier_not_applied", "late_take_down", "no_roll_without_cause", "no_roll_not_called", "table_closed_with_open_round",
     "overpaid@AP-01", "underpaid@AP-02", "losing_wager_not_taken@AP-02", "winner_taken@AP-01", "dealer_card_shown",
)  # fmt: skip
NO_MONEY_KINDS = (
    "cash_wager", "late_wager", "over_limit", "under_limit", "two_shakes", "wrong_result_called",
    "paid_before_collecting", "dealer_set_otherwise", "hands_touched_again", "surrender_with_bonus",
    "bonus_settled_first", "start_miscounted",
)  # fmt: skip


@pytest.mark.parametrize(
    "kinds",
    [*(pytest.param((kind,), marks=FULL) for kind in MONEY_KINDS), MONEY_KINDS],
    ids=lambda kinds: kinds[0] if len(kinds) == 1 else "all kinds",
)
def test_an_independent_settlement_finds_the_money_and_nothing_else(kinds: tuple[str, ...]) -> None:
    """All kinds on one day; each alone in the long run."""
    facts, truth = draw(*kinds)
    different = settlement_differences(facts)
    assert {row["round"] for row in truth} == {place for place, _ in different}
    rows = [
        row for row in truth if row["code"] not in ("no_roll_not_called", "no_roll_without_cause")
    ]
    assert len(different) == len(rows)


@pytest.mark.parametrize(
    "kinds",
    [*(pytest.param((kind,), marks=FULL) for kind in NO_MONEY_KINDS), NO_MONEY_KINDS],
    ids=lambda kinds: kinds[0] if len(kinds) == 1 else "all kinds",
)
def test_an_independent_settlement_finds_no_money_where_none_is_wrong(
    kinds: tuple[str, ...],
) -> None:
    facts, truth = draw(*kinds)
    assert {row["kind"] for row in truth} == set(kinds)
    assert settlement_differences(facts) == []


def test_many_plants_over_several_days_stand_apart() -> None:
    asked = (
        "overpaid:10",
        "late_wager:5",
        "wrong_result_called:5@DC-01",
        "shaker_unattended:3",
        "lost_event:2",
    )
    _, truth = draw(*asked, days=3, scale=0.3)
    assert Counter(row["kind"] for row in truth if row["code"] != "win_differs") == {
        "overpaid": 10, "late_wager": 5, "wrong_result_called": 5, "shaker_unattended": 3, "lost_event": 2,
    }  # fmt: skip
    places = [row["round"] for row in truth if row["round"]]
    assert len(set(places)) == len(places)
    assert len({row["gaming_day"] for row in truth}) > 1


def test_all_kinds_together_on_one_day() -> None:
    planted, truth = draw(*sorted(KINDS), scale=1.0)
    assert {row["kind"] for row in truth} == set(KINDS)
    assert len(planted) > 40_000


@pytest.mark.parametrize("seed", [pytest.param(0, marks=FULL), pytest.param(1, marks=FULL), SEED])
def test_a_hole_in_the_record_covers_up_no_other_plant(seed: int) -> None:
    if seed == SEED:  # the day of all kinds, drawn already
        facts, truth = draw(*sorted(KINDS), scale=1.0)
    else:
        simulation = simulate(seed, plants=[Plant.parse(kind) for kind in sorted(KINDS)])
        facts, truth = tuple(simulation.facts), simulation.truth
    at = {(fact.stream, fact.seq): fact.event_time for fact in facts}
    leaning: dict[str, int] = {}
    for row in truth:
        table = table_of(row["stream"])
        if KINDS[row["kind"]].leans:
            when = max(at[row["stream"], seq] for seq in row["seq"])
            leaning[table] = max(leaning.get(table, 0), when)
    for row in truth:
        if row["code"] in ("gap", "conflict"):
            stream, _, seq = (row["round"] or "").rpartition(":")
            assert at[stream, int(seq)] > leaning.get(table_of(stream), 0)


def test_lasting_plants_are_found_every_day() -> None:
    _, truth = draw("unapproved_layout@DC-02", "unapproved_shaker@SB-01", days=3, scale=0.1)
    assert Counter(row["code"] for row in truth) == {
        "layout_not_approved": 3,
        "equipment_not_approved": 3,
    }


def test_a_paytable_below_the_floor_lists_each_wager_paid_by_it() -> None:
    _, truth = draw("paytable_below_floor", scale=SCALE)
    assert [row["code"] for row in truth[:1]] == ["paytable_below_floor"]
    assert len(truth) > 1
    assert {row["code"] for row in truth[1:]} == {"wager_underpaid"}


@pytest.mark.row_by_row
@pytest.mark.parametrize("kind", sorted(name for name, kind in KINDS.items() if kind.wagers))
def test_what_the_capture_level_cannot_show_is_said(kind: str) -> None:
    plant = f"{kind}@SB-03"
    if not KINDS[kind].game(SIC_BO_BY_OUTCOME):
        with pytest.raises(UsageError):
            draw(plant)
        return
    planted, truth = draw(plant)
    assert planted == draw(scale=scale_of(kind))[0]
    assert [row["detectable"] for row in truth] == [False]
    assert truth[0]["seq"] == []
    assert "records outcomes only" in (truth[0]["why"] or "")


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "kind",
    [
        "missing_no_more_bets",
        "two_shakes",
        "wrong_result_called",
        "no_roll_not_called",
        "shaker_unattended",
        "inspection_missing",
        "dice_over_24_hours",
        "lost_event",
        "unapproved_layout",
    ],
)
def test_what_the_capture_level_shows_is_found_there(kind: str) -> None:
    _, truth = draw(f"{kind}@SB-03")
    assert len(truth) == 1
    assert truth[0]["detectable"]
    assert truth[0]["stream"].startswith("SB-03")


@pytest.mark.parametrize(
    ("text", "plant"),
    [
        ("overpaid", Plant("overpaid")),
        ("overpaid:3", Plant("overpaid", 3)),
        ("lost_event@DC-01", Plant("lost_event", 1, "DC-01")),
        ("lost_event:2@DC-01", Plant("lost_event", 2, "DC-01")),
    ],
)
def test_plants_are_read(text: str, plant: Plant) -> None:
    assert Plant.parse(text) == plant


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "text",
    [
        "",
        "camera",
        "overpaid:",
        "overpaid:0",
        "overpaid:-1",
        "overpaid:x",
        "overpaid:1001",
        "overpaid:²",
        "overpaid@",
        "overpaid@SB-09",
        "overpaid:3@",
    ],
)
def test_what_is_no_plant_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Plant.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "two_shakes@SB-02",
        "paytable_below_floor@DC-01",
        "dice_over_24_hours:4",
        "inspection_missing:9",
        "deck_not_shuffled@AP-02",
        "wrong_result_called@AP-01",
    ],
)
def test_what_finds_no_place_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        assert sum(1 for _ in simulate(1, plants=[Plant.parse(text)]).facts)
