"""Nothing beside the tree is believed: forged states, outputs, reports and keys change no result.

Each forgery is also believed on purpose once, to see that it would have changed the result.
"""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

from ledger.audit import audit_day, read_office
from ledger.log import Signer
from ledger.log.keys import key_beside
from ledger.log.signed_file_index import Seals, content_of
from ledger.night import run_night, sign_report, verify_issue
from ledger.night.errors import IssueDamaged
from ledger.night.issue_folders import issues, last_issue
from ledger.night.manifest import canonical
from ledger.night.steps import STEPS
from ledger.night.store import value_format
from ledger.replay import Replay
from ledger.reports.night import Phase
from tests.night import scene
from tests.night.scene import DAY
from tests.night.test_earlier_reports import NEXT

HOUR: Final = 3_600_000_000
FORGER: Final = Signer("Example", bytes([7]) * 32)
AUDIT: Final = next(step for step in STEPS if step.name == "audit")


def believing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every file beside the tree believed, whoever wrote it."""
    monkeypatch.setattr(Seals, "opened", lambda _self, _kind, _name, stored: content_of(stored))


def without_findings(stored: bytes) -> bytes:
    """The stored output of an audit with its findings taken out, and the seal as it was."""
    content = content_of(stored)
    assert content is not None
    result, files, aside = value_format(None).read(content)
    kinds = value_format(AUDIT.types.result)
    audit = kinds.read(result)
    object.__setattr__(audit, "findings", ())
    changed = value_format(None).write((kinds.write(audit), files, aside))
    return changed + stored[len(content) :]


def sealed_by_forger(stored: bytes, name: str) -> bytes:
    content = content_of(without_findings(stored))
    assert content is not None
    seals = Seals(FORGER.verifier, FORGER)
    return content + seals.trailer("work", name, sha256(content).hexdigest())


def unsealed(stored: bytes, _name: str) -> bytes:
    content = content_of(without_findings(stored))
    assert content is not None
    return content + bytes(4)


@pytest.mark.parametrize(
    "forged",
    [
        pytest.param(lambda stored, _name: without_findings(stored), id="the old seal"),
        pytest.param(sealed_by_forger, id="another key's seal", marks=pytest.mark.full),
        pytest.param(unsealed, id="no seal", marks=pytest.mark.full),
    ],
)
def test_an_edited_output_of_a_step_is_made_again(
    tmp_path: Path, forged: Callable[[bytes, str], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edited ``work/DAY/audit.*`` once gave a final report without a finding."""
    ledger, out = scene.ledger(tmp_path / "ledger"), tmp_path / "out"
    first = run_night(ledger, DAY, out=out, processes=1)
    assert first.audit.findings
    (path,) = (out / "work" / DAY.isoformat()).glob("audit.*")
    stored = path.read_bytes()
    path.write_bytes(forged(stored, path.name))
    shutil.rmtree(out / DAY.isoformat())
    again = run_night(ledger, DAY, out=out, processes=1)
    assert again.audit == first.audit
    assert again.issue.digest == first.issue.digest
    assert path.read_bytes() == stored

    path.write_bytes(forged(stored, path.name))
    shutil.rmtree(out / DAY.isoformat())
    believing(monkeypatch)
    fooled = run_night(ledger, DAY, out=out, processes=1)
    assert fooled.audit.findings == ()
    assert fooled.audit.digest != first.audit.digest, "a digest is that of the findings shown"


def test_an_output_that_is_changed_while_the_night_runs_is_not_read(tmp_path: Path) -> None:
    ledger, out = scene.ledger(tmp_path / "ledger"), tmp_path / "out"
    folder = out / "work" / DAY.isoformat()

    def forge(place: str) -> None:
        if place == "step_stored":
            for path in folder.glob("audit.*"):
                path.write_bytes(without_findings(path.read_bytes()))

    with pytest.raises(Exception, match="audit") as refusal:
        run_night(ledger, DAY, out=out, processes=1, at=forge)
    assert getattr(refusal.value, "code", "") == "night_step_lost"


