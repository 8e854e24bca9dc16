"""Who plays for seats without a person: bots at the pace of people, and the stand-in for those who are away."""

import secrets

from faceup.bots import policy
from faceup.bots.levels import Level
from faceup.bots.thinking import Thinker
from faceup.core import Policy, Seat
from faceup.server.desk.patience import Patience
from faceup.server.rooms import PERSON, Room
from faceup.table import to_choose


class Playing:
    """When to choose for which seat of one room, in the decision that is open."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._at: dict[Seat, int] = {}
        self._decision = -1

    def look(self, room: Room, now: int, *, ours: bool) -> None:
        """Plan for the seats that have nobody to choose for them.

        Args:
            room: as it stands.
            now: milliseconds since it was opened.
            ours: whether this process is the one to do it, or only does if that one does not.
        """
        table = room.table
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
                self._at[seat] = now + (self._thought() if ours else self._patience.take_over)

    def due(self, now: int) -> list[Seat]:
        """The seats to choose for now; each is named once, and again after a time if it still has not chosen."""
        seats = [seat for seat, at in self._at.items() if at <= now]
        for seat in seats:
            self._at[seat] = now + self._patience.take_over
        return seats

    @property
    def next(self) -> int | None:
        """When the next of them is due."""
        return min(self._at.values(), default=None)

    def _thought(self) -> int:
        least, most = self._patience.think
        return least + secrets.randbelow(most - least + 1)


def for_the_table(room: Room, seat: Seat) -> bool:
    """Whether the server chooses for the seat: it is a bot's, or its player is away."""
    player = room.table.players[seat]
    return player is not None and (player.kind != PERSON or not player.here)


def bot_of(room: Room, seat: Seat) -> Policy:
    """The policy of the bot in the seat. Raises `Malformed`."""
    player = room.table.players[seat]
    assert player is not None  # noqa: S101 -- whoever asks has seen it sit there
    return policy(room.table.rules.game, player.kind)


def searches(chosen: Policy) -> bool:
    """Whether the policy takes its time, and is to have a thread of its own meanwhile."""
    return isinstance(chosen, Level | Thinker)
