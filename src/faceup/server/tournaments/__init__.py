"""Tournaments that run by themselves."""

from faceup.extras import require

require("server", __name__)
