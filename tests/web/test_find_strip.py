"""Tables by time above the search box, and results while somebody types."""

from __future__ import annotations

import json
import re
from datetime import date
from hashlib import sha256
from importlib.resources import files
from xml.etree import ElementTree

from ledger.kernel import PropertyClock
from ledger.night import Readiness, ReadinessLine, State
from ledger.web.floor_strip import strip_cells, strip_spans, strip_svg
from tests.web.conftest import Served, token_of

CLOCK = PropertyClock("America/New_York", 6 * 60)
DAY = date(2021, 6, 12)


def test_the_strip_has_every_round_of_the_day_and_its_marks_lead_to_them(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    cells = browser.get("/find.json").json()["cells"]
    with desk.record.present() as record:
        rounds = record.rows("SELECT count(*) AS n, sum(findings) AS f FROM rounds", [])[0]
    assert sum(cell["rounds"] for cell in cells) == rounds["n"]
    assert sum(cell["findings"] for cell in cells) == int(rounds["f"])
    page = browser.get("/find").text
    marked = re.findall(r'<a href="(/find/at/SB-01/[^"]+)"', page)
    pages = "".join(browser.get(address).text for address in set(marked))
    assert "/round/SB-01%3A517" in pages


def test_gaps_and_lost_cameras_are_marked_where_they_begin() -> None:
    at = CLOCK.start_of(DAY) + 3_600_000_000
    lines = [
        ReadinessLine(check="gap", about="SB-01/wheel", state=State.UNKNOWN, since=at,
                      sentence="SB-01/wheel lacks <2> facts"),
        ReadinessLine(check="camera", about="DC-01", state=State.UNKNOWN, since=at - 10**12,
                      sentence="camera C-1 down"),
        ReadinessLine(check="clock", about="T-1", state=State.UNKNOWN, since=at, sentence="off"),
    ]  # fmt: skip
    ready = Readiness(lines=tuple(lines), closed=True, streams=2)
    cells = strip_cells([], ready, CLOCK, DAY)
    assert [(cell.table, f"{cell.begins:%H:%M}", cell.kind) for cell in cells] == [
        ("DC-01", "06:00", "quiet"),
        ("SB-01", "07:00", "unsure"),
    ]
    drawn = strip_svg(cells, CLOCK, DAY)
    assert "lacks &lt;2&gt; facts" in drawn
    assert 'class="gapmark"' in drawn
    assert 'class="cameramark"' in drawn
    assert 'href="/find/at/DC-01/2021-06-12/06:00"' in drawn


def test_a_gap_is_drawn_from_its_beginning_to_its_end_and_cut_where_the_day_is() -> None:
    begins, ends = CLOCK.bounds(DAY)
    hour = 3_600_000_000
    times = [
        (begins + hour, begins + 3 * hour),
        (begins - hour, begins + hour),
        (ends - hour, None),
    ]
    lines = [
        ReadinessLine(check="gap" if number else "camera", about=f"T-{number}", since=since,
                      state=State.UNKNOWN, sentence=f"<{number}>", until=until)
        for number, (since, until) in enumerate(times)
    ]  # fmt: skip
    later = ReadinessLine(check="gap", about="T-9", state=State.UNKNOWN, since=ends, sentence="x")
    ready = Readiness(lines=(*lines, later), closed=True, streams=4)
    spans = strip_spans(ready, CLOCK, DAY)
    assert [(span.table, (span.since - begins) // hour, (span.until - begins) // hour)
            for span in spans] == [("T-0", 1, 3), ("T-1", 0, 1), ("T-2", 23, 24)]  # fmt: skip
    drawn = ElementTree.fromstring(strip_svg(strip_cells([], ready, CLOCK, DAY), CLOCK, DAY, spans))
    paths = [(n.get("class"), n.get("d"), n.findtext("title")) for n in drawn.iter("path")
             if "span" in (n.get("class") or "")]  # fmt: skip
    assert paths[0] == ("cameraspan", "M120.0 40H192.0", "<0>")  # an hour is 36 pixels wide
    assert [kind for kind, *_ in paths] == ["cameraspan", "gapspan", "gapspan"]


def test_a_day_without_anything_is_drawn_too() -> None:
    ready = Readiness(lines=(), closed=True, streams=0)
    assert strip_cells([], ready, CLOCK, DAY) == []
    assert strip_svg([], CLOCK, date(2021, 11, 7)).startswith("<svg")


def test_the_line_that_is_typed_is_one_and_stands_in_no_list(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    token = token_of(browser.get("/find").text)
    for line in ("S", "SB-01", "SB-01 findings"):
        fields = {"token": token, "line": line, "typing": "1"}
        assert browser.post("/find", data=fields).headers["location"] == "/find/typing"
    assert "/round/SB-01%3A517" in browser.get("/find/typing").text
    assert "/find/typing" not in browser.get("/find").text
    assert desk.signed_in("SS-1").get("/find/typing").status_code == 404


def test_htmx_is_the_file_that_is_named_and_evaluates_nothing(desk: Served) -> None:
    folder = files("ledger.web").joinpath("static")
    script = folder.joinpath("htmx.min.js").read_bytes()
    note = folder.joinpath("README.md").read_text(encoding="utf-8")
    assert f"SHA-256 `{sha256(script).hexdigest()}`" in note
    assert b'version:"2.0.11"' in script
    assert "Zero-Clause BSD" in folder.joinpath("htmx.LICENSE.txt").read_text(encoding="utf-8")
    browser = desk.signed_in("SS-1")
    page = browser.get("/find")
    config = re.search(r"""name="htmx-config" content='([^']+)'""", page.text)[1]
    settings = json.loads(config)
    assert [each["swap"] for each in settings.pop("responseHandling")] == [True, True, False]
    assert settings == {
        "allowEval": False, "allowScriptTags": False, "includeIndicatorStyles": False,
        "historyCacheSize": 0, "selfRequestsOnly": True,
    }  # fmt: skip
    assert "unsafe" not in page.headers["content-security-policy"]
    assert "htmx" not in browser.get("/round/SB-01:517").text  # loaded where it is used alone
