"""Whether the ledger is what was signed: reports and printed pages held against it, and proofs.

What a page of the desk shows was led back to the signed root as it was read. The whole ledger is
recomputed by each night before its report, and by `pitledger verify`; no page does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledger.kernel import UsageError
from ledger.log import FileSnapshot, compare_with_paper, printed_size, read_log
from ledger.log.note import to_base64
from ledger.web.rendering import Answer
from ledger.web.views.night import issues_of
from ledger.web.visit import Visit

MOST_DAYS = 62
"""Gaming days whose reports are held against the ledger."""


class ConsistencyUnknown(UsageError):
    """There is no proof from that size on."""

    code = "consistency_unknown"


def verification(visit: Visit) -> Answer:
    """The reports of nights held against the ledger; ``?size=&root=`` of a printed page, too.

    Raises:
        PrintedSizeUnreadable, PrintedRootUnreadable: what was copied is no size, or no root.
        PrintedLarger: the page speaks of more entries than the ledger has.
    """
    log = read_log(visit.record.folder)
    size_text, root_text = visit.query.get("size", ""), visit.query.get("root", "")
    paper = None
    if size_text or root_text:
        paper = compare_with_paper(visit.record.folder, printed_size(size_text), root_text)
    reports = list(_reports(visit, log))
    document = {
        "origin": log.origin,
        "tree_size": log.size,
        "root": log.root.hex(),
        "verifier": str(log.verifier),
        "reports": reports,
        "printed": None
        if paper is None
        else {"tree_size": paper.size, "bits": paper.bits, "matches": paper.matches},
    }
    context = {
        "title": "Verification",
        "section": "Ledger",
        "log": document,
        "note": log.note.decode(),
        "reports": reports,
        "paper": paper,
        "size": size_text,
        "root": root_text,
        "broken": sum(each["sealed"] is True and not each["continues"] for each in reports),
    }
    return Answer(template="verification.html", context=context, document=document, rows=reports)


def consistency(visit: Visit) -> Answer:
    """The proof that the ledger of today begins with the one of an earlier size (RFC 6962, 2.1.2).

    Raises:
        PrintedSizeUnreadable: that is no size.
        ConsistencyUnknown: the ledger never had that size.
    """
    log = read_log(visit.record.folder)
    size = printed_size(visit.path["size"])
    if size > log.size:
        raise ConsistencyUnknown(
            "The ledger has not as many entries.", next_step="Choose a smaller number."
        )
    proof = [to_base64(node) for node in log.consistency(size)] if size < log.size else []
    document = {
        "tree_size": size,
        "root": to_base64(log.root_at(size)),
        "later_tree_size": log.size,
        "later_root": to_base64(log.root),
        "proof": proof,
        "checkpoint": log.note.decode(),
    }
    context = {"title": f"Proof from entry {size:,} on", "section": "Ledger", "proof": document}
    rows = [{"node": number, "hash": node} for number, node in enumerate(proof, start=1)]
    return Answer(template="consistency.html", context=context, document=document, rows=rows)


def _reports(visit: Visit, log: FileSnapshot) -> Iterator[dict[str, object]]:
    """Each issue of a report, and whether the ledger still begins with what it was made from."""
    for day in _days(visit):
        for issue in issues_of(visit, day):
            size, root = issue.manifest["tree_size"], issue.manifest["root"]
            yield {
                "gaming_day": day.isoformat(),
                "report": issue.path.name,
                "sealed": issue.is_sealed,
                "tree_size": size,
                "root": root,
                "continues": 0 < size <= log.size and log.root_at(size).hex() == root,
            }


def _days(visit: Visit) -> list[date]:
    """The gaming days that have reports, the last one first."""
    if not visit.nights.is_dir():
        return []
    named = (path.name for path in visit.nights.iterdir() if path.is_dir())
    days = [day for day in map(_day, named) if day is not None]
    return sorted(days, reverse=True)[:MOST_DAYS]


def _day(name: str) -> date | None:
    try:
        return date.fromisoformat(name)
    except ValueError:
        return None
