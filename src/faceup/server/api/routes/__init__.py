"""All HTTP routes. Routes contain little logic, because `faceup.server.accounts` and the table hub do the work."""

from typing import Final

from litestar.handlers import HTTPRouteHandler

from faceup.server.api import openapi
from faceup.server.api.routes import (
    accounts,
    daily,
    friends,
    hints,
    history,
    invitations,
    lobby,
    mail,
    my_tables,
    pages,
    parties,
    party_history,
    passkeys,
    pictures,
    push,
    puzzles,
    replays,
    reports,
    second_factor,
    server_info,
    sessions,
    tables,
    tournaments,
    turns,
)

__all__ = ["ROUTES"]

ROUTES: Final[tuple[HTTPRouteHandler, ...]] = tuple(
    handler
    for module in (
        *(
            sessions,
            accounts,
            second_factor,
            passkeys,
            push,
            mail,
            tables,
            my_tables,
            turns,
            lobby,
            tournaments,
            daily,
            puzzles,
            parties,
            party_history,
            friends,
            invitations,
            hints,
            reports,
            replays,
            pictures,
            history,
            server_info,
            pages,
        ),
        openapi,
    )
    for handler in vars(module).values()
    if isinstance(handler, HTTPRouteHandler)
)
"""The route handlers of all modules in this package, and of the OpenAPI description."""
