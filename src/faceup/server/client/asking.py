"""A server, and who one is to it: what is asked over HTTP."""

import asyncio
import http.client
import secrets
from collections.abc import Callable, Mapping
from http.cookies import SimpleCookie
from typing import Any, Final, Self
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import msgspec

from faceup.server.client.addresses import Address, read_address
from faceup.server.client.live import Live
from faceup.server.client.problems import refusal_of
from faceup.server.client.refusals import Unreachable
from faceup.server.rooms import RoomCommand

COOKIE: Final = "faceup_session"
"""Holds a session's key."""

_SECONDS: Final = 20.0
"""Until a request counts as unanswered."""


class Place(msgspec.Struct, frozen=True):
    """Where a table is: its id, the five letters that are read aloud, the link that is passed on, its status."""

    id: str
    code: str
    link: str
    status: str = "pending"


class Client:
    """Someone at a server. It knows the player by a token, or by a session that it is given or opens (`arrive`).

    Every call raises `Refused` for what the server does not do, and `Unreachable` if it does not answer.

    Args:
        server: its address, such as "http://localhost:8000".
        token: a bearer token.
        key: of a session that was opened before.

    Attributes:
        server: its address.
        key: of the session; None without one.
    """

    def __init__(self, server: str, *, token: str | None = None, key: str | None = None) -> None:
        self.server = read_address(server).server
        self.key = key
        self._token = token
        self._open: list[Live] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End all live connections."""
        for live in self._open:
            await live.close()
        self._open.clear()

    @property
    def headers(self) -> dict[str, str]:
        """What shows the server who one is."""
        if self._token:
            return {"Authorization": f"Bearer {self._token}"}
        return {"Cookie": f"{COOKIE}={self.key}"} if self.key else {}

    @property
    def known(self) -> bool:
        """Whether there is a token or a session to show."""
        return bool(self._token or self.key)

    async def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 -- JSON
        """One request; gives back what was answered."""
        return await asyncio.to_thread(self._ask, method, path, body)

    async def arrive(self, name: str | None = None, code: str | None = None) -> dict[str, Any]:  # Any: JSON
        """Come in: as whoever the token or session says, else as a new guest, whose session is kept here."""
        if self._token:
            found: dict[str, Any] = await self.ask("GET", "/api/me")
            return found
        said = {"name": name, "code": code}
        me: dict[str, Any] = await self.ask(
            "POST", "/api/session", {each: value for each, value in said.items() if value is not None}
        )
        return me

    async def make(self, opening: Mapping[str, object], *, sit: bool = True, name: str | None = None) -> Place:
        """Make a table, and be its host.

        Args:
            opening: what is played and how: the fields of `faceup.server.rooms.Opening`.
            sit: whether to take its first seat.
            name: what to be called there; None for the player's own name.
        """
        said = {"opening": dict(opening), "sit": sit} | ({} if name is None else {"name": name})
        return msgspec.convert(await self.ask("POST", "/api/tables", said), Place)

    async def find(self, address: Address | str) -> Place:
        """The table of an address, or of five letters."""
        if isinstance(address, str):
            address = Address(self.server, code=address)
        if address.code:
            return msgspec.convert(await self.ask("GET", f"/api/codes/{quote(address.code)}"), Place)
        seen: dict[str, Any] = await self.see(address.table)
        return Place(seen["id"], seen["code"], seen["link"], seen["sight"]["status"])

    async def see(self, table: str) -> dict[str, Any]:  # Any: JSON
        """The table as one may see it now: its `sight`, and where it is."""
        seen: dict[str, Any] = await self.ask("GET", f"/api/tables/{quote(table)}")
        return seen

    async def listed(self) -> list[dict[str, Any]]:  # Any: JSON
        """The open tables that everybody may find."""
        found: list[dict[str, Any]] = await self.ask("GET", "/api/tables")
        return found

    async def do(self, table: str, command: RoomCommand, *, id: str | None = None) -> None:  # noqa: A002 -- what the API calls it
        """A command over HTTP. Sent again with the same id, it counts once."""
        said = {**msgspec.to_builtins(command), "id": id or secrets.token_urlsafe(12)}
        await self.ask("POST", f"/api/tables/{quote(table)}/commands", said)

    async def record(self, table: str) -> bytes:
        """The record of a table that is finished, as JSON."""
        found: bytes = msgspec.json.encode(await self.ask("GET", f"/api/tables/{quote(table)}/record"))
        return found

    def live(self, table: str, *, after: int | None = None, heard: Callable[[bytes], None] | None = None) -> Live:
        """The table as it goes on, once it is entered; see `Live`."""
        live = Live(self.server, table, lambda: self.headers, after=after, heard=heard)
        self._open.append(live)
        return live

    def _ask(self, method: str, path: str, body: object) -> Any:  # noqa: ANN401 -- JSON
        headers = {"Accept": "application/json", **self.headers}
        content = None
        if method != "GET":
            headers["Content-Type"] = "application/json"
            content = msgspec.json.encode({} if body is None else body)
        request = Request(self.server + path, content, headers, method=method)  # noqa: S310 -- `read_address` takes http and https alone
        try:
            with urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310 -- as above
                text = answer.read()
                self._keep(answer.headers.get_all("Set-Cookie") or [])
        except HTTPError as error:
            with error:
                raise refusal_of(error.code, error.read()) from None
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{self.server} does not answer: {error}") from None
        return msgspec.json.decode(text) if text else None

    def _keep(self, cookies: list[str]) -> None:
        for text in cookies:
            if found := SimpleCookie(text).get(COOKIE):
                self.key = found.value
