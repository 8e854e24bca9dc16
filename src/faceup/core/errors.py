"""The three ways in which a call to the rules can be wrong.

Each is a `ValueError` with fields, quotes the position in text notation where there is one, and leaves everything as it
was.
"""

from collections.abc import Sequence
from typing import ClassVar

from faceup.core.values import Action, Seat


class RulesError(ValueError):
    """What the three errors share: a `kind` for programs, and the notation of the `position` if there is one."""

    kind: ClassVar[str] = "rules"

    def __init__(self, message: str, *, position: str = "") -> None:
        super().__init__(f"{message} [in {position}]" if position else message)
        self.message = message
        self.position = position


class Malformed(RulesError):  # noqa: N818 -- the error is named as the design names it
    """Input that means nothing here: `what` was given and `where` it stood.

    >>> raise Malformed("0 is not a card", what="0", where="rows")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: 0 is not a card
    """

    kind = "malformed"

    def __init__(self, message: str, *, what: object = "", where: str = "", position: str = "") -> None:
        super().__init__(message, position=position)
        self.what = what
        self.where = where


class NotLegal(RulesError):  # noqa: N818 -- as above
    """A decision that exists but may not be taken now; `legal` lists, in words, those that may."""

    kind = "not_legal"

    def __init__(
        self,
        message: str,
        *,
        seat: Seat | None = None,
        action: Action | None = None,
        legal: Sequence[str] = (),
        position: str = "",
    ) -> None:
        super().__init__(message, position=position)
        self.seat = seat
        self.action = action
        self.legal = tuple(legal)


class NotYours(RulesError):  # noqa: N818 -- as above
    """A decision that is not for these `seats` to take now, or one left out that must be; `to_act` says whose it is."""

    kind = "not_yours"

    def __init__(
        self, message: str, *, seats: Sequence[Seat] = (), to_act: Sequence[Seat] = (), position: str = ""
    ) -> None:
        super().__init__(message, position=position)
        self.seats = tuple(seats)
        self.to_act = tuple(to_act)
