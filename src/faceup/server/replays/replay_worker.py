"""Worker process for replays, drawings and pictures. See `pool` for the protocol."""

import gzip
from collections.abc import Callable
from io import BytesIO
from typing import Final

import msgspec

from faceup.core import find_game, read
from faceup.core.record import loads
from faceup.server.rooms import loads as loads_append
from faceup.server.rooms import replay_lines
from faceup.server.rooms.replay import room_at_step
from faceup.server.rooms.room import Viewer
from faceup.server.rooms.updates import backlog_lines
from faceup.server.rooms.view import require_may_watch
from faceup.server.workers.child_process import answer_requests


class DrawnPosition(msgspec.Struct, frozen=True):
    """A position to draw: the view of a seat or of a spectator in text notation, and the names of the players."""

    position: str
    names: tuple[str, ...]


def lines(request: bytes, viewer: Viewer, _: int) -> bytes:
    """Return the lines of a replay. The first line of the request has the faces as JSON, and the record follows."""
    return _replay(request, viewer, all_hands=True)


def own_lines(request: bytes, viewer: Viewer, _: int) -> bytes:
    """Return the lines of a replay with only what the viewer may see, of a request as for `lines`."""
    return _replay(request, viewer, all_hands=False)


def _replay(request: bytes, viewer: Viewer, *, all_hands: bool) -> bytes:
    faces, _newline, record = request.partition(b"\n")
    return b"".join(replay_lines(loads(record), viewer, all_hands=all_hands, faces=msgspec.json.decode(faces)))


def backlog(log: bytes, viewer: Viewer, _: int) -> bytes:
    """Return the lines that a viewer has been sent so far. The log has one row per line."""
    return b"".join(backlog_lines([loads_append(append) for append in log.splitlines()], viewer))


def drawing(record: bytes, viewer: Viewer, step: int) -> bytes:
    """Return a drawing of the table after a step, as SVG."""
    room = room_at_step(loads(record), step)
    require_may_watch(room, viewer)
    rules = room.table.rules
    view = rules.view(room.table.state, viewer)
    return find_game(rules.game).drawings["svg"](view, names=room.table.names, rules=rules).encode()


def position(request: bytes, _: Viewer, __: int) -> bytes:
    """Return a drawing of a position as SVG. The request is a `DrawnPosition` as JSON."""
    drawn = msgspec.json.decode(request, type=DrawnPosition)
    rules, view = read(drawn.position)
    return find_game(rules.game).drawings["svg"](view, names=drawn.names, rules=rules).encode()


def link(address: bytes, _: Viewer, __: int) -> bytes:
    """Return a QR code of an address as SVG."""
    import segno  # noqa: PLC0415 -- needed for links only

    out = BytesIO()
    segno.make(address.decode(), micro=False).save(
        out, kind="svg", scale=4, border=4, light="white", xmldecl=False, svgns=True
    )
    return out.getvalue()


def picture(request: bytes, viewer: Viewer, step: int) -> bytes:
    """Return the picture of a request (`PictureRequest` as JSON) as PNG."""
    from faceup.server.pictures.draw import draw_picture  # noqa: PLC0415 -- needed for pictures only

    return draw_picture(request, viewer, step)


TOPICS: Final = {
    "lines": lines,
    "own_lines": own_lines,
    "backlog": backlog,
    "drawing": drawing,
    "position": position,
    "link": link,
    "picture": picture,
}


def _compressed(topic: Callable[[bytes, Viewer, int], bytes]) -> Callable[..., bytes]:
    return lambda text, viewer, step: gzip.compress(topic(text, viewer, step), 6, mtime=0)


def main() -> None:
    """Answer requests until the input ends."""
    answer_requests({name: _compressed(topic) for name, topic in TOPICS.items()})


if __name__ == "__main__":
    main()
