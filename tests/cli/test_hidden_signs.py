"""Names with control and bidirectional characters: raw at no exit, exact in JSON."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from ledger.cli.out import emit, emit_exact, emit_json, emit_list, say, show
from ledger.codec import to_plain
from ledger.events import Fact, PropertyDescribed
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

    from ledger.reports.told import page_value

    assert page_value(NAME) == "=Ann\\u202e\\x1b[2J\\u200b\\x9b"
    kept = page_value(Markup("<b>{}</b>").format(NAME))
    assert isinstance(kept, Markup)
    assert raw(str(kept)) == []
    assert page_value(7) == 7
