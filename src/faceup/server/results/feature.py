"""Results, ratings, ladders and statistics."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.results import routes

FEATURE: Final = Feature(
    "results",
    routes=routes_in(routes),
    tasks=lambda services: (services.results_ingest.task, services.seat_reviews.task),
)
