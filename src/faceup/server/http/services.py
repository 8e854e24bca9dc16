"""The services that routes use, and the authentication of requests."""

import asyncio
import hmac
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar, cast

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency as Given
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from faceup.core import Seat
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import UnauthenticatedError
from faceup.server.accounts.login import Export, Merge
from faceup.server.accounts.openid_provider import OpenIdProvider
from faceup.server.accounts.passwords import Passwords, hashes_at_once
from faceup.server.accounts.player_ids import ids_of
from faceup.server.accounts.players import remember_program
from faceup.server.accounts.revocations import subject_of
from faceup.server.accounts.server_state import server_key
from faceup.server.accounts.tokens import PREFIX
from faceup.server.daily.tasks import DailyDeals
from faceup.server.feature import Feature
from faceup.server.friends.invitations import invited_to
from faceup.server.friends.queries import announce_inbox
from faceup.server.http.auth import AuthCache, key_of_request, require
from faceup.server.http.bot_kinds import check_kind
from faceup.server.http.client_address import ClientAddress, Scope
from faceup.server.http.errors import RequestError
from faceup.server.http.rate_limits import ConcurrencyLimiter, RateLimiter, ServerLimits
from faceup.server.live import TableHub
from faceup.server.live.change_listeners import ChangeListeners
from faceup.server.live.programs import declare_program
from faceup.server.parties.queries import announce_table
from faceup.server.process.periodic import FailureIsolation, running
from faceup.server.process.settings import Settings
from faceup.server.replays.tasks import Replays
from faceup.server.results.history import record_seats
from faceup.server.results.ingest import ResultsIngest
from faceup.server.results.tasks import SeatReviews
from faceup.server.rooms import Sit
from faceup.server.rooms.commands import AddBot, DeclareProgram, PersonCommand, Rename, Start
from faceup.server.rooms.names import handle_of
from faceup.server.site import SITE, Site
from faceup.server.store import Store, StoreError
from faceup.server.tables.host_acts import record_host_act
from faceup.server.tables.online_tasks import OnlinePlayers
from faceup.server.tables.quick_match_tasks import QuickMatches
from faceup.server.tables.watch_list_tasks import WatchList
from faceup.server.tournaments.tasks import Tournaments
from faceup.server.tournaments.views import TournamentViews
from faceup.server.turns.mail import MailChannel, Mailer
from faceup.server.turns.push_channel import PushChannel
from faceup.server.turns.push_client import PushClient
from faceup.server.turns.tasks import TurnDelivery
from faceup.server.workers.coach import Coach
from faceup.server.workers.fair_queue import FairQueue, Owner, QueueBounds

if TYPE_CHECKING:
    from faceup.coach.puzzles import Puzzle

AnyRequest = Request[Any, Any, State]
"""An HTTP request. The two `Any` are Litestar's types for users and tokens, which this server does not use."""

P = ParamSpec("P")
T = TypeVar("T")

QUEUE_TIMEOUT: Final = 20.0
"""Seconds after which a request for a list or a password hash is refused if it has not had its turn."""

_HASHING: Final = QueueBounds(per_player=4, per_source=256, total=1024)
"""Maximum numbers of passwords that wait to be hashed, where a player is the login that a client named."""

_LISTS: Final = QueueBounds(anonymous=128, per_source=256, total=1024)
"""Maximum numbers of requests for lists."""

_LISTS_AT_ONCE: Final = 2
"""The number of lists that are read at the same time. There are more readers, so that tables can load, too."""

CALLER: Final = "faceup.caller"
"""The key under which the ASGI scope has the `ClientAddress`."""

SERVICES: Final = "faceup.services"
"""The key under which the ASGI scope has the `Services`."""


