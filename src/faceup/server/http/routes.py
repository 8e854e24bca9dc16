"""All HTTP routes. Routes contain little logic, because `faceup.server.accounts` and the table hub do the work."""

from typing import Final

from litestar.handlers import HTTPRouteHandler

from faceup.server.accounts import passkey_routes as passkeys
from faceup.server.accounts import routes as accounts
from faceup.server.accounts import second_factor_routes as second_factor
from faceup.server.accounts import session_routes as sessions
from faceup.server.daily import routes as daily
from faceup.server.friends import invitation_routes as invitations
from faceup.server.friends import routes as friends
from faceup.server.http import openapi, pages, server_info
from faceup.server.moderation import routes as reports
from faceup.server.parties import history_routes as party_history
from faceup.server.parties import routes as parties
from faceup.server.pictures import routes as pictures
from faceup.server.puzzles import routes as puzzles
from faceup.server.replays import routes as replays
from faceup.server.results import routes as history
from faceup.server.tables import hint_routes as hints
from faceup.server.tables import lobby_routes as lobby
from faceup.server.tables import my_tables_routes as my_tables
from faceup.server.tables import routes as tables
from faceup.server.tournaments import routes as tournaments
from faceup.server.turns import mail_routes as mail
from faceup.server.turns import push_routes as push
from faceup.server.turns import routes as turns

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
