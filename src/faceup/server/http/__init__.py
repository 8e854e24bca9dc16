"""What all routes share: the application, authentication, limits, errors, static files, OpenAPI and the WebSocket."""

from faceup.extras import require

require("server", __name__)
