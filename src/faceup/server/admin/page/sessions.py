"""Sessions of the operator: a token opens one, and a cookie identifies it. They are kept in memory."""

import secrets
from collections.abc import Iterator
from hashlib import sha256
from hmac import compare_digest
from time import monotonic
from typing import Final

from faceup.server.accounts.credentials import digest
from faceup.server.http.client_address import Scope
from faceup.server.http.rate_limits import RateLimit, RateLimiter
from faceup.server.process.logs import LOG

COOKIE: Final = "faceup_admin"
"""Name of the cookie. Browsers share cookies between the ports of a host, so it differs from the players' cookie."""

LIFETIME: Final = 12 * 3600
"""Seconds after the login at which the operator has to log in again."""

_MAX_SESSIONS: Final = 100

_ATTEMPTS: Final = RateLimit(burst=10, per_second=0.2)
"""Rate of login attempts from one address. With a limit for all addresses, others could lock the operator out."""


class AdminSessions:
    """The sessions of one server process. `token` is the token of the settings."""

    def __init__(self, token: str) -> None:
        self._token = sha256(token.encode()).digest()
        self._attempts = RateLimiter(_ATTEMPTS, "login attempts from this address")
        self._ends: dict[str, float] = {}  # by the hash of the key

    def log_in(self, token: str, source: str) -> str | None:
        """Return the key of a new session; None if the token is wrong.

        Raises:
            RequestError: there were many attempts from this address, as in `ClientAddress.source`.
        """
        self._attempts.take(source)
        if not compare_digest(sha256(token.encode(errors="surrogatepass")).digest(), self._token):
            LOG.warning("a wrong token was entered on the page for administration")
            return None
        LOG.info("logged in to the page for administration")
        now, key = monotonic(), secrets.token_urlsafe(32)
        alive = [(hashed, end) for hashed, end in self._ends.items() if end > now]
        self._ends = {**dict(alive[1 - _MAX_SESSIONS :]), digest(key): now + LIFETIME}
        return key

    def log_out(self, scope: Scope) -> None:
        """End the session of a request."""
        for key in _keys(scope):
            self._ends.pop(digest(key), None)

    def is_logged_in(self, scope: Scope) -> bool:
        """Return whether a request has a session."""
        now = monotonic()
        return any(self._ends.get(digest(key), 0.0) > now for key in _keys(scope))


def session_cookie(key: str, *, secure: bool) -> str:
    """Return the `Set-Cookie` header for a session key. An empty key deletes the cookie."""
    age = LIFETIME if key else 0
    return f"{COOKIE}={key}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{'; Secure' if secure else ''}"


def _keys(scope: Scope) -> Iterator[str]:
    for name, value in scope["headers"]:
        if name == b"cookie":
            for cookie in value.decode("latin-1").split(";"):
                key, _, content = cookie.strip().partition("=")
                if key == COOKIE:
                    yield content
