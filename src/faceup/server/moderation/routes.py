"""The routes by which players report each other, invitations and names to the operator."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.shared_limits import take_all
from faceup.server.friends.invitations import find_open_invitation
from faceup.server.http.services import Requester, Services
from faceup.server.moderation.reports import NameReason, ReportReason, add_report
from faceup.server.parties.queries import party_of
from faceup.server.tournaments.queries import find_host


class NewReport(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report about the player at a seat."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    reason: ReportReason


class NewNameReport(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report about an invitation, or about the name of a party or tournament."""

    reason: NameReason = "name"


@post("/api/tables/{table:str}/reports", status_code=200, tags=["tables"])
async def report_player(
    table: FromPath[str],
    data: JSONBody[NewReport],
    services: Given[Services],
    requester: Given[Requester],
    account: Given[Identity],
) -> None:
    """Report another player of the table to the operator of the server. No player learns of it.

    A repeated report changes nothing.
    """
    other, name = await services.hub.other_player(table, account.ids, data.seat)

    def add(connection: Connection, now: int) -> None:
        add_report(connection, now, place=table, reporter=account.player, reported=other, name=name, reason=data.reason)

    await _write(services, requester, account, add)


@post("/api/invitations/{invitation:str}/reports", status_code=200, tags=["friends"])
async def report_invitation(
    invitation: FromPath[str],
    data: JSONBody[NewNameReport],
    services: Given[Services],
    requester: Given[Requester],
    account: Given[Identity],
) -> None:
    """Report an invitation that the player received to the operator of the server. No player learns of it.

    A repeated report changes nothing.
    """
    player = account.player

    def add(connection: Connection, now: int) -> None:
        sender, name = find_open_invitation(connection, now, player, invitation)
        add_report(
            connection,
            now,
            kind="invitation",
            place=invitation,
            reporter=player,
            reported=sender,
            name=name,
            reason=data.reason,
        )

    await _write(services, requester, account, add)


@post("/api/parties/{party:str}/reports", status_code=200, tags=["parties"])
async def report_party(
    party: FromPath[str],
    data: JSONBody[NewNameReport],
    services: Given[Services],
    requester: Given[Requester],
    account: Given[Identity],
) -> None:
    """Report the name of a party of the player to the operator of the server. No other member learns of it.

    A repeated report changes nothing.
    """
    player = account.player

    def add(connection: Connection, now: int) -> None:
        stored_party = party_of(connection, party, player)
        add_report(
            connection,
            now,
            kind="party",
            place=party,
            reporter=player,
            reported=stored_party.host.player,
            name=stored_party.name,
            reason=data.reason,
        )

    await _write(services, requester, account, add)


@post("/api/tournaments/{tournament:str}/reports", status_code=200, tags=["tournaments"])
async def report_tournament(
    tournament: FromPath[str],
    data: JSONBody[NewNameReport],
    services: Given[Services],
    requester: Given[Requester],
    account: Given[Identity],
) -> None:
    """Report the name of a tournament to the operator of the server. Its host does not learn of it.

    A repeated report changes nothing.
    """
    player = account.player

    def add(connection: Connection, now: int) -> None:
        host, name = find_host(connection, tournament)
        add_report(
            connection,
            now,
            kind="tournament",
            place=tournament,
            reporter=player,
            reported=host,
            name=name,
            reason=data.reason,
        )

    await _write(services, requester, account, add)


async def _write(
    services: Services, requester: Requester, account: Identity, add: Callable[[Connection, int], None]
) -> None:
    """Count a report of a player, and store it. Raises `LimitReachedError`."""
    limits = (
        (services.keyed_hash("reports", account.player), services.limits.reports),
        (services.keyed_hash("reports from", requester.caller.source), services.limits.reports_per_address),
    )

    def count_and_add(connection: Connection, now: int) -> None:
        take_all(connection, now, limits, "you have sent many reports: try again later")
        add(connection, now)

    await services.write(count_and_add)
