"""What is done for a room beside its commands, and that nobody waits for."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Final

from faceup.core import RulesError
from faceup.server.store import StoreError

_LOG: Final = logging.getLogger(__name__)


class Errands:
    """Tasks of one room, whose errors are said where somebody looks.

    Args:
        table: the id of the table, for the log.
    """

    __slots__ = ("_table", "_tasks")

    def __init__(self, table: str) -> None:
        self._table = table
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> bool:
        """Whether any is under way."""
        return bool(self._tasks)

    def run(self, work: Coroutine[object, object, None]) -> None:
        """Begin one."""
        task = asyncio.get_running_loop().create_task(self._carefully(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Give all of them up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _carefully(self, work: Coroutine[object, object, None]) -> None:
        try:
            await work
        except StoreError as error:
            _LOG.warning("table %s: %s", self._table, error.message)
        except RulesError:
            pass  # it is not needed any more
        except Exception:  # noqa: BLE001 -- nobody waits for it
            _LOG.exception("an errand of table %s failed", self._table)
