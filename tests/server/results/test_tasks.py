"""The coach reviews each finished game once for its players, and only they get what it found."""

import asyncio

import httpx
import pytest
from tests.server.app_server import ListeningServer
from tests.server.requests import do, play_on

from faceup.server.results.tasks import SeatReviews


@pytest.mark.slow
async def test_the_coach_reviews_a_finished_game_for_its_players_only(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo, server.client() as anonymous:
        table = await server.table(ann, options={"seats": 3, "hand": 3}, bots=["random"], spectators="nobody")
        await do(bo, table, "sit")
        await do(ann, table, "start")
        await play_on([ann, bo], table)
        services = server.app.services
        await services.results_ingest.ingest()
        first, other = [SeatReviews(server.store, server.hub, services.coach, share=1.0) for _ in range(2)]
        assert sum(await asyncio.gather(first.run(), other.run())) == 2
        assert (await first.run(), await other.run()) == (0, 0)
        for client in (ann, bo):
            statistics = (await client.get("/api/me/statistics")).json()
            coach = statistics.pop("coach")
            assert (coach["games"], statistics["games"]) == (1, 1)
            assert 2 <= coach["decisions"] <= 3 + 3  # some choices are forced, and some cards are below all rows
            assert await statistics_seen_by(client, anonymous) == statistics
        assert (await anonymous.get("/api/me/statistics")).status_code == 401
        limited = SeatReviews(server.store, server.hub, services.coach, per_day=0)
        await play_on([ann, bo], await server.table(ann, bo))
        await services.results_ingest.ingest()
        assert await limited.run() == 2
        assert (await ann.get("/api/me/statistics")).json()["coach"]["games"] == 1


async def statistics_seen_by(player: httpx.AsyncClient, other: httpx.AsyncClient) -> object:
    """Return the statistics that someone else gets of a player."""
    handle = (await player.get("/api/me")).json()["handle"]
    answer = await other.get(f"/api/players/{handle}/statistics")
    assert answer.status_code == 200
    return answer.json()
