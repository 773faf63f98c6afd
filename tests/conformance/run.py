"""Every case of a file: told in facts, audited, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.conformance.engine import judge
from tests.conformance.keys import NotTranslatable
from tests.conformance.results import Result, result
from tests.conformance.translate import defaults_of, translate, vocabulary


def run(document: Mapping[str, Any]) -> dict[str, Result]:
    """Results by case id; nothing that a case expects is looked at."""
    try:
        speaks = vocabulary(document)
    except NotTranslatable as reason:
        return {case["id"]: {"not_translatable": str(reason)} for case in document["cases"]}
    defaults = defaults_of(document, speaks)
    results = {}
    for case in document["cases"]:
        try:
            told = translate(case, speaks, defaults)
        except NotTranslatable as reason:
            results[case["id"]] = {"not_translatable": str(reason)}
            continue
        results[case["id"]] = result(told, judge(told.ready.facts, told.days))
    return results
