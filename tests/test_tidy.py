"""The house style that a machine can see: sizes, shapes, READMEs, and what the rules must not touch.

Each test reads files only, collects every offence, and shows them all.
"""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

pytestmark = pytest.mark.xdist_group("tidy")  # what is read of the files is read once

ROOT = Path(__file__).parent.parent
THIS = "tests/test_tidy.py"
FUNCTION_LINES = 70
README_LINES = 30
SOURCES = ("ledger", "pipelines", "infra")
RULES = tuple(f"ledger/{name}" for name in ("games", "kernel", "rounds", "house", "coupons", "law"))
ROOM_FILES = {
    "README.md",
    "__init__.py",
    "terms.py",
    "wagers.py",
    "equipment.py",
    "validity.py",
    "procedure.py",
    "state.py",
    "decider.py",
}
FLOOR_SEES = {"kernel", "events", "log"}
ANSWERS = {
    "outcome_words.py",
    "chances.py",
    "house_advantage_by_reading.py",
    "law_page_tables.py",
    "wager_dependence.py",
    "hands.py",
    "supervision.py",
}
"""What a room may say of itself to those outside: exported through its ROOM, each where it applies."""
FURTHER = {
    "asia_poker": {
        "bonus_count.py",
        "deal.py",
        "lookup.py",
        "lasting_state.py",
        "discard_rack.py",
        "settling.py",
        "hands_in_turn.py",
        "state_changes.py",
    },
    "three_dice_football": {"calls.py", "markers.py", "quarterback.py", "turns.py"},
}
"""Rooms whose nine files would be too long; what each holds more stands in its README."""
NOT_ROOMS = {"match_play"}
CODE = {".py", ".sql", ".toml", ".html", ".yaml", ".js"}
KNOW_GAMES = (
    "ledger/games/",
    "ledger/law/",  # the index of chapters and the words of findings and readings
    "ledger/floor/",  # paytables typed from the layout, so that one wrong row cannot pass twice
    "ledger/events/",  # schemas name the chapter's own options
    "ledger/intake/profiles/",
    "ledger/reports/examples.toml",  # recorded from transcripts
)
ENTRANCES = {"ledger", "ledger.__main__", "ledger.cli"}
MAY_IMPORT_THE_FACE = {"cli", "web", "__main__.py"}
CLOCKS_AND_CHANCE = {"random", "secrets", "time", "numpy"}
CLOCK_CALLS = {"now", "utcnow", "today", "uuid1", "uuid4"}
SAY_NOTHING = {
    *("one", "found", "said", "told", "held", "now", "made", "given", "what"),
    *("item", "thing", "value", "data", "obj", "tmp", "res", "x"),
}
"""Names of variables that hold anything; a variable is named by the noun of what it holds."""
TEXT = {".py", ".md", ".toml", ".sql", ".sh", ".in", ".lock", ".properties", ".avsc", ".json"}
TEXT |= {".yaml", ".yml", ".tsv", ".csv", ".html", ".css", ".js", ".round", ""}
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
SWITCHED_OFF = re.compile(
    r"pytest\.(?:mark\.)?(?:skip|skipif|xfail|importorskip)\b|@(?:unittest\.)?skip"
)
FOREIGN = re.compile(
    r"pypi\.(?:org|python)|pythonhosted|repo1?\.maven|maven\.apache\.org|registry\.npmjs|crates\.io"
    r"|proxy\.golang|deb\.debian|(?<![\w.}/])/(?:work|root|home|tmp)/\w|\.\./shared"
)


@cache
def files() -> tuple[str, ...]:
    """Name every file of the project, tracked or about to be, that is still there."""
    said = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return tuple(sorted(name for name in said.split("\0") if name and (ROOT / name).is_file()))


@cache
def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(text(name), name)


@cache
def nodes(name: str) -> tuple[ast.AST, ...]:
    """Every node of a file."""
    return tuple(ast.walk(tree(name)))


def modules(*folders: str) -> Iterator[str]:
    """Name the Python files at or below the folders."""
    for name in files():
        if name.endswith(".py") and any(name.startswith(f"{folder}/") for folder in folders):
            yield name


