"""An answer comes from the address that was asked, or not at all."""

from __future__ import annotations

from urllib.request import HTTPRedirectHandler


class NoRedirect(HTTPRedirectHandler):
    """For ``urllib.request.build_opener``: what sends elsewhere is no answer."""

    def redirect_request(self, *_: object) -> None:
        """Follow nothing."""
