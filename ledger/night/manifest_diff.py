"""What changed between two manifests, and why: facts by key, rules, code, and the outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ledger.night.manifest import Manifest


def changes(older: Manifest, newer: Manifest) -> dict[str, Any]:
    """Compare two manifests.

    Args:
        older: the one that is compared with; mostly of the same gaming day.
        newer: the other one.

    Returns:
        Plain data. ``came`` and ``left`` are runs of facts
        (``STREAM:FIRST-LAST``), ``amended`` facts that were amended since, ``otherwise`` streams
        whose facts have the same numbers and say something else, ``carried`` streams with another
        record before the day. ``rules``, ``code`` and ``outputs`` name the folders and files that
        differ. ``digest`` says that the digests differ; those of two versions always do, since
        they hash other things. The other values are pairs, older first.
    """
    before = {one["stream"]: one for one in older["input"]["streams"]}
    after = {one["stream"]: one for one in newer["input"]["streams"]}
    came, left, amended, otherwise = [], [], [], []
    for stream in sorted({*before, *after}):
        old, new = before.get(stream, NOTHING), after.get(stream, NOTHING)
        came += _named(stream, _less(new["seqs"], old["seqs"]))
        left += _named(stream, _less(old["seqs"], new["seqs"]))
        since = sorted({*new["amended"]} - {*old["amended"]})
        amended += [f"{stream}:{seq}" for seq in since]
        if old["seqs"] == new["seqs"] and old["leaves"] != new["leaves"] and not since:
            otherwise.append(stream)
    carried = _differing(
        {one["stream"]: one["prefix"] for one in older["input"]["carried"]},
        {one["stream"]: one["prefix"] for one in newer["input"]["carried"]},
    )
    return {
        "gaming_days": [older["gaming_day"], newer["gaming_day"]],
        "issues": [_issue(older), _issue(newer)],
        "same_input": older["input"]["hash"] == newer["input"]["hash"],
        "came": came,
        "left": left,
        "amended": amended,
        "otherwise": otherwise,
        "carried": carried,
        "quarantined": older["input"]["quarantined"] != newer["input"]["quarantined"],
        "rules": _differing(older["input"]["rules"], newer["input"]["rules"]),
        "code": _differing(older["input"]["code"], newer["input"]["code"]),
        "outputs": _differing(_outputs(older), _outputs(newer)),
        "digest": older["digest"] != newer["digest"],
        "digest_versions": [_digest_version(older), _digest_version(newer)],
        "findings": [older["findings"], newer["findings"]],
    }


NOTHING: Manifest = {"seqs": [], "amended": [], "leaves": ""}


def _issue(manifest: Manifest) -> str:
    return f"{manifest['gaming_day']} {manifest['phase']} {manifest['issue']}"


def _digest_version(manifest: Manifest) -> int:
    """Manifests from before digests had versions hold the first."""
    return int(manifest.get("digest_version", 1))


def _outputs(manifest: Manifest) -> dict[str, str]:
    return {one["name"]: one["sha256"] for one in manifest["outputs"]}


def _differing(older: Mapping[str, str], newer: Mapping[str, str]) -> list[str]:
    return sorted(name for name in {*older, *newer} if older.get(name) != newer.get(name))


def _less(runs: Iterable[list[int]], others: Iterable[list[int]]) -> list[tuple[int, int]]:
    """What of some runs of numbers no other run has."""
    left: list[tuple[int, int]] = []
    taken = [tuple(run) for run in others]
    for first, last in runs:
        at = first
        for begins, ends in taken:
            if ends < at or begins > last:
                continue
            if begins > at:
                left.append((at, begins - 1))
            at = max(at, ends + 1)
        if at <= last:
            left.append((at, last))
    return left


def _named(stream: str, runs: Iterable[tuple[int, int]]) -> list[str]:
    return [f"{stream}:{a}" if a == b else f"{stream}:{a}-{b}" for a, b in runs]


def is_moved(differences: Mapping[str, Any]) -> bool:
    """Whether the input or an output differs, by what ``changes`` returned."""
    return not differences["same_input"] or bool(differences["outputs"])


def changes_in_words(differences: Mapping[str, Any]) -> Iterator[str]:
    """Yield what ``changes`` returned in words, a line each."""
    first, second = differences["issues"]
    if not is_moved(differences):
        yield f"{first} and {second} are the same: input, outputs, digest."
        return
    yield f"From {first} to {second}:"
    parts = (
        ("facts that came", differences["came"]),
        ("facts that are no longer of the day", differences["left"]),
        ("facts that were amended", differences["amended"]),
        ("streams that say something else", differences["otherwise"]),
        ("another record before the day", differences["carried"]),
        ("other rules", differences["rules"]),
        ("other code", differences["code"]),
        ("outputs that differ", differences["outputs"]),
    )
    for words, names in parts:
        if names:
            yield f"  {words}: {', '.join(names)}"
    if differences["quarantined"]:
        yield "  other bytes in quarantine"
    if differences["same_input"]:
        yield "  the same input: what came after the day decided what was open"
    was, new = differences["findings"]
    if was != new:
        yield (
            f"  findings: {was['broken']} broken, {was['unknown']} unknown;"
            f" now {new['broken']} broken, {new['unknown']} unknown"
        )
    before, after = differences["digest_versions"]
    if before != after:
        yield (
            f"  digest: version {before} before, version {after} now; the two cannot be compared,"
            " since version 1 also hashed the sentences"
        )
    elif not differences["digest"]:
        yield "  rulings and findings are the same"
