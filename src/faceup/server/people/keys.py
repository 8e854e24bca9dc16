"""Keys that open something: made of the system's randomness, kept as their SHA-256 alone.

A key has 256 bits, or lives for minutes and is asked for at a limited rate: nobody finds one by trying, so a hash
without salt or work is enough.
"""

import hashlib
import secrets
from typing import Final

ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What is read aloud and typed: capital letters and digits without those that look alike."""


def new_key(prefix: str = "") -> str:
    """A key of 32 random bytes in url-safe characters.

    >>> len(new_key()), new_key("faceup_")[:7]
    (43, 'faceup_')
    """
    return prefix + secrets.token_urlsafe(32)


def new_code(length: int = 8) -> str:
    """A short key for people to type; of eight characters, one in 30**8."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def digest(key: str) -> str:
    """What is kept of a key.

    >>> digest("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
