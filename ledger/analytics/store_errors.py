"""Why files at an address cannot be read or written: one class per reason."""

from __future__ import annotations

from ledger.kernel import IntegrityBroken, SourceUnavailable, UsageError


class StoreAddressWrong(UsageError):
    """The text is no address, or one that holds what must not stand on a command line."""

    code = "store_address_wrong"

    def __init__(self, shown: str, problem: str) -> None:
        super().__init__(
            f"This address cannot be used: {problem}.",
            where=shown,
            next_step="name a folder, or an address such as s3://bucket/archive; credentials come"
            " from the environment or a profile",
        )


class StoreLibraryMissing(SourceUnavailable):
    """The library for addresses of this kind is not installed."""

    code = "store_library_missing"

    def __init__(self, shown: str, problem: str) -> None:
        super().__init__(
            f"The library for such an address is not installed: {problem}.",
            where=shown,
            next_step="pip install 'pitledger[s3]' for s3://",
        )


class StoreUnreachable(SourceUnavailable):
    """The service does not answer in time, or answers with an error of its own."""

    code = "store_unreachable"

    def __init__(self, shown: str, problem: str) -> None:
        super().__init__(
            f"The address cannot be reached: {problem}.",
            where=shown,
            cause="the service is down, its endpoint (AWS_ENDPOINT_URL) or region is another, or"
            " the network is closed",
            next_step="repeat when it answers; what was published stands",
        )
        self.reason = problem


class StoreDenied(SourceUnavailable):
    """The service knows no credentials of ours, or they do not allow it."""

    code = "store_denied"

    def __init__(self, shown: str, problem: str) -> None:
        super().__init__(
            f"The service refuses access: {problem}.",
            where=shown,
            next_step="for S3 set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, of"
            " an account that may list, read and, to publish, put objects",
        )


class StoreBucketMissing(SourceUnavailable):
    """There is no such bucket."""

    code = "store_bucket_missing"

    def __init__(self, shown: str) -> None:
        super().__init__(
            "There is no such bucket.",
            where=shown,
            next_step="make it, or check the name and the endpoint; none is made here",
        )


class StoreNotConditional(SourceUnavailable):
    """Objects cannot be put there on the condition that none of the name exists."""

    code = "store_not_conditional"

    def __init__(self, shown: str, problem: str) -> None:
        super().__init__(
            f"Nothing is published there: {problem}.",
            where=shown,
            cause="without If-None-Match, two publishers could replace each other's manifest",
            next_step="name an S3 service that has conditional puts, or a folder",
        )


class StoredObjectAltered(IntegrityBroken):
    """What lies under a name is not what the signed manifest lists."""

    code = "store_object_altered"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"An object is not the one that the signed manifest lists: {problem}.",
            where=where,
            cause="it was changed, cut, exchanged or removed after it was published",
            next_step="keep it for whoever looks into it; publish the day again at another address",
        )
        self.reason = problem
