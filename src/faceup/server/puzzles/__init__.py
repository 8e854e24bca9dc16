"""Puzzles: answers to positions, and the ratings that follow from them."""

from faceup.extras import require

require("server", __name__)
