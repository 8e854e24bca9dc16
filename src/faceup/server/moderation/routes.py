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
from faceup.server.moderation.reports import NameReason, ReportKind, ReportReason, add_report
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

    def find(_connection: Connection, _now: int) -> tuple[str, str]:
        return other, name

    await _report(services, requester, account, find, kind="player", place=table, reason=data.reason)


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

    def find(connection: Connection, now: int) -> tuple[str, str]:
        return find_open_invitation(connection, now, account.player, invitation)

    await _report(services, requester, account, find, kind="invitation", place=invitation, reason=data.reason)


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

    def find(connection: Connection, _now: int) -> tuple[str, str]:
        stored = party_of(connection, party, account.player)
        return stored.host.player, stored.name

    await _report(services, requester, account, find, kind="party", place=party, reason=data.reason)


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

    def find(connection: Connection, _now: int) -> tuple[str, str]:
        return find_host(connection, tournament)

    await _report(services, requester, account, find, kind="tournament", place=tournament, reason=data.reason)


async def _report(
    services: Services,
    requester: Requester,
    account: Identity,
    find: Callable[[Connection, int], tuple[str, str]],
    *,
    kind: ReportKind,
    place: str,
    reason: ReportReason | NameReason,
) -> None:
    """Count a report of a player, and store it. Raises `LimitReachedError`.

    Args:
        services: the services of the server.
        requester: the requester, whose address has a limit, too.
        account: the player who reports.
        find: returns the id of the reported player, and the reported name; called in the write transaction with the
            time in milliseconds since 1970.
        kind: what is reported.
        place: the id of the table, invitation, party or tournament.
        reason: the reason.
    """
    limits = (
        (services.keyed_hash("reports", account.player), services.limits.reports),
        (services.keyed_hash("reports from", requester.caller.source), services.limits.reports_per_address),
    )

    def count_and_add(connection: Connection, now: int) -> None:
        take_all(connection, now, limits, "you have sent many reports: try again later")
        reported, name = find(connection, now)
        add_report(
            connection,
            now,
            kind=kind,
            place=place,
            reporter=account.player,
            reported=reported,
            name=name,
            reason=reason,
        )

    await services.write(count_and_add)
