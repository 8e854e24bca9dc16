"""Whether a request that changes something was made by a page of ours, or by no page at all.

Another site's page can make a browser send our cookie only from within that browser, and browsers say where a request
comes from: `Sec-Fetch-Site` on secure pages, `Origin` on every request that is not a plain look, WebSockets among them.
So no token has to be carried in forms. Programs send neither, and carry a key of their own. The cookie is SameSite=Lax
and bodies are JSON, which no form can send: each alone would do.
"""

from collections.abc import Container
from typing import Final

from faceup.server.api.callers import Caller
from faceup.server.api.errors import Denied

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing here."""


def check_origin(headers: dict[bytes, bytes], caller: Caller, ours: Container[str] = ()) -> None:
    """Raise `Denied` ("foreign") unless the request comes from a page of this server, or from no page.

    Args:
        headers: of the request, names in small letters.
        caller: how this server was called.
        ours: other origins at which people know it, such as the public address.

    >>> check_origin({b"origin": b"https://a.org"}, Caller("1.2.3.4", "https", "a.org"))
    >>> check_origin({b"origin": b"https://b.org"}, Caller("1.2.3.4", "https", "a.org"))
    Traceback (most recent call last):
    faceup.server.api.errors.Denied: this was sent by a page of 'https://b.org', and this server is 'https://a.org'
    """
    origin = headers.get(b"origin")
    if origin is not None:
        said = origin.decode("latin-1").lower()
        if said != caller.origin.lower() and said not in ours:
            # A proxy that does not say by which name and scheme people call us is found out by this sentence.
            raise Denied("foreign", f"this was sent by a page of {said[:100]!r}, and this server is {caller.origin!r}")
    if headers.get(b"sec-fetch-site", b"none") not in {b"same-origin", b"none"}:
        raise Denied("foreign", "this was sent by a page of another site")
