"""The archive in a bucket of a real S3 server: published once, read where it lies, each block proved."""

from __future__ import annotations

import json
import random
import shutil
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ledger.analytics import (
    ArchivedFile,
    ArchiveMissing,
    ArchiveOvertaken,
    ArchiveUnproved,
    ObjectStore,
    StoreAddressWrong,
    StoreBucketMissing,
    StoreDenied,
    StoredObjectAltered,
    StoreNotConditional,
    StoreUnreachable,
    archive_manifest,
    archive_sandbox,
    fetch_day,
    object_store,
    open_store,
    proved_days,
    publish_day,
    published_archive,
    published_numbers,
    query,
    read_manifest,
    run_archive_select,
    verify_archive,
    write_archive,
)
from ledger.analytics.archive_rows import SCHEMA
from ledger.analytics.published_archive import block_of
from ledger.kernel import LedgerError
from ledger.log import KeyMissing
from ledger.log.keys import new_signer
from ledger.log.signed_file_index import Seals
from ledger.replay import Replay
from tests.analytics import given
from tests.night import scene
from tests.s3_server import SECRET, S3Server

DAY, NEXT = scene.DAY, scene.DAY + timedelta(days=1)
COUNT = "SELECT count(*), count(DISTINCT stream) FROM facts"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny day; it is only read."""
    return scene.ledger(tmp_path_factory.mktemp("published") / "ledger")


@pytest.fixture(scope="module")
def folder(ledger: Path, replay: Replay, seals: Seals) -> Path:
    """Its day in a folder, sealed; it is only read."""
    place = ledger.parent / "archive"
    write_archive(replay, DAY, place, seals=seals)
    return place


@pytest.fixture(scope="module")
def seals(ledger: Path) -> Seals:
    return Seals.of(ledger)


@pytest.fixture(scope="module")
def replay(ledger: Path) -> Replay:
    return Replay.open(ledger)


@pytest.fixture
def other_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Clients of its own: they are kept by what they were told, not by their environment."""
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    yield monkeypatch
    fsspec.get_filesystem_class("s3").clear_instance_cache()


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sandbox's work is done in this process: starting one takes a second of the tests' time."""

    def ask(order: archive_sandbox.ArchiveOrder, *_: object) -> dict[str, object]:
        answer: dict[str, object] = json.loads(archive_sandbox.answered(order))
        return answer

    monkeypatch.setattr(query, "ask_sandbox", ask)


@pytest.fixture
def published(folder: Path, seals: Seals, replay: Replay, bucket: str) -> ObjectStore:
    """The first day in the test's own part of the bucket."""
    store = open_store(bucket)
    publish_day(folder, DAY, store, seals, replay.root_at)
    return store


Harm = Callable[[bytes], bytes | None]


def harmed(store: ObjectStore, name: str, harm: Harm) -> None:
    """Change an object as whoever may write into the bucket can: the service knows no difference."""
    path = f"{store.root}/{name}"
    after = harm(store.files.cat_file(path))
    if after is None:
        store.files.rm_file(path)
    else:
        store.files.pipe_file(path, after)


def test_a_day_is_published_once_and_read_in_place(
    ledger: Path,
    published: ObjectStore,
    folder: Path,
    seals: Seals,
    replay: Replay,
    tmp_path: Path,
) -> None:
    standing, is_new = publish_day(folder, DAY, published, seals, replay.root_at)
    assert (standing.number, is_new) == (1, False)
    assert published_numbers(published) == {DAY: 1}
    manifest = read_manifest(folder, DAY)
    asked = run_archive_select(published.address, COUNT, seals)
    assert asked.rows == ((manifest.rows, len(manifest.files)),)
    assert (asked.tree_size, asked.root) == (manifest.tree_size, manifest.root)
    (day,) = proved_days(published, seals, is_folder=False)
    fetch_day(published, day, tmp_path)
    assert verify_archive(ledger, DAY, tmp_path) is None


def test_a_folder_and_a_bucket_give_the_same_answer(
    published: ObjectStore, folder: Path, seals: Seals
) -> None:
    ask = (
        "SELECT stream, event, count(*), min(event_time), max(leaf_hash) FROM facts"
        f" WHERE gaming_day = DATE '{DAY}' AND stream = 'SB-01' GROUP BY ALL ORDER BY ALL"
    )
    there = run_archive_select(published.address, ask, seals)
    here = run_archive_select(str(folder), ask, seals)
    assert there.rows == here.rows != ()
    assert there.types == here.types


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM 's3://records/x.parquet'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT current_setting('s3_access_key_id'), getenv('AWS_SECRET_ACCESS_KEY')",
    ],
)
def test_a_query_reaches_nothing_but_the_archive(
    published: ObjectStore, seals: Seals, query: str
) -> None:
    with pytest.raises(LedgerError) as refused:
        run_archive_select(published.address, query, seals)
    assert refused.value.exit_code == 2
    assert SECRET not in str(refused.value)


