"""The rooms, by game and by folder name: each folder here that exports ``ROOM`` is one."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from ledger.games.room import Room
from ledger.law import CHAPTERS


def _rooms() -> tuple[Room, ...]:
    """The rooms whose folders stand here, in the order of their chapters in the law."""
    folders = (module.name for module in iter_modules(__path__) if module.ispkg)
    modules = (import_module(f"{__name__}.{folder}") for folder in folders)
    exported = [module.ROOM for module in modules if hasattr(module, "ROOM")]
    return tuple(sorted(exported, key=lambda room: CHAPTERS.index(room.law)))


ROOMS: Final[tuple[Room, ...]] = _rooms()

BY_GAME: Final[dict[str, Room]] = {room.game: room for room in ROOMS}
BY_KEY: Final[dict[str, Room]] = {room.key: room for room in ROOMS}

__all__ = ["BY_GAME", "BY_KEY", "ROOMS", "Room"]
