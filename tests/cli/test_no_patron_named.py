"""No output of three simulated nights names a patron to whom coupons were mailed.

The names lie in the erasable store beside the ledger, so that they are there to leak: every command
that reads the ledger, every form in every format, every file of the folder with its caches, and
every record in the topics is searched for each name and address.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from infra.kafka import Broker
from ledger.coupons.forms import MAKERS
from ledger.events import Fact
from ledger.floor import FIRST_DAY, MAILED_PATRONS, Plant, simulate
from ledger.intake import ErasableStore
from tests.cli.conftest import Command
from tests.coupons.forms_scene import folder
from tests.log.kafka_helpers import fresh_prefix, received

DAY: Final = str(FIRST_DAY)
SECRETS: Final = tuple(
    text.encode()
    for name, address in MAILED_PATRONS
    for text in (name, *name.split(), address, address.split(",")[0])
)
READS: Final = (
    *(["audit", "--day", DAY], ["tables", "--day", DAY], ["inforce", "--day", DAY], ["clocks"]),
    *(["rounds"], ["verify"], ["checkpoint"], ["prove", "7"], ["doctor"], ["config", "show"]),
    *(["demo"], ["sql", "SELECT * FROM findings"], ["sql", "SELECT * FROM rounds"]),
    *(["coupons", "where", "M10-0000001"], ["coupons", "reconcile", "--day", DAY]),
    *(["coupons", "outstanding"], ["coupons", "forget", "no-such-opening"]),
    *(["coupons", "form", name, "--day", DAY] for name in MAKERS),
)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Fact]]:
    """The ledger of three short nights, and its facts."""
    plants = [Plant("coupon_not_in_box"), Plant("coupon_form_wrong")]
    facts = list(simulate(2, FIRST_DAY, 3, plants, scale=0.03, coupons=True).facts)
    path = tmp_path_factory.mktemp("nights") / "ledger"
    path.mkdir()
    store = ErasableStore(path)
    for name, address in MAILED_PATRONS:
        store.commit(name, address)
    return folder(path, facts), facts


def named(texts: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Where a name or an address stands."""
    return [(where, secret) for where, text in texts for secret in SECRETS if secret in text]


def files(root: Path) -> Iterator[tuple[str, bytes]]:
    """Every file, workbooks unpacked; in the erasable store names are encrypted."""
    for path in sorted(root.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        yield str(path.relative_to(root)), data
        if path.suffix == ".xlsx":
            with ZipFile(io.BytesIO(data)) as book:
                yield from ((f"{path.name}:{one}", book.read(one)) for one in book.namelist())


@pytest.mark.full
def test_no_output_names_a_patron(
    command: Command, nights: tuple[Path, list[Fact]], tmp_path: Path
) -> None:
    ledger, _ = nights
    said: list[tuple[str, bytes]] = []
    for words in READS:
        for format_ in ("text", "json"):
            ran = command(*words, "--ledger", ledger, "--format", format_)
            assert "Traceback" not in ran.err, words
            said.append((" ".join([*words, format_]), f"{ran.out}\n{ran.err}".encode()))
    for words in (["cat"], ["cat", "--plain"]):
        ran = command(*words, "--ledger", ledger)
        said.append((" ".join(words), f"{ran.out}\n{ran.err}".encode()))
    out = tmp_path / "forms"
    assert command("coupons", "forms", "--days", "3", "--out", out, "--ledger", ledger).code == 0
    sign = (
        "coupons",
        "sign",
        "daily",
        "--day",
        DAY,
        "--by",
        "MS-1",
        "--name",
        "Marketing supervisor one",
    )
    ran = command(*sign, "--ledger", ledger)
    assert ran.code == 0, ran.err
    said.append(("sign", f"{ran.out}\n{ran.err}".encode()))
    assert all(len(text) > 40 for _, text in said), "a command that says nothing proves nothing"
    assert named(said) == []
    written = dict([*files(ledger), *files(out)])
    assert any("cache" in name for name in written)
    assert any(name.endswith("sharedStrings.xml") for name in written)
    assert named(written.items()) == []
    assert ErasableStore(ledger).count() == (len(MAILED_PATRONS), 0)  # they were there to be found


def test_no_record_of_a_topic_names_a_patron(
    command: Command, nights: tuple[Path, list[Fact]], kafka_broker: Broker
) -> None:
    ledger, facts = nights
    prefix = fresh_prefix(kafka_broker)
    words = ("--bootstrap", kafka_broker.bootstrap, "--topic-prefix", prefix, "--format", "json")
    sent = command("publish", "--ledger", ledger, *words)
    assert sent.code == 0, sent.err
    assert sent.json["facts"] >= len(facts)
    told: list[tuple[str, bytes]] = [("publish", f"{sent.out}{sent.err}".encode())]
    records = 0
    for subject, partitions in (("tables", 6), ("coupons", 2), ("house", 1)):  # infra/topics.toml
        topic = f"{prefix}.{subject}.v1"
        for one in received(kafka_broker, topic, partitions):
            records += 1
            heads = json.dumps([[key, value.decode()] for key, value in one.headers])
            told.append((topic, b"\n".join((one.key or b"", one.value or b"", heads.encode()))))
    assert records >= len(facts)
    assert named(told) == []
