"""Finished games in a store."""

import asyncio
import random
from collections.abc import Sequence
from copy import copy
from functools import cache

from tests.server.rooms.room_log import IDS, NAMES, Play, nimmt

from faceup.core.record import Terms
from faceup.server.rooms import Sit, Start, TableConfig
from faceup.server.rooms.commands import ChooseForBot
from faceup.server.store import LogRow, Store, new_code, new_id
from faceup.table.commands import Autoplay, Leave


def play_game(people: int = 2, *, seed: int = 1, away: Sequence[int] = (), config: TableConfig | None = None) -> Play:
    """Play a game of people and bots; the seats in `away` leave after the first turn."""
    choose = random.Random(seed)  # noqa: S311 -- which cards are played in a test
    play = Play(config or nimmt(seats=3, hand=3, bots=("random",)), seed=seed)
    for seat in range(1, people):
        play.send(Sit(NAMES[seat]), IDS[seat])
    if play.room.status == "pending":
        play.send(Start(), IDS[0])
    absent: set[int] = set()
    while play.room.status == "active":
        table = play.room.table
        seat = next(seat for seat in table.deciders if table.choices[seat] is None)
        words = play.legal(seat)[choose.randrange(len(play.legal(seat)))]
        play.now += 100
        if table.decision > 0 and set(away) - absent:
            leaver = min(set(away) - absent)
            play.send(Leave(leaver), IDS[leaver])
            absent.add(leaver)
        elif seat in absent:
            play.send(Autoplay(seat, words, table.decision))
        elif seat < people:
            play.choose(seat, play.legal(seat).index(words))
        else:
            play.send(ChooseForBot(seat, words, table.decision))
    return play


@cache
def rated_game(seed: int, people: int = 1) -> Play:
    """Return a rated two-player game of 6 nimmt!; do not modify it."""
    config = TableConfig(game="nimmt", options={"seats": 2}, terms=Terms(), bots=("random",), rated=True)
    return play_game(people, seed=seed, config=config)


SETTLING_GAMES = 40
"""A number of games of two new players after which their ratings are not provisional."""


def owned_by(play: Play, player: str) -> Play:
    """Return a copy of a game of one person in which this player has the seat. Only its log can be used."""
    copied = copy(play)
    copied.log = [(entries.replace(IDS[0].encode(), player.encode()), rest) for entries, rest in play.log]
    return copied


@cache
def niuniu_game(seed: int, **options: int) -> Play:
    """Return a match of Niu Niu between Ada, Bo and a bot; do not modify it."""
    config = TableConfig(game="niuniu", options={"seats": 3, **options}, terms=Terms(), bots=("random",))
    return play_game(2, seed=seed, config=config)


async def store_game(store: Store, play: Play, *, finished: bool = True, listed: bool = False) -> str:
    """Store a game's log in two appends, or only the first of them; return the id of its table."""
    table = new_id()
    first, rest = play.log[0][0], b",".join(entries[1:-1] for entries, _ in play.log[1:])
    append = LogRow(table=table, seq=0, at=0, entries=first, status="active")
    await store.create(append, opened_at=store.now(), listed=listed, code=new_code(), summary=b"{}")
    if finished:
        await store.append(LogRow(table=table, seq=1, at=play.now, entries=b"[%b]" % rest, status=play.room.status))
    ended = store.now()
    while store.now() == ended:  # noqa: ASYNC110 -- games that end in one millisecond would have no order
        await asyncio.sleep(0)
    return table
