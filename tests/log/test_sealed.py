"""Sealed entries: attacked from outside, erased, interrupted; the tree stays as it was signed."""

from __future__ import annotations

import hmac
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.codec import decode as decode_fact
from ledger.codec import frame, from_plain, registry, sample_of
from ledger.events import (
    ActProof,
    CaseLetterSigned,
    FactAmended,
    FillDelivered,
    IrregularityFound,
    PositionTaken,
    ProofKind,
)
from ledger.events.enums import Irregularity
from ledger.kernel import ERASED, WITHHELD, LedgerError
from ledger.log import (
    Accepted,
    Arrival,
    Disclosure,
    OpeningsMissing,
    OpeningWrong,
    PersonKeysDamaged,
    PersonKeysMissing,
    PersonKeysOfAnother,
    commitment,
    commitments_of,
    init,
    open_log,
    read_log,
    redacted,
    verify,
)
from ledger.log.backup import back_up
from ledger.log.entry import decode, encode
from ledger.log.errors import PersonKeysStand
from ledger.log.key_rotation import rotate_key
from ledger.log.openings import Sealer, bundle_path
from ledger.log.person_keys import RECORD_BYTES, VARIABLE, PersonKeys, person_keys_file
from ledger.log.port import FRAMED_BYTES, Sealed
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals, opened

PATRONS = [f"p-{number:04d}" for number in range(2_000)]
"""Every reference that there may be."""
PATRON, OTHER = PATRONS[1_234], PATRONS[7]
DEALER, PIT_BOSS = "E-104", "E-007"


def taken(seq: int, patron: str | None = PATRON, stream: str = "SB-01", by: str = DEALER) -> bytes:
    """A patron took a position."""
    fact = PositionTaken(
        stream=stream, seq=seq, event_time=TIME + seq * 1_000, source="T-1", recorded_by=by,
        position="3", patron=patron,
    )  # fmt: skip
    return frame(fact)


def irregular(seq: int, note: str, found_by: str = PIT_BOSS, stream: str = "SB-01") -> bytes:
    """Somebody wrote something down."""
    fact = IrregularityFound(
        stream=stream, seq=seq, event_time=TIME + seq * 1_000, source="T-1", recorded_by=DEALER,
        irregularity=next(iter(Irregularity)), position=None, cards=None, count=None,
        exposed=None, used_as_next_card=None, note=note, found_by=found_by,
    )  # fmt: skip
    return frame(fact)


def filled(seq: int, *signed_by: str) -> bytes:
    """A fill, signed by some."""
    fact = FillDelivered(
        stream="SB-01", seq=seq, event_time=TIME + seq * 1_000, source="T-1", recorded_by=None,
        slip="F-1", chips_cents=10_000, signed_by=signed_by,
    )  # fmt: skip
    return frame(fact)


def amended(seq: int, replacement: bytes | None) -> bytes:
    """An amendment, which holds an event."""
    fact = FactAmended(
        stream="amendments", seq=seq, event_time=TIME + seq * 1_000, source="T-1",
        recorded_by=None, amended_stream="SB-01", amended_seq=1, replacement=replacement,
        reason="typed wrongly", amended_by=DEALER, approved_by=PIT_BOSS, approved_time=None,
        file_sha256=None, proof=None, approval_proof=None,
    )  # fmt: skip
    return frame(fact)


