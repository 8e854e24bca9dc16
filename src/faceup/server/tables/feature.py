"""Tables: create, list, watch and find them, and hints."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.tables import hint_routes, lobby_routes, my_tables_routes, routes

FEATURE: Final = Feature(
    "tables",
    routes=routes_in(routes, my_tables_routes, lobby_routes, hint_routes),
    tasks=lambda services: (services.online,),
)
