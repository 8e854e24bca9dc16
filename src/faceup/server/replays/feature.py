"""Replays and reviews."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.process.periodic import Cleanup
from faceup.server.replays import routes

FEATURE: Final = Feature(
    "replays",
    routes=routes_in(routes),
    tasks=lambda services: (Cleanup(services.replays.stop), Cleanup(services.coach.stop)),
)
