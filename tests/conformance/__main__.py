"""``python -m tests.conformance CASES.json [--out RESULTS.json]``: what the product says of cases."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.conformance.run import run


def main() -> None:
    """Print one JSON object: case id to result."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("cases", type=Path, help="a file of cases in the neutral vocabulary")
    parser.add_argument("--out", type=Path, help="write the results here, not to stdout")
    args = parser.parse_args()
    document = json.loads(args.cases.read_text(encoding="utf-8"))
    text = json.dumps(run(document), indent=1, ensure_ascii=False) + "\n"
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
