"""Hints during play: a ranking of the options, computed from the player's view."""

from typing import Final

import msgspec

from faceup.coach.causes import is_close
from faceup.coach.judgement import JudgedOption, judge
from faceup.coach.registry import coach_for, game_title, has_coach
from faceup.coach.search_budget import default_player, default_worlds
from faceup.core import AnyRules, Malformed, View, action_text
from faceup.translations import Language, translate
from faceup.translations.actions import translate_action
from faceup.translations.figures import localize

SHOWN: Final = 5
"""The number of options in a hint."""


class Hint(msgspec.Struct, frozen=True):
    """A ranking of the options, with a reason for the best one.

    Attributes:
        options: the options with their explanations, best first.
        words: what the best option does, and why the second one is worse, in one or two sentences.
    """

    options: tuple[JudgedOption, ...]
    words: str

    @property
    def lead(self) -> float | None:
        """How much better the best option is than the second one, in heads; 0 if they are about equally good.

        None if there is only one option.
        """
        if len(self.options) == 1:
            return None
        behind = self.options[1].behind
        return 0.0 if is_close(behind) else behind.value


def hint(
    rules: AnyRules,
    view: View,
    *,
    player: str | None = None,
    worlds: int | None = None,
    seed: int = 0,
    language: Language = "en",
) -> Hint:
    """Return a hint for the seat to act. The search releases the GIL, so call it in a thread.

    Args:
        rules: the rules of the game.
        view: the view of the seat to act, the only source of the hint.
        player: the search; by default `default_player()`.
        worlds: the worlds for each option; by default `default_worlds(player).hint`.
        seed: the seed of the worlds.
        language: the language of the sentences.

    Raises:
        Malformed: the game has no coach, or the seat is not to act.
        MissingExtraError: the search needs the extra `fast`.
    """
    player = player or default_player()
    worlds = default_worlds(player).hint if worlds is None else worlds
    coach = coach_for(rules)
    if not view.legal:
        raise Malformed("this seat has no decision to make now", where="view")
    options = judge(rules, view, player=player, worlds=worlds, seed=seed, explain=True)
    explanations = [option.explanation for option in options if option.explanation]
    if len(options) == 1:
        sentences = (translate(language, "coach.only"), coach.outcome_text(explanations[0].outcome, language))
        return Hint(options, translate(language, "hint.space").join(sentences))
    return Hint(options, coach.sentences(explanations, language=language))


def ranking(rules: AnyRules, advice: Hint, *, language: Language = "en") -> list[tuple[str, str, str, str, str]]:
    """Return the best options as text: action, expected heads, probability of winning, risk this turn, cause."""
    return [
        (
            translate_action(language, rules.game, action_text(rules, option.action)),
            localize(language, f"{option.heads.value:.2f} \u00b1{option.heads.error:.2f}"),
            localize(language, f"{option.win.value:.0%}"),
            localize(language, f"{option.risk:.0%}"),
            _cause_word(option, language),
        )
        for option in advice.options[:SHOWN]
    ]


def _cause_word(option: JudgedOption, language: Language) -> str:
    cause = option.explanation and option.explanation.cause
    return translate(language, f"coach.cause.{cause.kind}") if cause else ""


def no_hint(rules: AnyRules, *, allowed: bool, language: Language = "en") -> str:
    """Return the reason why there is no hint, in a sentence; "" if there is a hint.

    >>> from faceup.core import make
    >>> no_hint(make("war"), allowed=True)
    'There are no hints for War, because it has no decisions or no search.'
    """
    if not allowed:
        return translate(language, "coach.no_hint")
    if not has_coach(rules.game):
        return translate(language, "coach.no_hint.game", game=game_title(rules, language))
    return ""
