"""Tables over HTTP and WebSocket: routes, live connections, limits, errors, and OpenAPI for all of it."""

from faceup.server.api.app import make_app
from faceup.server.api.limits import Limits, Rate

__all__ = ["Limits", "Rate", "make_app"]
