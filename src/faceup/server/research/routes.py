"""Routes with which players give their games for research, and withdraw that."""

import msgspec
from litestar import delete, get, put
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody
from sqlalchemy import Connection

from faceup.core import Malformed
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import ForbiddenError
from faceup.server.http.services import Services
from faceup.server.research.queries import VERSION, find_consent, give_consent, withdraw_consent


class ResearchState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the player gives games for research.

    Attributes:
        offered: whether the server exports games for research.
        given_at: when the player consented, in milliseconds since 1970; null if not.
        earlier: whether the player gives games that ended before, too.
    """

    offered: bool
    given_at: int | None
    earlier: bool


class ResearchConsent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The consent to give games for research.

    Attributes:
        version: the version of the text that the player saw.
        earlier: whether to give games that ended before, too.
    """

    version: int
    earlier: bool = False


@get("/api/research", tags=["accounts"])
async def get_research_consent(services: Given[Services], account: Given[Identity]) -> ResearchState:
    """Get whether the player gives games for research."""
    return await services.query(_state, services, account.player)


def _state(connection: Connection, services: Services, player: str) -> ResearchState:
    consent = find_consent(connection, player)
    return ResearchState(
        offered=services.settings.research_export,
        given_at=None if consent is None else consent.at,
        earlier=consent is not None and consent.earlier,
    )


@put("/api/research", tags=["accounts"])
async def give_games_for_research(
    data: JSONBody[ResearchConsent], services: Given[Services], account: Given[Identity]
) -> ResearchState:
    """Give the player's games for research: those that end later, and earlier ones if `earlier` is true."""
    if not services.settings.research_export:
        raise ForbiddenError("this server does not export games for research")
    if data.version != VERSION:
        raise Malformed(
            f"version must be {VERSION}, the version of the current text; got {data.version}",
            what=data.version,
            where="version",
        )
    await services.write(lambda connection, now: give_consent(connection, now, account.player, earlier=data.earlier))
    return await services.query(_state, services, account.player)


@delete("/api/research", status_code=200, tags=["accounts"])
async def withdraw_games_from_research(services: Given[Services], account: Given[Identity]) -> ResearchState:
    """Withdraw the player's games from all later exports."""
    await services.write(lambda connection, _now: withdraw_consent(connection, account.player))
    return await services.query(_state, services, account.player)
