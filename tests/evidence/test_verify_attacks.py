"""No change of a pack goes unnoticed: each is refused with a reason, never with a traceback."""

from __future__ import annotations

import io
import json
import random
import re
import struct
import zipfile

import pytest

from ledger.evidence.canonical_zip import zip_of
from ledger.evidence.verify import FILE_BYTES, judged, members_of
from ledger.log import Checkpoint, Signer
from ledger.log.note import DASH, to_base64
from tests.evidence.packs import Change, changed, closed, in_json

OTHER = Signer("test.example/floor", bytes(range(32)))


def refused(raw: bytes, key: str | None, reason: str = "") -> str:
    code, lines = judged(raw, key)
    assert code == 4, lines
    assert re.fullmatch(r"REFUSED: .{5,}", lines[-1], re.DOTALL)
    assert re.search(reason, lines[-1]), lines[-1]
    return lines[-1]


def place(pack: bytes, event: str) -> str:
    """The position of a fact of that name, as members have it."""
    manifest = json.loads(members_of(pack)["manifest.json"])
    item = next(fact for fact in manifest["facts"] if fact["event"] == event)
    return f"{item['position']:012d}"


def swap(one: str, other: str) -> Change:
    def apply(members: dict[str, bytes]) -> None:
        members[one], members[other] = members[other], members[one]

    return apply


def test_the_pack_itself_is_verified(pack: bytes, key: str) -> None:
    code, lines = judged(pack, key)
    assert (code, lines[-1]) == (0, "VERIFIED under your key")


def test_without_a_key_from_elsewhere_nothing_is_verified(pack: bytes) -> None:
    code, lines = judged(pack, None)
    assert (code, lines[-1][:20]) == (1, "SELF-CONSISTENT ONLY")


def test_no_flipped_byte_passes(pack: bytes, key: str) -> None:
    _flip(pack, key, random.Random(1).sample(range(len(pack)), 400))


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_no_flipped_byte_passes_anywhere(pack: bytes, key: str) -> None:
    _flip(pack, key, range(len(pack)))


def _flip(pack: bytes, key: str, places: object) -> None:
    spoilt = bytearray(pack)
    for at in places:  # type: ignore[attr-defined]
        spoilt[at] ^= 1 << at % 8
        refused(bytes(spoilt), key)
        spoilt[at] = pack[at]


PROVED = ("entries/", "proofs/", "schemas/", "facts.jsonl", "checkpoint", "keys.json")


def test_a_flipped_byte_under_fitting_sums_does_not_pass(pack: bytes, key: str) -> None:
    """A forger without the key makes the sums fit, and may leave the signature out."""
    chance = random.Random(2)
    for name in members_of(pack):
        if name in ("SHA256SUMS", "signature", "manifest.json"):
            continue

        def flip(members: dict[str, bytes], name: str = name) -> None:
            body = bytearray(members[name])
            if body:
                body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
            members[name] = bytes(body)

        refused(changed(pack, flip), key)
        code, lines = judged(changed(pack, flip, strip=True), key)
        assert code != 0, lines
        if name.startswith(PROVED) and name != "keys.json":
            assert code == 4, (name, lines)


def test_a_stripped_signature_leaves_no_more_than_the_facts(pack: bytes, key: str) -> None:
    code, lines = judged(changed(pack, lambda members: None, strip=True), key)
    assert (code, "nobody signed it" in lines[-1]) == (1, True)


def test_what_is_moved_between_facts_is_refused(pack: bytes, key: str) -> None:
    won, thrown = place(pack, "WagerSettled"), place(pack, "DiceThrown")
    for change, reason in (
        (swap(f"proofs/{won}.proof", f"proofs/{thrown}.proof"), "proof of .* is another's"),
        (swap(f"entries/{won}", f"entries/{thrown}"), "is not its leaf"),
    ):
        refused(changed(pack, change, strip=True), key, reason)
        refused(changed(pack, change), key, "pack")


