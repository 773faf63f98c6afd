"""The rooms, by game and by folder name: each folder here that exports ``ROOM`` is one.

A room is loaded when it is first asked for: whoever asks about one table needs the rules of one
game.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from ledger.games.room import Room
from ledger.law import CHAPTERS

_FOLDERS: Final = frozenset(module.name for module in iter_modules(__path__) if module.ispkg)


class _Rooms(Mapping[str, Room]):
    """The rooms by a name, in the order of their chapters in the law.

    Args:
        name_of: the name of a room.
        folder_of: the folder of a room by its name; any text for what is none.
    """

    def __init__(self, name_of: Callable[[Room], str], folder_of: Callable[[str], str]) -> None:
        self._name_of, self._folder_of = name_of, folder_of

    def __getitem__(self, name: str) -> Room:
        room = _room_in(self._folder_of(name))
        if room is None or self._name_of(room) != name:
            raise KeyError(name)
        return room

    def __iter__(self) -> Iterator[str]:
        rooms = [room for folder in _FOLDERS if (room := _room_in(folder)) is not None]
        rooms.sort(key=lambda room: CHAPTERS.index(room.law))
        return iter([self._name_of(room) for room in rooms])

    def __len__(self) -> int:
        return len(list(iter(self)))


def _room_in(folder: str) -> Room | None:
    """The room of a folder; None where there is no such folder, or it exports none."""
    if folder not in _FOLDERS:
        return None
    module = import_module(f"{__name__}.{folder}")
    room: Room | None = module.ROOM if hasattr(module, "ROOM") else None
    return room


@lru_cache(256)
def _folder_of_game(game: str) -> str:
    return "_".join(game.lower().replace("&", "and").split())


BY_GAME: Final[Mapping[str, Room]] = _Rooms(lambda room: room.game, _folder_of_game)
BY_KEY: Final[Mapping[str, Room]] = _Rooms(lambda room: room.key, str)
ROOMS: Final[Collection[Room]] = BY_KEY.values()


def bounds_supervision(game: str) -> bool:
    """Whether a game's chapter bounds which tables one floorperson supervises.

    Such a room has a module ``supervision``; the rules of other games need not be loaded for it.
    """
    folder = _folder_of_game(game)
    return folder in _FOLDERS and (Path(__path__[0]) / folder / "supervision.py").exists()


__all__ = ["BY_GAME", "BY_KEY", "ROOMS", "Room", "bounds_supervision"]
