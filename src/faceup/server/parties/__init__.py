"""Parties: groups of people who play together again and again."""

from faceup.extras import require

require("server", __name__)
