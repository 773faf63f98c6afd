"""Tests that share what is costly to make go to one worker (`--dist loadgroup`): it is made once.

A fixture of a module or of the session is otherwise made in each worker that has a test of it.
"""

import atexit
import gc
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from _pytest.assertion import rewrite
from hypothesis import HealthCheck, settings

settings.register_profile(
    "fixed",
    derandomize=True,
    max_examples=40,  # the same ones in each run; the long run draws a hundred others each time
    database=None,
    print_blob=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # as a deadline, it tells how busy the machine is
)
settings.register_profile("random", settings.get_profile("default"), print_blob=True, deadline=None)
settings.load_profile("fixed" if os.environ.get("CI") else "random")
# `make test` asks for the first, `make test-full` for the second, wherever they run

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each child compiles the package again

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads wait busily in every process

TESTS = Path(__file__).parent
COSTLY = ("simulated", "honest", "week", "two_days", "floor")
"""The fixtures of the session that take seconds; the others are as quick as a test."""
KEEPS = pytest.StashKey[bool]()
CACHED = type(cache(lambda: None))
SWEEP_SECONDS = 3600
"""How long a long sweep may take that names no time of its own: a clock counts it, not the processor.
On two cores with much other work 24 seconds of processor time took 349."""


def compile_share(config: pytest.Config) -> None:
    """Compile this worker's share of the tests; the other workers compile theirs meanwhile.

    In a fresh checkout every worker otherwise compiles all of them, at the same time. It is done as
    pytest does it where it imports a test, and left alone where it was done before.
    """
    number, count = int(config.workerinput["workerid"][2:]), config.workerinput["workercount"]
    state = config.stash[rewrite.assertstate_key]
    tests = [*TESTS.rglob("test_*.py"), *TESTS.rglob("conftest.py")]
    for path in sorted(tests)[number % count :: count]:
        folder = rewrite.get_cache_dir(path)
        compiled = folder / f"{path.stem}{rewrite.PYC_TAIL}"
        if not compiled.exists() or compiled.stat().st_mtime < path.stat().st_mtime:
            folder.mkdir(parents=True, exist_ok=True)
            status, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(state, code, status, compiled)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Keep the garbage collector off the tests and what they import: all of it stays.

    Afterwards it runs after twenty thousand new objects, not seven hundred: a ledger of a test is
    made of many that last as long as the test. pytest looks for what is left over among what the
    tests made; all else is handed back only when Python ends, to libraries that count their own.
    """
    if hasattr(session.config, "workerinput") and os.access(TESTS, os.W_OK):
        compile_share(session.config)
    gc.disable()
    atexit.register(gc.unfreeze)
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000, 20, 100)


@pytest.hookimpl(trylast=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    if item.get_closest_marker("full") and not item.get_closest_marker("timeout"):
        item.add_marker(pytest.mark.timeout(SWEEP_SECONDS))
    if item.get_closest_marker("xdist_group"):
        return
    known = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
    scopes = {name: found[-1].scope for name, found in known.items() if found[-1].baseid}
    shared = [name for name in COSTLY if scopes.get(name) == "session"]
    whole = [name for name, scope in scopes.items() if scope == "package"]
    if shared or whole or "module" in scopes.values():
        folder = known[whole[0]][-1].baseid if whole else item.nodeid.partition("::")[0]
        group = shared[0] if shared else folder
        item.add_marker(pytest.mark.xdist_group(group))
    elif keeps_what_it_made(item.getparent(pytest.Module)):
        item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


def keeps_what_it_made(module: pytest.Module | None) -> bool:
    """Whether a module of tests calls what makes something once in a process, as a day of the floor.

    Each worker that has a test of it otherwise makes that again.
    """
    if module is None:
        return False
    if (known := module.stash.get(KEEPS, None)) is None:
        cached = (each for each in vars(module.obj).values() if type(each) is CACHED)
        known = any(each.__module__.startswith("tests.") for each in cached)
        module.stash[KEEPS] = known
    return known
