"""A simulated casino floor: honest play by seed, and planted irregularities with their truth."""

from ledger.floor.coupon_kinds import COUPON_KINDS, CouponKind
from ledger.floor.coupon_terms import FINANCE_SUPERVISORS, MAILED_PATRONS
from ledger.floor.people import REPORT_SIGNERS
from ledger.floor.plant_kinds import KINDS, PlantKind
from ledger.floor.plant_requests import Plant, TruthRow
from ledger.floor.simulation import FIRST_DAY, Simulation, Size, simulate, size_for
from ledger.floor.tables import GAMES

__all__ = [
    "COUPON_KINDS",
    "FINANCE_SUPERVISORS",
    "FIRST_DAY",
    "GAMES",
    "KINDS",
    "MAILED_PATRONS",
    "REPORT_SIGNERS",
    "CouponKind",
    "Plant",
    "PlantKind",
    "Simulation",
    "Size",
    "TruthRow",
    "simulate",
    "size_for",
]
