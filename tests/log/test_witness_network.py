"""Witnesses on other machines: what they refuse, what a ledger does without them, who counts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ledger.kernel import IntegrityBroken
from ledger.log import (
    FileLog,
    LedgerLocked,
    Signer,
    WitnessesUnreachable,
    WitnessFolder,
    WitnessFolderWrong,
    WitnessInconsistent,
    WitnessNetwork,
    WitnessPolicyWrong,
    begin_witness,
    init,
    open_log,
    parse_policy,
    policy_of,
    read_log,
    rotate_key,
    verify,
    witnessed_of,
)
from ledger.log.checkpoint import Checkpoint
from ledger.log.cosignature import (
    Cosigner,
    CosignerKey,
    parse_cosigner,
    parse_cosigner_key,
    with_cosignatures,
)
from ledger.log.note import NoteBroken, parse_signer, strict_base64
from ledger.log.witness_network import network_of
from ledger.log.witness_protocol import AddCheckpoint, Answer, parse_add_checkpoint
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals

NORTH: Final = Cosigner("witness.example/north", bytes(range(1, 33)))
SOUTH: Final = Cosigner("witness.example/south", bytes(range(2, 34)))
SECONDS: Final = 1_679_315_147


class Property:
    """A ledger and two witnesses in folders of their own, joined without a network."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "ledger"
        self.clock = 0.0
        self.away: set[str] = set()
        self.asked: list[str] = []
        self.answers: Callable[[str, Answer], Answer] = lambda _, answer: answer
        init(self.folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
        self.witnesses: dict[str, WitnessFolder] = {}
        for name in ("north", "south"):
            begin_witness(folder / name, f"witness.example/{name}")
            self.witnesses[name] = WitnessFolder(folder / name)
            self.witnesses[name].trust(SIGNER.verifier)
        self.policy_text = "".join(
            f"witness {name} {witness.public} http://{name}\n"
            for name, witness in self.witnesses.items()
        )

    def network(self, quorum: str = "all", limit: int = 500) -> WitnessNetwork:
        text = f"{self.policy_text}group both {quorum} north south\nquorum both\n"
        return WitnessNetwork(
            parse_policy(text.encode(), "policy"), limit,
            transport=self.post, clock=lambda: self.clock,
        )  # fmt: skip

    def post(self, url: str, body: bytes) -> Answer:
        name = url.removeprefix("http://").removesuffix("/add-checkpoint")
        self.asked.append(name)
        if name in self.away:
            raise OSError(111, "Connection refused")
        return self.answers(name, self.witnesses[name].add_checkpoint(body, SECONDS))

    def open(self, network: WitnessNetwork | None = None) -> FileLog:
        return open_log(self.folder, network=network or self.network())


@pytest.fixture
def site(tmp_path: Path) -> Property:
    return Property(tmp_path)


# ---------------------------------------------------------------- cosignatures


def test_a_cosignature_is_what_the_specification_says() -> None:
    """Each byte put together here from c2sp.org/tlog-cosignature, without the code under test."""
    text = f"{ORIGIN}\n3\n{'A' * 43}=\n"
    line = NORTH.line(text, SECONDS)
    name, body = line.removeprefix("— ").removesuffix("\n").split(" ")
    raw = strict_base64(body)
    public = NORTH.public.public
    assert name == "witness.example/north"
    assert raw[:4] == sha256(name.encode() + b"\n\x04" + public).digest()[:4]
    assert raw[4:12] == SECONDS.to_bytes(8, "big")
    message = f"cosignature/v1\ntime {SECONDS}\n{text}".encode()
    Ed25519PublicKey.from_public_bytes(public).verify(raw[12:], message)
    assert NORTH.public.cosigned_at(f"{text}\n{line}".encode()) == SECONDS


def test_keys_read_back_and_are_no_keys_of_ledgers() -> None:
    assert parse_cosigner(NORTH.secret_text()) == NORTH
    assert parse_cosigner_key(str(NORTH.public)) == NORTH.public
    with pytest.raises(NoteBroken):
        parse_cosigner_key(str(SIGNER.verifier))
    with pytest.raises(NoteBroken):
        parse_signer(NORTH.secret_text())
    with pytest.raises(NoteBroken, match="hash"):
        parse_cosigner_key(str(NORTH.public).replace("north", "south"))


@pytest.mark.parametrize("spoiled", ["time", "signature", "short", "far future", "name"])
def test_a_line_that_does_not_hold_counts_for_nothing_and_spoils_nothing(spoiled: str) -> None:
    note = Checkpoint(ORIGIN, 3, bytes(32)).signed(SIGNER)
    text = note.partition(b"\n\n")[0].decode() + "\n"
    good = NORTH.line(text, SECONDS)
    raw = bytearray(strict_base64(good.split(" ")[-1].strip()))
    if spoiled == "time":
        raw[11] ^= 1
    elif spoiled == "signature":
        raw[-1] ^= 1
    elif spoiled == "short":
        del raw[-1]
    elif spoiled == "far future":
        raw[4] = 0xFF
    from base64 import b64encode

    who = "witness.example/nord" if spoiled == "name" else NORTH.name
    bad = f"— {who} {b64encode(raw).decode()}\n"
    assert with_cosignatures(note, bad, NORTH.public) is None
    assert NORTH.public.cosigned_at(note + bad.encode()) is None
    assert NORTH.public.cosigned_at(note + bad.encode() + good.encode()) == SECONDS


def test_a_later_cosignature_takes_the_place_of_the_earlier() -> None:
    note = Checkpoint(ORIGIN, 3, bytes(32)).signed(SIGNER)
    text = note.partition(b"\n\n")[0].decode() + "\n"
    for time in (SECONDS, SECONDS + 5):
        for witness in (NORTH, SOUTH):
            cosigned = with_cosignatures(note, witness.line(text, time), witness.public)
            assert cosigned is not None
            note = cosigned
    assert note.count("—".encode()) == 3
    assert NORTH.public.cosigned_at(note) == SOUTH.public.cosigned_at(note) == SECONDS + 5


# ---------------------------------------------------------------- the policy


def keys(count: int) -> list[CosignerKey]:
    return [Cosigner(f"w/{number}", bytes([number] * 32)).public for number in range(1, count + 1)]


def test_the_example_of_the_specification() -> None:
    """c2sp.org/tlog-policy, "Example policy": two of three X witnesses, and one of three Y."""
    names = ["X1", "X2", "X3", "Y1", "Y2", "Y3"]
    text = f"log {SIGNER.verifier}\n\n" + "".join(
        f" witness\t{name} {key}\n" for name, key in zip(names, keys(6), strict=True)
    )
    text += "group X-witnesses 2 X1 X2 X3\ngroup Y-witnesses any Y1 Y2 Y3\n"
    policy = parse_policy(
        f"{text}  # both\ngroup X-and-Y all X-witnesses Y-witnesses\nquorum X-and-Y\n".encode(), "p"
    )
    assert policy.logs == (SIGNER.verifier,)
    assert policy.is_quorum({"X1", "X3", "Y2"})
    assert policy.is_quorum(set(names))
    assert not policy.is_quorum({"X1", "X2", "X3"})
    assert not policy.is_quorum({"X1", "Y1", "Y2", "Y3"})
    assert not policy.is_quorum(set())
    assert parse_policy(b"quorum none\n", "p").is_quorum(set())


A, B = keys(2)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", None),
        ("quorum none\x01\n", None),
        (f"witness a {A}\n", None),
        ("quorum a\n", 1),
        ("quorum none\nquorum none\n", 2),
        (f"witness none {A}\n", 1),
        (f"witness a {A}\nwitness a {B}\n", 2),
        (f"witness a {A}\nwitness b {A}\n", 2),
        (f"witness a {SIGNER.verifier}\n", 1),
        (f"witness a {A} ftp://a\n", 1),
        (f"witness a {A} http://a more\n", 1),
        (f"log {A}\n", 1),
        (f"log {SIGNER.verifier}\nlog {SIGNER.verifier}\n", 2),
        (f"witness a {A}\ngroup g 2 a\n", 2),
        (f"witness a {A}\ngroup g 0 a\n", 2),
        (f"witness a {A}\ngroup g ² a\n", 2),
        (f"witness a {A}\ngroup g any\n", 2),
        (f"witness a {A}\ngroup g any b\n", 2),
        (f"witness a {A}\ngroup g any a a\n", 2),
        (f"witness a {A}\ngroup g any a\ngroup h any a\n", 3),
        (f"witness a {A}\ngroup a any a\n", 2),
        ("anything else\n", 1),
    ],
)
def test_a_line_that_is_no_policy_is_named(text: str, line: int | None) -> None:
    with pytest.raises(WitnessPolicyWrong) as refusal:
        parse_policy(text.encode(), "the file")
    assert refusal.value.where == ("the file" if line is None else f"the file, line {line}")


