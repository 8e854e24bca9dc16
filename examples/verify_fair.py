"""Verify the fair deals of a faceup record with only Python's standard library.

    python3 verify_fair.py RECORD.json

This implements the format in docs/explanation/fair-deals.md. Reshuffles of War need the game's rules: they are only
counted here; `faceup verify` checks them.

Exit status: 0 verified, 1 verification failed, 2 not a record of a fair deal.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from pathlib import Path

LABEL = b"faceup fair deal 1"


def u32(number: int) -> bytes:
    """Encode a number as four bytes, big-endian."""
    return number.to_bytes(4, "big")


def commitment(round_: int, secret: bytes) -> str:
    """Return the commitment that the server publishes first."""
    return hashlib.sha256(LABEL + b" secret" + u32(round_) + secret).hexdigest()


def pledge(round_: int, seat: int, contribution: bytes) -> str:
    """Return the pledge that a player's client publishes first."""
    return hashlib.sha256(LABEL + b" pledge" + u32(round_) + u32(seat) + contribution).hexdigest()


def key(round_: int, secret: bytes, contributions: dict[int, bytes]) -> bytes:
    """Return the key from which all random outcomes are derived."""
    text = b"".join(u32(seat) + contributions[seat] for seat in sorted(contributions))
    return hmac.digest(secret, LABEL + b" key" + u32(round_) + u32(len(contributions)) + text, "sha256")


def words(key: bytes, number: int) -> Iterator[int]:
    """Yield the random words of outcome `number`."""
    for block in range(2**64):
        hashed = hmac.digest(key, LABEL + b" draw" + number.to_bytes(8, "big") + block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(hashed[at : at + 8], "big") for at in (0, 8, 16, 24))


def numbers(key: bytes, number: int, below: list[int]) -> list[int]:
    """Return one number below each of `below` for outcome `number`."""
    word = words(key, number)
    return [next(w for w in word if w < 2**64 - 2**64 % n) % n for n in below]


def shuffled(cards: list[str], key: bytes, number: int, size: int) -> list[str]:
    """Shuffle the first `size` cards: choice i is the distance from place i to the card that moves there."""
    for place, choice in enumerate(numbers(key, number, [len(cards) - place for place in range(size)])):
        cards[place], cards[place + choice] = cards[place + choice], cards[place]
    return cards


def outcome(record: dict, key: bytes, number: int, recorded: str) -> "str | None":
    """Return outcome `number` as notation, or None if it needs the rules."""
    options = record["options"]
    seats = options.get("seats") or sum(entry["entry"] == "joined" for entry in record["entries"])
    if record["game"] == "nimmt":
        size = seats * options.get("hand", 10) + options.get("rows", 4)
        many = options.get("cards") or (size if record["variant"] == "tactical" else 104)
        return " ".join(["deal", *shuffled([str(card + 1) for card in range(many)], key, number, size)[:size]])
    if record["game"] == "niuniu":
        dice = [str(choice + 1) for choice in numbers(key, number, [options.get("faces", 6)] * 5 * seats)]
        return "dice " + " / ".join(" ".join(dice[5 * seat : 5 * seat + 5]) for seat in range(seats))
    if record["game"] == "war" and recorded.startswith("deal"):
        ranks, suits = "23456789TJQKA"[: options.get("per_suit", 13)], "CDHS"[: options.get("suits", 4)]
        cards = [rank + suit for rank in ranks for suit in suits]
        shuffled(cards, key, number, len(cards) - 1)
        return f"deal {' '.join(cards[: len(cards) // 2])} / {' '.join(cards[len(cards) // 2 :])}"
    return None


def check(record: dict) -> "tuple[list[str], list[int]]":
    """Return the faults as sentences, and the numbers of outcomes that were checked and that need the rules."""
    faults, counts, round_, left_out = [], [0, 0], -1, set()
    secret, pledges, listed, opened = b"", {}, None, {}
    if not record["terms"]["fair"]:
        raise ValueError("the table has no fair deals")
    for at, entry in enumerate(record["entries"]):
        kind, seat, wrong = entry["entry"], entry.get("seat"), ""
        if kind == "secret_committed":
            owed = {*(listed or ())} - {*opened}
            idle = round_ >= 0 and (not owed or not owed <= left_out)
            round_, secret, pledges, listed, opened = round_ + 1, bytes.fromhex(entry["secret"]), {}, None, {}
            false = entry["commitment"] != commitment(round_, secret)
            wrong = "a seat that did not reveal is not excluded" * idle or "not its secret's commitment" * false
        elif kind == "pledged":
            wrong = "pledged too late, twice or after exclusion" * (
                round_ < 0 or listed is not None or seat in {*pledges, *left_out}
            )
            pledges[seat] = entry["pledge"]
        elif kind == "listed":
            wrong = "the seats are not those that pledged" * (listed is not None or entry["seats"] != sorted(pledges))
            listed = entry["seats"]
        elif kind == "pledge_opened":
            opened[seat] = bytes.fromhex(entry["contribution"])
            valid = seat in (listed or ()) and pledge(max(round_, 0), seat, opened[seat]) == pledges.get(seat)
            wrong = "" if valid else "does not match the seat's pledge"
        elif kind == "left_out":
            wrong = "the seat has nothing to reveal" * (seat not in (listed or ()) or seat in opened)
            left_out.add(seat)
        elif kind == "applied" and entry["outcome"]:
            ready = round_ >= 0 and listed is not None and sorted(opened) == listed
            true = outcome(record, key(round_, secret, opened), sum(counts), entry["outcome"]) if ready else ""
            counts[true is None] += 1
            wrong = f"the round results in {true!r}" * (true not in {None, entry["outcome"]})
        faults += [f"entry {at}, {kind}: {wrong}"] * bool(wrong)
    return faults, counts


if __name__ == "__main__":
    try:
        found, counts = check(json.loads(Path(sys.argv[1]).read_text("utf-8-sig")))
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        print(f"not a record of a fair deal: {error!r}", file=sys.stderr)
        sys.exit(2)
    print("\n".join(found) or f"{counts[0]} outcomes verified; {counts[1]} need the rules")
    sys.exit(bool(found))
