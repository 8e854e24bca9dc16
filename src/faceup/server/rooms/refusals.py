"""When a room refuses, beside the reasons that its table has: each a typed error whose `kind` a program can go by."""

from faceup.core import NotYours


class Full(NotYours):
    """No seat is free for this player."""

    kind = "full"


class TooMany(NotYours):
    """As many as may be in one decision."""

    kind = "too_many"


class Closed(NotYours):
    """The room was closed: nothing can happen in it any more."""

    kind = "closed"


class Hidden(NotYours):
    """Nobody may look on while the game is on."""

    kind = "hidden"
