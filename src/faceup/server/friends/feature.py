"""Friends and invitations."""

from typing import Final

from faceup.server.feature import Feature, routes_in
from faceup.server.friends import invitation_routes, routes

FEATURE: Final = Feature("friends", routes=routes_in(routes, invitation_routes))
