"""Worker process for replays, reviews and drawings of records, one request at a time.

A request is the line `LENGTH TOPIC SEAT STEP`, followed by LENGTH bytes of a record or log. The response is the line
`LENGTH ok`, followed by LENGTH bytes compressed with gzip, or `LENGTH rejected`, followed by the error as JSON. The
process ends when its input ends, so that it never outlives the server.
"""

import gzip
import sys
from typing import Final

import msgspec

from faceup.core import Malformed, RulesError, find_game
from faceup.core.record import Joined, loads, replay
from faceup.server.rooms import loads as loads_append
from faceup.server.rooms import replay_lines
from faceup.server.rooms.replay import room_at_step
from faceup.server.rooms.room import Viewer
from faceup.server.rooms.updates import backlog_lines
from faceup.server.rooms.view import require_may_watch
from faceup.server.workers.child_process import set_up

_WORLDS: Final = (500, 10_000)
"""Minimum and maximum number of worlds that a review samples for each option."""

_TOTAL_WORLDS: Final = 400_000
"""Sampled worlds per option, summed over all decisions of a review. A review takes about two seconds."""


def lines(record: bytes, viewer: Viewer, _: int) -> bytes:
    """Return the lines of a replay."""
    return b"".join(replay_lines(loads(record), viewer))


def backlog(log: bytes, viewer: Viewer, _: int) -> bytes:
    """Return the lines that a viewer has been sent so far. The log has one row per line."""
    return b"".join(backlog_lines([loads_append(append) for append in log.splitlines()], viewer))


def review(text: bytes, viewer: Viewer, _: int) -> bytes:
    """Review the decisions of one seat, or of all seats. Raises `Malformed` for a game without decisions."""
    # Slow to import, and needed for reviews only.
    from faceup.coach import SearchBudget, build_review, decision_points, evaluate_decisions, has_coach, par_for, report  # noqa: PLC0415

    record = loads(text)
    rules = record.rules()
    if not has_coach(rules.game):
        raise Malformed(f"{rules.game} has no decisions to review", what=rules.game, where="game")
    frames = tuple(replay(record))
    seats = tuple(range(rules.seats)) if viewer is None else (viewer,)
    found = decision_points(record, frames, seats)
    least, most = _WORLDS
    effort = SearchBudget(worlds=max(least, min(most, _TOTAL_WORLDS // max(1, len(found)))))
    names = {entry.seat: entry.name for entry in record.entries if isinstance(entry, Joined)}
    done = build_review(
        record,
        frames=frames,
        names=[names.get(seat, f"Seat {seat + 1}") for seat in range(rules.seats)],
        seats=seats,
        effort=effort,
        found=found,
        decisions=list(evaluate_decisions(rules, found, effort)),
        par=par_for(rules, effort.player),
    )
    body = report(done)
    for decision in body["decisions"]:
        for option in decision["options"]:
            del option["spread"]  # it makes up half of all bytes and is not shown on the page
    return msgspec.json.encode(body)


def drawing(record: bytes, viewer: Viewer, step: int) -> bytes:
    """Return a drawing of the table after a step, as SVG."""
    room = room_at_step(loads(record), step)
    require_may_watch(room, viewer)
    rules = room.table.rules
    view = rules.view(room.table.state, viewer)
    return find_game(rules.game).drawings["svg"](view, names=room.table.names, rules=rules).encode()


TOPICS: Final = {"lines": lines, "backlog": backlog, "review": review, "drawing": drawing}


def answer(topic: str, seat: str, step: str, text: bytes) -> tuple[str, bytes]:
    """Return the status and the body of the response."""
    try:
        viewer = None if seat == "-" else int(seat)
        return "ok", gzip.compress(TOPICS[topic](text, viewer, int(step)), 6, mtime=0)
    except RulesError as error:
        where = error.where if isinstance(error, Malformed) else ""
        return "rejected", msgspec.json.encode({"message": error.message, "where": where})


def main() -> None:
    """Answer requests until the input ends."""
    set_up()
    requests, responses = sys.stdin.buffer, sys.stdout.buffer
    while head := requests.readline():
        length, topic, seat, step = head.decode().split()
        status, body = answer(topic, seat, step, requests.read(int(length)))
        responses.write(f"{len(body)} {status}\n".encode() + body)
        responses.flush()


if __name__ == "__main__":
    main()
