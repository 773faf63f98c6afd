"""The commands of the coupon program: what they say, their exit codes, and that no patron is named."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from openpyxl import load_workbook

from ledger.cli import main
from ledger.codec import to_text
from ledger.events import MailListSupplied
from ledger.intake import ErasableStore, OpeningUnknown, commitment, opens
from ledger.kernel import UsageError
from ledger.log.ledger_at_checkpoint import FileSnapshot
from tests.cli.conftest import Command
from tests.cli.given import run
from tests.coupons.forms_scene import PATRONS, at, folder, scene

DAY = "2013-06-14"
LINE = (
    "M25-0041877 · $25 · REDEEMED at SB-02, Jun 14 21:43:10 · NOT FOUND in box 118"
    " · redeemed_not_dropped"
)
HEAVY = ("numpy", "xlsxwriter", "jinja2", "duckdb", "ledger.coupons", "sqlite3")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of the scene, with the names in its erasable store; it is only read."""
    path = tmp_path_factory.mktemp("coupons") / "ledger"
    path.mkdir()
    return folder(path, scene(ErasableStore(path)).facts)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The same, to be changed."""
    path = tmp_path / "ledger"
    path.mkdir()
    return folder(path, scene(ErasableStore(path)).facts)


@pytest.mark.parametrize("written", ["M25-0041877", "m25 41877", "M250041877"])
def test_where_answers_in_its_first_line(command: Command, made: Path, written: str) -> None:
    said = command("coupons", "where", written, "--ledger", made)
    assert said.out.splitlines()[0] == LINE
    assert said.code == 1
    head = said.out.splitlines()[2].split()
    assert head == ["time", "event", "from", "to", "who", "detail", "position"]
    assert "2013-06-14 21:43:10  coupon redeemed" in said.out


@pytest.mark.parametrize(
    ("serial", "line"),
    [
        ("M25-0041801", "M25-0041801 · $25 · CANCELLED, Jun 15 09:30:00"),
        ("M25-0041802", "M25-0041802 · $25 · WITH A PATRON, Jun 14 12:00:00"),
        ("M25-0041890", "M25-0041890 · $25 · CANCELLED, Jun 15 09:30:00"),
        (
            "M05-0000301",
            "M05-0000301 · $5 · IN FINANCE STOCK, Jun 14 10:10:00 · distributed_not_held",
        ),
        ("ML5-00002", "ML5-00002 · $5 · WITH A PATRON, BY MAIL, Jun 14 09:30:00"),
        ("M10-0000009", "M10-0000009 · $10 · NEVER RECEIVED"),
    ],
)
def test_where_knows_every_place(command: Command, made: Path, serial: str, line: str) -> None:
    said = command("coupons", "where", serial, "--ledger", made)
    assert said.out.splitlines()[0] == line
    assert said.code == (1 if "_" in line else 0)


def test_a_box_that_is_not_counted_awaits_its_count(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "early"
    folder(path, [one for one in scene().facts if one.event_time < at("15 08:00:00")])
    said = command("coupons", "where", "M25-0041877", "--ledger", path)
    assert said.out.splitlines()[0].endswith("Jun 14 21:43:10 · in box 118, AWAITING COUNT")


def test_where_reads_no_index_of_the_writer(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be made from all entries where the writer left none: a hundred seconds once."""
    monkeypatch.setattr(FileSnapshot, "index", lambda _: pytest.fail("the writer's index was read"))
    assert main(["coupons", "where", "M25-0041801", "--ledger", str(made)]) == 0


def test_where_names_positions_that_cat_shows(command: Command, made: Path) -> None:
    data = command("coupons", "where", "M25-0041877", "--ledger", made, "--format", "json").json
    assert data["line"] == LINE
    last = data["steps"][-1]
    facts = [json.loads(line) for line in command("cat", "--ledger", made).out.splitlines()]
    (fact,) = [one for one in facts if one["position"] == last["position"]]
    assert (fact["event"], fact["serial"]) == ("CouponRedeemed", "M25-0041877")


