"""What changed between two manifests, and why: facts by key, rules, code, and the outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Manifest = Mapping[str, Any]


def changes(was: Manifest, now: Manifest) -> dict[str, Any]:
    """What another manifest has otherwise.

    ``came`` and ``left`` are runs of facts by stream, ``amended`` facts that were amended since,
    ``otherwise`` streams whose facts have the same numbers and say something else, ``carried``
    streams with another record before the day. ``digest`` says that the digests differ;
    those of two versions always do, since they hash other things.
    """
    before = {one["stream"]: one for one in was["input"]["streams"]}
    after = {one["stream"]: one for one in now["input"]["streams"]}
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
        {one["stream"]: one["prefix"] for one in was["input"]["carried"]},
        {one["stream"]: one["prefix"] for one in now["input"]["carried"]},
    )
    return {
        "gaming_days": [was["gaming_day"], now["gaming_day"]],
        "issues": [_issue(was), _issue(now)],
        "same_input": was["input"]["hash"] == now["input"]["hash"],
        "came": came,
        "left": left,
        "amended": amended,
        "otherwise": otherwise,
        "carried": carried,
        "quarantined": was["input"]["quarantined"] != now["input"]["quarantined"],
        "rules": _differing(was["input"]["rules"], now["input"]["rules"]),
        "code": _differing(was["input"]["code"], now["input"]["code"]),
        "outputs": _differing(_outputs(was), _outputs(now)),
        "digest": was["digest"] != now["digest"],
        "digest_versions": [_digest_version(was), _digest_version(now)],
        "findings": [was["findings"], now["findings"]],
    }


NOTHING: Manifest = {"seqs": [], "amended": [], "leaves": ""}


def _issue(manifest: Manifest) -> str:
    return f"{manifest['gaming_day']} {manifest['phase']} {manifest['issue']}"


def _digest_version(manifest: Manifest) -> int:
    """Manifests from before digests had versions hold the first."""
    return int(manifest.get("digest_version", 1))


def _outputs(manifest: Manifest) -> dict[str, str]:
    return {one["name"]: one["sha256"] for one in manifest["outputs"]}


def _differing(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    return sorted(name for name in {*was, *now} if was.get(name) != now.get(name))


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


def is_moved(found: Mapping[str, Any]) -> bool:
    """Whether anything differs at all."""
    return not found["same_input"] or bool(found["outputs"])


def changes_told(found: Mapping[str, Any]) -> Iterator[str]:
    """The same in words, a line each."""
    first, second = found["issues"]
    if not is_moved(found):
        yield f"{first} and {second} are the same: input, outputs, digest."
        return
    yield f"From {first} to {second}:"
    said = (
        ("facts that came", found["came"]),
        ("facts that are no longer of the day", found["left"]),
        ("facts that were amended", found["amended"]),
        ("streams that say something else", found["otherwise"]),
        ("another record before the day", found["carried"]),
        ("other rules", found["rules"]),
        ("other code", found["code"]),
        ("outputs that differ", found["outputs"]),
    )
    for words, names in said:
        if names:
            yield f"  {words}: {', '.join(names)}"
    if found["quarantined"]:
        yield "  other bytes in quarantine"
    if found["same_input"]:
        yield "  the same input: what came after the day decided what was open"
    was, now = found["findings"]
    if was != now:
        yield (
            f"  findings: {was['broken']} broken, {was['unknown']} unknown;"
            f" now {now['broken']} broken, {now['unknown']} unknown"
        )
    before, after = found["digest_versions"]
    if before != after:
        yield (
            f"  digest: version {before} before, version {after} now; the two cannot be compared,"
            " since version 1 also hashed the sentences"
        )
    elif not found["digest"]:
        yield "  rulings and findings are the same"
