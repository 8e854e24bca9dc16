"""Passwords, hashed by argon2id as its authors recommend where memory is short (RFC 9106, second choice)."""

import asyncio
from typing import Final

from argon2 import Parameters, PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from faceup.core import Malformed

SHORTEST: Final = 8
LONGEST: Final = 200
"""Characters of a password: short enough that nobody keeps a core busy with one."""

_AT_ONCE: Final = 2
"""Hashes made at a time: each takes a core for some tens of milliseconds, and 64 MiB."""


class Passwords:
    """Hashes passwords and checks them, in threads, a few at a time; a hash that nobody has hides who has one."""

    def __init__(self, cost: Parameters = RFC_9106_LOW_MEMORY) -> None:
        self._hasher = PasswordHasher.from_parameters(cost)
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        """What is kept of the password. Raises `Malformed` if it is too short or too long."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise Malformed(f"a password has {SHORTEST} to {LONGEST} characters, not {len(password)}", where="password")
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, _as_bytes(password))

    async def check(self, kept: str | None, password: str) -> bool:
        """Whether it is the password; takes as long where there is none (None), so that time tells nothing."""
        if len(password) > LONGEST:
            return False
        if self._nobodys is None:
            self._nobodys = await self.hash("nobody's password")
        async with self._turns:
            return await asyncio.to_thread(self._check, kept, self._nobodys, _as_bytes(password))

    def _check(self, kept: str | None, nobodys: str, password: bytes) -> bool:
        try:
            self._hasher.verify(kept or nobodys, password)
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None


def _as_bytes(password: str) -> bytes:
    return password.encode(
        "utf-8", "surrogatepass"
    )  # JSON can spell half a surrogate pair, and nobody is to crash on it
