"""No modules of the house import each other in a circle, wherever in a file the import stands."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent


def imports(root: Path) -> dict[str, set[str]]:
    """Each module of the house with those that it imports, for type checking or in a function too."""
    paths = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted((root / "ledger").rglob("*.py"))
    }
    graph: dict[str, set[str]] = {}
    for name, path in paths.items():
        wanted: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    wanted.add(inner if inner in paths else node.module)
        graph[name] = (wanted & paths.keys()) - {name}
    return graph


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The sets of modules that reach each other."""
    left = {name: set(wanted) for name, wanted in graph.items()}
    while ends := [name for name, wanted in left.items() if not wanted & left.keys()]:
        for name in ends:  # nothing that is left follows from it
            del left[name]
    reach: dict[str, set[str]] = {}
    for start in left:
        reach[start], pending = set(), [start]
        while pending:
            for module in (left[pending.pop()] & left.keys()) - reach[start]:
                reach[start].add(module)
                pending.append(module)
    return {
        frozenset(other for other in reach[name] if name in reach[other])
        for name in left
        if name in reach[name]
    }


def test_a_circle_is_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {frozenset({"b", "c"})}


def test_no_modules_import_each_other() -> None:
    assert circles(imports(ROOT)) == set()
