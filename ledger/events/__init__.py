"""Facts: one frozen dataclass per published schema, and the closed words they use."""

from __future__ import annotations

from typing import Final

from ledger.events.tables import (CameraAssigned, CameraLost, CameraRestored, CashChanged, CloserCounted, CreditTaken, DeviceInspected, DropBoxCounted, DropBoxHung, DropBoxRemoved, FillDelivered, ItemInspected, LimitsChangeAnnounced, LimitsSet, LimitsSignPosted, LimitsSignRemoved, OpenerCounted, PatronsCounted, PositionLeft, PositionTaken, StaffAssigned, StaffRelieved, SupervisorPresent, TableClosed, TableOpened)
from ledger.events.dice import (AreasLit, DeviceFailed, DeviceFixed, DiceSetPlaced, DiceSetRemoved, DiceShaken, DiceThrown, LightsCleared, NoRollCalled, RollCalled, RoundVoided, ShakerCovered, ShakerPlaced, ShakerRemoved, ShakerUncovered, ValuesEntered)
from ledger.events.wheel import (SpinCalled, SpinVoided, WheelPlaced, WheelRemoved, WheelSpun)
from ledger.events.wagers import (BettingOpened, NoMoreBetsAnnounced, TakeDownRefused, WagerIncreased, WagerMoved, WagerPlaced, WagerRefused, WagerReturned, WagerSettled, WagerTakenDown)
from ledger.events.house import (ClockChecked, EquipmentApproved, GameApproved, GamingDayClosed, LayoutApproved, PersonCredentialled, PropertyDescribed, RulesSubmissionApproved, RulesSubmissionFiled, SignApproved, SourceRegistered)
from ledger.events.enums import (Bureau, Capture, Clapper, Device, Direction, Instrument, LimitScope, Rest, Role, Rounding, SettledAs, ShakerKind, Subject)
from ledger.events.parts import (Breakage, CouponLaid, DenominationCount, Die, DieIdentity, FiledOdds, PayoutLimit, ReadingChosen, SectionOdds, Seen, StreamEnd)

Fact = (
    TableOpened
    | TableClosed
    | ItemInspected
    | DeviceInspected
    | LimitsSet
    | LimitsSignPosted
    | LimitsSignRemoved
    | LimitsChangeAnnounced
    | PatronsCounted
    | StaffAssigned
    | StaffRelieved
    | SupervisorPresent
    | PositionTaken
    | PositionLeft
    | CameraAssigned
    | CameraLost
    | CameraRestored
    | CashChanged
    | OpenerCounted
    | CloserCounted
    | FillDelivered
    | CreditTaken
    | DropBoxHung
    | DropBoxRemoved
    | DropBoxCounted
    | DiceSetPlaced
    | DiceSetRemoved
    | ShakerPlaced
    | ShakerRemoved
    | ShakerCovered
    | ShakerUncovered
    | DiceShaken
    | DiceThrown
    | RollCalled
    | ValuesEntered
    | AreasLit
    | LightsCleared
    | DeviceFailed
    | DeviceFixed
    | NoRollCalled
    | RoundVoided
    | WheelPlaced
    | WheelRemoved
    | WheelSpun
    | SpinVoided
    | SpinCalled
    | BettingOpened
    | NoMoreBetsAnnounced
    | WagerPlaced
    | WagerIncreased
    | WagerMoved
    | WagerRefused
    | WagerTakenDown
    | TakeDownRefused
    | WagerReturned
    | WagerSettled
    | PropertyDescribed
    | SourceRegistered
    | ClockChecked
    | GameApproved
    | RulesSubmissionFiled
    | RulesSubmissionApproved
    | LayoutApproved
    | EquipmentApproved
    | SignApproved
    | PersonCredentialled
    | GamingDayClosed
)
"""Any fact."""

SUBJECTS: Final[dict[str, str]] = {
    "TableOpened": "tables",
    "TableClosed": "tables",
    "ItemInspected": "tables",
    "DeviceInspected": "tables",
    "LimitsSet": "tables",
    "LimitsSignPosted": "tables",
    "LimitsSignRemoved": "tables",
    "LimitsChangeAnnounced": "tables",
    "PatronsCounted": "tables",
    "StaffAssigned": "tables",
    "StaffRelieved": "tables",
    "SupervisorPresent": "tables",
    "PositionTaken": "tables",
    "PositionLeft": "tables",
    "CameraAssigned": "tables",
    "CameraLost": "tables",
    "CameraRestored": "tables",
    "CashChanged": "tables",
    "OpenerCounted": "tables",
    "CloserCounted": "tables",
    "FillDelivered": "tables",
    "CreditTaken": "tables",
    "DropBoxHung": "tables",
    "DropBoxRemoved": "tables",
    "DropBoxCounted": "tables",
    "DiceSetPlaced": "dice",
    "DiceSetRemoved": "dice",
    "ShakerPlaced": "dice",
    "ShakerRemoved": "dice",
    "ShakerCovered": "dice",
    "ShakerUncovered": "dice",
    "DiceShaken": "dice",
    "DiceThrown": "dice",
    "RollCalled": "dice",
    "ValuesEntered": "dice",
    "AreasLit": "dice",
    "LightsCleared": "dice",
    "DeviceFailed": "dice",
    "DeviceFixed": "dice",
    "NoRollCalled": "dice",
    "RoundVoided": "dice",
    "WheelPlaced": "wheel",
    "WheelRemoved": "wheel",
    "WheelSpun": "wheel",
    "SpinVoided": "wheel",
    "SpinCalled": "wheel",
    "BettingOpened": "wagers",
    "NoMoreBetsAnnounced": "wagers",
    "WagerPlaced": "wagers",
    "WagerIncreased": "wagers",
    "WagerMoved": "wagers",
    "WagerRefused": "wagers",
    "WagerTakenDown": "wagers",
    "TakeDownRefused": "wagers",
    "WagerReturned": "wagers",
    "WagerSettled": "wagers",
    "PropertyDescribed": "house",
    "SourceRegistered": "house",
    "ClockChecked": "house",
    "GameApproved": "house",
    "RulesSubmissionFiled": "house",
    "RulesSubmissionApproved": "house",
    "LayoutApproved": "house",
    "EquipmentApproved": "house",
    "SignApproved": "house",
    "PersonCredentialled": "house",
    "GamingDayClosed": "house",
}
"""Subject of each fact, by its name."""

