"""The pack of a case: what it has, for a person who has proved who asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.cli.output import progress

if TYPE_CHECKING:
    from ledger.analytics import JudgedTables
    from ledger.casework.cases import CaseFile
    from ledger.cli.packing import PackOptions
    from ledger.codec import PersonalKind
    from ledger.events import Fact
    from ledger.evidence import Pack, PackedCase, PackedLetter
    from ledger.kernel import FactRef
    from ledger.replay import Replay
    from ledger.reports import RoundView


def packed_case(
    folder: Path,
    number: str,
    person: str,
    hidden: frozenset[PersonalKind],
    chosen: PackOptions,
    key: Path | None,
) -> Pack:
    """Return the pack of a case; one that shows patrons is a look, recorded before.

    Args:
        folder: the ledger.
        number: of the case.
        person: the credential of who asks.
        hidden: the kinds of personal strings that it hides.
        chosen: what is in it beside its facts, and what is not.
        key: the ledger's private key, where it is not in the usual places.

    Raises:
        CaseUnknown, CaseRefused: it is not for this person.
        NotProved: nothing shows who asks.
    """
    from ledger.cli.case_acts import case_of
    from ledger.cli.patron_looks import record_looks
    from ledger.codec import PersonalKind

    _, cases, case = case_of(folder, number, person)
    if PersonalKind.PATRON not in hidden:
        record_looks(folder, cases, case, person, None, key)
    with progress("packing", ""):
        return pack_of(folder, case.number, hidden, chosen, key)


def pack_of(
    folder: Path,
    number: str,
    hidden: frozenset[PersonalKind],
    chosen: PackOptions,
    key: Path | None,
) -> Pack:
    """Return the pack of a case for a person who may see it, and whose look is recorded.

    Args:
        folder: the ledger.
        number: of the case, whole.
        hidden: the kinds of personal strings that it hides.
        chosen: what is in it beside its facts, and what is not.
        key: the ledger's private key, where it is not in the usual places.
    """
    from ledger.analytics import JudgedTables, judged_by
    from ledger.cli.packing import making_of, tree_of
    from ledger.evidence import make_case_pack
    from ledger.replay import Replay

    tree, is_present, signer = tree_of(folder, chosen, key)
    replay = Replay.open(folder, size=tree.size)
    cache = folder / "cache" if is_present else None
    judged = judged_by(folder, replay) if is_present else JudgedTables(replay, None)
    content = _content(folder, replay, judged, cache, number, chosen)
    making = making_of(replay, hidden, chosen, signer)
    return make_case_pack(content, judged.record.clock, tree, making)


def _content(
    folder: Path,
    replay: Replay,
    judged: JudgedTables,
    cache: Path | None,
    number: str,
    chosen: PackOptions,
) -> PackedCase:
    """The case as the packed tree has it."""
    from ledger.casework.cases import CaseFiles, CaseUnknown
    from ledger.cli.packing import ended_round
    from ledger.evidence import PackedCase

    case = CaseFiles.read(replay).named(number)
    if case is None:
        raise CaseUnknown(number)
    named: dict[str, list[str]] = {}
    for matter in case.matters:
        named.setdefault(matter.kind.value, []).append(matter.reference)
    rounds: dict[str, RoundView] = {}
    named_rounds: dict[str, RoundView] = {}
    for name in named.get("ROUND", ()):
        view = named_rounds[name] = ended_round(replay, judged, cache, name)
        rounds.setdefault(view.result.round, view)
    return PackedCase(
        file=case,
        acts=tuple(_acts(replay, case)),
        rounds=tuple(rounds.values()),
        pinned=tuple(_pinned(folder, replay, cache, named)),
        media=_media(case, chosen.media),
        letters=tuple(_letters(folder, replay, case, named_rounds)),
    )


def _letters(
    folder: Path, replay: Replay, case: CaseFile, views: dict[str, RoundView]
) -> Iterator[PackedLetter]:
    """Each letter that was signed, written again as it was signed.

    It was signed of the case and the rounds as they stood then, so where the case went on since it
    is written of the ledger of that time. One that cannot be written so any more is left out.
    """
    from datetime import date

    from ledger.cli.case_acts import clock_of
    from ledger.cli.case_letters import letter_of, signatures_on
    from ledger.evidence import PackedLetter

    clock, letters = clock_of(replay), {one.letter_sha256: one for one in reversed(case.letters)}
    for digest, signed in sorted(letters.items()):
        about = None if signed.wager is None else (signed.wager, signed.round or "")
        written = date.fromisoformat(signed.written)
        for stood, then, seen in _as_it_stood(folder, replay, case, views, signed.tree_size):
            letter = letter_of(stood, then, seen, about, written, clock)
            if letter.digest() == digest:
                yield PackedLetter(letter=letter, signatures=signatures_on(case, letter, clock))
                break


def _as_it_stood(
    folder: Path, replay: Replay, case: CaseFile, views: dict[str, RoundView], size: int
) -> Iterator[tuple[Replay, CaseFile, dict[str, RoundView]]]:
    """A case as it stands, then as it stood at an earlier size; its rounds likewise."""
    from ledger.analytics import JudgedTables
    from ledger.casework.cases import CaseFiles
    from ledger.cli.packing import ended_round
    from ledger.replay import Replay

    yield replay, case, views
    earlier = Replay.open(folder, size=size)
    then = CaseFiles.read(earlier).named(case.number)
    if then is None or any(matter.kind.value == "ROUND" and matter.reference not in views
                           for matter in then.matters):  # fmt: skip
        return
    yield earlier, then, views
    judged = JudgedTables(earlier, None)
    yield earlier, then, {name: ended_round(earlier, judged, None, name) for name in views}


def _acts(replay: Replay, case: CaseFile) -> Iterator[Fact]:
    """The events of a case, and how each person who acted is enrolled."""
    from ledger.casework.cases import CaseEvent, person_of
    from ledger.casework.cases.terms import KINDS
    from ledger.events import PersonEnrolled
    from ledger.kernel import person_key
    from ledger.replay import ENROLLED, FactStep

    kinds = KINDS | {ENROLLED}
    steps = replay.walk(replay.streams_with(kinds), only=kinds)
    facts = [step.fact for step in steps if isinstance(step, FactStep)]
    acts = [
        fact for fact in facts if isinstance(fact, CaseEvent) and fact.case_number == case.number
    ]
    persons = {person_key(person_of(act)) for act in acts}
    for fact in facts:
        if isinstance(fact, PersonEnrolled) and person_key(fact.person) in persons:
            yield fact
    yield from acts


def _pinned(
    folder: Path, replay: Replay, cache: Path | None, named: dict[str, list[str]]
) -> Iterator[Fact]:
    """The facts that are pinned by themselves, and those on the way of a coupon."""
    from ledger.kernel import parse_round_id

    refs: dict[FactRef, None] = {parse_round_id(name): None for name in named.get("FACT", ())}
    if serials := named.get("COUPON"):
        from ledger.audit import FormDesk
        from ledger.coupons import where
        from ledger.log import read_log

        carried = None if cache is None else cache / "carried"
        desk = FormDesk.open(read_log(folder), carried, replay)
        for serial in serials:
            refs |= {step.move.ref: None for step in where(desk.book, serial).steps}
    for ref in refs:
        fact = replay.fact(*ref)
        if fact is not None:
            yield fact


def _media(case: CaseFile, folder: Path | None) -> dict[str, bytes]:
    """The files of a case from a folder, each as it was put to the case.

    Raises:
        MediaChanged: one is missing there, or is another.
    """
    from hashlib import sha256

    from ledger.casework.media_files import MediaState, check_media
    from ledger.evidence import MediaChanged

    if folder is None:
        return {}
    content = {}
    for media in check_media(case, folder):
        raw = b"" if media.state is MediaState.MISSING else (folder / media.name).read_bytes()
        if media.state is not MediaState.UNCHANGED or sha256(raw).hexdigest() != media.sha256:
            raise MediaChanged(media.name, media.state.value)
        content[media.sha256] = raw
    return content
