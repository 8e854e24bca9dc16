"""Friends, blocked people, and invitations to tables and parties."""

from faceup.extras import require

require("server", __name__)