FACTS = [
    taken(1), opened(2), taken(3, OTHER), taken(4), irregular(5, "Smith shouted"),
    filled(6, DEALER, PIT_BOSS), amended(1, taken(1, OTHER)), amended(2, None),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sealed ledger without facts."""
    folder = tmp_path / "ledger"
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, sealed=True)
    return folder


@pytest.fixture
def filled_folder(folder: Path) -> Path:
    """A sealed ledger with facts of every kind."""
    append(folder, FACTS)
    return folder


def append(folder: Path, facts: list[bytes], at: int = TIME) -> tuple[int, int, int]:
    """Append facts; how many were accepted, repeated and in conflict."""
    with open_log(folder) as log:
        done = log.append([Arrival(fact) for fact in facts], at)
    return done.accepted, done.repeated, done.conflicts


def framed(folder: Path) -> list[bytes]:
    """The facts as they are read."""
    entries = read_log(folder).entries()
    return [entry.framed for _, entry in entries if isinstance(entry, Accepted)]


def raw_entries(folder: Path) -> dict[int, bytes]:
    """The sealed entries as they were signed, by position."""
    log = read_log(folder)
    out = {position: log.raw(position) for position in range(log.size)}
    return {position: raw for position, raw in out.items() if isinstance(decode(raw), Sealed)}


def forget(folder: Path, reference: str) -> bool:
    """Overwrite a person's key."""
    return read_log(folder).openings.forget(reference)


def _proof(signature: bytes) -> ActProof:
    return ActProof(how=ProofKind.KEY, signature=signature)


def everything_signed(folder: Path) -> bytes:
    """All bytes of a ledger's folder but for what opens its entries."""
    paths = sorted(folder.rglob("*"))
    mine = [path for path in paths if path.is_file() and folder / "keys" not in path.parents]
    return b"".join(path.read_bytes() for path in mine)


# ---------------------------------------------------------------- read as it came


def test_it_reads_as_it_came_and_holds_nothing_in_clear(filled_folder: Path) -> None:
    assert framed(filled_folder) == FACTS
    assert verify(filled_folder).problem is None
    content = everything_signed(filled_folder)
    for text in (PATRON, OTHER, DEALER, PIT_BOSS, "Smith", "typed wrongly"):
        assert text.encode() not in content
    assert b"SB-01" in content, "what the order hangs on stays"
    assert len(raw_entries(filled_folder)) == len(FACTS) - 1, "one of them says nothing of anybody"


def test_an_ordinary_ledger_is_what_it_was(tmp_path: Path) -> None:
    init(tmp_path / "a", origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    append(tmp_path / "a", FACTS)
    assert raw_entries(tmp_path / "a") == {}
    assert not person_keys_file(tmp_path / "a").exists()
    assert not (tmp_path / "a" / "openings").exists()


@pytest.mark.parametrize("cuts", [[8], [1] * 8, [3, 5]])
def test_it_reads_the_same_however_it_was_cut(folder: Path, cuts: list[int]) -> None:
    rest = list(FACTS)
    for cut in cuts:
        part, rest = rest[:cut], rest[cut:]
        append(folder, part)
    assert framed(folder) == FACTS


def test_a_signature_would_tell_which_text_it_is_of(folder: Path) -> None:
    """Bytes by which a guessed text can be tried, a signature and a digest, are sealed too."""
    letter, signature = b"\xff" + bytes(31), b"\xff" * 64
    plain = sample_of(registry().by_name("CaseLetterSigned"))
    plain |= {"seq": 1, "letter_sha256": letter.hex()}
    plain |= {"proof": {"how": "KEY", "signature": signature.hex()}}
    signed = frame(from_plain(plain))
    append(folder, [signed])
    content = everything_signed(folder)
    assert letter not in content
    assert signature not in content
    assert framed(folder) == [signed]
    assert append(folder, [signed]) == (0, 1, 0)
    forget(folder, "S-1")
    fact = decode_fact(framed(folder)[0])
    assert isinstance(fact, CaseLetterSigned)
    assert (fact.letter_sha256, fact.proof) == (ERASED.encode(), _proof(ERASED.encode()))


def test_over_many_bundles(folder: Path) -> None:
    facts = [taken(seq, PATRONS[seq % 50]) for seq in range(1, 700)]
    append(folder, facts[:300])
    append(folder, facts[300:])
    assert framed(folder) == facts
    assert append(folder, facts) == (0, 699, 0)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.booleans()),
        max_size=6,
    )
)
def test_any_text_comes_back(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, bool]]
) -> None:
    folder = tmp_path_factory.mktemp("any") / "ledger"
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, sealed=True)
    facts = [
        irregular(seq, text, text) if both else taken(seq, text)
        for seq, (text, both) in enumerate(texts, 1)
    ]
    append(folder, facts)
    assert framed(folder) == facts
    assert verify(folder).problem is None


def test_a_rotated_ledger_goes_on(filled_folder: Path, tmp_path: Path) -> None:
    rotate_key(filled_folder, handover=tmp_path / "handover", record_time=TIME + 1)
    append(filled_folder, [taken(9)])
    assert framed(filled_folder) == [*FACTS, taken(9)]
    assert verify(filled_folder).problem is None