def test_a_policy_lies_beside_the_ledger_or_where_it_is_named(
    site: Property, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert policy_of(site.folder) is None
    (tmp_path / "ledger.witnesses").write_text(f"witness a {A}\nquorum a\n")
    beside = policy_of(site.folder)
    assert beside is not None
    assert [witness.name for witness in beside.witnesses] == ["a"]
    monkeypatch.setenv("PITLEDGER_WITNESSES", str(tmp_path / "missing"))
    with pytest.raises(WitnessPolicyWrong):
        open_log(site.folder)
    monkeypatch.delenv("PITLEDGER_WITNESSES")
    monkeypatch.setenv("PITLEDGER_UNWITNESSED_ENTRIES", "many")
    with pytest.raises(WitnessPolicyWrong, match="no number of entries"):
        network_of(read_log(site.folder).storage)


# ---------------------------------------------------------------- a witness


def request(site: Property, old: int | None = None, note: bytes | None = None) -> AddCheckpoint:
    log = read_log(site.folder)
    size = 0 if old is None else old
    proof = log.consistency(size) if 0 < size < log.size else []
    return AddCheckpoint(size, tuple(proof), log.note if note is None else note)


def test_a_witness_cosigns_what_continues_and_nothing_else(site: Property) -> None:
    north = site.witnesses["north"]
    with open_log(site.folder) as log:
        log.append(arrivals(1, 10), TIME)
        first = request(site).body()
        other = Signer("other.example/pit", bytes(32))
        stranger = Checkpoint(ORIGIN, 12, bytes(32)).signed(Signer(ORIGIN, bytes(32)))
        unknown = Checkpoint(other.name, 12, bytes(32)).signed(other)
        assert north.add_checkpoint(request(site, note=unknown).body(), SECONDS).status == 404
        assert north.add_checkpoint(request(site, note=stranger).body(), SECONDS).status == 403
        assert north.add_checkpoint(first, SECONDS).status == 200
        assert north.add_checkpoint(first, SECONDS) == Answer(409, "text/x.tlog.size", b"12\n")
        same = request(site, 12)
        assert north.add_checkpoint(same.body(), SECONDS + 1).status == 200
        forked = Checkpoint(ORIGIN, 12, bytes(32)).signed(SIGNER)
        assert north.add_checkpoint(request(site, 12, forked).body(), SECONDS).status == 409
        log.append(arrivals(11, 400), TIME)
        good = request(site, 12)
        assert good.proof
        cut = AddCheckpoint(12, good.proof[:-1], good.note)
        turned = AddCheckpoint(12, good.proof[::-1], good.note)
        forged = AddCheckpoint(12, good.proof, Checkpoint(ORIGIN, 402, bytes(32)).signed(SIGNER))
        for bad in (cut, turned, forged):
            assert north.add_checkpoint(bad.body(), SECONDS).status == 422
        beyond = AddCheckpoint(403, (), good.note)
        assert north.add_checkpoint(beyond.body(), SECONDS).status == 400
        answer = north.add_checkpoint(good.body(), SECONDS + 2)
        assert answer.status == 200
    (row,) = WitnessFolder(north.folder).logs()
    assert (row.origin, row.size, row.cosigned_at) == (ORIGIN, 402, SECONDS + 2)
    kept = north.checkpoint(sha256(ORIGIN.encode()).hexdigest())
    assert kept == read_log(site.folder).note + answer.body
    assert verify(site.folder, witness=_saved(site.folder.parent / "kept", kept)).problem is None


def _saved(path: Path, raw: bytes | None) -> Path:
    path.write_bytes(raw or b"")
    return path


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"old 0",
        b"old 0\n\n",
        b"old 00\n\nx\n\n",
        b"old -1\n\nx\n\n",
        b"old 1\nnot base64\n\nx\n\n",
        b"old 1\nAAAA\n\nx\n\n",
        b"old 1\n" + (b"A" * 43 + b"=\n") * 64 + b"\nx\n\n",
        "old ١\n\nx\n\n".encode(),
        b"\xff\n\nx\n\n",
        b"old 0\n\n" + b"a" * 1_000_000,
    ],
)
def test_what_is_no_request_is_refused(site: Property, body: bytes) -> None:
    assert site.witnesses["north"].add_checkpoint(body, SECONDS).status == 400


