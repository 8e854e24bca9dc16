"""Errors of the client."""

from typing import ClassVar

import msgspec

from faceup.core import RulesError
from faceup.server.rooms.wire import ErrorResponse, Problem


class RequestRefusedError(RulesError):
    """The server rejected the request, so nothing has changed.

    Attributes:
        why: the API's kind of error.
        legal: the legal actions instead of a rejected one, as text.
        retry_after: seconds after which to retry; None if a retry does not help.
    """

    kind: ClassVar[str] = "refused"

    def __init__(self, why: str, message: str, *, legal: tuple[str, ...] = (), retry_after: int | None = None) -> None:
        super().__init__(message)
        self.why = why
        self.legal = legal
        self.retry_after = retry_after


class UnreachableError(RulesError):
    """The server did not answer within the timeout. It may or may not have executed the request."""

    kind: ClassVar[str] = "unreachable"


def refusal(problem: Problem) -> RequestRefusedError:
    """Return an error of the API as an exception."""
    return RequestRefusedError(problem.kind, problem.message, legal=problem.legal, retry_after=problem.retry_after)


def error_from_response(status: int, text: bytes) -> RequestRefusedError:
    """Return the error of an HTTP response as an exception. The response may come from a proxy.

    >>> error_from_response(502, b"<html>").why
    'http_502'
    """
    try:
        return refusal(msgspec.json.decode(text, type=ErrorResponse).error)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return RequestRefusedError(f"http_{status}", f"the server answered with status {status}")
