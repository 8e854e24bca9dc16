"""What people log in by, and what a guest is called. What a name may be, `faceup.server.rooms.names` says."""

import secrets
import unicodedata

from faceup.server.rooms.names import proper_name


def fold_login(login: str) -> str:
    """The login as two are compared: without case, and characters that mean the same made the same (NFKC).

    Raises:
        Malformed: it is no name.

    >>> fold_login("ANN") == fold_login("ann")
    True
    """
    return unicodedata.normalize("NFKC", proper_name(login)).casefold()


def guest_name() -> str:
    """What a guest is called until it says otherwise."""
    return f"Guest {1000 + secrets.randbelow(9000)}"
