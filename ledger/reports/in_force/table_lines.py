"""What is in force at a table on a day, line by line: what, since when, by what authority.

Each line names the section and the facts that it rests on; what no fact says is "not recorded".
Law: §§ 521.4, 521.7, 521.8; the rooms' own rows for layouts and equipment.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import events
from ledger.audit.in_force import InForce, Span, SubmissionInForce, TableInForce
from ledger.games import BY_GAME
from ledger.games.room import Room
from ledger.kernel import dollars
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import GENERAL, LEDGER_CONTRACT
from ledger.reports.in_force.equipment import equipment_lines, layout_lines, people_lines
from ledger.reports.in_force.filings import filing_lines
from ledger.reports.in_force.line import NOT_RECORDED, Line, refs, sure
from ledger.reports.in_force.services import service_lines

PARTS = ("location", "size", "language")


@dataclass(frozen=True, slots=True)
class TablePage:
    """One table on the day: its game, its hours, and its lines in the order of reading."""

    table: str
    games: tuple[str, ...]
    opened_at: int | None
    closed_at: int | None
    lines: tuple[Line, ...]


def pages(in_force: InForce) -> tuple[TablePage, ...]:
    """A page of lines for each table."""
    return tuple(_page(in_force, table) for table in in_force.tables)


def _page(in_force: InForce, table: TableInForce) -> TablePage:
    games = table.of("game")
    names = tuple(dict.fromkeys(words_of(span) for span in games))
    last = games[-1] if games else None
    return TablePage(
        table=table.table,
        games=names,
        opened_at=games[0].begins if games else None,
        closed_at=last.ends if last is not None else None,
        lines=tuple(_lines(in_force, table)),
    )


def words_of(span: Span) -> str:
    """The game of an opening."""
    assert isinstance(span.fact, events.TableOpened)
    return span.fact.game


def _lines(in_force: InForce, table: TableInForce) -> Iterator[Line]:
    yield from _doubts(table)
    games = table.of("game")
    if not games:
        yield Line("game", "no opening of the table", standing=NOT_RECORDED)
    for span in games:
        yield from _game(in_force, span)
    for game, standings in table.submissions.items():
        first = next((s.begins for s in games if words_of(s) == game), None)
        for standing in standings:
            if standing.ends is None or first is None or standing.ends > first:
                yield from _submission(in_force, table, game, standing)
        yield from _pending(in_force, table, game)
    yield from _limits(in_force, table)
    yield from layout_lines(in_force, table)
    yield from equipment_lines(in_force, table)
    yield from service_lines(in_force, table)
    yield from people_lines(table)


def _doubts(table: TableInForce) -> Iterator[Line]:
    if table.doubts:
        sentence = (
            "facts of this table were lost or are in conflict: what stood before may have changed"
        )
        yield Line(
            "record",
            sentence,
            since=table.doubts[-1],
            cites=(LEDGER_CONTRACT[".1"],),
            standing="not certain",
        )


# --- game and chapter ----------------------------------------------------------------------------


def _game(in_force: InForce, span: Span) -> Iterator[Line]:
    opened = span.fact
    assert isinstance(opened, events.TableOpened)
    room, day = BY_GAME.get(opened.game), in_force.day.date
    yield Line("game", opened.game, span.begins, span.ends, facts=refs(opened), standing=sure(span))
    if room is None:
        yield Line("chapter", "no chapter held here has this game", standing=NOT_RECORDED)
    else:
        for chapter in (room.law, GENERAL):
            edition = chapter.edition
            sentence = f"§ {edition.chapter} {chapter.name}, {edition.source} of {edition.since}"
            remark = edition.remark(day)
            yield Line(
                "chapter",
                f"{sentence}: {remark or 'in force'}",
                standing=edition.standing(day).value,
            )
    yield from _approval(in_force, opened, room)
    level = opened.capture.value.lower()
    yield Line("capture", level, span.begins, span.ends, (LEDGER_CONTRACT[".4"],), refs(opened))


def _approval(in_force: InForce, opened: events.TableOpened, room: Room | None) -> Iterator[Line]:
    """§ 521.4: a game of the subpart needs no request; any other needs request and approval."""
    cite = (GENERAL[".4#1"],)
    known = [
        one
        for one in in_force.house.office.games.get(opened.game, [])
        if one.approved_time is not None and one.approved_time < in_force.day.ends
    ]
    if known:
        last = known[-1]
        by = f" by {last.approved_by}" if last.approved_by else ""
        yield Line(
            "approval", f"approved for offering{by}", last.approved_time, None, cite, refs(last)
        )
    elif room is not None:
        chapter = room.law.edition.chapter
        yield Line("approval", f"not asked for: chapter {chapter} has the game", cites=cite)
    else:
        yield Line("approval", "no approval of this game", cites=cite, standing=NOT_RECORDED)


# --- Rules Submission ----------------------------------------------------------------------------


def _submission(
    in_force: InForce, table: TableInForce, game: str, standing: SubmissionInForce
) -> Iterator[Line]:
    cite, known = (GENERAL[".8(b)#1"],), standing.submission
    if known is None:
        yield Line(
            "submission",
            f"no approved Rules Submission for {game}",
            standing.begins,
            standing.ends,
            cite,
            standing=NOT_RECORDED,
        )
        return
    filed, local = known.filed, in_force.house.clock.local
    sentence = f"{filed.submission}, filed {local(filed.event_time):%Y-%m-%d %H:%M}, approved"
    if filed.supersedes is not None:
        sentence += f"; in place of {filed.supersedes}"
    facts = (known.ref, known.approval) if known.approval is not None else (known.ref,)
    state = None if standing.sure else "not certain"
    yield Line("submission", sentence, standing.begins, standing.ends, cite, facts, state)
    offered = [
        span.fact.paytable
        for span in table.of("game")
        if isinstance(span.fact, events.TableOpened) and span.fact.game == game
    ]
    for name in dict.fromkeys(one for one in offered if one not in (None, filed.submission)):
        if len(table.submissions[game]) == 1:
            yield Line(
                "offered",
                f"the table opened with {name}, which is not in force",
                cites=(GENERAL[".8(b)#2"],),
            )
    room = BY_GAME.get(game)
    if room is not None:
        yield from filing_lines(room, known, in_force.day.date, standing.begins, standing.ends)


def _pending(in_force: InForce, table: TableInForce, game: str) -> Iterator[Line]:
    """Filed for this table and not approved by the day's end."""
    for known in in_force.house.office.submissions.values():
        filed = known.filed
        mine = filed.game == game and (filed.tables is None or table.table in filed.tables)
        if not mine or filed.event_time >= in_force.day.ends:
            continue
        if known.approved_at is None or known.approved_at >= in_force.day.ends:
            sentence = f"{filed.submission} is filed and not approved: not in force"
            yield Line(
                "pending", sentence, filed.event_time, None, (GENERAL[".8(b)#2"],), (known.ref,)
            )


