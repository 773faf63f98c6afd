"""The closed list of facts by name, the fields common to all, and the subject of each."""

from __future__ import annotations

from typing import Any, ClassVar, Final, Protocol, get_args

from ledger.events import (
    access,
    cards,
    case_files,
    cases,
    coupon_program,
    coupons,
    dice,
    filings,
    hands,
    house,
    imports,
    mailings,
    notices,
    providers,
    reckonings,
    redemptions,
    reports,
    shakers,
    shifts,
    tables,
    throws,
    wagers,
    wheel,
)

Published = (
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
    | house.StalenessRegistered
    | house.GameApproved
    | house.RulesSubmissionFiled
    | house.RulesSubmissionApproved
    | house.LayoutApproved
    | house.EquipmentApproved
    | house.SignApproved
    | house.PersonCredentialled
    | house.CredentialDescribed
    | house.GamingDayClosed
    | throws.DiceOffered
    | throws.DiceRefused
    | throws.DiceAccepted
    | throws.DiceSelected
    | throws.DiceReturnedToCup
    | throws.DiceThrownByHand
    | throws.ThrowVoided
    | throws.FaceDisputed
    | throws.DisputeRuled
    | throws.DieLost
    | throws.DieFound
    | throws.MarkersPlaced
    | throws.DownAnnounced
    | throws.TurnoverAnnounced
    | shakers.DicePlacedInShaker
    | shakers.DiceSeenOutsideShaker
    | shakers.ShakerOffered
    | shakers.ShakerDeclined
    | shakers.ShakerPassed
    | shakers.PlayerShook
    | shakers.LidLiftedByPlayer
    | shakers.LammersPlaced
    | shakers.LammerCollected
    | shakers.LammersCleared
    | notices.RulesSignPosted
    | notices.RulesSignRemoved
    | notices.CameraDescribed
    | cards.DeckPlaced
    | cards.DeckRemoved
    | cards.DeckInspected
    | cards.DeckInspectionVerified
    | cards.SecondJokerRemoved
    | cards.CardsSpread
    | cards.CardsWashed
    | cards.DeckCounted
    | cards.CardsShuffled
    | cards.CardsCut
    | cards.CardDevicePlaced
    | cards.CardDeviceRemoved
    | cards.CardDeviceFailed
    | cards.CardDeviceFixed
    | cards.OutOfOrderShown
    | cards.DiceTotalAnnounced
    | cards.GeneratorShown
    | cards.ButtonPlaced
    | cards.StartDetermined
    | cards.StartMarked
    | cards.DealBegan
    | cards.CardsDealt
    | cards.RemainingCardsCounted
    | cards.MisdealDetermined
    | hands.HandSet
    | hands.HandExposed
    | hands.RemainingCardsExposed
    | hands.ExposureChoiceMade
    | hands.HandSurrendered
    | hands.SurrenderedCardsCounted
    | hands.HandFouled
    | hands.HandVoided
    | hands.ResultAnnounced
    | hands.BonusHandFormed
    | hands.CardsDiscarded
    | hands.IrregularityFound
    | filings.WagersOfferedFiled
    | filings.HopGroupsFiled
    | filings.AsiaPokerOptionsFiled
    | filings.HouseWayFiled
    | filings.GameRequestFiled
    | filings.RequestDecided
    | filings.EquipmentReceived
    | access.ElectronicDeviceSeen
    | access.ElectronicDevicePermitted
    | access.RulesTextKept
    | access.RulesTextPlaceApproved
    | access.RulesTextRequested
    | access.GuidePrepared
    | access.GuideSampleSubmitted
    | access.GuideSampleDecided
    | access.GuideIssued
    | access.GuideDisplayed
    | access.GuideRemoved
    | access.GuideRequested
    | access.WebSiteChecked
    | providers.ServiceDescribed
    | providers.ServiceSubmitted
    | providers.ServiceLaboratoryDecided
    | providers.LaboratoryCostsPaid
    | providers.ProviderApplicationFiled
    | providers.DueDiligenceCertified
    | providers.ProviderAgreementFiled
    | providers.ProviderAuthorized
    | providers.DenialRecommended
    | providers.AuthorizationRescinded
    | providers.ProviderCertified
    | providers.RenewalReceived
    | providers.RenewalDecided
    | providers.ProviderListed
    | providers.ProviderCredentialIssued
    | providers.ServiceUsed
    | providers.ServiceUseEnded
    | providers.ViolationReported
    | coupon_program.CouponDesignFiled
    | coupon_program.CouponDesignApproved
    | coupon_program.CouponControlsFiled
    | coupon_program.CouponControlsApproved
    | coupon_program.CouponStorageApproved
    | coupon_program.CouponDeadlineSet
    | coupon_program.CouponFunctionGiven
    | coupon_program.PromotionScheduled
    | coupon_program.CouponSeriesDescribed
    | coupons.CouponsDelivered
    | coupons.CouponsExamined
    | coupons.CouponDeviationReported
    | coupons.CouponReceiptEntered
    | coupons.CouponsStored
    | coupons.CouponsRequisitioned
    | coupons.RequisitionAuthorized
    | coupons.CouponIssueEntered
    | coupons.CouponsIssued
    | coupons.CouponsCarriedIn
    | coupons.CouponsDistributed
    | coupons.CouponsVoided
    | coupons.CouponsKept
    | coupons.CouponsReturned
    | coupons.CouponReturnEntered
    | mailings.MailListSupplied
    | mailings.MailListGivenToFinance
    | mailings.ExclusionScreened
    | mailings.CouponsMailed
    | reckonings.CouponsCounted
    | reckonings.CouponsForwarded
    | reckonings.CouponsReviewed
    | reckonings.CouponsCancelled
    | reckonings.ReconciliationFormCompleted
    | reckonings.CouponFormSigned
    | reckonings.CouponsInventoried
    | reckonings.QuarterlyReportFiled
    | redemptions.CouponAccepted
    | redemptions.CouponRefused
    | redemptions.CouponGivenBack
    | redemptions.CouponRedeemed
    | redemptions.CouponDropped
    | filings.GameBankStated
    | imports.FileImported
    | imports.RowsImported
    | cases.FactAmended
    | cases.FactsAdded
    | cases.ActionTaken
    | cases.ActionNoted
    | cases.ActionClosed
    | cases.CauseSuppressed
    | cases.RoundObserved
    | cases.ObservationConfirmed
    | case_files.CaseOpened
    | case_files.CaseSubjectAdded
    | case_files.CaseAssigned
    | case_files.CaseNoted
    | case_files.CaseTaskSet
    | case_files.CaseEvidencePinned
    | case_files.CaseMediaHandled
    | case_files.CaseFootageHandled
    | case_files.CaseLinked
    | case_files.CaseAssessed
    | case_files.CaseDecided
    | case_files.CaseClosed
    | case_files.CaseReopened
    | case_files.CaseLetterSigned
    | case_files.PersonEnrolled
    | case_files.PatronReferenceSeen
    | shifts.ShiftLogged
    | shifts.ShiftHandedOver
    | reports.ReportSigned
)
"""The closed list of facts."""


