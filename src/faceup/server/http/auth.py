"""Authentication by session cookies and bearer tokens, with a cache of identities.

The key in a cookie or token is looked up in the database once, and the identity is then cached for a short time. Every
server process reads new revocations from the database each second, removes the revoked sessions, tokens and players
from its cache, and closes their connections.
"""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

from faceup.server.accounts.credentials import Identity, digest
from faceup.server.accounts.errors import ForbiddenError, UnauthenticatedError
from faceup.server.accounts.revocations import revoked_since, subject_of
from faceup.server.accounts.sessions import DAY, SESSION_LIFETIME, resolve_session, touch_session
from faceup.server.accounts.tokens import PREFIX, resolve_token
from faceup.server.http.client_address import ClientAddress
from faceup.server.moderation.bans import AddressBans, address_bans, banned
from faceup.server.process.periodic import FailureIsolation, PeriodicTask
from faceup.server.rooms.wire import SESSION_COOKIE
from faceup.server.store import Store, UnavailableError

CACHED_COOKIE: Final = "faceup_cached"
"""Name of the cookie with the version of the page's files that the browser has seen. It identifies no player."""


def session_cookie(key: str, caller: ClientAddress, base_path: str) -> str:
    """Return the `Set-Cookie` header for a session key. An empty key deletes the cookie.

    The attribute `Secure` is set only with https, because browsers ignore secure cookies from a server that uses http,
    as servers in a local network do.
    """
    return _cookie(SESSION_COOKIE, key, SESSION_LIFETIME if key else 0, caller, base_path)


def cached_cookie(seen: str, caller: ClientAddress, base_path: str) -> str:
    """Return the `Set-Cookie` header with the version of the page's files, and the areas that the browser has seen."""
    return _cookie(CACHED_COOKIE, seen, SESSION_LIFETIME, caller, base_path)


def _cookie(name: str, value: str, age: int, caller: ClientAddress, base_path: str) -> str:
    """Return the `Set-Cookie` header of a cookie that is kept for `age` milliseconds."""
    secure = "; Secure" if caller.secure else ""
    return f"{name}={value}; Path={base_path or '/'}; Max-Age={age // 1000}; HttpOnly; SameSite=Lax{secure}"


def key_of_request(headers: dict[bytes, bytes]) -> str | None:
    """Return the key of a request from the bearer token, or else from the session cookie, or else None.

    >>> key_of_request({b"authorization": b"Bearer abc"}), key_of_request({b"cookie": b"a=1; faceup_session=xyz"})
    ('abc', 'xyz')
    >>> key_of_request({}) is None
    True
    """
    authorization = headers.get(b"authorization", b"").decode("latin-1")
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    for cookie in headers.get(b"cookie", b"").decode("latin-1").split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == SESSION_COOKIE and value:
            return value
    return None


CACHE_SIZE: Final = 20_000
"""The maximum number of cached keys."""

CACHE_TTL: Final = 30_000
"""How long an identity is cached, in milliseconds. A new name reaches all server processes within this time."""

REVOCATION_OVERLAP: Final = 30_000
"""Milliseconds before the last poll from which revocations are read again.

Revocations that other processes wrote may become visible late.
"""


_ADDRESS: Final = subject_of("address", "")


class Closable(Protocol):
    """A live connection that can be ended when its session or token is revoked, or its address banned."""

    def revoke_access(self) -> None:
        """End the connection, because its session or token was revoked, or its address banned."""
        ...


class _CachedIdentity(NamedTuple):
    identity: Identity
    until: int


