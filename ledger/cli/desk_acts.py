"""What people do at the desk, as the events that record it: by the makers of the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ledger import events
from ledger.casework.cases import CaseFiles
from ledger.casework.cases.patron_references import looks
from ledger.casework.cases.shift_log import ShiftRecord
from ledger.cli import case_makers as makers
from ledger.cli.case_acts import clock_of, event_of
from ledger.cli.case_letters import LetterOptions, signing
from ledger.cli.case_matters import Matters
from ledger.cli.errors import CommandWrong
from ledger.cli.shift import logged
from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import OvertakenByAnother
from ledger.replay import Replay

if TYPE_CHECKING:
    from ledger.cli.case_acts import Make
    from ledger.kernel import PropertyClock

KINDS: Final = ("round", "fact", "coupon", "action", "alert", "other")
"""What a case can be about, as the forms name it."""


class ActUnknown(UsageError):
    """The desk asks for something that this writer does not know."""

    code = "act_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act as it was entered at the desk.

    Attributes:
        id: of the request.
        name: what is done, a name of ``MAKERS`` or of ``OTHERS``.
        by: the credential of who acts, proved.
        number: of the case; empty where there is none.
        fields: what was entered, by the names of the form.
    """

    id: str
    name: str
    by: str
    number: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    signature: events.Fact | None = None
    """What was made ready before the act came to its group: a signature on a form or a report."""

    def text(self, name: str) -> str:
        """A field; empty where nothing was entered."""
        return self.fields.get(name, "").strip()

    def optional(self, name: str) -> str | None:
        """A field; None where nothing was entered."""
        return self.text(name) or None

    def number_of(self, name: str) -> int | None:
        """A field that is a number; None where nothing was entered.

        Raises:
            CommandWrong: it is none.
        """
        text = self.text(name)
        if not text:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise CommandWrong(f"{text[:40]!r} is no number.", "case show")
        return int(text)

    def day(self, name: str) -> date | None:
        """A field that is a date; None where nothing was entered.

        Raises:
            CommandWrong: it is none.
        """
        text = self.text(name)
        try:
            return date.fromisoformat(text) if text else None
        except ValueError as error:
            raise CommandWrong(f"{text[:40]!r} is no date such as 2021-06-26.", "case") from error

    def moment(self, name: str) -> str | None:
        """A field that is a local time, also as browsers send it."""
        text = self.optional(name)
        return None if text is None else text.replace("T", " ")

    def choice(self, name: str, known: type[events.ErrorType | events.FootageState | Any]) -> str:
        """A field that is one word of a list.

        Raises:
            CommandWrong: it is another one.
        """
        text = self.text(name)
        if text.upper() not in known.__members__ or text.upper() == "UNRECOGNISED":
            raise CommandWrong(f"{text[:40]!r} is none of the choices.", "case")
        return text.lower()

    def matters(self) -> Matters:
        """What is named, one a line."""
        named = {name: [line.strip() for line in self.text(name).splitlines()] for name in KINDS}
        return Matters(**{name: tuple(filter(None, lines)) for name, lines in named.items()})

    def subjects(self) -> list[str]:
        """Who is named, one a line."""
        people = [f"staff:{line}" for line in self.text("staff").split()]
        return people + [f"patron:{line}" for line in self.text("patron").split()]


def _media(act: Act, _: Path) -> Make:
    try:
        digest = bytes.fromhex(act.text("sha256"))
    except ValueError as error:
        raise CommandWrong("A SHA-256 has 64 digits and letters a to f.", "case media") from error
    return makers.handling_media(
        act.number, act.by, digest=digest, size=act.number_of("size") or 0,
        name=act.text("name"), act=act.choice("act", events.MediaAct),
        camera=act.optional("camera"), kept_at=act.optional("kept_at"),
        handed_to=act.optional("handed_to"),
    )  # fmt: skip


def _footage(act: Act, _: Path) -> Make:
    return makers.handling_footage(
        act.number, act.by, footage=act.number_of("footage"), camera=act.optional("camera"),
        begins=act.moment("begins"), ends=act.moment("ends"),
        state=act.choice("state", events.FootageState), expires=act.day("expires"),
        why=act.optional("why"),
    )  # fmt: skip


def _money(act: Act, _: Path) -> Make:
    amounts = {name: act.text(name) or "0" for name in ("lost", "recovered", "saved", "goodwill")}
    error = act.choice("error", events.ErrorType)
    return makers.assessing(act.number, act.by, error=error, **amounts)


def _opening(act: Act, folder: Path) -> Make:
    return makers.opening(
        act.by, summary=act.text("summary"), complaint=act.optional("complaint"),
        subjects=act.subjects(), begins=act.moment("begins"), ends=act.moment("ends"),
        reported=act.moment("reported"), matters=act.matters(),
        folder=folder,
    )  # fmt: skip


def _subject(act: Act, _: Path) -> Make:
    subject = f"{act.choice('kind', events.CaseSubjectKind)}:{act.text('reference')}"
    return makers.naming(act.number, act.by, subject=subject, why=act.text("why"))


