"""Rounds that a search line can mean, out of the read model, each with what made it match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ledger.analytics import ReadModel, prove_entries, read_model
from ledger.kernel import FactRef, table_of
from ledger.law import finding_codes
from ledger.search import conditions as sql
from ledger.search.answer import Hit, SearchAnswer, Searched, WagerHit
from ledger.search.conditions import (
    Condition,
    all_of,
    amounts_of,
    any_of,
    literal,
    local,
    name_pattern,
    serial_pattern,
)
from ledger.search.errors import SearchUnclear, nearest, perhaps
from ledger.search.search_line import EQUIPMENT, FIELDS, STATES, Moment, Search, parse_search

if TYPE_CHECKING:
    from ledger.analytics.build import Progress

MOST_HITS: Final = 50
RECORD: Final = ["§ L.1", "§ L.2", "§ L.3", "§ L.4", "§ L.5", "§ L.6", "§ L.7"]
"""Sections of the Ledger contract about facts that are lost, doubled or out of order."""


def find(
    folder: Path,
    line: str,
    *,
    today: Callable[[], date],
    most: int = MOST_HITS,
    progress: Progress | None = None,
) -> SearchAnswer:
    """Find the rounds that a line can mean.

    Args:
        folder: the ledger.
        line: the search line, see ``search_line``.
        today: gives the present gaming day, for ``today`` and ``yesterday``.
        most: how many rounds are handed out at most.
        progress: for a rebuild of the read model, told of each gaming day.

    Raises:
        SearchUnclear: a word cannot be read, or names a table or code that there is not.
        CacheUnwritable: the read model must be made again and there is no place for it.
    """
    parse_search(line)  # refused before anything is built
    with read_model(folder, progress=progress) as model:
        return find_in(model, folder, line, today=today, most=most)


def find_in(
    model: ReadModel,
    folder: Path,
    line: str,
    *,
    today: Callable[[], date],
    most: int = MOST_HITS,
    prove: Callable[[Iterable[date]], None] | None = None,
    day_of: Callable[[FactRef], date | None] = lambda _ref: None,
) -> SearchAnswer:
    """Find the rounds that a line can mean in a read model that is open.

    Args:
        model: of the ledger.
        folder: the ledger.
        line: the search line, see ``search_line``.
        today: gives the present gaming day, for ``today`` and ``yesterday``.
        most: how many rounds are handed out at most.
        prove: proves the entries of the gaming days that were looked at; None: done here.
        day_of: gives the gaming day on which a fact is looked for first; None: on all at once.

    Raises:
        SearchUnclear: a word cannot be read, or names a table or code that there is not.
    """
    return _Finder(model, folder, parse_search(line), today, day_of, prove).answer(most)


class _Finder:
    """One search on one read model."""

    def __init__(
        self,
        model: ReadModel,
        folder: Path,
        search: Search,
        today: Callable[[], date],
        day_of: Callable[[FactRef], date | None],
        prove: Callable[[Iterable[date]], None] | None = None,
    ) -> None:
        self.model = model
        self.day_of = day_of
        self.prove = prove or (lambda days: prove_entries(folder, model.projection, days))
        self.folder = folder
        self.search = search
        self.today = today
        self.took: list[str] = []
        self.hints: list[str] = []
        self.days: frozenset[date] | None = None
        self.tables: list[str] = self._known(
            "SELECT table_name FROM table_days UNION SELECT table_name FROM rounds ORDER BY 1"
        )
        ends = local("coalesce(closed_local, opened_local)")
        last_days = [day.day for day in model.projection.days[-2:]]  # a day goes on after midnight
        self.record_ends: datetime | None = self._known(
            f"SELECT max({ends}) FROM rounds WHERE list_contains(?, gaming_day)", [last_days]
        )[0]

    def _rows(self, select: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self.model.execute(select, list(parameters)).fetchall()

    def _column(self, select: str, parameters: Sequence[object] = ()) -> list[Any]:
        return [row[0] for row in self._rows(select, parameters)]

    def _known(self, select: str, parameters: Sequence[object] = ()) -> list[Any]:
        """As ``_column``, of what many searches ask in the same words."""
        return [row[0] for row in self.model.rows(select, parameters)]

    # --- where is looked ----------------------------------------------------------------------

    def scope(self) -> list[Condition]:
        """The conditions of time and place."""
        conditions = []
        if words := self.search.words:
            tables = [name for word in words for name in self._tables_of(word)]
            conditions.append(Condition("list_contains(?, r.table_name)", [tables], "at {table}"))
        if games := self.search.fields.get("game"):
            conditions.append(any_of(sql.IS_GAME, map(literal, games), "{game}"))
        if days := self._days():
            why = "gaming day {day}"
            conditions.append(Condition("list_contains(?, r.gaming_day)", [days], why))
            self.days = frozenset(days)
        if moments := self.search.moments:
            spells = [spell for moment in moments for spell in self._spells(moment, days)]
            self.days = frozenset(days) or _days_of(spells)
            under_way = " OR ".join([sql.UNDER_WAY] * len(spells))
            bounds: list[object] = [bound for begins, ends in spells for bound in (ends, begins)]
            why = "under way {opened} to {closed}"
            conditions.append(Condition(f"({under_way})", bounds, why))
        return conditions

    def _tables_of(self, word: str) -> list[str]:
        """The tables that a word names."""
        pattern = re.compile(name_pattern(word), re.IGNORECASE)
        tables = [name for name in self.tables if pattern.fullmatch(name)]
        if tables:
            return tables
        if word in finding_codes():
            hint = f"code:{word} looks for that finding"
        else:
            listed = f"the ledger has: {', '.join(self.tables) or 'none'}"
            hint = perhaps(nearest(word, [*self.tables, *STATES])) or listed
        raise SearchUnclear(f"There is no table {word!r}.", hint)

    def _days(self) -> list[date]:
        days = []
        for day in self.search.days:
            if isinstance(day, date):
                days.append(day)
            else:
                days.append(self.today() - timedelta(days=day == "yesterday"))
                self.took.append(
                    f"{day} is gaming day {days[-1]:%B} {days[-1].day}, {days[-1].year}"
                )
        return days

    def _spells(self, moment: Moment, days: list[date]) -> list[tuple[datetime, datetime]]:
        """The local times that a time of day means: on the days asked for, or the last such."""

        def spell(day: date) -> tuple[datetime, datetime]:
            begins = datetime.combine(day, moment.begins)
            ends = datetime.combine(day, moment.ends)
            ends += timedelta(days=ends < begins)
            before = timedelta(seconds=moment.seconds_before)
            return begins - before, ends + timedelta(seconds=moment.seconds_after)

        if days:  # a gaming day goes on after midnight
            return [spell(day + timedelta(days=late)) for day in days for late in (0, 1)]
        if self.record_ends is None:
            return [spell(date.max - timedelta(days=3))]
        day = self.record_ends.date()
        day -= timedelta(days=datetime.combine(day, moment.begins) > self.record_ends)
        self.took.append(
            f"{moment.asked} is that of {day:%B} {day.day}, {day.year}, the last in the record"
        )
        return [spell(day)]

    # --- what is looked for -------------------------------------------------------------------

    def of_rounds(self) -> list[Condition]:
        """The conditions on a round as a whole."""
        conditions = [*self._people(), *self._equipment()]
        if codes := self.search.fields.get("code"):
            for code in codes:
                if code not in finding_codes():
                    hint = perhaps(nearest(code, finding_codes())) or "pitledger explain lists them"
                    raise SearchUnclear(f"There is no finding {code!r}.", hint)
            conditions.append(any_of(sql.HAS_FINDING, codes, f"finding {', '.join(codes)}"))
        conditions += [
            Condition(sql.SAYS, [literal(phrase)] * 2, f"its words “{phrase}”")
            for phrase in self.search.phrases
        ]
        if states := self.search.states:
            alternatives = " OR ".join(sql.STATE[state] for state in states)
            conditions.append(Condition(f"({alternatives})", [], " or ".join(states)))
        if self.search.references or self.search.fields.get("round"):
            conditions.append(Condition("list_contains(?, r.round)", [self._named()], "its id"))
        return conditions

    def _people(self) -> Iterable[Condition]:
        for name, there in (("dealer", sql.DEALING), ("person", sql.AT_THE_TABLE)):
            if people := self.search.fields.get(name):
                self._hint(name, people, "SELECT DISTINCT person FROM dealer_shifts")
                patterns = map(name_pattern, people)
                yield any_of(there, patterns, f"{name} {', '.join(people)} at the table")

    def _equipment(self) -> Iterable[Condition]:
        for name, kind in EQUIPMENT.items():
            if pieces := self.search.fields.get(name):
                known = "SELECT DISTINCT unnest(list_append(parts, equipment)) FROM equipment_days"
                self._hint(name, pieces, f"{known} WHERE kind = ?", [kind])
                there = sql.IN_USE.format(kind=kind)
                yield any_of(there, map(name_pattern, pieces), f"{name} {', '.join(pieces)} in use")

    def _named(self) -> list[str]:
        """The rounds of the facts and wagers that were named; no other gaming day is looked at."""
        rounds = [one for ref in self.search.references for one in self._rounds_of(ref)]
        for wager in self.search.fields.get("round", ()):
            own = self._rows("SELECT round, gaming_day FROM wagers WHERE wager_id = ?", [wager])
            rounds += own
            if not own:
                self.hints.append(f"the record has no round, wager or fact {wager}")
        if rounds and self.days is None:
            self.days = frozenset(day for _, day in rounds)
        return [name for name, _ in rounds]

    def _rounds_of(self, ref: FactRef) -> list[tuple[Any, ...]]:
        """The round that a fact lies in, whatever stream of the table it is of, and its day."""
        select = "SELECT round, gaming_day FROM rounds"
        day = self.day_of(ref)
        for days in (None,) if day is None else (frozenset({day}), None):
            with self.model.narrowed(days):
                if own := self._rows(f"{select} WHERE round = ?", [str(ref)]):
                    return own
        from ledger.replay import Replay

        replay = Replay.open(self.folder)
        moment = replay.merged_at(ref.stream, ref.seq)
        if moment is None or replay.fact(ref.stream, ref.seq) is None:
            close = perhaps(nearest(ref.stream, [*self.tables, *(f"{name}:" for name in FIELDS)]))
            self.hints.append("; ".join(filter(None, (f"the record has no fact {ref}", close))))
            return []
        around = self._rows(
            f"{select} WHERE table_name = ? AND opened_at <= ?"
            " AND coalesce(closed_at, opened_at) >= ? ORDER BY opened_at DESC LIMIT 1",
            [table_of(ref.stream), moment, moment],
        )
        if not around:
            self.hints.append(f"fact {ref} lies in no round")
        return around

    def of_wagers(self, scope: list[Condition]) -> list[Condition]:
        """The conditions on a wager: a single one must fulfill all of them."""
        fields, conditions = self.search.fields, []
        if names := fields.get("bet"):
            bets = f"list_contains(?, {sql.FULL_NAME})"
            why = f"bet {', '.join(names)}"
            conditions.append(Condition(bets, [self._bets(names, scope)], why))
        if seats := fields.get("seat"):
            why = f"seat {', '.join(seats)}"
            conditions.append(Condition("list_contains(?, w.position)", [seats], why))
        if patrons := fields.get("patron"):
            named = self._hint("patron", patrons, "SELECT DISTINCT patron FROM wagers")
            among = "w.patron IN (SELECT unnest(?))"
            conditions.append(Condition(among, [named], f"patron {', '.join(patrons)}"))
        if coupons := fields.get("coupon"):
            known = "SELECT DISTINCT unnest(coupons) FROM settlements"
            self._hint("coupon", coupons, known, pattern=serial_pattern)
            patterns = map(serial_pattern, coupons)
            conditions.append(any_of(sql.HAD_COUPON, patterns, f"coupon {', '.join(coupons)}"))
        for amounts, column, name in (
            (self.search.stakes, "w.stake_cents", "stake"),
            (self.search.overpaid, "greatest(w.difference_cents, 0)", "overpaid"),
            (self.search.underpaid, "greatest(-w.difference_cents, 0)", "underpaid"),
        ):
            if amounts:
                conditions.append(amounts_of(column, amounts, name))
        return conditions

    def _bets(self, names: list[str], scope: list[Condition]) -> list[str]:
        """Wagers in the scope whose names begin so; of a game that has the very name, only that."""
        where = all_of(scope)
        with self.model.narrowed(self.days):
            written = self._rows(
                f"SELECT DISTINCT w.game, w.wager, {sql.FULL_NAME}"
                f" FROM wagers w JOIN rounds r USING (round) WHERE {where.sql}",
                where.parameters,
            )
        bets: set[str] = set()
        for name in names:
            small = name.lower()
            exact = [row for row in written if small in (row[1].lower(), row[2].lower())]
            games = {game for game, _, _ in exact}
            others = [row for row in written if row[0] not in games]
            rows = [*exact, *(row for row in others if sql.begins_so(row[2], name))]
            bets.update(full for _, _, full in rows)
            if not rows:
                known = self._known("SELECT DISTINCT wager FROM wagers ORDER BY 1")
                if small in map(str.lower, known):
                    close = "it is on record elsewhere"
                else:
                    begun = [wager for wager in known if sql.begins_so(wager, name)]
                    close = perhaps(begun or nearest(name, known))
                missing = f"no wager where was looked is called {name}"
                self.hints.append("; ".join(filter(None, (missing, close))))
        return sorted(bets)

    def _hint(
        self,
        name: str,
        asked: list[str],
        known: str,
        parameters: Sequence[object] = (),
        *,
        pattern: Callable[[str], str] = name_pattern,
    ) -> list[str]:
        """Say which names the record has near to such as match none; return those that match."""
        names = [str(word) for word in self._known(known, parameters) if word is not None]
        matching: set[str] = set()
        for written in asked:
            matches = re.compile(pattern(written), re.IGNORECASE).fullmatch
            own = [name for name in names if matches(name)]
            matching.update(own)
            if not own:
                close = perhaps(nearest(written.replace("*", ""), names))
                missing = f"the record has no {name} {written}"
                self.hints.append("; ".join(filter(None, (missing, close))))
        return sorted(matching)

    # --- the answer ---------------------------------------------------------------------------

    def answer(self, most: int) -> SearchAnswer:
        """Look."""
        scope = self.scope()
        rounds, wagers = self.of_rounds(), self.of_wagers(scope)
        with self.model.narrowed(self.days):
            return self._answer(most, scope, rounds, wagers)

    def _answer(
        self,
        most: int,
        scope: list[Condition],
        rounds: list[Condition],
        wagers: list[Condition],
    ) -> SearchAnswer:
        conditions = [*scope, *rounds]
        own = all_of(wagers)
        if wagers:
            has_wager = f"EXISTS (FROM wagers w WHERE w.round = r.round AND {own.sql})"
            conditions.append(Condition(has_wager, own.parameters))
        where = all_of(conditions)
        rows = self._rows(
            "SELECT r.round, r.gaming_day, r.table_name, r.game, r.opened_local, r.closed_local,"
            " r.status, r.shown, r.unknown_because, r.wagers, r.stake_cents, r.findings,"
            f" count(*) OVER () FROM rounds r WHERE {where.sql}"
            f" ORDER BY r.opened_at, r.round LIMIT {max(most, 1)}",
            where.parameters,
        )
        total = rows[0][-1] if rows else 0
        shown = rows[: max(most, 0)]
        codes = self._codes_of([row[0] for row in shown if row[-2]])
        by_round = self._wagers_of([row[0] for row in shown], own) if wagers else {}
        reasons = [each.why for each in (*scope, *rounds, *wagers) if each.why]
        searched = self._searched(all_of(scope))
        self.prove(searched.days)
        return SearchAnswer(
            hits=tuple(
                _hit(row[:-2], codes.get(row[0], ()), by_round.get(row[0], ()), reasons)
                for row in shown
            ),
            total=total,
            searched=searched,
            took=tuple(self.took),
            hints=tuple(self.hints),
        )

    def _codes_of(self, rounds: list[str]) -> dict[str, list[str]]:
        """The codes of the findings of these rounds, by round; most rounds have none."""
        if not rounds:
            return {}
        select = "SELECT round, list(DISTINCT code ORDER BY code) FROM findings"
        return dict(self._rows(f"{select} WHERE list_contains(?, round) GROUP BY round", [rounds]))

    def _wagers_of(self, rounds: list[str], where: Condition) -> dict[str, list[WagerHit]]:
        """The wagers of these rounds that match, by round."""
        names = WagerHit.__dataclass_fields__
        by_round: dict[str, list[WagerHit]] = {}
        for name, *columns in self._rows(
            f"SELECT w.round, w.wager_id, w.position, w.patron, {sql.FULL_NAME}, w.stake_cents,"
            " w.expected_outcome, w.expected_winnings_cents, w.observed_outcome,"
            " w.observed_winnings_cents, w.difference_cents FROM wagers w"
            f" WHERE list_contains(?, w.round) AND {where.sql} ORDER BY w.placed_seq, w.wager_id",
            [rounds, *where.parameters],
        ):
            wager = WagerHit(**dict(zip(names, columns, strict=True)))
            by_round.setdefault(name, []).append(wager)
        return by_round

    def _searched(self, where: Condition) -> Searched:
        """Where was looked, and what is not known there."""
        tables, days, rounds, wagers, unknown, uncovered = self._rows(
            "SELECT list(DISTINCT r.table_name ORDER BY r.table_name),"
            " list(DISTINCT r.gaming_day ORDER BY r.gaming_day), count(*),"
            " coalesce(sum(r.wagers), 0),"
            " list(r.round ORDER BY r.opened_at) FILTER (r.status = 'unknown'),"
            " list(DISTINCT {'day': r.gaming_day, 'table': r.table_name})"
            f" FILTER ({sql.STATE['uncovered']})"
            f" FROM rounds r WHERE {where.sql}",
            where.parameters,
        )[0]
        doubts = self._column(
            "SELECT sentence FROM findings WHERE list_contains(?, section)"
            " AND list_contains(?, table_name) AND list_contains(?, gaming_day)"
            " ORDER BY gaming_day, number",
            [RECORD, tables or [], days or []],
        )
        return Searched(
            tables=tuple(tables or ()),
            days=tuple(days or ()),
            rounds=rounds,
            wagers=int(wagers),
            unknown=tuple(unknown or ()),
            uncovered=tuple(
                (one["table"], one["day"])
                for one in sorted(uncovered or (), key=lambda one: (one["day"], one["table"]))
            ),
            doubts=tuple(doubts),
            record_ends=self.record_ends,
        )


def _days_of(spells: Iterable[tuple[datetime, datetime]]) -> frozenset[date]:
    """The gaming days whose rounds can be under way in spells of local time.

    A gaming day begins on its own date at the earliest and may go on through the next one.
    """
    return frozenset(
        begins.date() + timedelta(days=days)
        for begins, ends in spells
        for days in range(-1, (ends.date() - begins.date()).days + 1)
    )


def _hit(
    row: tuple[Any, ...], codes: Iterable[str], wagers: Iterable[WagerHit], reasons: list[str]
) -> Hit:
    """A row of the read model as a hit, with what the conditions say of it."""
    name, day, table, game, opened, closed, status, shown, because, count, stake = row
    begins = datetime.fromisoformat(opened)
    ends = None if closed is None else datetime.fromisoformat(closed)
    words = {
        "{table}": table,
        "{game}": game,
        "{day}": f"{day:%B} {day.day}, {day.year}",
        "{opened}": f"{begins:%H:%M:%S}",
        "{closed}": "the end of the record" if ends is None else f"{ends:%H:%M:%S}",
    }
    return Hit(
        round=name,
        gaming_day=day,
        table=table,
        game=game,
        opened=begins,
        closed=ends,
        status=status,
        shown=shown,
        unknown_because=because,
        wager_count=count,
        stake_cents=int(stake),
        codes=tuple(codes),
        wagers=tuple(wagers),
        why=tuple(
            re.sub(r"\{\w+\}", lambda part: words.get(part[0], part[0]), reason)
            for reason in reasons
        ),
    )
