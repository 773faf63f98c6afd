"""The real S3 server of the tests: `s3_server`, versitygw on a free port, its objects in a folder.

It is built once for a checkout (`infra/s3/server.sh`), starts in a moment, and dies with the worker.
A test that changes objects behind the service's back writes into `objects`.
"""

import ctypes
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.kafka_broker import free_ports

ROOT = Path(__file__).parent.parent
ACCESS, SECRET = "pitledger-tests", "not-a-secret-of-anybody"
BUCKET = "records"
STARTS_WITHIN = 30.0
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class S3Server:
    """A running server: its endpoint, and the folder whose folders are the buckets."""

    endpoint: str
    objects: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a client's environment says of the service and of who asks."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": ACCESS,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """A server that the tests of a worker share: each test has a prefix of its own."""
    build = ["bash", str(ROOT / "infra" / "s3" / "server.sh")]
    binary = subprocess.run(build, capture_output=True, text=True, check=True).stdout.strip()
    place = tmp_path_factory.mktemp("s3")
    (place / BUCKET).mkdir()
    (port,) = free_ports(1)
    server = subprocess.Popen(
        [binary, "--quiet", "--port", f"127.0.0.1:{port}", "posix", str(place)],
        env={"ROOT_ACCESS_KEY": ACCESS, "ROOT_SECRET_KEY": SECRET, "HOME": str(place)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=_die_with_parent,
    )
    try:
        _await(f"http://127.0.0.1:{port}", server)
        yield S3Server(endpoint=f"http://127.0.0.1:{port}", objects=place)
    finally:
        server.kill()
        server.wait()


def _await(endpoint: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers anything."""
    until = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(endpoint, timeout=1).close()
        except urllib.error.HTTPError:
            return  # it refuses who signs nothing: it is there
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError("the S3 server did not start")


@pytest.fixture
def s3(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> S3Server:
    """The server, and an environment that names it and nobody else's credentials."""
    for name in list(os.environ):
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    for name, setting in s3_server.environment.items():
        monkeypatch.setenv(name, setting)
    return s3_server


@pytest.fixture
def bucket(s3: S3Server, request: pytest.FixtureRequest) -> str:
    """An address of the test's own."""
    return f"s3://{BUCKET}/{request.node.name.replace('[', '-').replace(']', '').replace(' ', '-')}"
