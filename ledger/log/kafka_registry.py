"""Which published schema does an id of a foreign registry mean?

A Confluent-compatible registry only resolves ids here: the schema it holds is matched by the
fingerprint of its canonical form with those we published, and the record is framed again with our
id. A definite "no such schema" makes the record unknown; no answer at all stops the ingest, since
not knowing is not unknown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from http.client import HTTPException
from time import monotonic, sleep
from typing import Final
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from ledger.codec import SchemaUnknown, registry
from ledger.log.kafka_errors import RegistryUnavailable
from ledger.log.no_redirect import NoRedirect

ANSWER_BYTES: Final = 1_000_000
"""The longest answer that is read; ours have a few thousand bytes."""
KEPT_IDS: Final = 10_000
"""How many ids are remembered."""
TRIES: Final = 3
HEADER: Final = 5
WRAPPED: Final = b"\x00\xff\xff\xff\xff"
"""Stands before the whole bytes of a record whose unknown id is one of ours by chance; no schema is
ever published under this id, so the ledger calls the record ``unknown_schema`` and keeps it."""

Resolve = Callable[[bytes], bytes]
"""From the bytes of a record to the bytes that are appended."""


def as_published(record: bytes) -> bytes:
    """Without a registry the ids are the published ones."""
    return record


class SchemaRegistry:
    """Resolves the ids of one registry, asking for each only once.

    Args:
        url: its address, without ``/schemas``.
        timeout_seconds: how long it may take to answer, all tries together.
    """

    def __init__(self, url: str, timeout_seconds: float) -> None:
        self.url = url.rstrip("/")
        self._timeout = timeout_seconds
        self._open = build_opener(ProxyHandler({}), NoRedirect()).open
        self._headers: dict[bytes, bytes | None] = {}

    def resolve(self, record: bytes) -> bytes:
        """The record under its published id; as it came where it has no header.

        Raises:
            RegistryUnavailable: the registry gives no usable answer.
        """
        header = record[:HEADER]
        if len(header) < HEADER or header[0]:
            return record
        try:
            own = self._headers[header]
        except KeyError:
            own = self._learn(header)
        if own is not None:
            return own + record[HEADER:]
        known = registry().has_id(int.from_bytes(header[1:], "big"))
        return WRAPPED + record if known else record

    def _learn(self, header: bytes) -> bytes | None:
        if len(self._headers) >= KEPT_IDS:
            self._headers.clear()
        text = self._ask(int.from_bytes(header[1:], "big"))
        own: bytes | None = None
        if text is not None:
            try:
                own = b"\x00" + registry().by_text(text).id.to_bytes(4, "big")
            except SchemaUnknown:
                own = None
        self._headers[header] = own
        return own

    def _ask(self, number: int) -> str | None:
        """The text of a schema; None if the registry says that it has no such Avro schema."""
        url = f"{self.url}/schemas/ids/{number}"
        deadline = monotonic() + self._timeout
        for left in reversed(range(TRIES)):
            try:
                return _schema_in(url, *self._get(url, max(0.1, deadline - monotonic())))
            except (OSError, HTTPException, RegistryUnavailable) as error:
                if not left or monotonic() > deadline - 0.1:
                    problem = error if isinstance(error, RegistryUnavailable) else None
                    raise problem or RegistryUnavailable(url, str(error)) from error
                sleep(min(0.1, self._timeout / 10))
        raise AssertionError("unreachable")

    def _get(self, url: str, timeout: float) -> tuple[int, bytes]:
        """Status and body; a huge or endless body is cut after the limit."""
        request = Request(url, headers={"Accept": "application/vnd.schemaregistry.v1+json"})
        deadline = monotonic() + timeout
        try:
            answer = self._open(request, timeout=timeout)
        except HTTPError as error:
            answer = error
        with answer:
            body = bytearray()
            while len(body) <= ANSWER_BYTES and (part := answer.read1(65_536)):
                body += part
                if monotonic() > deadline:
                    raise TimeoutError("the answer comes too slowly")
            return answer.code, bytes(body)


def _schema_in(url: str, status: int, body: bytes) -> str | None:
    if len(body) > ANSWER_BYTES:
        raise RegistryUnavailable(url, f"more than {ANSWER_BYTES} bytes")
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RegistryUnavailable(url, f"status {status}, and not JSON") from error
    if not isinstance(answer, dict):
        raise RegistryUnavailable(url, f"status {status}, and not an object")
    if status == 404 and answer.get("error_code") in (404, 40403):
        return None
    text = answer.get("schema")
    if status != 200 or not isinstance(text, str):
        raise RegistryUnavailable(url, f"status {status}, and no schema")
    return text if answer.get("schemaType", "AVRO") == "AVRO" else None
