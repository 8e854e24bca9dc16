"""Who may read the figures of a server that has no token for it: the machine itself, if nothing leads there."""

from typing import Any

import pytest

from faceup.server.desk import Figures
from faceup.server.settings import Settings
from faceup.server.tally import Kept, Tally
from faceup.server.watching import Watched

TOKEN = "open-sesame"  # noqa: S105 -- of nothing


async def _nothing(*_: Any) -> None:
    """An application that answers nothing."""


async def _kept() -> Kept:
    return Kept()


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
async def test_figures_are_for_this_machine_or_for_the_token(
    address: str, headers: list[tuple[bytes, bytes]], settings: Settings, status: int
) -> None:
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    client = (address, 1) if address else None
    path = f"{settings.base_path}/metrics"
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "client": client}
    await Watched(_nothing, settings, Tally(), Figures(), _kept)(scope, _nothing, send)  # type: ignore[arg-type]  # it reads nothing
    assert said[0]["status"] == status
    assert (b"faceup_connections" in said[1]["body"]) == (status == 200)
