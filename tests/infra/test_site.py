"""The documentation site: every page is in it, every link leads somewhere, nothing comes from outside."""

from __future__ import annotations

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from infra.site.__main__ import check, gather, gathered, main
from infra.site.event_pages import events_of
from infra.site.law_pages import FINDINGS, INTERPRETATIONS, anchor_of, chapter_path
from infra.site.links import broken_links, broken_links_of_site, outside_requests
from infra.site.markdown import escaped, headings, slug
from infra.site.navigation import PageNotInNavigation, navigation
from infra.site.pages import ROOT, Page, PageBroken, place_of, repository_pages
from ledger.events import SUBJECTS
from ledger.law import CHAPTERS, finding_codes, readings, sections_of
from ledger.reports.law.printed_rows import law_show, names
from tests.chromium import browser

INFRA: Final = ROOT / "infra"
NO_PAGES: Final = re.compile(r"\.github/(?!CONTRIBUTING)")
"""Templates of the repository's host are filled in there; they are nobody's page."""


@cache
def pages() -> dict[str, Page]:
    return {page.path: page for page in gathered()[0]}


def anchors(path: str) -> list[str]:
    return [anchor for _, _, anchor in headings(pages()[path].text)]


def repository(root: Path, **files: str) -> Path:
    """A repository of a front page, the page for contributors and some files besides."""
    texts = {"README.md": "# Front\n", ".github/CONTRIBUTING.md": "# Contributing\n", **files}
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def shown(root: Path, source: str) -> str:
    return next(page.text for page in repository_pages(root)[0] if page.source == source)


# ---------------------------------------------------------------- all of it


def test_every_page_of_the_repository_is_gathered() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    expected = [name for name in tracked if not NO_PAGES.match(name) and (ROOT / name).exists()]
    sources = [page.source for page in pages().values() if page.source]
    assert sorted(sources) == sorted(expected)


def test_every_page_stands_in_the_navigation_once() -> None:
    placed = [page.path for _, under in navigation(list(pages().values())) for page in under]
    assert sorted(placed) == sorted(pages())
    assert len(placed) == len(set(placed)) > 80


def test_every_runbook_and_decision_stands_in_the_list_of_its_folder() -> None:
    for folder in ("runbooks", "decisions"):
        text = (INFRA / folder / "README.md").read_text(encoding="utf-8")
        files = [path.name for path in (INFRA / folder).glob("*.md") if path.name != "README.md"]
        assert [name for name in files if f"]({name})" not in text] == []


def test_every_link_leads_somewhere() -> None:
    gathered_pages, pictures = gathered()
    assert broken_links(gathered_pages, pictures) == []
    assert all((ROOT / picture).is_file() for picture in pictures)


# ---------------------------------------------------------------- the printed law


def test_a_chapter_has_every_section_of_its_index() -> None:
    for chapter in CHAPTERS:
        number = chapter.edition.chapter
        expected = [anchor_of(section) for section in sections_of(number)]
        assert len(set(expected)) == len(expected)
        assert [a for a in anchors(chapter_path(number)) if a in expected] == expected


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", names())
def test_a_chapter_has_every_row_beside_its_section(name: str) -> None:
    law = law_show(name)
    text = pages()[chapter_path(law["chapter"])].text
    parts = re.split(r"^#+ .* \{#(s-[\w-]+)\}$", text, flags=re.MULTILINE)
    by_anchor = dict(zip(parts[1::2], parts[2::2], strict=True))
    for section in law["sections"]:
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", by_anchor[anchor_of(section["section"])])
        for row in section["rows"]:
            assert escaped(row["says"]) in plain
            assert row["code"] is None or f"`{row['code']}`" in plain
            assert row["reading"] is None or escaped(row["reading"]) in plain


def test_the_findings_say_what_each_means_and_what_to_do() -> None:
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", pages()[FINDINGS].text)
    for code, entry in finding_codes().items():
        assert code in anchors(FINDINGS)
        assert escaped(entry.means) in text
        assert f"**What to do.** {escaped(entry.do)}" in text


def test_the_interpretations_are_all_there() -> None:
    assert set(readings()) <= set(anchors(INTERPRETATIONS))
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", pages()[INTERPRETATIONS].text)
    assert [r.id for r in readings().values() if escaped(r.options[r.choice]) not in text] == []


