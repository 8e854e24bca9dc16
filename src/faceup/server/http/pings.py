"""Pings, with which the server limits how long the clients of both kinds of streams wait for a message."""

from typing import Final

from faceup.server.live import Subscription
from faceup.server.rooms.wire import Ping, encode_message

SILENCE: Final = 1.5
"""Seconds without an answer or any other message after a ping until an attended player's connection counts as lost."""

CLIENT_MARGIN: Final = 2.25
"""Seconds after which a client without messages has lost its connection, from when the server would call it silent.

Less if the table's grace period is shorter, because autoplay chooses after it.
"""


def ping_line(reader: Subscription, number: int, interval: float) -> bytes:
    """Return a ping of a stream whose next ping follows after `interval` seconds."""
    silence = 1000 * (interval + SILENCE) + min(1000 * CLIENT_MARGIN, reader.grace)
    return encode_message(Ping(number, reader.now(), int(silence)))
