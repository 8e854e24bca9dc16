"""Password hashing with argon2id and the low-memory parameters of RFC 9106."""

import asyncio
from typing import Final

from argon2 import Parameters, PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from faceup.core import Malformed

SHORTEST: Final = 8
LONGEST: Final = 200
"""The maximum length of a password, in characters. It limits the time to hash a password."""

_AT_ONCE: Final = 2
"""The maximum number of passwords hashed at once. Each needs 64 MiB of memory, and a core for tens of milliseconds."""


class Passwords:
    """The password hasher of a server process. It works in threads, with limited concurrency.

    For unknown logins, the password is checked against a dummy hash. Therefore the response time does not reveal
    whether a login exists.
    """

    def __init__(self, cost: Parameters = RFC_9106_LOW_MEMORY) -> None:
        self._hasher = PasswordHasher.from_parameters(cost)
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._dummy_hash: str | None = None

    async def hash(self, password: str) -> str:
        """Hash a password. Raises `Malformed` if it is too short or too long."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise Malformed(
                f"a password must have {SHORTEST} to {LONGEST} characters, but has {len(password)}", where="password"
            )
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, _as_bytes(password))

    async def check(self, stored: str | None, password: str) -> bool:
        """Return whether the password matches the stored hash.

        If `stored` is None, return False after the same time as for a wrong password.
        """
        if len(password) > LONGEST:
            return False
        if self._dummy_hash is None:
            self._dummy_hash = await self.hash("dummy password")
        async with self._turns:
            return await asyncio.to_thread(self._check, stored, self._dummy_hash, _as_bytes(password))

    def _check(self, stored: str | None, dummy: str, password: bytes) -> bool:
        try:
            self._hasher.verify(stored or dummy, password)
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None


def _as_bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")  # JSON strings may contain lone surrogates
