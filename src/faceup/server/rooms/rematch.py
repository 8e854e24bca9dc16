"""The next room of the same people, with the seats rotated."""

import msgspec

from faceup.server.rooms.names import handle_of
from faceup.server.rooms.opening import Opening
from faceup.server.rooms.room import Room


def rematch_opening(room: Room) -> Opening:
    """The same game on the same terms. Everybody moves on by one seat, which is kept for them until they sit down.

    It begins when all of them have, with bots of the same kinds in the other seats; or when its host says.
    """
    owners = (*room.owners[-1:], *room.owners[:-1])
    players = (*room.table.players[-1:], *room.table.players[:-1])
    bots = tuple(
        player.kind for player, owner in zip(players, owners, strict=True) if owner is None and player is not None
    )
    kept = tuple("" if owner is None else handle_of(owner) for owner in owners)
    return msgspec.structs.replace(room.opening, bots=bots, kept=kept if any(kept) else ())
