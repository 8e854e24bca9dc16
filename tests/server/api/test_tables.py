"""Tables over HTTP."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.server.api.playing import do, error, play_on, sight
from tests.server.inside import HERE, House, opened

from faceup.core import make
from faceup.core.record import loads, replay
from faceup.server.api import Limits, Rate
from faceup.server.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """One for all: their tables never touch each other."""
    async with opened(tmp_path_factory.mktemp("tables") / "tables.sqlite") as open_house:
        yield open_house


async def test_two_people_play_a_whole_game_and_its_record_replays(house: House) -> None:
    async with house.guest("Ann") as ann, house.client() as bo:
        made = (await ann.post("/api/tables", json={"opening": {"game": "nimmt", "options": {"seats": 2}}})).json()
        assert made["link"] == f"{HERE}/t/{made['id']}"
        found = (await bo.get(f"/api/codes/{made['code'].lower()}")).json()
        assert found == made
        table = found["id"]
        assert (await do(bo, table, "sit", name="Bo")).json() == {"ack": "sit-Bo"}
        assert (await bo.get("/api/me")).json()["name"] == "Bo"
        assert [seat["name"] for seat in (await sight(ann, table))["seats"]] == ["Ann", "Bo"]

        await play_on([ann, bo], table)
        end = await sight(ann, table)
        assert end["status"] == "finished"
        answer = await bo.get(f"/api/tables/{table}/record")
        record = loads(answer.text)
        assert [*replay(record)][-1].entry >= 0
        assert list(record.result.scores if record.result else ()) == end["result"]["scores"]


async def test_five_letters_behind_the_address_lead_to_their_table(house: House) -> None:
    async with house.guest("Ann") as ann, house.client() as bo:
        made = (await ann.post("/api/tables", json={"opening": {"game": "war"}})).json()
        answer = await bo.get(f"/{made['code'].lower()}")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{made['id']}")
        assert (await bo.get(f"/t/{made['id']}")).status_code == 200
        for nothing in ("/ILOSI", "/robots.txt", "/12345"):
            assert error(await bo.get(nothing)) == (404, "missing")


async def test_what_time_it_is_at_a_table_is_said_beside_the_sight(house: House) -> None:
    async with house.guest("Ann") as ann:
        table = await house.table(ann, watch_delay=600_000)
        first, then = [(await ann.get(f"/api/tables/{table}")).json()["now"] for _ in range(2)]
        assert 0 <= first <= then
        async with house.client() as somebody:
            late = (await somebody.get(f"/api/tables/{table}")).json()
            assert late["now"] == 0, "a spectator who is told later is as late as that"


async def test_whoever_makes_a_table_without_a_session_is_a_guest_by_it(house: House) -> None:
    async with house.client() as somebody:
        made = await somebody.post("/api/tables", json={"opening": {"game": "war"}, "name": "Cy"})
        assert made.status_code == 201
        assert (await somebody.get("/api/me")).json()["name"] == "Cy"
        assert (await sight(somebody, made.json()["id"]))["host"] == 0


async def test_a_table_that_is_asked_for_twice_is_made_once(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo:
        asked = {"id": "mine", "opening": {"game": "war"}}
        first, again, another = [await player.post("/api/tables", json=asked) for player in (ann, ann, bo)]
        assert first.json()["id"] == again.json()["id"] != another.json()["id"]
        assert [each["id"] for each in (await ann.get("/api/me/tables")).json()] == [first.json()["id"]]


async def test_open_tables_are_listed_and_others_are_not(house: House) -> None:
    async with house.guest("Ann") as ann, house.client() as bo:
        listed = await house.table(ann, listed=True)
        await house.table(ann)
        tables = (await bo.get("/api/tables")).json()
        assert [each["id"] for each in tables] == [listed]
        assert tables[0]["summary"]["seats"] == [{"name": "Ann", "kind": "person"}, None]


async def test_whoever_lost_the_link_finds_the_tables_that_are_not_over(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo:
        over, open_table = await house.table(ann), await house.table(ann)
        for table in (over, open_table):
            await do(bo, table, "sit")
        await play_on([ann, bo], over)
        for player in (ann, bo):
            assert [each["id"] for each in (await player.get("/api/me/tables")).json()] == [open_table]


async def test_a_command_that_is_sent_twice_counts_once_and_is_answered_alike(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo:
        table = await house.table(ann)
        first = await do(bo, table, "sit")
        assert (await do(bo, table, "sit")).json() == first.json()
        words = (await sight(bo, table))["words"]
        for _ in range(2):
            assert (await do(bo, table, "choose", seat=1, action=words[0], decision=0)).status_code == 200
        assert (await sight(bo, table))["choice"] == words[0]


async def test_the_id_of_somebody_elses_command_can_be_used_by_anybody(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo:
        table = await house.table(ann)
        await do(bo, table, "sit")
        for seat, player in enumerate((ann, bo)):
            action = (await sight(player, table))["words"][0]
            body = {"id": "mine", "do": "mark", "seat": seat, "action": action, "decision": 0}
            assert (await player.post(f"/api/tables/{table}/commands", json=body)).status_code == 200
            assert (await sight(player, table))["mark"] == action


async def test_what_is_wrong_with_a_command_is_said_and_leaves_the_table_as_it_was(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo, house.guest("Cy") as cy:
        table = await house.table(ann)
        await do(bo, table, "sit")
        before = [await sight(player, table) for player in (ann, bo, cy)]
        mine = before[0]["words"][0]
        theirs = before[1]["words"][0]
        refused = [
            (await do(ann, table, "choose", seat=1, action=mine, decision=0), (403, "not_yours")),
            (await do(cy, table, "choose", seat=0, action=mine, decision=0), (403, "not_yours")),
            (await do(ann, table, "choose", seat=7, action=mine, decision=0), (403, "not_yours")),
            (await do(ann, table, "choose", seat=0, action=mine, decision=1), (403, "not_yours")),
            (await do(ann, table, "choose", seat=0, action=theirs, decision=0), (409, "not_legal")),
            (await do(ann, table, "choose", seat=0, action="play 105", decision=0), (400, "malformed")),
            (await do(ann, table, "choose", seat=0, action="dance", decision=0), (400, "malformed")),
            (await do(ann, table, "choose", seat="zero", action=mine, decision=0), (400, "malformed")),
            (await do(ann, table, "choose", seat=0, action=mine), (400, "malformed")),
            (await do(ann, table, "choose", seat=0, action=mine, decision=0, tempo=3), (400, "malformed")),
            (await do(ann, table, "dance"), (400, "malformed")),
            (await do(ann, table, "tick"), (400, "malformed")),
            (await do(ann, table, "bot", seat=1, action=theirs, decision=0), (400, "malformed")),
            (await do(ann, table, "close", reason="operator"), (400, "malformed")),
            (await do(cy, table, "sit"), (409, "full")),
            (await do(ann, table, "start"), (409, "stale")),
            (await do(bo, table, "pause"), (403, "not_yours")),
            (await do(ann, "A" * 22, "start"), (404, "no_table")),
            (await ann.post(f"/api/tables/{table}/commands", content=b"{"), (415, "media_type")),
        ]
        for answer, expected in refused:
            assert error(answer) == expected, answer.text
            assert theirs not in answer.json()["error"].get("legal", [])
        assert [await sight(player, table) for player in (ann, bo, cy)] == before


async def test_a_finished_table_takes_no_choice_and_a_closed_one_nothing(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo:
        over = await house.table(ann)
        await do(bo, over, "sit")
        await play_on([ann, bo], over)
        late = {"id": "late", "do": "choose", "seat": 0, "action": "play 3", "decision": 0}
        answer = await ann.post(f"/api/tables/{over}/commands", json=late)
        assert error(answer)[1] in {"stale", "not_yours"}
        again = (await do(ann, over, "rematch")).json()["table"]
        assert (await bo.post(f"/api/tables/{over}/commands", json={"id": "r", "do": "rematch"})).json() == {
            "ack": "r",
            "table": again,
        }
        closed = await house.table(ann)
        assert (await do(ann, closed, "close")).status_code == 200
        assert error(await do(bo, closed, "sit")) == (409, "closed")


async def test_a_table_is_drawn_for_whoever_asks_and_no_hand_of_another(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo, house.client() as nobody:
        table = await house.table(ann)
        await do(bo, table, "sit")
        drawn = [await each.get(f"/api/tables/{table}/drawing.svg") for each in (ann, bo, nobody)]
        assert all(each.headers["content-type"].startswith("image/svg+xml") for each in drawn)
        assert all("sandbox" in each.headers["content-security-policy"] for each in drawn)
        assert len({each.text for each in drawn}) == 3
        code = await nobody.get(f"/api/tables/{table}/link.svg")
        assert code.text.startswith("<svg")
        for picture in ("drawing", "link"):
            assert (await nobody.get(f"/api/tables/{'A' * 22}/{picture}.svg")).status_code == 404


async def test_where_nobody_may_watch_only_those_who_play_see_it(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo, house.client() as nobody:
        table = await house.table(ann, watch="nobody")
        await do(bo, table, "sit")
        for path in ("", "/drawing.svg", "/stream"):
            assert error(await nobody.get(f"/api/tables/{table}{path}")) == (403, "hidden")
        assert (await sight(bo, table))["seat"] == 1


async def test_a_link_is_that_of_the_public_address(tmp_path: Path) -> None:
    settings = Settings(public_url="https://cards.example", base_path="/play")
    async with opened(tmp_path / "t.sqlite", settings) as house, house.guest("Ann") as ann:
        made = (await ann.post("/api/tables", json={"opening": {"game": "nimmt"}})).json()
        assert made["link"] == f"https://cards.example/play/t/{made['id']}"


@pytest.mark.parametrize(
    "opening",
    [
        {"game": "chess"},
        {"game": "nimmt", "variant": "speed"},
        {"game": "nimmt", "options": {"seats": 11}},
        {"game": "nimmt", "options": {"tempo": 1}},
        {"game": "nimmt", "terms": {"clock": 1}},
        {"game": "nimmt", "bots": ["nobody"]},
        {"game": "nimmt", "bots": ["mc@100000000"]},
        {"game": "nimmt", "cheat": True},
        {},
        None,
    ],
)
async def test_a_table_that_cannot_be_is_refused_with_what_is_wrong(house: House, opening: object) -> None:
    async with house.guest("Ann") as ann:
        assert error(await ann.post("/api/tables", json={"opening": opening})) == (400, "malformed")
        assert error(await ann.post("/api/tables", json=opening)) == (400, "malformed")


async def test_a_bot_that_says_how_long_it_thinks_is_not_seated(house: House) -> None:
    async with house.guest("Ann") as ann:
        table = await house.table(ann)
        assert error(await do(ann, table, "add_bot", kind="mc@60000ms")) == (400, "malformed")


async def test_nobody_makes_tables_without_end(tmp_path: Path) -> None:
    limits = Limits(tables=Rate(2, 0.01))
    async with (
        opened(tmp_path / "t.sqlite", limits=limits) as house,
        house.guest("Ann") as ann,
        house.guest("Bo") as bo,
    ):
        answers = [await ann.post("/api/tables", json={"opening": {"game": "war"}}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert (await bo.post("/api/tables", json={"opening": {"game": "war"}})).status_code == 201


async def test_games_are_described_as_they_are_registered(house: House) -> None:
    async with house.client() as nobody:
        games = {game["name"]: game for game in (await nobody.get("/api/games")).json()}
    assert {"nimmt", "niuniu", "war"} <= set(games)
    nimmt = games["nimmt"]
    assert {option["name"] for option in nimmt["options"]} >= {"seats", "hand", "deals"}
    assert [level for level in nimmt["levels"] if level in {bot["name"] for bot in nimmt["bots"]}] == nimmt["levels"]
    for variant in nimmt["variants"]:
        make(f"nimmt:{variant['name']}")
    assert (games["war"]["chooses"], games["war"]["levels"]) == (False, [])