class Fact(Protocol):
    """Any fact: a frozen dataclass that begins with these five fields.

    Type checkers see this protocol instead of the union of all facts. It costs no precision, since
    no other field is in every fact; and comparing two unions of 230 types took minutes in all.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def stream(self) -> str:
        """The stream of the terminal."""

    @property
    def seq(self) -> int:
        """The number of the fact in its stream, from 1."""

    @property
    def event_time(self) -> int:
        """When it happened by the device's clock, in microseconds UTC."""

    @property
    def source(self) -> str:
        """The terminal that wrote it."""

    @property
    def recorded_by(self) -> str | None:
        """The credential with which it was recorded; None if a machine recorded it."""


EVENTS: Final[dict[str, type[Fact]]] = {cls.__name__: cls for cls in get_args(Published)}
"""The newest version of each fact, by name."""

PARTS_OF_SUBJECTS: Final[dict[str, str]] = {
    "throws": "dice",
    "shakers": "dice",
    "hands": "cards",
    "notices": "tables",
    "filings": "house",
    "access": "house",
    "providers": "house",
    "imports": "house",
    "coupon_program": "coupons",
    "mailings": "coupons",
    "reckonings": "coupons",
    "redemptions": "wagers",
    "reports": "cases",
    "case_files": "cases",
    "shifts": "cases",
}
"""The subject of each module that holds only part of one, because one module would be too long."""


def _subject(cls: type[Fact]) -> str:
    module = cls.__module__.rpartition(".")[2]
    return PARTS_OF_SUBJECTS.get(module, module)


SUBJECTS: Final[dict[str, str]] = {name: _subject(cls) for name, cls in EVENTS.items()}
"""The subject of each fact by its name: that of its module."""
