"""Lines as a client heard them."""

from typing import Any

import msgspec

from faceup.server.rooms import after_line


class Heard:
    """Every numbered line, in the order in which it came.

    Attributes:
        texts: the lines.
    """

    def __init__(self) -> None:
        self.texts: list[bytes] = []

    def append(self, text: bytes) -> None:
        """One more."""
        self.texts.append(text)

    @property
    def numbers(self) -> list[int]:
        """Their versions."""
        return [msgspec.json.decode(text)["v"] for text in self.texts]

    @property
    def folded(self) -> dict[str, Any]:
        """The sight that they add up to."""
        sight: dict[str, Any] = {}
        for text in self.texts:
            sight = after_line(sight, msgspec.json.decode(text))
        return sight
