"""A whole match of one program: streams, clock and protocol together."""

from collections.abc import Callable
from typing import Any, Protocol

from faceup.bots.programs.pace import Pace, process_start
from faceup.bots.programs.streams import Streams, orderly


class Player(Protocol):
    """Who decides. What is known is as each protocol has it: hence `Any`, here and below."""

    def decide(self, known: Any, pace: Pace) -> int:  # noqa: ANN401 -- see above
        """One of `known.legal`."""
        ...

    def rest(self, say: Callable[[str], None]) -> None:
        """What can be done while others think."""
        ...


def play_match(converse: Callable[..., int], player: Player, name: str, most: float | None = None) -> int:
    """Play on standard input and output until the input ends.

    Args:
        converse: the protocol, such as `faceup.games.nimmt.codingame.converse`.
        player: whoever decides.
        name: what the player is called on standard error.
        most: seconds for a decision, if it is to take less than it may.

    Returns:
        The exit status: 0, or 2 if the input was wrong; 1 if nobody reads the answers; 130 after Ctrl-C.
    """
    pace = Pace(process_start(), most)
    streams = Streams(pace.started, name)
    orderly()

    def choose(known: Any) -> int:  # noqa: ANN401 -- see above
        pace.asked(streams.since)
        return player.decide(known, pace)

    def write(text: str) -> None:
        streams.write(text)
        pace.answered(streams.since)
        player.rest(streams.say)

    try:
        return converse(streams.readline, write, streams.say, choose)
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130
