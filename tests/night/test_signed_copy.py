"""A signed report prints signed: the very bytes that were signed, each signature in its line."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.events import WagerSettled
from ledger.night import run_night, sign_report, write_signed_copy
from ledger.night.errors import ReportNotSigned
from ledger.reports.night import issued_page
from tests.analytics import given
from tests.cli.conftest import Command
from tests.night import scene
from tests.night.scene import CLOSED_AT, DAY


def signed(ledger: Path, out: Path, signed_as: str, person: str, name: str) -> str:
    """Sign, and the page to be printed."""
    sign_report(ledger, out, DAY, person=person, name=name, signed_as=signed_as, at=CLOSED_AT)
    return write_signed_copy(ledger, out, DAY).read_text(encoding="utf-8")


def test_the_copy_holds_the_bytes_that_were_signed(tmp_path: Path) -> None:
    """Taking the signatures out gives the file that the manifest names by its SHA-256."""
    ledger, out = scene.ledger(tmp_path / "ledger"), tmp_path / "out"
    issue = run_night(ledger, DAY, out=out, processes=1).issue
    with pytest.raises(ReportNotSigned, match="Nobody has signed issue 1"):
        write_signed_copy(ledger, out, DAY)
    first = signed(ledger, out, "preparer", "P-1", "Ada <Quill>")
    assert first.count('<tr class="signed">') == 1
    both = signed(ledger, out, "approver", "P-2", "Bo Lint")
    assert both.count('<tr class="signed">') == 2
    assert both.index("Ada &lt;Quill&gt;") < both.index('class="line preparer"')
    assert both.index('class="line preparer"') < both.index("Bo Lint")
    (listed,) = [one for one in issue.manifest["outputs"] if one["name"] == "report.html"]
    for page in (first, both):
        assert sha256(issued_page(page).encode()).hexdigest() == listed["sha256"]
        assert f"manifest {issue.digest.hex()[:16]}" in page
    rounds = {one.name for one in (issue.path / "rounds").iterdir()}
    assert {one.name for one in (out / str(DAY) / "final-1-signed" / "rounds").iterdir()} == rounds
    issue.check()


def test_a_restated_day_is_not_signed_by_the_old_signatures(tmp_path: Path) -> None:
    """Issue 2 names them as superseded, and no signed copy of it can be made."""
    late = next(fact for fact in scene.facts() if isinstance(fact, WagerSettled))
    rest = [fact for fact in scene.facts() if (fact.stream, fact.seq) != (late.stream, late.seq)]
    ledger, out = given.ledger(tmp_path / "ledger", rest), tmp_path / "out"
    run_night(ledger, DAY, out=out, processes=1)
    signed(ledger, out, "preparer", "P-1", "Ada Quill")
    given.append(ledger, [late])
    issue = run_night(ledger, DAY, out=out, processes=1).issue
    page = (issue.path / "report.html").read_text(encoding="utf-8")
    assert "replaces issue 1" in page
    assert "Superseded: issue 1, prepared by Ada Quill (P-1)" in page
    assert '<tr class="signed">' not in page
    with pytest.raises(ReportNotSigned, match="Nobody has signed issue 2"):
        write_signed_copy(ledger, out, DAY)


def test_signing_writes_it_and_it_can_be_written_again(tmp_path: Path, command: Command) -> None:
    """`night sign` names the page to be printed; `night signed` makes the same bytes again."""
    ledger, out = scene.ledger(tmp_path / "ledger"), tmp_path / "out"
    run_night(ledger, DAY, out=out, processes=1)
    where = ["--day", str(DAY), "--out", str(out), "--ledger", str(ledger)]
    who = ["--by", "P-1", "--name", "Ada Quill", "--as", "preparer"]
    done = command("night", "sign", *where, *who, "--format", "json")
    copy = Path(json.loads(done.out)["signed_copy"])
    before = copy.read_bytes()
    copy.unlink()
    again = command("night", "signed", *where)
    assert (again.code, again.out) == (0, f"{copy}\n")
    assert copy.read_bytes() == before
