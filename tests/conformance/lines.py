"""Our own worked examples, one case a line: ``python -m tests.conformance.lines FILE...``.

A diff of such a file shows the cases that changed, each whole.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def one_case_a_line(document: Mapping[str, Any]) -> str:
    """Write a file of examples; its content is the document's, in the document's order."""
    head = [
        f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)},"
        for name, value in document.items()
        if name != "cases"
    ]
    cases = [f"  {json.dumps(case, ensure_ascii=False)}" for case in document["cases"]]
    return "\n".join(["{", *head, ' "cases": [', ",\n".join(cases), " ]", "}", ""])


def cases_on_lines(text: str) -> list[Any]:
    """The cases that a file holds as whole lines, in order."""
    lines = (line.strip().removesuffix(",") for line in text.splitlines())
    return [json.loads(line) for line in lines if line.startswith('{"id"') and line.endswith("}")]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        document = json.loads(Path(name).read_text(encoding="utf-8"))
        Path(name).write_text(one_case_a_line(document), encoding="utf-8")
