"""A hint for somebody who plays: what the coach thinks of the options, from the player's own view."""

import msgspec

from faceup.bots.search import Option, judge
from faceup.coach.lessons import has_coach, lesson_for
from faceup.core import AnyRules, Malformed, View

SECONDS = 0.5
"""How long a hint may be thought about."""

SHOWN = 5
"""Options that a hint names."""


class Hint(msgspec.Struct, frozen=True):
    """A short ranking.

    Attributes:
        options: the best first.
        words: why the first is the best, in a sentence or two.
    """

    options: tuple[Option, ...]
    words: str


def hint(
    rules: AnyRules, view: View, *, player: str = "mc", seconds: float | None = None, worlds: int | None = None,
    seed: int = 0,
) -> Hint:  # fmt: skip
    """What to play, and why. It takes some time, in which the interpreter is free: ask for it in a thread.

    Args:
        rules: of the game.
        view: of the seat that is to act.
        player: who judges.
        seconds: how long it may take; `SECONDS` unless `worlds` are given.
        worlds: or guesses for each option; then the seed decides.
        seed: of the guesses.

    Raises:
        Malformed: a game without a coach, or nothing to decide.
    """
    lesson = lesson_for(rules)
    if not view.legal:
        raise Malformed("there is nothing to decide now", where="view")
    if worlds is None and seconds is None:
        seconds = SECONDS
    options = judge(
        rules, view, player=player, seconds=seconds, worlds=worlds, seed=seed, objective="heads", every=True
    ).options
    words = lesson.why(rules, view, options[0])
    if len(options) > 1:
        gap, error = options[1].behind.value, options[1].behind.error
        other = rules.describe(options[1].action)
        words += (
            f" Hardly better than {other}."
            if gap < 2 * error or gap < _CLOSE
            else f" That is {gap:.1f} heads better than {other}."
        )
    else:
        words = "There is nothing to choose. " + words
    return Hint(options, words)


_CLOSE = 0.1


def may_hint(rules: AnyRules, *, allowed: bool) -> bool:
    """Whether there are hints at a table: its terms allow them, and there is a coach for the game."""
    return allowed and has_coach(rules)
