"""What a referee writes to a program and reads from it: a game's own text protocol, or JSON lines for any game."""

from typing import Any, Final
from typing import Protocol as Interface

from faceup.arena.json_lines import JsonLines
from faceup.core import Action, AnyRules, Malformed, Seat, find_game, spec
from faceup.core.registry import nearest

ANY_GAME: Final = "json"
"""The name of the protocol in which any game is played."""


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
    if name == ANY_GAME:
        return JsonLines()
    return _Registered(_of_the_game(rules, name))


def usual_protocol(rules: AnyRules) -> str:
    """The name of the protocol in which these rules are usually played: the game's own, else that of any game.

    >>> from faceup.core import make
    >>> usual_protocol(make("nimmt:arena")), usual_protocol(make("nimmt seats=7"))
    ('codingame', 'json')
    """
    return next((name for name, each in _registered(rules).items() if each.fits(rules)), ANY_GAME)


def corners(rules: AnyRules) -> tuple[tuple[str, Seat, str], ...]:
    """Positions of the game in which programs are tried, whatever protocol they speak.

    Returns:
        For each what is special about it, the seat to try, and the state in the notation of the rules; none where the
        game names none.
    """
    fitting = [each for each in _registered(rules).values() if each.fits(rules)]
    return tuple([corner for each in fitting for corner in each.corners])


def _of_the_game(rules: AnyRules, name: str) -> Any:  # noqa: ANN401 -- formats are of any type
    """What the game registers under that name."""
    known = _registered(rules)
    if name not in known:
        raise Malformed(
            f"{rules.game} has no protocol {name!r}{nearest(name, [ANY_GAME, *known])}", what=name, where="protocol"
        )
    if not known[name].fits(rules):
        raise Malformed(
            f"the protocol {name!r} is made for {known[name].spec}, and cannot tell of {spec(rules)}; "
            f"{ANY_GAME!r} can tell of any game",
            what=name,
            where="protocol",
        )
    return known[name]


def _registered(rules: AnyRules) -> dict[str, Any]:  # Any: formats are of any type
    """The text protocols among the formats of the game."""
    return {name: each for name, each in find_game(rules.game).formats.items() if hasattr(each, "write_ask")}


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
