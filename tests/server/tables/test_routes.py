"""Routes of tables."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.server.app_server import HERE, AppServer, opened
from tests.server.requests import do, error, play_on, room_view

from faceup.core import make
from faceup.core.record import loads, replay
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.process import lan
from faceup.server.process.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AppServer]:
    """A server for all tests of this module, which use separate tables."""
    async with opened(tmp_path_factory.mktemp("tables") / "tables.sqlite") as running:
        yield running


async def test_two_people_play_a_game_and_its_record_replays(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as bo:
        made = (await ann.post("/api/tables", json={"config": {"game": "nimmt", "options": {"seats": 2}}})).json()
        assert made["link"] == f"{HERE}/t/{made['id']}"
        place = (await bo.get(f"/api/codes/{made['code'].lower()}")).json()
        assert place == made
        table = place["id"]
        assert (await do(bo, table, "sit", name="Bo")).json() == {"ack": "sit-Bo"}
        assert (await bo.get("/api/me")).json()["name"] == "Bo"
        assert [seat["name"] for seat in (await room_view(ann, table))["seats"]] == ["Ann", "Bo"]

        await play_on([ann, bo], table)
        end = await room_view(ann, table)
        assert end["status"] == "finished"
        answer = await bo.get(f"/api/tables/{table}/record")
        record = loads(answer.text)
        assert [*replay(record)][-1].entry >= 0
        assert list(record.result.scores if record.result else ()) == end["result"]["scores"]


async def test_a_code_in_the_address_redirects_to_its_table(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as bo:
        made = (await ann.post("/api/tables", json={"config": {"game": "war"}})).json()
        answer = await bo.get(f"/{made['code'].lower()}")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{made['id']}")
        assert (await bo.get(f"/t/{made['id']}")).status_code == 200
        for nothing in ("/ILOSI", "/humans.txt", "/12345"):
            assert error(await bo.get(nothing)) == (404, "not_found")


async def test_a_table_response_has_the_current_time(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        table = await app.table(ann, spectator_delay=600_000)
        first, then = [(await ann.get(f"/api/tables/{table}")).json()["now"] for _ in range(2)]
        assert 0 <= first <= then
        async with app.client() as client:
            late = (await client.get(f"/api/tables/{table}")).json()
            assert late["now"] == 0, "the clock of a delayed spectator is delayed, too"


async def test_creating_a_table_without_a_session_creates_a_guest(app: AppServer) -> None:
    async with app.client() as client:
        made = await client.post("/api/tables", json={"config": {"game": "war"}, "name": "Cy"})
        assert made.status_code == 201
        assert (await client.get("/api/me")).json()["name"] == "Cy"
        assert (await room_view(client, made.json()["id"]))["host"] == 0


async def test_a_table_against_bots_starts_with_its_creation(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        made = await ann.post("/api/tables", json={"config": {"game": "war", "bots": ["random"]}, "start": True})
        assert made.json()["status"] == "active"


async def test_open_tables_are_listed_and_others_are_not(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as bo:
        listed = await app.table(ann, listed=True)
        await app.table(ann)
        tables = (await bo.get("/api/tables")).json()
        assert [table["id"] for table in tables] == [listed]
        assert tables[0]["summary"]["seats"] == [{"name": "Ann", "kind": "person", "program": False}, None]


async def test_a_player_can_list_their_unfinished_tables(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        over, open_table = await app.table(ann), await app.table(ann)
        for table in (over, open_table):
            await do(bo, table, "sit")
        await play_on([ann, bo], over)
        for player in (ann, bo):
            assert [row["id"] for row in (await player.get("/api/me/tables")).json()] == [open_table]


async def test_commands_are_idempotent(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann)
        first = await do(bo, table, "sit")
        assert (await do(bo, table, "sit")).json() == first.json()
        words = (await room_view(bo, table))["actions"]
        for _ in range(2):
            assert (await do(bo, table, "choose", seat=1, action=words[0], decision=0)).status_code == 200
        assert (await room_view(bo, table))["choice"] == words[0]


async def test_command_ids_are_scoped_to_the_player(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann)
        await do(bo, table, "sit")
        for seat, player in enumerate((ann, bo)):
            action = (await room_view(player, table))["actions"][0]
            body = {"id": "mine", "command": "mark", "seat": seat, "action": action, "decision": 0}
            assert (await player.post(f"/api/tables/{table}/commands", json=body)).status_code == 200
            assert (await room_view(player, table))["mark"] == action


async def test_an_invalid_command_is_rejected_and_has_no_effect(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.guest("Cy") as cy:
        table = await app.table(ann)
        await do(bo, table, "sit")
        before = [await room_view(player, table) for player in (ann, bo, cy)]
        own_action = before[0]["actions"][0]
        other_action = before[1]["actions"][0]
        rejected = [
            (await do(ann, table, "choose", seat=1, action=own_action, decision=0), (403, "wrong_seat")),
            (await do(cy, table, "choose", seat=0, action=own_action, decision=0), (403, "wrong_seat")),
            (await do(ann, table, "choose", seat=7, action=own_action, decision=0), (403, "wrong_seat")),
            (await do(ann, table, "choose", seat=0, action=own_action, decision=1), (403, "wrong_seat")),
            (await do(ann, table, "choose", seat=0, action=other_action, decision=0), (409, "illegal_action")),
            (await do(ann, table, "choose", seat=0, action="play 105", decision=0), (400, "malformed")),
            (await do(ann, table, "choose", seat=0, action="dance", decision=0), (400, "malformed")),
            (await do(ann, table, "choose", seat="zero", action=own_action, decision=0), (400, "malformed")),
            (await do(ann, table, "choose", seat=0, action=own_action), (400, "malformed")),
            (await do(ann, table, "choose", seat=0, action=own_action, decision=0, tempo=3), (400, "malformed")),
            (await do(ann, table, "dance"), (400, "malformed")),
            (await do(ann, table, "expire_deadline"), (400, "malformed")),
            (await do(ann, table, "bot", seat=1, action=other_action, decision=0), (400, "malformed")),
            (await do(ann, table, "close", reason="operator"), (400, "malformed")),
            (await do(cy, table, "sit"), (409, "full")),
            (await do(ann, table, "start"), (409, "stale")),
            (await do(bo, table, "pause"), (403, "wrong_seat")),
            (await do(ann, "A" * 22, "start"), (404, "table_not_found")),
            (await ann.post(f"/api/tables/{table}/commands", content=b"{"), (415, "unsupported_media_type")),
        ]
        for answer, expected in rejected:
            assert error(answer) == expected, answer.text
            assert other_action not in answer.json()["error"].get("legal", [])
        assert [await room_view(player, table) for player in (ann, bo, cy)] == before


async def test_a_finished_table_rejects_choices_and_a_closed_one_all_commands(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        over = await app.table(ann)
        await do(bo, over, "sit")
        await play_on([ann, bo], over)
        late = {"id": "late", "command": "choose", "seat": 0, "action": "play 3", "decision": 0}
        answer = await ann.post(f"/api/tables/{over}/commands", json=late)
        assert error(answer)[1] in {"stale", "wrong_seat"}
        again = (await do(ann, over, "rematch")).json()["table"]
        assert (await bo.post(f"/api/tables/{over}/commands", json={"id": "r", "command": "rematch"})).json() == {
            "ack": "r",
            "table": again,
        }
        closed = await app.table(ann)
        assert (await do(ann, closed, "close")).status_code == 200
        assert error(await do(bo, closed, "sit")) == (409, "closed")


async def test_a_rematch_waits_on_the_lists_of_all_its_players(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.guest("Cy") as cy:
        three = {"seats": 3, "hand": 2}
        table = await app.table(ann, bo, cy, options=three, terms={"clock": None}, rated=False)
        await play_on([ann, bo, cy], table)
        again = (await do(ann, table, "rematch")).json()["table"]
        for player, waits in ((ann, None), (bo, "seat"), (cy, "seat")):
            [listed] = (await player.get("/api/me/tables")).json()
            assert (listed["id"], listed["waits_for"], listed["time_left"]) == (again, waits, None)
        seen = await room_view(bo, again)
        assert [seat and seat["name"] for seat in seen["seats"]] == ["Ann", None, None]
        assert [player["name"] for player in seen["series"]["players"]] == ["Ann", "Bo", "Cy"]
        assert (await do(bo, table, "rematch")).json()["table"] == again
        assert (await room_view(bo, again))["seat"] == 1
        await do(ann, again, "start")
        assert (await cy.get("/api/me/tables")).json() == []  # a bot has the seat
        assert (await room_view(cy, again)).get("seat") is None


async def test_tables_that_wait_for_a_choice_come_first_and_the_most_urgent_one_before_the_others(
    app: AppServer,
) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        slow = await app.table(ann, bo, terms={"clock": 200_000})
        untimed = await app.table(ann, bo)
        urgent = await app.table(ann, bo, terms={"clock": 30_000})
        chosen = await app.table(ann, bo)
        pending = await app.table(ann)
        seen = await room_view(ann, chosen)
        await do(ann, chosen, "choose", seat=0, action=seen["actions"][0], decision=0)
        listed = (await ann.get("/api/me/tables")).json()
        assert [(row["id"], row["waits_for"]) for row in listed] == [
            (urgent, "choice"), (slow, "choice"), (untimed, "choice"), (pending, None), (chosen, None),
        ]  # fmt: skip
        left = [row["time_left"] for row in listed]
        assert 0 < left[0] <= 30_000 < left[1] <= 200_000
        assert left[2:] == [None] * 3


async def test_a_drawing_shows_only_the_requesters_hand(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await app.table(ann)
        await do(bo, table, "sit")
        drawn = [await client.get(f"/api/tables/{table}/drawing.svg") for client in (ann, bo, anonymous)]
        assert all(answer.headers["content-type"].startswith("image/svg+xml") for answer in drawn)
        assert all("sandbox" in answer.headers["content-security-policy"] for answer in drawn)
        assert len({answer.text for answer in drawn}) == 3
        code = await anonymous.get(f"/api/tables/{table}/link.svg")
        assert code.text.startswith("<svg")
        for picture in ("drawing", "link"):
            assert (await anonymous.get(f"/api/tables/{'A' * 22}/{picture}.svg")).status_code == 404


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
async def test_the_drawing_of_a_pending_table_shows_how_many_players_are_missing(app: AppServer, game: str) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        opening = {"game": game, "options": {} if game == "war" else {"seats": 2}}
        table = (await ann.post("/api/tables", json={"config": opening})).json()["id"]
        before = (await ann.get(f"/api/tables/{table}/drawing.svg")).text
        assert "Waiting for players (1 of 2)" in before
        await do(bo, table, "sit")
        assert "Waiting" not in (await ann.get(f"/api/tables/{table}/drawing.svg")).text


async def test_without_spectators_only_players_see_a_running_game(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await app.table(ann, spectators="nobody")
        await do(bo, table, "sit")
        for path in ("", "/drawing.svg", "/stream"):
            assert error(await anonymous.get(f"/api/tables/{table}{path}")) == (403, "no_spectators")
        assert (await room_view(bo, table))["seat"] == 1


async def test_a_link_uses_the_public_url(tmp_path: Path) -> None:
    settings = Settings(public_url="https://cards.example", base_path="/play")
    async with opened(tmp_path / "t.sqlite", settings) as app, app.guest("Ann") as ann:
        made = (await ann.post("/api/tables", json={"config": {"game": "nimmt"}})).json()
        assert made["link"] == f"https://cards.example/play/t/{made['id']}"


async def test_a_link_made_on_the_host_s_own_machine_works_on_phones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "lan_addresses", lambda: [lan.LanAddress("192.168.1.20")])
    for lan_setting, root in ((True, "http://192.168.1.20"), (False, "http://localhost")):
        async with (
            opened(tmp_path / f"{lan_setting}.sqlite", Settings(lan=lan_setting)) as app,
            app.guest("Ann") as ann,
        ):
            headers = {"host": "localhost:8000", "origin": "http://localhost:8000"}
            made = (await ann.post("/api/tables", json={"config": {"game": "nimmt"}}, headers=headers)).json()
            assert made["link"] == f"{root}:8000/t/{made['id']}"


@pytest.mark.parametrize(
    "opening",
    [
        {"game": "chess"},
        {"game": "nimmt", "variant": "speed"},
        {"game": "nimmt", "options": {"seats": 11}},
        {"game": "nimmt", "options": {"tempo": 1}},
        {"game": "nimmt", "terms": {"clock": 1}},
        {"game": "nimmt", "bots": ["unknown"]},
        {"game": "nimmt", "bots": ["mc@100000000"]},
        {"game": "nimmt", "cheat": True},
        {},
        None,
    ],
)
async def test_an_invalid_table_config_is_rejected(app: AppServer, opening: object) -> None:
    async with app.guest("Ann") as ann:
        assert error(await ann.post("/api/tables", json={"config": opening})) == (400, "malformed")
        assert error(await ann.post("/api/tables", json=opening)) == (400, "malformed")


async def test_a_bot_with_a_search_effort_is_rejected(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        table = await app.table(ann)
        assert error(await do(ann, table, "add_bot", kind="mc@60000ms")) == (400, "malformed")


async def test_creating_tables_is_rate_limited(tmp_path: Path) -> None:
    limits = ServerLimits(tables=RateLimit(2, 0.01))
    async with (
        opened(tmp_path / "t.sqlite", limits=limits) as app,
        app.guest("Ann") as ann,
        app.guest("Bo") as bo,
    ):
        answers = [await ann.post("/api/tables", json={"config": {"game": "war"}}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert (await bo.post("/api/tables", json={"config": {"game": "war"}})).status_code == 201


async def test_games_are_listed_with_their_options_levels_and_variants(app: AppServer) -> None:
    async with app.client() as anonymous:
        games = {game["name"]: game for game in (await anonymous.get("/api/games")).json()}
    assert {"nimmt", "niuniu", "war"} <= set(games)
    nimmt = games["nimmt"]
    assert {option["name"] for option in nimmt["options"]} >= {"seats", "hand", "deals"}
    assert [level for level in nimmt["levels"] if level in {bot["name"] for bot in nimmt["bots"]}] == nimmt["levels"]
    for variant in nimmt["variants"]:
        make(f"nimmt:{variant['name']}")
    assert (games["war"]["chooses"], games["war"]["levels"]) == (False, [])
