"""The setup of a case of Three Dice Football: what it says, on top of what holds for all cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from tests.conformance.keys import NotTranslatable

NESTED: Final = ("dice_set", "limits")
"""Objects of which a case may say only what differs."""
_ALSO: Final = {
    "odds_inscribed": "odds_on_layout",
    "odds_on_the_layout": "odds_on_layout",
    "odds_sign_posted": "odds_sign",
}
_NO: Final = r"\b(no|not|neither|nor|without|lacks|lacking|missing|unapproved|un)\b"


def whole(defaults: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """The setup of one case, every word of it.

    Raises:
        NotTranslatable: ``table`` or ``layout`` is described in a way that cannot be read.
    """
    setup = {_ALSO.get(word, word): value for word, value in said.items()}
    for name in ("layout", "table"):
        about = setup.pop(name, None)
        if isinstance(about, Mapping):
            told = {_LAYOUT.get(word, _ALSO.get(word, word)): v for word, v in about.items()}
            setup = {**told, **setup}
        elif isinstance(about, bool):
            setup["layout_approved"] = about
        elif about is not None:
            setup = {**_in_prose(str(about)), **setup}
    for box in ("drop_box", "tip_box"):
        if box in setup:
            boxes = setup.setdefault("boxes", {})
            boxes |= {} if setup.pop(box) else {box.removesuffix("_box"): None}
    for name in NESTED:
        given, usual = setup.get(name), defaults.get(name)
        if given and isinstance(given, Mapping) and isinstance(usual, Mapping):
            partly = set(given) <= set(usual)
            setup[name] = {**usual, **given} if partly else given
    return {**{name: value for name, value in defaults.items() if name != "table"}, **setup}


_LAYOUT: Final = {
    "approved": "layout_approved",
    "lacks": "layout_lacks",
    "missing": "layout_lacks",
    "odds": "odds_on_layout",
}


def _in_prose(said: str) -> dict[str, Any]:
    """A table in words: "FB-01, opened with approved layout and odds inscribed; drop box in place"."""
    setup: dict[str, Any] = {}
    for part in re.split(r"[;,.]| and | but | with (?!out)", said.lower()):
        denied = re.search(_NO, part.replace("-", " ")) is not None
        if "drop box" in part:
            setup["drop_box"] = not denied
        elif "tip box" in part:
            setup["tip_box"] = not denied
        elif "sign" in part:
            setup["odds_sign"] = not denied
            if denied and "inscribed" in part:  # "odds neither inscribed nor on a sign"
                setup["odds_on_layout"] = False
        elif "odds" in part:
            setup["odds_on_layout"] = not denied
        elif "layout" in part or "approved" in part:
            setup["layout_approved"] = not denied
        elif denied:
            raise NotTranslatable(f"setup, table: cannot be read: {said!r}")
    return setup
