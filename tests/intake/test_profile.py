"""Profiles: those that are shipped, and each way in which one of one's own can be wrong."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from ledger.intake.import_errors import ProfileUnknown, ProfileWrong
from ledger.intake.profile import load_profile, parse_profile, profile_names

GOOD = """
profile = "own"
about = "Fills."
key = ["slip"]
stream = "{table}/chips"
source = "own sheet"
clock_uncertainty_seconds = 60

[columns]
date = { heading = "Date", kind = "date" }
time = { heading = "Time", kind = "time" }
table = { heading = "Table" }
slip = { heading = "Slip" }
chips = { heading = "Chips", kind = "money" }
signed = { heading = "Signed", kind = "list", separator = ";" }
kind = { heading = "Kind", kind = "choice", words = { fill = "FILL" } }

[moments]
at = { date = "date", time = "time" }

[[facts]]
event = "FillDelivered"
at = "at"
only = { kind = "FILL" }
fields = { slip = "$slip", chips_cents = "$chips", signed_by = "$signed" }
"""


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", profile_names())
def test_a_shipped_profile(name: str) -> None:
    profile = load_profile(name)
    assert profile.name == name
    assert profile.about.endswith(".")
    assert re.fullmatch(r"[0-9a-f]{64}", profile.sha256)
    assert len({one.headings[0] for one in profile.columns.values()}) == len(profile.columns)


def test_profiles_are_shipped_with_the_package() -> None:
    folder = files("ledger.intake").joinpath("profiles")
    assert (
        sorted(
            one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml")
        )
        == profile_names()
    )


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert load_profile(str(path)).needed == {
        "date",
        "time",
        "table",
        "slip",
        "chips",
        "signed",
        "kind",
    }
    for name in ("none", "../profiles/drop-count", str(tmp_path), str(tmp_path / "none.toml")):
        with pytest.raises(ProfileUnknown) as unknown:
            load_profile(name)
        assert "drop-count" in (unknown.value.next_step or "")


WRONG = [
    ("GOOD", "profile =", "no TOML"),
    ('about = "Fills."\n', "", "about is not said"),
    ('about = "Fills."', "about = 3", "about is no str"),
    ('about = "Fills."', 'about = "Fills."\nverse = 1', "a profile has no entry 'verse'"),
    ('key = ["slip"]', "key = []", "a row must have a key"),
    ('key = ["slip"]', 'key = ["slips"]', "'slips' is no column"),
    ("{table}/chips", "{tables}/chips", "stream names what is no column: 'tables'"),
    ("{table}/chips", "{table/chips", "stream names what is no column"),
    ('source = "own sheet"', 'source = "s"\ntime_zone = "Mars/Base"', "there is no time zone 'Mars/Base'"),
    ('source = "own sheet"', 'source = "s"\nencoding = "klingon"', "there is no encoding 'klingon'"),
    ('source = "own sheet"', 'source = "s"\nseparator = ";;"', "separator is one character"),
    ('kind = "money"', 'kind = "cash"', "column chips has no kind 'cash'"),
    ('kind = "money"', 'kind = "money", unit = "euros"', "decimal is . or , and unit dollars or cents"),
    ('kind = "money"', 'kind = "money", colour = "red"', "column chips has no entry 'colour'"),
    ('kind = "list", separator', 'kind = "list", of = "date", separator', "a list of date cannot be read"),
    ('words = { fill = "FILL" }', "words = {}", "words are texts"),
    ('words = { fill = "FILL" }', "words = { fill = 1 }", "words are texts"),
    ("slip = {", "Sl ip = {", "no TOML"),
    ('slip = { heading = "Slip" }', '"sl-ip" = { heading = "Slip" }\nslip = { heading = "S" }', "'sl-ip' is no name"),
    ('slip = { heading = "Slip" }', 'class = { heading = "C" }\nslip = { heading = "S" }', "'class' is no name"),
    ('slip = { heading = "Slip" }', "slip = 3", "column slip is no table"),
    ('at = { date = "date", time = "time" }', "at = 3", "moment at is no table"),
    ('at = { date = "date", time = "time" }', 'at = { date = "time", time = "date" }', "moment at is made of a date and a time"),
    ('at = { date = "date", time = "time" }', 'at = { date = "day", time = "time" }', "'day' is no column"),
    ('at = { date = "date", time = "time" }', 'slip = { date = "date", time = "time" }', "'slip' is a column and a moment"),
    ('event = "FillDelivered"', 'event = "FillEaten"', "there is no event 'FillEaten'"),
    ('at = "at"', 'at = "then"', "happens at 'then', which is no moment"),
    ('only = { kind = "FILL" }', 'only = { kind = "FULL" }', "only 'kind' is true, or words of that column"),
    ('only = { kind = "FILL" }', 'only = { slip = "F-1" }', "only 'slip' is true, or words of that column"),
    ('only = { kind = "FILL" }', "only = { kinds = true }", "'kinds' is no column"),
    ('slip = "$slip", ', "", "FillDelivered.slip is not filled"),
    ('slip = "$slip"', 'slip = "$slips"', "FillDelivered.slip: 'slips' is no column"),
    ('slip = "$slip"', 'slip = "$slip", colour = "red"', "FillDelivered has no field 'colour'"),
    ('"$chips"', '"$slip"', "FillDelivered.chips_cents cannot hold what stands in 'slip'"),
    ('"$chips"', '"many"', "FillDelivered.chips_cents is no int"),
    ('"$chips"', "true", "FillDelivered.chips_cents is no int"),
    ('"$signed"', '"$slip"', "FillDelivered.signed_by cannot hold what stands in 'slip'"),
    ('"$signed"', '"F-1"', "FillDelivered.signed_by is a list"),
    ('"$signed"', '{ each = "slip", of = "$each" }', "'slip' is no list"),
    ('"$signed"', '[{ given = "$who", x = 1 }]', "'who' is no column"),
]  # fmt: skip


def test_the_good_one_is_good() -> None:
    assert parse_profile(GOOD.encode(), "own.toml").name == "own"


@pytest.mark.row_by_row
@pytest.mark.parametrize(("old", "new", "said"), WRONG[1:], ids=[said for *_, said in WRONG[1:]])
def test_a_wrong_profile(old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(ProfileWrong) as wrong:
        parse_profile(GOOD.replace(old, new, 1).encode(), "own.toml")
    assert said in str(wrong.value)
    assert "own.toml" in str(wrong.value)


@pytest.mark.parametrize("scope", ["5", '"drawn"', "[[1]]", "true"])
def test_personal_columns_beside_a_scope_that_is_none(scope: str) -> None:
    root = GOOD.index("\n[")
    bad = GOOD[:root] + f"\nscope = {scope}\n" + GOOD[root:]
    personal = '\n[personal]\nname = "who"\naddress = "who"\n'
    with pytest.raises(ProfileWrong):
        parse_profile((bad + personal).encode(), "own.toml")


def test_no_profile_of_any_bytes_does_harm() -> None:
    chance = Random(3)
    values = [
        "3",
        '"x"',
        "[]",
        "{}",
        "true",
        "1.5",
        "[1]",
        '[["x"]]',
        "{ heading = 3 }",
        '"$each"',
        "2020-01-01",
    ]
    lines = GOOD.splitlines()
    for _ in range(3_000):
        own = list(lines)
        at = chance.randrange(len(own))
        name, equals, _ = own[at].partition("=")
        if chance.random() < 0.3 and "=" in own[at]:
            words = re.findall(r'"[^"]*"|\{[^{}]*\}|\[[^\]]*\]', own[at])
            if words:
                own[at] = own[at].replace(chance.choice(words), chance.choice(values), 1)
        else:
            own[at] = f"{name}{equals}{chance.choice(values)}" if equals else ""
        try:
            parse_profile("\n".join(own).encode(), "own.toml")
        except ProfileWrong:
            continue


def test_what_a_profile_says_never_runs() -> None:
    text = GOOD.replace('"$slip"', "\"__import__('os')\"").replace(
        "{table}/chips", "{table}'''/chips"
    )
    assert parse_profile(text.encode(), "own.toml").facts
