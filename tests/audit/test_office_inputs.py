"""What of the checks of clocks bears on a table: how far off they let its clocks be, and no more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ledger.audit import read_office
from ledger.audit.office_inputs import OfficeInputs
from ledger.events import ClockChecked, SourceRegistered
from ledger.house import Office
from ledger.house.clocks import Clocks
from ledger.replay import Replay
from tests.engine import log_of, sic_bo

REGISTERED = 20
ENDS = 12
REPLAY = Replay(log_of(sic_bo().build()))


def office_with(*checks: tuple[int, int], source: str = "X-T-01") -> Office:
    """An office that checked a clock at these moments and found it so far off."""
    office = read_office(Replay(log_of(sic_bo().build()))).office
    office.clocks = Clocks()
    office.clocks.take(SourceRegistered(
        stream="house", seq=1, event_time=0, source="H", recorded_by=None, registered_stream="T-01",
        registered_source="X-T-01", since=-1, clock_uncertainty_micros=REGISTERED, order_tolerance_micros=0,
    ))  # fmt: skip
    for seq, (at, offset) in enumerate(checks, 2):
        office.clocks.take(ClockChecked(
            stream="house", seq=seq, event_time=at, source="H", recorded_by=None,
            checked_source=source, offset_micros=offset, reference=None,
        ))  # fmt: skip
    return office


def digest(office: Office, until: int, table: str = "T-01") -> bytes:
    return OfficeInputs(REPLAY, office).digest({table}, until)


CHECKS = st.dictionaries(
    st.integers(0, ENDS), st.sampled_from((0, 19, -20, 21, -30, 30)), max_size=4
)


@given(CHECKS, CHECKS, st.integers(0, ENDS))
def test_checks_bear_where_they_let_a_clock_be_off_otherwise_up_to_then(
    checks: dict[int, int], others: dict[int, int], until: int
) -> None:
    """Held against ``Clocks.uncertainty`` of each moment."""
    offices = [office_with(*some.items()) for some in (checks, others)]
    off = [[each.clocks.uncertainty("T-01", at) for at in range(-1, until + 1)] for each in offices]
    alike = off[0] == off[1]
    assert (digest(offices[0], until) == digest(offices[1], until)) == alike


@given(CHECKS, st.sampled_from((0, -20, 30, -1_000)))
def test_the_widest_doubt_is_told_by_what_bears(checks: dict[int, int], offset: int) -> None:
    """How far a play reads ahead hangs on the most that a clock was off."""
    before, after = (office_with(*checks.items(), *more) for more in ((), ((ENDS + 1, offset),)))
    if digest(before, ENDS) == digest(after, ENDS) and len(checks):
        assert before.clocks.furthest("T-01") == after.clocks.furthest("T-01")


def test_a_check_of_another_tables_terminal_bears_on_that_table_alone() -> None:
    plain, off = office_with(), office_with((5, 1_000))
    assert digest(plain, ENDS, "T-02") == digest(off, ENDS, "T-02")
    assert digest(plain, ENDS) != digest(off, ENDS)


def test_a_check_of_a_terminal_that_writes_nothing_bears_on_nothing() -> None:
    off = office_with((5, 1_000), source="X-T-09")
    assert digest(off, ENDS) == digest(office_with(), ENDS)
