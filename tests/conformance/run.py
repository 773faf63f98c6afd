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
    for case in whole(document):
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


def whole(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The cases with the facts that several share, which a case names by their number."""
    shared = document.get("shared_facts", ())
    return [
        {**case, "facts": [shared[one] if type(one) is int else one for one in case["facts"]]}
        if shared else case
        for case in document["cases"]
    ]  # fmt: skip
