"""Templates of facts: what fills a field from the values of a row, checked against its type.

``"$column"`` is a column's value or a moment (``"$one or $other"``: the other's where the one is
empty); a table fills a nested record; a list a list, whose items may each hang on a column
(``given``). ``{ rows = ... }`` makes one item of each row of a group, and
``{ each = column, of = ... }`` one of each value of a list.

A template becomes an expression of Python over the columns, ``c_<name>``, and constants, so that a
profile is compiled once and not walked for each row. Only names that the profile was checked for
stand in an expression; what a profile's author wrote comes in as a constant, never as code.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, time
from enum import StrEnum
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from ledger.kernel.quick_dataclass import dataclass

Cells = Mapping[str, Any]
"""The values of a row by column; None where a cell is empty."""
Wrong = Callable[[str], Exception]
"""Makes the refusal of a problem."""

PART: Final = "part"
PARTS: Final = "parts"
ROWS: Final = "rows"
EACH: Final = "each"
"""Names a template may use beside the columns: the number of this fact among those of a group of
rows, how many there are, the rows of the group, and one item of a list."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What the values of a column are.

    ``type`` is their type, ``words`` what a choice may give, ``element`` what a list is of.
    """

    type: type
    words: tuple[object, ...] | None = None
    element: Kind | None = None


WHOLE: Final = Kind(int)


class Templates:
    """Reads templates.

    Args:
        kinds: columns and moments that may be named, with what they are.
        constants: the objects that expressions name; filled here.
        wrong: makes a refusal.
    """

    def __init__(self, kinds: dict[str, Kind], constants: dict[str, Any], wrong: Wrong) -> None:
        self.kinds = {**kinds, PART: WHOLE, PARTS: WHOLE}
        self.constants = constants
        self.wrong = wrong

    def constant(self, content: object) -> str:
        """The name of a constant."""
        name = f"k{len(self.constants)}"
        self.constants[name] = content
        return name

    def source(self, hint: Any, template: object, where: str, *, optional: bool = False) -> str:
        """The expression that makes a value of a type from a row.

        Args:
            hint: the field's type.
            template: of the field; None where nothing fills it.
            where: the field, for a refusal.
            optional: whether the field may be empty.
        """
        if get_origin(hint) in (Union, types.UnionType):
            inner = next(one for one in get_args(hint) if one is not type(None))
            return self.source(inner, template, where, optional=True)
        if template is None:
            if optional:
                return "None"
            raise self.wrong(f"{where} is not filled")
        if isinstance(template, str) and template.startswith("$"):
            first, _, instead = template.partition(" or $")
            expression = self.column(first[1:], hint, where, optional=optional)
            if not instead:
                return expression
            other = self.column(instead, hint, where, optional=optional)
            return f"({other} if c_{first[1:]} is None else {expression})"
        if get_origin(hint) is tuple:
            return self.several(get_args(hint)[0], template, where)
        if is_dataclass(hint) and isinstance(hint, type):
            return self.record(hint, template, where)
        try:
            constant = hint(template) if issubclass(hint, StrEnum) else template
        except ValueError:
            raise self.wrong(f"{where}: {template!r} is not among its symbols") from None
        if not isinstance(constant, hint) or (hint is int and isinstance(constant, bool)):
            raise self.wrong(f"{where} is no {hint.__name__}")
        return self.constant(constant)

    def several(self, hint: object, template: object, where: str) -> str:
        """A list: of the rows of a group, the values of one cell, or items said one by one."""
        if isinstance(template, dict) and set(template) == {ROWS}:
            make = self.constant(self.function(self.source(hint, template[ROWS], where)))
            return f"tuple([{make}(one) for one in c_{ROWS}])"
        if isinstance(template, dict) and set(template) == {EACH, "of"}:
            kind = self.known(template[EACH], where)
            if kind.element is None:
                raise self.wrong(f"{where}: {template[EACH]!r} is no list")
            inner = Templates({**self.kinds, EACH: kind.element}, self.constants, self.wrong)
            each = inner.source(hint, template["of"], where)
            return f"tuple([{each} for c_{EACH} in c_{template[EACH]} or ()])"
        if not isinstance(template, list):
            raise self.wrong(f"{where} is a list")
        return f"({''.join(self.element(hint, one, where) for one in template)})"

    def element(self, hint: object, template: object, where: str) -> str:
        """One item of a list; it may hang on a column, without which there is none."""
        if not isinstance(template, dict) or "given" not in template:
            return f"{self.source(hint, template, where)}, "
        needed_column = str(template["given"]).removeprefix("$")
        self.known(needed_column, where)
        template = {name: one for name, one in template.items() if name != "given"}
        return f"*(() if c_{needed_column} is None else ({self.source(hint, template, where)},)), "

    def record(self, hint: type, template: object, where: str) -> str:
        """A nested record."""
        if not isinstance(template, dict):
            raise self.wrong(f"{where} is a table")
        parts = self.parts(hint, template, where)
        return f"{self.constant(hint)}({', '.join(f'{name}={one}' for name, one in parts)})"

    def parts(
        self, record: type, template: dict[str, object], where: str, header: tuple[str, ...] = ()
    ) -> list[tuple[str, str]]:
        """The fields of a record after its header, each with its expression."""
        hints = get_type_hints(record)
        names = [one.name for one in fields(record) if one.name not in header]
        for extra in set(template) - set(names):
            raise self.wrong(f"{where} has no field {extra!r}")
        return [
            (name, self.source(hints[name], template.get(name), f"{where}.{name}"))
            for name in names
        ]

    def known(self, name: Any, where: str) -> Kind:
        """What a column holds."""
        if name not in self.kinds:
            raise self.wrong(f"{where}: {name!r} is no column")
        return self.kinds[name]

    def column(self, name: str, hint: object, where: str, *, optional: bool) -> str:
        """A column's value in a field."""
        kind = self.known(name, where)
        if not _fits(kind, hint):
            raise self.wrong(f"{where} cannot hold what stands in {name!r}")
        if get_origin(hint) is tuple:
            return f"(c_{name} or ())"
        if isinstance(hint, type) and issubclass(hint, StrEnum) and not optional:
            return f"({self.constant(hint('UNRECOGNISED'))} if c_{name} is None else c_{name})"
        if kind.type in (date, time):
            return f"(None if c_{name} is None else c_{name}.isoformat())"
        return f"c_{name}"

    def function(self, source: str) -> Callable[[Cells], Any]:
        """An expression as a function of a row's values."""
        names = [*self.kinds, ROWS]
        lines = ["def make(row):", *(f"    c_{n} = row.get({n!r})" for n in names if n != EACH)]
        names_of: dict[str, Any] = self.constants
        scope: dict[str, Any] = {}
        exec("\n".join([*lines, f"    return {source}"]), names_of, scope)  # noqa: S102
        make: Callable[[Cells], Any] = scope["make"]
        return make


def _fits(kind: Kind, hint: object) -> bool:
    """Whether the values of a column may stand in a field of a type."""
    if get_origin(hint) is tuple:
        return kind.element is not None and _fits(kind.element, get_args(hint)[0])
    if not isinstance(hint, type) or kind.element is not None:
        return False
    if kind.words is not None:
        if issubclass(hint, StrEnum):
            return all(word in set(hint) for word in kind.words)
        return all(type(word) is hint for word in kind.words)
    if hint is str:
        return issubclass(kind.type, str | date | time)
    return hint is kind.type


def outside_rows(template: object, columns: Mapping[str, object]) -> set[str]:
    """The columns that a template names outside the rows of a group."""
    if isinstance(template, str):
        named = {one.removeprefix("$") for one in template.split(" or ")}
        return named & set(columns) if template.startswith("$") else set()
    if isinstance(template, dict):
        return {
            name
            for key, one in template.items()
            if key != ROWS
            for name in outside_rows(one, columns)
        }
    if isinstance(template, list):
        return {name for one in template for name in outside_rows(one, columns)}
    return set()