EVENTS: Final[dict[str, type[Fact]]] = {cls.__name__: cls for cls in (
    TableOpened,
    TableClosed,
    ItemInspected,
    DeviceInspected,
    LimitsSet,
    LimitsSignPosted,
    LimitsSignRemoved,
    LimitsChangeAnnounced,
    PatronsCounted,
    StaffAssigned,
    StaffRelieved,
    SupervisorPresent,
    PositionTaken,
    PositionLeft,
    CameraAssigned,
    CameraLost,
    CameraRestored,
    CashChanged,
    OpenerCounted,
    CloserCounted,
    FillDelivered,
    CreditTaken,
    DropBoxHung,
    DropBoxRemoved,
    DropBoxCounted,
    DiceSetPlaced,
    DiceSetRemoved,
    ShakerPlaced,
    ShakerRemoved,
    ShakerCovered,
    ShakerUncovered,
    DiceShaken,
    DiceThrown,
    RollCalled,
    ValuesEntered,
    AreasLit,
    LightsCleared,
    DeviceFailed,
    DeviceFixed,
    NoRollCalled,
    RoundVoided,
    WheelPlaced,
    WheelRemoved,
    WheelSpun,
    SpinVoided,
    SpinCalled,
    BettingOpened,
    NoMoreBetsAnnounced,
    WagerPlaced,
    WagerIncreased,
    WagerMoved,
    WagerRefused,
    WagerTakenDown,
    TakeDownRefused,
    WagerReturned,
    WagerSettled,
    PropertyDescribed,
    SourceRegistered,
    ClockChecked,
    GameApproved,
    RulesSubmissionFiled,
    RulesSubmissionApproved,
    LayoutApproved,
    EquipmentApproved,
    SignApproved,
    PersonCredentialled,
    GamingDayClosed,
)}
"""The newest version of each fact, by name."""

__all__ = [
    "AreasLit",
    "BettingOpened",
    "Breakage",
    "Bureau",
    "CameraAssigned",
    "CameraLost",
    "CameraRestored",
    "Capture",
    "CashChanged",
    "Clapper",
    "ClockChecked",
    "CloserCounted",
    "CouponLaid",
    "CreditTaken",
    "DenominationCount",
    "Device",
    "DeviceFailed",
    "DeviceFixed",
    "DeviceInspected",
    "DiceSetPlaced",
    "DiceSetRemoved",
    "DiceShaken",
    "DiceThrown",
    "Die",
    "DieIdentity",
    "Direction",
    "DropBoxCounted",
    "DropBoxHung",
    "DropBoxRemoved",
    "EVENTS",
    "EquipmentApproved",
    "Fact",
    "FiledOdds",
    "FillDelivered",
    "GameApproved",
    "GamingDayClosed",
    "Instrument",
    "ItemInspected",
    "LayoutApproved",
    "LightsCleared",
    "LimitScope",
    "LimitsChangeAnnounced",
    "LimitsSet",
    "LimitsSignPosted",
    "LimitsSignRemoved",
    "NoMoreBetsAnnounced",
    "NoRollCalled",
    "OpenerCounted",
    "PatronsCounted",
    "PayoutLimit",
    "PersonCredentialled",
    "PositionLeft",
    "PositionTaken",
    "PropertyDescribed",
    "ReadingChosen",
    "Rest",
    "Role",
    "RollCalled",
    "RoundVoided",
    "Rounding",
    "RulesSubmissionApproved",
    "RulesSubmissionFiled",
    "SUBJECTS",
    "SectionOdds",
    "Seen",
    "SettledAs",
    "ShakerCovered",
    "ShakerKind",
    "ShakerPlaced",
    "ShakerRemoved",
    "ShakerUncovered",
    "SignApproved",
    "SourceRegistered",
    "SpinCalled",
    "SpinVoided",
    "StaffAssigned",
    "StaffRelieved",
    "StreamEnd",
    "Subject",
    "SupervisorPresent",
    "TableClosed",
    "TableOpened",
    "TakeDownRefused",
    "ValuesEntered",
    "WagerIncreased",
    "WagerMoved",
    "WagerPlaced",
    "WagerRefused",
    "WagerReturned",
    "WagerSettled",
    "WagerTakenDown",
    "WheelPlaced",
    "WheelRemoved",
    "WheelSpun",
]
