"""Hints during play: a ranking of the options, computed from the player's view."""

from typing import Final

import msgspec

from faceup.bots.search import Option
from faceup.coach.judgement import judge
from faceup.coach.nimmt import Reason
from faceup.coach.registry import coach_for, has_coach
from faceup.coach.search_budget import default_player, default_worlds
from faceup.core import AnyRules, Malformed, View, action_text, find_game

SHOWN: Final = 5
"""The number of options in a hint."""

_CLOSE: Final = 0.1
"""The least difference in heads that is mentioned."""


class Hint(msgspec.Struct, frozen=True):
    """A ranking of the options, with a reason for the best one.

    Attributes:
        options: the options, best first.
        reason: what the best option does.
        words: the reason for the best option, in one or two sentences.
    """

    options: tuple[Option, ...]
    reason: Reason
    words: str

    @property
    def lead(self) -> float | None:
        """How much better the best option is than the second one, in heads; 0 if they are about equally good.

        None if there is only one option.
        """
        if len(self.options) == 1:
            return None
        behind = self.options[1].behind
        return 0.0 if behind.value < max(2 * behind.error, _CLOSE) else behind.value


def hint(rules: AnyRules, view: View, *, player: str | None = None, worlds: int | None = None, seed: int = 0) -> Hint:
    """Return a hint for the seat to act. The search releases the GIL, so call it in a thread.

    Args:
        rules: the rules of the game.
        view: the view of the seat to act, the only source of the hint.
        player: the search; by default `default_player()`.
        worlds: the worlds for each option; by default `default_worlds(player).hint`.
        seed: the seed of the worlds.

    Raises:
        Malformed: the game has no coach, or the seat is not to act.
        MissingExtraError: the search needs the extra `fast`.
    """
    player = player or default_player()
    worlds = default_worlds(player).hint if worlds is None else worlds
    coach = coach_for(rules)
    if not view.legal:
        raise Malformed("this seat has no decision to make now", where="view")
    options = judge(rules, view, player=player, worlds=worlds, seed=seed)
    reason = coach.reason(rules, view, options[0])
    advice = Hint(options, reason, coach.reason_text(reason))
    return msgspec.structs.replace(advice, words=_with_lead(rules, advice))


def _with_lead(rules: AnyRules, advice: Hint) -> str:
    """Return the reason, and how much better the best option is than the second one."""
    if advice.lead is None:
        return f"There is only one option. {advice.words}"
    other = action_text(rules, advice.options[1].action)
    if not advice.lead:
        return f"{advice.words} It is about as good as {other}."
    return f"{advice.words} That is {advice.lead:.1f} heads better than {other}."


def ranking(rules: AnyRules, advice: Hint) -> list[tuple[str, str, str, str]]:
    """Return the best options as text: action, expected heads, probability of winning, risk this turn."""
    return [
        (
            action_text(rules, option.action),
            f"{option.heads.value:.2f} \u00b1{option.heads.error:.2f}",
            f"{option.win.value:.0%}",
            f"{option.risk:.0%}",
        )
        for option in advice.options[:SHOWN]
    ]


def no_hint(rules: AnyRules, *, allowed: bool) -> str:
    """Return the reason why there is no hint, in a sentence; "" if there is a hint.

    >>> from faceup.core import make
    >>> no_hint(make("war"), allowed=True)
    'There are no hints for War, because it has no decisions or no search.'
    """
    if not allowed:
        return "There are no hints at this table."
    if not has_coach(rules.game):
        title = find_game(rules.game).title
        return f"There are no hints for {title}, because it has no decisions or no search."
    return ""
