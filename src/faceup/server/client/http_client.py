"""HTTP client of the API, and parsing of server and table addresses."""

import asyncio
import http.client
import re
import secrets
from collections.abc import Callable, Mapping
from http.cookies import SimpleCookie
from typing import Any, Final, NamedTuple, Self
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import msgspec

from faceup.core import Malformed
from faceup.server.client.errors import UnreachableError, error_from_response
from faceup.server.client.live_table import LiveTable
from faceup.server.rooms.commands import RoomCommand
from faceup.server.rooms.wire import SESSION_COOKIE

_TABLE: Final = re.compile(r"(?P<base>.*)/(?:t|api/tables)/(?P<table>[A-Za-z0-9_-]{6,40})")
_CODE: Final = re.compile(r"(?P<base>.*)/(?P<code>[A-Za-z0-9]{5})")


class Address(NamedTuple):
    """Address of a server or of a table on it.

    Attributes:
        server: the server's URL without a trailing slash.
        table: the table's ID; "" if the address has none.
        code: the table's join code; "" if the address has none.
    """

    server: str
    table: str = ""
    code: str = ""


def parse_address(text: str) -> Address:
    """Parse the address of a server or of a table on it, with or without `http://`.

    Raises:
        Malformed: the text is not an http or https address.

    >>> parse_address("https://cards.example/games/t/0rWq1TI0EHCpz1rKzVyXfw")
    Address(server='https://cards.example/games', table='0rWq1TI0EHCpz1rKzVyXfw', code='')
    >>> parse_address("192.168.1.7:8000/KMRTW")
    Address(server='http://192.168.1.7:8000', table='', code='KMRTW')
    >>> parse_address("http://localhost:8000/").server
    'http://localhost:8000'
    """
    url = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(url)
        right = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        right = False
    if not right:
        raise Malformed(
            f"{text!r} is not a server's address; use http://HOST:PORT, and append /t/TABLE or /CODE for a table",
            what=text,
            where="address",
        )
    path = parts.path.rstrip("/")
    root = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    if match := _TABLE.fullmatch(path):
        return Address(root + match["base"], table=match["table"])
    if match := _CODE.fullmatch(path):
        return Address(root + match["base"], code=match["code"].upper())
    return Address(root + path)


_SECONDS: Final = 20.0
"""Timeout of a request in seconds."""


class TableLink(msgspec.Struct, frozen=True):
    """A table's ID, join code, link and status."""

    id: str
    code: str
    link: str
    status: str = "pending"