def test_every_event_stands_in_the_dictionary() -> None:
    assert [name for name in SUBJECTS if name not in anchors(events_of()[name])] == []
    wagers = pages()["events/wagers.md"].text
    assert "| `stake_cents` | whole number from 0 | chips staked, in cents |" in wagers


# ---------------------------------------------------------------- links of a page


def test_a_link_to_a_page_leads_to_its_place_in_the_site(tmp_path: Path) -> None:
    root = repository(
        tmp_path,
        **{
            "infra/a.md": "# A\n\n[up](../README.md) [code](../ledger/games/README.md#b)\n",
            "ledger/games/README.md": "# games\n\n## B\n\nSee `infra/a.md`, `../games/` and `/`.\n",
        },
    )
    assert "[up](../index.md) [code](../ledger/games/index.md#b)" in shown(root, "infra/a.md")
    assert "[`infra/a.md`](../../infra/a.md), `../games/` and `/`." in shown(
        root, "ledger/games/README.md"
    )


def test_a_link_to_a_file_that_is_no_page_becomes_its_path(tmp_path: Path) -> None:
    root = repository(
        tmp_path, **{"README.md": "# F\n\n[the lock](infra/x.lock)\n", "infra/x.lock": ""}
    )
    assert "the lock (`infra/x.lock`)" in shown(root, "README.md")


def test_code_is_left_as_it_stands(tmp_path: Path) -> None:
    block = "```sh exit=1\n[a](b.md) `infra/a.md`\n```\n"
    root = repository(tmp_path, **{"README.md": f"# F\n\n{block}", "infra/a.md": "# A\n"})
    assert "```sh\n[a](b.md) `infra/a.md`\n```" in shown(root, "README.md")


def test_lines_that_a_command_says_stay_lines(tmp_path: Path) -> None:
    root = repository(tmp_path, **{"README.md": "# F\n\nIt says: `a`\nIt says: `b`\n"})
    assert "It says: `a`  \nIt says: `b`" in shown(root, "README.md")


@pytest.mark.parametrize("text", ["# F\n\n[gone](gone.md)\n", "no title\n"])
def test_a_page_that_cannot_be_shown_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(PageBroken):
        repository_pages(repository(tmp_path, **{"README.md": text}))


def test_a_link_that_leads_nowhere_is_named() -> None:
    page = Page(
        path="a/index.md", title="A", text="# A\n\n[x](b.md) [y](#c) [z](../p.png) `[q](r.md)`\n"
    )
    other = Page(path="b.md", title="B", text="# B\n\n[x](a/index.md#a) [y](a/index.md#no)\n")
    assert broken_links([page, other], ["p.png"]) == [
        "a/index.md: b.md",
        "a/index.md: #c",
        "b.md: a/index.md#no",
    ]


