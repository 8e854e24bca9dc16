"""What commands need on every channel: a name for who sits down, and who of several that are one."""

from contextlib import suppress

import msgspec

from faceup.core import Malformed, Seat
from faceup.server.api.services import Services
from faceup.server.people.identity import Identity
from faceup.server.people.sittings import note_sitting
from faceup.server.rooms import AddBot, PersonCommand, Sit
from faceup.server.store import StoreError


def named(command: PersonCommand, identity: Identity) -> PersonCommand:
    """The command as the room is asked: whoever sits down without a name has the player's own."""
    if isinstance(command, Sit):
        return command if command.name else msgspec.structs.replace(command, name=identity.name)
    if isinstance(command, AddBot):
        check_kind(command.kind)
    return command


def check_kind(kind: str) -> None:
    """Refuse a bot that says how much it thinks: on a server that is for the server to say."""
    if "@" in kind:
        raise Malformed("bots are seated by their names alone here, such as those of a level", what=kind, where="kind")


async def player_at(
    services: Services,
    table: str,
    identity: Identity,
    command: PersonCommand | None = None,
    seat: Seat | None = None,
) -> str:
    """The id by which somebody is at the table, and asks this: of players who were merged, the one whose seat it is."""
    if not identity.also:
        return identity.player
    return await services.desk.as_whom(table, (identity.player, *identity.also), command, seat)


async def note_seat(services: Services, table: str, player: str) -> None:
    """Remember where somebody has sat down; a table that is not found again by this still has its link."""
    now = await services.store.now()
    with suppress(StoreError):
        await services.store.write(lambda connection: note_sitting(connection, now, player, table))
