"""A simulated casino floor: honest play by seed, and planted irregularities with their truth."""

from ledger.floor.kinds import KINDS, PlantKind
from ledger.floor.plants import Plant, TruthRow
from ledger.floor.simulation import FIRST_DAY, Simulation, simulate

__all__ = ["FIRST_DAY", "KINDS", "Plant", "PlantKind", "Simulation", "TruthRow", "simulate"]
