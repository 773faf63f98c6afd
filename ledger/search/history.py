"""The history of one patron, dealer or piece of equipment over gaming days, out of the read model.

It tells what is on the record of one subject, day by day; it compares nobody with anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ledger.analytics import ReadModel, prove_entries, read_model
from ledger.kernel.quick_dataclass import dataclass
from ledger.search.errors import SearchUnclear, nearest, perhaps

if TYPE_CHECKING:
    from ledger.analytics.build import Progress

MOST_FINDINGS: Final = 50
LONGEST_NAME: Final = 80
"""Characters of a name that a refusal repeats."""
_FIRST: Final = date.min
_LAST: Final = date.max


class SubjectKind(StrEnum):
    """Whose history."""

    PATRON = "patron"
    DEALER = "dealer"
    EQUIPMENT = "equipment"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectDay:
    """A subject at one table on one gaming day.

    Attributes:
        capacity: in what it was there: the seats of a patron (empty where none was recorded), a
            role as the roster has it, a kind of equipment.
        rounds, unknown_rounds: rounds of play meanwhile, and those whose outcome is unknown.
        wagers: of the patron, else all of these rounds; a wager that outlives a round counts once.
        not_compared: those of which no difference is known; a wager that goes on, or that its
            patron took back, has none to know.
        overpaid_cents, underpaid_cents: what was paid too much and too little on them.
        findings: about these wagers of a patron, else about these rounds.
        doubtful: facts of the table are missing or contradict each other meanwhile; None where a
            day says so by its unknown rounds alone.
    """

    gaming_day: date
    table: str
    game: str | None
    capacity: str
    rounds: int
    unknown_rounds: int
    wagers: int
    not_compared: int
    stake_cents: int
    overpaid_cents: int
    underpaid_cents: int
    findings: int
    doubtful: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectFinding:
    """A finding of a subject's history; the effect is what the house lost, None where unknown."""

    gaming_day: date
    table: str
    round: str
    opened_local: str | None
    code: str
    severity: str
    certainty: str
    sentence: str
    section: str
    effect_cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What the record has of one subject.

    Attributes:
        names: as the record spells it.
        days: a line for each gaming day, table and capacity, in order of time.
        findings: the first of them, in order of time; ``total_findings`` counts all.
        unknown: rounds of the subject whose outcome is unknown.
        uncovered: tables and gaming days in the span that recorded no wagers.
        nameless_wagers: wagers in the span that name no patron; None for other subjects.
    """

    kind: SubjectKind
    names: tuple[str, ...]
    days: tuple[SubjectDay, ...]
    findings: tuple[SubjectFinding, ...]
    total_findings: int
    unknown: tuple[str, ...]
    uncovered: tuple[tuple[str, date], ...]
    nameless_wagers: int | None


_OWN_STAYS: Final = {
    SubjectKind.PATRON: """
        SELECT DISTINCT w.gaming_day, w.table_name, w.round, seats.capacity, NULL AS doubtful
        FROM wagers w JOIN (
            SELECT gaming_day, table_name,
                   coalesce(string_agg(DISTINCT position, ', ' ORDER BY position), '') AS capacity
            FROM wagers WHERE list_contains($names, patron) GROUP BY ALL
        ) seats USING (gaming_day, table_name)
        WHERE list_contains($names, w.patron)""",
    SubjectKind.DEALER: """
        SELECT s.gaming_day, s.table_name, r.round, s.role AS capacity, s.doubtful
        FROM dealer_shifts s LEFT JOIN rounds r
            ON r.table_name = s.table_name AND s.since <= r.opened_at AND r.opened_at < s.until
        WHERE list_contains($names, s.person)""",
    SubjectKind.EQUIPMENT: """
        SELECT e.gaming_day, e.table_name, r.round, e.kind AS capacity, e.doubtful
        FROM equipment_days e LEFT JOIN rounds r
            ON r.table_name = e.table_name AND r.gaming_day = e.gaming_day
           AND e.since <= coalesce(r.closed_at, r.opened_at) AND r.opened_at < e.until
        WHERE list_has_any($names, list_append(e.parts, e.equipment))""",
}
"""Where each kind of subject was: gaming day, table, round (null without one), capacity, doubt."""
_WAGER_IS_OWN: Final = {
    SubjectKind.PATRON: "list_contains($names, w.patron)",
    SubjectKind.DEALER: "$names IS NOT NULL",
    SubjectKind.EQUIPMENT: "$names IS NOT NULL",
}
_FINDING_IS_OWN: Final = {
    SubjectKind.PATRON: """EXISTS (
        FROM wagers w WHERE w.round = f.round AND w.wager_id = f.wager_id
          AND list_contains($names, w.patron))""",
    SubjectKind.DEALER: "true",
    SubjectKind.EQUIPMENT: "true",
}
_ON_RECORD: Final = {
    SubjectKind.PATRON: "SELECT DISTINCT patron FROM wagers WHERE patron IS NOT NULL",
    SubjectKind.DEALER: "SELECT DISTINCT person FROM dealer_shifts",
    SubjectKind.EQUIPMENT: "SELECT DISTINCT unnest(list_append(parts, equipment))"
    " FROM equipment_days",
}
_STAYS: Final = """CREATE TEMP TABLE stays AS
    SELECT * FROM ({own}) WHERE gaming_day BETWEEN $first AND $last"""
_DAYS: Final = """
    WITH
    bets AS (
        SELECT s.gaming_day, s.table_name, s.capacity, w.*,
               row_number() OVER (
                   PARTITION BY s.gaming_day, s.table_name, s.capacity,
                                w.placed_stream, w.placed_seq, w.wager_id
                   ORDER BY w.round) AS nth
        FROM (SELECT DISTINCT gaming_day, table_name, capacity, round FROM stays) s
        JOIN wagers w USING (round) WHERE {wager_is_own}
    ),
    money AS (
        SELECT gaming_day, table_name, capacity,
               count(*) FILTER (nth = 1) AS wagers,
               count(*) FILTER (
                   difference_cents IS NULL AND expected_outcome IS DISTINCT FROM 'stands'
                   AND (expected_outcome, observed_outcome) IS DISTINCT FROM ('returned', NULL)
               ) AS not_compared,
               sum(stake_cents) FILTER (nth = 1) AS stake,
               sum(greatest(difference_cents, 0)) AS overpaid,
               sum(greatest(-difference_cents, 0)) AS underpaid
        FROM bets GROUP BY ALL
    ),
    broken AS (
        SELECT s.gaming_day, s.table_name, s.capacity, count(*) AS findings
        FROM (SELECT DISTINCT gaming_day, table_name, capacity, round FROM stays) s
        JOIN findings f USING (round) WHERE {finding_is_own} GROUP BY ALL
    ),
    played AS (
        SELECT s.gaming_day, s.table_name, s.capacity,
               string_agg(DISTINCT r.game, ', ' ORDER BY r.game) AS game,
               count(DISTINCT r.round) AS rounds,
               count(DISTINCT r.round) FILTER (r.status = 'unknown') AS unknown_rounds,
               min(r.opened_at) AS opened_at, bool_or(s.doubtful) AS doubtful
        FROM stays s LEFT JOIN rounds r USING (round) GROUP BY ALL
    )
    SELECT p.gaming_day, p.table_name, p.game, p.capacity, p.rounds, p.unknown_rounds,
           coalesce(m.wagers, 0), coalesce(m.not_compared, 0), coalesce(m.stake, 0),
           coalesce(m.overpaid, 0), coalesce(m.underpaid, 0), coalesce(b.findings, 0), p.doubtful
    FROM played p
    LEFT JOIN money m USING (gaming_day, table_name, capacity)
    LEFT JOIN broken b USING (gaming_day, table_name, capacity)
    ORDER BY p.gaming_day, p.opened_at NULLS FIRST, p.table_name, p.capacity"""
_FINDINGS: Final = """
    FROM findings f
    WHERE f.round IN (SELECT round FROM stays) AND {finding_is_own} AND $names IS NOT NULL"""
_SPAN: Final = "gaming_day BETWEEN $first AND $last"


def history(
    folder: Path,
    kind: SubjectKind,
    reference: str,
    *,
    first: date | None = None,
    last: date | None = None,
    most: int = MOST_FINDINGS,
    progress: Progress | None = None,
) -> History:
    """Return what the record has of one patron, dealer or piece of equipment.

    Args:
        folder: the ledger.
        kind: of the subject; a dealer is anybody who had a role at a table.
        reference: of a patron as recorded, the credential of a person, the name of a piece of
            equipment or the serial number of a die.
        first, last: only these gaming days; None: all.
        most: how many findings are listed at most.
        progress: for a rebuild of the read model, told of each gaming day.

    Raises:
        SearchUnclear: the record has no such subject, or the days are in the wrong order.
        CacheUnwritable: the read model must be made again and there is no place for it.
    """
    span = (first or _FIRST, last or _LAST)
    if span[0] > span[1]:
        raise SearchUnclear(f"{span[0]} comes after {span[1]}.", "give the earlier day first")
    with read_model(folder, progress=progress) as connection:
        prove_entries(folder, connection.projection)
        return _Subject(
            connection, kind, _names(connection, folder, kind, reference), span
        ).history(most)


def _names(model: ReadModel, folder: Path, kind: SubjectKind, reference: str) -> list[str]:
    """How the record spells a subject; persons are compared as persons."""
    known = [str(name) for (name,) in model.execute(_ON_RECORD[kind]).fetchall()]
    if kind is SubjectKind.DEALER:
        from ledger.replay import Replay

        roster = Replay.open(folder).roster()
        names = [name for name in known if name == reference or roster.are_one(name, reference)]
    else:
        names = [name for name in known if name == reference]
        names = names or [name for name in known if name.casefold() == reference.casefold()]
    if not names:
        asked = reference[:LONGEST_NAME]
        hint = perhaps(nearest(asked, known)) or "pitledger find --help says how to look"
        raise SearchUnclear(f"The record has no {kind.value} {asked!r}.", hint)
    return sorted(names)


class _Subject:
    """One subject in one read model."""

    def __init__(
        self,
        model: ReadModel,
        kind: SubjectKind,
        names: Sequence[str],
        span: tuple[date, date],
    ) -> None:
        self.model = model
        self.kind = kind
        self.names = list(names)
        self.first, self.last = span

    def _rows(self, select: str) -> list[tuple[Any, ...]]:
        bounds = {"names": self.names, "first": self.first, "last": self.last}
        parameters = {name: bounds[name] for name in bounds if f"${name}" in select}
        return self.model.execute(select, parameters).fetchall()

    def history(self, most: int) -> History:
        """Ask the read model."""
        self._rows(_STAYS.format(own=_OWN_STAYS[self.kind]))
        own = _FINDING_IS_OWN[self.kind]
        days = self._rows(_DAYS.format(wager_is_own=_WAGER_IS_OWN[self.kind], finding_is_own=own))
        own_findings = _FINDINGS.format(finding_is_own=own)
        columns = (
            "f.gaming_day, f.table_name, f.round, f.round_opened_local, f.code, f.severity,"
            " f.certainty, f.sentence, f.section, f.effect_cents"
        )
        ordered = f"ORDER BY f.round_opened_at, f.gaming_day, f.number LIMIT {int(most)}"
        findings = self._rows(f"SELECT {columns} {own_findings} {ordered}")
        unknown = self._rows(
            "SELECT round FROM rounds WHERE status = 'unknown'"
            " AND round IN (SELECT round FROM stays) ORDER BY opened_at"
        )
        return History(
            kind=self.kind,
            names=tuple(self.names),
            days=tuple(_day(row) for row in days),
            findings=tuple(_finding(row) for row in findings),
            total_findings=int(self._rows(f"SELECT count(*) {own_findings}")[0][0]),
            unknown=tuple(name for (name,) in unknown),
            uncovered=tuple(self._uncovered()),
            nameless_wagers=self._nameless(),
        )

    def _uncovered(self) -> list[tuple[str, date]]:
        """Where wagers were not recorded: at the subject's tables, for a patron at any table."""
        where = f"coalesce(capture, '') <> 'full' AND {_SPAN}"
        if self.kind is not SubjectKind.PATRON:
            where += " AND (table_name, gaming_day) IN (SELECT table_name, gaming_day FROM stays)"
        select = f"SELECT DISTINCT table_name, gaming_day FROM rounds WHERE {where} ORDER BY 2, 1"
        return [(table, day) for table, day in self._rows(select)]

    def _nameless(self) -> int | None:
        if self.kind is not SubjectKind.PATRON:
            return None
        select = (
            "SELECT count(DISTINCT (placed_stream, placed_seq, wager_id)) FROM wagers"
            f" WHERE patron IS NULL AND {_SPAN}"
        )
        return int(self._rows(select)[0][0])


def _day(row: tuple[Any, ...]) -> SubjectDay:
    day, table, game, capacity, *numbers, doubtful = row
    rounds, unknown, wagers, not_compared, stake, overpaid, underpaid, findings = map(int, numbers)
    return SubjectDay(
        gaming_day=day,
        table=table,
        game=game,
        capacity=capacity,
        rounds=rounds,
        unknown_rounds=unknown,
        wagers=wagers,
        not_compared=not_compared,
        stake_cents=stake,
        overpaid_cents=overpaid,
        underpaid_cents=underpaid,
        findings=findings,
        doubtful=doubtful,
    )


def _finding(row: tuple[Any, ...]) -> SubjectFinding:
    effect = row[-1]
    *columns, _ = row
    names = [name for name in SubjectFinding.__dataclass_fields__ if name != "effect_cents"]
    return SubjectFinding(
        **dict(zip(names, columns, strict=True)),
        effect_cents=None if effect is None else int(effect),
    )
