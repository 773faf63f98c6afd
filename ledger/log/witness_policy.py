"""Which witnesses are trusted and how many must have seen a checkpoint: c2sp.org/tlog-policy.

    witness north <key> https://north.example
    witness south <key> https://south.example
    group both all north south
    quorum both

A policy lies outside the ledger's folder: in ``FOLDER.witnesses`` beside it, or where
``PITLEDGER_WITNESSES`` says. Whoever can write into the folder must not choose who watches it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.cosignature import CosignerKey, parse_cosigner_key
from ledger.log.errors import WitnessPolicyWrong
from ledger.log.note import NoteBroken, Verifier, parse_verifier

POLICY_VARIABLE: Final = "PITLEDGER_WITNESSES"
POLICY_BYTES: Final = 1_000_000
_NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class RemoteWitness:
    """A witness of a policy.

    Attributes:
        name: in the policy; it means nothing elsewhere.
        key: under which it cosigns.
        url: its submission prefix; None where it cannot be asked from here.
    """

    name: str
    key: CosignerKey
    url: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """Some witnesses, or groups of them, of which at least ``threshold`` must have cosigned."""

    threshold: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WitnessPolicy:
    """Who may sign a ledger, who watches it, and what is enough.

    Attributes:
        logs: public keys of ledgers; empty where the ledger is known otherwise.
        witnesses: in the order of the file.
        groups: by name.
        quorum: the name of a witness or group; ``none`` asks for nobody.
    """

    logs: tuple[Verifier, ...]
    witnesses: tuple[RemoteWitness, ...]
    groups: dict[str, Group]
    quorum: str

    @property
    def keys(self) -> tuple[CosignerKey, ...]:
        """The keys of all witnesses."""
        return tuple(witness.key for witness in self.witnesses)

    def cosigned_by(self, note: bytes) -> dict[str, int]:
        """Return which witnesses cosigned a checkpoint, by name, and when, in POSIX seconds.

        Raises:
            NoteBroken: it is not a note.
        """
        times = {witness.name: witness.key.cosigned_at(note) for witness in self.witnesses}
        return {name: time for name, time in times.items() if time is not None}

    def is_quorum(self, names: set[str]) -> bool:
        """Whether these witnesses together are enough."""
        return self.quorum == _NONE or self._has_witnessed(self.quorum, names)

    def _has_witnessed(self, name: str, names: set[str]) -> bool:
        group = self.groups.get(name)
        if group is None:
            return name in names
        return sum(self._has_witnessed(member, names) for member in group.members) >= (
            group.threshold
        )


class _Reader:
    """The lines of a policy, taken one after the other."""

    def __init__(self) -> None:
        self.logs: list[Verifier] = []
        self.witnesses: list[RemoteWitness] = []
        self.groups: dict[str, Group] = {}
        self.members: set[str] = set()
        self.quorum: str | None = None

    def take(self, words: list[str]) -> None:
        """Take the words of a line.

        Raises:
            NoteBroken: the line is none that a policy has.
        """
        match words:
            case ["log", key] | ["log", key, _]:
                self._add_log(parse_verifier(key))
            case ["witness", name, key]:
                self._add_witness(name, parse_cosigner_key(key), None)
            case ["witness", name, key, url]:
                self._add_witness(name, parse_cosigner_key(key), url)
            case ["group", name, threshold, *members] if members:
                self._add_group(name, threshold, tuple(members))
            case ["quorum", name]:
                self._set_quorum(name)
            case _:
                raise NoteBroken("not a line of a policy: log, witness, group or quorum")

    def _known(self, name: str) -> bool:
        return name in self.groups or any(witness.name == name for witness in self.witnesses)

    def _name(self, name: str) -> None:
        if name == _NONE or self._known(name):
            raise NoteBroken(f"the name {name} is taken")

    def _add_log(self, key: Verifier) -> None:
        if any(other.public == key.public for other in self.logs):
            raise NoteBroken("the ledger's key stands there twice")
        self.logs.append(key)

    def _add_witness(self, name: str, key: CosignerKey, url: str | None) -> None:
        self._name(name)
        if any(witness.key.public == key.public for witness in self.witnesses):
            raise NoteBroken("the key of a witness stands there twice")
        if url is not None and not url.startswith(("https://", "http://")):
            raise NoteBroken("the address of a witness begins with https:// or http://")
        self.witnesses.append(RemoteWitness(name, key, url))

    def _add_group(self, name: str, threshold: str, members: tuple[str, ...]) -> None:
        self._name(name)
        for member in members:
            if not self._known(member):
                raise NoteBroken(f"{member} is neither a witness nor a group before this line")
            if member in self.members:
                raise NoteBroken(f"{member} is a member twice")
            self.members.add(member)
        least = {"any": "1", "all": str(len(members))}.get(threshold, threshold)
        if not least.isascii() or not least.isdecimal() or not 1 <= int(least) <= len(members):
            raise NoteBroken(f"a group of {len(members)} asks for 1 to {len(members)} of them")
        self.groups[name] = Group(int(least), members)

    def _set_quorum(self, name: str) -> None:
        if self.quorum is not None:
            raise NoteBroken("a second quorum")
        if name != _NONE and not self._known(name):
            raise NoteBroken(f"{name} is neither a witness nor a group before this line")
        self.quorum = name


def parse_policy(raw: bytes, where: str) -> WitnessPolicy:
    """Read a policy.

    Args:
        raw: the bytes of its file.
        where: how the file is called in an error.

    Raises:
        WitnessPolicyWrong: a line is none of a policy, or there is no quorum.
    """
    if len(raw) > POLICY_BYTES or any(
        (byte < 32 and byte not in b"\t\n") or byte == 127 for byte in raw
    ):
        raise WitnessPolicyWrong(where, None, "too long, or a control character")
    reader = _Reader()
    for number, line in enumerate(raw.decode("utf-8", "surrogateescape").split("\n"), 1):
        words = line.replace("\t", " ").split(" ")
        words = [word for word in words if word]
        if not words or words[0].startswith("#"):
            continue
        try:
            reader.take(words)
        except NoteBroken as error:
            raise WitnessPolicyWrong(where, number, str(error)) from error
    if reader.quorum is None:
        raise WitnessPolicyWrong(where, None, "no quorum line")
    return WitnessPolicy(tuple(reader.logs), tuple(reader.witnesses), reader.groups, reader.quorum)


def read_policy(path: Path) -> WitnessPolicy:
    """Read the file of a policy.

    Raises:
        WitnessPolicyWrong: it is not there, cannot be read, or is no policy.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise WitnessPolicyWrong(str(path), None, error.strerror or "unreadable") from error
    return parse_policy(raw, str(path))


def policy_beside(folder: Path) -> Path:
    """Return where the policy of a ledger lies unless said otherwise: beside its folder."""
    beside = Path(os.path.abspath(folder))
    return beside.with_name(f"{beside.name}.witnesses")


def policy_of(folder: Path) -> WitnessPolicy | None:
    """Return the policy of a ledger; None if nobody wrote one.

    Raises:
        WitnessPolicyWrong: the file that was named is not there, or is no policy.
    """
    if named := os.environ.get(POLICY_VARIABLE):
        return read_policy(Path(named))
    beside = policy_beside(folder)
    return read_policy(beside) if beside.exists() else None
