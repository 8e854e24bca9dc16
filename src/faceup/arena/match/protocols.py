"""Text protocols between the referee and programs: protocols of single games, and JSON lines for any game.

Everything that a program receives is made from the view of its seat, so it contains no hidden information. The JSON
line protocol is specified in `docs/reference/protocol.md`, and its versioning in `docs/reference/stability.md`.
"""

from typing import Any, Final
from typing import Protocol as Interface

import msgspec

from faceup.core import Action, AnyRules, Malformed, Seat, find_game, spec
from faceup.core.arguments import check_rules, check_text
from faceup.core.registry import nearest

VERSION: Final = 1
"""The protocol version. It increases when the referee and a program for the old version would misread each other."""

_QUOTED: Final = 60
"""The most characters of an invalid answer that a message quotes."""

ANY_GAME: Final = "json"
"""The name of the protocol that works for any game."""


class Protocol(Interface):
    """A text protocol for a match under given rules, as pure functions. Lines are without their newline."""

    def format_start(self, seat: Seat, /) -> list[str]:
        """Return the lines that start a match."""
        ...

    def format_decision(self, view: Any, /, *, phase_last: bool = False) -> list[str]:  # noqa: ANN401 -- each game has its own
        """Return the lines that ask the seat of this view for its decision."""
        ...

    def parse_action(self, view: Any, line: str, /) -> Action:  # noqa: ANN401 -- as above
        """Convert a program's answer into an action, which may be illegal in this view. Raises `Malformed`."""
        ...

    def format_action(self, action: Action, /) -> str:
        """Return the line with which a program would answer to choose this action."""
        ...


class _Start(msgspec.Struct, frozen=True):
    """The first line of a match."""

    protocol: int
    seat: Seat
    game: str
    rules: Any  # each game has its own
    actions: int


class _Request(msgspec.Struct, frozen=True):
    """A request for a decision. `answers` comes first, so that a program can find the answers without a JSON parser."""

    answers: list[str]
    view: Any  # each game has its own
    position: str


class JsonLines:
    """The JSON line protocol, in which the referee sends lines of JSON and the program answers in text. See `Protocol`.

    >>> from faceup.core import make
    >>> lines = JsonLines(make("nimmt"))
    >>> lines.format_start(1)[0][:40]
    '{"protocol":1,"seat":1,"game":"nimmt","r'
    >>> lines.format_action(45)
    'play 46'
    >>> view = make("nimmt").from_text("view=0 sizes=2,2,2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> lines.parse_action(view, "play 46")
    45
    >>> lines.parse_action(view, "46")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: the line must be one of the answers, such as 'play 6'; got '46'
    """

    def __init__(self, rules: AnyRules) -> None:
        self._rules, self._spec = rules, spec(rules)

    def format_start(self, seat: Seat) -> list[str]:
        """Return one line with the protocol version, the seat, and the rules with all their parameters."""
        rules = self._rules
        return [_encode(_Start(VERSION, seat, rules.game, rules, rules.bounds.actions))]

    def format_decision(self, view: Any, *, phase_last: bool = False) -> list[str]:  # noqa: ANN401 -- each game has its own
        """Return one line with the possible answers, the view, and the position in text notation.

        This protocol has no phases, so `phase_last` changes nothing.
        """
        del phase_last
        answers = [self._rules.describe(action) for action in view.legal]
        return [_encode(_Request(answers, view, f"{self._spec} | {self._rules.to_text(view)}"))]

    def parse_action(self, view: Any, line: str) -> Action:  # noqa: ANN401 -- as above
        """Parse the action that the line names, ignoring white space at its ends.

        Raises:
            Malformed: the line names no action. The message contains a valid answer as an example.
        """
        rules, text = self._rules, line.strip()
        for action in view.legal:
            if rules.describe(action) == text:
                return int(action)
        try:
            parsed = rules.parse(text)
        except ValueError:
            parsed = None
        if isinstance(parsed, int) and 0 <= parsed < rules.bounds.actions and rules.describe(parsed) == text:
            return parsed
        raise Malformed(
            f"the line must be one of the answers, such as {rules.describe(view.legal[0])!r}; got {text[:_QUOTED]!r}",
            what=line,
            where="answer",
        )

    def format_action(self, action: Action) -> str:
        """Return the action in text notation."""
        return self._rules.describe(action)


def _encode(line: msgspec.Struct) -> str:
    return msgspec.json.encode(line).decode()


def protocol(rules: AnyRules, name: str) -> Protocol:
    """Return the protocol with this name for these rules.

    Raises:
        Malformed: the game has no such protocol, or the protocol does not support these rules. The message suggests
            the nearest name.

    >>> from faceup.core import make
    >>> protocol(make("nimmt:arena"), "codingame").format_start(2)
    ['4 2']
    """
    check_rules(rules)
    check_text("the name of a protocol", name, ANY_GAME)
    if name == ANY_GAME:
        return JsonLines(rules)
    registered = _registered(rules)
    if name not in registered:
        raise Malformed(
            f"{rules.game} has no protocol {name!r}{nearest(name, [ANY_GAME, *registered])}",
            what=name,
            where="protocol",
        )
    if not registered[name].fits(rules):
        raise Malformed(
            f"the protocol {name!r} supports {registered[name].spec}, not {spec(rules)}; "
            f"{ANY_GAME!r} supports any game",
            what=name,
            where="protocol",
        )
    selected: Protocol = registered[name]
    return selected


def default_protocol(rules: AnyRules) -> str:
    """Return the name of the default protocol for these rules.

    This is the game's own protocol if it supports the rules, and otherwise `json`.

    >>> from faceup.core import make
    >>> default_protocol(make("nimmt:arena")), default_protocol(make("nimmt seats=7"))
    ('codingame', 'json')
    """
    check_rules(rules)
    return next(
        (name for name, registered_protocol in _registered(rules).items() if registered_protocol.fits(rules)), ANY_GAME
    )


def edge_cases(rules: AnyRules) -> tuple[tuple[str, Seat, str], ...]:
    """Return the edge cases of these rules in which programs are tried, whatever protocol they use.

    Returns:
        For each edge case, its description, the seat of the program, and the state in text notation.
    """
    return tuple(
        [
            case
            for registered_protocol in _registered(rules).values()
            if registered_protocol.fits(rules)
            for case in registered_protocol.edge_cases(rules)
        ]
    )


def _registered(rules: AnyRules) -> dict[str, Any]:  # Any: formats are of any type
    """Return the game's formats that are text protocols, such as `faceup.games.nimmt.codingame.TextProtocol`."""
    return {
        name: registered_protocol
        for name, registered_protocol in find_game(rules.game).formats.items()
        if hasattr(registered_protocol, "format_decision")
    }
