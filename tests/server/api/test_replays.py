"""What was played, told again over HTTP, and what a stranger's file may do to the server: nothing."""

import json
from pathlib import Path

import httpx
import pytest
from tests.server.api.conftest import Serve
from tests.server.api.playing import do, error, play_on, sight
from tests.server.inside import House

from faceup.core.record import loads
from faceup.server.api import Limits, Rate
from faceup.server.rooms import replayed
from faceup.server.studies import Studying


async def a_game(house: House, ann: httpx.AsyncClient, bo: httpx.AsyncClient) -> str:
    table = await house.table(ann)
    await do(bo, table, "sit")
    await play_on([ann, bo], table)
    return table


async def post(client: httpx.AsyncClient, path: str, body: bytes) -> httpx.Response:
    return await client.post(path, content=body, headers={"content-type": "application/json"})


async def test_a_finished_table_is_told_again_to_anybody_and_from_its_record_the_same(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo, house.client() as anybody:
        table = await house.table(ann)
        await do(bo, table, "sit")
        assert error(await ann.get(f"/api/tables/{table}/replay")) == (403, "not_yours")
        await play_on([ann, bo], table)
        record = (await anybody.get(f"/api/tables/{table}/record")).content
        told = await anybody.get(f"/api/tables/{table}/replay")
        assert told.headers["content-type"] == "application/x-ndjson"
        assert told.content == b"".join(replayed(loads(record)))
        lines = [json.loads(line) for line in told.text.splitlines()]
        assert [len(hand["hand"]) for hand in lines[0]["sight"]["hands"].values()] == [2, 2]
        assert lines[-1]["patch"]["status"] == "finished"
        assert (await post(anybody, "/api/replay", record)).content == told.content
        from_one = await anybody.get(f"/api/tables/{table}/replay?seat=1")
        assert from_one.content == b"".join(replayed(loads(record), 1))
        plain = await anybody.get(f"/api/tables/{table}/replay", headers={"accept-encoding": "identity"})
        assert plain.content == told.content
        drawn = await anybody.get(f"/api/tables/{table}/moment.svg?at={len(lines) - 1}&seat=0")
        assert drawn.text == (await ann.get(f"/api/tables/{table}/drawing.svg")).text
        assert (await post(anybody, f"/api/moment?at={len(lines) - 1}&seat=0", record)).text == drawn.text
        assert error(await anybody.get(f"/api/tables/{table}/moment.svg?at=99")) == (400, "malformed")
        assert error(await anybody.get(f"/api/tables/{table}/replay?seat=2")) == (400, "malformed")


async def test_what_happened_so_far_is_told_to_each_as_it_saw_it_and_to_no_spectator_sooner(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo, house.client() as anybody:
        table = await house.table(ann)
        await do(bo, table, "sit")
        seen = await sight(ann, table)
        await do(ann, table, "choose", seat=0, action=seen["words"][0], decision=0)
        told = [(await who.get(f"/api/tables/{table}/past")).text.splitlines() for who in (ann, bo, anybody)]
        assert [len(lines) for lines in told] == [2, 2, 2]
        assert [json.loads(lines[0])["sight"].get("seat") for lines in told] == [0, 1, None]
        assert ["choice" in json.loads(lines[1])["patch"] for lines in told] == [True, False, False]
        late = await house.table(ann, watch_delay=600_000)
        await do(bo, late, "sit")
        assert (await anybody.get(f"/api/tables/{late}/past")).text == ""  # to spectators it has not begun
        assert len((await bo.get(f"/api/tables/{late}/past")).text.splitlines()) == 1
        private = await house.table(ann, watch="nobody")
        await do(bo, private, "sit")
        assert error(await anybody.get(f"/api/tables/{private}/past")) == (403, "hidden")
        assert error(await anybody.get("/api/tables/nowhere/past")) == (404, "no_table")


async def test_what_is_no_record_is_refused_with_what_is_wrong_with_it(serve: Serve) -> None:
    house = await serve(limits=Limits(record=5_000, studies=Rate(4, 0.001)))
    async with house.guest("Ann") as ann, house.guest("Bo") as bo, house.client() as anybody:
        record = (await ann.get(f"/api/tables/{await a_game(house, ann, bo)}/record")).json()
        wrong = await post(anybody, "/api/replay", b'{"format": 1}')
        assert error(wrong) == (400, "malformed")
        assert "not a record" in wrong.json()["error"]["message"]
        record["entries"][-1]["at"] = 0
        wrong = await post(anybody, "/api/replay", json.dumps(record).encode())
        assert f"entry {len(record['entries']) - 1}" in wrong.json()["error"]["message"]
        assert error(await post(anybody, "/api/replay", b" " * 6_000)) == (413, "too_large")
        assert error(await post(anybody, "/api/replay", b"{}")) == (400, "malformed")
        assert error(await post(anybody, "/api/replay", b"{}")) == (429, "too_many")


A_RECORD = Path("tests/web/streams/niuniu.record.json").read_bytes()


async def test_a_record_that_takes_too_long_is_given_up_and_the_next_one_is_read() -> None:
    studying = Studying(seconds=0.001)
    try:
        with pytest.raises(Exception, match="takes more than") as late:
            await studying.ask("lines", A_RECORD)
        assert getattr(late.value, "kind", "") == "malformed"
        studying.seconds = 60
        assert await studying.ask("lines", A_RECORD) == await studying.ask("lines", A_RECORD)
    finally:
        await studying.stop()


@pytest.mark.slow
async def test_every_decision_of_a_finished_table_is_judged(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo:
        table = await a_game(house, ann, bo)
        said = (await ann.get(f"/api/tables/{table}/review", timeout=180)).json()
        assert [(each["seat"], each["turn"]) for each in said["decisions"]][:2] == [(0, 1), (1, 1)]
        assert {"word", "cost", "best", "chosen", "win_before", "win_after"} <= said["decisions"][0].keys()
        assert "spread" not in said["decisions"][0]["options"][0]
        niuniu = {"format": 1, "game": "niuniu", "variant": "battle", "options": {}, "entries": []}
        assert error(await post(ann, "/api/review", json.dumps(niuniu).encode())) == (400, "malformed")
