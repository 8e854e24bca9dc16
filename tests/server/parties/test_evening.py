"""The last evening of a party: which games it has, its score, and what its awards may show."""

from pathlib import Path

import pytest
from tests.server.parties.test_routes import NIMMT, end, get, handle_of, join, key_of, people, play, sit, start
from tests.server.parties.test_statistics import game

from faceup.server.accounts.players import find_by_handle
from faceup.server.admin.deletion import erase_players
from faceup.server.parties.evening import GAP, MAX_GAMES, last_evening

HOUR = 60 * 60 * 1000


def test_an_evening_ends_with_a_long_pause_and_not_at_midnight() -> None:
    ended_at = [HOUR, 2 * HOUR, 20 * HOUR, 23 * HOUR, 25 * HOUR]
    games = [game(at, Ann=1, Bo=2) for at in reversed(ended_at)]
    assert [played.ended_at // HOUR for played in last_evening(games)] == [25, 23, 20]
    assert last_evening([]) == []
    assert GAP < 18 * HOUR
    assert len(last_evening([game(1000 - number, Ann=1) for number in range(100)])) == MAX_GAMES


async def test_the_score_counts_all_games_of_the_evening_and_only_members_see_it(tmp_path: Path) -> None:
    async with people(tmp_path) as ((server,), (ann, bo, cy)):
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        empty: dict[str, object] = {"games": 0, "started_at": None, "ended_at": None, "standings": [], "awards": []}
        assert await get(ann, f"/api/parties/{party}/evening?awards=true") == empty
        before = None
        for config in (NIMMT, {"game": "niuniu", "terms": {"clock": None, "autoplay": "lowest"}}):
            table = await play(ann, party, config=config, instead=before)
            await sit(bo, table)
            await end(table, ann, bo)
            before = table
        evening = await get(bo, f"/api/parties/{party}/evening?awards=true")
        assert evening["games"] == 2
        assert sum(standing["wins"] for standing in evening["standings"]) == 2
        assert [standing["games"] for standing in evening["standings"]] == [2, 2]
        assert [standing["place"] for standing in evening["standings"]] in ([1, 2], [1, 1])
        await get(cy, f"/api/parties/{party}/evening", 404)
        picture = f"/api/parties/{party}/evening.png"
        assert (await bo.get(f"{picture}?shape=tall&lang=zh")).content.startswith(b"\x89PNG")
        assert (await cy.get(picture)).status_code == 404
        handle = await handle_of(ann)
        ann_id = await server.store.query(lambda connection: find_by_handle(connection, handle).id)
        await erase_players(server.store, [ann_id])
        evening = await get(bo, f"/api/parties/{party}/evening?awards=true")
        assert [standing["who"]["name"] for standing in evening["standings"]] == ["Bo"]
        assert handle not in str(evening)


@pytest.mark.sample(1)
@pytest.mark.parametrize("spectators", ["anyone", "nobody"])
async def test_no_award_shows_anything_of_a_table_without_spectators(tmp_path: Path, spectators: str) -> None:
    async with people(tmp_path, "Ann Bo") as (_, (ann, bo)):
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        config = NIMMT | {"options": {"hand": 10, "deals": 3, "target": 0}, "spectators": spectators}
        table = await play(ann, party, config=config)
        await sit(bo, table)
        await end(table, ann, bo)
        evening = await get(ann, f"/api/parties/{party}/evening?awards=true")
        assert evening["games"] == 1
        assert bool(evening["awards"]) == (spectators == "anyone")