def test_what_is_too_long_once_sealed_is_quarantined(folder: Path) -> None:
    fact = filled(1, *[f"E-{number}" for number in range(4_000)])
    assert len(fact) < FRAMED_BYTES
    with open_log(folder) as log:
        done = log.append([Arrival(fact), Arrival(amended(1, fact)), Arrival(taken(1))], TIME)
    assert (done.quarantined, done.accepted) == (2, 1)
    assert {trouble.reason for trouble in done.troubles} == {"oversize"}


# ---------------------------------------------------------------- guess, correlate, swap


def test_a_dictionary_of_all_references_finds_nothing(filled_folder: Path) -> None:
    """Without salts: every way of hashing a guess that the format itself knows."""
    content = everything_signed(filled_folder)
    paths = ["patron", "recorded_by", "replacement>patron", ""]
    for guess, path in product(PATRONS, paths):
        text = guess.encode()
        assert sha256(text).digest() not in content
        assert commitment(bytes(32), path, text) not in content
        assert commitment(b"", path, text) not in content
    entry = next(decode(raw) for raw in raw_entries(filled_folder).values())
    assert isinstance(entry, Sealed)
    for guess in PATRONS:  # the whole fact, as it would have been
        whole = taken(1, guess)
        assert sha256(whole).digest() not in content
        assert hmac.digest(bytes(32), whole, sha256) != entry.likeness


def test_the_same_value_is_never_the_same_bytes(filled_folder: Path) -> None:
    hashes = [
        hashed for raw in raw_entries(filled_folder).values() for _, hashed in commitments_of(raw)
    ]
    assert len(hashes) == len(set(hashes)) > 10
    likenesses = [decode(raw).likeness for raw in raw_entries(filled_folder).values()]  # type: ignore[union-attr]
    assert len(set(likenesses)) == len(likenesses)


def test_twin_ledgers_cannot_be_held_against_each_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        folder = tmp_path / name
        init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, sealed=True)
        append(folder, FACTS)
    first, second = raw_entries(tmp_path / "a"), raw_entries(tmp_path / "b")
    for position in first:
        mine, other = commitments_of(first[position]), commitments_of(second[position])
        assert [path for path, _ in mine] == [path for path, _ in other]
        assert not {hashed for _, hashed in mine} & {hashed for _, hashed in other}


def test_openings_of_another_entry_are_refused(filled_folder: Path) -> None:
    """Both facts are of one patron and one dealer, so that one key opens both."""
    path = filled_folder / bundle_path(0)
    rows = rows_of(path.read_bytes())
    first, other = [position for position in rows if position in raw_entries(filled_folder)][:2]
    rows[first], rows[other] = rows[other], rows[first]
    path.write_bytes(packed(rows))
    with pytest.raises(OpeningWrong):
        framed(filled_folder)
    assert verify(filled_folder).problem is None, "the ledger itself is whole"


@pytest.mark.parametrize("spoil", ["flip", "cut", "drop", "empty", "another's"])
def test_altered_openings_are_refused(filled_folder: Path, spoil: str, tmp_path: Path) -> None:
    path = filled_folder / bundle_path(0)
    content = bytearray(path.read_bytes())
    if spoil == "flip":
        for at in range(0, len(content), 37):
            changed = bytearray(content)
            changed[at] ^= 1
            path.write_bytes(changed)
            with pytest.raises((OpeningWrong, OpeningsMissing, PersonKeysMissing)):
                framed(filled_folder)
        return
    if spoil == "another's":
        init(tmp_path / "b", origin=ORIGIN, property=HOUSE, record_time=TIME, sealed=True)
        append(tmp_path / "b", FACTS)
        content = bytearray((tmp_path / "b" / bundle_path(0)).read_bytes())
    rows = rows_of(bytes(content))
    rows.pop(min(rows)) if spoil == "drop" else None
    content = bytearray(packed(rows)) if spoil == "drop" else content
    path.write_bytes(content[:-5] if spoil == "cut" else b"" if spoil == "empty" else content)
    with pytest.raises((OpeningWrong, OpeningsMissing)):
        framed(filled_folder)


