"""Pictures to share."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.pictures import routes

FEATURE: Final = Feature("pictures", routes=routes_in(routes))
