"""The demonstration as plain data is JSON, a restated day too."""

from __future__ import annotations

import json
from datetime import date

from ledger.reports.demo.nights import DemoRestated, restated_data


def test_a_restated_day_is_json() -> None:
    restated = DemoRestated(
        gaming_day=date(2021, 6, 13),
        reasons=("a late fact",),
        late=("SB-01:4",),
        signed_forms=(),
        signed_reports=("night",),
        differences=("one finding more",),
    )
    assert json.loads(json.dumps(restated_data(restated))) == {
        "gaming_day": "2021-06-13",
        "reasons": ["a late fact"],
        "late": ["SB-01:4"],
        "signed_forms": [],
        "signed_reports": ["night"],
        "said": ["one finding more"],
    }
