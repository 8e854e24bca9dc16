"""Access to `/metrics` without a token: only from the machine itself, without a proxy or tunnel."""

from typing import Any

import pytest

from faceup.server.process.access_log import AccessLog
from faceup.server.process.metrics import DatabaseCounts, Metrics
from faceup.server.process.settings import Settings

TOKEN = "open-sesame"  # noqa: S105 -- for tests only


async def _do_nothing(*_: Any) -> None:
    """An application that does nothing."""


async def _no_counts() -> DatabaseCounts:
    return DatabaseCounts()


@pytest.mark.parametrize(
    ("address", "headers", "settings", "status"),
    [
        ("127.0.0.1", [], Settings(), 200),
        ("::1", [], Settings(base_path="/cards"), 200),
        ("192.168.1.5", [], Settings(lan=True), 403),
        ("127.0.0.1", [(b"x-forwarded-for", b"127.0.0.1")], Settings(), 403),
        ("127.0.0.1", [(b"via", b"1.1 tunnel")], Settings(), 403),
        ("127.0.0.1", [], Settings(trusted_proxies=("127.0.0.1",)), 403),
        ("127.0.0.1", [], Settings(public_url="https://example.org"), 403),
        (
            "127.0.0.1",
            [(b"authorization", f"Bearer {TOKEN}".encode())],
            Settings(public_url="https://example.org"),
            403,
        ),
        ("8.8.8.8", [(b"authorization", f"Bearer {TOKEN}".encode())], Settings(metrics_token=TOKEN), 200),
        ("127.0.0.1", [(b"authorization", b"Bearer sesame")], Settings(metrics_token=TOKEN), 403),
        ("", [], Settings(), 403),
    ],
)
async def test_metrics_require_this_machine_or_the_token(
    address: str, headers: list[tuple[bytes, bytes]], settings: Settings, status: int
) -> None:
    expected: list[Any] = []

    async def send(message: Any) -> None:
        expected.append(message)

    client = (address, 1) if address else None
    path = f"{settings.base_path}/metrics"
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "client": client}
    await AccessLog(_do_nothing, settings, Metrics(), _no_counts)(scope, _do_nothing, send)  # type: ignore[arg-type]  # nothing is received
    assert expected[0]["status"] == status
    assert (b"faceup_connections" in expected[1]["body"]) == (status == 200)