# --- limits --------------------------------------------------------------------------------------


def _limits(in_force: InForce, table: TableInForce) -> Iterator[Line]:
    limits = table.of("limits")
    if not limits:
        yield Line("limits", "no limits", cites=(GENERAL[".7(a)"],), standing=NOT_RECORDED)
    for span in limits:
        fact = span.fact
        assert isinstance(fact, events.LimitsSet)
        sentence = limited(fact)
        if fact.increment_cents is not None:
            sentence += f", in steps of {dollars(fact.increment_cents)}"
        yield Line(
            "limits", sentence, span.begins, span.ends, (GENERAL[".7(a)"],), refs(fact), sure(span)
        )
    for span in table.of("notice"):
        announced = span.fact
        assert isinstance(announced, events.LimitsChangeAnnounced)
        sentence = f"announced: {limited(announced)}"
        yield Line(
            "notice",
            sentence,
            span.begins,
            span.begins,
            (GENERAL[".8(c)(2)(iii)"],),
            refs(announced),
        )
    signs = table.of("limits sign")
    if limits and not signs:
        yield Line(
            "sign", "no sign with the limits", cites=(GENERAL[".7(b)#1"],), standing=NOT_RECORDED
        )
    for span in signs:
        sign = span.fact
        assert isinstance(sign, events.LimitsSignPosted)
        sentence = f"{sign.sign} shows {limited(sign)}"
        if sign.states_change:
            at = sign.effective_time
            when = (
                "no time"
                if at is None
                else in_force.house.clock.time_on(in_force.day.date, at, "%H:%M")
            )
            sentence += f", a change from {when}"
        cite = (GENERAL[".8(c)(2)(ii)#1" if sign.states_change else ".7(b)#1"],)
        yield Line("sign", sentence, span.begins, span.ends, cite, refs(sign), sure(span))
    for span in table.of("rules sign"):
        rules = span.fact
        assert isinstance(rules, events.RulesSignPosted)
        yield Line(
            "sign",
            f"{rules.sign} shows rules in effect",
            span.begins,
            span.ends,
            (GENERAL[".8(a)"],),
            refs(rules),
            sure(span),
        )
    yield from _sign_approvals(in_force, table)


def _sign_approvals(in_force: InForce, table: TableInForce) -> Iterator[Line]:
    names = dict.fromkeys(
        span.fact.sign
        for kind in ("limits sign", "rules sign")
        for span in table.of(kind)
        if isinstance(span.fact, events.LimitsSignPosted | events.RulesSignPosted)
    )
    for name in names:
        decided = in_force.house.office.sign(name, in_force.day.ends - 1)
        if decided is None:
            yield Line(
                "sign", f"no approval of {name}", cites=(GENERAL[".8(d)"],), standing=NOT_RECORDED
            )
            continue
        lacking = [part for part in PARTS if not getattr(decided, part)]
        sentence = f"{name} approved in place, size and language"
        if lacking:
            sentence = f"{name} not approved in {', '.join(lacking)}"
        yield Line("sign", sentence, decided.event_time, None, (GENERAL[".8(d)"],), refs(decided))


def limited(fact: events.LimitsSet | events.LimitsSignPosted | events.LimitsChangeAnnounced) -> str:
    """A minimum and a maximum in dollars, and for which wagers."""
    both = (fact.minimum_cents, fact.maximum_cents)
    amounts = [dollars(one) if one is not None else "not stated" for one in both]
    which = "all wagers" if fact.wager is None else f"on {fact.wager}"
    return f"{which}: {amounts[0]} to {amounts[1]}"
