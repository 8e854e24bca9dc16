"""Games with days per move, and notices of turns."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.turns import mail_routes, push_routes, routes

FEATURE: Final = Feature("turns", routes=routes_in(push_routes, mail_routes, routes))
