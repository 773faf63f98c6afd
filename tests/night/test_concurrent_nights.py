"""Several nights over one state of a ledger, and what they keep for each other."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from ledger.audit import kept_outcomes
from ledger.audit.kept_outcomes import KeptOutcomes
from ledger.games import BY_KEY
from ledger.games.chances import outcomes_of
from ledger.games.room import rules_on
from ledger.log import Signer
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.night import run_night, run_nights
from tests.night import scene
from tests.night.scene import DAY

PROPS = BY_KEY["props_and_hops"]


def files(out: Path) -> dict[str, bytes]:
    """Every issued file; not the work."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file() and path.relative_to(out).parts[0] not in ("work", ".lock")
    }


@pytest.mark.full
def test_nights_side_by_side_are_those_one_after_the_other(tmp_path: Path) -> None:
    """The second report names the first one: it was issued before."""
    ledger = scene.ledger(tmp_path / "ledger", scene.two_days())
    days = [DAY, DAY + timedelta(days=1)]
    for day in days:
        run_night(ledger, day, out=tmp_path / "one", processes=1)
    first, second = run_nights(ledger, reversed(days), out=tmp_path / "alone", processes=1)
    run_nights(ledger, days, out=tmp_path / "beside", processes=2)
    assert files(tmp_path / "alone") == files(tmp_path / "one")
    assert files(tmp_path / "beside") == files(tmp_path / "one")
    (named,) = second.issue.manifest["earlier"]["reports"]
    assert named["manifest"] == first.issue.digest.hex()


def test_outcomes_are_enumerated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_on(PROPS, PROPS.law.edition.since, None)
    exact = outcomes_of(PROPS, rules)
    signer = Signer("outcomes.example", bytes(32))
    sealed = SealedFolder(tmp_path, "outcomes", Seals(signer.verifier, signer))
    assert KeptOutcomes(sealed)(PROPS, rules) == exact
    (kept,) = tmp_path.iterdir()

    def never(*_: object) -> None:
        raise AssertionError("enumerated again")

    with monkeypatch.context() as patched:
        patched.setattr(kept_outcomes, "outcomes_of", never)
        assert KeptOutcomes(sealed)(PROPS, rules) == exact
        data = kept.read_bytes()
        kept.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        with pytest.raises(AssertionError, match="again"):
            KeptOutcomes(sealed)(PROPS, rules)
    assert KeptOutcomes(sealed)(PROPS, rules) == exact
    assert kept.read_bytes() == data
