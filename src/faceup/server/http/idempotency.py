"""Requests that clients may repeat: the same request with the same `Idempotency-Key` is executed once.

The client draws a random key for each intention, and sends the request again with this key while it does not know the
outcome. The server sends the first answer again, with its cookies, for a day. Only answers of successful requests are
kept, because a refused request has changed nothing. A request with other content and the same key is refused.

A key has at least 128 random bits, and the client keeps it secret, like a cookie. So anyone who repeats a request with
its key may see the answer, also without the session that the lost answer created. A browser that has the session of
another player gets no answer. The database has only hashes of keys, and each answer is encrypted with its key, so that
a copy of the database reveals neither sessions nor recovery codes.

A visitor has no session to which a lost answer could belong. Therefore the page also sends a secret `Guest-Key` until
it has one: all requests with the same key create one guest. If the first request of a guest is refused, the guest is
deleted.

If a process ends between a change and the storing of the answer, or the answer is too long to be stored, the request is
executed again. Routes for which this matters, such as those that create sessions, tokens and codes, store the answer in
the transaction of the change, with `write_once`. All others find what they created before, because its id follows from
`request_id`, or have no effect when they are repeated, but may then refuse the request because it was done before.
"""

import asyncio
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from contextvars import ContextVar
from hashlib import sha256
from typing import Final, TypeVar

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from litestar import Response
from sqlalchemy import Connection

from faceup.server.accounts.credentials import digest
from faceup.server.accounts.players import delete_unused_guest
from faceup.server.accounts.revocations import subject_of
from faceup.server.http.auth import key_of_request
from faceup.server.http.client_address import Scope
from faceup.server.http.errors import RequestError
from faceup.server.http.idempotency_keys import claim_key, release_key, store_answer
from faceup.server.http.middleware import SAFE, App, Message, Receive, Send
from faceup.server.http.services import Services
from faceup.server.rooms.wire import SESSION_COOKIE
from faceup.server.store import StoreError

R = TypeVar("R")
T = TypeVar("T")

_KEY: Final = re.compile(rb'"?([A-Za-z0-9_-]{22,64})"?')
"""A key with 128 random bits in base64, or a longer one, with or without the quotes of a structured header field."""

_IN_PROGRESS_TIMEOUT: Final = 20.0
"""Seconds for which a repeated request waits for the first one."""

_LONGEST_ANSWER: Final = 64_000
"""The maximum length of a stored answer. A request with a longer one is executed again if it is repeated."""

_NONCE: Final = 12
"""The length of the random prefix of encrypted answers."""


class _Answer(msgspec.Struct, array_like=True):
    """A stored answer.

    Attributes:
        callers: the session keys or tokens with which the request may be repeated: the one that was sent, "" for none,
            and the one that the answer created.
    """

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    callers: list[str]


class _Request:
    """A request that changes something.

    Attributes:
        key: the idempotency key; "" for a request that cannot be repeated.
        guest_key: secret of the visitor; "" for none.
        caller: the session key or token of the request; "" for none.
        new_guest: the id of the guest that the request created; "" for none.
        is_stored: whether the route has stored the answer.
    """

    def __init__(self, key: str = "", guest_key: str = "", caller: str = "") -> None:
        self.key = key
        self.guest_key = guest_key
        self.caller = caller
        self.new_guest = ""
        self.is_stored = False

    @property
    def hashed(self) -> str:
        """The hash of the key, for the database."""
        return digest(f"faceup key\n{self.key}")

    def store(self, connection: Connection, now: int, answer: _Answer) -> None:
        """Store the answer in a transaction, if the request may be repeated."""
        if not self.key:
            return
        answer.callers = [self.caller, *_new_sessions(answer.headers)]
        nonce = secrets.token_bytes(_NONCE)
        encrypted = nonce + self._cipher.encrypt(nonce, msgspec.msgpack.encode(answer), None)
        store_answer(connection, now, self.hashed, encrypted)
        self.is_stored = True

    def decrypt(self, encrypted: bytes) -> _Answer | None:
        """Return a stored answer; None if it belongs to someone else."""
        try:
            plain = self._cipher.decrypt(encrypted[:_NONCE], encrypted[_NONCE:], None)
        except InvalidTag:
            return None
        answer = msgspec.msgpack.decode(plain, type=_Answer)
        # An answer may set a session cookie, so only the session that made the request gets it again.
        return answer if self.caller in answer.callers else None

    @property
    def _cipher(self) -> AESGCM:
        return AESGCM(sha256(f"faceup answer\n{self.key}".encode()).digest())


_request: ContextVar[_Request] = ContextVar("request", default=_Request())  # noqa: B039 -- never changed


def request_id() -> str:
    """Return an id that repetitions of the current request share, and that is not secret; "" without a key."""
    key = _request.get().key
    return key and digest(f"faceup request\n{key}")[:32]


def guest_session_key(services: Services) -> str | None:
    """Return the session key of the guest of this visitor; None if the client sent no `Guest-Key`."""
    key = _request.get().guest_key
    return services.keyed_hash("guest", key) if key else None


def note_new_guest(player: str) -> None:
    """Record that the current request created a guest, who is deleted if the request is refused."""
    _request.get().new_guest = player


async def write_once(
    services: Services, work: Callable[[Connection, int], T], respond: Callable[[T], Response[R]]
) -> tuple[T, Response[R]]:
    """Run a function in a transaction, and store the response to its result in the same transaction.

    `respond` is called in the thread of the database, maybe more than once, so it must have no effects.
    """
    request = _request.get()

    def work_and_store(connection: Connection, now: int) -> tuple[T, Response[R]]:
        result = work(connection, now)
        response = respond(result)
        headers = [(name.encode(), value.encode()) for name, value in response.headers.items()]
        headers += [(b"set-cookie", cookie.to_header(header="").encode()) for cookie in response.cookies]
        headers.append((b"content-type", b"application/json"))
        body = msgspec.json.encode(response.content)
        request.store(connection, now, _Answer(response.status_code or 200, headers, body, []))
        return result, response

    return await services.write(work_and_store)