def test_no_erasure_is_feigned(filled_folder: Path) -> None:
    """Who can write into the folder, and has no keys, cannot make a text read as erased."""
    path = filled_folder / bundle_path(0)
    rows = rows_of(path.read_bytes())
    for position, row in rows.items():
        rows[position] = row[-16:]  # no section, and the old seal
    path.write_bytes(packed(rows))
    with pytest.raises(OpeningWrong):
        framed(filled_folder)


def rows_of(content: bytes) -> dict[int, bytes]:
    """The rows of a file of openings."""
    rows, at = {}, 0
    while at < len(content):
        length = int.from_bytes(content[at + 1 : at + 5], "big")
        rows[content[at]] = content[at + 5 : at + 5 + length]
        at += 5 + length
    return rows


def packed(rows: dict[int, bytes]) -> bytes:
    """A file of openings of rows."""
    return b"".join(
        bytes([at]) + len(row).to_bytes(4, "big") + row for at, row in sorted(rows.items())
    )


def test_a_commitment_swapped_between_fields_breaks_the_tree(filled_folder: Path) -> None:
    """Recorder and patron change places in an entry: no longer what was signed."""
    position, raw = next(iter(raw_entries(filled_folder).items()))
    (_, first), (_, second) = commitments_of(raw)
    swapped = raw.replace(first, b"-" * 32).replace(second, first).replace(b"-" * 32, second)
    bundle = next((filled_folder / "tile/entries").rglob("*.p")) / str(read_log(filled_folder).size)
    bundle.write_bytes(bundle.read_bytes().replace(raw, swapped))
    assert verify(filled_folder).first_bad_position == position


# ---------------------------------------------------------------- a twin that discloses some


def test_a_chosen_opening_is_checked_with_the_entry_alone(filled_folder: Path) -> None:
    log = read_log(filled_folder)
    position, raw = next(iter(raw_entries(filled_folder).items()))
    by_path = {one.path: one for one in log.openings.disclosures(position, raw)}
    assert set(by_path) == {"patron", "recorded_by"}
    twin = redacted(raw, [by_path["recorded_by"]])
    fact = decode_fact(twin.framed)
    assert isinstance(fact, PositionTaken)
    assert (fact.recorded_by, fact.patron, fact.position) == (DEALER, WITHHELD, "3")
    assert twin.hidden == ("patron",)
    assert redacted(raw, by_path.values()).framed == FACTS[0]


@pytest.mark.parametrize("lie", ["text", "salt", "path", "swapped", "unknown"])
def test_a_false_disclosure_is_refused(filled_folder: Path, lie: str) -> None:
    log = read_log(filled_folder)
    position, raw = next(iter(raw_entries(filled_folder).items()))
    patron, recorder = sorted(log.openings.disclosures(position, raw))
    false = {
        "text": patron._replace(text=OTHER.encode()),
        "salt": patron._replace(salt=bytes(32)),
        "path": patron._replace(path="position"),
        "swapped": Disclosure("patron", recorder.salt, recorder.text),
        "unknown": patron._replace(path="patron[0]"),
    }[lie]
    with pytest.raises(OpeningWrong):
        redacted(raw, [false])


# ---------------------------------------------------------------- erase


def test_what_is_erased_reads_so_and_all_else_stays(filled_folder: Path) -> None:
    before = verify(filled_folder)
    proof = read_log(filled_folder).prove(3)
    assert forget(filled_folder, PATRON)
    facts = [decode_fact(one) for one in framed(filled_folder)]
    assert [one.patron for one in facts if isinstance(one, PositionTaken)] == [
        ERASED, OTHER, ERASED,
    ]  # fmt: skip
    assert framed(filled_folder)[1] == FACTS[1]
    assert framed(filled_folder)[4:] == FACTS[4:], "a text that does not name the patron stays"
    after = verify(filled_folder)
    assert (after.problem, after.root, after.tree_size) == (None, before.root, before.tree_size)
    assert read_log(filled_folder).prove(3) == proof
    assert not forget(filled_folder, PATRON), "nobody finds the key again"


def test_a_text_goes_with_the_person_it_names(filled_folder: Path) -> None:
    forget(filled_folder, PIT_BOSS)
    fact = decode_fact(framed(filled_folder)[4])
    assert isinstance(fact, IrregularityFound)
    assert (fact.note, fact.found_by, fact.recorded_by) == (ERASED, ERASED, DEALER)


