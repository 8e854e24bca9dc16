"""The HTTP and WebSocket API: routes, live connections, rate limits, errors and OpenAPI."""

from faceup.extras import needs

with needs("server", __name__):
    from faceup.server.api.app import make_app
    from faceup.server.api.rate_limits import Limits, RateLimit

__all__ = ["Limits", "RateLimit", "make_app"]
