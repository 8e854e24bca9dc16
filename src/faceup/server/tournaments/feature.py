"""Tournaments."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.tournaments import routes

FEATURE: Final = Feature("tournaments", routes=routes_in(routes), tasks=lambda services: (services.tournaments.task,))