def test_facts_that_are_reordered_cut_renamed_or_added_are_refused(pack: bytes, key: str) -> None:
    def reordered(members: dict[str, bytes]) -> None:
        lines = members["facts.jsonl"].splitlines(keepends=True)
        members["facts.jsonl"] = b"".join(reversed(lines))

    def cut(members: dict[str, bytes]) -> None:
        del members[f"entries/{place(pack, 'WagerSettled')}"]

    def renamed(members: dict[str, bytes]) -> None:
        members["entries/000000999999"] = members.pop(f"entries/{place(pack, 'WagerSettled')}")

    def added(members: dict[str, bytes]) -> None:
        members["facts.jsonl"] += members["facts.jsonl"].splitlines(keepends=True)[0]

    for change in (reordered, cut, renamed, added):
        refused(changed(pack, change), key)
        refused(changed(pack, change, strip=True), key)


def test_a_member_that_nobody_listed_is_refused(pack: bytes, key: str) -> None:
    members = dict(members_of(pack))
    members["zz"] = b"surprise"
    refused(zip_of(members), key, "SHA256SUMS")
    del members["zz"], members["README.txt"]
    refused(zip_of(members), key, "SHA256SUMS")


def _forged(pack: bytes, note: bytes) -> bytes:
    old = members_of(pack)["checkpoint"]
    return changed(
        pack,
        lambda members: members.update(
            {name: body.replace(old, note) for name, body in members.items() if old in body}
        ),
        strip=True,
    )


def test_a_forged_checkpoint_is_refused(pack: bytes, key: str) -> None:
    manifest = json.loads(members_of(pack)["manifest.json"])
    right = Checkpoint("test.example/floor", manifest["tree_size"], bytes.fromhex(manifest["root"]))
    refused(_forged(pack, right.signed(OTHER)), key, "0 signatures")
    own = f"{DASH}{right.origin} ".encode()
    note = members_of(pack)["checkpoint"]
    for other in (note.replace(b"\n41\n", b"\n42\n"), note.replace(own, own[:-1] + b"x ")):
        if other != note:
            refused(_forged(pack, other), key)


def test_a_pack_of_another_key_is_refused_though_it_agrees_with_itself(
    pack: bytes, key: str
) -> None:
    """A forger signs everything with a key of his own, and names it."""
    manifest = json.loads(members_of(pack)["manifest.json"])
    note = Checkpoint(OTHER.name, manifest["tree_size"], bytes.fromhex(manifest["root"])).signed(
        OTHER
    )
    rename = in_json("manifest.json", lambda document: document.update(key=str(OTHER.verifier)))
    forged = changed(_forged(pack, note), rename, strip=True)
    assert judged(forged, None)[0] == 1
    refused(forged, key, "no chain of keys")


def test_a_second_signature_line_with_the_same_key_id_is_refused(pack: bytes, key: str) -> None:
    note = members_of(pack)["checkpoint"]
    line = note.rpartition(b"\n\n")[2]
    number = OTHER.verifier.key_id
    own = members_of(pack)["signature"].rpartition(b"\n\n")[2]
    refused(_forged(pack, note + line), key, "2 signatures")
    false = f"{DASH}{OTHER.name} {to_base64(key_id_of(line) + bytes(64))}\n".encode()
    refused(_forged(pack, note + false), key, "2 signatures")
    members = dict(members_of(pack))
    members["signature"] += own
    refused(closed(members), key)
    assert number != key_id_of(line)


def key_id_of(line: bytes) -> bytes:
    from base64 import b64decode

    return b64decode(line.split()[2])[:4]


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/passwd",
        "a/../../b",
        "a\\b",
        "C:evil",
        ".hidden",
        "a//b",
        "a/b/c/d",
        "é",
        "a\0b",
        "",
    ],
)
def test_a_path_that_climbs_out_is_refused(pack: bytes, key: str, name: str) -> None:
    raw, length = bytearray(pack), len(name.encode())
    first = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, 0, 0, 0, length, 0)
    refused(b"PK\3\4" + first + name.encode() + bytes(raw), key, "name that is not allowed")


