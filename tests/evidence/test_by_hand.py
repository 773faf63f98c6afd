"""The page's own lines check a pack without Python, and a Go program does; both refuse a changed one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ledger.evidence.verify import members_of
from tests.cli import given
from tests.evidence.packs import ROOT, changed, in_json, pack_of

DOCS = ROOT / "infra" / "docs"
built_once = pytest.mark.xdist_group("the Go program")


def lines_of_page() -> str:
    """The lines under "By hand", as they stand there."""
    page = (DOCS / "evidence-pack.md").read_text(encoding="utf-8")
    block = re.search(r"```bash\n(unzip.*?)```", page, re.DOTALL)
    assert block is not None
    return block[1]


def by_hand(folder: Path, pack: bytes, key: str) -> subprocess.CompletedProcess[str]:
    (folder / "round.zip").write_bytes(pack)
    (folder / "key").write_text(f"{key}\n", encoding="utf-8")
    words = ["bash", "-e", "-o", "pipefail", "-c", lines_of_page()]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def test_every_line_of_the_page_holds(pack: bytes, key: str, tmp_path: Path) -> None:
    ran = by_hand(tmp_path, pack, key)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count("Signature Verified Successfully") == 2


@pytest.mark.parametrize("name", ["report.html", "checkpoint", "facts.jsonl"])
def test_a_changed_member_is_seen_by_hand(pack: bytes, key: str, tmp_path: Path, name: str) -> None:
    def spoil(members: dict[str, bytes]) -> None:
        digit = re.search(rb"\d", members[name])
        assert digit is not None
        other = b"5" if digit[0] == b"4" else b"4"
        members[name] = members[name].replace(digit[0], other, 1)

    assert by_hand(tmp_path, changed(pack, spoil), key).returncode != 0


@pytest.fixture(scope="session", params=[go for go in [shutil.which("go")] if go])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Go program, built once where Go is installed."""
    go: str = request.param
    built = tmp_path_factory.mktemp("go") / "verify_pack"
    subprocess.run([go, "build", "-o", str(built), "."], check=True, cwd=DOCS / "verify_pack")
    return built


def go_says(program: Path, folder: Path, pack: bytes, key: str) -> subprocess.CompletedProcess[str]:
    path = folder / "round.zip"
    path.write_bytes(pack)
    words = [str(program), str(path), key]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@built_once
def test_the_go_program_proves_each_entry(
    program: Path, pack: bytes, key: str, tmp_path: Path
) -> None:
    ran = go_says(program, tmp_path, pack, key)
    entries = [name for name in members_of(pack) if name.startswith("entries/")]
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"{len(entries)} entries and 0 hashes proved")


@built_once
def test_the_go_program_proves_the_hashes_of_a_twin(
    program: Path, ledger: Path, key: str, tmp_path: Path
) -> None:
    twin = pack_of(ledger, given.ROUND, tmp_path / "twin.zip", "--redact", "patrons")
    ran = go_says(program, tmp_path, twin, key)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert " and 2 hashes proved" in ran.stdout

    def lie(manifest: dict[str, list[dict[str, object]]]) -> None:
        item = next(each for each in manifest["facts"] if not each["shown"])
        item["leaf"] = f"{'0' * 63}1"

    ran = go_says(program, tmp_path, changed(twin, in_json("manifest.json", lie)), key)
    assert (ran.returncode, ran.stdout[:8]) == (4, "REFUSED:")


def test_the_go_program_is_fifty_lines_beside_its_imports() -> None:
    source = (DOCS / "verify_pack" / "main.go").read_text(encoding="utf-8")
    _, _, program = source.partition("\n)\n\n")
    assert program.startswith("func ")
    assert len(program.splitlines()) <= 50


@built_once
@pytest.mark.parametrize("body", [b"", b"c2sp.org/tlog-proof@v1\n", b"index\n\n"])
def test_the_go_program_refuses_what_is_no_proof(
    program: Path, pack: bytes, key: str, tmp_path: Path, body: bytes
) -> None:
    def spoil(members: dict[str, bytes]) -> None:
        members[next(name for name in sorted(members) if name.startswith("proofs/"))] = body

    ran = go_says(program, tmp_path, changed(pack, spoil), key)
    assert (ran.returncode, ran.stdout[:8], ran.stderr) == (4, "REFUSED:", "")


@built_once
@pytest.mark.parametrize("kind", ["entries/", "proofs/", "checkpoint"])
def test_the_go_program_refuses_a_changed_pack(
    program: Path, pack: bytes, key: str, tmp_path: Path, kind: str
) -> None:
    def spoil(members: dict[str, bytes]) -> None:
        name = next(name for name in sorted(members) if name.startswith(kind))
        body = bytearray(members[name])
        body[len(body) // 3] ^= 1
        members[name] = bytes(body)

    ran = go_says(program, tmp_path, changed(pack, spoil), key)
    assert (ran.returncode, ran.stdout[:8]) == (4, "REFUSED:")
    assert go_says(program, tmp_path, b"none", key).returncode == 4
    assert go_says(program, tmp_path, pack, key[:-4] + "AAAA").returncode == 4
