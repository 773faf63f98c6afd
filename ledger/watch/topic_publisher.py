"""Sends notices to the topic of findings in a thread of its own: no look waits for the broker.

One batch is under way at a time. What it was is known when it ended: taken whole, or refused whole,
and then it is given again. What the topic itself has is never sent again (``FindingsTopic``), so
that an end in the middle doubles nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Final

from ledger.watch.findings_topic import FindingsTopic
from ledger.watch.notices import Notice

CLOSING_SECONDS: Final = 3.0
"""How long the end of a watch waits for what is under way; it stays pending and is sent anew."""


class TopicPublisher:
    """Sends in the background what is handed on.

    Args:
        topic: where to; asked and closed by nobody else while something is under way.
    """

    def __init__(self, topic: FindingsTopic) -> None:
        self.topic = topic
        self._thread: Thread | None = None
        self._batch: list[Notice] = []
        self._error: BaseException | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a batch is under way."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def has_ended(self) -> bool:
        """Whether a batch ended of which nothing was said yet."""
        return self._thread is not None and not self._thread.is_alive()

    def hand_on(self, notices: list[Notice], taken: Callable[[Notice], None]) -> None:
        """Say which notices were taken since, and begin to send the others.

        It returns at once; it is called again, with all that still waits, at the next look.

        Raises:
            WatchFenced, KafkaUnreachable, KafkaDenied: as ``FindingsTopic.send``, of the batch that
                was under way.
        """
        if self.is_busy:
            return
        batch, error, self._batch, self._error = self._batch, self._error, [], None
        self._thread = None
        if error is not None:
            raise error
        for notice in batch:
            taken(notice)
        sent = {notice.key for notice in batch}
        rest = [notice for notice in notices if notice.key not in sent]
        if rest:
            self._batch = rest
            self._thread = Thread(target=self._send, name="findings topic", daemon=True)
            self._thread.start()

    def _send(self) -> None:
        try:
            self.topic.send(self._batch)
        except BaseException as error:  # raised again by the next hand_on, in the watch itself
            self._error = error

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for what is under way; whether it ended.

        Args:
            seconds: at most so long; None: until the broker's own limits end it.
        """
        if self._thread is not None:
            self._thread.join(seconds)
        return not self.is_busy

    def close(self) -> None:
        """Let go of the topic, unless the broker still has not answered."""
        if self.wait(CLOSING_SECONDS):
            self.topic.close()
