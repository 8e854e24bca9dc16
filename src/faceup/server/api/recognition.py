"""Recognising who asks, quickly, and cutting off whoever may not any more.

A key is looked up in the database once, and remembered for a short while. Every process reads every second whom others
have revoked, forgets them, and ends what they are connected by.
"""

import asyncio
from collections import OrderedDict, defaultdict
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

from faceup.server.people.identity import Identity
from faceup.server.people.keys import digest
from faceup.server.people.refusals import Forbidden, Unknown
from faceup.server.people.revocations import announced_since, player_subject
from faceup.server.people.sessions import DAY, see_session, whose_session
from faceup.server.people.tokens import PREFIX, whose_token
from faceup.server.store import Store, Unavailable

REMEMBERED: Final = 20_000
"""Keys that are remembered at a time."""

FOR: Final = 30_000
"""Milliseconds for which a key is remembered; a new name is known everywhere after them."""

LOOKS_BACK: Final = 30_000
"""Milliseconds: rows of other processes may be seen late, and are read again in so long."""


class Connected(Protocol):
    """A live connection, as far as it can be ended."""

    def cut(self) -> None:
        """End it: whoever it belongs to may not be here any more."""
        ...


class _Known(NamedTuple):
    identity: Identity
    until: int


class Recognition:
    """Who is who, for one process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._keys: defaultdict[str, set[str]] = defaultdict(set)
        self._connected: defaultdict[str, set[Connected]] = defaultdict(set)
        self._read: set[int] = set()
        self._since = 0
        self._watching: asyncio.Task[None] | None = None
        self._noting: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin to read what other processes revoke."""
        self._since = await self._store.now()
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Read no more."""
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching

    async def identify(self, key: str) -> Identity | None:
        """Whose session or token this is; None if it opens nothing. Raises `Forbidden` for a ban."""
        now = await self._store.now()
        hashed = digest(key)
        known = self._known.get(hashed)
        if known is not None and known.until > now:
            return known.identity
        if key.startswith(PREFIX):
            identity = await self._store.query(lambda connection: whose_token(connection, hashed))
        else:
            identity = await self._store.query(lambda connection: whose_session(connection, now, hashed))
        if identity is None:
            return None
        if identity.seen and identity.seen < now - DAY:
            self._note(hashed, now)
        self._remember(hashed, identity, now)
        return identity

    def forget(self, *subjects: str) -> None:
        """Look these up anew: their name or their rights have changed."""
        for subject in subjects:
            for hashed in self._keys.pop(subject, ()):
                self._known.pop(hashed, None)

    def revoked(self, *subjects: str) -> None:
        """Forget these, and end all that is connected by them."""
        self.forget(*subjects)
        for subject in subjects:
            for connected in tuple(self._connected.get(subject, ())):
                connected.cut()

    def connect(self, identity: Identity, connected: Connected) -> None:
        """Note what to end when the identity is revoked."""
        for subject in (identity.subject, player_subject(identity.player)):
            self._connected[subject].add(connected)

    def disconnect(self, identity: Identity, connected: Connected) -> None:
        """The connection is over."""
        for subject in (identity.subject, player_subject(identity.player)):
            self._connected[subject].discard(connected)
            if not self._connected[subject]:
                del self._connected[subject]

    def _remember(self, hashed: str, identity: Identity, now: int) -> None:
        self._known[hashed] = _Known(identity, now + FOR)
        for subject in (identity.subject, player_subject(identity.player)):
            self._keys[subject].add(hashed)
        while len(self._known) > REMEMBERED:
            oldest, known = self._known.popitem(last=False)
            for subject in (known.identity.subject, player_subject(known.identity.player)):
                keys = self._keys.get(subject, set())
                keys.discard(oldest)
                if not keys:
                    self._keys.pop(subject, None)

    def _note(self, hashed: str, now: int) -> None:
        async def note() -> None:
            with suppress(Unavailable):  # another request will note it
                await self._store.write(lambda connection: see_session(connection, now, hashed))

        task = asyncio.create_task(note())
        self._noting.add(task)
        task.add_done_callback(self._noting.discard)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(1)
            since = self._since
            try:
                now = await self._store.now()
                found = await self._store.query(lambda connection: announced_since(connection, since))  # noqa: B023 -- awaited at once
            except Unavailable:
                continue
            self.revoked(*(subject for number, subject in found if number not in self._read))
            self._read = {number for number, _ in found}
            self._since = max(self._since, now - LOOKS_BACK)


def require(identity: Identity | None, scope: str) -> Identity:
    """The identity, if it may. Raises `Unknown` for nobody, `Forbidden` without the scope."""
    if identity is None:
        raise Unknown("nobody is known by this session or token: POST /api/session makes a guest")
    if scope not in identity.scopes:
        raise Forbidden(f"this token may not do that: it has no scope {scope!r}")
    return identity
