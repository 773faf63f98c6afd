"""What if: a round as if dice, cards, a call, a wager or its time had been otherwise.

Nothing of it is on record, and every page says so first and last. What was supposed stands under an
opaque name in the address, as searches do, and is forgotten with the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ledger import events
from ledger.kernel import LedgerError, dollars, event_words
from ledger.reports import RoundView
from ledger.reports.fact_sentences import wager_name
from ledger.reports.verdict import verdict
from ledger.reports.what_if_page import MARK, NOTICE, what_if_data, what_if_text
from ledger.web.rendering import Answer, step_words
from ledger.web.visit import Visit

OPTIONS: Final = ("late", "return", "add_coupon", "reading")
"""What can be supposed beside recorded values, one a line."""
MOST_LINES: Final = 40
_FACES: Final = tuple("123456")


@dataclass(frozen=True, slots=True, kw_only=True)
class Changeable:
    """A recorded value that can be supposed otherwise.

    Attributes:
        address: as `pitledger whatif --set` has it.
        label: what it is, for people.
        recorded: as it stands, in the words that would be typed.
        choices: all that it can be; empty: it is typed.
    """

    address: str
    label: str
    recorded: str
    choices: tuple[str, ...] = ()


def what_if_page(visit: Visit) -> Answer:
    """The form, filled with the round as recorded; and the answer to what was supposed.

    Raises:
        RoundUnknown: there is no such round.
    """
    record = visit.record
    name = record.round(visit.path["round"]).result.round
    seen = record.masked_round(name)
    entered = visit.session.suppositions.get(visit.path.get("supposed", ""), {})
    fields = list(changeable(seen))
    context: dict[str, object] = {
        "title": f"What if, in round {name}",
        "result": seen.result,
        "mark": MARK,
        "notice": NOTICE,
        "verdict": verdict(seen.result),
        "fields": [(one, entered.get(f"set {one.address}", one.recorded)) for one in fields],
        "wagers": [(w.wager_id, _words(w.wager_id, seen)) for w in seen.result.wagers],
        "entered": entered,
        "more": entered.get("set", ""),
        "answer": None,
        "compared": None,
        "side_words": side_words,
        "change_words": change_words,
        "problem": None,
        "step": "",
        "own": visit.path.get("supposed"),
    }
    document: object = {"not_on_record": True, "round": name, "supposed": None}
    status = 200
    if "supposed" in visit.path:
        supposed = supposed_words(entered, fields)
        try:
            if not any(supposed.values()):
                raise NothingSupposed
            answer = record.services.suppose(
                record.replay, record.judged, record.folder, record.round(name), supposed
            )
            labels = record.patrons_of(name)
            context["answer"] = labels.masked(what_if_text(answer))
            context["sum"] = answer.comparison.more_cents
            context["unknown"] = bool(answer.stays_unknown)
            document = labels.masked(what_if_data(answer))
            context["compared"] = document
        except NothingSupposed:
            context["problem"], status = "Nothing is supposed: change a value below.", 400
        except LedgerError as error:
            context["problem"], status = labels_masked(visit, name, error.problem), 400
            context["step"] = step_words(error.next_step or error.cause)
    rows = _rows(document)
    return Answer(
        template="what_if.html", context=context, document=document, rows=rows, status=status
    )


def side_words(side: Mapping[str, Any] | None) -> str:
    """Return how a wager fares on one side: its result, and what it comes to for the patron."""
    if side is None:
        return "no such wager"
    cents = side["net_cents"]
    amount = "unknown" if cents is None else f"{'+' if cents > 0 else ''}{dollars(cents)}"
    return "unknown" if side["outcome"] == "unknown" else f"{side['outcome']}, {amount}"


def change_words(change: Mapping[str, Any]) -> str:
    """Return what is supposed of a fact, in words."""
    where = f"{change['stream']}:{change['seq']}"
    if change["field"] in ("place", "act"):
        return f"{event_words(change['event'])} ({where}): {change['supposed']}"
    name = change["field"].replace("_", " ").replace("[", " ").replace("]", "").replace(".", ", ")
    recorded, supposed = change["recorded"], change["supposed"]
    if name.endswith("cents") and isinstance(recorded, int) and isinstance(supposed, int):
        name = name.removesuffix(" cents")
        recorded, supposed = dollars(recorded), dollars(supposed)
    nothing = "nothing"
    return (
        f"{event_words(change['event'])} ({where}): {name} is"
        f" {nothing if supposed is None else supposed},"
        f" recorded as {nothing if recorded is None else recorded}"
    )


class NothingSupposed(Exception):
    """The form was sent as it was shown."""


def labels_masked(visit: Visit, name: str, text: str) -> str:
    """Return a text about a round with labels for its patrons."""
    return visit.record.patrons_of(name).masked(text)


def supposed_words(
    entered: Mapping[str, str], fields: list[Changeable]
) -> dict[str, tuple[str, ...]]:
    """Return what a form supposes: each value that differs from the recorded one."""
    changed = [
        f"{one.address}={entered[f'set {one.address}'].strip()}"
        for one in fields
        if entered.get(f"set {one.address}", one.recorded).strip() != one.recorded
    ]
    words = {"set": (*changed, *_lines(entered.get("set", "")))}
    return words | {option: _lines(entered.get(option, "")) for option in OPTIONS}


def _lines(text: str) -> tuple[str, ...]:
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if line)[:MOST_LINES]


def changeable(seen: RoundView) -> Iterator[Changeable]:
    """Return what of a round the form offers: outcomes first, then wagers."""
    throws = [
        s.fact
        for s in seen.steps
        if isinstance(s.fact, events.DiceThrown | events.DiceThrownByHand)
    ]
    for number, throw in enumerate(throws, start=1):
        before = f"throw[{number}]." if len(throws) > 1 else ""
        for place, (face, colour) in enumerate(_shown(throw), start=1):
            label = f"die {place}" + (f", throw {number}" if before else "")
            label += f" ({colour.lower()})" if colour else ""
            yield Changeable(
                address=f"{before}dice[{place}]", label=label, recorded=face, choices=_FACES
            )
    spins = [s.fact for s in seen.steps if isinstance(s.fact, events.WheelSpun)]
    for number, spin in enumerate(spins, start=1):
        before = f"spin[{number}]." if len(spins) > 1 else ""
        yield Changeable(
            address=f"{before}section",
            label="section of the wheel" + (f", spin {number}" if before else ""),
            recorded="" if spin.section is None else str(spin.section),
        )
    for step in seen.steps:
        fact = step.fact
        if isinstance(fact, events.RollCalled):
            for place, called in enumerate(fact.faces, start=1):
                yield Changeable(
                    address=f"{fact.stream}:{fact.seq}.faces[{place}]",
                    label=f"called die {place}",
                    recorded=str(called),
                    choices=_FACES,
                )
        if isinstance(fact, events.CardsDealt):
            for stack in fact.stacks:
                for place, card in enumerate(stack.cards or (), start=1):
                    yield Changeable(
                        address=f"cards[{stack.position}][{place}]",
                        label=f"position {stack.position}, card {place}",
                        recorded=card,
                    )
    for wager in seen.result.wagers:
        own = wager.wager_id
        yield Changeable(
            address=f"{own}.wager", label=f"{_words(own, seen)}: wager", recorded=wager.wager
        )
        if wager.picks:
            picks = ",".join(map(str, wager.picks))
            yield Changeable(address=f"{own}.picks", label=f"{own}: picks", recorded=picks)
        stake = dollars(wager.stake_cents).lstrip("$").replace(",", "")
        yield Changeable(address=f"{own}.stake", label=f"{own}: stake, $", recorded=stake)


def _shown(throw: events.DiceThrown | events.DiceThrownByHand) -> Iterator[tuple[str, str]]:
    """Each die of a throw: its face, empty where none was recorded, and its colour."""
    dice = throw.dice
    for face, colour in [(die.face, getattr(die, "colour", None)) for die in dice]:
        yield "" if face is None else str(face), str(colour or "")


def _words(wager_id: str, seen: RoundView) -> str:
    wager = next(one for one in seen.result.wagers if one.wager_id == wager_id)
    seat = f"seat {wager.position}, " if wager.position else ""
    return f"{wager_id}, {seat}{wager_name(wager.wager, wager.picks)}"


def _rows(document: object) -> list[dict[str, object]]:
    """The wagers that differ, for a spreadsheet."""
    rows: list[dict[str, object]] = []
    if not isinstance(document, dict) or "asked" not in document:
        return rows
    for pair in (document["asked"], *document["later"]):
        for wager in pair["wagers"]:
            sides = {name: wager[name] or {} for name in ("recorded", "supposed")}
            rows.append(
                {
                    "notice": MARK,
                    "round": pair["round"],
                    "wager": wager["wager_id"],
                    "recorded": sides["recorded"].get("outcome"),
                    "supposed": sides["supposed"].get("outcome"),
                    "recorded_net_cents": sides["recorded"].get("net_cents"),
                    "supposed_net_cents": sides["supposed"].get("net_cents"),
                    "patron_more_cents": wager["patron_more_cents"],
                }
            )
    return rows