def test_a_zip_of_any_other_form_is_refused(pack: bytes, key: str) -> None:
    members = members_of(pack)

    def written(**options: object) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", **options) as archive:  # type: ignore[call-overload]
            for name, body in members.items():
                archive.writestr(name, body)
            archive.comment = b"hello" if not options else b""
        return out.getvalue()

    refused(written(), key)
    refused(written(compression=zipfile.ZIP_DEFLATED), key)
    refused(pack + b"\0", key, "not the zip")
    refused(b"\0" + pack, key, "not the zip")
    refused(pack[:-2] + b"\x05\x00hello", key, "not the zip")
    refused(b"", key)
    refused(pack[: len(pack) // 2], key)


def test_members_that_stand_twice_or_out_of_order_are_refused(pack: bytes, key: str) -> None:
    end = pack.index(b"PK\3\4", 4)
    refused(pack[:end] + pack, key, "twice, or out of order")


def test_a_zip_bomb_is_refused_before_it_is_read(key: str) -> None:
    huge = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, 0, 100, 0xFFFFFFFF, 1, 0) + b"a"
    refused(b"PK\3\4" + huge, key, "larger than the file")
    refused(bytes(FILE_BYTES + 1), key, "larger than a pack")
    zip64 = struct.pack("<HHHHHIIIHH", 45, 0, 0, 0, 33, 0, 0xFFFFFFFF, 0xFFFFFFFF, 1, 20) + b"a"
    refused(b"PK\3\4" + zip64 + bytes(20), key, "larger than the file")


def _figure(number: int, **fields: object) -> Change:
    return in_json("derivation.json", lambda document: document["figures"][number].update(fields))


def test_figures_that_do_not_follow_are_refused(pack: bytes, key: str) -> None:
    figures = json.loads(members_of(pack)["derivation.json"])["figures"]
    for number, figure in enumerate(figures):
        if figure["cents"] is None or figure["how"] == "stated":
            continue
        wrong = _figure(number, cents=figure["cents"] + 1)
        refused(changed(pack, wrong, strip=True), key, "does not come to|not those derived")
        refused(changed(pack, wrong), key, "another pack's signature")


def test_a_figure_that_names_another_amount_of_a_fact_is_refused(pack: bytes, key: str) -> None:
    def lie(document: dict[str, list[dict[str, list[list[object]]]]]) -> None:
        stake = next(figure for figure in document["figures"] if figure["how"] == "facts")
        stake["of"][0][2] = 1

    refused(changed(pack, in_json("derivation.json", lie), strip=True), key, "does not say")


def test_odds_that_stand_in_no_row_are_refused(pack: bytes, key: str) -> None:
    other = in_json("law.json", lambda document: document.update(odds=[]))
    refused(changed(pack, other, strip=True), key, "stand in no row")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'value="5000"', b'value="6000"'),
        (b">$50.00</data>", b">$60.00</data>"),
        (b"<h2", b"<p>You are owed $123.45.</p><h2"),
        (b"<h2", b"<ScRipt>alert(1)</ScRipt><h2"),
    ],
)
def test_a_report_that_says_otherwise_is_refused(
    pack: bytes, key: str, old: bytes, new: bytes
) -> None:
    def lie(members: dict[str, bytes]) -> None:
        assert old in members["report.html"]
        members["report.html"] = members["report.html"].replace(old, new, 1)

    refused(changed(pack, lie, strip=True), key, "report")


@pytest.mark.parametrize(
    "document",
    [
        "",
        "[]",
        "{",
        "null",
        "1" * 5000,
        "[" * 100_000,
        '{"position": 1e999}',
        "\ud800",
        '{"a": NaN}',
    ],
)
def test_documents_that_are_no_documents_are_refused(pack: bytes, key: str, document: str) -> None:
    for name in ("manifest.json", "derivation.json", "law.json", "keys.json", "facts.jsonl"):
        members = dict(members_of(pack))
        members[name] = document.encode("utf-8", "surrogatepass")
        if name != "manifest.json":
            members.pop("signature")
            refused_or_less(closed(members), key, name)
        else:
            refused(zip_of(members), key)


def refused_or_less(raw: bytes, key: str, name: str) -> None:
    """A chain of keys that nobody needs may be anything; all else is needed."""
    code, lines = judged(raw, key)
    assert code == 4 or (name == "keys.json" and code == 1), (name, lines)


def test_a_reason_shows_no_control_characters() -> None:
    code, lines = judged(
        b"PK\3\4" + struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, 0, 0, 0, 4, 0) + b"\x1b[2J", None
    )
    assert code == 4
    assert lines[-1].isprintable()
