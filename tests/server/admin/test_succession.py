"""Roles of erased and banned people: others inherit them, and no one waits for a player who cannot return."""

import asyncio
from functools import partial

import pytest
import sqlalchemy as sa
from tests.server.admin.deletion_worlds import NAMES, a_guest, attached, seated
from tests.server.live.players import QUICK, Person, hub_at

from faceup.core.record import Terms
from faceup.server.accounts.revocations import revoked_since, subject_of
from faceup.server.admin.deletion import erase_players
from faceup.server.admin.log_append import read_room
from faceup.server.admin.players import ban, remove_banned, watch_bans
from faceup.server.live.change_listeners import ChangeListeners
from faceup.server.moderation.bans import ban_player
from faceup.server.parties.queries import create_party, join_party, party_of, require_host
from faceup.server.process.settings import Settings
from faceup.server.rooms import Choose, Start, TableConfig
from faceup.server.rooms.config import DAY
from faceup.server.store import Store
from faceup.server.tournaments.queries import create_tournament, find_tournament, join_tournament
from faceup.server.tournaments.schema import tournaments
from faceup.server.tournaments.settings import TournamentSettings
from faceup.server.tournaments.state import open_tournament
from faceup.server.tournaments.tables import SeatedPlayer
from faceup.table.commands import Pause, Resume, Return

DAYS = TableConfig(game="nimmt", options={"seats": 2, "hand": 3}, terms=Terms(clock=3 * DAY))
CUP = TournamentSettings(name="Cup", table=TableConfig(game="nimmt", terms=Terms(clock=30_000)))


async def test_a_paused_game_of_days_is_resumed_by_the_other_and_a_bot_plays_for_the_erased_host(url: str) -> None:
    async with hub_at(url, QUICK) as hub:
        people = (await a_guest(hub.store, NAMES[0]), await a_guest(hub.store, NAMES[1]))
        table = await seated(hub, DAYS, people)
        await hub.send(table, Pause(), id="pause", player=people[0])
        await erase_players(hub.store, [people[0]])
        await hub.drop(table)
        await hub.send(table, Resume(), id="resume", player=people[1])
        other = await Person(hub, table, people[1]).connect()
        assert (other.room_view["away"], other.room_view["is_host"]) == ([0], True)
        await hub.send(table, Choose(1, other.room_view["actions"][0], 0), id="choose", player=people[1])
        await other.until(lambda other: other.room_view["decision"] == 1)


async def test_a_rematch_after_an_erasure_waits_for_no_one(url: str) -> None:
    async with hub_at(url, QUICK) as hub:
        store = hub.store
        first, second = await a_guest(store, NAMES[0]), await a_guest(store, NAMES[1])
        config = TableConfig(game="nimmt", options={"seats": 2, "hand": 1}, terms=Terms())
        table = await seated(hub, config, (first, second))
        connected = [await Person(hub, table, player).connect() for player in (first, second)]
        await asyncio.gather(*(person.play() for person in connected))
        assert (await hub.view(table, second)).status == "finished"
        await erase_players(store, [first])
        await hub.drop(table)
        again = (await hub.rematch(table, second, id="again")).table
        view = await hub.view(again, second)
        assert (view.status, view.reserved) == ("active", ("", ""))  # a bot plays instead


@pytest.mark.sample(1)
async def test_the_next_entrant_is_the_host_of_a_tournament(url: str) -> None:
    async with attached(url) as store:
        people = [await a_guest(store, name) for name in ("Ann", "Bo", "Cy", "Di")]
        await _cup(store, people[0])
        await erase_players(store, [people[0]])  # before anyone has joined
        assert (await store.query(partial(find_tournament, identifier="cup"))).host is None
        for player in people[1:]:
            await store.write(partial(join_tournament, now=1, identifier="cup", who=SeatedPlayer(player, player, "")))
        stored = await store.query(partial(find_tournament, identifier="cup"))
        assert stored.host == people[1]
        await ban(store, people[1])
        stored = await store.query(partial(find_tournament, identifier="cup"))
        assert (stored.host, stored.state.tournament.entrants[0].status) == (people[2], "left")
        await erase_players(store, [people[2]])
        after = await store.query(partial(find_tournament, identifier="cup"))
        assert (after.host, after.version > stored.version) == (people[3], True)


async def _cup(store: Store, host: str) -> None:
    state = open_tournament(CUP, 1, store.now())
    create = partial(create_tournament, host=host, source="hash", state=state, limits=Settings())
    await store.write(partial(create, now=0, identifier="cup"))
    assert await store.query(lambda c: c.execute(sa.select(tournaments.c.source)).scalar()) == "hash"


@pytest.mark.sample(1)
async def test_the_next_member_is_the_host_of_a_party(url: str) -> None:
    async with attached(url) as store:
        ann, bo, cy = [await a_guest(store, name) for name in ("Ann", "Bo", "Cy")]
        await store.write(partial(create_party, now=0, player=ann, name="", party="party"))
        key = (await store.query(partial(party_of, party="party", player=ann))).key
        for now, player in enumerate((bo, cy)):
            await store.write(partial(join_party, now=now, key=key, player=player))
        await ban(store, ann)
        assert (await store.query(partial(require_host, party="party", player=bo))).host.player == bo
        await erase_players(store, [bo])
        assert (await store.query(partial(require_host, party="party", player=cy))).host.player == cy


async def test_servers_remove_a_banned_player_from_all_tables_after_the_ban(url: str) -> None:
    """Also if the process that stored the ban has ended before it could do so."""
    async with hub_at(url, QUICK) as hub:
        people = (await a_guest(hub.store, NAMES[0]), await a_guest(hub.store, NAMES[1]))
        table = await seated(hub, DAYS, people)
        changes, before = ChangeListeners(), hub.store.now()
        watching = asyncio.create_task(watch_bans(hub.store, changes))
        while not changes.waits(subject_of("bans")):  # noqa: ASYNC110 -- the listeners set no event
            await asyncio.sleep(0.01)
        await hub.store.write(lambda connection: ban_player(connection, before, people[0]))
        revoked = await hub.store.query(lambda connection: revoked_since(connection, before))
        changes.notify(*(subject for _, subject in revoked))  # as a server does that reads them
        async with asyncio.timeout(60):
            while (await read_room(hub.store, table)).host != people[1]:  # noqa: ASYNC110 -- nor does the database
                await asyncio.sleep(0.05)
        watching.cancel()


async def test_a_banned_player_leaves_all_tables_also_one_that_the_player_returned_to(url: str) -> None:
    async with hub_at(url, QUICK) as hub:
        people = (await a_guest(hub.store, NAMES[0]), await a_guest(hub.store, NAMES[1]))
        days = await seated(hub, DAYS, people)
        waiting = await seated(hub, TableConfig(game="nimmt", options={"seats": 4}, terms=Terms()), people)
        await ban(hub.store, people[0])
        for table in (days, waiting):
            await hub.drop(table)
            other = await Person(hub, table, people[1]).connect()
            assert other.room_view.get("is_host")
            assert (other.room_view["away"] == [0], other.room_view["seats"][0] is None) == (
                table == days,
                table == waiting,
            )
        await hub.send(waiting, Start(), id="start", player=people[1])
        await hub.send(days, Return(0), id="return", player=people[0])  # before a server has read the ban
        await remove_banned(hub.store)
        await hub.drop(days)
        other = await Person(hub, days, people[1]).connect()
        await other.until(lambda other: other.room_view["away"] == [0])