def test_an_amendment_is_sealed_inside(filled_folder: Path) -> None:
    forget(filled_folder, OTHER)
    fact = decode_fact(framed(filled_folder)[6])
    assert isinstance(fact, FactAmended)
    replacement = decode_fact(fact.replacement or b"")
    assert isinstance(replacement, PositionTaken)
    assert (replacement.patron, replacement.recorded_by, fact.amended_by) == (
        ERASED, DEALER, DEALER,
    )  # fmt: skip


def test_every_spelling_is_one_person(folder: Path) -> None:
    append(folder, [taken(1, "p-1234"), taken(2, " P_1234 "), taken(3, "p-12345")])
    forget(folder, "P 1234")
    facts = [decode_fact(one) for one in framed(folder)]
    assert [one.patron for one in facts if isinstance(one, PositionTaken)] == [
        ERASED, ERASED, "p-12345",
    ]  # fmt: skip


def test_the_same_fact_is_known_again_after_erasure(filled_folder: Path) -> None:
    for person in (PATRON, OTHER, DEALER, PIT_BOSS):
        assert forget(filled_folder, person)
    size = read_log(filled_folder).size
    assert append(filled_folder, FACTS) == (0, len(FACTS), 0)
    assert read_log(filled_folder).size == size
    other = [taken(1, "p-0001"), taken(4, OTHER), irregular(5, "Smith smiled")]
    assert append(filled_folder, other) == (0, 0, 3)
    shutil.rmtree(filled_folder / "cache")
    assert append(filled_folder, FACTS) == (0, len(FACTS), 0)


def test_a_block_with_its_size_can_be_erased(folder: Path) -> None:
    plain = filled(1, DEALER, PIT_BOSS)
    at = plain.rindex(b"\x04\x0aE-104")
    sized = plain[:at] + b"\x03\x18" + plain[at + 1 :]  # two items in twelve bytes
    append(folder, [sized])
    assert framed(folder) == [sized]
    forget(folder, DEALER)
    fact = decode_fact(framed(folder)[0])
    assert isinstance(fact, FillDelivered)
    assert fact.signed_by == (ERASED, PIT_BOSS)
    assert verify(folder).problem is None
    assert append(folder, [sized, plain]) == (0, 2, 0)


def test_an_older_copy_of_the_keys_does_not_bring_it_back(filled_folder: Path) -> None:
    keys = person_keys_file(filled_folder)
    older = keys.read_bytes()
    forget(filled_folder, PATRON)
    erased = framed(filled_folder)
    keys.write_bytes(older)
    assert framed(filled_folder) == erased


def test_a_copy_forgets_too(
    filled_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(person_keys_file(filled_folder)))
    back_up(filled_folder, tmp_path / "copy")
    assert framed(tmp_path / "copy") == FACTS
    assert not list((tmp_path / "copy").rglob("*person-keys*"))
    forget(filled_folder, PATRON)
    assert framed(tmp_path / "copy") == framed(filled_folder) != FACTS


def test_whoever_comes_again_is_a_new_person(filled_folder: Path) -> None:
    forget(filled_folder, PATRON)
    append(filled_folder, [taken(20)])
    facts = [decode_fact(one) for one in framed(filled_folder)]
    mine = [one.patron for one in facts if isinstance(one, PositionTaken)]
    assert mine == [ERASED, OTHER, ERASED, PATRON]


def test_nothing_is_left_of_the_reference(filled_folder: Path) -> None:
    """Neither the key nor what leads to it: who has all files cannot ask for the person."""
    keys = person_keys_file(filled_folder)
    before = keys.read_bytes()
    forget(filled_folder, PATRON)
    after = keys.read_bytes()
    changed = [
        at
        for at in range(0, len(before), RECORD_BYTES)
        if before[at : at + RECORD_BYTES] != after[at : at + RECORD_BYTES]
    ]
    assert len(changed) == 1
    record = after[changed[0] : changed[0] + RECORD_BYTES]
    assert record[16:112] == bytes(96)


# ---------------------------------------------------------------- keys and openings not at hand


def test_without_keys_nothing_is_read_and_all_is_verified(filled_folder: Path) -> None:
    person_keys_file(filled_folder).unlink()
    with pytest.raises(PersonKeysMissing):
        framed(filled_folder)
    with pytest.raises(PersonKeysMissing):
        open_log(filled_folder)
    assert verify(filled_folder).problem is None
    open_and_close_nothing_was_written(filled_folder)


