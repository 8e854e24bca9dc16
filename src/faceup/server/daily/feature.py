"""The daily deal."""

from typing import Final

from faceup.server.daily import routes
from faceup.server.feature import Feature, routes_in

FEATURE: Final = Feature("daily", routes=routes_in(routes), tasks=lambda services: (services.daily.task,))
