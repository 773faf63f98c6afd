"""Every case of a file: told in facts, audited, and what came of it."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from ledger.codec import NotAFact
from tests.conformance.engine import judge
from tests.conformance.keys import NotTranslatable
from tests.conformance.results import Result, result
from tests.conformance.translate import defaults_of, translate, vocabulary


def run(document: Mapping[str, Any]) -> dict[str, Result]:
    """Results by case id; nothing that a case expects is looked at."""
    results: dict[str, Result] = {}
    for number, case in enumerate(document["cases"]):
        name = case.get("id") if isinstance(case, Mapping) else None
        if not isinstance(name, str):
            sys.stderr.write(f"case {number} has no id, hence no result\n")
            continue
        try:
            speaks = vocabulary(document)
            case = shared_in(case, document.get("shared_facts", ()))
            told = translate(case, speaks, defaults_of(document, speaks))
            results[name] = result(told, judge(told.ready.facts, told.days))
        except NotTranslatable as reason:
            results[name] = {"not_translatable": str(reason)}
        except NotAFact as reason:
            results[name] = {"not_translatable": f"no schema can hold it: {reason}"}
        except Exception:  # our own mistake: this case has no result, the others have theirs
            sys.stderr.write(f"{name}:\n{traceback.format_exc()}")
    return results


def whole(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The cases of a file, each with all its facts."""
    return [shared_in(case, document.get("shared_facts", ())) for case in document["cases"]]


def shared_in(case: Mapping[str, Any], shared: Sequence[Any]) -> Mapping[str, Any]:
    """A case with the facts that it names by their number among the shared ones."""
    if not shared or not isinstance(case.get("facts"), list):
        return case
    return {**case, "facts": [shared[one] if type(one) is int else one for one in case["facts"]]}