def test_a_request_reads_back(site: Property) -> None:
    sent = AddCheckpoint(7, (bytes(32), bytes(range(32))), read_log(site.folder).note)
    assert parse_add_checkpoint(sent.body()) == sent


def test_requests_at_once_never_roll_a_witness_back(site: Property) -> None:
    north, bodies = site.witnesses["north"], []
    with open_log(site.folder) as log:
        for last in range(10, 200, 10):
            log.append(arrivals(last - 9, last), TIME)
            bodies.append((log.size, request(site).body()))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda sized: north.add_checkpoint(sized[1], SECONDS), bodies * 3))
    assert [answer.status for answer in answers].count(200) == 1
    (row,) = north.logs()
    cosigned = next(i for i, answer in enumerate(answers) if answer.status == 200)
    assert row.size == bodies[cosigned % len(bodies)][0]


@pytest.mark.parametrize("spoil", ["cut", "another", "uncosigned", "keys"])
def test_a_witness_whose_folder_was_changed_signs_no_more(site: Property, spoil: str) -> None:
    site.open().close()
    north = site.witnesses["north"]
    place = north.folder / "logs" / sha256(ORIGIN.encode()).hexdigest()
    checkpoint = place / "checkpoint"
    if spoil == "cut":
        checkpoint.write_bytes(checkpoint.read_bytes()[:-9])
    elif spoil == "another":
        checkpoint.write_bytes(Checkpoint(ORIGIN, 1, bytes(32)).signed(SIGNER))
    elif spoil == "uncosigned":
        checkpoint.write_bytes(read_log(site.folder).note.rsplit("—".encode(), 2)[0])
    else:
        (place / "keys").write_text("nothing\n")
    with pytest.raises(WitnessFolderWrong):
        north.add_checkpoint(request(site, 1).body(), SECONDS)


