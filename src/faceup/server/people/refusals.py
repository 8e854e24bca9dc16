"""Why a person is refused: each with a `kind` for programs and one sentence for people."""

from typing import ClassVar


class Refused(Exception):  # noqa: N818 -- named as the rules' own refusals are: for what happened
    """What all of them share. A refused call has changed nothing."""

    kind: ClassVar[str] = "refused"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Unknown(Refused):
    """Nobody is known by this session, token, code, name or password."""

    kind = "unknown"


class Forbidden(Refused):
    """Known, and not allowed: a token without the scope, a ban, a house that takes no new accounts."""

    kind = "forbidden"


class Taken(Refused):
    """Somebody else has it already."""

    kind = "taken"


class Missing(Refused):
    """There is no such thing here."""

    kind = "missing"


class Busy(Refused):
    """It could be done, but too much of the kind is being done already."""

    kind = "too_many"
    retry_after: ClassVar[int] = 5