def open_and_close_nothing_was_written(folder: Path) -> None:
    """The lock was let go."""
    with pytest.raises(PersonKeysMissing):
        open_log(folder)


def test_an_empty_file_says_that_the_keys_are_lost(filled_folder: Path) -> None:
    person_keys_file(filled_folder).write_bytes(b"")
    facts = [decode_fact(one) for one in framed(filled_folder)]
    assert {one.patron for one in facts if isinstance(one, PositionTaken)} == {ERASED}
    with pytest.raises(PersonKeysMissing, match="not at hand"):
        open_log(filled_folder)


def test_keys_of_another_ledger_are_refused(filled_folder: Path, tmp_path: Path) -> None:
    init(tmp_path / "b", origin=ORIGIN, property=HOUSE, record_time=TIME + 1, sealed=True)
    shutil.copy(person_keys_file(tmp_path / "b"), person_keys_file(filled_folder))
    with pytest.raises(PersonKeysOfAnother):
        framed(filled_folder)


@pytest.mark.parametrize("at", [0, 40, 90, 120, RECORD_BYTES + 3, 2 * RECORD_BYTES + 127])
def test_altered_keys_are_refused(filled_folder: Path, at: int) -> None:
    keys = person_keys_file(filled_folder)
    content = bytearray(keys.read_bytes())
    content[at] ^= 1
    keys.write_bytes(content)
    with pytest.raises(PersonKeysDamaged):
        framed(filled_folder)


def test_an_older_copy_of_the_keys_is_told(filled_folder: Path) -> None:
    keys = person_keys_file(filled_folder)
    keys.write_bytes(keys.read_bytes()[: 2 * RECORD_BYTES])
    with pytest.raises(PersonKeysMissing):
        framed(filled_folder)


def test_half_a_key_at_the_end_was_never_acknowledged(filled_folder: Path) -> None:
    keys = person_keys_file(filled_folder)
    keys.write_bytes(keys.read_bytes() + bytes(50))
    assert framed(filled_folder) == FACTS
    append(filled_folder, [taken(30, "p-new")])
    assert framed(filled_folder)[-1] == taken(30, "p-new")


def test_missing_openings_are_named(filled_folder: Path) -> None:
    shutil.rmtree(filled_folder / "openings")
    with pytest.raises(OpeningsMissing, match="not there"):
        framed(filled_folder)
    assert verify(filled_folder).problem is None


def test_keys_that_stand_there_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "ledger.person-keys").write_bytes(b"another's")
    with pytest.raises(PersonKeysStand):
        init(tmp_path / "ledger", origin=ORIGIN, property=HOUSE, record_time=TIME, sealed=True)
    assert (tmp_path / "ledger.person-keys").read_bytes() == b"another's"


def test_the_keys_may_lie_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "safe" / "keys"))
    init(tmp_path / "ledger", origin=ORIGIN, property=HOUSE, record_time=TIME, sealed=True)
    append(tmp_path / "ledger", FACTS)
    assert (tmp_path / "safe" / "keys").exists()
    assert os.stat(tmp_path / "safe" / "keys").st_mode & 0o777 == 0o600
    assert framed(tmp_path / "ledger") == FACTS


# ---------------------------------------------------------------- interrupted


class Killed(BaseException):
    """The process ends here."""


POINTS = ["planned", "intended", "sealed", "tiled", "signed"]


def stop_at(point: str) -> Callable[[str], None]:
    """Stop at a named point of an append."""

    def at_point(name: str) -> None:
        if name == point:
            raise Killed

    return at_point


def killed(folder: Path, point: str, facts: list[bytes]) -> None:
    """Append, and end at a point, if it is reached."""
    with suppress(Killed), open_log(folder, at_point=stop_at(point)) as log:
        log.append([Arrival(fact) for fact in facts], TIME + 1)


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("again", ["sealed", "signed"])
def test_killed_at_a_point_whatever_counts_can_be_opened(
    filled_folder: Path, point: str, again: str
) -> None:
    more = [taken(seq, f"p-{seq}") for seq in range(10, 300)]
    for at, facts in ((point, more), (again, more[::-1])):
        killed(filled_folder, at, facts)
        assert verify(filled_folder).problem is None
        read = framed(filled_folder)
        assert read[: len(FACTS)] == FACTS
        assert len(read) in (len(FACTS), len(FACTS) + len(more))
    append(filled_folder, more)
    assert sorted(framed(filled_folder)) == sorted([*FACTS, *more])
    assert verify(filled_folder).problem is None


