"""A hint for somebody who plays: what the coach thinks of the options, from the player's own view."""

from typing import Final

import msgspec

from faceup.bots.search import Option, judge
from faceup.coach.lessons import has_coach, lesson_for
from faceup.core import AnyRules, Malformed, View, find_game

WORLDS: Final = 20_000
"""Guesses for each option: some hundredths of a second."""

SHOWN: Final = 5
"""Options that a hint names, the best ones."""

_CLOSE: Final = 0.1
"""Heads by which an option must be better to be called so."""


class Hint(msgspec.Struct, frozen=True):
    """A short ranking.

    Attributes:
        options: the best first.
        words: why the first is the best, in a sentence or two.
    """

    options: tuple[Option, ...]
    words: str


def hint(rules: AnyRules, view: View, *, player: str = "mc", worlds: int = WORLDS, seed: int = 0) -> Hint:
    """What to play, and why. It takes some time, in which the interpreter is free: ask for it in a thread.

    Args:
        rules: of the game.
        view: of the seat that is to act: all that the hint is made of.
        player: who judges.
        worlds: guesses for each option.
        seed: of the guesses.

    Raises:
        Malformed: a game without a coach, or nothing to decide.
    """
    lesson = lesson_for(rules)
    if not view.legal:
        raise Malformed("there is nothing to decide now", where="view")
    options = judge(
        rules, view, player=player, worlds=worlds, seed=seed, objective="heads", every=True, recognise=False
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


def ranking(rules: AnyRules, advice: Hint) -> list[tuple[str, str, str, str]]:
    """The best options in words: what to do, the heads to expect, the chance of winning, the risk of this turn."""
    return [
        (
            rules.describe(option.action),
            f"{option.heads.value:.2f} \u00b1{option.heads.error:.2f}",
            f"{option.win.value:.0%}",
            f"{option.risk:.0%}",
        )
        for option in advice.options[:SHOWN]
    ]


def no_hint(rules: AnyRules, *, allowed: bool) -> str:
    """Why there is no hint, in a sentence; "" if there is one.

    >>> from faceup.core import make
    >>> no_hint(make("war"), allowed=True)
    'There are no hints for War: there is nothing to decide in it, or nobody who could judge it.'
    """
    if not allowed:
        return "There are no hints at this table."
    if not has_coach(rules.game):
        title = find_game(rules.game).title
        return f"There are no hints for {title}: there is nothing to decide in it, or nobody who could judge it."
    return ""
