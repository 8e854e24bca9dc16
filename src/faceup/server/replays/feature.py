"""Replays and reviews."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.replays import routes

FEATURE: Final = Feature("replays", routes=routes_in(routes))
