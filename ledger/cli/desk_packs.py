"""The pack of a case as the desk asks for it: made by the writer, which alone has the key."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from ledger.casework.cases import CaseFiles
from ledger.cli.case_packing import pack_of
from ledger.cli.packing import PACK_OPTIONS
from ledger.codec import PersonalKind
from ledger.evidence import kinds_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Replay

if TYPE_CHECKING:
    from ledger.cli.desk_acts import Act

KEPT_SECONDS: Final = 300
"""After so long a pack that nobody took is deleted by the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskPack:
    """A pack that is asked for by a person who may see the case.

    Attributes:
        folder: the ledger.
        number: of the case.
        hidden: the kinds of personal strings that it hides.
        at: when it was asked for, microseconds UTC.
        key: the ledger's private key, where it is not in the usual places.
    """

    folder: Path
    number: str
    hidden: frozenset[PersonalKind]
    at: int
    key: Path | None

    @classmethod
    def of(cls, folder: Path, act: Act, at: int, key: Path | None) -> Self:
        """Return the pack that a form asks for.

        Raises:
            CaseUnknown, CaseRefused: the case is not for this person.
            KindUnknown: nothing of that kind can be withheld.
        """
        hidden = kinds_of(act.optional("redact"))
        case = CaseFiles.read(Replay.open(folder)).one(act.number, act.by, at)
        return cls(folder=folder, number=case.number, hidden=hidden, at=at, key=key)

    @property
    def shows_patrons(self) -> bool:
        """Whether it shows references of patrons."""
        return PersonalKind.PATRON not in self.hidden

    def write(self, packs: Path) -> str:
        """Write the pack into a folder that is this user's alone; return the name of the file.

        Raises:
            KeyNeeded, RoundStillOpen, PackTooLarge: it cannot be made.
        """
        packed = pack_of(self.folder, self.number, self.hidden, PACK_OPTIONS, self.key)
        packs.mkdir(mode=0o700, exist_ok=True)
        for old in packs.iterdir():
            with suppress(OSError):
                if old.stat().st_mtime < self.at / 1_000_000 - KEPT_SECONDS:
                    old.unlink()
        name = f"{secrets.token_hex(16)}.zip"
        with os.fdopen(
            os.open(packs / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
        ) as f:
            f.write(packed.content)
        return name
