"""A replay as HTML with the final position, a table of seats, the moves in words, and all positions for a script.

The game draws the positions. The drawings are many and similar, so the page stores each as a list of numbers of shared
pieces, and compresses all lists. This makes them a hundred times smaller. A small script reassembles the drawings.
Program output never becomes HTML, because it is escaped in the page, and the script inserts it as text.
"""

import base64
import re
import zlib
from collections.abc import Sequence
from typing import Final

import msgspec
from markupsafe import Markup

from faceup.arena.match.replay import RecordedDecision, RecordedMatch, ReplayStep, names_by_seat, replay
from faceup.arena.report.formatting import format_answer, format_result, sanitize_output
from faceup.charts import output
from faceup.core import AnyRules, Event, make
from faceup.formatting import strip_control_characters, truncate
from faceup.templates import render

_MOST_FRAMES: Final = 240
"""The most positions in a replay. If a game has more, only its first and its last positions are shown."""

_LOG: Final = 4_000
"""The most characters of a bot's stderr in the page."""

_PIECE: Final = re.compile(r"<[^<]*")
_SCOPE: Final = re.compile(r"\bfu[0-9a-f]{8}-")
"""The prefix that makes the ids in each drawing unique. See `faceup.games.svg.page`."""

_SENT: Final = 6_000
"""The most characters of a request in the page."""


class FrameAnswer(msgspec.Struct, frozen=True):
    """What one bot was sent at a position, with its answer and its stderr, as data for the script."""

    seat: int
    name: str
    sent: str
    answer: str
    log: str = ""
    fault: str = ""


class DecisionFrame(msgspec.Struct, frozen=True):
    """A drawn position with the bots' decisions at it, and the events after these decisions."""

    svg: Markup
    asked: tuple[FrameAnswer, ...]
    events: str


class _PackedFrame(msgspec.Struct, frozen=True):
    """A frame as data for the script, with its drawing as a list of piece numbers."""

    drawn: tuple[int, ...]
    asked: tuple[FrameAnswer, ...]
    events: str


class _ReplayScript(msgspec.Struct, frozen=True):
    """All frames as data for the script, and the pieces of their drawings."""

    pieces: tuple[str, ...]
    frames: tuple[_PackedFrame, ...]


def match_html(recorded: RecordedMatch, *, reason: str = "", opened: bool = False) -> Markup:
    """Return the replay of a match as HTML.

    Args:
        recorded: the recorded match.
        reason: why the match was selected, such as "at random".
        opened: whether the replay is expanded when the page opens.

    Raises:
        Malformed: the match cannot be replayed, as for `faceup.arena.match.replay.replay`.
    """
    result, rules = recorded.result, make(recorded.terms.game)
    match, names = result.match, names_by_seat(result.match)
    steps = list(replay(recorded))
    shown = frames(steps, rules, names)
    positions = sum(bool(step.decisions) for step in steps) + 1
    return render(
        "arena/report/templates/replay.html",
        match=match,
        result=result,
        names=names,
        reason=reason,
        opened=opened,
        score=format_result(result),
        board=shown[-1].svg,
        positions=positions,
        half=_MOST_FRAMES // 2 if len(shown) < positions else 0,
        grace=any(times.grace for times in result.times),
        messages=[truncate(fault.message, 600) for fault in result.faults],
        logs=[
            (match.lineup[player], truncate(sanitize_output(log), _LOG))
            for player, log in enumerate(recorded.transcript.logs)
            if log
        ],
        moves=_moves(steps, rules, names),
        packed=_packed(shown, match.number),
    )


def frames(steps: Sequence[ReplayStep], rules: AnyRules, names: Sequence[str]) -> list[DecisionFrame]:
    """Return every position at which bots decided, and the final position.

    If there are more than `_MOST_FRAMES`, return only the first and the last ones.
    """
    asked: list[tuple[ReplayStep, list[Event]]] = []
    for step in steps:
        if step.decisions:
            asked.append((step, []))
        if asked:
            asked[-1][1].extend(step.events)
    if len(asked) >= _MOST_FRAMES:
        asked = asked[: _MOST_FRAMES // 2] + asked[len(asked) + 1 - _MOST_FRAMES // 2 :]
    frames_so_far = [
        DecisionFrame(
            output.draw_position(rules, names, step.before),
            tuple([_frame_answer(decision, names) for decision in step.decisions]),
            _words(events, names),
        )
        for step, events in asked
    ]
    last = steps[-1].after if steps else rules.start()
    return [*frames_so_far, DecisionFrame(output.draw_position(rules, names, last), (), "")]


def _frame_answer(decision: RecordedDecision, names: Sequence[str]) -> FrameAnswer:
    words = strip_control_characters(decision.fault.message) if decision.fault else ""
    sent, log = truncate(sanitize_output(decision.sent), _SENT), truncate(sanitize_output(decision.log), _LOG)
    return FrameAnswer(decision.seat, names[decision.seat], sent, format_answer(decision.answer), log, words)


def _words(events: Sequence[Event], names: Sequence[str]) -> str:
    return " ".join(event.words(names) for event in events if event.audience is None)


def _packed(frames_: Sequence[DecisionFrame], number: int) -> str:
    """Pack the frames for the script as raw-deflated JSON in base64, which needs no escaping.

    Each tag of a drawing starts a piece. The ids in the drawings differ between positions. A replay shows only one
    position at a time, so all positions of a match can get the same ids here, which makes equal pieces identical.
    """
    pieces: dict[str, int] = {}
    frames = []
    for frame in frames_:
        svg = _SCOPE.sub(f"fu-match-{number}-", frame.svg)
        drawn = tuple([pieces.setdefault(piece, len(pieces)) for piece in _PIECE.findall(svg)])
        frames.append(_PackedFrame(drawn, frame.asked, frame.events))
    script = msgspec.json.encode(_ReplayScript(tuple(pieces), tuple(frames)))
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflate.compress(script) + deflate.flush()
    return base64.b64encode(packed).decode()


def _moves(steps: Sequence[ReplayStep], rules: AnyRules, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the answers and the events of every step in words, which can be read without the script."""
    moves = [(_answers(step, rules, names) if step.decisions else "", _words(step.events, names)) for step in steps]
    if len(moves) > _MOST_FRAMES:
        moves = [*moves[: _MOST_FRAMES // 2], ("", "..."), *moves[-_MOST_FRAMES // 2 :]]
    return moves


def _answers(step: ReplayStep, rules: AnyRules, names: Sequence[str]) -> str:
    words = [
        f"{names[decision.seat]}: "
        f"{format_answer(decision.answer) if decision.fault else rules.describe(decision.action)}"
        for decision in step.decisions
    ]
    return "; ".join(words) + "."
