"""How the brokers of a cluster reach each other, and how one of them is cut off from the rest.

Three kinds: loopback, which cannot be cut; network namespaces, where the link of a broker is set
down and its packets vanish (needs privilege); and a proxy before each broker, which drops or delays
what goes to a broker and comes from it, and needs none.

Nothing outlives the process: a namespace has no name, only descriptors of this process and the
brokers in it hold it, and the last of them takes its links along.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

from tests.kafka_broker import free_ports

NODES: Final = (1, 2, 3)
CLOSE_SECONDS: Final = 10
_CLONE_NEWNET: Final = 0x40000000
_CHUNK: Final = 65_536


class Address(NamedTuple):
    """Where a broker serves clients and brokers, and where its controller serves the others."""

    host: str
    port: int
    controller_port: int

    @property
    def clients(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def controllers(self) -> str:
        return f"{self.host}:{self.controller_port}"


class Loopback:
    """All brokers on 127.0.0.1; no broker can be cut off."""

    name = "loopback"

    def __init__(self) -> None:
        ports = iter(free_ports(2 * len(NODES)))
        self.bound = {node: Address("127.0.0.1", next(ports), next(ports)) for node in NODES}
        """Where the process of a broker listens."""
        self.reached = dict(self.bound)
        """Where everybody else reaches it."""

    def command(self, _node: int) -> list[str]:
        """What stands before the command of a broker."""
        return []

    def started(self, node: int, pid: int) -> None:
        """A broker runs as this process."""

    def cut(self, node: int) -> None:
        """Cut a broker off from clients and brokers."""
        raise NotImplementedError(f"{self.name} cannot be cut")

    def delay(self, node: int, seconds: float) -> None:
        """Hold back what goes to a broker, or comes from it."""
        raise NotImplementedError(f"{self.name} cannot be delayed")

    def mend(self, node: int) -> None:
        """End the cut, or the delay."""

    def close(self) -> None:
        """Let go of everything."""


# ---------------------------------------------------------------- namespaces


class Namespaces(Loopback):
    """A namespace for each broker, its link plugged into a switch in a namespace of its own."""

    name = "network namespaces"

    def __init__(self) -> None:
        unique = uuid4()
        self._link = f"pl{unique.hex[:8]}"
        subnet = f"198.18.{unique.bytes[0]}"  # RFC 2544: for tests of networks, never routed
        self._spaces = {name: _new_namespace() for name in ("switch", *map(str, NODES))}
        try:
            self._plug(subnet)
        except BaseException:
            self.close()
            raise
        self.bound = {node: Address(f"{subnet}.{node}", 9092, 9093) for node in NODES}
        self.reached = dict(self.bound)

    def _plug(self, subnet: str) -> None:
        self._ip("switch", "link add bridge type bridge")
        self._ip("switch", "link set bridge up")
        for node in NODES:
            space = str(node)
            self._ip(
                "switch", f"link add port{node} type veth peer name wire netns {self._path(space)}"
            )
            self._ip("switch", f"link set port{node} master bridge up")
            self._ip(space, f"addr add {subnet}.{node}/24 dev wire")
            self._ip(space, "link set wire up")
            self._ip(space, "link set lo up")
        self._ip(
            "switch",
            f"link add out type veth peer name {self._link} netns /proc/{os.getpid()}/ns/net",
        )
        self._ip("switch", "link set out master bridge up")
        _run("ip", "addr", "add", f"{subnet}.254/24", "dev", self._link)
        _run("ip", "link", "set", self._link, "up")

    def _path(self, space: str) -> str:
        return f"/proc/{os.getpid()}/fd/{self._spaces[space]}"

    def _ip(self, space: str, words: str) -> None:
        _run("nsenter", f"--net={self._path(space)}", "ip", *words.split())

    def command(self, node: int) -> list[str]:
        """What stands before the command of a broker."""
        return ["nsenter", f"--net={self._path(str(node))}"]

    def cut(self, node: int) -> None:
        """Set the link of a broker down: its packets vanish, and nobody is told."""
        self._ip("switch", f"link set port{node} down")

    def mend(self, node: int) -> None:
        """Set the link up again."""
        self._ip("switch", f"link set port{node} up")

    def close(self) -> None:
        """Let go of the namespaces: with the last process in it each goes, and its links with it."""
        for descriptor in self._spaces.values():
            os.close(descriptor)
        self._spaces = {}
        deadline = time.monotonic() + CLOSE_SECONDS
        while Path("/sys/class/net", self._link).exists():
            if time.monotonic() > deadline:
                raise OSError(f"{self._link} is still there")
            time.sleep(0.02)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")


def _new_namespace() -> int:
    """A descriptor of a new network namespace; the thread that makes it ends with the call."""
    libc = ctypes.CDLL(None, use_errno=True)

    def unshare() -> int:
        if libc.unshare(_CLONE_NEWNET):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(unshare).result()


@cache
def why_no_namespaces() -> str | None:
    """Why this machine, or this user, cannot have namespaces; None when all of it works."""
    try:
        network = Namespaces()
    except OSError as problem:
        return str(problem)
    try:
        network.cut(1)
        network.mend(1)
    except OSError as problem:
        return str(problem)
    finally:
        network.close()
    return None


# ---------------------------------------------------------------- proxies


class Proxies(Loopback):
    """A proxy before each port of each broker; it knows a broker that calls by its process."""

    name = "proxies"

    def __init__(self) -> None:
        super().__init__()
        ports = iter(free_ports(2 * len(NODES)))
        self.reached = {node: Address("127.0.0.1", next(ports), next(ports)) for node in NODES}
        self._pids: dict[int, int] = {}
        self._cut: set[int] = set()
        self._delays: dict[int, float] = {}
        self._pairs: set[_Pair] = set()
        self._servers: list[asyncio.Server] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._do(self._listen())

    def started(self, node: int, pid: int) -> None:
        """A broker runs as this process."""
        self._pids[node] = pid

    def cut(self, node: int) -> None:
        """Drop the connections from and to a broker, and every new one."""
        self._cut.add(node)
        self._do(self._drop(node))

    def delay(self, node: int, seconds: float) -> None:
        """Hold back each piece that goes to a broker, or comes from it, for so long."""
        self._delays[node] = seconds

    def mend(self, node: int) -> None:
        """End the cut, or the delay."""
        self._cut.discard(node)
        self._delays.pop(node, None)

    def close(self) -> None:
        """End all connections and the thread."""

        async def end() -> None:
            for server in self._servers:
                server.close()
            while self._pairs:
                for pair in self._pairs:
                    pair.close()
                await asyncio.sleep(0.01)

        self._do(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _listen(self) -> None:
        for node in NODES:
            bound, reached = self.bound[node], self.reached[node]
            for behind, before in (
                (bound.port, reached.port),
                (bound.controller_port, reached.controller_port),
            ):
                taker = self._taker(node, behind)
                self._servers.append(await asyncio.start_server(taker, "127.0.0.1", before))

    def _taker(
        self, node: int, port: int
    ) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]:
        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            ends = {node, self._caller(writer.get_extra_info("peername")[1])}
            pair = _Pair(ends, writer)
            self._pairs.add(pair)
            try:
                if ends & self._cut:
                    return
                onward, back = await asyncio.open_connection("127.0.0.1", port)
                pair.writers.append(back)
                await asyncio.gather(
                    self._pump(reader, back, ends), self._pump(onward, writer, ends)
                )
            except OSError:
                return  # the broker is away, or one side hung up: so does the other
            finally:
                pair.close()
                self._pairs.discard(pair)

        return take

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ends: set[int]
    ) -> None:
        while piece := await reader.read(_CHUNK):
            wait = max(self._delays.get(node, 0) for node in ends)
            if wait:
                await asyncio.sleep(wait)
            if ends & self._cut:
                return
            writer.write(piece)
            await writer.drain()
        writer.close()

    async def _drop(self, node: int) -> None:
        for pair in list(self._pairs):
            if node in pair.ends:
                pair.close()

    def _caller(self, port: int) -> int:
        """Which broker calls from a port; 0 when it is none of them."""
        inode = _inode_of(port)
        for node, pid in self._pids.items():
            with suppress(OSError):  # a broker that has just been killed calls nobody
                for link in Path(f"/proc/{pid}/fd").iterdir():
                    with suppress(OSError):  # a descriptor may be closed while we look
                        if os.readlink(link) == f"socket:[{inode}]":
                            return node
        return 0


class _Pair:
    """Both halves of a connection through a proxy, and the brokers at its ends."""

    def __init__(self, ends: set[int], writer: asyncio.StreamWriter) -> None:
        self.ends = ends
        self.writers = [writer]

    def close(self) -> None:
        for writer in self.writers:
            writer.transport.abort()


def _inode_of(port: int) -> str | None:
    """The socket that is bound to a port of loopback, as the system numbers it."""
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        words = line.split()
        if int(words[1].rpartition(":")[2], 16) == port and words[9] != "0":
            return words[9]
    return None
