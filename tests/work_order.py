"""The order in which the groups of `--dist loadgroup` are sent to the workers, and what they tell.

The scheduler that comes with xdist counts all that a worker ever had whenever a test ends, and
looks for each test that it sends in the list of all: at twenty thousand tests it is a fourth process
that works on two cores. This one forgets a test that is done and knows where each test stands. It
sends first what takes long, so that no worker is left alone with it at the end of a run.

A worker sends six messages for each test. That it begins, and that its setup and teardown passed, is
shown to nobody: these three cost a third of a test that does nothing, and stay away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from xdist.scheduler import LoadGroupScheduling

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FIRST: Final = (
    "kafka",
    "tests/tour",
    "tests/pipelines",
    "tests/web",
    "tests/faults",
    "tests/night",
)
"""Beginnings of the groups that are sent first; the others follow by their number of tests."""


def ranked(groups: dict[str, dict[str, bool]]) -> list[str]:
    """The names of groups of tests, in the order in which they are sent."""

    def rank(name: str) -> tuple[int, int]:
        matches = (place for place, first in enumerate(FIRST) if name.startswith(first))
        return next(matches, len(FIRST)), -len(groups[name])

    return sorted(groups, key=rank)


class LongGroupsFirst(LoadGroupScheduling):
    """The scheduler of groups, at a cost for each test that does not grow with their number."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        self._places: dict[str, int] = {}

    def schedule(self) -> None:
        """Send the first groups, once all workers have collected; later, what a new worker needs."""
        if self.collection is None and self._check_nodes_have_same_collection():
            self._begin(next(iter(self.registered_collections.values())))
        elif self.collection is not None:
            for node in self.nodes:
                self._reschedule(node)

    def _begin(self, collection: Sequence[str]) -> None:
        self.collection = list(collection)
        self._places = {nodeid: place for place, nodeid in enumerate(collection)}
        groups: dict[str, dict[str, bool]] = {}
        for nodeid in collection:
            groups.setdefault(self._split_scope(nodeid), {})[nodeid] = False
        self.workqueue.update((name, groups[name]) for name in ranked(groups))
        for _ in range(len(self.nodes) - len(groups) if groups else 0):
            node, _ = self.assigned_work.popitem()
            node.shutdown()
        for _ in range(2 if groups else 0):  # a worker needs to know what comes after its test
            for node in self.nodes:
                self._reschedule(node)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """Forget a test that is done, and its group with the last one."""
        nodeid = self.registered_collections[node][item_index]
        name, groups = self._split_scope(nodeid), self.assigned_work[node]
        del groups[name][nodeid]
        if not groups[name]:
            del groups[name]
        self._reschedule(node)

    def _assign_work_unit(self, node: Any) -> None:
        name, group = self.workqueue.popitem(last=False)
        self.assigned_work[node][name] = group
        node.send_runtest_some([self._places[nodeid] for nodeid in group])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LongGroupsFirst | None:
    """Schedule ``--dist loadgroup``; None: leave another way to xdist."""
    return LongGroupsFirst(config, log) if config.getvalue("dist") == "loadgroup" else None


def is_needed(name: str, message: dict[str, Any]) -> bool:
    """Whether the process that shows the run has a use for a message of a worker.

    Args:
        name: what it is about, in the words of xdist.
        message: its fields.
    """
    if name != "testreport":
        return name != "logstart"
    report = message["data"]
    return report["when"] == "call" or report["outcome"] != "passed" or bool(report["sections"])


def sparing(send: Callable[..., None]) -> Callable[..., None]:
    """A way to send that leaves out what is not needed."""

    def sent(name: str, **message: Any) -> None:
        if is_needed(name, message):
            send(name, **message)

    return sent


def pytest_configure(config: pytest.Config) -> None:
    """In a worker, send what is needed; all, where the longest phases are asked for."""
    if hasattr(config, "workerinput") and config.option.durations is None:
        plugins = config.pluginmanager.get_plugins()
        worker = next(plugin for plugin in plugins if type(plugin).__name__ == "WorkerInteractor")
        worker.sendevent = sparing(worker.sendevent)
