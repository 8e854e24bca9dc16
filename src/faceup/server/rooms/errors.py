"""Errors of rooms and of the table hub, in addition to the errors of `faceup.table`. `kind` is for programs."""

from faceup.core import Malformed, WrongSeatError


class TableFullError(WrongSeatError):
    """The table has no free seat for this player."""

    kind = "full"


class CommandIdReusedError(WrongSeatError):
    """The player has sent another command with this id."""

    kind = "key_reused"


class TooManyReactionsError(WrongSeatError):
    """The seat has already shown the maximum number of reactions for this decision."""

    kind = "rate_limited"


class NotIdleError(WrongSeatError):
    """The table does not wait for this player, or not for long enough, so a bot cannot play instead."""

    kind = "not_idle"


class TableClosedError(WrongSeatError):
    """The room is closed and accepts no commands."""

    kind = "closed"


class SpectatorsOffError(WrongSeatError):
    """Spectators are not allowed while the game is running."""

    kind = "no_spectators"


class PauseUsedUpError(WrongSeatError):
    """The host has paused a rated game with days per move for as long as is allowed."""

    kind = "pause_used_up"


class RecordWithheldError(WrongSeatError):
    """The record is of a daily deal that others can still play."""

    kind = "withheld"


class TableNotFoundError(Malformed):
    """No table has this id, or it was deleted."""

    kind = "table_not_found"


class ConfusableNameError(Malformed):
    """The name can be mistaken for the name of another player at the table, of the server, or of its operator."""

    kind = "confusable_name"