def written(number: int) -> bytes:
    """A whole number as ``kernel/value_bytes`` writes it."""
    size = number.bit_length() // 8 + 1
    return b"i" + size.to_bytes(2, "big") + number.to_bytes(size, "big", signed=True)


def test_a_forged_carried_state_changes_no_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state whose day ends 24 hours later once turned findings into "No finding"."""
    ledger, carried = scene.ledger(tmp_path / "ledger", scene.two_days()), tmp_path / "carried"
    replay = Replay.open(ledger)
    honest = audit_day(replay, NEXT)
    assert honest.findings
    assert audit_day(replay, NEXT, carried=carried) == honest
    ends = read_office(replay).clock.start_of(NEXT)
    forged = 0
    for path in carried.glob(f"{NEXT}-*"):
        stored = path.read_bytes()
        content = content_of(stored)
        assert content is not None
        state = zlib.decompress(content)
        forged += state.count(written(ends))
        moved = state.replace(written(ends), written(ends + 24 * HOUR))
        path.write_bytes(zlib.compress(moved) + stored[len(content) :])
    assert forged
    kept = {path.name: path.read_bytes() for path in carried.iterdir()}
    assert audit_day(replay, NEXT, carried=carried) == honest
    for name, stored in kept.items():
        (carried / name).write_bytes(stored)
    believing(monkeypatch)
    assert audit_day(replay, NEXT, carried=carried).findings != honest.findings


# --- issues ---------------------------------------------------------------------------------------


def forge_issue(folder: Path) -> None:
    """Take a report's actions and takings out, and make its manifest fit."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    for output in manifest["outputs"]:
        if output["name"] in ("actions.json", "tables.json"):
            (folder / output["name"]).write_bytes(b"[]")
            output["bytes"], output["sha256"] = 2, sha256(b"[]").hexdigest()
    (folder / "manifest.json").write_bytes(canonical(manifest))


def test_a_forged_report_is_neither_leant_on_nor_signed(tmp_path: Path) -> None:
    ledger, out = scene.ledger(tmp_path / "ledger", scene.two_days()), tmp_path / "out"
    first = run_night(ledger, DAY, out=out, processes=1)
    forge_issue(first.issue.path)
    seals = Seals.of(ledger)
    issue = last_issue(out, DAY, Phase.FINAL, seals)
    issue.check_files()  # by itself it is consistent
    with pytest.raises(IssueDamaged, match="key did not seal it"):
        issue.check()
    with pytest.raises(IssueDamaged, match="key did not seal it"):
        sign_report(
            ledger, out, DAY, person="P-1", name="A. Name", signed_as="preparer", at=scene.CLOSED_AT
        )
    second = run_night(ledger, NEXT, out=out, processes=1).issue
    assert second.manifest["earlier"]["reports"] == []
    assert second.manifest["earlier"]["unsealed"] == [DAY.isoformat()]
    assert second.manifest["since"] == {"report": None}
    told = (second.path / "report.txt").read_text(encoding="utf-8")
    assert "The report of Monday, March 15, 2021, is not sealed by the ledger's key" in told

    again = run_night(ledger, DAY, out=out, processes=1)
    assert (again.is_new, again.issue.number, again.issue.is_sealed) == (True, 2, True)
    assert "not sealed by the ledger's key" in again.issue.manifest["restates"]["reasons"]
    assert again.audit == first.audit


def test_a_report_under_another_days_name_is_not_sealed(tmp_path: Path) -> None:
    ledger, out = scene.ledger(tmp_path / "ledger"), tmp_path / "out"
    issue = run_night(ledger, DAY, out=out, processes=1).issue
    shutil.copytree(issue.path, out / NEXT.isoformat() / issue.path.name)
    shutil.copytree(issue.path, issue.path.with_name("final-2"))
    seals = Seals.of(ledger)
    assert [one.is_sealed for one in issues(out, DAY, Phase.FINAL, seals)] == [True, False]
    assert not last_issue(out, NEXT, Phase.FINAL, seals).is_sealed


# --- who has the key ------------------------------------------------------------------------------


