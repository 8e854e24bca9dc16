"""The cookie that holds a session's key."""

from typing import Final

from faceup.server.api.callers import Caller
from faceup.server.people.sessions import LASTS

NAME: Final = "faceup_session"


def session_cookie(key: str, caller: Caller, base_path: str) -> str:
    """The header's value that keeps the key: out of reach of scripts, sent by our own pages and by links to them.

    `Secure` only where the person's browser speaks https, since it would keep none at all on a kitchen table's http.
    """
    secure = "; Secure" if caller.secure else ""
    return f"{NAME}={key}; Path={base_path or '/'}; Max-Age={LASTS // 1000}; HttpOnly; SameSite=Lax{secure}"


def no_cookie(caller: Caller, base_path: str) -> str:
    """The header's value that takes the key away."""
    secure = "; Secure" if caller.secure else ""
    return f"{NAME}=; Path={base_path or '/'}; Max-Age=0; HttpOnly; SameSite=Lax{secure}"


def key_shown(headers: dict[bytes, bytes]) -> str | None:
    """The key that a request shows: a bearer token before a cookie; None if it shows none.

    >>> key_shown({b"authorization": b"Bearer abc"}), key_shown({b"cookie": b"a=1; faceup_session=xyz"}), key_shown({})
    ('abc', 'xyz', None)
    """
    authorization = headers.get(b"authorization", b"").decode("latin-1")
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    for cookie in headers.get(b"cookie", b"").decode("latin-1").split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == NAME and value:
            return value
    return None
