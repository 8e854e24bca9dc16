"""Error responses: `{"error": {"kind": ..., "message": ...}}`. HTTP and WebSockets use the same kinds of errors.

Programs use the `kind`, which does not change between versions. The message is one sentence for people. Errors never
contain game positions.
"""

from typing import Final

import msgspec

from faceup.core import IllegalActionError, Malformed, RulesError
from faceup.server.accounts.errors import AccountError, BannedError
from faceup.server.rooms.wire import ErrorResponse, Problem
from faceup.server.store import StoreError


class RequestError(Exception):
    """A request that is rejected because of a rate limit, its size, its origin or its content type."""

    def __init__(self, kind: str, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after


STATUS_BY_KIND: Final = {
    "malformed": 400,
    "confusable_name": 400,
    "weak_password": 400,
    "consent_required": 400,
    "unauthenticated": 401,
    "second_factor_required": 401,
    "wrong_second_factor": 401,
    "login_required": 401,
    "openid_expired": 401,
    "openid_canceled": 401,
    "forbidden": 403,
    "banned": 403,
    "openid_unknown": 403,
    "openid_mail": 403,
    "cross_origin": 403,
    "wrong_seat": 403,
    "no_spectators": 403,
    "withheld": 403,
    "not_found": 404,
    "table_not_found": 404,
    "method_not_allowed": 405,
    "illegal_action": 409,
    "stale": 409,
    "taken": 409,
    "full": 409,
    "closed": 409,
    "deleted": 410,
    "too_large": 413,
    "unsupported_media_type": 415,
    "mail_failed": 502,
    "openid_failed": 502,
    "wrong_host": 421,
    "rate_limited": 429,
    "too_many_tables": 429,
    "internal": 500,
    "unavailable": 503,
    "overloaded": 503,
    "stale_heartbeat": 503,
}
"""The HTTP status of each kind of error. All kinds that are not in this table have the status 409 (conflict)."""

KIND_BY_STATUS: Final = {status: kind for kind, status in reversed(STATUS_BY_KIND.items())}
"""The kind for errors that have only an HTTP status. It is the first kind in `STATUS_BY_KIND` with this status."""


def problem_of(error: Exception) -> Problem | None:
    """Return the problem to send for an expected error. Return None for an internal error."""
    kind = getattr(error, "kind", None)
    message = getattr(error, "message", None)
    if not isinstance(kind, str) or not isinstance(message, str):
        return None
    retry = getattr(error, "retry_after", None)
    return Problem(
        kind=kind,
        message=message,
        where=error.where if isinstance(error, Malformed) else "",
        legal=error.legal if isinstance(error, IllegalActionError) else (),
        until=error.until if isinstance(error, BannedError) else None,
        reason=error.reason if isinstance(error, BannedError) else "",
        retry_after=retry if isinstance(retry, int) else 1 if kind in {"unavailable", "stale_heartbeat"} else None,
    )


def status_of(problem: Problem) -> int:
    """Return the HTTP status of a problem.

    >>> status_of(Problem(kind="stale", message="too late"))
    409
    """
    return STATUS_BY_KIND.get(problem.kind, 409)


def internal(request: str) -> Problem:
    """Return the problem to send for an internal error. It contains no details, only the request's id."""
    return Problem(
        kind="internal",
        message="internal server error: the server's log has the details of this request",
        request=request,
    )


def body_of(problem: Problem) -> bytes:
    """Encode an error response."""
    return msgspec.json.encode(ErrorResponse(problem))


EXPECTED: Final = (RulesError, StoreError, AccountError, RequestError)
"""The types of expected errors. All other exceptions are internal errors."""
