"""The rooms, by game and by folder name."""

from typing import Final

from ledger.games.asia_poker import ROOM as ASIA_POKER
from ledger.games.dreamcatcher import ROOM as DREAMCATCHER
from ledger.games.props_and_hops import ROOM as PROPS_AND_HOPS
from ledger.games.room import Room
from ledger.games.sic_bo import ROOM as SIC_BO
from ledger.games.three_dice_football import ROOM as THREE_DICE_FOOTBALL

ROOMS: Final[tuple[Room, ...]] = (
    SIC_BO,
    DREAMCATCHER,
    THREE_DICE_FOOTBALL,
    PROPS_AND_HOPS,
    ASIA_POKER,
)

BY_GAME: Final[dict[str, Room]] = {room.game: room for room in ROOMS}
BY_KEY: Final[dict[str, Room]] = {room.key: room for room in ROOMS}

__all__ = ["BY_GAME", "BY_KEY", "ROOMS", "Room"]
