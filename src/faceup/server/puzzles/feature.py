"""Puzzles."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.puzzles import routes

FEATURE: Final = Feature("puzzles", routes=routes_in(routes))
