"""What a broker says before it hangs up is heard, also where both come at once."""

from __future__ import annotations

import socket
from types import SimpleNamespace
from typing import Any

import pytest

from ledger.log.kafka_sign_in_refusals import read_closing_words


@pytest.mark.parametrize("words", [b"no such user", b""])
def test_words_come_before_the_end(words: bytes) -> None:
    from kafka.net.transport import KafkaSSLTransport, KafkaTCPTransport

    read_closing_words()
    read_closing_words()  # once is enough, twice does no harm
    for kind in (KafkaTCPTransport, KafkaSSLTransport):
        ours, brokers = socket.socketpair()
        with ours:
            ours.setblocking(False)
            brokers.sendall(words)
            brokers.close()
            transport: Any = SimpleNamespace(_sock=ours)
            if words:
                assert kind._sock_recv(transport) == (words, None)
            heard, end = kind._sock_recv(transport)
            assert heard == b""
            assert "socket disconnected" in str(end)
