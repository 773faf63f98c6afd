"""The rooms, by game and by folder name."""

from typing import Final

from ledger.games.dreamcatcher import ROOM as DREAMCATCHER
from ledger.games.room import Room
from ledger.games.sic_bo import ROOM as SIC_BO

ROOMS: Final[tuple[Room, ...]] = (SIC_BO, DREAMCATCHER)

BY_GAME: Final[dict[str, Room]] = {room.game: room for room in ROOMS}
BY_KEY: Final[dict[str, Room]] = {room.key: room for room in ROOMS}

__all__ = ["BY_GAME", "BY_KEY", "ROOMS", "Room"]