@pytest.mark.usefixtures("here")
def test_a_later_state_is_a_further_manifest_and_an_earlier_one_stands_back(
    bucket: str, tmp_path: Path
) -> None:
    sent = scene.facts()
    late = next(fact for fact in reversed(sent) if fact.stream == "SB-01")
    mine = scene.ledger(tmp_path / "ledger", [fact for fact in sent if fact is not late])
    seals, store = Seals.of(mine), open_store(bucket)
    states = []
    for name, more in (("before", []), ("after", [late])):
        given.append(mine, more)
        replay = Replay.open(mine)
        write_archive(replay, DAY, tmp_path / name)
        states.append((tmp_path / name, replay))
    (before, old), (after, new) = states
    assert publish_day(before, DAY, store, seals, old.root_at)[0].number == 1
    assert publish_day(after, DAY, store, seals, new.root_at)[0].number == 2
    with pytest.raises(ArchiveOvertaken, match="this ledger has"):
        publish_day(before, DAY, store, seals, old.root_at)
    asked = run_archive_select(bucket, "SELECT count(*) FROM facts", seals)
    assert asked.rows == ((read_manifest(after, DAY).rows,),)


@pytest.mark.usefixtures("here")
def test_of_two_publishers_at_one_moment_one_gets_the_number(
    folder: Path, seals: Seals, replay: Replay, bucket: str, tmp_path: Path
) -> None:
    """The others find the winner's manifest standing; a forked ledger is refused, never mixed."""

    def publish(_: int) -> tuple[int, bool]:
        standing, is_new = publish_day(folder, DAY, open_store(bucket), seals, replay.root_at)
        return standing.number, is_new

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(publish, range(4)))
    assert sorted(outcomes) == [(1, False)] * 3 + [(1, True)]
    with pytest.raises(ArchiveOvertaken, match="does not continue"):
        publish_other(folder, seals, bucket, tmp_path)


def publish_other(folder: Path, seals: Seals, bucket: str, tmp_path: Path) -> None:
    """A ledger with the same key and another history."""
    shutil.copytree(folder, tmp_path / "fork")
    path = tmp_path / "fork" / f"gaming_day={DAY}" / "manifest.json"
    manifest = read_manifest(tmp_path / "fork", DAY)
    path.write_text(replace(manifest, files=manifest.files[1:]).text())
    publish_day(tmp_path / "fork", DAY, open_store(bucket), seals, lambda _: b"other")


