"""House edges that are kept: as they were computed, and computed again where nobody sealed them."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from ledger.audit import Theory
from ledger.audit.kept_edges import MOST, KeptEdges
from ledger.audit.result import Staked
from ledger.house import Office
from ledger.kernel import FactRef
from ledger.log import Signer
from ledger.log.signed_file_index import SealedFolder, Seals

DAY = date(2021, 6, 12)
BIG = Staked(game="Sic Bo", paytable=None, wager="Big Bet", picks=(), cents=100)


def theory(folder: Path) -> Theory:
    """One that keeps its edges in a folder."""
    signer = Signer("edges.example", bytes(32))
    sealed = SealedFolder(folder, "edges", Seals(signer.verifier, signer))
    return Theory(Office(), kept=KeptEdges(sealed))


def never(*_: object) -> None:
    raise AssertionError("computed again")


def test_an_edge_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 216 throws 105 win a Big Bet, at 1 to 1: the house keeps 6 in 216."""
    first = theory(tmp_path)
    assert first.edge(BIG, DAY) == Fraction(6, 216)
    first.keep()
    (kept,) = tmp_path.iterdir()
    sealed = kept.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(Theory, "_edge", never)
        assert theory(tmp_path).edge(BIG, DAY) == Fraction(6, 216)
        for other in (
            (BIG, DAY + timedelta(days=1)),  # perhaps under other rules
            (Staked(game="Sic Bo", paytable=FactRef("house", 9), wager="Big Bet", picks=(), cents=1), DAY),
        ):  # fmt: skip
            with pytest.raises(AssertionError, match="again"):
                theory(tmp_path).edge(*other)
        kept.write_bytes(sealed[:-1] + bytes([sealed[-1] ^ 1]))
        with pytest.raises(AssertionError, match="again"):
            theory(tmp_path).edge(BIG, DAY)
    again = theory(tmp_path)
    assert again.edge(BIG, DAY) == Fraction(6, 216)
    again.keep()
    assert kept.read_bytes() == sealed


def test_the_latest_are_kept(tmp_path: Path) -> None:
    days = [DAY + timedelta(days=number) for number in range(MOST + 2)]
    many = theory(tmp_path)
    for day in days:
        many.edge(BIG, day)
    many.keep()
    assert len([*tmp_path.iterdir()]) == MOST
    again = theory(tmp_path)
    for day in days:
        again.edge(BIG, day)
    assert sorted(under[1] for under in again.grown) == days[:2]