def test_a_witness_is_begun_once_and_served_by_one(site: Property, tmp_path: Path) -> None:
    with pytest.raises(WitnessFolderWrong, match="already"):
        begin_witness(tmp_path / "north", "witness.example/north")
    with pytest.raises(WitnessFolderWrong, match="no witness"):
        WitnessFolder(tmp_path)
    with pytest.raises(WitnessFolderWrong, match="no space"):
        begin_witness(tmp_path / "new", "two words")
    assert (tmp_path / "north" / "key").stat().st_mode & 0o077 == 0
    north = WitnessFolder(tmp_path / "north")
    north.storage.lock()
    with pytest.raises(LedgerLocked):
        WitnessFolder(tmp_path / "north").storage.lock()
    north.trust(SIGNER.verifier)  # a ledger can be added while it is served


# ---------------------------------------------------------------- a ledger with witnesses


def test_each_checkpoint_is_cosigned_and_a_quorum_can_be_asked_for(site: Property) -> None:
    network = site.network()
    with site.open(network) as log:
        for last in (10, 600, 601):
            log.append(arrivals(1, last), TIME)
            witnessed = log.witnessed()
            assert witnessed is not None
            assert (witnessed.cosigned, witnessed.entries) == (("north", "south"), 0)
            assert read_log(site.folder).note.count("—".encode()) == 3
    verification = verify(site.folder, policy=network.policy, quorum=2)
    assert (verification.problem, verification.cosigned) == (None, ("north", "south"))
    assert verification.remarks == ()
    few = verify(site.folder, policy=network.policy, quorum=3)
    assert (few.problem, few.too_few) == (None, "2 witnesses cosigned the checkpoint; 3 required")
    assert verify(site.folder, quorum=1).too_few is not None
    assert (site.folder / "witnessed").read_bytes() == (site.folder / "checkpoint").read_bytes()