@pytest.mark.usefixtures("here")
def test_a_publisher_killed_before_the_manifest_left_no_day(
    folder: Path, seals: Seals, replay: Replay, bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(bucket)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(published_archive, "_proved", killed)
        patched.setattr(ObjectStore, "create", dying(ObjectStore.create, after=4))
        with pytest.raises(KeyboardInterrupt):
            publish_day(folder, DAY, store, seals, replay.root_at)
    assert store.names("objects") != []
    assert proved_days(store, seals, is_folder=False) == []
    with pytest.raises(ArchiveMissing):
        run_archive_select(bucket, COUNT, seals)
    assert publish_day(folder, DAY, store, seals, replay.root_at)[1]
    assert run_archive_select(bucket, COUNT, seals).rows[0][0] == read_manifest(folder, DAY).rows


def dying(create: Callable[..., bool], after: int) -> Callable[..., bool]:
    """As ``create``, and the process is killed at one of the calls."""
    left = [after]

    def work(store: ObjectStore, name: str, content: bytes) -> bool:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return create(store, name, content)

    return work


def cut(raw: bytes) -> bytes:
    return raw[:-9]


def altered(raw: bytes) -> bytes:
    return bytes((*raw[: len(raw) // 2], raw[len(raw) // 2] ^ 1, *raw[len(raw) // 2 + 1 :]))


def emptied(raw: bytes) -> bytes:
    return b""


def exchanged(raw: bytes) -> bytes:
    """Another Parquet file of as many bytes, whole by itself."""
    return (b"PAR1" + raw[4:-8][::-1] + raw[-8:])[: len(raw)]


def removed(raw: bytes) -> None:
    return None


HARMS: tuple[Harm, ...] = (cut, altered, emptied, exchanged, removed)


@pytest.mark.parametrize("harm", HARMS, ids=lambda one: one.__name__)
@pytest.mark.usefixtures("here")
def test_an_object_that_is_another_gives_no_answer(
    published: ObjectStore, folder: Path, seals: Seals, tmp_path: Path, harm: Harm
) -> None:
    file = next(f for f in read_manifest(folder, DAY).files if f.stream == "SB-01")
    harmed(published, f"objects/{file.sha256}.parquet", harm)
    with pytest.raises(StoredObjectAltered, match=file.sha256):
        run_archive_select(published.address, "SELECT max(body) FROM facts", seals)
    (day,) = proved_days(published, seals, is_folder=False)
    with pytest.raises(StoredObjectAltered):
        fetch_day(published, day, tmp_path)
    unread = "SELECT max(body) FROM facts WHERE stream = 'DC-01'"  # that needs no proof
    assert run_archive_select(published.address, unread, seals).rows


def test_an_object_that_grew_is_not_fetched(
    published: ObjectStore, folder: Path, seals: Seals, tmp_path: Path
) -> None:
    name = f"objects/{read_manifest(folder, DAY).files[0].sha256}.parquet"
    harmed(published, name, lambda raw: raw + b"more")
    (day,) = proved_days(published, seals, is_folder=False)
    with pytest.raises(StoredObjectAltered, match="longer"):
        fetch_day(published, day, tmp_path)


def test_what_the_service_itself_finds_damaged_is_altered_too(
    s3: S3Server, published: ObjectStore, folder: Path
) -> None:
    """A rotten disk below the service: its own checksum differs, and the library refuses."""
    name = f"objects/{read_manifest(folder, DAY).files[0].sha256}.parquet"
    path = s3.objects / published.root / name
    path.write_bytes(altered(path.read_bytes()))
    with pytest.raises(StoredObjectAltered):
        published.part(name, 0, path.stat().st_size)


@pytest.mark.parametrize(
    "planted", [lambda raw: b"planted", lambda raw: raw + b"more"], ids=["another", "longer"]
)
def test_an_object_that_lay_there_before_is_proved(
    folder: Path, seals: Seals, replay: Replay, bucket: str, planted: Callable[[bytes], bytes]
) -> None:
    store = open_store(bucket)
    file = read_manifest(folder, DAY).files[0]
    raw = (folder / f"gaming_day={DAY}" / file.path).read_bytes()
    store.create(f"objects/{file.sha256}.parquet", planted(raw))
    with pytest.raises(StoredObjectAltered):
        publish_day(folder, DAY, store, seals, replay.root_at)
    assert published_numbers(store) == {}


MANIFEST = f"manifests/{DAY}.1"


def with_other_root(raw: bytes) -> bytes:
    """Parts of the text exchanged for as many others."""
    return raw.replace(b'"stream": "SB-01"', b'"stream": "SB-99"')


@pytest.mark.parametrize(
    "harm", [cut, altered, emptied, with_other_root], ids=lambda one: one.__name__
)
def test_a_manifest_that_was_changed_proves_nothing(
    published: ObjectStore, seals: Seals, harm: Harm
) -> None:
    harmed(published, MANIFEST, harm)
    with pytest.raises(ArchiveUnproved):
        proved_days(published, seals, is_folder=False)


def test_a_manifest_speaks_for_its_own_day_and_number(published: ObjectStore, seals: Seals) -> None:
    raw = published.read(MANIFEST, 1 << 20)
    assert raw is not None
    for name in (f"manifests/{DAY}.2", f"manifests/{NEXT}.1"):
        published.create(name, raw)
        with pytest.raises(ArchiveUnproved):
            proved_days(published, seals, is_folder=False)
        harmed(published, name, removed)
    for name in ("notes.txt", f"{DAY}.01", f"{DAY}.x", "2021-99-99.1"):
        published.create(f"manifests/{name}", b"stranger")
    assert published_numbers(published) == {DAY: 1}


@pytest.mark.usefixtures("here")
def test_the_archive_of_another_ledger_is_not_believed(
    published: ObjectStore, folder: Path, seals: Seals, replay: Replay
) -> None:
    other = new_signer(seals.verifier.name)
    stranger = Seals(other.verifier, other)
    with pytest.raises(ArchiveUnproved):
        run_archive_select(published.address, COUNT, stranger)
    with pytest.raises(ArchiveUnproved):
        publish_day(folder, DAY, published, stranger, replay.root_at)
    with pytest.raises(KeyMissing):
        publish_day(folder, DAY, published, Seals(seals.verifier), replay.root_at)


@pytest.mark.usefixtures("here")
def test_what_was_rotated_away_vouches_for_its_time_alone(
    published: ObjectStore, seals: Seals
) -> None:
    later = new_signer(seals.verifier.name).verifier
    size = proved_days(published, seals, is_folder=False)[0].manifest.tree_size
    rotated = Seals(later, None, ((seals.verifier, size),))
    assert run_archive_select(published.address, COUNT, rotated).rows
    with pytest.raises(ArchiveUnproved):
        run_archive_select(
            published.address, COUNT, Seals(later, None, ((seals.verifier, size - 1),))
        )


def refused_by_each(store: ObjectStore, refusal: type[LedgerError]) -> str:
    """Each way to ask a store is refused so; what the refusals say."""
    sentences = ""
    for ask in (
        store.names,
        lambda name: store.create(name, b""),
        lambda name: store.read(name, 9),
    ):
        with pytest.raises(refusal) as refused:
            ask("manifests")
        sentences += str(refused.value)
    return sentences


def test_no_bucket_no_access_and_no_service_are_told(
    s3: S3Server, bucket: str, other_environment: pytest.MonkeyPatch
) -> None:
    refused_by_each(open_store("s3://no-such-bucket/archive"), StoreBucketMissing)
    other_environment.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    refused_by_each(open_store(bucket), StoreUnreachable)


def test_credentials_that_are_wrong_or_missing_are_told_and_not_shown(
    s3: S3Server, bucket: str, other_environment: pytest.MonkeyPatch
) -> None:
    other_environment.setenv("AWS_SECRET_ACCESS_KEY", "another-secret-than-that")
    assert "another-secret" not in refused_by_each(open_store(bucket), StoreDenied)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        other_environment.delenv(name)
    other_environment.setenv("HOME", "/nonexistent")
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    assert "NoCredentialsError" in refused_by_each(open_store(bucket), StoreDenied)


def test_a_service_that_never_answers_is_given_up(
    s3: S3Server, bucket: str, other_environment: pytest.MonkeyPatch
) -> None:
    other_environment.setattr(object_store, "READ_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        other_environment.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(StoreUnreachable):
            open_store(bucket).read("x", 9)


def test_a_service_that_forgets_the_condition_is_refused(
    folder: Path,
    seals: Seals,
    replay: Replay,
    bucket: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(StoreNotConditional):
        publish_day(folder, DAY, open_store(f"file://{tmp_path}"), seals, replay.root_at)
    store = open_store(bucket)
    put = store.files.pipe_file
    monkeypatch.setattr(store.files, "pipe_file", lambda path, raw, mode: put(path, raw))
    with pytest.raises(StoreNotConditional):
        publish_day(folder, DAY, store, seals, replay.root_at)


@pytest.mark.parametrize(
    "address",
    [
        "s3://key:secret@bucket/archive",
        "s3://bucket/archive?secret=x",
        "simplecache::s3://bucket/archive",
        "s3://",
        "s3://bucket/../other",
        "nothing-known://bucket/archive",
    ],
)
def test_an_address_with_a_secret_or_no_place_is_refused(address: str) -> None:
    with pytest.raises(StoreAddressWrong) as refused:
        open_store(address)
    assert "secret" not in str(refused.value)


def test_a_huge_manifest_is_not_read_to_its_end(
    s3: S3Server, published: ObjectStore, seals: Seals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published_archive, "MANIFEST_BYTES", 100)
    with pytest.raises(StoredObjectAltered, match="more than 100 bytes"):
        proved_days(published, seals, is_folder=False)


def test_a_column_is_proved_without_the_rest_of_its_file(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With blocks of a kilobyte: a query fetches those that it reads, and no other."""
    for module in (archive_manifest, published_archive, archive_sandbox):
        monkeypatch.setattr(module, "BLOCK_BYTES", 1_000)
    path = tmp_path / "facts.parquet"
    bodies = [random.Random(at).randbytes(20).hex() for at in range(8_000)]
    columns = {"seq": range(8_000), "body": bodies}
    rows = pa.table({f.name: columns.get(f.name, pa.nulls(8_000, f.type)) for f in SCHEMA})
    pq.write_table(rows, path)
    _, blocks = archive_manifest.hashes_of(path)
    fetched: set[int] = set()

    def counted(store: ObjectStore, name: str, listed: ArchivedFile, number: int) -> bytes:
        fetched.add(number)
        return block_of(store, name, listed, number)

    monkeypatch.setattr(archive_sandbox, "block_of", counted)
    order: archive_sandbox.ArchiveOrder = {
        "marts": {}, "comments": "", "timeout": 30, "max_rows": 9, "memory_mb": 512, "threads": 1,
        "query": "SELECT max(seq) FROM facts", "address": str(tmp_path),
        "archive": [{
            "gaming_day": str(DAY), "stream": "SB-01", "bytes": path.stat().st_size,
            "name": path.name, "blocks": list(blocks),
        }],
    }  # fmt: skip
    assert json.loads(archive_sandbox.answered(order))["rows"] == [[7_999]]
    assert len(fetched) < len(blocks) / 2
    archive_sandbox.answered({**order, "query": "SELECT max(columns(*)) FROM facts"})
    assert len(fetched) == len(blocks)
