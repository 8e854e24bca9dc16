"""Results, ratings, ladders and statistics."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.results import routes

FEATURE: Final = Feature("results", routes=routes_in(routes))
