"""Periodic tasks that log errors and continue."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from faceup.server.store import StoreError

_LOG: Final = logging.getLogger(__name__)


async def repeat(name: str, work: Callable[[], Awaitable[object]], seconds: float) -> None:
    """Run a coroutine function repeatedly, with a pause before each run.

    After an error, which is logged, the next run follows. While the store is unavailable, only the first error is
    logged.

    Args:
        name: name of the task for log messages.
        work: the coroutine function.
        seconds: length of the pause.
    """
    failing = False
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
            failing = False
        except StoreError as error:
            if not failing:
                _LOG.warning("%s failed: %s", name, error.message)
            failing = True
        except Exception:  # noqa: BLE001 -- log it and run again
            _LOG.exception("%s failed", name)
