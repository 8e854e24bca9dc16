"""Verify the daily deal of a day that has ended, with only Python's standard library.

    curl https://SERVER/api/daily/2026-11-23 > day.json
    python3 verify_daily.py day.json [COMMITMENT]

This implements the format in docs/reference/daily-deal.md: it checks that the server's secret matches its commitment,
and that the cards follow from the secret. COMMITMENT is what the server published before the day started, if you noted
it; otherwise the one in the file is used.

Exit status: 0 verified, 1 verification failed, 2 not a day that has ended.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from pathlib import Path

LABEL = b"faceup fair deal 1"
CARDS, HAND, ROWS = 104, 10, 4


def commitment(date: str, secret: bytes) -> str:
    """Return the commitment to the secret of a date."""
    return hashlib.sha256(LABEL + b" secret" + number_of(date) + secret).hexdigest()


def deal(date: str, secret: bytes, seats: int) -> str:
    """Return the cards that follow from the secret: the hands, seat by seat, then the first card of each row."""
    key = hmac.digest(secret, LABEL + b" key" + number_of(date) + bytes(4), "sha256")
    words, cards = stream(key), list(range(1, CARDS + 1))
    size = seats * HAND + ROWS
    for place in range(size):
        left = CARDS - place
        word = next(each for each in words if each < 2**64 - 2**64 % left)
        other = place + word % left
        cards[place], cards[other] = cards[other], cards[place]
    return " ".join(["deal", *map(str, cards[:size])])


def number_of(date: str) -> bytes:
    """Return the date as a number, such as 20261123, in four bytes."""
    return int(date.replace("-", "")).to_bytes(4, "big")


def stream(key: bytes) -> Iterator[int]:
    """Yield random words of 64 bits."""
    for block in range(2**64):
        hashed = hmac.digest(key, LABEL + b" draw" + bytes(8) + block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(hashed[at : at + 8], "big") for at in (0, 8, 16, 24))


def check(day: dict, published: str) -> "list[str]":
    """Return the faults as sentences. `day` is the answer of the server, and `published` the commitment."""
    date, secret, faults = day["date"], bytes.fromhex(day["secret"]), []
    if commitment(date, secret) != published:
        faults.append(f"the secret of {date} does not match the commitment {published}")
    if deal(date, secret, 1 + len(day["bots"])) != day["deal"]:
        faults.append(f"the cards of {date} do not follow from the secret")
    return faults


if __name__ == "__main__":
    try:
        found = json.loads(Path(sys.argv[1]).read_text("utf-8-sig"))
        faults = check(found, sys.argv[2] if len(sys.argv) > 2 else found["commitment"])
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        print(f"not a day that has ended: {error!r}", file=sys.stderr)
        sys.exit(2)
    print("\n".join(faults) or f"the daily deal of {found['date']} is verified")
    sys.exit(bool(faults))
