"""The ledger: its checkpoint, entries with their proofs, schemas; and one's own sessions."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from ledger.audit.ledger_contract import CASES
from ledger.casework.person_proofs import DIGITS, STEP_SECONDS, PersonProofs
from ledger.codec import decode, registry, to_plain
from ledger.events import SUBJECTS, Fact
from ledger.kernel import UsageError, table_of
from ledger.log import Accepted, read_log
from ledger.log.entry import decode as decode_entry
from ledger.reports import tell
from ledger.reports.ledger_output import entry_data, with_position
from ledger.reports.qr import qr_svg
from ledger.reports.schema_page import schema_data, schema_rows
from ledger.web.patrons import patrons_in
from ledger.web.rendering import Answer
from ledger.web.roles import may_see
from ledger.web.visit import Visit

LISTED: Final = 50
"""Entries on one page of their list."""


class PositionUnreadable(UsageError):
    """A text is no position of an entry."""

    code = "position_unreadable"


class EventUnknown(UsageError):
    """There is no event of that name."""

    code = "event_unknown"


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
    position = position_of_text(visit.path["position"])
    log = read_log(visit.record.folder)
    proof = log.prove(position)
    plain = _plain_entry(log.raw(position), position)
    document = {**plain, "tree_size": log.size, "root": log.root.hex(), "proof": proof}
    context = {
        "title": f"Entry {position}",
        "position": position,
        "last": log.size - 1,
        "fields": list(plain.items()),
        **_in_words(visit, log.raw(position)),
        "proof": proof,
        "size": log.size,
    }
    return Answer(template="ledger.html", context=context, document=document, rows=[plain])


def entries(visit: Visit) -> Answer:
    """Entries one below the other, the last ones by default; ``?from=`` begins elsewhere.

    Raises:
        PositionUnreadable: what is asked for is no number.
    """
    log = read_log(visit.record.folder)
    asked = visit.query.get("from")
    first = max(log.size - LISTED, 0) if asked is None else position_of_text(asked)
    rows = [
        _plain_entry(log.raw(position), position)
        for position in range(first, min(first + LISTED, log.size))
    ]
    context = {
        "title": "Entries",
        "entries": [_line_of(row) for row in rows],
        "first": first,
        "size": log.size,
        "listed": LISTED,
    }
    document = {"tree_size": log.size, "root": log.root.hex(), "entries": rows}
    return Answer(template="entries.html", context=context, document=document, rows=rows)


def schemas(_visit: Visit) -> Answer:
    """Every published schema, and how many fields each has."""
    rows = schema_rows(registry())
    context = {"title": "Schemas", "schemas": rows, "shown": None}
    return Answer(template="schemas.html", context=context, document=rows, rows=rows)


def schema(visit: Visit) -> Answer:
    """The fields of one event, what each holds and means.

    Raises:
        EventUnknown: there is no such event.
    """
    name = visit.path["event"]
    if name not in SUBJECTS:
        raise EventUnknown("There is no such event.", next_step="Choose one of the list.")
    shown = schema_data(registry().by_name(name, None), None)
    context = {"title": f"Schema {shown['event']}", "schemas": None, "shown": shown}
    return Answer(template="schemas.html", context=context, document=shown, rows=shown["fields"])


def position_of_text(text: str) -> int:
    """Return the position that a text names.

    Raises:
        PositionUnreadable: it is no number.
    """
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise PositionUnreadable("This is no position of an entry.", next_step="Write a number.")
    return int(text)


def _plain_entry(raw: bytes, position: int) -> dict[str, object]:
    """An entry as the pages show it, to whoever it is."""
    stored = decode_entry(raw)
    if isinstance(stored, Accepted):
        return _shown(decode(stored.framed), stored.framed, position)
    return entry_data(stored, position)


def _in_words(visit: Visit, raw: bytes) -> dict[str, str | None]:
    """A fact as a sentence, its local time, and a name of its round; None where there is none."""
    stored, clock = decode_entry(raw), visit.record.property_clock
    nothing: dict[str, str | None] = {"words": None, "local": None, "round": None}
    if not isinstance(stored, Accepted):
        return nothing
    fact = decode(stored.framed)
    if table_of(fact.stream) == CASES:
        return nothing
    is_of_table = table_of(fact.stream) in visit.record.replay.tables()
    has_round = is_of_table and may_see(visit.roles, "round")
    return {
        "words": tell(patrons_in([fact]).masked(fact), clock),
        "local": f"{clock.local(fact.event_time):%B %-d, %Y, %H:%M:%S}",
        "round": f"{fact.stream}:{fact.seq}" if has_round else None,
    }


def _line_of(plain: Mapping[str, object]) -> tuple[object, str, str, str]:
    """An entry in a list: position, what it is, its fact, its time."""
    event = str(plain.get("event") or str(plain.get("entry", "")).replace("_", " "))
    fact = f"{plain['stream']}:{plain['seq']}" if "stream" in plain and "seq" in plain else "–"
    return plain["position"], event, fact, str(plain.get("event_time") or "–")


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
            "browser": browser_words(each.browser),
            "since": f"{clock.local(each.began_at):%b %-d %H:%M}",
            "used": f"{clock.local(each.used_at):%b %-d %H:%M}",
            "is_this": each is visit.session,
        }
        for each in visit.own_sessions
    ]
    address = _device_address(visit)
    proofs = PersonProofs(visit.record.folder)
    context = {
        "title": "Signed in",
        "rows": rows,
        "has_second": "code" in proofs.second_factors(visit.session.person),
        "passkeys": proofs.passkeys(visit.session.person),
        "secret": b32encode(visit.session.second_secret).decode(),
        "code": qr_svg(address, "Code for the app of a second factor"),
        "provider": visit.openid.provider if visit.openid else None,
        "account": proofs.account(visit.session.person),
        "offered": visit.session.offered_account and visit.session.offered_account[0],
    }
    return Answer(template="sessions.html", context=context, document=rows, rows=rows)


_BROWSERS: Final = (("Edg/", "Edge"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"),
                     ("Safari/", "Safari"))  # fmt: skip
"""What stands in how browsers name themselves, the more particular first, and their names."""
_SYSTEMS: Final = (("iPhone", "an iPhone"), ("iPad", "an iPad"), ("Android", "Android"),
                   ("Windows", "Windows"), ("Mac OS", "a Mac"), ("CrOS", "ChromeOS"),
                   ("Linux", "Linux"))  # fmt: skip


def browser_words(text: str) -> str:
    """Return what a browser says of itself, short; what is not known as it came.

    >>> browser_words("Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    """
    name = next((name for sign, name in _BROWSERS if sign in text), None)
    system = next((name for sign, name in _SYSTEMS if sign in text), None)
    if name is None:
        return text or "not stated"
    return f"{name} on {system}" if system else name


def _device_address(visit: Visit) -> str:
    """What an app of a second factor reads from the code on the page."""
    device = TOTP(visit.session.second_secret, DIGITS, SHA1(), STEP_SECONDS)
    return device.get_provisioning_uri(visit.session.person, "Pitledger")
