"""What every request passes: it gets an id, is counted, and leaves a line in the log; `/metrics` is answered here."""

import secrets
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from ipaddress import ip_address
from logging import DEBUG, INFO, WARNING
from time import monotonic
from typing import Final

from faceup.server.api.callers import Scope
from faceup.server.api.front import App, Message, Receive, Send
from faceup.server.desk import Figures
from faceup.server.logs import LOG, request_id
from faceup.server.settings import Settings
from faceup.server.tally import Kept, Tally

_QUIET: Final = ("/api/health", "/api/ready", "/metrics", "/api/tables/{table}/commands")
"""What is asked all the time: counted, and logged with `--log-level debug` alone unless it goes wrong."""


class Watched:
    """An ASGI application around another.

    Args:
        app: what answers.
        settings: who may read the metrics, and below which path.
        tally: where requests and connections are counted.
        figures: what the desk counts.
        kept: what is counted in the database; asked when a monitor asks.
    """

    def __init__(
        self,
        app: App,
        settings: Settings,
        tally: Tally,
        figures: Figures,
        kept: Callable[[], Awaitable[Kept]],
    ) -> None:
        self._app = app
        self._settings = settings
        self._tally = tally
        self._figures = figures
        self._kept = kept

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request_id.set(secrets.token_hex(4))
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._connection(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, status, streamed = monotonic(), 500, False
        name = request_id.get().encode()

        async def noted(message: Message) -> None:
            nonlocal status, streamed
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (b"x-request-id", name)]
                streamed = any(
                    key == b"content-type" and value.startswith(b"application/x-ndjson") for key, value in headers
                )
                if streamed:
                    self._tally.connections["stream"] += 1
                message = {**message, "headers": headers}
            await send(message)

        try:
            if scope["path"].removeprefix(self._settings.base_path) == "/metrics":
                await self._metrics(scope, noted)
            else:
                await self._app(scope, receive, noted)
        finally:
            took = monotonic() - begun
            route = scope.get("path_template") or "other"
            self._tally.requests[scope["method"], route, status] += 1
            if streamed:
                self._tally.connections["stream"] -= 1
            else:
                self._tally.request_seconds.add(took)
            LOG.log(
                WARNING if status >= 500 else DEBUG if status < 400 and route in _QUIET else INFO,
                "answered",
                extra={
                    "fields": {"method": scope["method"], "route": route, "status": status, "ms": round(took * 1000, 1)}
                },
            )

    async def _connection(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, accepted = monotonic(), False

        async def noted(message: Message) -> None:
            nonlocal accepted
            if message["type"] == "websocket.accept":
                accepted = True
                self._tally.connections["websocket"] += 1
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            if accepted:
                self._tally.connections["websocket"] -= 1
            route = scope.get("path_template") or "other"
            said = "disconnected" if accepted else "refused a connection"
            LOG.info(said, extra={"fields": {"route": route, "seconds": round(monotonic() - begun, 1)}})

    async def _metrics(self, scope: Scope, send: Send) -> None:
        from faceup.server.metrics import exposition  # noqa: PLC0415 -- its library takes time that a start has not

        scope["path_template"] = "/metrics"
        if self._may_read(scope):
            status, kind, body = 200, _METRICS, exposition(self._tally, self._figures, await self._kept())
        else:
            status, kind, body = 403, "application/json", _FORBIDDEN
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _may_read(self, scope: Scope) -> bool:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if token := self._settings.metrics_token:
            return compare_digest(headers.get(b"authorization", b""), b"Bearer " + token.encode())
        if self._settings.public_url or self._settings.trusted_proxies:
            return False  # what leads here from outside may look like this machine: a tunnel does
        if headers.keys() & {b"x-forwarded-for", b"x-forwarded-proto", b"forwarded", b"via"}:
            return False  # it came through a proxy on this machine: it may be anybody's
        try:
            return bool(scope.get("client")) and ip_address(scope["client"][0]).is_loopback
        except ValueError:
            return False


_METRICS: Final = "text/plain; version=0.0.4; charset=utf-8"
_FORBIDDEN: Final = (
    b'{"error":{"kind":"forbidden","message":"metrics are read from the machine itself, '
    b'if nothing leads to it from outside, or with the token that the setting metrics_token names"}}'
)