@pytest.mark.parametrize(
    ("words", "code", "exit_code"),
    [
        (["where", "Z99-1"], "serial_unreadable", 2),
        (["form", "nonsense", "--day", DAY], "form_unknown", 2),
        (["form", "daily", "--day", DAY, "--format", "xlsx"], "out_needed", 2),
        (["form", "daily", "--day", "2010-01-01"], "day_unknown", 2),
        (["reconcile", "--day", "2031-01-01"], "day_unknown", 2),
        (["forget", "0" * 32, "--by", "C-FS1"], "opening_unknown", 2),
        (["forget", "../../etc", "--by", "C-FS1"], "opening_unknown", 2),
        (["sign", "daily", "--day", DAY, "--by", "C-XX", "--name", "X"], "signer_refused", 2),
        (["sign", "daily", "--day", DAY, "--by", "C-FS1", "--name", "X"], "signer_refused", 2),
        (["sign", "daily", "--day", DAY, "--by", "C-MM1", "--name", "X"], "signer_refused", 2),
        (["sign", "daily", "--day", DAY, "--by", "C-MS1", "--name", " "], "signer_refused", 2),
        (["sign", "daily", "--day", DAY, "--by", "C-MS1", "--name", "X", "--as", "filed"], "signer_refused", 2),
        (["sign", "nonsense", "--day", DAY, "--by", "C-MS1", "--name", "X"], "form_unknown", 2),
    ],
)  # fmt: skip
def test_refusals_have_stable_codes(
    command: Command, made: Path, words: list[str], code: str, exit_code: int
) -> None:
    said = command("coupons", *words, "--ledger", made)
    assert said.code == exit_code
    assert f"[{code}]" in said.err
    assert said.out == ""


def test_a_ledger_without_coupons_is_said_so(command: Command, simulated: Path) -> None:
    said = command("coupons", "reconcile", "--ledger", simulated)
    assert (said.code, "[no_coupons]" in said.err) == (2, True)


def test_a_day_is_reconciled_or_what_breaks_it_is_named(command: Command, made: Path) -> None:
    said = command("coupons", "reconcile", "--day", DAY, "--ledger", made)
    assert said.code == 1
    assert said.out.startswith("2013-06-14: does NOT balance: ")
    for word in ("M25-0041877", "M05-0000301", "redeemed_not_dropped", "unaccounted for"):
        assert word in said.out
    data = command("coupons", "reconcile", "--day", DAY, "--ledger", made, "--format", "json").json
    assert data["balanced"] is False
    assert [one["variation"] for one in data["denominations"]] == [-1, 0, 0]


def test_what_is_out_is_listed_with_its_age(command: Command, made: Path) -> None:
    rows = command(
        "coupons", "outstanding", "--day", DAY, "--ledger", made, "--format", "json"
    ).json
    (lost,) = [one for one in rows if one["status"].startswith("NOT FOUND")]
    assert lost["from"] == lost["to"] == "M25-0041877"
    assert (lost["face_cents"], lost["age"], lost["expires"]) == (2_500, "0-2", "2013-06-30")
    said = command("coupons", "outstanding", "--day", DAY, "--ledger", made).out
    assert said.startswith("292 coupons, face value $3,240.00, are outstanding; 1 cannot be found.")
    assert said.splitlines()[4].split()[1] == "M25-0041877"


