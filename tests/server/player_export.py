"""The export of a player's data, read into memory."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from faceup.server import player_data
from faceup.server.feature import Feature
from faceup.server.features import FEATURES


def export(connection: Connection, player: str, features: Sequence[Feature] = FEATURES) -> dict[str, Any]:  # Any: JSON
    with player_data.export(connection, player, features) as file:
        data: dict[str, Any] = json.load(file)
        return data
