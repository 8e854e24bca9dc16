"""A fair deal over HTTP, from the first pledge to the verification of the record."""

from typing import Any

import httpx
import msgspec
from tests.server.app_server import AppServer
from tests.server.requests import do, play_on, room_view

from faceup.core.record import loads
from faceup.server.rooms.commands import fair_command_for
from faceup.table import verify

TERMS = {"clock": None, "autoplay": "lowest", "fair": True}


async def answer(player: httpx.AsyncClient, table: str, seed: bytes) -> bool:
    """Send the player's next fair deal command, if any."""
    command = fair_command_for(await room_view(player, table), seed)
    if command is None:
        return False
    fields: dict[str, Any] = msgspec.to_builtins(command)
    body = {"id": f"{command.seat}-{fields['command']}-{command.round}", **fields}
    done = await player.post(f"/api/tables/{table}/commands", json=body)
    assert done.status_code == 200, done.text
    return True


async def test_a_fair_deal_of_two_clients_and_the_server_can_be_verified(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await app.table(ann, terms=TERMS)
        await do(bo, table, "sit")
        assert (await room_view(ann, table))["actions"] == []
        while await answer(ann, table, b"a" * 32) or await answer(bo, table, b"b" * 32):
            pass
        seen = await room_view(anonymous, table)
        assert "secret" not in seen["fair"]
        await play_on([ann, bo], table)
        record = loads((await anonymous.get(f"/api/tables/{table}/record")).text)
        verdict = verify(record)
        assert (verdict.faults, verdict.contributors) == ((), ("Ann", "Bo"))
        assert verdict.commitments == (seen["fair"]["commitment"],)