class Services:
    """The services and rate limiters of one server process.

    Attributes:
        changes: the requests that wait for a change.
        site: the name of the site and its titles of games.
        merge: gives the data of a guest to an account, in all features.
        export: returns all data about a player, of all features.
        connected: the numbers of live connections by their owners.
        queues: the queues of this process.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        hub: TableHub,
        *,
        limits: ServerLimits,
        passwords: Passwords,
        features: Sequence[Feature],
        merge: Merge,
        export: Export,
    ) -> None:
        self.settings = settings
        self.site = Site.of(settings)
        self.store = store
        self.hub = hub
        self.limits = limits
        self.merge = merge
        self.export = export
        self.auth_cache = AuthCache(store, self._handle_revocations)
        self.results_ingest = ResultsIngest(store, rate_programs=settings.rate_programs)
        hub.context.record_act = record_host_act
        hub.context.rate_programs = settings.rate_programs
        self.daily = DailyDeals(store, hub)
        self.quick_matches = QuickMatches(store, hub)
        self.online = OnlinePlayers(store, hub, self._connected_players)
        self.watch_list = WatchList(store, hub)
        self.changes = ChangeListeners()
        self.tournaments = Tournaments(store, hub, self.changes)
        self.tournament_views = TournamentViews()
        self.push = PushClient(private=limits.private_push)
        self.turn_delivery = TurnDelivery(store, hub.turn_feed, "push", PushChannel(store, self.push).send)
        self.mailer = Mailer(settings)
        self.openid = OpenIdProvider(settings)
        mail = MailChannel(store, self.mailer, self._link_to, self.unsubscribe_link)
        self.mail_delivery = TurnDelivery(store, hub.turn_feed, "mail", mail.send)
        self.passwords = passwords
        self.commands = RateLimiter(limits.commands, "commands")
        self.requests = RateLimiter(limits.requests, "requests")
        self.attempts = RateLimiter(limits.attempts, "login attempts from this address")
        self.attempts_by_player = RateLimiter(limits.attempts_by_player, "attempts for this account")
        self.connections = ConcurrencyLimiter(limits.live, "connections of one player")
        self.connections_from = ConcurrencyLimiter(limits.live_per_address, "connections from one address")
        self.connected: Counter[Owner] = Counter()
        self.codes = RateLimiter(limits.codes, "table codes from this address")
        self.tables = RateLimiter(limits.tables, "new tables")
        self.hints = RateLimiter(limits.hints, "hints")
        self.studies = RateLimiter(limits.studies, "replays and reviews")
        self.picture_requests = RateLimiter(limits.pictures, "pictures")
        self.replays = Replays(30, store.metrics)
        self.coach = Coach(store.metrics)
        self.seat_reviews = SeatReviews(store, hub, self.coach)
        self.hashing = FairQueue("passwords", hashes_at_once(), store.metrics, bounds=_HASHING)
        self.lists = FairQueue("lists", _LISTS_AT_ONCE, store.metrics, bounds=_LISTS)
        queues = (hub.bots.pool.queue, self.replays.pool.queue, self.coach.pool.queue)
        self.queues = (*queues, self.hashing, self.lists)
        self._features = features
        self._tasks = AsyncExitStack()
        self._failures = FailureIsolation("revocations", store.metrics)
        self._key = b""
        self._puzzles: Mapping[str, Puzzle] | None = None

    async def start(self) -> None:
        """Start the tasks of all features. Raises `Malformed` if the server's file of puzzles is invalid."""
        SITE.set(self.site)  # for the tasks
        if self.settings.puzzles:
            await self.puzzles()
        self._key = await self.store.write(server_key)
        tasks = chain.from_iterable(feature.tasks(self) for feature in self._features)
        await self._tasks.enter_async_context(running(tasks))
        self._tasks.callback(self.changes.stop)  # requests that wait end before the tasks that could wake them

    async def stop(self) -> None:
        """Stop the tasks in reverse order."""
        await self._tasks.aclose()

    async def puzzles(self) -> "Mapping[str, Puzzle]":
        """Return the puzzles of the package and of the server's file, by id. They are loaded once, when needed."""
        if self._puzzles is None:
            self._puzzles = await asyncio.to_thread(_load_puzzles, self.settings.puzzles)
        return self._puzzles

    def _connected_players(self) -> Iterator[str]:
        return (owner.player for owner in self.connected if owner.player)

    async def _handle_revocations(self, subjects: Sequence[str]) -> None:
        """Act on the subjects of new revocations, and of changes that are published in the same way.

        Requests that wait for a change of a subject continue. Tables that were deleted or changed leave the memory.
        """
        self.changes.notify(*subjects)
        log = subject_of("log", "")
        for table in [subject.removeprefix(log) for subject in subjects if subject.startswith(log)]:
            if (room := self.hub.rooms.get(table)) is not None:
                room.queue.request_catch_up()
        prefix = subject_of("table", "")
        for table in [subject.removeprefix(prefix) for subject in subjects if subject.startswith(prefix)]:
            with self._failures.isolate(table) as attempt:
                await self.hub.drop(table)
            if isinstance(attempt.error, StoreError):
                raise attempt.error  # the revocations are read again
            self.replays.forget(table)
            self.coach.forget(table)
            self.daily.forget_standings()
            self.online.forget()
            self.watch_list.forget()

    def keyed_hash(self, *parts: str) -> str:
        """Return a hash that all servers of the database share, and that no one can compute without their key."""
        return hmac.digest(self._key, "\n".join(parts).encode(errors="surrogatepass"), "sha256").hex()[:32]

    def _link_to(self, table: str) -> str:
        return f"{self.settings.public_url}{self.settings.base_path}/t/{table}"

    def unsubscribe_key(self, player: str, address: str) -> str:
        """Return the key that turns off the mails to an address of a player."""
        return self.keyed_hash("unsubscribe", player, address)

    def unsubscribe_link(self, player: str, address: str) -> str:
        """Return the URL that turns off the mails to an address of a player."""
        root, key = f"{self.settings.public_url}{self.settings.base_path}", self.unsubscribe_key(player, address)
        return f"{root}/api/mail/unsubscribe?who={handle_of(player)}&key={key}"

    def source_hash(self, source: str) -> str:
        """Return the keyed hash of an address, as in `ClientAddress.source`, for the database."""
        return self.keyed_hash("address", source)

    async def list_query(
        self, requester: "Requester", read: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return the result of `query` for a query that may read many rows. The requesters take turns."""
        async with self.list_turn(requester):
            return await self.query(read, *args, **kwargs)

    @asynccontextmanager
    async def list_turn(self, requester: "Requester") -> AsyncIterator[None]:
        """Wait for the requester's turn to read a list. Raises `BusyError`."""
        with self.lists.enter(owner_of(requester)) as ticket:
            await ticket.wait(QUEUE_TIMEOUT)
            yield

    async def query(self, read: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function with a database connection for reading, and return the result."""
        return await self.store.query(lambda connection: read(connection, *args, **kwargs))

    async def write(self, work: Callable[Concatenate[Connection, int, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function with the connection of a write transaction and the current time, and return the result."""
        now = self.store.now()
        return await self.store.write(lambda connection: work(connection, now, *args, **kwargs))


def _load_puzzles(file: str) -> "Mapping[str, Puzzle]":
    from faceup.coach.puzzles import served_puzzles  # noqa: PLC0415 -- slow to import, which would delay every start

    return served_puzzles(file)


class Requester(msgspec.Struct, frozen=True):
    """The client that sent a request.

    Attributes:
        identity: the authenticated player; None if the request has no valid session or token.
        caller: the address of the client.
        device: the shortened name of the browser.
    """

    identity: Identity | None
    caller: ClientAddress
    device: str

    def may(self, scope: str) -> Identity:
        """Return the identity, which must have the scope. Raises `UnauthenticatedError`, `ForbiddenError`."""
        return require(self.identity, scope)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects that end the requester's connections when they are revoked."""
        own = () if self.identity is None else self.identity.subjects
        return *own, subject_of("address", self.caller.source)

    @property
    def player(self) -> str | None:
        """The id of the authenticated player, or None."""
        return None if self.identity is None else self.identity.player


def owner_of(requester: Requester) -> Owner:
    """Return the owner of a request in the fair queues: the address, and the player if there is a session."""
    return Owner(requester.caller.source, requester.player or "")


async def while_connected(request: AnyRequest, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of work that is dropped if the client disconnects.

    Raises:
        RequestError: the client has disconnected.
    """
    loop = asyncio.get_running_loop()
    task, disconnected = loop.create_task(work), loop.create_task(_disconnected(request))
    try:
        await asyncio.wait((task, disconnected), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
    finally:
        task.cancel()
        disconnected.cancel()
    raise RequestError("disconnected", "the client has disconnected")


async def _disconnected(request: AnyRequest) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


@contextmanager
def count_connection(services: Services, requester: Requester) -> Iterator[None]:
    """Count a connection of the requester while the context lasts. Raises `RequestError` if there are too many."""
    with ExitStack() as stack:
        if requester.player is not None:
            stack.enter_context(services.connections.use(requester.player))
        stack.enter_context(services.connections_from.use(requester.caller.source))
        owner = owner_of(requester)
        services.connected[owner] += 1
        try:
            yield
        finally:
            services.connected[owner] -= 1
            if not services.connected[owner]:
                del services.connected[owner]


def check_connection_limit(services: Services, requester: Requester) -> None:
    """Raise `RequestError` if the requester cannot open another connection."""
    if requester.player is not None:
        services.connections.check(requester.player)
    services.connections_from.check(requester.caller.source)


def provide_reader(requester: Given[Requester]) -> Identity:
    """Return the requester's identity with the scope `read`, for the parameter `reader` of routes.

    Raises:
        UnauthenticatedError: the request has no valid session or token.
        ForbiddenError: the token does not have the scope.
    """
    return requester.may("read")


def provide_account(requester: Given[Requester]) -> Identity:
    """Return the identity of the requester's session, for the parameter `account` of routes.

    Raises:
        UnauthenticatedError: the request has no valid session.
        ForbiddenError: the request has a token, which gives no access to the account.
    """
    return requester.may("self")


def provide_services(request: AnyRequest) -> Services:
    """Return the services of the server that answers a request."""
    services: Services = cast("Scope", request.scope)[SERVICES]  # as in `caller_of`
    return services


async def authenticate_request(request: AnyRequest, services: Given[Services]) -> Requester:
    """Authenticate a request.

    Raises:
        UnauthenticatedError: the token is invalid.
        BannedError: the player or the address is banned.
        RequestError: the player sends too many requests.
    """
    return await authenticate(dict(request.scope["headers"]), caller_of(request), services)


def caller_of(request: AnyRequest) -> ClientAddress:
    """Return the address of the client that sent a request."""
    caller: ClientAddress = cast("Scope", request.scope)[CALLER]  # Litestar's type of scopes does not have this key
    return caller


def device_name(agent: str) -> str:
    """Shorten a User-Agent header by removing the parts that all browsers send.

    >>> device_name("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36")
    '(X11; Linux x86_64) Chrome/140.0 Safari/537.36'
    """
    for part in ("Mozilla/5.0 ", "AppleWebKit/537.36 ", "(KHTML, like Gecko) "):
        agent = agent.replace(part, "")
    return agent[:80]


async def authenticate(headers: dict[bytes, bytes], caller: ClientAddress, services: Services) -> Requester:
    """Authenticate the client by the headers of a request or WebSocket handshake.

    Raises:
        UnauthenticatedError: the token is invalid.
        BannedError: the player or the address is banned.
        RequestError: the player sends too many requests.
    """
    services.auth_cache.require_not_banned(caller.source)
    device = device_name(headers.get(b"user-agent", b"").decode("latin-1"))
    key = key_of_request(headers)
    if key is None:
        return Requester(None, caller, device)
    identity = await services.auth_cache.identify(key)
    if identity is None and (key.startswith(PREFIX) or b"authorization" in headers):
        raise UnauthenticatedError("the token is invalid or was revoked: create a new token in your account")
    if identity is not None:
        services.requests.take(identity.player)
        services.online.note_request(identity.player)
    return Requester(identity, caller, device)


def with_player_name(command: PersonCommand, identity: Identity) -> PersonCommand:
    """Add the player's name and face to a command that seats the player, and check the kind of bot in `AddBot`."""
    if isinstance(command, Sit):
        return msgspec.structs.replace(command, name=command.name or identity.name, face=identity.face)
    if isinstance(command, Rename):
        return msgspec.structs.replace(command, face=identity.face)
    if isinstance(command, AddBot):
        check_kind(command.kind)
    return command


async def resolve_player(services: Services, table: str, identity: Identity, seat: Seat | None) -> tuple[str, ...]:
    """Return all ids of the player. If the player has several seats, the id that owns this seat comes first."""
    if seat is None or not identity.merged_ids:
        return identity.ids
    first = await services.hub.acting_player(table, identity.ids, seat=seat)
    return first, *(player for player in identity.ids if player != first)


async def send_to_table(
    services: Services, table: str, identity: Identity, command: PersonCommand, *, request: str, lag: int = 0
) -> None:
    """Send a command of a player to a table, and record a seat that the player has taken. Raises errors of the hub."""
    command, ids = with_player_name(command, identity), identity.ids
    if isinstance(command, Sit):  # the session may be known from before a guest with a seat was merged into the player
        ids = await services.query(ids_of, identity.player)
    sent = services.hub.send(table, command, id=request, player=ids, lag=lag)
    if identity.program:
        declare_program(services.hub, table, ids)
    await sent
    if isinstance(command, DeclareProgram):
        with suppress(StoreError):  # the log of the table has it, too
            await services.write(remember_program, identity.player)
            services.auth_cache.forget(subject_of("player", identity.player))
    if isinstance(command, Sit):
        await record_seat_taken(services, table, identity.player)
    elif isinstance(command, Start | AddBot):
        await notify_invited(services, table)


async def record_seat_taken(services: Services, table: str, *players: str) -> None:
    """Record that the players have seats at the table, or seats reserved for them, for the lists of their tables.

    Database errors are ignored, because players can also find the table by its link. There is an integrity error if the
    table or a player was deleted in the meantime.
    """

    def record(connection: Connection, now: int) -> None:
        record_seats(connection, now, table, players)
        announce_table(connection, now, table)

    with suppress(StoreError, IntegrityError):
        await services.write(record)
        services.changes.notify(*(subject_of("inbox", player) for player in players))  # an invitation may have ended
        await notify_invited(services, table)


async def notify_invited(services: Services, table: str) -> None:
    """Show invited players that a table has filled or started. After a database error, their next request shows it."""

    def announce(connection: Connection, now: int) -> None:
        for player in players:
            announce_inbox(connection, now, player)

    with suppress(StoreError):
        if players := await services.query(invited_to, table):
            await services.write(announce)
            services.changes.notify(*(subject_of("inbox", player) for player in players))
