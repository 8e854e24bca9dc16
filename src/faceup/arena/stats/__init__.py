"""Statistics of results, which are standings of many bots, and the comparison of two bots with its verdict."""

from faceup.extras import require

require("arena", __name__)