def texts() -> Iterator[str]:
    return (name for name in files() if PurePosixPath(name).suffix in TEXT and name != THIS)


def matches(pattern: re.Pattern[str], names: Iterator[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:100]}"
        for name in names
        for number, line in enumerate(text(name).splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_function_is_longer_than_a_screen():
    assert [
        f"{name}:{node.lineno} {node.name}"
        for name in modules(*SOURCES)
        for node in nodes(name)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    ] == []


def test_every_module_says_what_it_answers():
    assert [name for name in modules(*SOURCES) if ast.get_docstring(tree(name)) is None] == []


def test_each_folder_has_a_short_readme():
    folders = {str(PurePosixPath(*PurePosixPath(name).parts[:2])) for name in modules("ledger")}
    folders = {folder for folder in folders if not folder.endswith(".py")}
    offences = []
    for folder in sorted(folders):
        readme = f"{folder}/README.md"
        if readme not in files():
            offences.append(f"{readme} is missing")
        elif len(text(readme).splitlines()) > README_LINES:
            offences.append(f"{readme} has more than {README_LINES} lines")
    assert offences == []


def test_every_module_and_path_that_a_readme_names_exists():
    offences = []
    for page in (
        name for name in files() if name.startswith("ledger/") and name.endswith("README.md")
    ):
        for path in re.findall(r"`([a-z][\w./-]*\.(?:py|toml|tsv|sql|html))`", text(page)):
            near = (PurePosixPath(page).parent, PurePosixPath("ledger"), PurePosixPath())
            # the shape of every room, which a checklist names without its folder
            if not any((ROOT / place / path).exists() for place in near) and path not in ROOM_FILES:
                offences.append(f"{page}: {path}")
    assert offences == []


def rooms() -> dict[str, set[str]]:
    """Name the rooms, and all that lies in each."""
    found: dict[str, set[str]] = {}
    for name in files():
        if name.startswith("ledger/games/") and name.count("/") > 2:
            room, rest = name.removeprefix("ledger/games/").split("/", 1)
            found.setdefault(room, set()).add(rest)
    return {room: inside for room, inside in found.items() if room not in NOT_ROOMS}


def test_every_room_has_the_one_shape():
    found = {room: inside - FURTHER.get(room, set()) - ANSWERS for room, inside in rooms().items()}
    assert {room: inside for room, inside in found.items() if inside != ROOM_FILES} == {}


def test_nobody_outside_imports_a_room():
    inside = tuple(f"ledger.games.{room}" for room in rooms())
    assert [
        f"{name}: {target}"
        for name in modules(*SOURCES)
        if not name.startswith("ledger/games/")
        for target in imported(name)
        if target.startswith(inside)
    ] == []


def test_nobody_outside_knows_a_game_by_its_name():
    """What is asked about a game is a row or a function of its room, behind ledger/games/room.py."""
    games = [
        match[1]
        for room in rooms()
        for match in re.finditer(r'(?:GAME: Final = |game=)"([^"]+)"', room_text(room))
    ]
    assert len(games) == len(rooms())
    words = [*games, *(room.replace("_", "[ _-]?") for room in rooms())]
    name = re.compile("|".join(words), re.IGNORECASE)
    sources = (
        file
        for file in files()
        if file.startswith(SOURCES)
        and PurePosixPath(file).suffix in CODE
        and not file.startswith(KNOW_GAMES)
    )
    assert matches(name, sources) == []


def room_text(room: str) -> str:
    """The two files of a room of which one names its game."""
    return text(f"ledger/games/{room}/terms.py") + text(f"ledger/games/{room}/__init__.py")


def test_every_room_has_transcripts():
    assert [
        room
        for room in rooms()
        if not any(
            name.startswith(f"tests/games/{room}/rounds/") and name.endswith(".round")
            for name in files()
        )
    ] == []


def test_every_room_stands_in_the_contract_of_independence():
    assert [
        room for room in rooms() if f'"ledger.games.{room}",' not in text("pyproject.toml")
    ] == []


def test_every_folder_is_forbidden_to_the_simulated_floor():
    contracts = tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    forbidden = next(
        set(contract["forbidden_modules"])
        for contract in contracts
        if contract.get("source_modules") == ["ledger.floor"]
    )
    folders = {dotted(name).split(".")[1] for name in modules("ledger") if name.count("/") > 1}
    assert {f"ledger.{folder}" for folder in folders - FLOOR_SEES - {"floor"}} == forbidden


def floats(name: str) -> Iterator[ast.expr]:
    """Find literals and uses of float; asking whether something is one, to refuse it, is no use."""
    asked = {
        id(word)
        for node in nodes(name)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "isinstance"
        for argument in node.args[1:]
        for word in ast.walk(argument)
    }
    for node in nodes(name):
        literal = isinstance(node, ast.Constant) and isinstance(node.value, float | complex)
        word = isinstance(node, ast.Name) and node.id == "float" and id(node) not in asked
        if isinstance(node, ast.expr) and (literal or word):
            yield node


def clocks(name: str) -> Iterator[ast.AST]:
    for node in nodes(name):
        match node:
            case ast.Import(names=names):
                chance = any(alias.name.split(".")[0] in CLOCKS_AND_CHANCE for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                chance = module.split(".")[0] in CLOCKS_AND_CHANCE
            case ast.Call(func=ast.Attribute(attr=attribute)):
                chance = attribute in CLOCK_CALLS
            case _:
                chance = False
        if chance:
            yield node


def test_the_rules_have_no_float():
    assert [f"{name}:{node.lineno}" for name in modules(*RULES) for node in floats(name)] == []


def test_the_rules_have_no_clock_and_no_chance():
    assert [
        f"{name}:{getattr(node, 'lineno', 0)}" for name in modules(*RULES) for node in clocks(name)
    ] == []


def test_nothing_is_left_unfinished():
    assert matches(UNFINISHED, texts()) == []


def test_no_test_is_switched_off():
    assert matches(SWITCHED_OFF, (name for name in modules("tests") if name != THIS)) == []


def test_no_file_names_a_machine_or_a_registry():
    assert matches(FOREIGN, texts()) == []


def is_a_fact(decorator: ast.expr) -> bool:
    """Tell the decorator that makes a class frozen, with slots, its fields given by name."""
    return ast.unparse(decorator) == "declared"


def test_events_are_frozen_dataclasses():
    assert [
        f"{name}:{node.lineno} {node.name}"
        for name in modules("ledger/events")
        if name != "ledger/events/fact_declaration.py"  # what makes a class a fact
        for node in tree(name).body
        if isinstance(node, ast.ClassDef)
        and not any(re.search(r"Enum$|Protocol", ast.unparse(base)) for base in node.bases)
        and not any(is_a_fact(decorator) for decorator in node.decorator_list)
    ] == []


def bound(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Name what a piece of code binds, with the line; comprehensions and lambdas are passed over.

    So are methods, and the fields of facts, whose names the schemas published.
    """
    match node:
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
        case ast.ClassDef(body=body, decorator_list=decorators):
            fact = any(map(is_a_fact, decorators))
            for part in body:
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from bound_inside(part)
                elif not (fact and isinstance(part, ast.AnnAssign)):
                    yield from bound(part)
            return
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, node.lineno
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name, node.lineno
        case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
            yield name, node.lineno
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name, node.lineno
        case ast.MatchMapping(rest=str(name)):
            yield name, node.lineno
    yield from bound_inside(node)


def bound_inside(node: ast.AST) -> Iterator[tuple[str, int]]:
    for part in ast.iter_child_nodes(node):
        yield from bound(part)


def test_no_variable_has_a_name_that_says_nothing():
    assert [
        f"{name}:{line} {variable}"
        for name in modules(*SOURCES)
        for variable, line in bound(tree(name))
        if variable in SAY_NOTHING
    ] == []


EVERY_WAY = """
import numpy as res
def one(found, /, said, *told, held=1, **now):
    made: int = 2
    with open(said) as given, open(said) as (what, _):
        pass
    for item in (thing := told):
        try:
            data = [0]
        except OSError as value:
            pass
    match told:
        case [_, *tmp] | {"a": _, **obj}:
            pass
class Settings:
    x: int
"""
PASSED_OVER = """
squares = [one for one in (1, 2) if (tmp := one)]
key = lambda x: x
class Register:
    def found(self): ...
@declared
class ItemInspected:
    item: str
"""


def test_every_way_to_bind_such_a_name_is_seen():
    assert {name for name, _ in bound(ast.parse(EVERY_WAY))} - {"_", "Settings"} == SAY_NOTHING
    assert {name for name, _ in bound(ast.parse(PASSED_OVER))} == {"squares", "key", "self"}


def dotted(name: str) -> str:
    """Turn a file's name into its module's."""
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def imported(name: str) -> tuple[str, ...]:
    """Name all that a file imports, also what it names in a string to import lazily."""
    return tuple(_imported(name))


def _imported(name: str) -> Iterator[str]:
    package = dotted(name) if name.endswith("__init__.py") else dotted(name).rpartition(".")[0]
    for node in nodes(name):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - level + 1], module or ""]).strip(".")
                base = base if level else str(module)
                yield base
                yield from (f"{base}.{alias.name}" for alias in names)
            case ast.Constant(value=str(word)) if re.fullmatch(r"ledger(?:\.\w+)+(?::\w+)?", word):
                yield word.split(":")[0]


def test_no_module_is_dead():
    used = {
        target
        for name in modules("ledger", "pipelines")
        for target in imported(name)
        if target != dotted(name)
    }
    commands = (ROOT / "ledger/cli/app.py").read_text(encoding="utf-8")
    used |= {f"ledger.cli.{name}" for name in re.findall(r'_Module\("(\w+)"\)', commands)}
    assert [
        name
        for name in modules("ledger")
        if dotted(name) not in ENTRANCES | used
        and not any(target.startswith(f"{dotted(name)}.") for target in used)
    ] == []


def test_only_the_outermost_import_the_face():
    inside = {PurePosixPath(name).parts[1].removesuffix(".py") for name in modules("ledger")}
    offences = []
    for name in modules("ledger"):
        if PurePosixPath(name).parts[1] in MAY_IMPORT_THE_FACE:
            continue
        for node in nodes(name):
            match node:
                case ast.Import(names=names):
                    face = any(alias.name == "ledger" for alias in names)
                case ast.ImportFrom(module="ledger", names=names, level=0):
                    face = any(alias.name not in inside for alias in names)
                case _:
                    face = False
            if face:
                offences.append(f"{name}:{getattr(node, 'lineno', 0)}")
    assert offences == []


def test_the_gate_draws_the_same_examples_every_time():
    """`make test` and any run with CI set are derandomised; `make test-full` draws anew."""
    profile = (
        "import tests.shared_fixtures; from hypothesis import settings as s; print(s().derandomize)"
    )
    for environment, fixed in (({"CI": "1"}, "True"), ({"CI": ""}, "False")):
        done = subprocess.run(
            [sys.executable, "-c", profile],
            cwd=ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == fixed
    recipes = dict(
        re.findall(r"^([\w-]+):.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.M)
    )
    assert "--hypothesis-profile=fixed" in recipes["check"]
    assert "--hypothesis-profile=fixed" in recipes["test"]
    assert "--hypothesis-profile=random" in recipes["test-full"]


def test_the_inner_loop_names_tests_that_are_there():
    """`make check` is lint and quick tests; a path that moved would make it quicker still."""
    makefile = text("Makefile")
    assert re.search(r"^check: lint\b", makefile, re.M)
    quick = re.search(r"^QUICK  := (.+)$", makefile, re.M)
    assert quick is not None
    deselected = re.findall(r"--deselect (\S+)", makefile)
    assert [name for name in (*quick[1].split(), *deselected) if not (ROOT / name).exists()] == []
