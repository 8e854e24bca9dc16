"""Password hashing with argon2id, in threads that leave half of the cores to everything else."""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Final, ParamSpec, TypeVar

from argon2 import Parameters, PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from faceup.core import Malformed
from faceup.processors import processors
from faceup.server.process.cores import lower_thread_priority

SHORTEST: Final = 8
LONGEST: Final = 200
"""The maximum length of a password, in characters. It limits the time to hash a password."""

COST: Final = replace(RFC_9106_LOW_MEMORY, parallelism=1)
"""The low-memory parameters of RFC 9106, with one thread, so that a hash uses one core. It needs 64 MiB of memory."""

P = ParamSpec("P")
T = TypeVar("T")


def hashes_at_once() -> int:
    """Return how many passwords may be hashed in parallel: half of the cores, at least 1."""
    return max(1, processors() // 2)


class Passwords:
    """The password hasher of a server process. It works in a few threads with a low priority.

    For unknown logins, the password is checked against a dummy hash. Therefore the response time does not reveal
    whether a login exists.
    """

    def __init__(self, cost: Parameters) -> None:
        self._hasher = PasswordHasher.from_parameters(cost)
        self._threads = ThreadPoolExecutor(hashes_at_once(), "faceup-passwords", initializer=lower_thread_priority)
        self._dummy_hash: str | None = None

    async def hash(self, password: str) -> str:
        """Hash a password. Raises the error of `validate`."""
        self.validate(password)
        return await self._run(self._hasher.hash, normalize_password(password))

    def validate(self, password: str) -> None:
        """Raise `Malformed` if a new password is too short or too long, or has control characters."""
        length = len(unicodedata.normalize("NFC", password))
        if not SHORTEST <= length <= LONGEST:
            raise Malformed(
                f"a password must have {SHORTEST} to {LONGEST} characters, but has {length}", where="password"
            )
        if any(unicodedata.category(char) in {"Cc", "Cs"} for char in password):
            raise Malformed("a password must not contain control characters, such as tabs", where="password")

    async def check(self, stored: str | None, password: str) -> bool:
        """Return whether the password matches the stored hash.

        If `stored` is None, return False after the same time as for a wrong password.
        """
        if len(password) > LONGEST:
            return False
        if self._dummy_hash is None:
            self._dummy_hash = await self.hash("dummy password")
        return await self._run(self._check, stored, self._dummy_hash, normalize_password(password))

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(work, *args, **kwargs))

    def _check(self, stored: str | None, dummy: str, password: bytes) -> bool:
        try:
            self._hasher.verify(stored or dummy, password)
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None


def normalize_password(password: str) -> bytes:
    """Return the bytes that are hashed and compared, so that a password is the same from every keyboard and system.

    As in the profile `OpaqueString` of RFC 8265, spaces outside ASCII become U+0020, and the form is NFC. Upper
    and lower case stay different.

    >>> normalize_password("ko\u0308nig\u00a0x") == normalize_password("k\u00f6nig x")
    True
    """
    spaced = "".join(" " if unicodedata.category(char) == "Zs" else char for char in password)
    # JSON strings may contain lone surrogates, which no stored password has.
    return unicodedata.normalize("NFC", spaced).encode("utf-8", "surrogatepass")
