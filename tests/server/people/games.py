"""Games that were played to their end, kept in a store as a server keeps them."""

import random
from collections.abc import Sequence
from functools import cache

from tests.server.rooms.play import IDS, NAMES, Play, nimmt

from faceup.core.record import Terms
from faceup.server.rooms import Bot, Leave, Opening, Sit, StandIn, Start
from faceup.server.store import Append, Store, new_code, new_id


def played(people: int = 2, *, seed: int = 1, away: Sequence[int] = (), opening: Opening | None = None) -> Play:
    """A game of some people and bots; who is `away` leaves after the first turn, and the table plays for it."""
    choose = random.Random(seed)  # noqa: S311 -- which cards are played in a test
    play = Play(opening or nimmt(seats=3, hand=3, bots=("random",)), seed=seed)
    for seat in range(1, people):
        play.send(Sit(NAMES[seat]), IDS[seat])
    if play.room.status == "pending":
        play.send(Start(), IDS[0])
    gone: set[int] = set()
    while play.room.status == "active":
        table = play.room.table
        seat = next(seat for seat in table.deciders if table.choices[seat] is None)
        words = play.legal(seat)[choose.randrange(len(play.legal(seat)))]
        play.now += 100
        if table.decision > 0 and set(away) - gone:
            leaver = min(set(away) - gone)
            play.send(Leave(leaver), IDS[leaver])
            gone.add(leaver)
        elif seat in gone:
            play.send(StandIn(seat, table.decision, words))
        elif seat < people:
            play.choose(seat, play.legal(seat).index(words))
        else:
            play.send(Bot(seat, words, table.decision))
    return play


@cache
def usual(seed: int, people: int = 1) -> Play:
    """A game of 6 nimmt! for two that counts for ratings, against a bot or another person; not to be changed."""
    opening = Opening(game="nimmt", options={"seats": 2}, terms=Terms(), bots=("random",))
    return played(people, seed=seed, opening=opening)


async def keep(store: Store, play: Play, *, finished: bool = True) -> str:
    """Keep a game's log in two appends, or the first of them; the id of its table."""
    table = new_id()
    first, rest = play.log[0][0], b",".join(entries[1:-1] for entries, _ in play.log[1:])
    append = Append(table=table, seq=0, at=0, entries=first, status="active")
    await store.create(append, opened_at=await store.now(), listed=False, code=new_code(), summary=b"{}")
    if finished:
        await store.append(Append(table=table, seq=1, at=play.now, entries=b"[%b]" % rest, status=play.room.status))
    return table
