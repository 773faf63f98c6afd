"""The law's chapters, the ledger's checkpoint and entries, and one's own sessions."""

from __future__ import annotations

from hashlib import sha256

from ledger.audit.ledger_contract import CASES
from ledger.codec import decode, to_plain
from ledger.events import Fact
from ledger.kernel import UsageError, table_of
from ledger.log import Accepted, read_log
from ledger.log.entry import decode as decode_entry
from ledger.reports.law.printed_rows import law_show, names, show, show_text
from ledger.reports.ledger_output import entry_data, with_position
from ledger.web.patrons import patrons_in
from ledger.web.rendering import Answer
from ledger.web.visit import Visit


class PositionUnreadable(UsageError):
    """A text is no position of an entry."""

    code = "position_unreadable"


def chapters(_visit: Visit) -> Answer:
    """The chapters that the rules are made of."""
    listed = [(name, show(name)[0]) for name in names()]
    document = [{"chapter": name, "name": each.name} for name, each in listed]
    context = {"title": "Law", "chapters": listed, "name": None, "text": None}
    return Answer(template="law.html", context=context, document=document, rows=document)


def chapter(visit: Visit) -> Answer:
    """A chapter's rows beside its sections.

    Raises:
        RoomUnknown: there is no such chapter.
    """
    name = visit.path["chapter"]
    shown = law_show(name)
    context = {"title": f"Law: {shown['name']}", "name": name, "text": show_text(name)}
    return Answer(template="law.html", context=context, document=shown, rows=shown["sections"])


def checkpoint(visit: Visit) -> Answer:
    """How many entries there are, and what was signed of them."""
    log = read_log(visit.record.folder)
    document = {
        "origin": log.origin,
        "tree_size": log.size,
        "root": log.root.hex(),
        "verifier": str(log.verifier),
        "note": log.note.decode(),
    }
    context = {"title": "Ledger", "signed": document, "position": None}
    return Answer(template="ledger.html", context=context, document=document, rows=[document])


def entry(visit: Visit) -> Answer:
    """One entry, and the proof that it stands at its position.

    Raises:
        PositionUnreadable: the position is no number.
        PositionUnknown: the ledger has fewer entries.
    """
    text = visit.path["position"]
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise PositionUnreadable("This is no position of an entry.", next_step="Write a number.")
    position = int(text)
    log = read_log(visit.record.folder)
    proof = log.prove(position)
    stored = decode_entry(log.raw(position))
    plain = entry_data(stored, position)
    if isinstance(stored, Accepted):
        plain = _shown(decode(stored.framed), stored.framed, position)
    document = {**plain, "tree_size": log.size, "root": log.root.hex(), "proof": proof}
    context = {
        "title": f"Entry {position}",
        "position": position,
        "last": log.size - 1,
        "fields": list(plain.items()),
        "proof": proof,
        "size": log.size,
    }
    return Answer(template="ledger.html", context=context, document=document, rows=[plain])


def _shown(fact: Fact, framed: bytes, position: int) -> dict[str, object]:
    """A fact as this page shows it, to whoever it is.

    Acts with cases, and looks at patrons, are read on their own pages, which their subjects do not
    see; references of patrons stand behind labels, since nothing here records who looks.
    """
    if table_of(fact.stream) == CASES:
        plain = {
            "event": "not shown here: acts with cases are read in their case",
            "sha256": sha256(framed).hexdigest(),
        }
        return with_position(plain, position)
    patrons = patrons_in([fact])
    return with_position(to_plain(patrons.masked(fact)), position)


def sessions(visit: Visit) -> Answer:
    """Where one is signed in; all but this one can be ended."""
    clock = visit.record.property_clock
    rows = [
        {
            "browser": each.browser or "not stated",
            "since": f"{clock.local(each.began_at):%b %-d %H:%M}",
            "used": f"{clock.local(each.used_at):%b %-d %H:%M}",
            "is_this": each is visit.session,
        }
        for each in visit.own_sessions
    ]
    context = {"title": "Signed in", "rows": rows}
    return Answer(template="sessions.html", context=context, document=rows, rows=rows)
