"""What a viewer was told so far, from the first decision on: for whoever comes late, or comes back."""

from collections.abc import Iterable, Iterator

from faceup.server.rooms.entries import Append
from faceup.server.rooms.evolve import steps_of
from faceup.server.rooms.messages import Change, whole
from faceup.server.rooms.room import Viewer, may_watch


def past(log: Iterable[Append], viewer: Viewer) -> Iterator[bytes]:
    """The lines of a viewer's stream: the whole sight at the first decision, then what every later append was to it.

    They are the lines that it was sent, or would have been if it had been there, under the same numbers; nothing
    before the game begins.

    Args:
        log: all that was appended, as far as the viewer may know of it by now.
        viewer: whose stream it is. Of what nobody could look at then, a spectator is told nothing now.

    Raises:
        Malformed: the log does not begin with the opening of a room.

    >>> from faceup.core import generator
    >>> from faceup.server.rooms import Choose, Opening, Sit, decide, opened, room_from
    >>> rng = generator(1)
    >>> log = [opened(Opening(game="nimmt", options={"seats": 2, "hand": 2}), "ann-id", "Ann", rng)]
    >>> for player, command in (("bo-id", Sit("Bo")), ("ann-id", Choose(0, "play 46", 0))):
    ...     log.append(decide(room_from((append, None) for append in log), command, player, 4_000, rng))
    >>> [line[:40] for line in past(log, 1)]
    [b'{"v":2,"at":4000,"sight":{"seat":1,"stat', b'{"v":3,"at":4000,"events":[{"event":"cho']
    """
    begun = False
    for before, after in steps_of((append, None) for append in log):
        if begun:
            if (line := Change(before, after).line(viewer)) is not None:
                yield line
        elif after.status != "pending":
            begun = True
            if viewer is not None or may_watch(after):
                yield whole(after, viewer)
