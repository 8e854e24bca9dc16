"""Results of finished games, and what follows from them: ratings, ladders, statistics and seat reviews."""

from faceup.extras import require

require("server", __name__)
