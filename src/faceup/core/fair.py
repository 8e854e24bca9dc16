"""Deals that nobody can have chosen: numbers that follow from a secret of the server and from bytes of the players.

First the server fixes its secret by a hash; then each player fixes 32 bytes of its own by a hash; then the players open
theirs. What chance does is a function of all of it, so that whoever made one honest contribution knows that nobody else
picked the result. `docs/fair.md` says what that proves and what it does not, and has the format in prose.

The format, byte by byte. `u32` and `u64` are unsigned numbers of 4 and 8 bytes, the highest byte first; `|` joins;
LABEL is the ASCII text "faceup fair deal 1"; secret and contributions are 32 bytes each; seats and rounds count from 0.

    commitment   = SHA-256(LABEL | " secret" | u32 round | secret)
    pledge       = SHA-256(LABEL | " pledge" | u32 round | u32 seat | contribution)
    key          = HMAC-SHA256(secret, LABEL | " key" | u32 round | u32 how many contribute
                               | for each of them, lowest seat first: u32 seat | contribution)
    block(k, j)  = HMAC-SHA256(key, LABEL | " draw" | u64 k | u64 j)

Outcome number k of the match (from 0: the deals, throws and reshuffles in their order) reads block(k, 0), block(k, 1)
and so on as u64 words, four a block. A number below n is the next word that is less than 2**64 - 2**64 mod n, modulo n;
words that are not less are passed over. The numbers are the choices of `Rules.chance`.
"""

from collections.abc import Mapping
from hashlib import sha256
from hmac import digest
from typing import Final

from faceup.core.errors import Malformed
from faceup.core.generator import Generator
from faceup.core.values import Seat

SIZE: Final = 32
"""Bytes of a secret, of a contribution and of every hash here."""

_LABEL: Final = b"faceup fair deal 1"
_WORDS: Final = 1 << 64


def commitment(round_: int, secret: bytes) -> bytes:
    """The hash by which the server fixes its secret for a round.

    >>> commitment(0, bytes(32)).hex()[:16]
    'd9f9b707b5449f80'
    """
    return sha256(_LABEL + b" secret" + _u32(round_) + _whole(secret, "secret")).digest()


def pledge(round_: int, seat: Seat, contribution: bytes) -> bytes:
    """The hash by which a seat fixes its contribution to a round.

    >>> pledge(0, 1, bytes(32)).hex()[:16]
    'd8c55ace43c82dc4'
    """
    return sha256(
        _LABEL + b" pledge" + _u32(round_) + _u32(seat) + _whole(contribution, f"contribution of seat {seat}")
    ).digest()


def key(round_: int, secret: bytes, contributions: Mapping[Seat, bytes]) -> bytes:
    """What every outcome of the match follows from; the contributions are by seat.

    >>> key(0, bytes(32), {}).hex()[:16]
    'd5117b95c16f70d0'
    """
    parts = [_LABEL, b" key", _u32(round_), _u32(len(contributions))]
    for seat in sorted(contributions):
        parts += [_u32(seat), _whole(contributions[seat], f"contribution of seat {seat}")]
    return digest(_whole(secret, "secret"), b"".join(parts), sha256)


class FairDraw:
    """The generator of one outcome of chance, number `number` of its match, from the match's key.

    >>> rng = FairDraw(key(0, bytes(32), {0: bytes(32)}), 0)
    >>> [rng.below(104) for _ in range(5)]
    [45, 71, 48, 58, 55]
    """

    __slots__ = ("_block", "_key", "_number", "_words")

    def __init__(self, key: bytes, number: int) -> None:
        self._key = key
        self._number = _LABEL + b" draw" + number.to_bytes(8)
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """One of `range(n)`, `n` from 1 to 2**64."""
        limit = _WORDS - _WORDS % n
        while True:
            if not self._words:
                block = digest(self._key, self._number + self._block.to_bytes(8), sha256)
                self._block += 1
                self._words = [int.from_bytes(block[at : at + 8]) for at in (24, 16, 8, 0)]  # the next one is the last
            if (word := self._words.pop()) < limit:
                return word % n


def fresh(rng: Generator) -> bytes:
    """A secret or a contribution from a caller's generator, which must be `Secret` where it matters."""
    return bytes(rng.below(256) for _ in range(SIZE))


def from_hex(text: str, where: str) -> bytes:
    """The 32 bytes that 64 digits write. Raises `Malformed`, naming `where` they stood.

    >>> from_hex("0F", "a secret")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: a secret is 64 hexadecimal digits in small letters, not '0F'
    """
    if len(text) != 2 * SIZE or not set(text) <= set("0123456789abcdef"):
        raise Malformed(f"{where} is {2 * SIZE} hexadecimal digits in small letters, not {text!r}", where=where)
    return bytes.fromhex(text)


def _whole(value: bytes, what: str) -> bytes:
    if len(value) != SIZE:
        raise Malformed(f"the {what} is {SIZE} bytes, not {len(value)}", where=what)
    return value


def _u32(number: int) -> bytes:
    return number.to_bytes(4)
