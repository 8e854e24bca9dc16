"""What holds the programs of a referee: the one place through which it starts them."""

from collections.abc import Callable, Mapping
from typing import Final, Self

from faceup.arena import limits, sandbox
from faceup.arena.bots import Bot
from faceup.arena.terms import Terms
from faceup.core import Malformed

_NOTHING: Final[Mapping[str, str]] = {}


class Confinement:
    """Limits and sandbox of the programs of one worker.

    Args:
        terms: on which they play.

    Raises:
        Malformed: the terms ask for a sandbox, and there is none on this machine, with the reason.

    >>> import os
    >>> echo = Bot("echo", ("/bin/echo", "hello"))
    >>> with Confinement(Terms()) as held:
    ...     environment = {**os.environ, **held.environment(echo)}
    ...     process = held.start(echo, lambda: os.posix_spawn(echo.command[0], echo.command, environment))
    ...     os.waitpid(process, 0)[1]
    0
    """

    def __init__(self, terms: Terms) -> None:
        reason = sandbox.why_not() if terms.sandbox else ""
        if reason:
            raise Malformed(f"there is no sandbox here: {reason}", what="sandbox", where="terms")
        self._terms = terms
        self._running = limits.count_running() if limits.process_limit_binds() else 0
        self._processes = limits.ProcessLimit(limits.most_processes(terms, self._running))
        self._fences: dict[tuple[str, str, tuple[str, ...]], sandbox.Sandbox] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def environment(self, bot: Bot) -> Mapping[str, str]:
        """Variables that this bot's programs must get besides its own."""
        return self._fence(bot).environment if self._terms.sandbox else _NOTHING

    def start(self, bot: Bot, start: Callable[[], int]) -> int:
        """Call what starts a program of this bot, so that it is held, and set its limits.

        Args:
            bot: whose program it is.
            start: gives the number of the process; it may be called in another thread, which opens no files but those
                that the bot may.

        Raises:
            OSError: what `start` raises.
        """
        process = self._fence(bot).start(start) if self._terms.sandbox else start()
        limits.bind(process, limits.limits_of(self._terms, bot, self._running))
        return process

    def close(self) -> None:
        """Let go of everything, the folders that bots wrote to included; call it when their programs have ended."""
        self._processes.close()
        while self._fences:
            self._fences.popitem()[1].close()

    def _fence(self, bot: Bot) -> sandbox.Sandbox:
        which = bot.name, bot.folder, bot.command
        if which not in self._fences:
            self._fences[which] = sandbox.Sandbox(bot)
        return self._fences[which]


def tell(terms: Terms) -> str:
    """What holds programs on this machine under these terms, and what does not, in one line."""
    return f"{sandbox.tell(active=terms.sandbox)}; {limits.tell(terms)}"
