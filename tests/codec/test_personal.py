"""Where personal strings stand in framed bytes."""

from __future__ import annotations

import json

import pytest

from ledger.codec import (
    PersonalKind,
    Undecodable,
    frame,
    from_plain,
    personal_strings,
    registry,
    sample_of,
    sealed_strings,
    with_strings,
)
from ledger.codec.personal import declared_strings
from ledger.events import FillDelivered, PositionTaken

IN_HEX = ("replacement", "letter_sha256", "proof.signature")
SCHEMAS = sorted({schema.name for schema in registry()})


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", SCHEMAS)
def test_they_are_the_strings_of_the_sample(name: str) -> None:
    """The walk over the bytes finds what the JSON form has, field by field."""
    sample = sample_of(registry().by_name(name))
    framed = frame(from_plain(sample))
    declared = declared_strings()
    expected = []

    def follow(value: object, path: str, shown: str) -> None:
        if isinstance(value, dict):
            for key, part in value.items():
                before = f"{path}.{key}" if path else key
                follow(part, before, f"{shown}.{key}" if shown else key)
        elif isinstance(value, list):
            for number, part in enumerate(value):
                follow(part, f"{path}[]", f"{shown}[{number}]")
        elif isinstance(value, str):
            kind = declared.get((name, path)) or declared.get(("*", path))
            if kind is not None:
                expected.append((shown, kind, value))

    follow({key: part for key, part in sample.items() if key not in ("event", "version")}, "", "")
    strings = personal_strings(framed)
    texts = [
        content.hex() if one.path in IN_HEX else content.decode()
        for one in strings
        for content in [framed[one.begin : one.end]]
    ]
    found = [(one.path, one.kind, text) for one, text in zip(strings, texts, strict=True)]
    assert sorted(found) == sorted(expected), json.dumps(sample)[:200]


def fill(*signed_by: str) -> bytes:
    """A fact with a list of credentials."""
    return frame(
        FillDelivered(
            stream="SB-01/chips", seq=1, event_time=1_623_500_000_000_000, source="T-1",
            recorded_by=None, slip="F-1", chips_cents=10_000, signed_by=signed_by,
        )
    )  # fmt: skip


def test_items_of_a_list_have_paths_of_their_own() -> None:
    paths = [one.path for one in personal_strings(fill("E-1", "E-2"))]
    assert paths == ["signed_by[0]", "signed_by[1]"]


def test_strings_are_put_in_place_of_others() -> None:
    framed = fill("E-1", "E-22")
    strings = personal_strings(framed)
    assert with_strings(framed, strings, [b"A-9999", b""]) == fill("A-9999", "")
    assert with_strings(framed, strings, [b"E-1", b"E-22"]) == framed


def test_a_block_with_its_size_is_told() -> None:
    plain = fill("E-1")
    at = plain.rindex(b"\x02\x06E-1")
    sized = plain[:at] + b"\x01\x08" + plain[at + 1 :]  # one item, in four bytes
    head = sealed_strings(sized)
    assert [(one.kind, one.path) for one in head] == [(PersonalKind.BLOCK, "1")]
    assert [one.kind for one in personal_strings(sized)] == [
        PersonalKind.BLOCK,
        PersonalKind.STAFF,
    ]


@pytest.mark.parametrize("cut", [6, 12, 20, -1])
def test_cut_bytes_are_no_sealed_event(cut: int) -> None:
    framed = frame(
        PositionTaken(
            stream="SB-01", seq=1, event_time=1_623_500_000_000_000, source="T-1",
            recorded_by="E-1", position="3", patron="p-1",
        )
    )  # fmt: skip
    strings = personal_strings(framed)
    sealed = with_strings(framed, strings, [b"\xff" + bytes(32)] * 2)
    assert len(sealed_strings(sealed)) == 2
    with pytest.raises(Undecodable):
        sealed_strings(sealed[:cut])
    with pytest.raises(Undecodable):
        sealed_strings(with_strings(framed, strings, [b"\xff" + bytes(31)] * 2))
