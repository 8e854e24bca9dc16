"""Helpers that play at a table over HTTP."""

from typing import Any

import httpx


async def do(player: httpx.AsyncClient, table: str, command: str, **fields: object) -> httpx.Response:
    """Send a command with a unique id."""
    identifier = "-".join([command, *(str(value).replace(" ", "_") for value in fields.values())])
    body = {"id": identifier, "command": command, **fields}
    return await player.post(f"/api/tables/{table}/commands", json=body)


async def room_view(viewer: httpx.AsyncClient, table: str) -> dict[str, Any]:
    """Return the viewer's room view."""
    answer = await viewer.get(f"/api/tables/{table}")
    assert answer.status_code == 200, answer.text
    room: dict[str, Any] = answer.json()["room"]
    return room


async def play_on(players: list[httpx.AsyncClient], table: str) -> None:
    """Let each seat play its first legal action until the game is over."""
    while (seen := [await room_view(player, table) for player in players])[0]["status"] == "active":
        for seat, player in enumerate(players):
            if seat in seen[seat]["view"]["to_act"]:
                action = seen[seat]["actions"][0]
                await do(player, table, "choose", seat=seat, action=action, decision=seen[seat]["decision"])


def error(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and kind of an error response."""
    assert set(answer.json()) == {"error"}, answer.text
    return answer.status_code, answer.json()["error"]["kind"]
