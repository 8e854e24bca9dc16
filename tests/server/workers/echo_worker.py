"""A worker process for tests of the pool."""

import os
import time

from faceup.core import Malformed
from faceup.server.workers.child_process import answer_requests

CALLS: list[None] = []


def fail(text: bytes) -> bytes:
    """Raise an error whose message has the text."""
    raise ZeroDivisionError(text)


def reject() -> bytes:
    """Reject the request."""
    raise Malformed("it is wrong", where="text")


def die() -> bytes:
    """End the process."""
    os._exit(1)


def sleep() -> bytes:
    """Take a minute."""
    time.sleep(60)
    return b""


def tally() -> bytes:
    """Return how often this was called."""
    CALLS.append(None)
    return b"%d" % len(CALLS)


if __name__ == "__main__":
    answer_requests(
        {
            "echo": bytes,
            "count": tally,
            "pid": lambda: b"%d" % os.getpid(),
            "fail": fail,
            "reject": reject,
            "die": die,
            "sleep": sleep,
        }
    )