def test_an_amended_coupon_is_shown_as_it_was_and_is(
    command: Command, own: Path, tmp_path: Path
) -> None:
    steps = command("coupons", "where", "M25-0041877", "--ledger", own, "--format", "json").json
    used = next(one for one in steps["steps"] if one["event"] == "CouponRedeemed")
    facts = map(json.loads, command("cat", "--ledger", own).out.splitlines())
    said = next(
        f for f in facts if (f.get("stream"), f.get("seq")) == (used["stream"], used["seq"])
    )
    said.pop("position", None)
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**said, "serial": "M25-0041878"}), encoding="utf-8")
    words = ("--ledger", own, "--by", "C-MM1", "--reason", "misread", "--approved-by", "C-MS2")
    done = command("amend", used["stream"], str(used["seq"]), "--file", other, *words)
    assert done.code == 0, done.err
    for serial in ("M25-0041877", "M25-0041878"):  # the one it named, and the one it names
        page = command("coupons", "where", serial, "--ledger", own)
        assert "serial was M25-0041877, now M25-0041878" in page.out
        assert "Reason: misread. Amended by C-MM1, approved by C-MS2" in page.out
    first = command("coupons", "where", "M25-0041877", "--ledger", own).out.splitlines()[0]
    assert "REDEEMED" not in first
    day = command("coupons", "reconcile", "--day", DAY, "--ledger", own)
    assert "Amended after recording: 1 fact" in day.out
    assert "Amended" not in command("coupons", "where", "M25-0041801", "--ledger", own).out
    parts = ("Amended facts", "was M25-0041877, now M25-0041878", "misread", "C-MM1", "C-MS2")
    form = ("coupons", "form", "daily", "--ledger", own, "--day")
    for format_ in ("text", "html", "csv"):
        written = command(*form, DAY, "--format", format_).out
        if format_ == "html":
            written = re.sub("<[^>]+>", "", written)
        page = " ".join(written.split())
        for part in parts:
            assert part in page or part.lower() in page, (format_, part)
        assert "amended facts" not in command(*form, "2013-06-12", "--format", format_).out.lower()
    (one,) = command(*form, DAY, "--format", "json").json[0]["amended"]
    assert (one["before"]["serial"], one["now"]["serial"]) == ("M25-0041877", "M25-0041878")
    inventory = command("coupons", "form", "inventory", "--day", DAY, "--ledger", own).out
    assert "Amended facts" in inventory  # the month that the day lies in
    book = tmp_path / "form.xlsx"
    assert command(*form, DAY, "--format", "xlsx", "--out", book).code == 0
    pages = load_workbook(book).worksheets
    cells = [cell for page in pages for row in page.iter_rows(values_only=True) for cell in row]
    assert "Amended facts: fact" in cells


def _amended(command: Command, ledger: Path, out: Path, event: str, **change: object) -> None:
    """Amend the first fact of a kind, as C-MM1 with the approval of C-MS2."""
    facts = map(json.loads, command("cat", "--ledger", ledger).out.splitlines())
    fact = next(one for one in facts if one.get("event") == event)
    fact.pop("position", None)
    other = out / "other.json"
    other.write_text(json.dumps({**fact, **change}), encoding="utf-8")
    words = ("--ledger", ledger, "--by", "C-MM1", "--reason", "misread", "--approved-by", "C-MS2")
    done = command("amend", fact["stream"], str(fact["seq"]), "--file", other, *words)
    assert done.code == 0, done.err


def _restated(command: Command, ledger: Path, name: str, day: str) -> bool:
    """Whether a form shows the correction with its author and approver."""
    page = command("coupons", "form", name, "--day", day, "--ledger", ledger).out
    if "misread" in page:
        assert "C-MM1" in page
        assert "C-MS2" in page
    return "misread" in page


def test_a_correction_shows_on_the_day_that_the_fact_is_about(
    command: Command, own: Path, tmp_path: Path
) -> None:
    """A box counted on the 15th for the 14th: § 525.21(m)(1)."""
    assert not _restated(command, own, "finance", DAY)
    found = {"denomination_cents": 2_500, "first": "M25-0041801", "last": None, "quantity": 1}
    _amended(command, own, tmp_path, "CouponsCounted", unreadable=1, ranges=[found])
    assert _restated(command, own, "finance", DAY)
    page = command("coupons", "reconcile", "--day", DAY, "--ledger", own).out
    assert "by C-MM1, approved by C-MS2" in page


