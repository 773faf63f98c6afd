"""What the benchmarks record, and the README made of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.benchmarks import __main__ as command
from tests.benchmarks import ledgers
from tests.benchmarks.bench_live import awaited
from tests.benchmarks.figures import (
    FIGURES,
    README,
    Figure,
    Figures,
    NotMeasured,
    Run,
    benchmarks,
    dumped,
    figures_of,
    notes_of_groups,
    read,
    rendered,
    significant,
    write,
)
from tests.benchmarks.in_turns import Compared, Measured, forked, in_turns

FIRST = Run(date="2026-01-01", machine="2 cores", conditions="Quiet.")
LATER = Run(date="2026-02-02 10:00", machine="4 cores", conditions="Busy.")
ROWS = [("append", 150_123.4, "events/s"), ("append again", 75_061.7, "events/s")]


def recorded(run: Run, group: str = "log") -> Figures:
    """Figures of one group and one run."""
    rows = figures_of(
        ROWS,
        run,
        wanted={("append", "events/s"): "at least 150,000"},
        baselines={"append again": "append"},
    )
    return Figures(runs={}, groups={}).with_group(group, rows, run)


def test_the_readme_is_what_the_recorded_figures_render_to():
    assert README.read_text(encoding="utf-8") == rendered(read(), notes_of_groups())
    assert FIGURES.read_text(encoding="utf-8") == dumped(read())


def test_every_figure_names_a_run_and_a_benchmark():
    figures = read()
    cited = {row.run for rows in figures.groups.values() for row in rows}
    assert cited == set(figures.runs)
    assert set(figures.groups) <= {group for group, _ in benchmarks()}


def test_every_benchmark_explains_itself_without_figures_of_a_run():
    """A measured figure in a note would be written by hand; the sizes of samples stay."""
    measured = re.compile(r"\d+ (?:µs|ms|s|MB)\b|/s\b")
    assert [group for group, note in notes_of_groups().items() if measured.search(note)] == []
    assert all(note.strip() for note in notes_of_groups().values())


def test_a_table_has_figure_baseline_ratio_bound_and_run():
    text = rendered(recorded(FIRST), {"log": "What was timed.", "night": "A night."})
    assert (
        "| run | machine | conditions |\n| --- | --- | --- |\n| 2026-01-01 | 2 cores | Quiet. |"
        in text
    )
    assert "| append | 150,100 | events/s |  |  | at least 150,000 | 2026-01-01 |" in text
    assert "| append again | 75,060 | events/s | 150,100 (append) | 0.50 |  | 2026-01-01 |" in text
    assert "python -m tests.benchmarks --write log" in text
    assert (
        "## night\n\nA night.\n\nAgain: `python -m tests.benchmarks --write night`\n\nNot measured yet."
        in text
    )


def test_a_run_replaces_its_group_and_leaves_the_others():
    older = recorded(FIRST).with_group("codec", recorded(FIRST).groups["log"], FIRST)
    figures = older.with_group("log", recorded(LATER).groups["log"], LATER)
    assert {row.run for row in figures.groups["log"]} == {LATER.date}
    assert figures.groups["codec"] == older.groups["codec"]
    assert set(figures.runs) == {FIRST.date, LATER.date}
    both = figures.with_group("codec", recorded(LATER).groups["log"], LATER)
    assert set(both.runs) == {LATER.date}  # a run without a figure is no longer described


def test_a_figure_that_no_benchmark_measures_stays():
    earlier = Figure(label="simulated floor", figure=(85_000, 230_000), unit="facts/s", run=FIRST.date, kept=True)  # fmt: skip
    figures = Figures(runs={FIRST.date: FIRST}, groups={"log": (earlier,)})
    figures = figures.with_group("log", recorded(LATER).groups["log"], LATER)
    assert figures.groups["log"][-1] == earlier
    assert "| simulated floor | 85,000 to 230,000 | facts/s | 2026-01-01 |" in rendered(figures, {"log": "."})  # fmt: skip


def test_what_is_written_is_read_again(tmp_path):
    write(recorded(FIRST), {"log": "What was timed."}, tmp_path)
    assert read(tmp_path / FIGURES.name) == recorded(FIRST)


@pytest.mark.parametrize(
    ("wanted", "baselines"),
    [
        ({("apend", "events/s"): "at least 150,000"}, {}),
        ({("append", "s"): "at most 1"}, {}),
        ({}, {"append again": "apend"}),
        ({}, {"apend again": "append"}),
        ({}, {"append": "memory"}),
    ],
)
def test_a_bound_or_baseline_of_a_row_that_is_not_there_is_refused(wanted, baselines):
    with pytest.raises(ValueError, match="no such row was measured"):
        figures_of([*ROWS, ("memory", 1.0, "MB")], FIRST, wanted=wanted, baselines=baselines)


def test_counts_stay_whole_and_measurements_keep_four_digits():
    values = [1_084_540.0, 148_234.56, 0.0123456, 2.0]
    assert [significant(value) for value in values] == [1_084_540, 148_200, 0.01235, 2]


@pytest.fixture
def one_benchmark(monkeypatch):
    """One cheap benchmark in place of all, and a record of what is written."""
    writes = []
    module = SimpleNamespace(run=lambda: ROWS, WANTED={}, BASELINES={}, NOTE="What was timed.")
    monkeypatch.setattr(command, "benchmarks", lambda: iter([("log", module)]))
    monkeypatch.setattr(command, "read", lambda: recorded(FIRST, "codec"))
    monkeypatch.setattr(command, "write", lambda figures, notes: writes.append(figures))
    return writes


def test_only_write_records(one_benchmark, capsys):
    assert command.main([]) == 0
    assert one_benchmark == []
    assert command.main(["--write", "log"]) == 0
    (figures,) = one_benchmark
    assert [row.label for row in figures.groups["log"]] == ["append", "append again"]
    assert {row.run for row in figures.groups["codec"]} == {FIRST.date}
    assert "cores" in capsys.readouterr().out


def test_a_name_that_is_no_benchmark_is_refused(one_benchmark, capsys):
    with pytest.raises(SystemExit):
        command.main(["--write", "lgo"])
    assert "no such benchmark: lgo" in capsys.readouterr().err
    assert one_benchmark == []


def test_a_benchmark_that_could_not_measure_says_why_and_leaves_its_figures(
    one_benchmark, monkeypatch, capsys
):
    def busy():
        raise NotMeasured("the machine is too busy")

    ((_, module),) = command.benchmarks()
    monkeypatch.setattr(module, "run", busy)
    monkeypatch.setattr(command, "benchmarks", lambda: iter([("log", module)]))
    assert command.main(["--write"]) == 1
    assert "not measured: the machine is too busy; earlier figures stay" in capsys.readouterr().out
    assert one_benchmark == []


@pytest.mark.parametrize(
    ("code", "is_to_end", "why"),
    [
        ("raise SystemExit(3)", False, "the process that was to judge ended with 3"),
        ("import time; time.sleep(600)", True, "to judge had not done so 0.2 s later: the machine"),
    ],
)
def test_a_process_that_ends_early_or_takes_too_long_is_told(code, is_to_end, why):
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        try:
            if not is_to_end:
                process.wait()
            with pytest.raises(NotMeasured, match=why):
                awaited(process, lambda: False, "judge", is_to_end=is_to_end, patience=0.2)
        finally:
            process.kill()


# ---------------------------------------------------------------- works in turns


def runs(*processor_seconds: float) -> tuple[Measured, ...]:
    return tuple(
        Measured(count=100, processor_seconds=spent, wall_seconds=2 * spent, megabytes=50 + spent)
        for spent in processor_seconds
    )


TURNS = Compared(
    label="verify", unit="entries/s", runs=runs(1, 2, 4), baseline_label="Go",
    baseline=runs(1, 1, 1), load=1.25,
)  # fmt: skip


def test_works_take_turns_and_each_ratio_is_of_one_turn():
    order = []

    def work(label: str, seconds: float) -> Measured:
        order.append(label)
        return runs(seconds)[0]

    seconds = iter((2.0, 1.0, 4.0, 1.0))
    ours, theirs = in_turns(
        {"a": lambda: work("a", next(seconds)), "b": lambda: work("b", next(seconds))},
        "entries/s", {"a": "b"}, turns=2,
    )  # fmt: skip
    assert order == ["a", "b", "a", "b"]
    assert (ours.ratios, theirs.ratios) == ((0.25, 0.375, 0.5), ())


def test_a_forked_work_is_measured_apart_and_its_failure_is_seen():
    done = forked(lambda: sum(1 for _ in range(100_000)))()
    assert done.count == 100_000
    assert 0 < done.processor_seconds < 10
    assert done.megabytes > 1
    with pytest.raises(RuntimeError, match="failed"):
        forked(lambda: 1 // 0)()


def test_what_took_turns_is_written_read_and_rendered_with_its_spread(tmp_path):
    (figure,) = figures_of([TURNS], FIRST, wanted={("verify", "entries/s"): "1 × Go"}, baselines={})
    assert (figure.figure, figure.baseline, figure.ratios) == ((50,), (100,), (0.25, 0.5, 1.0))
    assert (figure.processor_seconds, figure.wall_seconds, figure.megabytes) == (2, 4, 54)
    figures = Figures(runs={FIRST.date: FIRST}, groups={"side": (figure,)})
    write(figures, {"side": "Turns."}, tmp_path)
    assert read(tmp_path / FIGURES.name) == figures
    assert "| 0.50 (0.25 to 1.00) | 1 × Go | 2 | 4 | 54 | 1.2 |" in rendered(figures, {"side": "."})
    assert "processor 2 s, wall 4 s, 54 MB, load 1.2; 0.50 (0.25 to 1.00) of Go" in command.printed(
        figure
    )


def test_two_files_are_compared_row_by_row(tmp_path, capsys):
    for name, rows in (("a", [*ROWS, TURNS]), ("b", [("append", 300_200.0, "events/s"), TURNS])):
        figures = figures_of(rows, FIRST, wanted={}, baselines={})
        written = Figures(runs={FIRST.date: FIRST}, groups={"log": tuple(figures)})
        (tmp_path / name).write_text(command.dumped(written))
    assert command.main(["--compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "log append 2.00 x events/s" in lines
    assert "log verify 1.00 x entries/s ratio 0.50 -> 0.50" in lines
    assert "log append again only in the first" in lines


def test_what_was_measured_is_written_as_json(one_benchmark, tmp_path, capsys):
    assert command.main(["--json", str(tmp_path / "new" / "run.json")]) == 0
    figures = read(tmp_path / "new" / "run.json")
    assert [row.label for row in figures.groups["log"]] == ["append", "append again"]
    assert one_benchmark == []


def test_a_ledger_is_made_once_and_kept_under_what_made_it(tmp_path, monkeypatch):
    monkeypatch.setenv(ledgers.KEPT, str(tmp_path))
    commands = []

    def simulate(command: list[str], **_: object) -> None:
        commands.append(command)
        Path(command[-1]).mkdir()
        Path(f"{command[-1]}.key").touch()

    monkeypatch.setattr(ledgers.subprocess, "run", simulate)
    folder = ledgers.ledger_of(0.1)
    assert ledgers.ledger_of(0.1) == folder
    assert len(commands) == 1
    assert Path(f"{folder}.key").exists()
    monkeypatch.setattr(ledgers, "code_fingerprint", lambda *_: "f" * 64)
    assert ledgers.ledger_of(0.1) != folder
