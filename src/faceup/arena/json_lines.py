"""A text protocol for any game and any number of seats: a line of JSON to the program, a line of words back.

All that a program is told is made from its own view, so that there is nothing in it that its seat may not know. What a
line holds is said in `docs/protocol.md`, how it may change in `docs/stability.md`.
"""

from functools import lru_cache
from typing import Any, Final

import msgspec

from faceup.core import Action, AnyRules, Malformed, Seat, spec

VERSION: Final = 1
"""Moves when a program that was written for the last one would misread a line, or its answer be misread."""

_SHOWN: Final = 60
"""Characters of a wrong answer that a message quotes."""


class _Start(msgspec.Struct, frozen=True):
    """The first line of a match."""

    protocol: int
    seat: Seat
    game: str
    rules: Any  # each game has its own
    actions: int


class _Ask(msgspec.Struct, frozen=True):
    """A decision. `answers` stands first, so that a program finds it without reading JSON."""

    answers: list[str]
    view: Any  # each game has its own
    position: str


class JsonLines:
    """The protocol, as `faceup.arena.Protocol` asks for it."""

    def write_start(self, rules: AnyRules, seat: Seat) -> list[str]:
        """One line: the version of the protocol, the seat, and the rules with all their parameters.

        >>> from faceup.core import make
        >>> JsonLines().write_start(make("niuniu seats=2"), 1)[0][:40]
        '{"protocol":1,"seat":1,"game":"niuniu","'
        """
        return [_encode(_Start(VERSION, seat, rules.game, rules, rules.bounds.actions))]

    def write_ask(self, rules: AnyRules, view: Any, *, phase_last: bool = False) -> list[str]:  # noqa: ANN401 -- each game has its own
        """One line: the answers that there are, the view, and the view again in text notation.

        Args:
            rules: of the match.
            view: of a seat that is to act.
            phase_last: makes no difference, as there are no phases here.
        """
        del phase_last
        answers = [rules.describe(action) for action in view.legal]
        position = f"{_spec(rules)} | {rules.to_text(view)}"  # type: ignore[arg-type]  # rules are frozen, and so can be hashed
        return [_encode(_Ask(answers, view, position))]

    def read_answer(self, rules: AnyRules, view: Any, line: str) -> Action:  # noqa: ANN401 -- as above
        """The action that the line names, written as an answer is written; spaces around it are none of it.

        Raises:
            Malformed: it is not so written, with one that would be right.

        >>> from faceup.core import make
        >>> view = make("nimmt").from_text("view=0 sizes=2,2,2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
        >>> JsonLines().read_answer(make("nimmt"), view, "play 46")
        45
        >>> JsonLines().read_answer(make("nimmt"), view, "46")
        Traceback (most recent call last):
        faceup.core.errors.Malformed: expected one of the answers as it stands in the line, such as 'play 6', not '46'
        """
        words = line.strip()
        for action in view.legal:
            if rules.describe(action) == words:
                return int(action)
        try:
            named = rules.parse(words)
        except ValueError:
            named = None
        if isinstance(named, int) and 0 <= named < rules.bounds.actions and rules.describe(named) == words:
            return named
        raise Malformed(
            f"expected one of the answers as it stands in the line, such as {rules.describe(view.legal[0])!r}, "
            f"not {words[:_SHOWN]!r}",
            what=line,
            where="answer",
        )

    def write_answer(self, rules: AnyRules, action: Action) -> str:
        """The action in words.

        >>> from faceup.core import make
        >>> JsonLines().write_answer(make("nimmt"), 45)
        'play 46'
        """
        return rules.describe(action)


def _encode(line: msgspec.Struct) -> str:
    return msgspec.json.encode(line).decode()


@lru_cache(maxsize=16)  # the same for a whole schedule
def _spec(rules: AnyRules) -> str:
    return spec(rules)
