"""What a case is about, as it is named at the command line and found in the record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from ledger.cli.case_acts import words
from ledger.cli.errors import CommandWrong

if TYPE_CHECKING:
    from ledger import events
    from ledger.casework.cases import CaseFiles
    from ledger.kernel import FactRef

MOST_FACTS: Final = 200
"""Facts of an action, an alert or a coupon that are named beside it: whom these name or who stood
at their table then decides nothing about the case."""
Texts = Annotated[tuple[str, ...], Parameter(show_default=False, negative="")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Matters:
    """What a case is about, or what is pinned to it."""

    round: Texts = ()
    """A round of play, such as SB-01:1234; may be given again, as the others."""
    fact: Texts = ()
    """A fact, such as SB-01:1240."""
    coupon: Texts = ()
    """A coupon by its serial number; the steps of its way are named beside it."""
    action: Texts = ()
    """An action of the nightly audit by its id, or the beginning of it; its facts are named too."""
    alert: Texts = ()
    """An alert of the last report by its id, or the beginning of it; its facts are named too."""
    other: Texts = ()
    """Anything else, in words."""

    def given(self) -> list[tuple[str, str]]:
        """Kind and reference of each."""
        kinds = ("round", "fact", "coupon", "action", "alert", "other")
        return [(kind.upper(), name) for kind in kinds for name in getattr(self, kind)]

    def found(self, cases: CaseFiles, folder: Path) -> tuple[events.CaseMatter, ...]:
        """Return what was named, each as the record has it, and the facts it rests on.

        Args:
            cases: the cases of the ledger.
            folder: the ledger.

        Raises:
            CommandWrong: what was named is not on the record, or cannot be a name of its kind.
            ActionUnknown, SerialUnreadable, SerialAmbiguous: nothing, or several, are so named.
        """
        from ledger.casework.cases import matters_of

        pairs: list[tuple[str, str]] = []
        for kind, name in self.given():
            words(name, "What a case is about")
            match kind:
                case "ROUND" | "FACT":
                    pairs.append((kind, _on_record(cases, kind, name)))
                case "COUPON":
                    pairs += _with_facts(kind, *_coupon(folder, name))
                case "ACTION" | "ALERT":
                    pairs += _with_facts(kind, *_raised(folder, kind, name))
                case _:
                    pairs.append((kind, name.strip()))
        return matters_of(pairs)


NONE: Final = Matters()


def _on_record(cases: CaseFiles, kind: str, name: str) -> str:
    from ledger.kernel import parse_round_id

    try:
        ref = parse_round_id(name)
    except ValueError as error:
        raise CommandWrong(f"{name[:40]!r} is no {kind.lower()}.", "case") from error
    if cases.replay.fact(*ref) is None:
        raise CommandWrong(f"The record has no {kind.lower()} {name[:40]}.", "find")
    return name


def _with_facts(kind: str, name: str, refs: list[FactRef]) -> Iterator[tuple[str, str]]:
    yield kind, name
    for ref in islice(dict.fromkeys(refs), MOST_FACTS):
        yield "FACT", f"{ref.stream}:{ref.seq}"


def _coupon(folder: Path, name: str) -> tuple[str, list[FactRef]]:
    """A coupon as its series writes it, and the facts of its way."""
    from ledger.cli.coupons import form_desk
    from ledger.coupons import where

    location = where(form_desk(folder).book, name)
    if not location.steps:
        raise CommandWrong(f"The record has no coupon {location.serial}.", "coupons where")
    return str(location.serial), [step.move.ref for step in location.steps]


def _raised(folder: Path, kind: str, name: str) -> tuple[str, list[FactRef]]:
    """The whole id of an action or an alert, and the facts it rests on."""
    from ledger.casework import ActionAmbiguous, ActionUnknown
    from ledger.cli.action_desk import Desk
    from ledger.cli.actions import issued_alerts

    if kind == "ACTION":
        _, action = Desk(folder).named(name, None)
        return action.id, [ref for each in action.findings for ref in each.facts]
    issued = issued_alerts(folder, None, None)
    alerts = [alert for alert in issued if alert.id.startswith(name.lower())]
    if len(alerts) > 1:
        raise ActionAmbiguous(name, alerts)
    if not alerts:
        raise ActionUnknown(name, ["the last report"])
    return alerts[0].id, list(alerts[0].facts)
