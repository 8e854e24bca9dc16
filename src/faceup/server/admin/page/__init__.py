"""The page for administration: HTML without scripts, on a separate port, behind a token.

It shows what `faceup admin` shows, and how busy this server process is, but never a hand or another secret of a table:
tables come from the public summaries that the lists of the server have, and no log is read.
"""
