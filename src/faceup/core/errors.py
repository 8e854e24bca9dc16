"""Errors raised by the rules.

Each error is a `ValueError` with fields for programs. Its message quotes the position in text notation if a position is
known. A call that raises an error has changed nothing.
"""

from collections.abc import Sequence
from typing import ClassVar

from faceup.core.values import Action, Seat


class RulesError(ValueError):
    """Base class of the rules' errors. `kind` is for programs. `position` is in text notation, or "" if unknown."""

    kind: ClassVar[str] = "rules"

    def __init__(self, message: str, *, position: str = "") -> None:
        super().__init__(f"{message} [in {position}]" if position else message)
        self.message = message
        self.position = position


class Malformed(RulesError):  # noqa: N818 -- public name
    """Invalid input. `what` is the invalid value, and `where` names the field or argument that held this value.

    >>> raise Malformed("0 is not a card", what="0", where="rows")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: 0 is not a card
    """

    kind = "malformed"

    def __init__(self, message: str, *, what: object = "", where: str = "", position: str = "") -> None:
        super().__init__(message, position=position)
        self.what = what
        self.where = where


class IllegalActionError(RulesError):
    """An action that is not legal now. `legal` lists the legal actions in notation."""

    kind = "illegal_action"

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


class WrongSeatError(RulesError):
    """A decision of `seats` that are not to act, or that is missing. `to_act` lists the seats that decide now."""

    kind = "wrong_seat"

    def __init__(
        self, message: str, *, seats: Sequence[Seat] = (), to_act: Sequence[Seat] = (), position: str = ""
    ) -> None:
        super().__init__(message, position=position)
        self.seats = tuple(seats)
        self.to_act = tuple(to_act)
