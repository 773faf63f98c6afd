"""A sample of what workers sent, judged again here: whoever alters results is caught with a chance.

The sample is drawn when every result is in and fixed by the manifest's hash, from a secret that is
made only then, so no worker can know which of its results will be looked at. Each is judged from
the very states that the worker was given, and the states that it handed on are compared, too: a
result that is right for what it was given hands on what is right. So a false result is caught
wherever in the chain of days it stands, if it is drawn.
"""

from __future__ import annotations

import hmac
import math
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256

from ledger.analytics.day_range.tasks import TaskKey
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The results that are judged again.

    Attributes:
        share: how many of all, as was asked for.
        of: how many results there are.
        secret: from which it was drawn, hexadecimal: with it and the manifest's hash anybody draws
            the same sample.
        keys: which are in it.
    """

    share: Fraction
    of: int
    secret: str
    keys: tuple[TaskKey, ...]


def drawn(share: Fraction, keys: Sequence[TaskKey], manifest_hash: str, secret: bytes) -> Sample:
    """Draw a sample, at least one result where any share is asked for.

    Args:
        share: from 0 to 1.
        keys: the tasks whose results came from workers.
        manifest_hash: of all results.
        secret: bytes that nobody knew while there was work.
    """
    size = min(math.ceil(share * len(keys)), len(keys))

    def place(key: TaskKey) -> bytes:
        text = f"{manifest_hash}\0{key.day.isoformat()}\0{key.table}"
        return hmac.digest(secret, text.encode(), sha256)

    chosen = sorted(sorted(keys, key=place)[:size])
    return Sample(share=share, of=len(keys), secret=secret.hex(), keys=tuple(chosen))


def chance_of_catching(sampled: int, of: int, altered: int) -> Fraction:
    """Return the chance that a sample has at least one of the altered results in it.

    It is no less than ``1 - (1 - share) ** altered``, since nothing is drawn twice.

    Args:
        sampled: how many results are judged again.
        of: how many there are.
        altered: how many of them are false.

    >>> chance_of_catching(5, 100, 1)
    Fraction(1, 20)
    >>> float(round(chance_of_catching(5, 100, 10), 3))
    0.416
    """
    if altered > of:
        return Fraction(1 if sampled else 0)
    return 1 - Fraction(math.comb(of - altered, sampled), math.comb(of, sampled))