def test_nothing_counts_before_its_openings_are_kept(filled_folder: Path) -> None:
    """Whenever the checkpoint is replaced, what opens its entries is there."""
    seen = []

    def at_point(name: str) -> None:
        if name in ("tiled", "signed"):
            rows = rows_of((filled_folder / bundle_path(0)).read_bytes())
            seen.append((name, max(rows)))

    size = read_log(filled_folder).size
    with open_log(filled_folder, at_point=at_point) as log:
        log.append([Arrival(taken(40))], TIME)
    assert seen == [("tiled", size), ("signed", size)]


def test_orphaned_openings_are_cleared(filled_folder: Path) -> None:
    killed(filled_folder, "tiled", [taken(seq) for seq in range(10, 900)])
    assert (filled_folder / bundle_path(3)).exists()
    append(filled_folder, [opened(50)])
    assert not (filled_folder / bundle_path(3)).exists()
    assert len(rows_of((filled_folder / bundle_path(0)).read_bytes())) == len(FACTS) - 1


def test_append_whole_keeps_what_opens_it(filled_folder: Path) -> None:
    with open_log(filled_folder, group_entries=100) as log:
        log.append_whole([Arrival(taken(seq)) for seq in range(10, 900)], TIME + 1)
    assert framed(filled_folder)[len(FACTS) :] == [taken(seq) for seq in range(10, 900)]


def test_keys_are_on_the_disk_before_what_is_sealed_under_them(
    filled_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    keep, put = PersonKeys.keep, Sealer.files

    def noted_keep(self: PersonKeys) -> None:
        steps.append("keys")
        keep(self)

    def noted_files(self: Sealer, *words: object) -> object:
        files = put(self, *words)  # type: ignore[arg-type]
        steps.append("openings")
        return files

    monkeypatch.setattr(PersonKeys, "keep", noted_keep)
    monkeypatch.setattr(Sealer, "files", noted_files)
    append(filled_folder, [taken(60, "p-60")])
    assert steps == ["keys", "openings"]


# ---------------------------------------------------------------- hostile entries


def test_a_sealed_fact_in_a_ledger_that_does_not_seal_is_told(
    filled_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init(tmp_path / "plain", origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    raw = next(iter(raw_entries(filled_folder).values()))
    with open_log(tmp_path / "plain") as log:
        monkeypatch.setattr("ledger.log.file_log.encode", lambda _: raw)
        log.record_rotation(decode(raw))  # type: ignore[arg-type]
    assert "does not seal" in (verify(tmp_path / "plain").problem or "")


@pytest.mark.parametrize("spoil", ["short", "text", "cut"])
def test_a_sealed_fact_that_is_none_is_told(
    filled_folder: Path, spoil: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = decode(next(iter(raw_entries(filled_folder).values())))
    assert isinstance(entry, Sealed)
    sealed = {
        "short": entry.sealed.replace(b"\x42\xff", b"\x40\xff", 1)[:-1],
        "text": entry.sealed.replace(b"\xff", b"\xfe", 1),
        "cut": entry.sealed[:-3],
    }[spoil]
    bad = encode(
        Sealed(record_time=TIME, coordinates=None, odd_key=None, likeness=bytes(32), sealed=sealed)
    )
    with open_log(filled_folder) as log:
        monkeypatch.setattr("ledger.log.file_log.encode", lambda _: bad)
        log.record_rotation(entry)  # type: ignore[arg-type]
    assert verify(filled_folder).first_bad_position == read_log(filled_folder).size - 1
    with pytest.raises(LedgerError):
        framed(filled_folder)


def test_facts_without_anybody_cost_nothing(folder: Path) -> None:
    with open_log(folder) as log:
        log.append(arrivals(1, 300), TIME)
    assert raw_entries(folder) == {}
    assert list((folder / "openings").rglob("*")) == []
