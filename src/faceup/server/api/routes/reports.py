"""The route by which players report each other to the operator."""

from functools import partial
from math import ceil
from typing import Annotated

import msgspec
from litestar import post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import LimitReachedError
from faceup.server.accounts.reports import ReportReason, add_report
from faceup.server.accounts.shared_limits import SharedLimit, take
from faceup.server.api.services import Requester, Services, resolve_player


class NewReport(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report about the player at a seat."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    reason: ReportReason


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
    player = await resolve_player(services, table, account)
    other, name = await services.hub.other_player(table, player, data.seat)
    limits = (
        (services.keyed_hash("reports", account.player), services.limits.reports),
        (services.keyed_hash("reports from", requester.caller.source), services.limits.reports_per_address),
    )
    report = partial(add_report, table=table, reporter=account.player, reported=other, name=name, reason=data.reason)

    def add(connection: Connection, now: int) -> None:
        _take(connection, now, limits)
        report(connection, now)

    await services.write(add)


def _take(connection: Connection, now: int, limits: tuple[tuple[str, SharedLimit], ...]) -> None:
    for key, limit in limits:
        if wait := take(connection, now, key, limit):
            raise LimitReachedError("you have sent many reports: try again later", ceil(wait / 1000))
