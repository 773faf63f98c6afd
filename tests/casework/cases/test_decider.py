"""Given a case, when somebody acts, then it counts or it does not: each act, both sides of its edge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import events
from ledger.casework.cases.case_file import CaseFile
from ledger.casework.cases.decider import LONGEST_TEXT, MOST_IN_A_CASE, refusal
from ledger.casework.cases.terms import KINDS
from ledger.kernel import ERASED
from ledger.replay import person_key
from tests.casework.cases import scene
from tests.casework.cases.scene import AT, act, case_after, closed, decided, ground, staff
from tests.games.facts import NOON

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32)
HELD = events.FootageState.HELD
RELEASED = events.FootageState.RELEASED
FOOTAGE = act("CaseFootageHandled", "S-1")
MEDIA = act("CaseMediaHandled", "S-1")
LETTER = act("CaseLetterSigned", "S-1")
AS_APPROVER = {"signed_as": events.LetterSigner.APPROVER}
VIEWED = {"act": events.MediaAct.VIEWED}
GIVEN = {"act": events.MediaAct.HANDED_OVER}


def with_footage() -> CaseFile:
    return case_after(FOOTAGE)


def with_held() -> CaseFile:
    return case_after(replace(FOOTAGE, state=HELD))


def with_media() -> CaseFile:
    return case_after(MEDIA)


def linked() -> CaseFile:
    return case_after(act("CaseLinked", "S-1"))


def pinned() -> CaseFile:
    return case_after(act("CaseEvidencePinned", "S-1"))


def lettered() -> CaseFile:
    return case_after(LETTER)


def reopened() -> CaseFile:
    return case_after(
        *(act(*one) for one in (scene.DECIDED, scene.CLOSED)), act("CaseReopened", "V-3")
    )


# fmt: off
ROWS: list[tuple[str, Any, Any, str | None]] = [
    # when                                   given        then: the act                                                    why not; None: it counts
    ("a case is opened",                     None,        act("CaseOpened", "S-1"),                                        None),
    ("opened twice",                         case_after,  act("CaseOpened", "S-1"),                                        "case 2021-0001 is open already"),
    ("opened by its subject",                None,        act("CaseOpened", "S-1", subjects=(staff("s1"),)),               "subject"),
    ("opened about another",                 None,        act("CaseOpened", "S-1", subjects=(staff("D-1"),)),              None),
    ("times in order",                       None,        act("CaseOpened", "S-1", occurred_from=NOON, occurred_until=NOON, reported_time=NOON), None),
    ("it ends before it begins",             None,        act("CaseOpened", "S-1", occurred_from=NOON, occurred_until=NOON - 1), "ends before it begins"),
    ("reported before it happened",          None,        act("CaseOpened", "S-1", occurred_from=NOON, reported_time=NOON - 1), "reported before"),
    ("reported as it is recorded",           None,        act("CaseOpened", "S-1", reported_time=AT),                      None),
    ("reported in the future",               None,        act("CaseOpened", "S-1", reported_time=AT + 1),                  "dated after"),
    ("it happens in the future",             None,        act("CaseOpened", "S-1", occurred_from=AT + 1),                  "dated after"),
    ("there is no case",                     None,        act("CaseNoted", "S-1"),                                         "no case 2021-0001"),
    ("a note",                               case_after,  act("CaseNoted", "S-1"),                                         None),
    ("a note on a closed case",              closed,      act("CaseNoted", "S-1"),                                         None),
    ("a machine recorded it",                case_after,  act("CaseNoted", "S-1", recorded_by=None),                       "a machine"),
    ("in another's name",                    case_after,  act("CaseNoted", "S-1", recorded_by="V-1"),                      "in the name of S-1"),
    ("by another spelling",                  case_after,  act("CaseNoted", "S-1", recorded_by="s1"),                       None),
    ("decided",                              case_after,  act("CaseDecided", "V-1"),                                       None),
    ("decided twice",                        decided,     act("CaseDecided", "V-2"),                                       "decided already"),
    ("decided after it was opened again",    reopened,    act("CaseDecided", "V-2"),                                       None),
    ("closed by a second person",            decided,     act("CaseClosed", "V-2"),                                        None),
    ("closed by who decided",                decided,     act("CaseClosed", "V-1"),                                        "a second person"),
    ("closed by who decided, as another",    decided,     act("CaseClosed", "V-1B"),                                       "a second person"),
    ("closed without a decision",            case_after,  act("CaseClosed", "V-2"),                                        "not decided yet"),
    ("closed twice",                         closed,      act("CaseClosed", "V-3"),                                        "case 2021-0001 is closed"),
    ("closed again without a decision",      reopened,    act("CaseClosed", "V-2"),                                        "not decided yet"),
    ("opened again",                         closed,      act("CaseReopened", "V-3"),                                      None),
    ("opened again while it is open",        case_after,  act("CaseReopened", "V-3"),                                      "not closed"),
    ("opened again while it is decided",     decided,     act("CaseReopened", "V-3"),                                      "not closed"),
    ("assigned",                             case_after,  act("CaseAssigned", "V-1", assignee="S-1"),                      None),
    ("assigned to nobody's credential",      case_after,  act("CaseAssigned", "V-1", assignee="X-9"),                      "No valid credential"),
    ("assigned to who sees no case",         case_after,  act("CaseAssigned", "V-1", assignee="D-1"),                      "D-1 is of"),
    ("assigned when closed",                 closed,      act("CaseAssigned", "V-1"),                                      "is closed"),
    ("evidence",                             case_after,  act("CaseEvidencePinned", "F-1"),                                None),
    ("evidence twice",                       pinned,      act("CaseEvidencePinned", "F-1"),                                "pinned already"),
    ("evidence when closed",                 closed,      act("CaseEvidencePinned", "F-1"),                                "is closed"),
    ("the next task",                        case_after,  act("CaseTaskSet", "S-1", task=1),                               None),
    ("a task with a hole before it",         case_after,  act("CaseTaskSet", "S-1", task=2),                               "no task 2"),
    ("linked",                               case_after,  act("CaseLinked", "S-1"),                                        None),
    ("linked twice",                         linked,      act("CaseLinked", "S-1"),                                        "already"),
    ("linked with itself",                   case_after,  act("CaseLinked", "S-1", other_number=scene.NUMBER),             "with itself"),
    ("linked with none",                     case_after,  act("CaseLinked", "S-1", other_number="2021-0003"),              "no case 2021-0003"),
    ("all that was lost was recovered",      case_after,  act("CaseAssessed", "F-1", lost_cents=5, recovered_cents=5),     None),
    ("more recovered than lost",             case_after,  act("CaseAssessed", "F-1", lost_cents=5, recovered_cents=6),     "more was recovered"),
    ("footage asked for",                    case_after,  FOOTAGE,                                                         None),
    ("footage of no length",                 case_after,  replace(FOOTAGE, footage_until=FOOTAGE.footage_from),            None),
    ("footage that ends before it begins",   case_after,  replace(FOOTAGE, footage_until=FOOTAGE.footage_from - 1),        "ends before"),
    ("footage with a hole before it",        case_after,  replace(FOOTAGE, footage=2),                                     "no footage 2"),
    ("footage released, never held",         case_after,  replace(FOOTAGE, state=RELEASED),                                "only what is held"),
    ("footage held",                         with_footage, replace(FOOTAGE, state=HELD),                                   None),
    ("footage of another camera",            with_footage, replace(FOOTAGE, state=HELD, camera="CAM-2"),                   "of CAM-1"),
    ("footage as it stands",                 with_footage, FOOTAGE,                                                        "stands so already"),
    ("footage released before it is held",   with_footage, replace(FOOTAGE, state=RELEASED),                               "only what is held"),
    ("footage released",                     with_held,   replace(FOOTAGE, state=RELEASED),                                None),
    ("media put to the case",                case_after,  MEDIA,                                                           None),
    ("media put twice",                      with_media,  MEDIA,                                                           "of the case already"),
    ("media viewed",                         with_media,  replace(MEDIA, **VIEWED),                                        None),
    ("media that the case has not",          case_after,  replace(MEDIA, **VIEWED),                                        "no such file"),
    ("media of another length",              with_media,  replace(MEDIA, media_size=8, **VIEWED),                          "another length"),
    ("media with a cut hash",                case_after,  replace(MEDIA, media_sha256=bytes(31)),                          "32 bytes"),
    ("media given to nobody",                with_media,  replace(MEDIA, **GIVEN),                                         "to whom"),
    ("media given away",                     with_media,  replace(MEDIA, handed_to="the Board's agent", **GIVEN),          None),
    ("a letter prepared",                    case_after,  LETTER,                                                          None),
    ("a letter prepared twice",              lettered,    replace(LETTER, signed_by="V-1", recorded_by="V-1"),             "in that function already"),
    ("a letter approved by a second",        lettered,    act("CaseLetterSigned", "V-1", **AS_APPROVER),                   None),
    ("a letter approved by its preparer",    lambda: case_after(act("CaseLetterSigned", "V-1")),
                                                          act("CaseLetterSigned", "V-1B", **AS_APPROVER),                  "a second person"),
    ("a subject is named",                   case_after,  act("CaseSubjectAdded", "S-1"),                                  None),
]
# fmt: on


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("given", "fact", "why"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_an_act_counts_or_says_why_not(given: Any, fact: Any, why: str | None) -> None:
    refused = refusal(None if given is None else given(), fact, ground())
    if why is None:
        assert refused is None
    else:
        assert refused is not None
        assert why in refused


def test_each_event_of_a_case_is_tried_on_both_sides() -> None:
    counted = {type(fact) for _, _, fact, why in ROWS if why is None}
    refused = {type(fact) for _, _, fact, why in ROWS if why is not None}
    kinds = {events.EVENTS[kind] for kind in scene_kinds()}
    assert counted == kinds
    assert refused == kinds - {events.CaseSubjectAdded}  # only rights and proof stand against it


def scene_kinds() -> set[str]:
    return set(KINDS)


@pytest.mark.row_by_row
@pytest.mark.parametrize("kind", sorted(scene_kinds() - {"CaseOpened"}))
def test_a_subject_acts_in_vain(kind: str) -> None:
    case = case_after(subjects=(staff("V-1"),))
    assert "subject" in (refusal(case, act(kind, "V-1"), ground()) or "")


# --- proof ----------------------------------------------------------------------------------------


def test_a_signature_by_the_persons_key_counts() -> None:
    fact = scene.signed(act("CaseNoted", "S-1"), KEY)
    own = {person_key("S-1"): scene.enrolled("S-1", KEY.public_key().public_bytes_raw())}
    assert refusal(case_after(), fact, ground(enrolled=own)) is None
    for changed in (
        replace(fact, note="never seen"),
        replace(fact, case_number=scene.NUMBER, seq=2),
        replace(fact, event_time=AT + 1),
        replace(fact, proof=events.ActProof(how=events.ProofKind.KEY, signature=None)),
        replace(fact, proof=events.ActProof(how=events.ProofKind.KEY, signature=bytes(64))),
        scene.signed(act("CaseNoted", "S-1"), OTHER_KEY),
    ):
        refused = refusal(case_after(), changed, ground(enrolled=own))
        assert refused == "its signature is not by the key of S-1"
    assert refusal(case_after(), fact, ground()) == "S-1 was not enrolled to prove it so"
    assert refusal(case_after(), act("CaseNoted", "S-1"), ground(enrolled=own)) is not None


def test_an_act_stands_of_which_a_text_was_erased() -> None:
    own = {person_key("S-1"): scene.enrolled("S-1", KEY.public_key().public_bytes_raw())}
    fact = replace(scene.signed(act("CaseNoted", "S-1"), KEY), note=ERASED)
    assert refusal(case_after(), fact, ground(enrolled=own)) is None
    unsigned = replace(fact, proof=events.ActProof(how=events.ProofKind.KEY, signature=None))
    assert refusal(case_after(), unsigned, ground(enrolled=own)) is not None


def test_a_signature_of_one_act_is_none_of_another() -> None:
    own = {person_key("S-1"): scene.enrolled("S-1", KEY.public_key().public_bytes_raw())}
    fact = scene.signed(act("CaseNoted", "S-1"), KEY)
    borrowed = replace(act("CaseEvidencePinned", "S-1"), proof=fact.proof)
    assert refusal(case_after(), borrowed, ground(enrolled=own)) is not None


def test_a_proof_of_a_newer_version_does_not_count() -> None:
    proof = events.ActProof(how=events.ProofKind.UNRECOGNISED, signature=None)
    assert "not enrolled" in (
        refusal(case_after(), replace(act("CaseNoted", "S-1"), proof=proof), ground()) or ""
    )


# --- limits and words -----------------------------------------------------------------------------


def test_what_says_too_much_does_not_count() -> None:
    for length, counts in ((LONGEST_TEXT, True), (LONGEST_TEXT + 1, False)):
        fact = replace(act("CaseNoted", "S-1"), note="x" * length)
        assert (refusal(case_after(), fact, ground()) is None) is counts
    full = replace(case_after(), notes=(act("CaseNoted", "S-1"),) * MOST_IN_A_CASE)
    assert "at most" in (refusal(full, act("CaseNoted", "S-1"), ground()) or "")


def test_a_word_of_a_newer_version_does_not_count() -> None:
    assessed = replace(act("CaseAssessed", "S-1"), error=events.ErrorType.UNRECOGNISED)
    assert "newer version" in (refusal(case_after(), assessed, ground()) or "")
    unknown = events.CaseMatter(kind=events.CaseMatterKind.UNRECOGNISED, reference="x")
    opening = replace(act("CaseOpened", "S-1"), about=(unknown,))
    assert "newer version" in (refusal(None, opening, ground()) or "")
    named = events.CaseSubject(kind=events.CaseSubjectKind.UNRECOGNISED, reference="x")
    added = replace(act("CaseSubjectAdded", "S-1"), subject=named)
    assert "newer version" in (refusal(case_after(), added, ground()) or "")


def test_whoever_only_reads_is_given_no_case() -> None:
    for person, counts in (("S-1", True), ("B-1", False), ("A-1", False), ("D-1", False)):
        fact = replace(act("CaseAssigned", "V-1"), assignee=person)
        assert (refusal(case_after(), fact, ground()) is None) is counts
