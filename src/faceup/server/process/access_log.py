"""The access log: middleware that assigns request IDs, counts and logs requests, and serves `/metrics`."""

import secrets
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from ipaddress import ip_address
from logging import DEBUG, INFO, WARNING
from time import monotonic
from typing import Final

from faceup.server.http.client_address import Scope
from faceup.server.http.hosts import AllowedHosts
from faceup.server.http.middleware import App, Message, Receive, Send
from faceup.server.process.logs import LOG, request_id
from faceup.server.process.metrics import DatabaseCounts, Metrics
from faceup.server.process.settings import Settings

_QUIET: Final = ("/api/health", "/api/ready", "/metrics", "/api/tables/{table}/commands")
"""Frequent routes. Their requests are logged at level debug unless they fail."""


class AccessLog:
    """ASGI middleware around the application. `database_counts` is called for each `/metrics` request."""

    def __init__(
        self,
        app: App,
        settings: Settings,
        metrics: Metrics,
        database_counts: Callable[[], Awaitable[DatabaseCounts]],
    ) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._database_counts = database_counts
        self._hosts = AllowedHosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request_id.set(secrets.token_hex(4))
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._connection(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status, streamed = monotonic(), 500, False
        name = request_id.get().encode()

        async def counted_send(message: Message) -> None:
            nonlocal status, streamed
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (b"x-request-id", name)]
                streamed = any(
                    key == b"content-type" and value.startswith(b"application/x-ndjson") for key, value in headers
                )
                if streamed:
                    self._metrics.connections.labels("stream").inc()
                message = {**message, "headers": headers}
            await send(message)

        try:
            if scope["path"].removeprefix(self._settings.base_path) == "/metrics":
                await self._send_metrics(scope, counted_send)
            else:
                await self._app(scope, receive, counted_send)
        finally:
            elapsed = monotonic() - started
            route = scope.get("path_template") or "other"
            self._metrics.requests.labels(scope["method"], route, status).inc()
            if streamed:
                self._metrics.connections.labels("stream").dec()
            else:
                self._metrics.request_seconds.observe(elapsed)
            LOG.log(
                WARNING if status >= 500 else DEBUG if status < 400 and route in _QUIET else INFO,
                "answered",
                extra={
                    "fields": {
                        "method": scope["method"],
                        "route": route,
                        "status": status,
                        "ms": round(elapsed * 1000, 1),
                    }
                },
            )

    async def _connection(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, accepted = monotonic(), False

        async def counted_send(message: Message) -> None:
            nonlocal accepted
            if message["type"] == "websocket.accept":
                accepted = True
                self._metrics.connections.labels("websocket").inc()
            await send(message)

        try:
            await self._app(scope, receive, counted_send)
        finally:
            if accepted:
                self._metrics.connections.labels("websocket").dec()
            route = scope.get("path_template") or "other"
            event = "disconnected" if accepted else "connection rejected"
            LOG.info(event, extra={"fields": {"route": route, "seconds": round(monotonic() - started, 1)}})

    async def _send_metrics(self, scope: Scope, send: Send) -> None:
        scope["path_template"] = "/metrics"
        if self._may_read(scope):
            status, kind, body = 200, _METRICS, self._metrics.exposition(await self._database_counts())
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
            return False  # requests through a tunnel or proxy come from this machine as well
        if headers.keys() & {b"x-forwarded-for", b"x-forwarded-proto", b"forwarded", b"via"}:
            return False  # a proxy on this machine forwarded the request
        if not self._hosts.allows(headers.get(b"host", b"").decode("latin-1")):
            return False  # a page of another site reached this machine under its own host name (DNS rebinding)
        try:
            return bool(scope.get("client")) and ip_address(scope["client"][0]).is_loopback
        except ValueError:
            return False


_METRICS: Final = "text/plain; version=0.0.4; charset=utf-8"
_FORBIDDEN: Final = (
    b'{"error":{"kind":"forbidden","message":"metrics need the token of the setting metrics_token; without this '
    b'setting, they are available from this machine if no proxy or tunnel is configured"}}'
)
