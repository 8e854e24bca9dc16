"""A client's part in a fair deal: the next command to send, from the sight that its stream adds up to."""

from collections.abc import Mapping
from typing import Any

import msgspec

from faceup import table as tables
from faceup.server.rooms.commands import OpenPledge, Pledge
from faceup.table import FairSight, fair_step


def fair_answer(sight: Mapping[str, Any], seed: bytes) -> Pledge | OpenPledge | None:  # Any: JSON
    """What the client sends now; None if a fair deal asks nothing of it. Ask again after every line.

    Args:
        sight: as it came over the wire, or as patches made it.
        seed: 32 random bytes that the client keeps to itself, the same as long as it is at this table.

    >>> fair_answer({"seat": 0, "fair": None}, bytes(32))
    """
    seat, told = sight.get("seat"), sight.get("fair")
    if seat is None or told is None:
        return None
    match fair_step(msgspec.convert(told, FairSight), seat, seed):
        case tables.Pledge(round=number, pledge=hashed):
            return Pledge(seat, number, hashed)
        case tables.OpenPledge(round=number, contribution=contribution):
            return OpenPledge(seat, number, contribution)
    return None
