"""Names with control and bidirectional characters: raw at no exit, exact in JSON."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from ledger.cli.output import emit, emit_exact, emit_json, emit_list, say, show
from ledger.codec import from_plain, to_plain
from ledger.events import Fact, PropertyDescribed
from ledger.kernel.text import FORMULA_STARTS
from tests.cli.conftest import Command
from tests.coupons.forms_scene import DAY, folder, scene

HIDDEN = "\u202e\x1b[2J\u200b\x9b"
NAME = f"=Ann{HIDDEN}"
SIGNS = [sign for sign in HIDDEN if not sign.isprintable()]


def named(facts: tuple[Fact, ...]) -> list[Fact]:
    """The facts with a name that no one should be shown as it is."""
    out: list[Fact] = []
    for fact in facts:
        if isinstance(fact, PropertyDescribed):
            fact = replace(fact, name=NAME)
        elif "reason" in to_plain(fact) and isinstance(getattr(fact, "reason", None), str):
            fact = replace(fact, reason=NAME)  # type: ignore[call-arg]
        out.append(fact)
    return out


def raw(text: str) -> list[str]:
    return [repr(sign) for sign in SIGNS if sign in text]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "ledger"
    path.mkdir()
    return folder(path, named(scene().facts))


def test_no_exit_shows_them_raw_and_json_is_exact(
    command: Command, own: Path, tmp_path: Path
) -> None:
    day = ("--day", DAY.isoformat(), "--ledger", own)
    shown = 0
    for words in (
        ("audit", *day), ("coupons", "form", "daily", *day), ("coupons", "reconcile", *day),
        ("coupons", "where", "M25-0041890", "--ledger", own), ("rounds", *day), ("tables", *day),
        ("coupons", "form", "daily", "--format", "csv", *day), ("cat", "--ledger", own),
        ("coupons", "form", "daily", "--format", "html", *day), ("inforce", "SB-02", *day),
        ("coupons", "form", "daily", "--format", "json", *day),
    ):  # fmt: skip
        ran = command(*words)
        assert raw(ran.out + ran.err) == [], words
        shown += "Ann" in ran.out
    assert shown >= 5  # the name is there to be shown
    facts = [json.loads(line) for line in command("cat", "--ledger", own).out.splitlines()]
    assert [fact["name"] for fact in facts if fact["event"] == "PropertyDescribed"] == [NAME]
    out = tmp_path / "forms"
    assert command("coupons", "forms", "--out", out, *day).code == 0
    for path in out.iterdir():
        if path.suffix == ".xlsx":
            with ZipFile(path) as book:
                text = "".join(
                    book.read(part).decode("utf-8", "replace") for part in book.namelist()
                )
        else:
            text = path.read_text("utf-8")
        assert raw(text) == [], path.name
        if path.suffix == ".csv":
            cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
            assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))]


def test_each_way_out_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.text import Text

    emit(f"{NAME}\n")
    show(Text(NAME))
    say(NAME)
    emit_json({"name": NAME})
    emit_list([NAME])
    emit_exact(json.dumps(NAME, ensure_ascii=False) + "\n")
    said = capsys.readouterr()
    assert raw(said.out + said.err) == []
    assert said.out.count("=Ann\\u202e") == 5
    assert "=Ann\\u202e\\x1b[2J\\u200b\\x9b" in said.err


def test_a_page_fills_in_nothing_raw() -> None:
    from markupsafe import Markup

    from ledger.reports.fact_sentences import page_value

    assert page_value(NAME) == "=Ann\\u202e\\x1b[2J\\u200b\\x9b"
    kept = page_value(Markup("<b>{}</b>").format(NAME))
    assert isinstance(kept, Markup)
    assert raw(str(kept)) == []
    assert page_value(7) == 7


HOSTILE = (
    "=cmd|' /C calc'!A0", "@SUM(1+1)", "\t=1+1", "\r+1", "-2+3", "<script>alert(1)</script>",
    "\u2028", "\u202e", "\x1b[31m", "&R&D",
)  # fmt: skip
TEXTS = (
    *("name", "certificate_holder", "patron", "series", "reason", "explanation", "printed_name"),
    *("area", "design", "controls", "box", "delivery", "invoice", "entry", "requisition"),
    *("list_id", "return_id", "inventory", "provider"),
)
"""Fields in which a person may write what they like."""
SELECT = "SELECT '=cmd' || chr(8238) AS \"@SUM(1)\", chr(9) || '=1' AS b, '\x1b[31m' AS c"
BY_PERSON = re.compile(r"person$|_by$")
AMOUNT = re.compile(r"-?[0-9.,]+%?")
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def hostile(value: Any, key: str = "") -> Any:
    """The same plain fact with such a text before each of those fields."""
    if isinstance(value, dict):
        return {name: hostile(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [hostile(part, key) for part in value]
    if isinstance(value, str) and (key in TEXTS or BY_PERSON.search(key)):
        place = TEXTS.index(key) if key in TEXTS else len(key)
        text = HOSTILE[place % len(HOSTILE)] if key in TEXTS else "=\u202e"
        return f"{text}{value}"
    return value


@pytest.fixture(scope="module")
def hostile_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "ledger"
    path.mkdir()
    return folder(path, [from_plain(hostile(to_plain(fact))) for fact in scene().facts])


def harmless(name: str, text: str) -> None:
    """No sign is obeyed by a terminal, and no word by a browser."""
    assert not RAW.findall(text.replace("\n\f\n", "\n")), (name, RAW.findall(text))
    if "<html" in text:
        assert "<script>alert" not in text, name


def cells_harmless(name: str, text: str) -> None:
    for row in csv.reader(io.StringIO(text)):
        for cell in row:
            assert AMOUNT.fullmatch(cell) or not cell.startswith(FORMULA_STARTS), (name, cell)


def book_harmless(path: Path) -> None:
    with ZipFile(path) as book:
        parts = {part: book.read(part).decode("utf-8") for part in book.namelist()}
    for part, text in parts.items():
        assert not RAW.findall(html.unescape(text)), (path.name, part)
        assert not re.search(r"_x00[01][0-9A-F]_", text), (path.name, part)  # how a book says \x1b
        formulas = re.findall(r"<f>(.*?)</f>", text)
        assert all(re.fullmatch(r"[A-Z0-9:()+*.\-SUM]+", one) for one in formulas), formulas
        for foot in re.findall(r"<odd(?:Header|Footer)>(.*?)<", text):
            assert "&R&D" not in html.unescape(foot).replace("&&", ""), (path.name, foot)


def test_hostile_names_are_harmless_in_every_format(
    command: Command, hostile_ledger: Path, tmp_path: Path
) -> None:
    """Text, pages, CSV, workbooks and JSON; Parquet is data for programs and stays as it was said."""
    ledger = ("--ledger", hostile_ledger)
    day = ("--day", DAY.isoformat(), *ledger)
    shown = 0
    for words in (
        ("audit", *day), ("rounds", *day), ("tables", *day), ("tables", "--format", "csv", *day),
        ("inforce", "--staff", *day), ("clocks", *day), ("people", *ledger), ("cat", *ledger),
        ("actions", "list", *day), ("coupons", "where", "M25-0041890", *ledger),
        ("coupons", "reconcile", *day), ("coupons", "outstanding", *day), ("verify", *ledger),
        *(("coupons", "form", name, "--format", kind, *day)
          for name in ("daily", "requisition", "issues", "unaccounted")
          for kind in ("text", "html", "csv", "json")),
        *(("sql", SELECT, "--format", kind, *ledger) for kind in ("text", "json", "csv")),
    ):  # fmt: skip
        ran = command(*words)
        assert ran.code in (0, 1), (words, ran.err)
        harmless(" ".join(map(str, words)), ran.out + ran.err)
        shown += "\\u202e" in ran.out or "script" in ran.out or "calc" in ran.out
        if "csv" in words:
            cells_harmless(" ".join(map(str, words)), ran.out)
        if "json" in words:
            json.loads(ran.out)
    assert shown > 15
    book = tmp_path / "rows.xlsx"
    assert command("sql", SELECT, "--format", "xlsx", "--out", book, *ledger).code == 0
    book_harmless(book)
    out = tmp_path / "forms"
    assert command("coupons", "forms", "--out", out, *day).code == 0
    for path in sorted(out.iterdir()):
        if path.suffix == ".xlsx":
            book_harmless(path)
        else:
            harmless(path.name, path.read_text("utf-8"))
        if path.suffix == ".csv":
            cells_harmless(path.name, path.read_text("utf-8"))
