"""Forms, as browsers send them."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl

from fastapi import Request

from ledger.web.errors import FormRefused

_FIELDS: Final = 32


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form.

    Raises:
        FormRefused: it is no form, or no text.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    try:
        if kind != "application/x-www-form-urlencoded":
            raise ValueError(kind)
        text = (await request.body()).decode("ascii")
        pairs = parse_qsl(text, True, errors="strict", max_num_fields=_FIELDS)
    except ValueError as error:
        raise FormRefused("What was sent is no form of the desk.") from error
    return dict(pairs)
