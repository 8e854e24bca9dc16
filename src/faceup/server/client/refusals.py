"""What a server would not do, and a server that does not answer."""

from typing import ClassVar

from faceup.core import RulesError


class Refused(RulesError):  # noqa: N818 -- named as the server's own refusals are: for what happened
    """The server refused, and nothing has changed.

    Attributes:
        why: the kind of refusal, one of the API's.
        legal: what would have been legal, in words.
        retry_after: seconds after which the same may be asked again; None if that would not help.
    """

    kind: ClassVar[str] = "refused"

    def __init__(self, why: str, message: str, *, legal: tuple[str, ...] = (), retry_after: int | None = None) -> None:
        super().__init__(message)
        self.why = why
        self.legal = legal
        self.retry_after = retry_after


class Unreachable(RulesError):  # noqa: N818 -- as above
    """The server did not answer, for as long as one was willing to wait; what was asked may have happened."""

    kind: ClassVar[str] = "unreachable"
