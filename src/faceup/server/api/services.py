"""What every route works with, and who asks."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final, cast

import msgspec
from litestar import Request
from litestar.datastructures import State

from faceup.server.api.callers import Caller, Scope
from faceup.server.api.cookies import key_shown
from faceup.server.api.limits import Buckets, Limits, Places
from faceup.server.api.recognition import Recognition, require
from faceup.server.desk import Desk
from faceup.server.people.counting import Counting
from faceup.server.people.identity import Identity
from faceup.server.people.passwords import Passwords
from faceup.server.people.refusals import Unknown
from faceup.server.people.tokens import PREFIX
from faceup.server.settings import Settings
from faceup.server.store import Store
from faceup.server.studies import Studying
from faceup.server.tally import Tally

AnyRequest = Request[Any, Any, State]
"""Any: Litestar's own users and tokens, of which we have none."""

CALLER: Final = "faceup.caller"
"""Where the door leaves, in the ASGI scope, who calls."""


class Services:
    """One process's parts, and the buckets of its limits."""

    def __init__(
        self, settings: Settings, store: Store, desk: Desk, *, limits: Limits, tally: Tally, passwords: Passwords
    ) -> None:
        self.settings = settings
        self.store = store
        self.desk = desk
        self.limits = limits
        self.tally = tally
        self.recognition = Recognition(store)
        self.counting = Counting(store)
        self.passwords = passwords
        self.commands = Buckets(limits.commands)
        self.requests = Buckets(limits.requests)
        self.players = Buckets(limits.players)
        self.attempts = Buckets(limits.attempts)
        self.attempts_by_login = Buckets(limits.attempts_by_login)
        self.connections = Places(limits.live)
        self.connections_from = Places(limits.live_from_address)
        self.codes = Buckets(limits.codes)
        self.tables = Buckets(limits.tables)
        self.studies = Buckets(limits.studies)
        self.replays = Studying(seconds=30)
        self.reviews = Studying(seconds=180)  # what judges may have to be compiled first

    async def start(self) -> None:
        """Begin what goes on beside requests."""
        await self.recognition.start()
        await self.counting.start()

    async def stop(self) -> None:
        """End it."""
        await self.reviews.stop()
        await self.replays.stop()
        await self.counting.stop()
        await self.recognition.stop()


class Asker(msgspec.Struct, frozen=True):
    """Who asks, and from where; `identity` is None for somebody without a session."""

    identity: Identity | None
    caller: Caller
    device: str

    def may(self, scope: str) -> Identity:
        """The identity, if it may. Raises `Unknown`, `Forbidden`."""
        return require(self.identity, scope)

    @property
    def player(self) -> str | None:
        """The id of who asks, if anybody is known."""
        return None if self.identity is None else self.identity.player


@contextmanager
def connected(services: Services, asker: Asker) -> Iterator[None]:
    """Hold a place for a connection until its end. Raises `Denied` where there is none left."""
    check_places(services, asker)
    with ExitStack() as places:
        if asker.player is not None:
            places.enter_context(services.connections.taken(asker.player, "connections of one player"))
        places.enter_context(services.connections_from.taken(asker.caller.source, "connections from one address"))
        yield


def check_places(services: Services, asker: Asker) -> None:
    """Raise `Denied` where there is no place for another connection."""
    if asker.player is not None:
        services.connections.check(asker.player, "connections of one player")
    services.connections_from.check(asker.caller.source, "connections from one address")


async def asker_of(request: AnyRequest, services: Services) -> Asker:
    """Who made this request. Raises `Unknown` for a token that opens nothing, `Forbidden` for a ban."""
    headers = dict(request.scope["headers"])
    return await identified(
        headers, cast("Scope", request.scope)[CALLER], services
    )  # Litestar's type has no room for it


def device_of(agent: str) -> str:
    """What a browser calls itself, without what all of them say.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36")
    '(X11; Linux x86_64) Chrome/140.0 Safari/537.36'
    """
    for said in ("Mozilla/5.0 ", "AppleWebKit/537.36 ", "(KHTML, like Gecko) "):
        agent = agent.replace(said, "")
    return agent[:80]


async def identified(headers: dict[bytes, bytes], caller: Caller, services: Services) -> Asker:
    """Who shows these headers."""
    device = device_of(headers.get(b"user-agent", b"").decode("latin-1"))
    key = key_shown(headers)
    if key is None:
        return Asker(None, caller, device)
    identity = await services.recognition.identify(key)
    if identity is None and (key.startswith(PREFIX) or b"authorization" in headers):
        raise Unknown("this token opens nothing (any more)")
    if identity is not None:
        services.requests.take(identity.player, "requests")
    return Asker(identity, caller, device)