class Client:
    """A client of one server. It authenticates with a token, or with a session.

    If the answer to a request is lost, it is repeated once, and the server executes it only once.

    Every call raises `RequestRefusedError` if the server rejects the request, and `UnreachableError` if the server does
    not answer.

    Args:
        server: the server's URL, such as "http://localhost:8000".
        token: a bearer token.
        key: key of an existing session; without it, `join` creates a session.

    Attributes:
        server: the server's URL.
        key: the session's key; None without a session.
    """

    def __init__(self, server: str, *, token: str | None = None, key: str | None = None) -> None:
        self.server = parse_address(server).server
        self.key = key
        self._token = token
        self._guest_key = secrets.token_urlsafe(16)
        self._open: list[LiveTable] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all live connections."""
        for live in self._open:
            await live.close()
        self._open.clear()

    @property
    def headers(self) -> dict[str, str]:
        """The authentication headers."""
        if self._token:
            return {"Authorization": f"Bearer {self._token}"}
        return {"Cookie": f"{SESSION_COOKIE}={self.key}"} if self.key else {}

    @property
    def known(self) -> bool:
        """Whether the client has a token or a session."""
        return bool(self._token or self.key)

    async def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 -- JSON
        """Send a request and return the decoded response."""
        return await asyncio.to_thread(self._ask, method, path, body)

    async def join(self, name: str | None = None, code: str | None = None) -> dict[str, Any]:  # Any: JSON
        """Return the player of the token or session. Without either, create a guest and keep the guest's session."""
        if self._token:
            player: dict[str, Any] = await self.ask("GET", "/api/me")
            return player
        body = {field: value for field, value in (("name", name), ("code", code)) if value is not None}
        me: dict[str, Any] = await self.ask("POST", "/api/session", body)
        return me

    async def make(self, config: Mapping[str, object], *, sit: bool = True, name: str | None = None) -> TableLink:
        """Create a table and become its host.

        Args:
            config: the fields of `faceup.server.rooms.TableConfig`.
            sit: whether to take the first seat.
            name: name at the table; None for the player's own name.
        """
        body = {"config": dict(config), "sit": sit} | ({} if name is None else {"name": name})
        return msgspec.convert(await self.ask("POST", "/api/tables", body), TableLink)

    async def find(self, address: Address | str) -> TableLink:
        """Return the table at an address, or the table with a join code if `address` is a string."""
        if isinstance(address, str):
            address = Address(self.server, code=address)
        if address.code:
            return msgspec.convert(await self.ask("GET", f"/api/codes/{quote(address.code)}"), TableLink)
        seen: dict[str, Any] = await self.see(address.table)
        return TableLink(seen["id"], seen["code"], seen["link"], seen["room"]["status"])

    async def see(self, table: str) -> dict[str, Any]:  # Any: JSON
        """Return what the player can see of a table: its `room`, ID, code and link."""
        seen: dict[str, Any] = await self.ask("GET", f"/api/tables/{quote(table)}")
        return seen

    async def listed(self) -> list[dict[str, Any]]:  # Any: JSON
        """Return the public tables that are open."""
        tables: list[dict[str, Any]] = await self.ask("GET", "/api/tables")
        return tables

    async def do(self, table: str, command: RoomCommand, *, id: str | None = None) -> None:  # noqa: A002 -- its name in the API
        """Send a command over HTTP. If commands with the same `id` are sent, only the first one is applied."""
        body = {**msgspec.to_builtins(command), "id": id or secrets.token_urlsafe(12)}
        await self.ask("POST", f"/api/tables/{quote(table)}/commands", body)

    async def record(self, table: str) -> bytes:
        """Return the record of a finished game as JSON."""
        encoded: bytes = msgspec.json.encode(await self.ask("GET", f"/api/tables/{quote(table)}/record"))
        return encoded

    def live(
        self, table: str, *, after: int | None = None, on_line: Callable[[bytes], None] | None = None
    ) -> LiveTable:
        """Return a live connection to a table; see `LiveTable`."""
        live = LiveTable(self.server, table, lambda: self.headers, after=after, on_line=on_line)
        self._open.append(live)
        return live

    def _ask(self, method: str, path: str, body: object) -> Any:  # noqa: ANN401 -- JSON
        headers = {"Accept": "application/json", **self.headers}
        content = None
        if method != "GET":
            headers["Content-Type"] = "application/json"
            content = msgspec.json.encode({} if body is None else body)
            if not (isinstance(body, dict) and "id" in body):  # the id of a command is its key
                headers["Idempotency-Key"] = secrets.token_urlsafe(16)
            if not self.known:
                headers["Guest-Key"] = self._guest_key
        request = Request(self.server + path, content, headers, method=method)  # noqa: S310 -- `parse_address` accepts http and https only
        try:
            return self._send(request)
        except UnreachableError:
            if method == "GET":
                raise
            return self._send(request)  # the server executes it once

    def _send(self, request: Request) -> Any:  # noqa: ANN401 -- JSON
        try:
            with urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310 -- as above
                text = answer.read()
                for cookie in answer.headers.get_all("Set-Cookie") or []:
                    if session := SimpleCookie(cookie).get(SESSION_COOKIE):
                        self.key = session.value
        except HTTPError as error:
            with error:
                raise error_from_response(error.code, error.read()) from None
        except (OSError, http.client.HTTPException) as error:
            raise UnreachableError(f"{self.server} does not answer: {error}") from None
        return msgspec.json.decode(text) if text else None
