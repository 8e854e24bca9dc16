"""The routes, by what they are about. Each is thin: it asks `people` or the desk, and says what came of it."""

from faceup.server.api import openapi
from faceup.server.api.routes import (
    accounts,
    games,
    history,
    house,
    pages,
    passkeys,
    pictures,
    replays,
    sessions,
    tables,
    tokens,
)

ROUTES = (
    *sessions.ROUTES,
    *accounts.ROUTES,
    *tokens.ROUTES,
    *passkeys.ROUTES,
    *tables.ROUTES,
    *pictures.ROUTES,
    *replays.ROUTES,
    *games.ROUTES,
    *history.ROUTES,
    *house.ROUTES,
    *pages.ROUTES,
    *openapi.ROUTES,
)

__all__ = ["ROUTES"]
