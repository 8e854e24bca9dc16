"""The faces of people: an animal, and the colour of the disc behind it. Bots have faces by their characters.

`script/faces.py` draws the animals, and the page shows them.
"""

from typing import Final

from faceup.core import Malformed
from faceup.core.registry import nearest

ANIMALS: Final = (
    *("bear", "cat", "chick", "cow", "deer", "dog", "dragon", "duck", "elephant", "fox"),
    *("frog", "goat", "hedgehog", "horse", "koala", "lion", "monkey", "mouse", "octopus", "owl"),
    *("panda", "penguin", "pig", "rabbit", "raccoon", "sheep", "sloth", "tiger", "unicorn", "whale"),
)
"""The animals, in alphabetical order."""

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
