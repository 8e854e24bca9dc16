"""Routes of parties: create, join and manage a party, and play at its tables. Only members see anything of a party."""

import gzip
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from typing import Annotated, Final, Literal

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody, QueryParameter
from sqlalchemy import Connection

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.revocations import subject_of
from faceup.server.http.long_poll import long_poll
from faceup.server.http.middleware import IMAGE_CSP
from faceup.server.http.schemas import Name
from faceup.server.http.services import (
    AnyRequest,
    Requester,
    Services,
    owner_of,
    while_connected,
)
from faceup.server.http.static import asset_response
from faceup.server.parties.queries import (
    Party,
    PartyInvitation,
    PartyMember,
    create_party,
    delete_party,
    find_invitation,
    join_party,
    parties_of,
    party_of,
    party_of_table,
    remove_member,
    rename_party,
    renew_link,
    running_tables_of,
    see_party,
    seen_long_ago,
)
from faceup.server.parties.table_tasks import (
    PartyTable,
    members_here,
    running_table,
)
from faceup.server.rooms import TableConfig
from faceup.server.rooms.names import handle_of
from faceup.server.tables.routes import (
    SVG,
    idempotent_id,
    identity_or_guest,
    link_to_page,
    viewer,
)
from faceup.web.assets import Asset

HOLD: Final = 8.0
"""Seconds after which a request that waits for a change of a party is answered without one.

Choices and results at the table of a party are no changes of the party, so its page shows them this much later.
"""

PartyName = Annotated[str, msgspec.Meta(max_length=200, description='At most 40 visible characters; "" for no name')]


class NewParty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new party.

    Attributes:
        name: the name of the party; by default, it has none.
        player: the name of the guest that is created without a session.
    """

    name: PartyName = ""
    player: Name | None = None


class PartyFound(msgspec.Struct, frozen=True, kw_only=True):
    """The id of a party of which the requester is a member."""

    id: str


class JoinRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to join a party. `player` is the name of the guest that is created without a session."""

    player: Name | None = None


class PartyChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The new name of a party."""

    name: PartyName


class MemberView(msgspec.Struct, frozen=True, kw_only=True):
    """A member of a party.

    Attributes:
        handle: the public handle.
        name: the current name.
        face: the chosen animal and colour; null for none.
        guest: whether the member has no account.
        host: whether the member is the host of the party.
        you: whether the member is the requester.
        here: whether the member has the page of the party open, or sits at its running table.
        program: whether it is a program that had the page open last.
    """

    handle: str
    name: str
    face: str | None
    guest: bool
    host: bool
    you: bool
    here: bool
    program: bool = False


class CountdownView(msgspec.Struct, frozen=True, kw_only=True):
    """The countdown to the next game of a party.

    Attributes:
        by: the handle of the member who started it.
        game: the game.
        variant: the variant.
        ends_at: when the game starts, in milliseconds since 1970.
        players: the handles of the members who take part.
        out: whether the requester does not want to play this game.
    """

    by: str
    game: str
    variant: str | None
    ends_at: int
    players: tuple[str, ...]
    out: bool


class PartyView(msgspec.Struct, frozen=True, kw_only=True):
    """A party, as its members see it.

    Attributes:
        id: its id.
        name: its name; "" if it has none.
        link: the link with which others join.
        created_at: when it was created, in milliseconds since 1970.
        members: the members in the order in which they joined. The first one is the host.
        table: the running table, or the last one; null before the first one, and when it was deleted.
        room: the id of the last table, to send as `instead`; null before the first one.
        config: the settings with which the last table was requested; null before the first one.
        countdown: the countdown to the next game; null if there is none.
        version: a text that changes whenever anything of this view does, except `now`.
        now: the time of the server, in milliseconds since 1970.
    """

    id: str
    name: str
    link: str
    created_at: int
    members: tuple[MemberView, ...]
    table: PartyTable | None
    room: str | None
    config: TableConfig | None
    countdown: CountdownView | None = None
    version: str = ""
    now: int = 0


class PartyListed(msgspec.Struct, frozen=True, kw_only=True):
    """A party in the list of a player's parties.

    Attributes:
        members: the number of members.
        faces: the first members, to show their faces.
        status: "pending" or "active" if there is a running table, else null.
    """

    id: str
    name: str
    members: int
    faces: tuple[MemberView, ...]
    status: Literal["pending", "active"] | None


class PartyOfTable(msgspec.Struct, frozen=True, kw_only=True):
    """The party to which a table belongs."""

    id: str
    name: str
    members: tuple[MemberView, ...]


@post("/api/parties", tags=["parties"])
async def start_party(
    data: JSONBody[NewParty], services: Given[Services], requester: Given[Requester]
) -> Response[PartyFound]:
    """Create a party with the player as its host. Without a session or token, the server creates a guest."""
    identity, headers = await identity_or_guest(services, requester, data.player)
    services.tables.take(identity.player)
    party = idempotent_id(identity.player)
    bucket = services.keyed_hash("parties from", requester.caller.source), services.limits.parties_per_address
    await services.write(create_party, identity.player, data.name, party, bucket=bucket, program=identity.program)
    return Response(PartyFound(id=party), headers=headers)


@get("/api/parties", tags=["parties"])
async def list_parties(services: Given[Services], requester: Given[Requester]) -> list[PartyListed]:
    """List the parties of the player, the last used first. Without a session or token, the list is empty."""
    if requester.identity is None:
        return []
    reader, now = requester.may("read"), services.store.now()

    def read(connection: Connection) -> list[PartyListed]:
        own_parties = parties_of(connection, reader.player)
        running = running_tables_of(connection, now, own_parties)
        return [_listed(party, reader.player, running) for party in own_parties]

    return await services.list_query(requester, read)


@get("/api/parties/{party:str}", tags=["parties"])
async def get_party(
    request: AnyRequest,
    party: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    after: Annotated[
        str, QueryParameter(max_length=64, description="The `version` that the client has: wait for another one")
    ] = "",
) -> PartyView:
    """Get a party with its members and its running table. Only its members can.

    With `after`, the response comes when the party has changed, or after eight seconds. Members who send such requests
    are shown as here.
    """
    reader = requester.may("read")
    read, subject = partial(_party_view, services, requester, party, reader), subject_of("party", party)
    return await long_poll(services, request, requester, read, subject=subject, after=after, hold=HOLD)


@patch("/api/parties/{party:str}", tags=["parties"])
async def change_party(
    party: FromPath[str], data: JSONBody[PartyChange], services: Given[Services], requester: Given[Requester]
) -> None:
    """Rename a party. Only its host can."""
    player = requester.may("play").player
    await services.write(rename_party, party, player, data.name)
    services.changes.notify(subject_of("party", party))


@delete("/api/parties/{party:str}", status_code=200, tags=["parties"])
async def end_party(party: FromPath[str], services: Given[Services], requester: Given[Requester]) -> None:
    """Delete a party. Only its host can. Its tables remain."""
    await services.write(delete_party, party, requester.may("play").player)
    services.changes.notify(subject_of("party", party))


@post("/api/parties/{party:str}/link", status_code=200, tags=["parties"])
async def renew_party_link(party: FromPath[str], services: Given[Services], requester: Given[Requester]) -> None:
    """Replace the link of a party, so that no one can join with the link before. Only the host can."""
    await services.write(renew_link, party, requester.may("play").player)
    services.changes.notify(subject_of("party", party))


@delete("/api/parties/{party:str}/members/{handle:str}", status_code=200, tags=["parties"])
async def leave_party(
    party: FromPath[str], handle: FromPath[str], services: Given[Services], requester: Given[Requester]
) -> None:
    """Leave a party or, as its host, remove a member, who cannot join again. The link is renewed then.

    If the host leaves, the member who joined next becomes the host. When the last member leaves, the party is deleted.
    """
    await services.write(remove_member, party, requester.may("play").player, handle)
    services.changes.notify(subject_of("party", party))


@get("/api/party-links/{key:str}", tags=["parties"])
async def get_party_link(
    key: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    by: Annotated[
        str | None, QueryParameter(max_length=64, description="The handle of the member who shared the link")
    ] = None,
) -> PartyInvitation:
    """Get what the link of a party shows: its name, who invites, and who is there. Others see nothing more of a party.

    The member who shared the link invites or, without one, the host of the party.
    """
    services.codes.take(requester.caller.source)
    player = None if requester.identity is None else requester.may("read").player
    return await services.query(find_invitation, services.store.now(), key, player, by)


@post("/api/party-links/{key:str}", status_code=200, tags=["parties"])
async def use_party_link(
    key: FromPath[str], data: JSONBody[JoinRequest], services: Given[Services], requester: Given[Requester]
) -> Response[PartyFound]:
    """Join the party with this link. Without a session or token, the server creates a guest."""
    services.codes.take(requester.caller.source)
    await services.query(
        find_invitation, services.store.now(), key, requester.player
    )  # no guest is created for a link that is not valid
    identity, headers = await identity_or_guest(services, requester, data.player)
    bucket = services.keyed_hash("members from", requester.caller.source, key), services.limits.members_per_address
    party = await services.write(join_party, key, identity.player, bucket, program=identity.program)
    services.changes.notify(subject_of("party", party))
    return Response(PartyFound(id=party), headers=headers)


@get("/api/parties/{party:str}/link.svg", tags=["parties"], media_type=SVG)
async def party_qr_code(
    request: AnyRequest,
    party: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    reader: Given[Identity],
) -> Response[bytes]:
    """Draw the link of a party as a QR code (SVG), for its members. The response has an entity tag."""
    stored_party = await services.query(party_of, party, reader.player)
    address = party_link(services, requester, stored_party, reader.player).encode()
    asked = services.replays.ask("link", address, owner=owner_of(requester), table=party)
    svg = gzip.decompress(await while_connected(request, asked))
    headers = {"content-security-policy": IMAGE_CSP, "cache-control": "private, no-cache"}
    return asset_response(request, Asset(SVG, svg, {}), headers, tag=sha256(svg).hexdigest()[:20])


@get("/api/tables/{table:str}/party", tags=["parties"])
async def get_party_of_table(
    table: FromPath[str], services: Given[Services], requester: Given[Requester], reader: Given[Identity]
) -> PartyOfTable | None:
    """Get the party to which a table belongs; null if the player is not a member of it, but may watch the table."""
    stored_party = await services.query(party_of_table, table, reader.player)
    if stored_party is None:
        await services.hub.view(table, await viewer(services, requester, table))
        return None
    members = _member_views(stored_party, reader.player, frozenset())
    return PartyOfTable(id=stored_party.id, name=stored_party.name, members=members)


def party_link(services: Services, requester: Requester, party: Party, player: str) -> str:
    """Return the URL with which this member invites others to a party."""
    return link_to_page(services, requester, f"/party/join/{party.key}?by={handle_of(player)}")


async def _party_view(services: Services, requester: Requester, party: str, reader: Identity) -> PartyView:
    """Return the party as the reader sees it, who is then shown as here. Raises `NotFoundError`."""
    stored_party, now = await services.query(party_of, party, reader.player), services.store.now()
    stale = seen_long_ago(stored_party, now)
    program = reader.program if "play" in reader.scopes else None  # others cannot play, and may belong to a person
    if any(member.player == reader.player and member.seen_at <= stale for member in stored_party.members):
        if await services.write(see_party, party, reader.player, stale, program=program):
            services.changes.notify(subject_of("party", party))
        stored_party = await services.query(party_of, party, reader.player)
    table = await running_table(services.hub, services.store, stored_party.room, reader.ids)
    view = PartyView(
        id=stored_party.id,
        name=stored_party.name,
        link=party_link(services, requester, stored_party, reader.player),
        created_at=stored_party.created_at,
        members=_member_views(stored_party, reader.player, members_here(stored_party, table, now)),
        table=table,
        room=stored_party.room,
        config=stored_party.config,
        countdown=_countdown_view(stored_party, reader.player, now),
    )
    version = sha256(msgspec.json.encode(view)).hexdigest()[:32]
    return msgspec.structs.replace(view, version=version, now=services.store.now())


def _countdown_view(party: Party, player: str, now: int) -> CountdownView | None:
    if (countdown := party.running_countdown(now)) is None:
        return None
    return CountdownView(
        by=countdown.by,
        game=countdown.config.game,
        variant=countdown.config.variant,
        ends_at=countdown.ends_at,
        players=tuple(member.handle for member in party.players_at(countdown)),
        out=handle_of(player) in countdown.out,
    )


def _member_views(party: Party, player: str, present_handles: frozenset[str]) -> tuple[MemberView, ...]:
    return tuple(_member_view(party, member, player, present_handles) for member in party.members)


def _member_view(party: Party, member: PartyMember, player: str, present_handles: frozenset[str]) -> MemberView:
    return MemberView(
        handle=member.handle,
        name=member.name,
        face=member.face or None,
        guest=member.guest,
        host=member == party.host,
        you=member.player == player,
        here=member.handle in present_handles,
        program=member.program,
    )


def _listed(party: Party, player: str, running: Mapping[str, str]) -> PartyListed:
    status = running.get(party.room or "")
    return PartyListed(
        id=party.id,
        name=party.name,
        members=len(party.members),
        faces=_member_views(party, player, frozenset())[:6],
        status=None if status is None else "pending" if status == "pending" else "active",
    )
