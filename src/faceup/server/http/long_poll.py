"""Requests that are answered when something has changed, or after a time (long polling)."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

from faceup.server.http.services import (
    AnyRequest,
    Requester,
    Services,
    check_connection_limit,
    count_connection,
    while_connected,
)
from faceup.server.live.change_listeners import wait_for_change


class Versioned(Protocol):
    """A response with a text that changes whenever anything of the response does."""

    @property
    def version(self) -> str:
        """The version."""
        ...


V = TypeVar("V", bound=Versioned)

_PREFERRED: Final = re.compile(r"\bwait=(\d{1,3})\b")


def preferred_wait(request: AnyRequest, longest: float) -> float:
    """Return for how many seconds the client wants to wait, as in `Prefer: wait=8` (RFC 7240), at most `longest`.

    A client that expects an answer after a time that it chose itself notices a dead connection.
    """
    preferred = _PREFERRED.search(request.headers.get("prefer", ""))
    return longest if preferred is None else min(longest, float(preferred[1]))


async def long_poll(
    services: Services,
    request: AnyRequest,
    requester: Requester,
    read: Callable[[], Awaitable[V]],
    *,
    subject: str,
    after: str,
    hold: float,
) -> V:
    """Return what `read` returns, as soon as it has another version than `after`.

    Args:
        services: the services.
        request: the request, which ends the wait if its client disconnects.
        requester: the client. The waiting request counts as one of its connections.
        read: reads the response; its errors are passed on.
        subject: the subject of changes, as in `revocations.subject_of`.
        after: the version that the client has; "" for none.
        hold: seconds after which the response is returned with the same version, unless the client prefers less.

    Raises:
        RequestError: the requester has too many connections, or has disconnected.
    """
    check_connection_limit(services, requester)
    loop = asyncio.get_running_loop()
    until = loop.time() + preferred_wait(request, hold)
    with services.changes.listen(subject) as changed, count_connection(services, requester):
        while True:
            changed.clear()  # before reading, so that no change is missed
            state = await read()
            left = until - loop.time()
            if state.version != after or left <= 0 or services.changes.stopped:
                return state
            await while_connected(request, wait_for_change(changed, left))
