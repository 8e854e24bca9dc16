"""Parties."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.parties import history_routes, routes

FEATURE: Final = Feature("parties", routes=routes_in(routes, history_routes))
