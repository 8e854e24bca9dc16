"""A fair deal over HTTP, from the first pledge to the check of the record."""

from typing import Any

import httpx
import msgspec
from tests.server.api.playing import do, play_on, sight
from tests.server.inside import House

from faceup.core.record import loads
from faceup.server.rooms import fair_answer
from faceup.table import verify

TERMS = {"clock": None, "stand_in": "lowest", "fair": True}


async def answer(player: httpx.AsyncClient, table: str, seed: bytes) -> bool:
    """What the player's client sends by itself, if anything."""
    command = fair_answer(await sight(player, table), seed)
    if command is None:
        return False
    fields: dict[str, Any] = msgspec.to_builtins(command)
    body = {"id": f"{command.seat}-{fields['do']}-{command.round}", **fields}
    done = await player.post(f"/api/tables/{table}/commands", json=body)
    assert done.status_code == 200, done.text
    return True


async def test_two_clients_and_the_server_make_a_deal_that_everybody_can_check(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo, house.client() as anybody:
        table = await house.table(ann, terms=TERMS)
        await do(bo, table, "sit")
        assert (await sight(ann, table))["words"] == []
        while await answer(ann, table, b"a" * 32) or await answer(bo, table, b"b" * 32):
            pass
        seen = await sight(anybody, table)
        assert "secret" not in seen["fair"]
        await play_on([ann, bo], table)
        record = loads((await anybody.get(f"/api/tables/{table}/record")).text)
        verdict = verify(record)
        assert (verdict.faults, verdict.contributors) == ((), ("Ann", "Bo"))
        assert verdict.commitments == (seen["fair"]["commitment"],)
