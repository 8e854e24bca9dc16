"""Create, find, list and join tables: quick match, the watch list, own tables, hints and who is online."""

from faceup.extras import require

require("server", __name__)
