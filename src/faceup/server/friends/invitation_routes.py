"""Routes of invitations, and the inbox that every open page waits for."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Annotated, Final, Literal

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody, QueryParameter
from sqlalchemy import Connection

from faceup.core import Malformed, RulesError, WrongSeatError
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.players import find_by_handle
from faceup.server.accounts.revocations import subject_of
from faceup.server.accounts.shared_limits import take_all
from faceup.server.friends.invitations import (
    Invitation,
    accept_invitation,
    decline_invitation,
    invite,
    invited_to_table,
    open_invitations,
)
from faceup.server.friends.queries import Person, are_friends, requests_for
from faceup.server.http.long_poll import long_poll
from faceup.server.http.services import (
    AnyRequest,
    Requester,
    Services,
    send_to_table,
)
from faceup.server.rooms import Sit
from faceup.server.rooms.errors import SpectatorsOffError, TableFullError
from faceup.server.rooms.view import RoomView
from faceup.server.store import new_id
from faceup.table.errors import StaleCommandError

HOLD: Final = 25.0
"""Seconds after which a request that waits for news is answered without any."""

Handle = Annotated[str, msgspec.Meta(max_length=40)]
Place = Annotated[str, msgspec.Meta(max_length=40)]


class NewInvitation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invitation to a table or a party.

    Attributes:
        to: the handle of the receiver.
        table: the id of a table at which the sender has a seat, or of which the sender is the host.
        party: the id of a party of which the sender is a member.
    """

    to: Handle
    table: Place | None = None
    party: Place | None = None


class AcceptedInvitation(msgspec.Struct, frozen=True, kw_only=True):
    """The place of an accepted invitation: the id of the table or of the party. The other one is null."""

    table: str | None
    party: str | None


class Inbox(msgspec.Struct, frozen=True, kw_only=True):
    """What other people want from the player.

    Attributes:
        invitations: the open invitations, the latest first.
        requests: people who want to be friends.
        version: a text that changes whenever anything of this does.
    """

    invitations: tuple[Invitation, ...]
    requests: tuple[Person, ...]
    version: str = ""


@get("/api/inbox", tags=["friends"])
async def get_inbox(
    request: AnyRequest,
    services: Given[Services],
    requester: Given[Requester],
    reader: Given[Identity],
    after: Annotated[
        str, QueryParameter(max_length=64, description="The `version` that the client has: wait for another one")
    ] = "",
) -> Inbox:
    """Get the open invitations and the requests of friends.

    With `after`, the response comes when there is news, or after 25 seconds.
    """
    read, subject = partial(_inbox, services, reader.player), subject_of("inbox", reader.player)
    return await long_poll(services, request, requester, read, subject=subject, after=after, hold=HOLD)


@post("/api/invitations", status_code=200, tags=["friends"])
async def send_invitation(
    data: JSONBody[NewInvitation], services: Given[Services], requester: Given[Requester]
) -> None:
    """Invite a friend, a member of a party, or someone from an earlier table to a table or a party.

    The receiver sees the game and the players of the table, or the name of the party. A sender has one invitation to a
    receiver at a time. If the receiver has blocked the sender, nothing happens, and the sender does not learn of it.
    """
    sender = requester.may("play")
    if (data.table is None) == (data.party is None):
        raise Malformed("an invitation must be for a table or a party: send one of `table` and `party`")
    if data.table is not None:
        _require_free_seat(await _view_for_sender(services, sender.ids, data.table), data.to)
    receiver = (await services.query(find_by_handle, data.to)).id
    await take_or_refuse(services, requester, "invitations", sender.player, receiver)
    await services.write(invite, sender.ids, receiver, table=data.table, party=data.party)
    services.changes.notify(subject_of("inbox", receiver))


@post("/api/invitations/{invitation:str}/accept", status_code=200, tags=["friends"])
async def accept(
    invitation: FromPath[str], services: Given[Services], requester: Given[Requester]
) -> AcceptedInvitation:
    """Accept an invitation: join the party, or take a seat at the table if there is one.

    An invitation can be used once. It has no effect any more if the sender has left the party or the table.
    """
    player = requester.may("play")
    offer = await services.query(invited_to_table, services.store.now(), player.player, invitation)
    if offer is not None and await _view_for_sender(services, offer[1], offer[0]) is None:
        raise NotFoundError("there is no such invitation any more, because the sender has left the table")
    place = await services.write(accept_invitation, player.player, invitation, program=player.program)
    services.changes.notify(subject_of("inbox", player.player))
    if not place.is_new:
        return AcceptedInvitation(table=place.table, party=place.party)
    if place.table is not None:
        with suppress(RulesError):  # the game has started, or there is no seat: then the player watches
            await send_to_table(services, place.table, player, Sit(player.name), request=new_id())
    elif place.party is not None:
        services.changes.notify(subject_of("party", place.party))
    return AcceptedInvitation(table=place.table, party=place.party)


@delete("/api/invitations/{invitation:str}", status_code=200, tags=["friends"])
async def decline(invitation: FromPath[str], services: Given[Services], requester: Given[Requester]) -> None:
    """Decline an invitation. The sender does not learn of it."""
    player = requester.may("play")
    await services.write(decline_invitation, player.player, invitation)
    services.changes.notify(subject_of("inbox", player.player))


async def take_or_refuse(
    services: Services, requester: Requester, what: Literal["invitations", "requests"], player: str, receiver: str
) -> None:
    """Count an invitation of a player, or a request to be friends. Raises `LimitReachedError` if there are too many.

    All guests and accounts of an address share its limits, so that one person cannot fill an inbox. Between friends,
    only the limit of the player counts. Blocked people use the limits up, too, so that they do not learn of it.

    This is a separate transaction, so that two processes do not wait for each other.
    """
    limits, source = services.limits, requester.caller.source
    own = (services.keyed_hash(what, player), limits.invitations)
    of_address = (
        (services.keyed_hash("inbox", source, receiver), limits.inbox_per_address),
        (services.keyed_hash("inboxes", source), limits.invitations_per_address),
    )

    def count(connection: Connection, now: int) -> None:
        shared = () if are_friends(connection, player, receiver) else of_address
        take_all(connection, now, (own, *shared), f"you or your network have sent many {what}: try again later")

    await services.write(count)


async def _inbox(services: Services, player: str) -> Inbox:
    """Return the inbox of a player."""
    now = services.store.now()
    inbox = await services.query(
        lambda connection: Inbox(
            invitations=open_invitations(connection, now, player), requests=requests_for(connection, player)
        )
    )
    version = sha256(msgspec.json.encode(inbox)).hexdigest()[:32]
    return msgspec.structs.replace(inbox, version=version)


async def _view_for_sender(services: Services, ids: Sequence[str], table: str) -> RoomView | None:
    """Return what the person with these ids sees of a table; None if they have no seat there and are not the host."""
    with suppress(SpectatorsOffError):
        view = await services.hub.view(table, ids)
        return view if view.seat is not None or view.is_host else None
    return None


def _require_free_seat(view: RoomView | None, handle: str) -> None:
    """Raise an error unless the sender, who has this view, may invite others and a seat is free for the receiver."""
    if view is None:
        raise WrongSeatError("only the host and the players of a table can invite others to it")
    if view.status != "pending":
        raise StaleCommandError("the game at this table has started: share its link with people who want to watch")
    if not any(seat is None and owner in {"", handle} for seat, owner in zip(view.seats, view.reserved, strict=True)):
        raise TableFullError(
            "every seat of this table is taken or reserved: share its link with people who want to watch"
        )
