"""What a referee writes to a program and reads from it: a game's own text protocol, or JSON lines for any game."""

from typing import Any
from typing import Protocol as Interface

from faceup.core import Action, AnyRules, Malformed, Seat, find_game
from faceup.core.registry import nearest


class Protocol(Interface):
    """A text protocol, in functions that do no input or output. A line is text without its end."""

    def write_start(self, rules: AnyRules, seat: Seat) -> list[str]:
        """The lines that a program gets first of all."""
        ...

    def write_ask(self, rules: AnyRules, view: Any, *, phase_last: bool = False) -> list[str]:  # noqa: ANN401 -- each game has its own
        """The lines that ask the seat of this view for its decision."""
        ...

    def read_answer(self, rules: AnyRules, view: Any, line: str) -> Action:  # noqa: ANN401 -- as above
        """The action that a program's line answers with, whether or not it is legal now. Raises `Malformed`."""
        ...

    def write_answer(self, rules: AnyRules, action: Action) -> str:
        """The line that a program would answer with."""
        ...


def protocol(rules: AnyRules, name: str) -> Protocol:
    """The protocol of that name in which the game is played.

    Raises:
        Malformed: there is none of that name for the game, with the nearest, or it is made for other rules.

    >>> from faceup.core import make
    >>> protocol(make("nimmt:arena"), "codingame").write_start(make("nimmt:arena"), 2)
    ['4 2']
    """
    known = _of_any_game() | _of_the_game(rules)
    if name not in known:
        raise Malformed(
            f"{rules.game} has no protocol {name!r}{nearest(name, list(known))}", what=name, where="protocol"
        )
    return known[name]


def _of_any_game() -> dict[str, Protocol]:
    return {}


def _of_the_game(rules: AnyRules) -> dict[str, Protocol]:
    """The text protocols that a game registers among its formats, if they are made for these rules."""
    formats = find_game(rules.game).formats
    return {name: _Registered(each) for name, each in formats.items() if hasattr(each, "write_ask")}


class _Registered:
    """A protocol as a game registers it: see `faceup.games.nimmt.codingame.Protocol`."""

    def __init__(self, registered: Any) -> None:  # noqa: ANN401 -- formats are of any type
        self._of = registered

    def write_start(self, rules: AnyRules, seat: Seat) -> list[str]:
        del rules
        lines: list[str] = self._of.write_start(seat)
        return lines

    def write_ask(self, rules: AnyRules, view: Any, *, phase_last: bool = False) -> list[str]:  # noqa: ANN401 -- as above
        del rules
        lines: list[str] = self._of.write_ask(view, phase_last=phase_last)
        return lines

    def read_answer(self, rules: AnyRules, view: Any, line: str) -> Action:  # noqa: ANN401 -- as above
        del rules
        action: Action = self._of.read_answer(view, line)
        return action

    def write_answer(self, rules: AnyRules, action: Action) -> str:
        del rules
        line: str = self._of.write_answer(action)
        return line
