"""Verifiable randomness for fair deals (commit and reveal), from a server secret and player contributions.

First, the server commits to its secret with a hash. Then each player commits to a contribution of 32 bytes with a hash,
called the pledge. Finally, the players reveal their contributions. All chance is a function of the secret and the
contributions, so if one contributor is honest, no one can have chosen the result. `docs/explanation/fair-deals.md`
describes the format and what it proves.

The format, byte by byte. `u32` and `u64` are big-endian unsigned numbers of 4 and 8 bytes; `|` concatenates;
LABEL is the ASCII text "faceup fair deal 1"; secret and contributions are 32 bytes each; seats and rounds count from 0.

    commitment   = SHA-256(LABEL | " secret" | u32 round | secret)
    pledge       = SHA-256(LABEL | " pledge" | u32 round | u32 seat | contribution)
    key          = HMAC-SHA256(secret, LABEL | " key" | u32 round | u32 number of contributors
                               | for each contributor, lowest seat first: u32 seat | contribution)
    block(k, j)  = HMAC-SHA256(key, LABEL | " draw" | u64 k | u64 j)

The outcomes of chance of a match are its deals, throws and reshuffles, numbered in order from 0. Outcome number k reads
block(k, 0), block(k, 1) and so on as u64 words, four in each block. To draw a number below n, skip words until one is
less than 2**64 - 2**64 mod n, and take this word modulo n. The numbers drawn are the choices for `Rules.outcome`.
"""

from collections.abc import Mapping
from hashlib import sha256
from hmac import digest
from typing import Final

from faceup.core.errors import Malformed
from faceup.core.generator import Generator, check_limit
from faceup.core.values import Seat
from faceup.core.whole_numbers import LARGEST_WORD, whole_number

SIZE: Final = 32
"""Length in bytes of a secret, a contribution and every hash."""

_LABEL: Final = b"faceup fair deal 1"
_WORDS: Final = 1 << 64


def commitment(round_: int, secret: bytes) -> bytes:
    """Return the hash that commits the server to its secret for a round.

    >>> commitment(0, bytes(32)).hex()[:16]
    'd9f9b707b5449f80'
    """
    return sha256(_LABEL + b" secret" + u32("a round", round_) + check_length(secret, "secret")).digest()


def pledge(round_: int, seat: Seat, contribution: bytes) -> bytes:
    """Return the hash that commits a seat to its contribution to a round.

    >>> pledge(0, 1, bytes(32)).hex()[:16]
    'd8c55ace43c82dc4'
    """
    return sha256(
        _LABEL
        + b" pledge"
        + u32("a round", round_)
        + u32("a seat", seat)
        + check_length(contribution, f"contribution of seat {seat}")
    ).digest()


def draw_key(round_: int, secret: bytes, contributions: Mapping[Seat, bytes]) -> bytes:
    """Return the key from which every outcome of the match is drawn. `contributions` maps a seat to its contribution.

    >>> draw_key(0, bytes(32), {}).hex()[:16]
    'd5117b95c16f70d0'
    """
    parts = [_LABEL, b" key", u32("a round", round_), u32("contributions", len(contributions))]
    for seat in sorted(contributions):
        parts += [u32("a seat", seat), check_length(contributions[seat], f"contribution of seat {seat}")]
    return digest(check_length(secret, "secret"), b"".join(parts), sha256)


class FairDraw:
    """Random number generator for outcome `number` of a match, keyed by the match's `draw_key`.

    >>> rng = FairDraw(draw_key(0, bytes(32), {0: bytes(32)}), 0)
    >>> [rng.below(104) for _ in range(5)]
    [45, 71, 48, 58, 55]
    """

    __slots__ = ("_block", "_key", "_number", "_words")

    def __init__(self, key: bytes, number: int) -> None:
        self._key = key
        self._number = _LABEL + b" draw" + whole_number("a number", number, 0, LARGEST_WORD).to_bytes(8)
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """Return one of `range(n)`, all equally likely; `n` is 1 to 2**64. Raises `Malformed`."""
        check_limit(n)
        limit = _WORDS - _WORDS % n
        while True:
            if not self._words:
                block = digest(self._key, self._number + self._block.to_bytes(8), sha256)
                self._block += 1
                self._words = [
                    int.from_bytes(block[at : at + 8]) for at in (24, 16, 8, 0)
                ]  # in reverse order, for `pop`
            if (word := self._words.pop()) < limit:
                return word % n


def random_bytes(rng: Generator) -> bytes:
    """Return a secret or a contribution drawn from `rng`, which must be `SystemRandom` if no one may predict it.

    >>> from faceup.core import SeededGenerator
    >>> random_bytes(SeededGenerator(7)).hex()[:16]
    'f3e1e60fba293aae'
    """
    return bytes(rng.below(256) for _ in range(SIZE))


def from_hex(text: str, where: str) -> bytes:
    """Decode 64 lower-case hexadecimal digits to 32 bytes. Raises `Malformed` with a message that starts with `where`.

    >>> from_hex("0F", "a secret")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: a secret must be 64 lower-case hexadecimal digits; got '0F'
    """
    if len(text) != 2 * SIZE or not set(text) <= set("0123456789abcdef"):
        raise Malformed(f"{where} must be {2 * SIZE} lower-case hexadecimal digits; got {text!r}", where=where)
    return bytes.fromhex(text)


def check_length(value: bytes, what: str) -> bytes:
    """Return a value of 32 bytes as it is. Raises `Malformed` for another length.

    >>> check_length(b"short", "secret")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: the secret must be 32 bytes; got 5
    """
    if len(value) != SIZE:
        raise Malformed(f"the {what} must be {SIZE} bytes; got {len(value)}", where=what)
    return value


def u32(name: str, number: int) -> bytes:
    """Return a number as 4 bytes. Raises `Malformed` with a message that starts with `name`.

    >>> u32("a round", 258).hex()
    '00000102'
    """
    return whole_number(name, number, 0, (1 << 32) - 1).to_bytes(4)
