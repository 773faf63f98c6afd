"""Why facts cannot honestly be sent to Kafka or taken from it: one class per reason."""

from __future__ import annotations

from typing import Final

from ledger.kernel import IntegrityBroken, SourceUnavailable

_NOTHING_LOST: Final = "what was recorded is kept; nothing more was taken from the topic"


class KafkaSettingsWrong(SourceUnavailable):
    """The settings of the broker or the registry cannot work."""

    code = "kafka_settings"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The settings for Kafka cannot work: {problem}.", next_step="pitledger config show"
        )


class KafkaUnreachable(SourceUnavailable):
    """No broker answers, or not in time."""

    code = "kafka_unreachable"

    def __init__(self, doing: str, where: str, problem: str) -> None:
        super().__init__(
            f"No broker answers: {doing} came to nothing.",
            where=where,
            cause=f"the broker is down, slow or elsewhere ({problem})",
            next_step="start it (make kafka-up), or name another with --bootstrap; then repeat: "
            "what was acknowledged is kept, and is not done twice",
        )


class KafkaDenied(SourceUnavailable):
    """The broker does not know us, or does not allow it."""

    code = "kafka_denied"

    def __init__(self, doing: str, where: str, problem: str) -> None:
        super().__init__(
            f"The broker refuses: {doing}.",
            where=where,
            cause=f"a wrong name or password, or a missing right ({problem})",
            next_step="check the principal's password and rights",
        )


class TopicsMissing(SourceUnavailable):
    """Topics that must be there are not."""

    code = "kafka_topic_missing"

    def __init__(self, topics: list[str], where: str) -> None:
        super().__init__(
            f"The broker has no topic {', '.join(topics)}.",
            where=where,
            cause="another topic prefix, another broker, or topics that were never made or deleted",
            next_step="make kafka-up makes the topics; or name the prefix with --topic-prefix",
        )


class RecordTooLong(SourceUnavailable):
    """A record is longer than a topic takes."""

    code = "kafka_record_too_long"

    def __init__(self, position: int, length: int, limit: int) -> None:
        super().__init__(
            f"The entry has {length} bytes, and no more than {limit} can be sent as one record.",
            where=f"position {position}",
            cause="quarantined bytes can be longer than any fact",
            next_step="raise max.message.bytes of the topics and record_bytes of the settings; "
            "what stands before this position was sent",
        )


class RecordUnreadable(IntegrityBroken):
    """The broker hands out a record that its own format does not allow."""

    code = "kafka_record_unreadable"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"A record of the topic cannot be read: {problem}.",
            where=where,
            cause="a damaged log of the broker, or a client that writes headers wrongly",
            next_step=f"look at it with another client; {_NOTHING_LOST}",
        )


class SourceReplaced(IntegrityBroken):
    """The topic is not the one that the ledger was taken from."""

    code = "source_replaced"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"This is not the topic that the ledger was taken from: {problem}.",
            where=where,
            cause="the topic was deleted and made again, or restored from elsewhere; or its ids "
            "need the registry that was named before",
            next_step="find out who replaced it; a new topic needs another prefix, or another "
            f"ledger; {_NOTHING_LOST}",
        )


class SourceTruncated(IntegrityBroken):
    """The topic ends before what the ledger has from it."""

    code = "source_truncated"

    def __init__(self, where: str, end: int) -> None:
        super().__init__(
            f"The topic ends at offset {end}, before what the ledger has from it.",
            where=where,
            cause="records were cut off, or the topic was deleted and made again",
            next_step=f"find out who did it, and restore the topic; {_NOTHING_LOST}",
        )


class SourceNotRetained(IntegrityBroken):
    """The topic begins after the next record that the ledger needs."""

    code = "source_not_retained"

    def __init__(self, where: str, begin: int) -> None:
        super().__init__(
            f"The next record is gone: the topic begins at offset {begin}.",
            where=where,
            cause="records were deleted, or expired, before they were ingested",
            next_step="restore them, or append what they said from another copy; topics of facts "
            f"must not expire; {_NOTHING_LOST}",
        )


class SourceGap(IntegrityBroken):
    """Offsets are missing in the middle of a topic."""

    code = "source_gap"

    def __init__(self, where: str, offset: int) -> None:
        super().__init__(
            f"Records are missing: from here the topic goes on at offset {offset}.",
            where=where,
            cause="a topic that is compacted, or written with transactions; ours are neither",
            next_step="look at the topic's settings and writers; what stands before is recorded",
        )


class RegistryUnavailable(SourceUnavailable):
    """The schema registry gives no usable answer."""

    code = "registry_unavailable"

    def __init__(self, url: str, problem: str) -> None:
        super().__init__(
            f"The schema registry gives no usable answer: {problem}.",
            where=url,
            cause="it is down or slow, or the address is not that of a registry",
            next_step="check the address and try again; nothing was recorded without its answer",
        )
