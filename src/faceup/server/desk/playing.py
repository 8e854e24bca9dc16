"""Who plays for seats without a person: bots at the pace of people, and the stand-in for those who are away."""

import logging
import secrets
from contextlib import suppress
from typing import Final

from faceup.bots import is_pure_chance, policy
from faceup.bots.levels import Level
from faceup.bots.thinking import Thinker
from faceup.core import Malformed, Policy, Seat
from faceup.server.desk.errands import Errands
from faceup.server.desk.means import SERVER, Means
from faceup.server.desk.turns import Turns
from faceup.server.desk.waking import for_the_table
from faceup.server.rooms import PERSON, Bot, Room, StandIn
from faceup.table import Player, to_choose

_LOG: Final = logging.getLogger(__name__)


class Playing:
    """Chooses, in the decision that is open in one room, for the seats that have nobody to choose for them.

    Args:
        means: of the process.
        turns: of the room.
        errands: of the room.
        table: the room's id, for the log.
    """

    def __init__(self, means: Means, turns: Turns, errands: Errands, *, table: str) -> None:
        self._means = means
        self._patience = means.patience
        self._turns = turns
        self._errands = errands
        self._table = table
        self._at: dict[Seat, int] = {}
        self._decision = -1
        self._thinking: set[tuple[int, Seat]] = set()
        self._seen: tuple[Player | None, ...] = ()

    def look(self, room: Room, now: int, *, ours: bool) -> None:
        """Plan for the seats that have nobody to choose for them.

        Args:
            room: as it stands.
            now: milliseconds since it was opened.
            ours: whether this process is the one to do it, or only does if that one does not.
        """
        table = room.table
        if table.players is not self._seen:
            self._seen = table.players
            self._prepare(room)
        if room.status != "active" or table.paused is not None:
            self._at.clear()
            return
        if table.decision != self._decision:
            self._decision = table.decision
            self._at.clear()
        waiting = [seat for seat in to_choose(table) if for_the_table(room, seat)]
        for seat in [seat for seat in self._at if seat not in waiting]:
            del self._at[seat]
        for seat in waiting:
            if seat not in self._at:
                self._at[seat] = now + (self._thought(room) if ours else self._patience.take_over)

    def play(self, now: int) -> None:
        """Choose for the seats whose time has come; for one that has not chosen yet after a while, again."""
        for seat in [seat for seat, at in self._at.items() if at <= now]:
            self._at[seat] = now + self._patience.take_over
            room = self._turns.room
            decision = room.table.decision
            if room.owners[seat] is not None:
                self._turns.post(StandIn(seat, decision))
            elif (decision, seat) not in self._thinking:
                self._thinking.add((decision, seat))
                self._errands.run(self._think(room, seat))

    @property
    def next(self) -> int | None:
        """When the next of them is due."""
        return min(self._at.values(), default=None)

    def _prepare(self, room: Room) -> None:
        """Let bots that search load what they need while others still sit down."""
        if room.status not in {"pending", "active"}:
            return
        for kind in {player.kind for player in room.table.players if player is not None and player.kind != PERSON}:
            with suppress(Malformed):  # nobody knows it: that is said when it has to choose
                if isinstance(policy(room.table.rules.game, kind), Level | Thinker):
                    self._errands.run(self._means.thinking.prepare(room.table.rules, kind))

    async def _think(self, room: Room, seat: Seat) -> None:
        table, means = room.table, self._means
        try:
            chosen, view = bot_of(room, seat), table.rules.view(table.state, seat)
            if isinstance(chosen, Level | Thinker):
                action = await means.thinking.choose(table.rules, view, _kind(room, seat), means.rng.below(2**63))
            else:
                action = chosen(table.rules, view, means.rng)
        except Exception:  # noqa: BLE001 -- its author's fault must not stop the table
            _LOG.exception("the bot in seat %d of table %s failed", seat, self._table)
            if table.due is not None:
                return  # the clock will choose
            action = table.stand_in(table.rules, table.rules.view(table.state, seat), means.rng)
        finally:
            self._thinking.discard((table.decision, seat))
        key = f"{SERVER}bot-{table.decision}-{seat}"
        self._turns.post(Bot(seat, table.rules.describe(action), table.decision), key)

    def _thought(self, room: Room) -> int:
        """How long a bot lets people look before it chooses.

        Where nobody ever has anything to decide it waits for nothing, and people set the pace: they may want the whole
        game in a minute. Without people it keeps its own, so that no table runs away.
        """
        deciders = room.table.deciders
        if is_pure_chance(room.table.rules.game) and not all(for_the_table(room, seat) for seat in deciders):
            return 0
        least, most = self._patience.think
        return least + secrets.randbelow(most - least + 1)


def bot_of(room: Room, seat: Seat) -> Policy:
    """The policy of the bot in the seat. Raises `Malformed`."""
    return policy(room.table.rules.game, _kind(room, seat))


def _kind(room: Room, seat: Seat) -> str:
    player = room.table.players[seat]
    assert player is not None  # noqa: S101 -- whoever asks has seen it sit there
    return player.kind
