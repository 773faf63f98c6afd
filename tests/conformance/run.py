"""Every case of a file: told in facts, audited, and what came of it."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from typing import Any

from ledger.codec import NotAFact
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
        try:
            results[case["id"]] = result(told, judge(told.ready.facts, told.days))
        except NotAFact as reason:
            results[case["id"]] = {"not_translatable": f"no schema can hold it: {reason}"}
        except Exception:  # our own mistake: this case has no result, the others have theirs
            sys.stderr.write(f"{case['id']}:\n{traceback.format_exc()}")
    return results
