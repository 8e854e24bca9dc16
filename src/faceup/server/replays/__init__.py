"""Replays and reviews of finished tables and uploaded records."""

from faceup.extras import require

require("server", __name__)
