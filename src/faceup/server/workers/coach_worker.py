"""Worker process for reviews and hints. See `pool` for the protocol.

A review is computed in slices, so that other requests have their turn in between. The worker keeps nothing between the
slices of a review: a request has all decisions evaluated so far, so any worker can continue any review.
"""

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from faceup.core import CHANCE, AnyRules, Malformed, SeededGenerator, draw, make, read
from faceup.core.record import Frame, Joined, Record, loads, replay
from faceup.extras import is_installed
from faceup.server.rooms.room import Viewer
from faceup.server.workers.child_process import answer_requests

if TYPE_CHECKING:
    from faceup.coach import DecisionPoint, SearchBudget

MAX_DECISIONS: Final = 5_000
"""Maximum number of decisions in a review. A match of ten people has about 1,000."""

SLICE: Final = 0.1
"""Seconds after which a slice of a review ends. It evaluates at least one decision."""


class ReviewSlice(msgspec.Struct, frozen=True):
    """The result of a slice of a review.

    Attributes:
        requested: the number of decisions of the review.
        evaluated: for each decision that the slice evaluated, its options, encoded for the next slice.
        steps: the steps with values that are final now, each as JSON.
        review: the review as JSON, after the last slice.
    """

    requested: int
    evaluated: list[bytes]
    steps: list[bytes]
    review: bytes | None


class _Game(NamedTuple):
    """A parsed record with its replay, the decisions to review and the search budget."""

    record: Record
    rules: AnyRules
    frames: tuple[Frame, ...]
    seats: tuple[int, ...]
    found: "tuple[DecisionPoint, ...]"
    effort: "SearchBudget"


def review(text: bytes, viewer: Viewer, evaluated: list[bytes], sent: int) -> bytes:
    """Evaluate the next decisions of a review, and return a `ReviewSlice` in MessagePack.

    Args:
        text: the record.
        viewer: the seat to review; None means all seats.
        evaluated: the decisions evaluated by the earlier slices.
        sent: the number of steps returned by the earlier slices.

    Raises:
        Malformed: the record is invalid, or its game has no decisions.
    """
    from faceup.coach import (  # noqa: PLC0415 -- slow to import
        Decision,
        build_review,
        evaluate_decisions,
        par_for,
        report,
        settled_steps,
    )
    from faceup.coach.judgement import JudgedOption  # noqa: PLC0415 -- as above
    from faceup.coach.report import step_json  # noqa: PLC0415 -- as above

    end = time.monotonic() + SLICE
    record, rules, frames, seats, points, effort = _game(text, viewer)
    options = [msgspec.msgpack.decode(encoded_options, type=tuple[JudgedOption, ...]) for encoded_options in evaluated]
    decisions = [
        Decision(**msgspec.structs.asdict(point), options=point_options)
        for point, point_options in zip(points, options, strict=False)
    ]
    for decision in evaluate_decisions(rules, points[len(evaluated) :], effort):
        decisions.append(decision)
        if time.monotonic() >= end:
            break
    complete = len(decisions) == len(points)
    names = {entry.seat: entry.name for entry in record.entries if isinstance(entry, Joined)}
    done = build_review(
        record,
        frames=frames,
        names=[names.get(seat, f"Seat {seat + 1}") for seat in range(rules.seats)],
        seats=seats,
        effort=effort,
        points=points,
        decisions=decisions,
        # Without `fast`, it would take minutes to measure the par of an unusual setting.
        par=par_for(rules, effort.player) if complete and is_installed("fast") else None,
    )
    steps = [_without_spread(step_json(rules, step)) for step in settled_steps(done, points)[sent:]]
    body: dict[str, Any] | None = None  # Any: JSON
    if complete:
        body = report(done)
        for step in body["decisions"]:
            _without_spread(step)
    return msgspec.msgpack.encode(
        ReviewSlice(
            requested=len(points),
            evaluated=[msgspec.msgpack.encode(decision.options) for decision in decisions[len(evaluated) :]],
            steps=[msgspec.json.encode(step) for step in steps],
            review=None if body is None else msgspec.json.encode(body),
        )
    )


def hint(position: str) -> bytes:
    """Return a hint from the view of a seat, as JSON. It depends on nothing else."""
    from faceup.coach import hint as coach_hint  # noqa: PLC0415 -- slow to import
    from faceup.coach import hint_json  # noqa: PLC0415 -- as above

    rules, view = read(position)
    return msgspec.json.encode(hint_json(rules, coach_hint(rules, view)))


def prepare() -> bytes:
    """Import the coach and load its compiled searches, which takes seconds, or much longer the first time."""
    from faceup.coach import hint as coach_hint  # noqa: PLC0415 -- slow to import
    from faceup.coach.registry import GAME_COACHES  # noqa: PLC0415 -- as above

    for game in GAME_COACHES:
        rules, rng = make(game), SeededGenerator(0)
        state = rules.start()
        while rules.to_act(state) == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
        coach_hint(rules, rules.view(state, rules.to_act(state)[0]), worlds=2)
    return b""


@lru_cache(maxsize=4)
def _game(text: bytes, viewer: Viewer) -> _Game:
    from faceup.coach import (  # noqa: PLC0415 -- slow to import
        SearchBudget,
        decision_points,
        default_player,
        default_worlds,
        has_coach,
    )

    record = loads(text)
    rules = record.rules()
    if not has_coach(rules.game):
        raise Malformed(f"{rules.game} has no decisions to review", what=rules.game, where="game")
    if viewer is not None and viewer >= rules.seats:
        raise Malformed(f"there is no seat {viewer} in this game", what=viewer, where="seat")
    frames = tuple(replay(record))
    seats = tuple(range(rules.seats)) if viewer is None else (viewer,)
    points = decision_points(record, frames, seats)
    if len(points) > MAX_DECISIONS:
        raise Malformed(
            f"a review on a server can have at most {MAX_DECISIONS} decisions, but this one has {len(points)}; use the "
            "command `faceup review` instead",
            where="record",
        )
    player = default_player()
    defaults = default_worlds(player)
    least, most = defaults.served
    worlds = max(least, min(most, defaults.served_total // max(1, len(points))))
    return _Game(record, rules, frames, seats, points, SearchBudget(player, worlds))


def _without_spread(step: dict[str, Any]) -> dict[str, Any]:  # Any: JSON
    """Remove the distributions of heads, half of all bytes, except those of the best and the chosen option."""
    for option in step["options"]:
        if option["action"] not in {step["best"], step["chosen"]}:
            del option["spread"]
    return step


def main() -> None:
    """Answer requests until the input ends."""
    answer_requests({"review": review, "hint": hint, "prepare": prepare})


if __name__ == "__main__":
    main()
