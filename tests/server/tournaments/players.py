"""People who play a tournament over the API, without a browser."""

import asyncio
from typing import Any

import httpx


def settings(**changes: object) -> dict[str, Any]:
    """Return the settings of a short tournament: two rounds at tables of three, with two cards each and no break."""
    table = {"game": "nimmt", "options": {"seats": 3, "hand": 2}, "terms": {"clock": 60_000}}
    return {"name": "Club night", "table": table, "rounds": 2, "break_time": 0, **changes}


async def create(host: httpx.AsyncClient, **changes: object) -> str:
    """Create a tournament with these settings, and return its id."""
    answer = await host.post("/api/tournaments", json={"settings": settings(**changes)})
    assert answer.status_code == 201, answer.text
    created: str = answer.json()["tournament"]["id"]
    return created


async def command(client: httpx.AsyncClient, tournament: str, name: str, **fields: object) -> dict[str, Any]:
    """Send a command, which must be accepted, and return the response."""
    answer = await client.post(f"/api/tournaments/{tournament}/commands", json={"command": name, **fields})
    assert answer.status_code == 200, answer.text
    response: dict[str, Any] = answer.json()
    return response


async def view(client: httpx.AsyncClient, tournament: str) -> dict[str, Any]:
    """Return the response with a tournament."""
    response: dict[str, Any] = (await client.get(f"/api/tournaments/{tournament}")).raise_for_status().json()
    return response


async def play(client: httpx.AsyncClient, tournament: str, *, pause: float = 0.02) -> None:
    """Play at all tables of a player until the tournament is over. Errors of a server that restarts are ignored."""
    while True:
        try:
            seen = await view(client, tournament)
            if seen["tournament"]["status"] in {"finished", "cancelled"}:
                return
            if (table := (seen["me"] or {}).get("table")) is not None:
                await play_turn(client, table)
        except (httpx.HTTPError, KeyError):
            await asyncio.sleep(0.2)
        await asyncio.sleep(pause)


async def play_turn(client: httpx.AsyncClient, table: str) -> None:
    """Play the first legal action at a table, if the player has to choose."""
    answer = await client.get(f"/api/tables/{table}")
    if answer.status_code != 200:  # the table is not created yet
        return
    room = answer.json()["room"]
    if room["status"] == "active" and room["actions"] and "choice" not in room and room.get("seat") is not None:
        choice = {"command": "choose", "seat": room["seat"], "action": room["actions"][0], "decision": room["decision"]}
        key = f"{room['decision']}"
        await client.post(f"/api/tables/{table}/commands", json={"id": key, **choice})


async def until(client: httpx.AsyncClient, tournament: str, status: str) -> None:
    """Wait until a tournament has this status."""
    async with asyncio.timeout(60):
        while (seen := (await view(client, tournament))["tournament"])["status"] != status:
            await client.get(f"/api/tournaments/{tournament}?after={seen['version']}")
