"""States, observations and actions of OpenSpiel games as named fields, for OpenSpiel's methods such as `to_struct`.

OpenSpiel's own structs have no constructors for Python, so these are values of the same interface: fields, `to_dict`
and `to_json`. C++ code cannot call these methods of a game in Python.
"""

from typing import Any

import msgspec


class Fields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The methods of OpenSpiel's structs.

    >>> fields = ActionFields(6, "play 7")
    >>> fields.to_dict(), fields.to_json()
    ({'action': 6, 'text': 'play 7'}, '{"action":6,"text":"play 7"}')
    """

    def to_dict(self) -> dict[str, Any]:  # Any: JSON
        """Return the fields by name."""
        fields: dict[str, Any] = msgspec.json.decode(self.to_json())  # Any: as above
        return fields

    def to_json(self) -> str:
        """Return the fields as JSON."""
        return msgspec.json.encode(self).decode()


class StateFields(Fields, frozen=True):
    """A full state, with everything hidden.

    Attributes:
        state: the state in text notation, as `str` returns it.
        current_player: the player to act, in OpenSpiel's numbering.
        is_terminal: whether the game is over.
        legal_actions: the legal actions of each player.
        returns: the sum of each player's rewards so far.
    """

    state: str
    current_player: int
    is_terminal: bool
    legal_actions: tuple[tuple[int, ...], ...]
    returns: tuple[float, ...]


class ObservationFields(Fields, frozen=True):
    """What a player may know.

    Attributes:
        observation: the player's view in text notation.
        player: the player.
        legal_actions: the player's legal actions.
    """

    observation: str
    player: int
    legal_actions: tuple[int, ...]


class ActionFields(Fields, frozen=True):
    """An action.

    Attributes:
        action: its number.
        text: the action in words, such as "play 57".
    """

    action: int
    text: str