# fmt: off
MAKERS: Final[Mapping[str, Callable[[Act, Path], Make]]] = {
    "open": _opening,
    "subject": _subject,
    "media": _media,
    "footage": _footage,
    "assess": _money,
    "assign": lambda a, _: makers.assigning(a.number, a.by, assignee=a.text("assignee")),
    "note": lambda a, _: makers.noting(a.number, a.by, text=a.text("text")),
    "task": lambda a, _: makers.tasking(a.number, a.by, text=a.text("text"), due=a.day("due")),
    "done": lambda a, _: makers.tasking(a.number, a.by, text=None, done=a.number_of("task") or 0),
    "pin": lambda a, f: makers.pinning(
        a.number, a.by, why=a.text("why"), matters=a.matters(), folder=f),
    "link": lambda a, _: makers.linking(a.number, a.by, other=a.text("other"), why=a.text("why")),
    "decide": lambda a, _: makers.deciding(a.number, a.by, decision=a.text("decision")),
    "close": lambda a, _: makers.closing(a.number, a.by, reason=a.text("reason")),
    "reopen": lambda a, _: makers.reopening(a.number, a.by, reason=a.text("reason")),
}
"""Each act with a case."""
# fmt: on
_SHIFT: Final = {"log": events.ShiftLogged, "handover": events.ShiftHandedOver}
OTHERS: Final = frozenset({"sign", "reveal", *_SHIFT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The events of an act, the act itself last.

    ``is_alone``: nothing else goes into the same group, since it also says who writes a stream.
    """

    facts: tuple[events.Fact, ...]
    is_alone: bool = False


@dataclass(slots=True)
class DeskActs:
    """The ledger as the writer knows it, kept warm from one group of acts to the next.

    Args:
        folder: the ledger's.
    """

    folder: Path
    _replay: Replay | None = None
    _cases: CaseFiles | None = None
    _shifts: ShiftRecord | None = None
    _clock: PropertyClock | None = None
    _own_size: int = -1
    _more: Counter[str] = field(default_factory=Counter)

    def forward(self) -> Replay:
        """Read what came since; begin a group of acts."""
        before = self._replay
        replay = Replay.following(self.folder) if before is None else before.grown()
        if self._cases is None or replay.size != self._own_size:
            self._cases, self._clock = CaseFiles.read(replay), clock_of(replay)
            self._shifts = None
        self._cases.replay, self._replay, self._own_size = replay, replay, replay.size
        self._more.clear()
        return replay

    def appended(self, size: int) -> None:
        """Go on from what this writer has appended itself."""
        self._own_size = size

    def forget(self) -> None:
        """Read the cases again: what was followed did not come on the record."""
        self._cases = self._shifts = None

    def facts_of(self, act: Act, at: int) -> Facts:
        """Return the events of an act, with those before it in its group taken for recorded.

        Raises:
            CommandWrong, CaseRefused, CaseUnknown, ShiftRefused: so.
            OvertakenByAnother: somebody else signed in the meantime.
            ActUnknown: there is no such act.
        """
        replay, cases, clock = self._replay, self._cases, self._clock
        assert replay is not None and cases is not None and clock is not None
        if act.signature is not None:
            stream = act.signature.stream
            last = replay.extent(stream).last_seq if stream in replay.streams() else 0
            if act.signature.seq != last + 1:
                raise OvertakenByAnother(str(self.folder))
            return Facts(facts=(act.signature,), is_alone=True)
        if act.name in _SHIFT:
            return self._shift(replay, act, at)
        if act.name == "reveal":
            case = cases.one(act.number, act.by, at) if act.number else None
            patrons = None if case is not None else act.text("patrons").splitlines()
            hour = f"{clock.local(at):%Y-%m-%d %H:00}"
            facts = looks(replay, cases, case, act.by, hour, at, patrons)
            return Facts(facts=facts, is_alone=True)
        proof = events.ActProof(how=events.ProofKind.PASS_PHRASE, signature=None)
        number = None if act.name == "open" else act.number
        maker = self._maker(act)
        fact = event_of(cases, number, act.by, at, maker, clock)
        proved = replace(fact, proof=proof, seq=fact.seq + self._more[fact.stream])
        decided = cases.decide(proved)
        cases.take(proved)
        self._more[fact.stream] += 1
        return Facts(facts=decided, is_alone=len(decided) > 1)

    def _maker(self, act: Act) -> Make:
        if act.name == "sign":
            letter = LetterOptions(wager=act.optional("wager"), round=act.optional("round"))
            recipient = act.choice("recipient", events.LetterKind)
            signed_as = act.choice("signed_as", events.LetterSigner)
            return signing(
                self.folder, act.number, act.by, recipient=recipient, signed_as=signed_as,
                name=act.text("name"), letter=letter,
            )  # fmt: skip
        maker = MAKERS.get(act.name)
        if maker is None:
            raise ActUnknown("The desk asks for something that its writer does not know.",
                             next_step="start `pitledger serve` again")  # fmt: skip
        return maker(act, self.folder)

    def _shift(self, replay: Replay, act: Act, at: int) -> Facts:
        words = {"entry": act.text("entry"), "logged_by": act.by}
        if act.name == "handover":
            words = {"note": act.text("note"), "handed_to": act.text("to"), "handed_by": act.by}
        fact = logged(_SHIFT[act.name], replay, words, act.by, at)
        shifts = self._shifts = self._shifts or ShiftRecord.read(replay)
        shifts.replay = replay
        facts = shifts.decide(fact)
        shifts.take(fact)
        return Facts(facts=facts, is_alone=True)
