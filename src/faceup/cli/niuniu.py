"""`faceup niuniu score`: score a hand of five dice."""

import re
from argparse import Namespace
from typing import Any

import msgspec

from faceup.cli import lists
from faceup.cli.ndjson import Answer
from faceup.core import Malformed, plural
from faceup.games.niuniu import NiuNiu, score


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """A hand to score, the number of faces of a die, and the number of equal dice that make a baozi."""

    dice: list[int]
    faces: int = 6
    baozi: int = 3


def from_flags(arguments: Namespace) -> dict[str, Any]:  # Any: JSON
    """Return the request fields given on the command line. Raises `Malformed` if a die is not a number."""
    query = {name: getattr(arguments, name) for name in ("faces", "baozi") if getattr(arguments, name) is not None}
    if arguments.dice:
        query["dice"] = [_die(place, word) for place, word in enumerate(lists.words(" ".join(arguments.dice)))]
    return query


def _die(place: int, word: str) -> int:
    """Parse a die's number; `score` checks its range."""
    if not re.fullmatch("-?[0-9]{1,9}", word):
        raise Malformed(
            f"die {place + 1} must be a number of at most 9 digits; got {word!r}", what=word, where=f"dice[{place}]"
        )
    return int(word)


def answer(request: Request) -> Answer:
    """Score the hand.

    Returns:
        `{"points", "name", "triple", "rest", "statistics"}`; `triple` and `rest` are null if the hand has no Niu.

    Raises:
        Malformed: there are not five dice, a die is out of range, or `faces` or `baozi` is invalid.

    >>> answer(Request([4, 5, 5, 4, 1]))["name"]
    'Niu 9'
    """
    NiuNiu(faces=request.faces, baozi=request.baozi)  # validates the options
    hand = score(request.dice, request.faces, request.baozi)
    return msgspec.structs.asdict(hand)


def format_answer(result: Answer) -> str:
    """Return the answer as text.

    >>> print(format_answer(answer(Request([5, 2, 4, 6, 3]))))
    Niu Niu: 10 points (5 2 3 and 4 6); statistics points: 3
    """
    points = plural(int(str(result["points"])), "point")
    parts = [" ".join(map(str, part)) for part in (result["triple"], result["rest"]) if isinstance(part, tuple)]
    why = f" ({' and '.join(parts)})" if parts else ""
    return f"{result['name']}: {points}{why}; statistics points: {result['statistics']}"
