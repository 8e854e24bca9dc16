"""The faces of players: people have an animal on a disc of a colour, and bots have faces by their characters.

`script/faces.py` draws them. The page chooses the drawings in the same way (`web/art/faces.js`).
"""

import re
from typing import Final, NamedTuple

from faceup.bots import CHARACTERS, COMPUTER, VISITORS
from faceup.core import Malformed
from faceup.core.record import PERSON
from faceup.core.registry import nearest

ANIMALS: Final = (
    *("cow", "cat", "dog", "fox", "bear", "panda", "koala", "rabbit", "mouse", "pig"),
    *("sheep", "goat", "horse", "unicorn", "frog", "chick", "owl", "penguin", "duck", "lion"),
    *("tiger", "monkey", "elephant", "raccoon", "hedgehog", "deer", "octopus", "whale", "dragon", "sloth"),
)
"""The animals, in the order in which the page offers them."""

COLOURS: Final = 10
"""The number of colours, which count from 0."""


def check_face(face: str) -> str:
    """Return a face if it is an animal and a colour.

    Raises:
        Malformed: there is no such animal or colour.

    >>> check_face("fox-3")
    'fox-3'
    """
    animal, _, colour = face.rpartition("-")
    if animal not in ANIMALS or not (colour.isascii() and colour.isdigit() and len(colour) == 1):
        raise Malformed(
            f'a face must be an animal and a colour from 0 to {COLOURS - 1}, as in "fox-3"; '
            f"got {face[:40]!r}{nearest(animal[:40], list(ANIMALS))}",
            what=face[:40],
            where="face",
        )
    return face


class Face(NamedTuple):
    """The name of a drawing in `web/faces`, and the number of the colour behind it."""

    drawing: str
    colour: int


_DRAWN: Final = frozenset(name.lower() for names in (*CHARACTERS.values(), (COMPUTER,), VISITORS) for name in names)


def face_of(name: str, kind: str, *, handle: str | None = None, face: str | None = None) -> Face:
    """Return the face of a player, which is the same everywhere.

    People who chose none get an animal and a colour by their handle, and bots a colour by their name.

    Args:
        name: the name at the table.
        kind: "person", or the name of the bot.
        handle: the public handle of a person, if known.
        face: the face that a person chose, if any.

    >>> face_of("Ann", "person", face="fox-3"), face_of("Clover 2", "gentle")
    (Face(drawing='fox', colour=3), Face(drawing='clover', colour=7))
    """
    if face and kind == PERSON:
        animal, _, chosen = face.rpartition("-")
        return Face(animal, int(chosen))
    key = 0
    for letter in handle or name:
        key = (key * 31 + ord(letter)) % 2**32
    colour = key // len(ANIMALS) % COLOURS
    if kind == PERSON:
        return Face(ANIMALS[key % len(ANIMALS)], colour)
    character = re.sub(r" \d+$", "", name).lower()
    return Face(character if character in _DRAWN else COMPUTER.lower(), colour)
