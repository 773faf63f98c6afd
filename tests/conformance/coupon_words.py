"""The prose of coupon cases: places of storage, offices, papers, and where a coupon went."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterable
from typing import Any, Final, TypeVar

from ledger import events
from tests.conformance import words
from tests.conformance.keys import NotTranslatable

T = TypeVar("T")
Patterns = Iterable[tuple[str, T]]

_ABOVE: Final = r"supervisor|manager|director|head|chief"
_NOT: Final = r"\b(?:not|never|without|except|excluding|excepting|other than|but for)\b"


def named(patterns: Patterns[T], word: Any, subject: str) -> T:
    """What the first pattern stands for that a word contains.

    Raises:
        NotTranslatable: none does.
    """
    text = str(word).lower()
    for pattern, meaning in patterns:
        if re.search(pattern, text):
            return meaning
    raise NotTranslatable(f"not a word for {subject}: {word!r}")


def all_named(patterns: Patterns[T], listed: Any, subject: str) -> tuple[T, ...]:
    """What each of several words stands for; "everything" is all of it."""
    several = [listed] if isinstance(listed, str) else listed or ()
    known = tuple(patterns)
    if any(re.fullmatch(r"all|everything", str(word).lower()) for word in several):
        return tuple(meaning for _, meaning in known)
    return tuple(named(known, word, subject) for word in several)


def deviation_receiver(word: str) -> events.DeviationReceiver | None:
    """Whom § 525.21(e) wants to be told; None for anybody else."""
    text = word.lower()
    if "compliance" in text:
        return events.DeviationReceiver.BUREAU_OF_CASINO_COMPLIANCE
    if "finance" in text and re.search(_ABOVE, text):
        return events.DeviationReceiver.FINANCE_SUPERVISOR
    return None


def approved_area(text: str) -> bool:
    """Whether words say that a storage area is approved, by the bureau whose approval it needs."""
    if re.search(r"unapproved|pending|approval", text) or re.search(
        rf"{_NOT}[^,;]*\bapproved", text
    ):
        return False
    by = re.search(r"approved by ([^,;]*)", text)
    return "approved" in text and (by is None or "compliance" in by[1].lower())


def is_locked(text: str) -> bool:
    """Whether words say that a storage area is locked."""
    return "locked" in text and not re.search(rf"unlocked|left open|{_NOT}[^,;]*\blocked", text)


def covered(listed: Any) -> tuple[events.CouponHolder, ...]:
    """Whose coupons an inventory covers, by the words that say so."""
    text = " and ".join(listed) if isinstance(listed, list) else str(listed or "")
    text = re.sub(r"not (yet )?distributed", "undistributed", text.lower())
    inside, *outside = re.split(_NOT, text)
    holders = {"finance": events.CouponHolder.FINANCE, "marketing": events.CouponHolder.MARKETING}
    whole = re.search(r"\b(all|every\w*|undistributed)\b", inside) and not any(
        word in inside for word in holders
    )
    return tuple(
        holder for word, holder in holders.items()
        if (whole or word in inside) and not any(word in part for part in outside)
    )  # fmt: skip


def dated(word: Any) -> str:
    """A month as 2012-08 or a quarter as 2012-Q3, in whatever order it is written."""
    text = str(word).strip()
    year, quarter = re.search(r"\b\d{4}", text), re.search(r"(?i)q\s*([1-4])\b", text)
    if year and quarter:
        return f"{year[0]}-Q{quarter[1]}"
    named_month = (n for n in range(1, 13) if month_name[n].lower() in text.lower())
    number = next(named_month, None)
    return f"{year[0]}-{number:02d}" if year and number else text


def cancel_method(word: Any) -> events.CancelMethod:
    """How coupons were cancelled; in the computer system, as is due, where a case does not say."""
    if word is None:
        return events.CancelMethod.ELECTRONIC
    text = str(word).lower()
    electronic = re.search(r"electronic|computer|system", text) and not re.search(_NOT, text)
    return events.CancelMethod.ELECTRONIC if electronic else events.CancelMethod.PHYSICAL


def role(word: Any) -> events.Role | None:
    """A person's function at a table; one that facts have no word for is none of theirs."""
    if word is None:
        return None
    try:
        return words.role(word)
    except NotTranslatable:
        return events.Role.UNRECOGNISED


_STATUSES: Final = (
    (r"unknown serial without series", "unknown_serial_without_series"),
    (r"unknown|never received|counterfeit", "unknown_serial"),
    (r"void", "voided"),
    (r"redeemed|cancel", "redeemed"),
    (r"marketing", "held_by_marketing"),
    (r"finance|stock|returned", "in_finance_stock"),
    (r"mailed", "mailed"),
    (r"distributed|live|patron", "distributed"),
)


def named_status(word: Any) -> str:
    """Where a coupon was before a case, in the word of the examples."""
    text = re.sub(r"(not yet|never|un) ?distributed", "held by marketing", plain_text(word))
    return named(_STATUSES, text, "where a coupon was")


def plain_text(word: Any) -> str:
    """Words with blanks, in lower case."""
    return str(word).lower().replace("_", " ")


GIVEN_BACK: Final = "given_back_to_patron"
_BOX_OF: Final = re.compile(r"box[_ ](?:of|at)[_ ](?:table[_ ])?([A-Za-z0-9-]+)")


def whereabouts(word: Any, table: str) -> str | None:
    """Where a coupon went at the settlement: given back, or the table whose box it lies in.

    None: neither is said.
    """
    text = plain_text(word)
    if word is None or re.search(_NOT, text) or "already" in text:
        return None
    if box := _BOX_OF.search(str(word)):
        return box[1]
    if re.search(r"(given|handed|went|goes) back|returned", text):
        return GIVEN_BACK
    return table if re.search(r"dropped|deposited|\bin (the |its )?(drop )?box\b", text) else None
