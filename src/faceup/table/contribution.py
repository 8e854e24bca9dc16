"""The client's side of a fair deal: the next command that a client sends automatically.

This client draws 32 random bytes when it joins, keeps them secret, and derives all its contributions from them. A
client may also use new random bytes for each round, and then needs only SHA-256.
"""

from hashlib import sha256
from hmac import digest

from faceup.core import Seat, WrongSeatError
from faceup.core.fair_draw import check_length, pledge, u32
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

    Raises:
        WrongSeatError: there is no such seat.
        Malformed: the seed does not have 32 bytes.
    """
    if fair is None or seat in fair.left_out:
        return None
    if not 0 <= seat < len(fair.pledges):
        raise WrongSeatError(f"there is no seat {seat}: the seats are 0 to {len(fair.pledges) - 1}", seats=(seat,))
    contribution = derive_contribution(seed, fair.number, seat)
    pledged = pledge(fair.number, seat, contribution).hex()
    if fair.listed is None:
        return Pledge(seat, fair.number, pledged) if fair.pledges[seat] is None else None
    due = seat in fair.listed and fair.contributions[seat] is None and fair.pledges[seat] == pledged
    return OpenPledge(seat, fair.number, contribution.hex()) if due else None


def derive_contribution(seed: bytes, round_: int, seat: Seat) -> bytes:
    """Derive the client's contribution to a round from its seed. A contribution reveals nothing about any other.

    Raises `Malformed` if the seed does not have 32 bytes, or the round or the seat is out of range.

    >>> derive_contribution(bytes(32), 0, 1).hex()[:16]
    '67363836d43257e4'
    """
    message = b"faceup contribution" + u32("a round", round_) + u32("a seat", seat)
    return digest(check_length(seed, "seed"), message, sha256)
