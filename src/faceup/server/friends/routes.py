"""Routes of friends, blocked people, and people that a player has recently played with."""

import msgspec
from litestar import delete, get, patch, put
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.players import find_by_handle
from faceup.server.accounts.revocations import subject_of
from faceup.server.friends.invitation_routes import take_or_refuse
from faceup.server.friends.queries import (
    Contact,
    People,
    ask_friend,
    block,
    choose_contact,
    end_friendship,
    people_of,
    show_online,
    unblock,
)
from faceup.server.http.services import Requester, Services


class FriendSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What others may see and send. Missing members stay as they were.

    Attributes:
        shows_online: whether friends see that the player is online; false at first.
        contact: who may send requests and invitations: "met" (people from tables and parties), "friends" or "no_one".
    """

    shows_online: bool | None = None
    contact: Contact | None = None


@get("/api/friends", tags=["friends"])
async def list_people(services: Given[Services], requester: Given[Requester], reader: Given[Identity]) -> People:
    """List the player's friends, requests, blocked people, and people that the player has recently played with."""
    ids = reader.ids
    return await services.list_query(requester, people_of, now=services.store.now(), ids=ids)


@patch("/api/friends", tags=["friends"])
async def change_friend_settings(
    data: JSONBody[FriendSettings], services: Given[Services], account: Given[Identity]
) -> None:
    """Set whether friends may see that the player is online, and who may send requests and invitations."""
    if data.shows_online is not None:
        await services.write(show_online, account.player, shown=data.shows_online)
    if data.contact is not None:
        await services.write(choose_contact, account.player, data.contact)


@put("/api/friends/{handle:str}", tags=["friends"])
async def request_friend(
    handle: FromPath[str], services: Given[Services], requester: Given[Requester], account: Given[Identity]
) -> None:
    """Ask another player to be friends, or accept this player's request.

    This is possible with people that the player has sat at a table with, and with members of the same party.
    """
    other = await _other(services, handle)
    await take_or_refuse(services, requester, "requests", account.player, other)
    await services.write(ask_friend, account.ids, other)
    services.changes.notify(subject_of("inbox", other), subject_of("inbox", account.player))


@delete("/api/friends/{handle:str}", status_code=200, tags=["friends"])
async def remove_friend(handle: FromPath[str], services: Given[Services], account: Given[Identity]) -> None:
    """End a friendship, decline a request, or withdraw one."""
    other = await _other(services, handle)
    await services.write(end_friendship, account.player, other)
    services.changes.notify(subject_of("inbox", other), subject_of("inbox", account.player))


@put("/api/blocks/{handle:str}", tags=["friends"])
async def block_player(handle: FromPath[str], services: Given[Services], account: Given[Identity]) -> None:
    """Block another player: requests and invitations do not arrive any more. That player does not learn of it."""
    await services.write(block, account.ids, await _other(services, handle))
    services.changes.notify(subject_of("inbox", account.player))


@delete("/api/blocks/{handle:str}", status_code=200, tags=["friends"])
async def unblock_player(handle: FromPath[str], services: Given[Services], account: Given[Identity]) -> None:
    """Unblock another player."""
    await services.write(unblock, account.player, await _other(services, handle))


async def _other(services: Services, handle: str) -> str:
    """Return the id of the player with this handle. Raises `NotFoundError`."""
    return (await services.query(find_by_handle, handle[:40])).id