def test_a_correction_shows_on_a_later_day_whose_figures_it_changes(
    command: Command, own: Path, tmp_path: Path
) -> None:
    """What was kept on the 14th is carried in on the 15th: § 525.21(k)."""
    kept = {
        "denomination_cents": 2_500,
        "first": "M25-0041891",
        "last": "M25-0041899",
        "quantity": 9,
    }
    _amended(command, own, tmp_path, "CouponsKept", ranges=[kept])
    assert _restated(command, own, "daily", DAY)
    assert _restated(command, own, "unaccounted", "2013-06-15")
    assert not _restated(command, own, "requisition", "2013-06-15")  # its figures are the same
    assert not _restated(command, own, "daily", "2013-06-12")


@pytest.mark.parametrize("format_", ["text", "html", "csv", "json", "xlsx"])
def test_a_form_in_every_format(command: Command, made: Path, tmp_path: Path, format_: str) -> None:
    out = tmp_path / "deep" / f"form.{format_}"
    words = ["coupons", "form", "daily", "--day", DAY, "--format", format_, "--ledger", made]
    assert command(*words, "--out", out).code == 0
    assert out.stat().st_size > 500
    if format_ != "xlsx":
        printed = command(*words).out
        assert "M25-0041801" in printed
        assert "MPC-REC-2013-06-14" in printed  # finance's reconciliation is the second page


def test_signing_and_a_late_fact(command: Command, own: Path, tmp_path: Path) -> None:
    sign = ("coupons", "sign", "daily", "--day", DAY, "--by", "C-MS1", "--ledger", own)
    said = command(*sign, "--name", "Ms One", "--format", "json").json
    assert (said["issue"], said["fact"], said["signed_as"]) == (
        1,
        "coupons/signatures:1",
        "COMPLETED",
    )
    again = command(*sign, "--name", "Ms One")
    assert (again.code, "[form_signed_already]" in again.err) == (2, True)
    form = ("coupons", "form", "daily", "--day", DAY, "--ledger", own, "--format", "json")
    daily, _ = command(*form).json
    assert (daily["issue"], daily["signed_by_all"]) == (1, True)
    late = tmp_path / "late.jsonl"
    late.write_text(to_text(scene().late) + "\n", encoding="utf-8")
    assert command("append", late, "--ledger", own).code == 0
    daily, _ = command(*form).json
    assert (daily["issue"], daily["supersedes"], daily["signed_by_all"]) == (2, 1, False)
    assert {"where": "$5.00 coupons: M05-0000001 - M05-0000200, Distributed", "was": "150", "now": "153"} in daily["differences"]  # fmt: skip
    told = command("coupons", "reconcile", "--day", DAY, "--ledger", own)
    assert "form_superseded" in told.out
    audited = command("audit", "--day", DAY, "--ledger", own)
    assert "form_superseded" in audited.out
    signed = command(*sign, "--name", "Ms One", "--format", "json").json
    assert (signed["issue"], signed["supersedes"], signed["fact"]) == (2, 1, "coupons/signatures:2")
    assert command(*form).json[0]["signed_by_all"] is True
    assert command("verify", "--ledger", own).code == 0


def test_signing_adds_the_signature_alone_and_is_no_fault_of_the_day(
    command: Command, own: Path
) -> None:
    sign = ("coupons", "sign", "daily", "--day", DAY, "--name", "Ms One", "--ledger", own)
    assert command(*sign, "--by", "C-MS1").code == 0
    assert command("coupons", "sign", "finance", "--day", DAY, "--name", "Fm One", "--by", "C-FM1",
                   "--ledger", own).code == 0  # fmt: skip
    facts = [json.loads(line) for line in command("cat", "--ledger", own).out.splitlines()]
    assert [one for one in facts if one.get("registered_source") == "pitledger"] == []
    today = date.fromisoformat(facts[-1]["event_time"][:10])
    for signed_on in (today, today - timedelta(days=1)):  # a signature makes no day of its own
        assert "[day_unknown]" in command("audit", "--day", str(signed_on), "--ledger", own).err
    said = command("audit", "--day", DAY, "--ledger", own)
    assert said.code < 2
    for code in ("source_not_registered", "control_total_differs"):
        assert code not in said.out


