"""Accounts: guests, logins, sessions, passkeys, second factors and tokens."""

from typing import Final

from faceup.server.accounts import passkey_routes, routes, second_factor_routes, session_routes
from faceup.server.feature import Feature, routes_in

FEATURE: Final = Feature(
    "accounts",
    routes=routes_in(session_routes, routes, second_factor_routes, passkey_routes),
    tasks=lambda services: (services.auth_cache,),
)
