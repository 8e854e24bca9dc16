"""A player's side of a fair deal: what its client sends next, from what it sees. Nothing of it needs a click.

A client makes 32 random bytes when it sits down and keeps them to itself; all it ever sends follows from them. Anything
else that can compute SHA-256 and HMAC may do the same, or use random bytes of its own for each round.
"""

from hashlib import sha256
from hmac import digest

from faceup.core import Seat
from faceup.core.fair import pledge
from faceup.table.commands import OpenPledge, Pledge
from faceup.table.sight import FairSight


def fair_step(fair: FairSight | None, seat: Seat, seed: bytes) -> Pledge | OpenPledge | None:
    """What the client in this seat sends now; None if nothing is asked of it.

    It never opens what somebody else pledged in its name: then the seat is left out, and everybody reads that.

    Args:
        fair: `Sight.fair`, as this seat was told it.
        seat: the client's own.
        seed: 32 random bytes, the same for the whole match.
    """
    if fair is None or seat in fair.left_out:
        return None
    mine = contribution_for(seed, fair.number, seat)
    own = pledge(fair.number, seat, mine).hex()
    if fair.listed is None:
        return Pledge(seat, fair.number, own) if fair.pledges[seat] is None else None
    owed = seat in fair.listed and fair.contributions[seat] is None and fair.pledges[seat] == own
    return OpenPledge(seat, fair.number, mine.hex()) if owed else None


def contribution_for(seed: bytes, round_: int, seat: Seat) -> bytes:
    """The client's contribution to a round: another for each, and none tells anything of the next.

    >>> contribution_for(bytes(32), 0, 1).hex()[:16]
    '67363836d43257e4'
    """
    return digest(seed, b"faceup contribution" + round_.to_bytes(4) + seat.to_bytes(4), sha256)
