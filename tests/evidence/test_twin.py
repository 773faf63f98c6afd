"""A twin proves the same root as its pack, and tells nobody whom it hides."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ledger.cli import main
from ledger.codec import frame
from ledger.events import WagerPlaced
from ledger.evidence.verify import judged, members_of
from ledger.log import read_log
from ledger.log.entry import decode, encode
from ledger.log.merkle import leaf_hash
from ledger.log.openings import commitment
from ledger.log.port import Accepted
from tests.cli import given
from tests.evidence import personal_day as people
from tests.evidence.packs import changed, in_json, ledger_of, pack_of, verify_alone
from tests.evidence.test_verify_attacks import refused

COMMITMENT = re.compile(rb"\x42\xff(.{32})", re.DOTALL)
"""A sealed string in an entry: its length, the mark, the hash."""


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return people.sealed_ledger(tmp_path_factory.mktemp("sealed") / "s", people.day())


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ledger_of(tmp_path_factory.mktemp("plain") / "u", people.day())


@pytest.fixture(scope="module")
def full(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return pack_of(sealed, given.ROUND, tmp_path_factory.mktemp("full") / "full.zip")


@pytest.fixture(scope="module")
def twin(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return twin_of(sealed, tmp_path_factory.mktemp("twin"))


@pytest.fixture(scope="module")
def key(sealed: Path) -> str:
    return str(read_log(sealed).verifier)


def twin_of(ledger: Path, folder: Path, kinds: str = "all", round_: str = given.ROUND) -> bytes:
    return pack_of(ledger, round_, folder / f"{kinds}-{round_}.zip", "--redact", kinds)


def document(pack: bytes, name: str) -> Any:
    return json.loads(members_of(pack)[name])


# ------------------------------------------------------------------ what it shows


@pytest.mark.parametrize("round_", [given.ROUND, given.WHEEL_ROUND])
@pytest.mark.parametrize("kind", ["sealed", "plain"])
def test_nothing_hidden_stands_in_any_member(
    kind: str, round_: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    ledger = request.getfixturevalue(kind)
    whole = people.everything_said(pack_of(ledger, round_, tmp_path / "full.zip"))
    hidden = people.everything_said(twin_of(ledger, tmp_path, round_=round_))
    if round_ == given.ROUND:
        assert all(text in whole for text in people.PERSONAL)
    assert [text for text in people.PERSONAL if text.lower() in hidden.lower()] == []


def test_it_leads_to_the_same_root_as_the_full_pack(full: bytes, twin: bytes, key: str) -> None:
    whole, hidden = members_of(full), members_of(twin)
    assert whole["checkpoint"] == hidden["checkpoint"]
    same = [name for name in whole if name.startswith(("entries/", "proofs/", "schemas/"))]
    assert {name: whole[name] for name in same} == {name: hidden[name] for name in same}
    assert judged(twin, key)[0] == judged(full, key)[0] == 0


def test_a_twin_of_an_unsealed_ledger_shows_a_hash_and_says_so(plain: Path, tmp_path: Path) -> None:
    raw, whole = twin_of(plain, tmp_path), pack_of(plain, given.ROUND, tmp_path / "full.zip")
    items = document(raw, "manifest.json")["facts"]
    assert {item["shown"] for item in items} == {False}
    assert [item["leaf"] for item in items] == [
        item["leaf"] for item in document(whole, "manifest.json")["facts"]
    ]
    code, lines = judged(raw, str(read_log(plain).verifier))
    assert code == 0
    for item in items:
        assert f"{item['fact']} is a hash only" in lines
    for name in ("report.html", "README.txt"):
        assert "shown as a hash only" in members_of(raw)[name].decode()
        assert "try out references" in members_of(raw)[name].decode()


def test_only_the_kinds_that_are_named_are_hidden(
    plain: Path, sealed: Path, tmp_path: Path
) -> None:
    for ledger in (plain, sealed):
        said = people.everything_said(twin_of(ledger, tmp_path, "patrons,text"))
        assert not [text for text in (*people.PATRONS, people.TEXT) if text in said]
        assert all(text in said for text in people.STAFF)
        (tmp_path / f"patrons,text-{given.ROUND}.zip").unlink()


def test_a_text_that_names_whom_it_hides_is_hidden_with_him(sealed: Path, tmp_path: Path) -> None:
    assert people.PATRONS[0] in people.TEXT
    said = people.everything_said(twin_of(sealed, tmp_path, "patrons"))
    assert people.TEXT not in said
    assert people.PATRONS[0] not in said


def test_labels_stand_for_one_reference_and_say_that_they_prove_nothing(twin: bytes) -> None:
    derivation, page = document(twin, "derivation.json"), members_of(twin)["report.html"].decode()
    labels = derivation["unproven_labels"]
    assert "SB-01:8 patron" in labels["Patron A"] or "SB-01:8 patron" in labels["Patron B"]
    assert "by Patron " in page
    assert "nothing proves that" in page
    assert page.count("Patron ") > 2


def test_the_same_twin_has_the_same_bytes(sealed: Path, twin: bytes, tmp_path: Path) -> None:
    assert twin_of(sealed, tmp_path) == twin


def test_it_verifies_alone(sealed: Path, key: str, tmp_path: Path) -> None:
    twin_of(sealed, tmp_path)
    done = verify_alone(tmp_path / f"all-{given.ROUND}.zip", "--key", key)
    assert (done.returncode, done.stderr) == (0, "")
    assert "SB-01:8 does not show patron: (withheld)" in done.stdout


def test_a_kind_that_there_is_not_is_refused(
    sealed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("pack", "--round", given.ROUND, "--out", str(tmp_path / "x"), "--ledger", str(sealed))
    for kinds in ("people", "", "patrons,", "all,patrons"):
        assert main([*words, "--redact", kinds]) == 2
        assert "pack_kind_unknown" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_stream_called_like_a_patron_is_no_twin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = [
        replace(each, patron="SB-01") if isinstance(each, WagerPlaced) else each  # type: ignore[type-var]
        for each in people.day()
    ]
    ledger = people.sealed_ledger(tmp_path / "s", facts)
    words = ("pack", "--round", given.ROUND, "--out", str(tmp_path / "x"), "--ledger", str(ledger))
    assert main([*words, "--redact", "all"]) == 2
    assert "pack_not_hidden" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


# ------------------------------------------------------------------ guessing


def test_no_hash_of_any_reference_stands_in_a_twin(twin: bytes) -> None:
    """Neither plain nor with the domain alone, in bytes, hexadecimal or base64."""
    from base64 import b64encode

    raw = b"".join(members_of(twin).values())
    domain = b"pitledger personal string v1\0"
    for reference in (*people.ROSTER, *people.STAFF):
        text = reference.encode()
        for said in (text, domain + text, domain + b"\0\x06patron" + text):
            digest = sha256(said).digest()
            assert digest not in raw
            assert digest.hex().encode() not in raw
            assert b64encode(digest)[:-1] not in raw


def test_the_whole_roster_tried_against_each_commitment_finds_nobody(
    full: bytes, twin: bytes
) -> None:
    """With every salt that the twin shows of others, and without one; the right one would do."""
    hashes = set(COMMITMENT.findall(b"".join(_entries(twin).values())))
    assert len(hashes) > 20
    shown = [bytes.fromhex(words[1]) for one in document(twin, "openings.json").values()
             for words in one.values() if len(words) == 2]  # fmt: skip
    for salt in (b"", bytes(32), *shown):
        for reference in people.ROSTER:
            assert commitment(salt, "patron", reference.encode()) not in hashes
    opening = next(
        one["patron"] for one in document(full, "openings.json").values() if "patron" in one
    )
    assert commitment(bytes.fromhex(opening[1]), "patron", opening[0].encode()) in hashes


def _entries(pack: bytes) -> dict[str, bytes]:
    return {name: body for name, body in members_of(pack).items() if name.startswith("entries/")}


def test_a_hash_of_an_unsealed_fact_can_be_guessed_as_its_page_warns(
    plain: Path, tmp_path: Path
) -> None:
    """Why a twin that must hide a patron needs a sealed ledger: said, not hidden."""
    item = next(
        each for each in document(twin_of(plain, tmp_path), "manifest.json")["facts"]
        if each["fact"] == "SB-01:8"
    )  # fmt: skip
    entry = decode(read_log(plain).raw(item["position"]))
    assert isinstance(entry, Accepted)
    wager = next(each for each in people.day() if (each.stream, each.seq) == ("SB-01", 8))
    assert isinstance(wager, WagerPlaced)
    guessed = [
        reference
        for reference in (*people.ROSTER[4_000:5_000], *people.STAFF)
        if leaf_hash(encode(replace(entry, framed=frame(replace(wager, patron=reference))))).hex()
        == item["leaf"]
    ]
    assert guessed == [people.PATRONS[0]]


def test_two_twins_share_no_bytes_about_a_patron(sealed: Path, tmp_path: Path) -> None:
    """The same patron in two facts, or in two ledgers, has neither salt nor hash in common."""
    other = people.sealed_ledger(tmp_path / "other", people.day())
    first, second = (
        _entries(twin_of(ledger, folder))
        for ledger, folder in ((sealed, tmp_path), (other, tmp_path / "other"))
    )
    hashes = [COMMITMENT.findall(entry) for entry in (*first.values(), *second.values())]
    every = list(itertools.chain.from_iterable(hashes))
    assert len(every) == len(set(every)) > 40
    wheel = _entries(twin_of(sealed, tmp_path, round_=given.WHEEL_ROUND))
    for name, entry in wheel.items():
        if name not in first:
            assert not set(COMMITMENT.findall(entry)) & set(every)


# ------------------------------------------------------------------ openings


Openings = dict[str, dict[str, list[str]]]


def _first(openings: Openings, path: str, count: int = 1) -> list[str]:
    return [place for place, own in openings.items() if len(own.get(path, ())) == 2][:count]


def _other_text(openings: Openings) -> None:
    (place,) = _first(openings, "patron")
    openings[place]["patron"][0] = "p-9999"


def _other_salt(openings: Openings) -> None:
    (place,) = _first(openings, "patron")
    salt = openings[place]["patron"][1]
    openings[place]["patron"][1] = salt[:-1] + ("0" if salt[-1] != "0" else "1")


def _short_salt(openings: Openings) -> None:
    (place,) = _first(openings, "patron")
    openings[place]["patron"][1] = ""


def _between_fields(openings: Openings) -> None:
    (place,) = _first(openings, "patron")
    own = openings[place]
    own["patron"], own["recorded_by"] = own["recorded_by"], own["patron"]


def _between_entries(openings: Openings) -> None:
    one, other = _first(openings, "recorded_by", 2)
    openings[one]["recorded_by"], openings[other]["recorded_by"] = (
        openings[other]["recorded_by"], openings[one]["recorded_by"],
    )  # fmt: skip


def _between_entries_of_one_patron(openings: Openings) -> None:
    one, other = _first(openings, "recorded_by", 2)
    openings[one]["recorded_by"] = openings[other]["recorded_by"]


def _left_out(openings: Openings) -> None:
    (place,) = _first(openings, "patron")
    del openings[place]["patron"]


def _of_no_string(openings: Openings) -> None:
    (place,) = _first(openings, "patron")
    openings[place]["stream"] = openings[place]["patron"]


def _of_no_entry(openings: Openings) -> None:
    openings["000000000000"] = {"patron": ["p-1", "00" * 32]}


def _other_words(openings: Openings) -> None:
    (place,) = _first(openings, "patron")
    openings[place]["patron"] = ["nobody"]


def _too_many(openings: Openings) -> None:
    (place,) = _first(openings, "patron")
    openings[place]["patron"].append("00")


LIES: tuple[Callable[[Openings], None], ...] = (
    _other_text, _other_salt, _short_salt, _between_fields, _between_entries,
    _between_entries_of_one_patron, _left_out, _of_no_string, _of_no_entry, _other_words, _too_many,
)  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_false_opening_is_refused(full: bytes, key: str, lie: Callable[[Openings], None]) -> None:
    lied = in_json("openings.json", lie)
    refused(changed(full, lied, strip=True), key)
    refused(changed(full, lied), key)


def test_openings_of_another_pack_are_refused(sealed: Path, full: bytes, tmp_path: Path) -> None:
    other = people.sealed_ledger(tmp_path / "other", people.day())
    theirs = members_of(pack_of(other, given.ROUND, tmp_path / "other.zip"))["openings.json"]
    assert json.loads(theirs).keys() == document(full, "openings.json").keys()
    lied = changed(full, lambda all_: all_.update({"openings.json": theirs}), strip=True)
    refused(lied, str(read_log(sealed).verifier), "is opened with another text")


def test_what_is_shown_must_be_closed_or_opened(full: bytes, twin: bytes, key: str) -> None:
    gone = changed(twin, lambda all_: all_.pop("openings.json") and None, strip=True)
    refused(gone, key)
    theirs = members_of(twin)["openings.json"]
    refused(changed(full, lambda all_: all_.update({"openings.json": theirs}), strip=True), key)


@pytest.mark.parametrize("kind", ["sealed", "plain"])
def test_a_fact_said_to_be_shown_or_hidden_wrongly_is_refused(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    ledger = request.getfixturevalue(kind)
    raw, number = twin_of(ledger, tmp_path), str(read_log(ledger).verifier)

    def turned(manifest: dict[str, list[dict[str, Any]]]) -> None:
        item = next(each for each in manifest["facts"] if each["fact"] == "SB-01:8")
        item["shown"] = not item["shown"]

    refused(changed(raw, in_json("manifest.json", turned), strip=True), number)


# ------------------------------------------------------------------ erased


def test_what_is_erased_afterwards_leaves_the_old_pack_as_it_was(tmp_path: Path) -> None:
    ledger = people.sealed_ledger(tmp_path / "s", people.day())
    key = str(read_log(ledger).verifier)
    before = pack_of(ledger, given.ROUND, tmp_path / "before.zip")
    assert main(["person", "forget", people.PATRONS[0], "--ledger", str(ledger)]) == 0
    after = pack_of(ledger, given.ROUND, tmp_path / "after.zip")
    assert judged(before, key)[0] == 0
    code, lines = judged(after, key)
    assert code == 0
    assert "SB-01:8 does not show patron: (erased)" in lines
    said = people.everything_said(after).replace(people.TEXT, "")  # under the other patron's key
    assert people.PATRONS[0] not in said
    assert people.PATRONS[1] in said
    assert "erased in the ledger" in members_of(after)["report.html"].decode()
    assert members_of(before)["checkpoint"] == members_of(after)["checkpoint"]
    twin = twin_of(ledger, tmp_path)
    assert judged(twin, key)[0] == 0
    assert "SB-01:8 does not show patron: (erased)" in judged(twin, key)[1]


def test_an_amendment_is_opened_inside(full: bytes, twin: bytes) -> None:
    for raw, patron in ((full, people.PATRONS[1]), (twin, "(withheld)")):
        lines = map(json.loads, members_of(raw)["facts.jsonl"].splitlines())
        amended = next(each for each in lines if each["event"] == "FactAmended")
        assert amended["replacement"]["event"] == "WagerPlaced"
        assert amended["replacement"]["patron"] == patron
