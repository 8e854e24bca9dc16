"""Lines received by a client."""

from typing import Any

import msgspec

from faceup.server.rooms.merge_patch import apply_line


class ReceivedLines:
    """Collects numbered lines in the order of arrival.

    Attributes:
        texts: the lines.
    """

    def __init__(self) -> None:
        self.texts: list[bytes] = []

    def append(self, text: bytes) -> None:
        """Add a line."""
        self.texts.append(text)

    @property
    def numbers(self) -> list[int]:
        """The versions of the lines."""
        return [msgspec.json.decode(text)["v"] for text in self.texts]

    @property
    def folded(self) -> dict[str, Any]:
        """Apply all lines and return the view."""
        room_view: dict[str, Any] = {}
        for text in self.texts:
            room_view = apply_line(room_view, msgspec.json.decode(text))
        return room_view
