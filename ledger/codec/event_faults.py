"""Everything that is wrong with the JSON values of one event, field by field.

``from_plain`` refuses at the first fault, which is enough to keep a line out. Whoever writes a
producer wants all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.codec.errors import Fault, NotAFact
from ledger.codec.json_form import RESERVED, from_plain, schema_named
from ledger.codec.shapes import Many, Maybe, Part, Shape
from ledger.codec.value_conversion import from_json


def faults_of(values: object) -> list[NotAFact]:
    """Name every fault of one event's JSON values, in the order of the schema's fields.

    Returns:
        One refusal for each fault, with the path of its field; none if the values are a fact.
    """
    try:
        from_plain(values)
        return []
    except NotAFact as refusal:
        first = refusal
    if type(values) is not dict:
        return [first]
    try:
        schema = schema_named(values)
    except NotAFact:
        return [first]
    fields = {name: value for name, value in values.items() if name not in RESERVED}
    faults = list(_faults(schema.shape, fields))
    if all((fault.path, fault.reason) != (first.path, first.reason) for fault in faults):
        faults.insert(0, first)  # what no field shows alone: a stream's name
    return faults


def _faults(shape: Shape, json_value: object) -> Iterator[NotAFact]:
    match shape:
        case Maybe(inner=inner):
            if json_value is not None:
                yield from _faults(inner, json_value)
        case Many(element=element) if type(json_value) is list:
            for number, part in enumerate(json_value):
                yield from (fault.under(f"[{number}]") for fault in _faults(element, part))
        case Part(fields=fields) if type(json_value) is dict:
            for field in fields:
                if field.name in json_value:
                    inside = _faults(field.shape, json_value[field.name])
                    yield from (fault.under(field.name) for fault in inside)
                else:
                    says = "the field is absent; write null for not recorded"
                    yield NotAFact(Fault.MISSING_FIELD, says, field.name)
            for name in json_value.keys() - {field.name for field in fields}:
                yield NotAFact(Fault.UNKNOWN_FIELD, "the schema has no such field", name[:80])
        case _:
            try:
                from_json(shape)(json_value)
            except NotAFact as refusal:
                yield refusal