def test_who_cannot_sign_reads_what_is_sealed_and_makes_the_rest_again(tmp_path: Path) -> None:
    """Without the private key the night gives the same bytes, and nobody vouches for them."""
    ledger, out = scene.ledger(tmp_path / "ledger", scene.two_days()), tmp_path / "out"
    first = run_night(ledger, DAY, out=out, processes=1)
    (ledger / "keys" / "signer").rename(tmp_path / "away")
    stamps = {path: path.stat().st_mtime_ns for path in (out / "work").rglob("*") if path.is_file()}
    same = run_night(ledger, DAY, out=out, processes=1)
    assert not same.is_new
    kept = {path for path, at in stamps.items() if path.exists() and path.stat().st_mtime_ns == at}
    assert {path.name.partition(".")[0] for path in kept} >= {"audit", "actions", "table+SB-01"}
    bare = run_night(ledger, DAY, out=tmp_path / "bare", processes=1)
    assert bare.issue.digest == first.issue.digest
    assert (first.issue.is_sealed, bare.issue.is_sealed) == (True, False)
    assert not run_night(ledger, DAY, out=tmp_path / "bare", processes=1).is_new


def test_the_key_is_looked_for_beside_the_folder_and_where_the_setting_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = scene.ledger(tmp_path / "ledger")
    (ledger / "keys" / "signer").rename(tmp_path / "ledger.key")
    assert key_beside(ledger) == tmp_path / "ledger.key"
    assert Seals.of(ledger).signer is not None
    (tmp_path / "ledger.key").rename(tmp_path / "safe")
    assert Seals.of(ledger).signer is None
    monkeypatch.setenv("PITLEDGER_KEY", str(tmp_path / "safe"))
    assert Seals.of(ledger).signer is not None
    (tmp_path / "safe").write_text(FORGER.secret_text() + "\n")
    assert Seals.of(ledger).signer is None, "another ledger's key vouches for nothing"


# --- derived again --------------------------------------------------------------------------------


def test_an_issue_is_derived_again_and_the_first_difference_has_a_name(tmp_path: Path) -> None:
    """Also after the ledger went on, and though another report was issued since."""
    ledger, out = scene.ledger(tmp_path / "ledger", scene.two_days()), tmp_path / "out"
    run_night(ledger, DAY, out=out, processes=1, footage_days=30)
    second = run_night(ledger, NEXT, out=out, processes=1).issue
    at = scene.CLOSED_AT + 30 * HOUR
    for person, signed_as in (("P-1", "preparer"), ("P-2", "approver")):
        sign_report(ledger, out, DAY, person=person, name="A. Name", signed_as=signed_as, at=at)
    for name in (DAY, NEXT):
        issue = last_issue(out, name, Phase.FINAL, Seals.of(ledger))
        verification = verify_issue(ledger, out, issue)
        assert verification.holds, verification.lines()
        assert verification.lines()[0].endswith("outputs and the manifest are the same again.")
    (second.path / "report.txt").write_bytes(b"No finding.\n")
    verification = verify_issue(ledger, out, second)
    assert verification.differing == ("report.txt",)
    assert "report.txt is not what the ledger's entries give" in verification.lines()[0]

    forge_issue(second.path)
    forged = last_issue(out, NEXT, Phase.FINAL, Seals.of(ledger))
    verification = verify_issue(ledger, out, forged)
    assert verification.differing == ("actions.json", "report.txt", "tables.json", "manifest.json")
    assert "The ledger's key did not seal this issue." in verification.lines()


def test_a_night_from_nothing_reads_nothing_that_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, out = scene.ledger(tmp_path / "ledger"), tmp_path / "out"
    first = run_night(ledger, DAY, out=out, processes=1)
    believing(monkeypatch)
    for path in (out / "work" / DAY.isoformat()).glob("audit.*"):
        path.write_bytes(without_findings(path.read_bytes()))
    again = run_night(ledger, DAY, out=tmp_path / "other", processes=1, from_nothing=True)
    assert again.issue.digest == first.issue.digest
    assert not (tmp_path / "other" / "work").exists()
