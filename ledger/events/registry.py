"""Every fact by name: the union of all, and the subject of each."""

from __future__ import annotations

from typing import Final, get_args

from ledger.events import dice, house, tables, wagers, wheel

Fact = (
    tables.TableOpened
    | tables.TableClosed
    | tables.ItemInspected
    | tables.DeviceInspected
    | tables.LimitsSet
    | tables.LimitsSignPosted
    | tables.LimitsSignRemoved
    | tables.LimitsChangeAnnounced
    | tables.PatronsCounted
    | tables.StaffAssigned
    | tables.StaffRelieved
    | tables.SupervisorPresent
    | tables.PositionTaken
    | tables.PositionLeft
    | tables.CameraAssigned
    | tables.CameraLost
    | tables.CameraRestored
    | tables.CashChanged
    | tables.OpenerCounted
    | tables.CloserCounted
    | tables.FillDelivered
    | tables.CreditTaken
    | tables.DropBoxHung
    | tables.DropBoxRemoved
    | tables.DropBoxCounted
    | dice.DiceSetPlaced
    | dice.DiceSetRemoved
    | dice.ShakerPlaced
    | dice.ShakerRemoved
    | dice.ShakerCovered
    | dice.ShakerUncovered
    | dice.DiceShaken
    | dice.DiceThrown
    | dice.RollCalled
    | dice.ValuesEntered
    | dice.AreasLit
    | dice.LightsCleared
    | dice.DeviceFailed
    | dice.DeviceFixed
    | dice.NoRollCalled
    | dice.RoundVoided
    | wheel.WheelPlaced
    | wheel.WheelRemoved
    | wheel.WheelSpun
    | wheel.SpinVoided
    | wheel.SpinCalled
    | wagers.BettingOpened
    | wagers.NoMoreBetsAnnounced
    | wagers.WagerPlaced
    | wagers.WagerIncreased
    | wagers.WagerMoved
    | wagers.WagerRefused
    | wagers.WagerTakenDown
    | wagers.TakeDownRefused
    | wagers.WagerReturned
    | wagers.WagerSettled
    | house.PropertyDescribed
    | house.SourceRegistered
    | house.ClockChecked
    | house.GameApproved
    | house.RulesSubmissionFiled
    | house.RulesSubmissionApproved
    | house.LayoutApproved
    | house.EquipmentApproved
    | house.SignApproved
    | house.PersonCredentialled
    | house.GamingDayClosed
)
"""Any fact."""

EVENTS: Final[dict[str, type[Fact]]] = {cls.__name__: cls for cls in get_args(Fact)}
"""The newest version of each fact, by name."""

SUBJECTS: Final[dict[str, str]] = {
    name: cls.__module__.rpartition(".")[2] for name, cls in EVENTS.items()
}
"""Subject of each fact, by its name: the module it stands in."""
