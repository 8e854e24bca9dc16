"""Games with days per move: whose turn it is, and notices of it by Web Push and mail."""

from faceup.extras import require

require("server", __name__)