def test_a_form_with_two_functions_asks_which(command: Command, own: Path) -> None:
    words = ("coupons", "sign", "returns", "--day", DAY, "--ledger", own, "--format", "json")
    back = command(*words, "--by", "C-MS1", "--name", "Ms One").json
    taken = command(*words, "--by", "C-FS1", "--name", "Fs One", "--as", "received").json
    assert (back["signed_as"], taken["signed_as"]) == ("RETURNED", "RECEIVED")
    said = command("coupons", "form", "returns", "--day", DAY, "--ledger", own).out
    assert "Not signed" not in said


def test_all_forms_of_a_day_with_one_index_page(
    command: Command, made: Path, tmp_path: Path
) -> None:
    said = command(
        "coupons", "forms", "--day", DAY, "--out", tmp_path, "--ledger", made, "--format", "json"
    )
    data = said.json
    assert len(data["forms"]) == 9
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    for file in data["files"]:
        assert (tmp_path / file).is_file()
        assert f'href="{file}"' in index


# --- patrons --------------------------------------------------------------------------------------


def secrets() -> list[str]:
    """The planted names and addresses, and words of them that nothing else has."""
    words = [word for pair in PATRONS for text in pair for word in text.replace("(", " ").split()]
    return [text for pair in PATRONS for text in pair] + [w for w in words if len(w) > 6]


def test_no_output_and_no_file_but_the_store_names_a_patron(
    command: Command, made: Path, tmp_path: Path
) -> None:
    printed = []
    for words in (
        ["where", "ML5-00001"], ["where", "ML5-00003"], ["reconcile", "--day", DAY],
        ["outstanding", "--day", DAY], *(["form", name, "--day", DAY] for name in ("daily", "finance", "unaccounted", "receipts")),
    ):  # fmt: skip
        for format_ in ("text", "json"):
            said = command("coupons", *words, "--ledger", made, "--format", format_)
            printed.append(said.out + said.err)
    for words in (["audit", "--day", DAY], ["cat"], ["cat", "--plain"], ["verify"]):
        said = command(*words, "--ledger", made)
        printed.append(said.out + said.err)
    assert command("coupons", "forms", "--day", DAY, "--out", tmp_path, "--ledger", made).code == 0
    files = [one for root in (made, tmp_path) for one in root.rglob("*") if one.is_file()]
    stored = {one for one in files if one.parent.name == "erasable"}
    assert {one.name for one in stored} == {"openings.sqlite", "lock"}
    for secret in secrets():
        assert not [text[:80] for text in printed if secret in text], secret
        assert not [one for one in files if secret.encode() in content(one)], secret
    store = ErasableStore(made)
    facts = map(json.loads, printed_facts(command, made))
    (supplied,) = [fact for fact in facts if fact["event"] == "MailListSupplied"]
    kept = [store.read(line["opening"]).name for line in supplied["lines"]]
    assert PATRONS[0][0] in kept  # they were there to be found


def printed_facts(command: Command, ledger: Path) -> list[str]:
    """The facts of a ledger, a line each."""
    return command("cat", "--ledger", ledger).out.splitlines()


def content(path: Path) -> bytes:
    """The bytes of a file, those of a workbook unpacked."""
    if path.suffix != ".xlsx":
        return path.read_bytes()
    from zipfile import ZipFile

    with ZipFile(path) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


