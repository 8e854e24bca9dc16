"""Administration of a server's database. It works whether or not servers are running on the database."""

from faceup.extras import require

require("server", __name__)
