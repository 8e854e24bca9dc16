"""The page for administration: HTML without scripts, on a separate port, behind a token.

It shows what `faceup admin` shows, and how busy this server process is, but never a hand or another secret of a table:
tables come from the public summaries that the lists of the server have, and no log is read.
"""

from faceup.extras import needs

with needs("server", __name__):
    from faceup.server.admin_page.app import AdminPage, AdminPort

__all__ = ["AdminPage", "AdminPort"]
