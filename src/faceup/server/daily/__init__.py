"""The daily deal: everyone plays the same cards once a day."""

from faceup.extras import require

require("server", __name__)
