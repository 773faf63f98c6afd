"""Commands of the simulated floor."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from ledger.cli.broker_options import BootstrapOption, PrefixOption, broker_settings
from ledger.cli.errors import CommandWrong
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, progress, say, show, width

if TYPE_CHECKING:
    from ledger.cli.simulated_ledger import Wish
    from ledger.log.kafka import KafkaSettings

FASTEST: Final = 100_000.0
"""Seconds of the floor in one of ours: more only says "as fast as it goes"."""


def simulate(
    *,
    seed: int,
    first_day: Annotated[date | None, Parameter(name="--from", show_default=False)] = None,
    days: int = 1,
    plant: Annotated[list[str] | None, Parameter(negative="", show_default=False)] = None,
    coupons: Annotated[bool, Parameter(negative="")] = False,
    scale: Annotated[int | None, Parameter(show_default=False)] = None,
    out: Annotated[Path | None, Parameter(show_default=False, allow_leading_hyphen=True)] = None,
    go_on: Annotated[bool, Parameter(name="--continue", negative="")] = False,
    live: Annotated[bool, Parameter(negative="")] = False,
    speed: float = 1.0,
    bootstrap: BootstrapOption = None,
    topic_prefix: PrefixOption = None,
    options: Options = OPTIONS,
) -> int:
    """Simulate gaming days of a floor into a ledger, with planted irregularities.

    Eleven tables, with every game that the floor knows. What was planted stands in truth.json in
    the ledger's folder. The same seed, options and version give the same bytes.

    Args:
        seed: chooses everything that is left to chance.
        first_day: the first gaming day; default 2021-06-12.
        days: how many gaming days.
        plant: an irregularity, KIND or KIND:COUNT or KIND:COUNT@TABLE; may be given again.
            `all` plants one of every kind.
        coupons: Match Play Coupons are in use, from delivery to reconciliation; a plant of
            coupons says so, too.
        scale: about how many events each gaming day has, from 10,000 to 6,250,000: shorter hours,
            or the same tables many times over (SB-11 is set up like SB-01). 1000000 makes a day of
            a million events in flat memory; the number reached is told. Default: the usual floor,
            about 140,000.
        out: write the facts as JSON lines, too; - for standard output.
        go_on: the ledger holds an earlier part of this very simulation: add what is missing.
        live: produce the facts to a broker as they happen, and write no ledger; Ctrl-C ends it.
        speed: with --live, how many seconds of the floor pass in one second.
        bootstrap: with --live, HOST:PORT of the broker; default PITLEDGER_KAFKA, then
            127.0.0.1:19092.
        topic_prefix: with --live, stands before .tables.v1 and the others; default pitledger.
    """
    from ledger.cli.simulated_ledger import Wish, simulate_into
    from ledger.reports import simulated_data, simulated_text

    wish = Wish.of(
        seed=seed, first_day=first_day, days=days, plants=plant or [], coupons=coupons, events=scale
    )
    if live:
        return _play(wish, speed, broker_settings(bootstrap, topic_prefix, None), options)
    with progress("simulating", "events") as report:
        done = simulate_into(options.folder, wish, out=out, go_on=go_on, report=report)
    to_stdout = out is not None and str(out) == "-"
    if options.is_json and not to_stdout:
        emit_json(simulated_data(done))
    elif to_stdout:
        say(simulated_text(done).rstrip())
    else:
        emit(simulated_text(done))
    return 0


def _play(wish: Wish, speed: float, settings: KafkaSettings, options: Options) -> int:
    from ledger.cli.live_floor import play
    from ledger.log.kafka import stop_on_signals

    if not 0 < speed <= FASTEST:
        raise CommandWrong(f"A speed lies above 0 and is at most {FASTEST:,}.", "floor simulate")
    with progress("playing", "facts") as report, stop_on_signals() as stop:
        sent, planted = play(wish, settings, speed=speed, stop=stop, report=report)
        is_cut = stop()
    if options.is_json:
        emit_json({"sent": sent, "planted": planted, "interrupted": is_cut})
    else:
        emit(f"{sent:,} facts sent to {settings.bootstrap}; {planted:,} planted irregularities\n")
    return 130 if is_cut else 0


def demo(
    *,
    seed: int = 2021,
    processes: int = 2,
    every: Annotated[bool, Parameter(negative="")] = False,
    out: Annotated[Path | None, Parameter(name="--out", show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Three simulated nights: every planted irregularity is found and reported, none invented.

    Five games, and Match Play Coupons from their delivery to the reconciliation of the day. A fact
    of the second day arrives on the third and restates it, after its papers were signed.

    No network, no broker. Without --ledger the ledger is a new folder among the temporary ones; one
    that holds a simulated floor already is judged as it is. The exit code is 0 only if findings and
    truth agree and every planted irregularity stands on the report of its night.

    Args:
        seed: chooses everything that is left to chance.
        processes: how many processes share the nights.
        every: show each kind that was planted, not only some of each chapter.
        out: the folder of nights, with demo.html; default beside the ledger.
    """
    from ledger.cli.demo import run_demo
    from ledger.reports import demo_data, demo_page

    with progress("simulating and closing", "events") as report:
        done = run_demo(options.ledger, seed, max(1, processes), report, out=out)
    if options.is_json:
        emit_json(demo_data(done))
    else:
        show(demo_page(done, width(), every=every))
    return 0 if done.agrees else 1
