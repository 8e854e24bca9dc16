"""What `faceup niuniu score` answers."""

import re
from argparse import Namespace

import msgspec

from faceup.cli.ndjson import Answer
from faceup.core import Malformed
from faceup.games.niuniu import NiuNiu, score


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """A hand to score; dice may have other faces than six, and a baozi may take more dice alike than three."""

    dice: list[int]
    faces: int = 6
    baozi: int = 3


def from_flags(arguments: Namespace) -> Request:
    """The request on a command line: its dice are words. Raises `Malformed`."""
    dice = []
    for place, word in enumerate(arguments.dice):
        if not re.fullmatch("-?[0-9]{1,9}", word):
            raise Malformed(f"die {place} is {word!r}, which is not a number", what=word, where=f"dice[{place}]")
        dice.append(int(word))  # whether there is such a die, `score` says
    usual = Request(dice)
    faces = usual.faces if arguments.faces is None else arguments.faces
    baozi = usual.baozi if arguments.baozi is None else arguments.baozi
    return Request(dice, faces, baozi)


def answer(request: Request) -> Answer:
    """Score the hand.

    Returns:
        `{"points", "name", "triple", "rest", "statistics"}`, `triple` and `rest` null without Niu.

    Raises:
        Malformed: not five dice, one off range, or faces or a baozi that there cannot be.

    >>> answer(Request([4, 5, 5, 4, 1]))["name"]
    'Niu 9'
    """
    NiuNiu(faces=request.faces, baozi=request.baozi)  # refuses what the game refuses
    hand = score(request.dice, request.faces, request.baozi)
    return msgspec.structs.asdict(hand)


def words(result: Answer) -> str:
    """The answer for a person.

    >>> print(words(answer(Request([5, 2, 4, 6, 3]))))
    Niu Niu: 10 points (5 2 3 and 4 6); statistics 3
    """
    points = f"{result['points']} point{'' if result['points'] == 1 else 's'}"
    parts = [" ".join(map(str, part)) for part in (result["triple"], result["rest"]) if isinstance(part, tuple)]
    why = f" ({' and '.join(parts)})" if parts else ""
    return f"{result['name']}: {points}{why}; statistics {result['statistics']}"
