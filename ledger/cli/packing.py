"""What the pack of a round and that of a case share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

if TYPE_CHECKING:
    from ledger.analytics import JudgedTables
    from ledger.codec import PersonalKind
    from ledger.evidence import Making, PackedTree
    from ledger.log import FileSnapshot, Signer
    from ledger.replay import Replay
    from ledger.reports import RoundView

FileOption = Annotated[Path | None, Parameter(show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PackOptions:
    """What is in a pack beside its facts, and what is not."""

    size: Annotated[int | None, Parameter(name="--size", show_default=False)] = None
    """Pack the ledger as it stood at this many entries; needs the ledger's key."""
    witness: FileOption = None
    """A checkpoint that a witness kept; the pack proves that the ledger goes on from it."""
    redact: Annotated[str | None, Parameter(show_default=False)] = None
    """Write the twin without personal strings: all, or some of patrons,staff,names,text."""
    media: FileOption = None
    """Put the files of the case into the pack, from this folder; else their hashes alone."""


PACK_OPTIONS: Final = PackOptions()


def tree_of(
    folder: Path, chosen: PackOptions, key: Path | None
) -> tuple[PackedTree, bool, Signer | None]:
    """Return the tree that is packed, whether it is the present one, and the ledger's key.

    Raises:
        SizeUnknown, KeyNeeded: there is none of that size, or nobody can sign its checkpoint.
    """
    from ledger.evidence import PackedTree
    from ledger.log import read_log

    log = read_log(folder)
    signer = _signer(log, key)
    tree = PackedTree(log, chosen.size, signer)
    return tree, tree.size == log.size, signer


def making_of(
    replay: Replay, hidden: frozenset[PersonalKind], chosen: PackOptions, signer: Signer | None
) -> Making:
    """Return how a pack is made."""
    from ledger import __version__
    from ledger.evidence import Making

    return Making(
        version=__version__,
        signer=signer,
        witness=chosen.witness,
        redact=hidden,
        others=_people(replay) if hidden else (),
    )


def _signer(log: FileSnapshot, key: Path | None) -> Signer | None:
    """The ledger's key; None where nobody named one and none lies in the usual places."""
    from ledger.log import KeyMissing
    from ledger.log.keys import read_signer

    try:
        return read_signer(log.storage, key, log.verifier)
    except KeyMissing:
        if key is not None:
            raise
        return None


def ended_round(replay: Replay, judged: JudgedTables, cache: Path | None, text: str) -> RoundView:
    """Return a round that is over.

    Raises:
        RoundUnknown: there is no such round.
        RoundStillOpen: its end is not on record, and its day is not closed.
    """
    from ledger.cli.days import round_seen
    from ledger.evidence import RoundStillOpen

    seen = round_seen(replay, judged, cache, text)
    result, closings = seen.result, judged.house.office.closings
    if result.closed_at is None and result.gaming_day.isoformat() not in closings:
        raise RoundStillOpen(result.round)
    return seen


def _people(replay: Replay) -> list[tuple[PersonalKind, str]]:
    """The credentials and names on the record: a finding may name somebody whom no fact does."""
    from ledger.codec import PersonalKind

    roster = replay.roster()
    holders = [fact.person for facts in roster.people.values() for _, fact in facts]
    described = [fact for facts in roster.described.values() for _, fact in facts]
    staff = dict.fromkeys([*holders, *(fact.person for fact in described)])
    names = [fact.printed_name for fact in described if fact.printed_name is not None]
    return [
        *((PersonalKind.STAFF, person) for person in staff),
        *((PersonalKind.NAME, name) for name in names),
    ]