class IdempotencyMiddleware:
    """An ASGI middleware that executes requests with the same `Idempotency-Key` once."""

    def __init__(self, services: Services, app: App) -> None:
        self._services = services
        self._app = app
        self._running: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http" or scope["method"] in SAFE:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        key, guest_key = (_read_key(headers, name) for name in (b"idempotency-key", b"guest-key"))
        request = _Request(key, guest_key, key_of_request(headers) or "")
        token = _request.set(request)

        async def send_start(message: Message) -> None:
            if any(_new_sessions(message.get("headers", ()))):  # the page checks whether the browser keeps the cookie
                message["headers"] = [*message["headers"], (b"new-session", b"true")]
            await send(message)

        try:
            if key:
                await self._execute_once(request, scope, receive, send_start)
            else:
                await self._execute(request, scope, receive, send_start)
        finally:
            _request.reset(token)

    async def _execute(self, request: _Request, scope: Scope, receive: Receive, send: Send) -> None:
        """Execute a request. If it is refused, delete the guest that it created."""

        async def send_after_deletion(message: Message) -> None:
            if request.new_guest and 400 <= message.get("status", 0) < 500:
                with suppress(StoreError):  # then guests without games are deleted later
                    await self._services.write(delete_unused_guest, request.new_guest)
                self._services.auth_cache.forget(subject_of("player", request.new_guest))
            await send(message)

        await self._app(scope, receive, send_after_deletion)

    async def _execute_once(self, request: _Request, scope: Scope, receive: Receive, send: Send) -> None:
        """Execute a request with a key, or send the answer that it had before."""
        body = await self._read_body(receive)
        content = "\n".join((request.key, scope["method"], scope["path"], scope["query_string"].decode("latin-1")))
        stored = await self._claim(request, digest(content + "\n" + sha256(body).hexdigest()))
        if stored is not None:
            if (answer := request.decrypt(stored)) is None:
                raise _reused()
            await _send_answer(send, answer)
            return
        messages: list[Message] = []
        unread: list[Message] = [{"type": "http.request", "body": body}]

        async def receive_again() -> Message:
            return unread.pop() if unread else await receive()

        async def collect(message: Message) -> None:
            messages.append(message)

        # The answer is collected and sent after it is stored: a client that has an answer can always get it again.
        try:
            await self._execute(request, scope, receive_again, collect)
            with suppress(StoreError):  # then a repeated request is executed again
                await self._store(request, messages)
        finally:
            self._running.discard(request.hashed)
        for message in messages:
            await send(message)

    async def _claim(self, request: _Request, fingerprint: str) -> bytes | None:
        """Reserve the key of a request; or wait until another request with the key ends, and return its answer."""
        hashed, process = request.hashed, self._services.store.process
        deadline = asyncio.get_running_loop().time() + _IN_PROGRESS_TIMEOUT
        pause = 0.02
        while asyncio.get_running_loop().time() < deadline:
            # The claim in the database excludes other processes, and `_running` other requests of this one.
            if hashed not in self._running:
                self._running.add(hashed)
                claimed = False
                try:
                    claim = await self._services.write(claim_key, hashed, fingerprint, process)
                    claimed = claim.claimed
                finally:
                    if not claimed:
                        self._running.discard(hashed)
                if claimed:
                    return None
                if claim.fingerprint != fingerprint:
                    raise _reused()
                if claim.answer is not None:
                    return claim.answer
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.5)
        raise RequestError("in_progress", "a request with this key is still being executed: repeat it", retry_after=1)

    async def _store(self, request: _Request, messages: list[Message]) -> None:
        """Store the answer of a successful request. Let a request be repeated that has changed nothing."""
        start, body = messages[0], b"".join(message.get("body", b"") for message in messages[1:])
        if not 200 <= start["status"] < 300 or len(body) > _LONGEST_ANSWER:
            # It may be executed again: it was refused, or has no effect when it is repeated.
            await self._services.write(release_key, request.hashed)
        elif not request.is_stored:
            answer = _Answer(start["status"], list(start.get("headers", ())), body, [])
            await self._services.write(request.store, answer)

    async def _read_body(self, receive: Receive) -> bytes:
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RequestError("disconnected", "the client has disconnected")
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > (limit := self._services.limits.body):
                raise RequestError("too_large", f"the request body must have at most {limit} bytes")
        return body


async def _send_answer(send: Send, answer: _Answer) -> None:
    """Send a stored answer."""
    headers = [header for header in answer.headers if header[0].lower() != b"content-length"]
    headers.append((b"content-length", str(len(answer.body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


def _new_sessions(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """Return the keys of the sessions that an answer creates."""
    prefix = f"{SESSION_COOKIE}=".encode()
    cookies = [value for name, value in headers if name.lower() == b"set-cookie" and value.startswith(prefix)]
    return [value[len(prefix) :].partition(b";")[0].decode("latin-1") for value in cookies]


def _read_key(headers: dict[bytes, bytes], name: bytes) -> str:
    """Return the key in a header; "" if there is none. Raises `RequestError`."""
    text = headers.get(name)
    if text is None:
        return ""
    if (match := _KEY.fullmatch(text.strip())) is None:
        title = name.decode().title()
        raise RequestError("malformed", f"the header {title} must have 22 to 64 letters, digits, '-' or '_'")
    return match[1].decode()


def _reused() -> RequestError:
    return RequestError("key_reused", "this Idempotency-Key was used for another request: draw a new random key")