def test_a_page_under_no_heading_is_refused() -> None:
    stray = Page(path="stray.md", title="Stray", text="# Stray\n")
    with pytest.raises(PageNotInNavigation, match=r"stray\.md"):
        navigation([*pages().values(), stray])
    without_front = [page for path, page in pages().items() if path != "index.md"]
    with pytest.raises(PageNotInNavigation, match=r"index\.md"):
        navigation(without_front)


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("1. Find the round", "1-find-the-round"),
        ("A `b_c` & § 5", "a-b_c-5"),
        ("[x](y.md) z", "x-z"),
    ],
)
def test_a_heading_has_the_anchor_that_the_site_gives_it(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor


def test_two_headings_of_the_same_words_are_told_apart() -> None:
    assert [a for _, _, a in headings("# A\n\n## B\n\n```\n# no\n```\n\n## B\n\n## B\n")] == [
        *("a", "b", "b_1", "b_2")
    ]


# ---------------------------------------------------------------- the built site


def built(folder: Path, head: str = "", body: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(f"<html><head>{head}</head><body>{body}</body></html>")
    return folder


@pytest.mark.parametrize(
    "loaded",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/x.css">',
        '<img src="http://example/x.png">',
        "<style>@import 'https://fonts.example/x.css'; a { background: url(//example/x) }</style>",
    ],
)
def test_a_page_that_loads_from_another_host_is_named(tmp_path: Path, loaded: str) -> None:
    assert outside_requests(built(tmp_path / "site", loaded)) != []
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text("# A\n")
    assert check(tmp_path)[0] == "Loaded from another host:"


def test_a_page_may_link_to_another_host(tmp_path: Path) -> None:
    site = built(tmp_path / "site", '<link href="x.css">', '<a href="https://example/">x</a>')
    assert outside_requests(site) == []


def test_a_built_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    site = built(tmp_path / "site", body='<h1 id="a"><a href="#a"><a href="no.html"><a href="#b">')
    assert broken_links_of_site(site) == ["index.html: no.html", "index.html: #b"]


def test_a_page_that_was_not_built_is_named(tmp_path: Path) -> None:
    (tmp_path / "pages" / "law").mkdir(parents=True)
    assert check(tmp_path) == ["Nothing was gathered."]
    (tmp_path / "pages" / "law" / "539.md").write_text("# A\n")
    assert check(tmp_path) == ["Not built:", "  law/539.html"]
    built(tmp_path / "site" / "law")
    assert check(tmp_path) == ["Not built:", "  law/539.html"]


def test_a_page_that_cannot_be_shown_ends_the_command_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository(tmp_path, **{"README.md": "no title\n"})
    monkeypatch.setattr("infra.site.__main__.repository_pages", lambda: repository_pages(root))
    assert main(["gather", str(tmp_path / "docs")]) == 1
    assert capsys.readouterr().err == ("README.md has no title, a first line that begins with #\n")
    assert main(["check", str(tmp_path / "docs")]) == 1
    assert main([]) == 2


def settings() -> dict[str, Any]:
    text = (INFRA / "site" / "zensical.toml").read_text(encoding="utf-8")
    assert "://" not in text
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def test_the_settings_ask_no_other_host_for_anything() -> None:
    assert settings()["theme"]["font"] is False
    paths = [row["path"] for row in settings()["extra"]["polyfills"]] + settings()["extra_css"]
    assert [path for path in paths if not (INFRA / "site" / path).is_file()] == []


def test_gathering_writes_pages_pictures_and_settings(tmp_path: Path) -> None:
    assert gather(tmp_path / "docs") == []
    project = tomllib.loads((tmp_path / "docs" / "zensical.toml").read_text())["project"]
    listed = re.findall(r"'([\w./-]+\.md)'", str(project["nav"]))
    assert sorted(listed) == sorted(pages())
    folder = tmp_path / "docs" / "pages"
    assert [path for path in listed if not (folder / path).is_file()] == []
    assert (folder / place_of("README.md")).read_text().count(".png)") == 2
    assert (folder / "infra/docs/pictures/round.png").is_file()


def test_the_lock_is_hashed_names_no_host_and_stands_apart() -> None:
    lock = (INFRA / "requirements-docs.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    packages = re.findall(r"^([a-z][\w-]*)==.*\\\n    --hash=sha256:", lock, re.MULTILINE)
    assert len(packages) == len(re.findall(r"^\w", lock, re.MULTILINE)) > 5
    asked = re.findall(r"^([\w-]+)", (INFRA / "requirements-docs.in").read_text(), re.MULTILINE)
    assert set(asked) <= set(packages)
    product = (INFRA / "requirements-dev.lock").read_text(encoding="utf-8")
    assert [name for name in asked if f"\n{name}==" in product] == []
    assert (
        "requirements-docs.in -o infra/requirements-docs.lock" in (INFRA / "locks.sh").read_text()
    )


@pytest.mark.full
@pytest.mark.timeout(900)
def test_the_site_is_built_and_read_without_a_network() -> None:
    done = subprocess.run(["make", "docs"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    site = ROOT / "build" / "docs" / "site"
    assert len(list(site.rglob("*.html"))) > len(pages())
    with browser() as opened:
        for path in sorted(site.rglob("*.html")):
            if path.name != "404.html":  # a server shows it; its paths begin at the top
                opened.open(path)
        opened.page.set_viewport_size({"width": 390, "height": 800})
        opened.open(site / "law" / "575.html")
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
        opened.page.set_viewport_size({"width": 1280, "height": 900})
        opened.page.keyboard.press("Control+k")
        opened.page.keyboard.type("wager_underpaid", delay=50)
        opened.page.get_by_role("link", name="wager_underpaid").first.wait_for(timeout=30_000)
        assert opened.outside == []
        assert opened.errors == []
