"""Bans, and reports of players about other players."""

from faceup.extras import require

require("server", __name__)
