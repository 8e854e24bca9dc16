"""What a refusal looks like, the same on every channel: `{"error": {"kind": ..., "message": ...}}`.

A `kind` is for programs and stays; a message is one sentence for people. Positions are not quoted here: whoever may
see one has it already.
"""

from typing import Final

import msgspec

from faceup.core import Malformed, NotLegal, RulesError
from faceup.server.people.refusals import Refused
from faceup.server.store import StoreError


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was wrong.

    Attributes:
        kind: for programs, one of a list that only grows.
        message: one sentence for people.
        where: which part of what was sent, if one.
        legal: what would have been legal, in words.
        retry_after: seconds after which the same may be asked again.
        request: the request's id, by which whoever runs the server finds it in the log.
    """

    kind: str
    message: str
    where: str = ""
    legal: tuple[str, ...] = ()
    retry_after: int | None = None
    request: str = ""


class Failure(msgspec.Struct, frozen=True):
    """The body of every answer that is not what was asked for."""

    error: Problem


class Denied(Exception):  # noqa: N818 -- named as the other refusals are: for what happened
    """Refused at the door, for what everybody's requests have in common: their size, number, origin and form."""

    def __init__(self, kind: str, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after


STATUS: Final = {
    "malformed": 400,
    "unknown": 401,
    "forbidden": 403,
    "foreign": 403,
    "not_yours": 403,
    "hidden": 403,
    "missing": 404,
    "no_table": 404,
    "method": 405,
    "not_legal": 409,
    "stale": 409,
    "taken": 409,
    "full": 409,
    "closed": 409,
    "too_large": 413,
    "media_type": 415,
    "too_many": 429,
    "internal": 500,
    "unavailable": 503,
    "frozen": 503,
}
"""The HTTP status of each kind of error; what is not among them is a conflict with how things are."""

KIND: Final = {400: "malformed", 401: "unknown", 403: "forbidden", 404: "missing", 405: "method", 413: "too_large"} | {
    415: "media_type",
    429: "too_many",
    503: "unavailable",
}
"""The kind of an error of which only the HTTP status is known."""


def problem_of(error: Exception) -> Problem | None:
    """What to say of an error that is part of the plan; None for one that is not."""
    kind = getattr(error, "kind", None)
    message = getattr(error, "message", None)
    if not isinstance(kind, str) or not isinstance(message, str):
        return None
    retry = getattr(error, "retry_after", None)
    return Problem(
        kind=kind,
        message=message,
        where=error.where if isinstance(error, Malformed) else "",
        legal=error.legal if isinstance(error, NotLegal) else (),
        retry_after=retry if isinstance(retry, int) else 1 if kind in {"unavailable", "frozen"} else None,
    )


def status_of(problem: Problem) -> int:
    """The HTTP status that goes with it.

    >>> status_of(Problem(kind="stale", message="too late"))
    409
    """
    return STATUS.get(problem.kind, 409)


def internal(request: str) -> Problem:
    """What is said of an error of ours: nothing but where to look."""
    return Problem(kind="internal", message="something went wrong here, and it is in the server's log", request=request)


def body_of(problem: Problem) -> bytes:
    """The JSON of an answer that refuses."""
    return _ENCODER.encode(Failure(problem))


EXPECTED: Final = (RulesError, StoreError, Refused, Denied)
"""What the parts refuse with; anything else is an error of ours."""


def refusal_line(command: str | None, problem: Problem) -> bytes:
    r"""The line by which a command is refused on a live channel.

    >>> refusal_line("a1", Problem(kind="stale", message="too late"))
    b'{"refused":"a1","error":{"kind":"stale","message":"too late"}}\n'
    """
    return _ENCODER.encode(_Refused(command, problem)) + b"\n"


class _Refused(msgspec.Struct, frozen=True):
    refused: str | None
    error: Problem


_ENCODER: Final = msgspec.json.Encoder()
