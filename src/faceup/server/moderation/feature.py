"""Moderation: bans and reports."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.moderation import routes

FEATURE: Final = Feature("moderation", routes=routes_in(routes))
