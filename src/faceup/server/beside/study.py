"""The process behind `faceup.server.studies.studying`: tells records again, draws or judges them, one after the other.

Reads `LENGTH TOPIC SEAT STEP` and so many bytes of a record or a log; answers `LENGTH ok` and so many bytes (gzip), or
`LENGTH refused` with the reason as JSON. It ends when its input does, so it never outlives the server.
"""

import gzip
import os
import signal
import sys
from typing import Final

import msgspec

from faceup.core import Malformed, RulesError, find_game
from faceup.core.record import Joined, loads, replay
from faceup.server.rooms import Viewer, past, replayed, require_watching, room_at
from faceup.server.rooms import loads as loads_append

NICE: Final = 5
"""Those who are connected come first."""

_WORLDS: Final = (500, 10_000)
"""The fewest and the most guesses that an option is judged by."""

_IN_ALL: Final = 400_000
"""Guesses for an option of each decision, all decisions together: two seconds or so."""


def lines(record: bytes, viewer: Viewer, _: int) -> bytes:
    """The record, told again."""
    return b"".join(replayed(loads(record), viewer))


def past_lines(log: bytes, viewer: Viewer, _: int) -> bytes:
    """What a viewer was told while this log came to be, which has an append a line."""
    return b"".join(past([loads_append(append) for append in log.splitlines()], viewer))


def review(text: bytes, viewer: Viewer, _: int) -> bytes:
    """What every decision was worth, of one seat or of all. Raises `Malformed` for a game without decisions."""
    # Who tells records again needs nothing of it.
    from faceup.coach import Effort, has_coach, judged, par_for, report, reviewed, situations  # noqa: PLC0415

    record = loads(text)
    rules = record.rules()
    if not has_coach(rules.game):
        raise Malformed(f"{rules.game} has no decisions that could be judged", what=rules.game, where="game")
    frames = tuple(replay(record))
    seats = tuple(range(rules.seats)) if viewer is None else (viewer,)
    found = situations(record, frames, seats)
    fewest, most = _WORLDS
    effort = Effort(worlds=max(fewest, min(most, _IN_ALL // max(1, len(found)))))
    names = {entry.seat: entry.name for entry in record.entries if isinstance(entry, Joined)}
    done = reviewed(
        record,
        frames=frames,
        names=[names.get(seat, f"Seat {seat}") for seat in range(rules.seats)],
        seats=seats,
        effort=effort,
        found=found,
        decisions=list(judged(rules, found, effort)),
        par=par_for(rules, effort.player),
    )
    said = report(done)
    for decision in said["decisions"]:
        for option in decision["options"]:
            del option["spread"]  # half of all bytes, and no page shows it
    return msgspec.json.encode(said)


def drawing(record: bytes, viewer: Viewer, step: int) -> bytes:
    """The table after a step, as its game draws it (SVG)."""
    room = room_at(loads(record), step)
    require_watching(room, viewer)
    rules = room.table.rules
    view = rules.view(room.table.state, viewer)
    return find_game(rules.game).drawings["svg"](view, names=room.table.names, rules=rules).encode()


TOPICS: Final = {"lines": lines, "past": past_lines, "review": review, "drawing": drawing}


def answer(topic: str, seat: str, step: str, text: bytes) -> tuple[str, bytes]:
    """How it went, and the bytes to answer with."""
    try:
        viewer = None if seat == "-" else int(seat)
        return "ok", gzip.compress(TOPICS[topic](text, viewer, int(step)), 6, mtime=0)
    except RulesError as error:
        where = error.where if isinstance(error, Malformed) else ""
        return "refused", msgspec.json.encode({"message": error.message, "where": where})


def main() -> None:
    """Answer until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    if hasattr(os, "nice"):
        os.nice(NICE)
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    while head := asked.readline():
        length, topic, seat, step = head.decode().split()
        how, body = answer(topic, seat, step, asked.read(int(length)))
        told.write(f"{len(body)} {how}\n".encode() + body)
        told.flush()


if __name__ == "__main__":
    main()