def test_lines_that_anybody_adds_are_no_quorum(site: Property) -> None:
    with open_log(site.folder) as log:
        log.append(arrivals(1, 10), TIME)
    text = read_log(site.folder).note.partition(b"\n\n")[0].decode() + "\n"
    twin = Cosigner("witness.example/north", bytes(32))
    with (site.folder / "checkpoint").open("a") as file:
        file.write(twin.line(text, SECONDS) * 2)
    assert "0 witnesses cosigned" in (
        verify(site.folder, policy=site.network().policy, quorum=1).too_few or ""
    )


def test_a_restored_older_ledger_is_refused_before_anything_is_written(
    site: Property, tmp_path: Path
) -> None:
    with site.open() as log:
        log.append(arrivals(1, 300), TIME)
        old = shutil.copytree(site.folder, tmp_path / "old")
        log.append(arrivals(301, 700), TIME)
    shutil.rmtree(site.folder)
    shutil.copytree(old, site.folder)
    before = {path: path.read_bytes() for path in site.folder.rglob("*") if path.is_file()}
    with pytest.raises(WitnessInconsistent, match="saw 702 entries, the ledger has 302"):
        site.open()
    assert {path: path.read_bytes() for path in site.folder.rglob("*") if path.is_file()} == before


def test_a_ledger_begun_again_under_its_own_key_is_refused(site: Property) -> None:
    with site.open() as log:
        log.append(arrivals(1, 300), TIME)
    shutil.rmtree(site.folder)
    init(site.folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    with open_log(site.folder) as log:
        log.append(arrivals(2, 400), TIME)
    with pytest.raises(WitnessInconsistent, match="not those that north saw"):
        site.open()


def test_a_witness_that_saw_another_root_at_the_same_size_is_heard(site: Property) -> None:
    with site.open() as log:
        log.append(arrivals(1, 300), TIME)
    shutil.rmtree(site.folder)
    init(site.folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    with open_log(site.folder) as log:
        log.append(arrivals(2, 301), TIME)
    with pytest.raises(WitnessInconsistent, match="another root of its 302 entries"):
        site.open()


def test_what_the_ledger_keeps_as_witnessed_must_be_its_own_past(
    site: Property, tmp_path: Path
) -> None:
    """Every witness is away, and the folder was put back from an older copy, but for one file."""
    with site.open() as log:
        log.append(arrivals(1, 300), TIME)
        old = shutil.copytree(site.folder, tmp_path / "old")
        log.append(arrivals(301, 700), TIME)
    shutil.copy(site.folder / "witnessed", old / "witnessed")
    site.away = {"north", "south"}
    with pytest.raises(WitnessInconsistent, match="saw 702"):
        open_log(old, network=site.network())
    assert "saw 702" in (verify(old, policy=site.network().policy).problem or "")


def test_without_witnesses_a_ledger_goes_on_for_so_many_entries(site: Property) -> None:
    network = site.network(limit=500)
    with site.open(network) as log:
        log.append(arrivals(1, 10), TIME)
        site.away = {"south"}
        site.clock = 100
        log.append(arrivals(11, 400), TIME)
        witnessed = log.witnessed()
        assert witnessed is not None
        assert (witnessed.cosigned, witnessed.is_quorum, witnessed.entries) == (
            ("north",),
            False,
            390,
        )
        assert witnessed.silent == (("south", "does not answer (Connection refused)"),)
        log.append(arrivals(401, 600), TIME)
        size = log.size
        with pytest.raises(WitnessesUnreachable, match="590 entries are not witnessed; 500 are"):
            log.append(arrivals(601, 700), TIME)
        assert (log.size, read_log(site.folder).size) == (size, size)
        with pytest.raises(WitnessesUnreachable):
            log.append_whole(arrivals(601, 700), TIME)
        site.away = set()
        log.append(arrivals(601, 700), TIME)
        assert log.witnessed() == network.status(log.size)
        assert (network.status(log.size).entries, log.size) == (0, 702)
    remarks = verify(site.folder, policy=network.policy, quorum=2).remarks
    assert remarks == ()


def test_one_of_two_is_enough_where_the_policy_says_so(site: Property) -> None:
    network = site.network("any", limit=0)
    site.away = {"north"}
    with site.open(network) as log:
        log.append(arrivals(1, 10), TIME)
        witnessed = log.witnessed()
    assert witnessed is not None
    assert (witnessed.is_quorum, witnessed.entries) == (True, 0)
    site.away = {"north", "south"}
    with site.open(site.network("any", limit=0)) as log:
        log.append(arrivals(11, 20), TIME)
        with pytest.raises(WitnessesUnreachable):
            log.append(arrivals(21, 30), TIME)


def test_a_silent_witness_is_left_alone_for_a_while(site: Property) -> None:
    site.away = {"north"}
    with site.open() as log:
        for last in (10, 20, 30):
            log.append(arrivals(last - 9, last), TIME)
        assert site.asked.count("north") == 1
        site.clock = 31
        log.append(arrivals(31, 40), TIME)
        assert site.asked.count("north") == 2
        assert site.asked.count("south") == 5


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(200, "text/plain", b""), "no signature of its key"),
        (Answer(200, "text/plain", b"\xff\xfe\n" * 1_000), "no signature of its key"),
        (Answer(500, "text/html", b"<html>"), "answers 500"),
        (Answer(302, "text/html", b""), "answers 302"),
        (Answer(404, "text/plain", b""), "does not know this ledger"),
        (Answer(403, "text/plain", b""), "does not know the key"),
        (Answer(409, "text/x.tlog.size", b"many\n"), "answers 409"),
        (Answer(409, "text/x.tlog.size", b"9" * 30), "answers 409"),
    ],
)
def test_an_answer_that_is_none_makes_a_witness_silent(
    site: Property, answer: Answer, reason: str
) -> None:
    site.answers = lambda name, true: answer if name == "north" else true
    with site.open() as log:
        log.append(arrivals(1, 10), TIME)
        witnessed = log.witnessed()
    assert witnessed is not None
    assert witnessed.cosigned == ("south",)
    assert reason in dict(witnessed.silent)["north"]


