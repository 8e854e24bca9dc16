"""Worker processes for bots and replays. The modules avoid heavy imports, so that the processes start quickly."""

from faceup.extras import require

require("server", __name__)
