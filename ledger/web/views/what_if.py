"""What if: a round as if dice, cards, a call, a wager or its time had been otherwise.

Nothing of it is on record, and every page says so first and last. What was supposed stands under an
opaque name in the address, as searches do, and is forgotten with the session.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from ledger.kernel import LedgerError, dollars, event_words
from ledger.reports import RoundView
from ledger.reports.board import board_at
from ledger.reports.fact_sentences import card_words
from ledger.reports.verdict import verdict
from ledger.reports.what_if_page import MARK, NOTICE, WhatIfAnswer, what_if_data, what_if_text
from ledger.web.changeable import LATE, Changeable, changeable
from ledger.web.patrons import Patrons
from ledger.web.rendering import Answer, step_words
from ledger.web.visit import Visit

OPTIONS: Final = ("late", "return", "add_coupon", "reading")
"""What can be supposed beside recorded values, one a line."""
MOST_LINES: Final = 40
_DIE: Final = re.compile(r"dice (\d+), face\Z")
"""The upper side of a die, as the name of its field reads."""


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
        "groups": [
            (head, [(each, entered.get(each.name, each.recorded)) for each in group])
            for head, group in groupby(fields, key=lambda each: each.group)
        ],
        "board": board_at(seen, len(seen.steps)),
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
            context["board"] = board_at(_as_supposed(seen, answer, labels), len(answer.steps), MARK)
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
    name = _DIE.sub(r"die \1", name)
    recorded, supposed = change["recorded"], change["supposed"]
    if name.endswith("cents") and isinstance(recorded, int) and isinstance(supposed, int):
        name = name.removesuffix(" cents")
        recorded, supposed = dollars(recorded), dollars(supposed)
    return (
        f"{event_words(change['event'])} ({where}): {name} is {_shown(supposed)},"
        f" recorded as {_shown(recorded)}"
    )


def _shown(content: object) -> str:
    """A recorded or supposed value as people write it; cards with their suits as signs."""
    if isinstance(content, list | tuple):
        return card_words([str(each) for each in content]) or "nothing"
    return "nothing" if content is None else str(content)


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
        (each, entered[each.name].strip())
        for each in fields
        if entered.get(each.name, each.recorded).strip() != each.recorded
    ]
    values = [f"{each.address}={text}" for each, text in changed if not each.is_time]
    words = {"set": (*values, *_lines(entered.get("set", "")))}
    words |= {option: _lines(entered.get(option, "")) for option in OPTIONS}
    late = [each.address for each, text in changed if each.is_time and text == LATE]
    return words | {"late": (*late, *words["late"])}


def _as_supposed(seen: RoundView, answer: WhatIfAnswer, labels: Patrons) -> RoundView:
    """The round with its facts as they are supposed, and as it is judged by them."""
    result = answer.comparison.asked.supposed or seen.result
    return replace(seen, steps=labels.masked(answer.steps), result=labels.masked(result))


def _lines(text: str) -> tuple[str, ...]:
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if line)[:MOST_LINES]


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