def test_a_reader_learns_what_was_witnessed_without_asking(site: Property) -> None:
    network = site.network()
    with site.open(network) as log:
        log.append(arrivals(1, 10), TIME)
    (site.folder.parent / "ledger.witnesses").write_text(
        site.policy_text + "group both all north south\nquorum both\n"
    )
    asked = len(site.asked)
    witnessed = witnessed_of(read_log(site.folder))
    assert witnessed is not None
    assert (witnessed.cosigned, witnessed.entries, len(site.asked)) == (
        ("north", "south"),
        0,
        asked,
    )


def test_after_a_rotation_a_witness_waits_to_be_told_the_new_key(
    site: Property, tmp_path: Path
) -> None:
    with site.open() as log:
        log.append(arrivals(1, 10), TIME)
    change = rotate_key(site.folder, tmp_path / "handover", record_time=TIME)
    with site.open() as log:
        log.append(arrivals(11, 20), TIME)
        witnessed = log.witnessed()
        assert witnessed is not None
        assert witnessed.cosigned == ()
        assert "does not know the key" in dict(witnessed.silent)["north"]
        for witness in site.witnesses.values():
            witness.trust(change.new)
        site.clock = 100
        log.append(arrivals(21, 30), TIME)
        witnessed = log.witnessed()
    assert witnessed is not None
    assert (witnessed.cosigned, witnessed.entries) == (("north", "south"), 0)
    policy = parse_policy(
        (site.policy_text + f"log {SIGNER.verifier}\nquorum north\n").encode(), "p"
    )
    assert "none of those" in (verify(site.folder, policy=policy).problem or "")


def test_a_writer_that_dies_before_the_cosignature_is_witnessed_next_time(site: Property) -> None:
    def stop(point: str) -> None:
        if point == "signed":
            raise IntegrityBroken("stopped")

    with (
        open_log(site.folder, network=site.network(), at_point=stop) as log,
        pytest.raises(IntegrityBroken),
    ):
        log.append(arrivals(1, 10), TIME)
    assert read_log(site.folder).size == 12
    with site.open() as log:
        witnessed = log.witnessed()
    assert witnessed is not None
    assert (witnessed.cosigned, witnessed.entries) == (("north", "south"), 0)
