"""Persons by their references: how a credential or a reference is compared."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

SILENT: Final = frozenset({"Cc", "Cf"})
"""Categories of characters that nobody sees."""


@lru_cache(maxsize=4096)
def person_key(credential: str) -> str:
    """Return a credential as it is compared: without the differences that a reader does not see.

    Args:
        credential: as it was written.

    >>> person_key(" E_1041 ")
    'e-1041'
    """
    seen = "".join(one for one in normalize("NFKC", credential) if category(one) not in SILENT)
    return re.sub(r"[\W_]+", "-", seen.casefold()).strip("-")