def test_a_patrons_reference_is_on_no_form(command: Command, made: Path, tmp_path: Path) -> None:
    assert command("coupons", "forms", "--day", DAY, "--out", tmp_path, "--ledger", made).code == 0
    assert not [one for one in tmp_path.iterdir() if b"P-7781" in content(one)]


def test_a_commitment_opens_until_it_is_forgotten(command: Command, own: Path) -> None:
    facts = [json.loads(line) for line in command("cat", "--ledger", own).out.splitlines()]
    (supplied,) = [one for one in facts if one["event"] == "MailListSupplied"]
    line = supplied["lines"][0]
    store = ErasableStore(own)
    opened = store.read(line["opening"])
    assert (opened.name, opened.address) == PATRONS[0]
    assert repr(opened) == "Opening(...)"
    size = json.loads(command("checkpoint", "--ledger", own, "--format", "json").out)
    assert command("coupons", "forget", line["opening"], "--ledger", own).code == 2
    words = ("--by", "C-FS1", "--ledger", own)
    assert command("coupons", "forget", line["opening"], *words).code == 0
    with pytest.raises(OpeningUnknown):
        store.read(line["opening"])
    left = b"".join(one.read_bytes() for one in (own / "erasable").iterdir())
    assert PATRONS[0][0].encode() not in left
    assert store.read(supplied["lines"][1]["opening"]).name == PATRONS[1][0]
    assert json.loads(command("checkpoint", "--ledger", own, "--format", "json").out) == size
    assert command("verify", "--ledger", own).code == 0


def test_commitments_are_salted() -> None:
    assert commitment("Ann  Bell", b"s" * 32) == commitment("Ann Bell ", b"s" * 32)
    assert commitment("Ann Bell", b"s" * 32) != commitment("Ann Bell", b"t" * 32)
    assert opens(commitment("Ann", b"s" * 32), "Ann", b"s" * 32)
    assert not opens(commitment("Ann", b"s" * 32), "Anne", b"s" * 32)
    assert not opens(commitment("Ann", b"s" * 32), "Ann", b"s" * 31)
    with pytest.raises(ValueError, match="32 bytes"):
        commitment("Ann", b"short")


def test_the_store_refuses_what_it_cannot_keep(tmp_path: Path) -> None:
    store = ErasableStore(tmp_path)
    for name, address in (("", "x"), ("x", " "), ("x" * 501, "x")):
        with pytest.raises(UsageError):
            store.commit(name, address)
    one, two = store.commit("Ann", "Elm St"), store.commit("Ann", "Elm St")
    assert one.name_commitment != two.name_commitment
    with pytest.raises(OpeningUnknown):
        store.erase([one.opening, "f" * 32])
    assert store.read(one.opening).name == "Ann"  # all or none
    assert store.path.stat().st_mode & 0o077 == 0
    assert store.count() == (2, 0)


def test_a_planted_name_would_be_found(made: Path, command: Command, tmp_path: Path) -> None:
    """The search above finds a name that a fact should never have carried."""
    spoilt = [
        replace(one, provider=PATRONS[0][0]) if isinstance(one, MailListSupplied) else one
        for one in scene().facts
    ]
    path = folder(tmp_path / "spoilt", spoilt)
    said = command("coupons", "where", "ML5-00001", "--ledger", path)
    assert PATRONS[0][0] in said.out


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "word", ["where", "reconcile", "form", "forms", "outstanding", "sign", "forget", "hold"]
)
def test_help_loads_nothing_heavy(word: str) -> None:
    import subprocess
    import sys

    script = (
        "import sys; from ledger.cli import main; main(['coupons', %r, '--help']);"
        f"print([one for one in {HEAVY!r} if one in sys.modules], file=sys.stderr)" % word
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"


def test_the_command_as_a_script_meets_it(made: Path) -> None:
    said = run("coupons", "where", "M25-0041877", "--ledger", str(made))
    assert (said.code, said.out.splitlines()[0]) == (1, LINE)
