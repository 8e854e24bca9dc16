"""Games for research, with the consent of their players."""

from faceup.extras import require

require("server", __name__)
