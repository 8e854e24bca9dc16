"""When the desk refuses, beside the reasons that a room has."""

from faceup.core import Malformed


class NoTable(Malformed):
    """There is no table of this id, or not any more."""

    kind = "no_table"
