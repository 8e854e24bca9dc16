"""Playing at a table by requests alone, each of which is answered when it is done."""

from typing import Any

import httpx


async def do(player: httpx.AsyncClient, table: str, command: str, **fields: object) -> httpx.Response:
    """Send a command with an id that says what it is."""
    identifier = "-".join([command, *(str(value).replace(" ", "_") for value in fields.values())])
    body = {"id": identifier, "do": command, **fields}
    return await player.post(f"/api/tables/{table}/commands", json=body)


async def sight(viewer: httpx.AsyncClient, table: str) -> dict[str, Any]:
    """What the viewer sees of a table."""
    answer = await viewer.get(f"/api/tables/{table}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["sight"]
    return found


async def play_on(players: list[httpx.AsyncClient], table: str) -> None:
    """Let each seat play its first legal action until the game is over."""
    while (seen := [await sight(player, table) for player in players])[0]["status"] == "active":
        for seat, player in enumerate(players):
            if seat in seen[seat]["view"]["to_act"]:
                action = seen[seat]["words"][0]
                await do(player, table, "choose", seat=seat, action=action, decision=seen[seat]["decision"])


def error(answer: httpx.Response) -> tuple[int, str]:
    """The status and the kind of a refusal."""
    assert set(answer.json()) == {"error"}, answer.text
    return answer.status_code, answer.json()["error"]["kind"]
