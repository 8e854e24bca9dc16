"""Guests and accounts, with their sessions, tokens and passkeys.

Most functions take a database connection, so that they can be passed to `Store.write` and `Store.query`. The API and
the administration commands call the same functions.
"""

from faceup.extras import require

require("server", __name__)
