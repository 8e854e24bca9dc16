"""The client's side of a fair deal: the next command that a client sends automatically.

This client draws 32 random bytes when it joins, keeps them secret, and derives all its contributions from them. A
client may also use new random bytes for each round, and then needs only SHA-256.
"""

from hashlib import sha256
from hmac import digest

from faceup.core import Seat
from faceup.core.fair_draw import pledge
from faceup.table.commands import OpenPledge, Pledge
from faceup.table.views import FairView


def next_fair_command(fair: FairView | None, seat: Seat, seed: bytes) -> Pledge | OpenPledge | None:
    """Return the command that the client in this seat must send now; None if the table expects no command from it.

    A client never opens a pledge that another client made for its seat. The seat is then excluded from the fair deal,
    which everyone sees.

    Args:
        fair: the member `fair` of this seat's `TableView`.
        seat: the client's seat.
        seed: the client's 32 random bytes, which stay the same for the whole match.
    """
    if fair is None or seat in fair.left_out:
        return None
    contribution = derive_contribution(seed, fair.number, seat)
    pledged = pledge(fair.number, seat, contribution).hex()
    if fair.listed is None:
        return Pledge(seat, fair.number, pledged) if fair.pledges[seat] is None else None
    due = seat in fair.listed and fair.contributions[seat] is None and fair.pledges[seat] == pledged
    return OpenPledge(seat, fair.number, contribution.hex()) if due else None


def derive_contribution(seed: bytes, round_: int, seat: Seat) -> bytes:
    """Derive the client's contribution to a round from its seed. A contribution reveals nothing about any other.

    >>> derive_contribution(bytes(32), 0, 1).hex()[:16]
    '67363836d43257e4'
    """
    return digest(seed, b"faceup contribution" + round_.to_bytes(4) + seat.to_bytes(4), sha256)