class AuthCache:
    """A cache of the identities that belong to keys, and of the banned addresses. Each server process has its own.

    Args:
        store: the database.
        on_revoked: called with all subjects of new revocations.
    """

    def __init__(self, store: Store, on_revoked: Callable[[Sequence[str]], Awaitable[None]]) -> None:
        self._store = store
        self._on_revoked = on_revoked
        self._known: OrderedDict[str, _CachedIdentity] = OrderedDict()
        self._keys: defaultdict[str, set[str]] = defaultdict(set)
        self._connected: defaultdict[str, set[Closable]] = defaultdict(set)
        self._address_bans = AddressBans()
        self._read: set[int] = set()
        self._since = 0
        self._failures = FailureIsolation("revocations", store.metrics)
        self._polling = PeriodicTask("poll for revocations", self._poll_revocations, 1, store.metrics)
        self._touches: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Read the banned addresses, and start to poll the database for revocations."""
        # A ban that another process is just storing may be missing in the list, so that its revocation is read later.
        self._since = self._store.now() - REVOCATION_OVERLAP
        self._address_bans = await self._store.query(address_bans)
        await self._polling.start()

    async def stop(self) -> None:
        """Stop polling the database for revocations."""
        await self._polling.stop()

    async def identify(self, key: str) -> Identity | None:
        """Return the identity of a key; None if the key is invalid. Raises `BannedError` if the player is banned."""
        now = self._store.now()
        hashed = digest(key)
        cached = self._known.get(hashed)
        if cached is not None and cached.until > now:
            return cached.identity
        if key.startswith(PREFIX):
            identity = await self._store.query(lambda connection: resolve_token(connection, now, hashed))
        else:
            identity = await self._store.query(lambda connection: resolve_session(connection, now, hashed))
        if identity is None:
            return None
        if identity.seen and identity.seen < now - DAY:
            self._touch(hashed, now)
        self._remember(hashed, identity, now)
        return identity

    def require_not_banned(self, source: str) -> None:
        """Raise `BannedError` if an address, as in `ClientAddress.source`, is banned."""
        if (ban := self._address_bans.find(source, self._store.now())) is not None:
            raise banned(ban)

    def forget(self, *subjects: str) -> None:
        """Remove the identities of the subjects from the cache, because their name or permissions changed."""
        for subject in subjects:
            for hashed in self._keys.pop(subject, ()):
                self._known.pop(hashed, None)

    def revoked(self, *subjects: str) -> None:
        """Remove the identities of revoked subjects from the cache and close their connections."""
        self.forget(*subjects)
        for subject in subjects:
            for connected in tuple(self._connected.get(subject, ())):
                with self._failures.isolate("a connection"):
                    connected.revoke_access()

    def connect(self, subjects: Iterable[str], connected: Closable) -> None:
        """Register a connection, which is closed if one of the subjects is revoked."""
        for subject in subjects:
            self._connected[subject].add(connected)

    def disconnect(self, subjects: Iterable[str], connected: Closable) -> None:
        """Unregister a connection."""
        for subject in subjects:
            self._connected[subject].discard(connected)
            if not self._connected[subject]:
                del self._connected[subject]

    def _remember(self, hashed: str, identity: Identity, now: int) -> None:
        self._known[hashed] = _CachedIdentity(identity, now + CACHE_TTL)
        for subject in identity.subjects:
            self._keys[subject].add(hashed)
        while len(self._known) > CACHE_SIZE:
            oldest, cached = self._known.popitem(last=False)
            for subject in cached.identity.subjects:
                keys = self._keys.get(subject, set())
                keys.discard(oldest)
                if not keys:
                    self._keys.pop(subject, None)

    def _touch(self, hashed: str, now: int) -> None:
        async def touch() -> None:
            with suppress(UnavailableError):  # a later request records the use of the session
                await self._store.write(lambda connection: touch_session(connection, now, hashed))

        task = asyncio.create_task(touch())
        self._touches.add(task)
        task.add_done_callback(self._touches.discard)

    async def _poll_revocations(self) -> None:
        now = self._store.now()
        revoked = await self._store.query(lambda connection: revoked_since(connection, self._since))
        subjects = tuple([subject for number, subject in revoked if number not in self._read])
        if any(subject.startswith(_ADDRESS) for subject in subjects):
            self._address_bans = await self._store.query(address_bans)
            self.revoked(*self._banned_subjects(now))
        self.revoked(*subjects)
        await self._on_revoked(subjects)
        self._read = {number for number, _ in revoked}
        self._since = max(self._since, now - REVOCATION_OVERLAP)

    def _banned_subjects(self, now: int) -> list[str]:
        """Return the addresses with connections that are banned, possibly with their networks."""
        connected = [subject for subject in self._connected if subject.startswith(_ADDRESS)]
        return [owner for owner in connected if self._address_bans.find(owner.removeprefix(_ADDRESS), now) is not None]


def require(identity: Identity | None, scope: str) -> Identity:
    """Return the identity if it has the scope.

    Raises:
        UnauthenticatedError: there is no identity.
        ForbiddenError: the identity does not have the scope.
    """
    if identity is None:
        raise UnauthenticatedError("a session or token is required: POST /api/session creates a guest with a session")
    if scope not in identity.scopes:
        raise ForbiddenError(f"the request requires the scope {scope!r}, which this token does not have")
    return identity
