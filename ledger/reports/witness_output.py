"""What witnesses have seen of a ledger, for people and as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ledger.kernel import plural

if TYPE_CHECKING:
    from ledger.log import Witnessed, WitnessedLog


def witnessed_data(witnessed: Witnessed) -> dict[str, object]:
    """How far the witnesses of a ledger have seen it, as plain data."""
    return {
        "cosigned": list(witnessed.cosigned),
        "silent": dict(witnessed.silent),
        "is_quorum": witnessed.is_quorum,
        "unwitnessed_entries": witnessed.entries,
        "allowed_entries": witnessed.limit,
    }


def witnessed_sentence(witnessed: Witnessed) -> str:
    """How far the witnesses of a ledger have seen it, in a sentence."""
    total = len(witnessed.cosigned) + len(witnessed.silent)
    words = f"{len(witnessed.cosigned)} of {plural(total, 'witness', 'witnesses')} cosigned"
    if witnessed.cosigned:
        words += f": {', '.join(witnessed.cosigned)}"
    if witnessed.is_quorum:
        return words
    entries = plural(witnessed.entries, "entry is", "entries are")
    return f"{words}; too few: {entries} not witnessed, {witnessed.limit:,} allowed"


def witnessed_text(witnessed: Witnessed) -> str:
    """How far the witnesses of a ledger have seen it, for people; who is silent, and why."""
    lines = [f"  witness  {witnessed_sentence(witnessed)}"]
    lines += [f"           {name} {reason}" for name, reason in witnessed.silent]
    return "\n".join(lines) + "\n"


def witness_data(public: str, logs: Iterable[WitnessedLog]) -> dict[str, object]:
    """What a witness has seen, as plain data.

    Args:
        public: the witness's public key.
        logs: the ledgers that it watches.
    """
    return {
        "key": public,
        "ledgers": [
            {
                "origin": log.origin,
                "keys": [str(key) for key in log.keys],
                "size": log.size,
                "cosigned_at": None if log.cosigned_at is None else _utc(log.cosigned_at),
            }
            for log in logs
        ],
    }


def witness_text(public: str, logs: Iterable[WitnessedLog]) -> str:
    """What a witness has seen, for people.

    Args:
        public: the witness's public key.
        logs: the ledgers that it watches.
    """
    lines = [f"Witness {public}"]
    for log in logs:
        if log.size is None or log.cosigned_at is None:
            lines.append(f"  {log.origin}: nothing yet")
        else:
            entries = plural(log.size, "entry", "entries")
            lines.append(f"  {log.origin}: {entries}, cosigned {_local(log.cosigned_at)}")
        lines += [f"    under {key}" for key in log.keys]
    if len(lines) == 1:
        lines.append("  watches no ledger: pitledger witness trust DIR LEDGER-KEY")
    return "\n".join(lines) + "\n"


def _utc(seconds: int) -> str:
    """A time for scripts."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _local(seconds: int) -> str:
    """A time where this machine stands: a witness may be in another time zone than the property."""
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")
