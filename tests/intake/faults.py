"""What comes of a fault in each kind of sheet: ``python -m tests.intake.faults`` records it anew.

Four faults in each sample: two columns swapped, an hour's shift, one row lost, one row altered. The
record says what the import refuses, else what the audit says more (+) and no longer (-).
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.intake.given import PROFILES, SAMPLES, judged, ledger, preview, sample, told, whole_day

RECORD: Final = SAMPLES / "faults.txt"
Rows = list[list[str]]

SWAPPED: Final = {
    "camera-status": ("Table", "Camera"),
    "clock-checks": ("Ahead by (ms)", "Reference"),
    "coupon-cancel": ("Because", "How"),
    "coupon-count": ("Denomination", "Serial"),
    "coupon-delivery": ("Invoiced", "Counted"),
    "coupon-distribution": ("Serial", "Serial to"),
    "coupon-inventory": ("Serial from", "Serial to"),
    "coupon-issue": ("Serial from", "Serial to"),
    "coupon-kept": ("Serial from", "Serial to"),
    "coupon-mailing-list": ("Name", "Address"),
    "coupon-redeem": ("Denomination", "Paid on coupon"),
    "coupon-requisition": ("Prepared by", "Authorized by"),
    "coupon-return": ("Returned by", "Received by"),
    "coupon-void": ("Held by", "Voided by"),
    "dice-card-log": ("Table", "Item"),
    "drop-count": ("$100 bills", "$50 bills"),
    "fills-credits-openers": ("Slip", "Signed by"),
    "football-outcomes": ("Green 1", "Red"),
    "furniture-log": ("Die 1 color", "Die 6 color"),
    "poker-outcomes": ("Start number", "Cards left"),
    "props-outcomes": ("Covered shakes", "Die 1"),
    "silence-limits": ("Table", "Seconds"),
    "staff-roster": ("From", "To"),
    "table-outcomes": ("Die 1", "Die 3"),
    "table-wagers": ("Winnings paid", "Stake taken"),
}
ALTERED: Final = {
    "camera-status": ("20:19", "22:19"),
    "clock-checks": ("1500.5", "150000.5"),
    "coupon-cancel": ("C-0000005", "C-0000007"),
    "coupon-count": ("C-0000002", "C-0000003"),
    "coupon-delivery": ("E-41,100", "E-41,99"),
    "coupon-distribution": ("C-0000004", "C-0000005"),
    "coupon-inventory": (",50,yes", ",49,yes"),
    "coupon-issue": (",50,", ",500,"),
    "coupon-kept": ("C-0000050,10", "C-0000049,9"),
    "coupon-mailing-list": ("C-0000213", "C-0000250"),
    "coupon-redeem": ("$80.00", "$800.00"),
    "coupon-requisition": ("$25.00,20", "$25.00,10"),
    "coupon-return": ("C-0000040,35", "C-0000041,36"),
    "coupon-void": ("C-0000005", "C-0000007"),
    "dice-card-log": ("1004;1005;1006", "1004;1005;1001"),
    "drop-count": (",18,4,60,", ",81,4,60,"),
    "fills-credits-openers": ("18:30", "19:30"),
    "football-outcomes": (",1,flat,5-6-1", ",2,flat,5-6-1"),
    "furniture-log": (",53,1,", ",52,1,"),
    "poker-outcomes": ("shaker,12,5,4,", "shaker,12,5,5,"),
    "props-outcomes": (",4,flat,4-4", ",5,flat,4-4"),
    "silence-limits": (",,wagers,,90", ",,wagers,,9"),
    "staff-roster": ("D-1,18:20", "D-1,19:20"),
    "table-outcomes": (",1,1,6,flat,flat,flat,1-1-6", ",1,2,6,flat,flat,flat,1-1-6"),
    "table-wagers": ("won,$80.00", "won,$800.00"),
}


def swapped(profile: str, text: str) -> str:
    """Two columns stand under each other's heading."""
    rows = _rows(text)
    one, other = (rows[0].index(name) for name in SWAPPED[profile])
    for row in rows[1:]:
        row[one], row[other] = row[other], row[one]
    return _text(rows)


def shifted(_: str, text: str) -> str:
    """Each time of the day is an hour late."""
    return re.sub(r"\b(\d\d)(:\d\d)", lambda m: f"{(int(m[1]) + 1) % 24:02d}{m[2]}", text, flags=0)


def lost(_: str, text: str) -> str:
    """The second row is not there."""
    rows = _rows(text)
    return _text([*rows[:2], *rows[3:]])


def altered(profile: str, text: str) -> str:
    """One cell says something else."""
    old, new = ALTERED[profile]
    assert text.count(old) >= 1
    return text.replace(old, new, 1)


FAULTS: Final[dict[str, Callable[[str, str], str]]] = {
    "swapped": swapped, "shifted": shifted, "lost": lost, "altered": altered,
}  # fmt: skip


def _rows(text: str) -> Rows:
    return list(csv.reader(io.StringIO(text)))


def _text(rows: Rows) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def outcome(folder: Path, profile: str, fault: str, clean: list[str]) -> Iterator[str]:
    """What comes of one fault, line by line."""
    text = FAULTS[fault](profile, sample(profile))
    path = folder / f"{profile}.csv"
    path.write_text(text, encoding="utf-8")
    seen = preview(ledger(), profile, path)
    if seen.faults:
        yield from (f"refused {one}" for one in seen.faults)
        return
    path.write_text(sample(profile), encoding="utf-8")
    right = preview(ledger(), profile, path)
    now = Counter(told(judged(whole_day(folder, **{profile.replace("-", "_"): text}))))
    before = Counter(clean)
    lines = [f"+ {one}" for one in sorted((now - before).elements())]
    lines += [f"- {one}" for one in sorted((before - now).elements())]
    yield from lines or ["the audit says the same"]
    for name, total in right.totals.items():
        if seen.totals[name] != total:
            yield f"control total of {name}: {seen.totals[name]}, not {total}"
    if seen.rows != right.rows:
        yield f"rows: {seen.rows}, not {right.rows}"


@cache
def clean_day() -> list[str]:
    """What the audit says of the samples as they are."""
    with TemporaryDirectory() as name:
        return told(judged(whole_day(Path(name))))


def recorded(profile: str) -> str:
    """What comes of the four faults in one profile's sample."""
    lines = [f"[{profile}]"]
    with TemporaryDirectory() as name:
        folder = Path(name)
        clean = clean_day()
        for fault in FAULTS:
            lines.append(fault)
            lines += [f"  {line}" for line in outcome(folder, profile, fault, clean)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    RECORD.write_text("\n".join(map(recorded, PROFILES)), encoding="utf-8")
    sys.stdout.write(f"{RECORD.name} recorded\n")
