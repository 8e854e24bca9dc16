"""The daily deal: everyone plays the same cards once a day.

Its dates, cards and bots as values are in `rooms.daily`, which needs no extra, so that players can verify them.
"""

from faceup.extras import require

require("server", __name__)
