"""Forms, as browsers send them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from fastapi import Request

from ledger.kernel.quick_dataclass import dataclass
from ledger.web.errors import FormRefused

_FIELDS: Final = 400
PROOF: Final = ("pass_phrase", "code", "passkey")
"""Fields that prove who sends a form."""
OWN: Final = frozenset({"token", "id", *PROOF})
"""Fields of every form that say nothing of the act."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form that a browser sent.

    Attributes:
        fields: what was entered, by name.
        path: the parts of the address that vary.
        address: where it was sent.
    """

    fields: Mapping[str, str]
    path: Mapping[str, str]
    address: str

    def text(self, name: str) -> str:
        """A field; empty where nothing was entered."""
        return self.fields.get(name, "").strip()

    def proof(self) -> dict[str, str]:
        """What proves who sent it, as the writer takes it."""
        return {name: self.fields.get(name, "") for name in PROOF}

    def entered(self) -> dict[str, str]:
        """What the act is made of."""
        return {name: text for name, text in self.fields.items() if name not in OWN}


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
