"""`python -m tests.faults.fuzz --seconds N`: each target under a coverage-guided fuzzer (atheris).

It needs the packages of `infra/requirements-fuzz.lock`; `make fuzz` sees to that. Each target runs in
a process of its own, begins with its seeds and the inputs that were kept, and looks for such as reach
code that none of them reached. What broke a promise is kept in `build/fuzz/TARGET` and named, and the
run ends with exit 1. The smallest set of inputs that reaches what all of them reach becomes
`tests/faults/fuzz/corpus/TARGET.txt`; the figures go to `infra/docs/fuzzing.md`.
"""

from __future__ import annotations

import argparse
import gc
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import FunctionType

from tests.faults.fuzz.corpus import ROOT, keep, kept_inputs

WORK = ROOT / "build" / "fuzz"
PAGE = ROOT / "infra" / "docs" / "fuzzing.md"
SLOW_SECONDS = 20
MEMORY_MB = 2_048
_DONE = re.compile(r"#(\d+)\s+DONE\s+cov: (\d+) ft: (\d+)")


@dataclass(frozen=True, slots=True)
class Run:
    """What a target came to: inputs tried, edges and features of the code reached, inputs kept."""

    name: str
    inputs: int
    edges: int
    features: int
    kept: int


def fuzz(name: str, words: list[str]) -> None:
    """Run libFuzzer on a target in this process; it does not return."""
    import atheris

    with atheris.instrument_imports(include=["ledger"]):
        from tests.faults.fuzz.targets import TARGETS
    target = TARGETS[name]
    for seed in target.seeds():
        target.run(seed)  # the generated readers are there now
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename.startswith(
            "<reader"
        ):
            atheris.instrument_func(function)
    again = f"{sys.executable} -m tests.faults.fuzz --target {name}"  # a merge calls itself so, by the shell
    atheris.Setup([again, *words], target.run)
    atheris.Fuzz()


def run(name: str, seconds: int) -> Run | None:
    """Fuzz a target for so long, and keep what reached new code; None if a promise broke."""
    from tests.faults.fuzz.targets import TARGETS

    target = TARGETS[name]
    folder = WORK / name
    tried, smallest = fresh(folder / "tried"), fresh(folder / "smallest")
    for raw in (*target.seeds(), *kept_inputs(name)):
        (tried / sha256(raw).hexdigest()).write_bytes(raw)
    limits = [f"-max_len={target.limit}", f"-timeout={SLOW_SECONDS}", f"-rss_limit_mb={MEMORY_MB}"]
    base = [sys.executable, "-m", "tests.faults.fuzz", "--target", name]
    fuzzed = subprocess.run(
        [*base, str(tried), *limits, f"-artifact_prefix={folder}/", f"-max_total_time={seconds}"],
        capture_output=True, text=True, errors="replace", cwd=ROOT, check=False,
    )  # fmt: skip
    (folder / "log.txt").write_text(fuzzed.stdout + fuzzed.stderr)
    done = _DONE.search(fuzzed.stderr)
    if fuzzed.returncode or done is None:
        print(
            f"{name}: a promise broke; see {folder}/log.txt\n{fuzzed.stderr[-3_000:]}",
            file=sys.stderr,
        )
        return None
    subprocess.run(
        [*base, "-merge=1", str(smallest), str(tried), *limits],
        capture_output=True, cwd=ROOT, check=True,
    )  # fmt: skip
    seeds = set(target.seeds())
    kept = {raw for path in smallest.iterdir() if (raw := path.read_bytes()) not in seeds}
    keep(name, kept)
    inputs, edges, features = map(int, done.groups())
    return Run(name, inputs, edges, features, len(kept))


def fresh(folder: Path) -> Path:
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def page(runs: list[Run], seconds: int, asked: int | None) -> str:
    """The page of a run without a failure; ``asked`` are the questions that Go answered, too."""
    lines = [
        "# Fuzzing",
        "",
        f"Written by `make fuzz` on {datetime.now(UTC):%B %-d, %Y}: a coverage-guided fuzzer (atheris, libFuzzer) on each reader of foreign",
        f"bytes, {seconds:,} seconds of wall clock each. What it must do with any input stands in `tests/faults/fuzz/targets.py`: refuse it by",
        "name, or read it as a second opinion does. The inputs that it kept are replayed by every `make test`.",
        "",
        "**No promise was broken.**",
        "",
        "| what is read | inputs | edges of the code reached | inputs kept |",
        "|---|---|---|---|",
        *(f"| {run.name} | {run.inputs:,} | {run.edges:,} | {run.kept:,} |" for run in runs),
    ]
    if asked is not None:
        lines += [
            "",
            f"Go's own libraries (`golang.org/x/mod/sumdb`, `note` and `tlog`) gave the same answer to each of {asked:,} questions about notes, proofs of",
            "inclusion and proofs of consistency, whole and spoiled. Left out is Base64 that is not canonical: we refuse it, Go reads it.",
        ]
    return "\n".join(lines) + "\n"


def main() -> int:
    if sys.argv[1:2] == ["--target"]:
        fuzz(sys.argv[2], sys.argv[3:])
    from tests.faults.fuzz.differential import differences
    from tests.faults.fuzz.targets import TARGETS

    parser = argparse.ArgumentParser(prog="python -m tests.faults.fuzz")
    parser.add_argument("--seconds", type=int, default=600, help="of wall clock for each target")
    parser.add_argument("--only", choices=TARGETS, help="one target; the page is not written")
    chosen = parser.parse_args()
    runs = []
    for name in [chosen.only] if chosen.only else TARGETS:
        result = run(name, chosen.seconds)
        if result is None:
            return 1
        print(f"{name}: {result.inputs:,} inputs, {result.edges:,} edges, {result.kept:,} kept")
        runs.append(result)
    if chosen.only:
        return 0
    asked, go = None, shutil.which("go")
    if go is not None:
        asked, others = differences(go)
        if others:
            print("\n".join(["Go answers otherwise:", *others[:20]]), file=sys.stderr)
            return 1
    PAGE.write_text(page(runs, chosen.seconds, asked), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
