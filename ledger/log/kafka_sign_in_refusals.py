"""Read what a broker says before it closes the connection.

A broker that refuses a sign-in says so and closes the connection. Where both arrive at once,
kafka-python 3.0 throws the words away and tells of a lost connection, so that a wrong password
looks like a broker that is down.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps


def read_closing_words() -> None:
    """Have the library read what came with the end of a connection, before it sees the end."""
    from kafka.net.transport import KafkaSSLTransport, KafkaTCPTransport

    for kind in (KafkaTCPTransport, KafkaSSLTransport):
        if not hasattr(kind._sock_recv, "__wrapped__"):
            kind._sock_recv = _words_before_end(kind._sock_recv)


def _words_before_end(
    receive: Callable[[object], tuple[bytes, object]],
) -> Callable[[object], tuple[bytes, object]]:
    @wraps(receive)
    def received(transport: object) -> tuple[bytes, object]:
        words, end = receive(transport)
        return words, None if words else end  # the end is met again by the next look

    return received
