"""The texts of the terminal, in the language of the environment."""

from collections.abc import Sequence

from faceup.core import Action, AnyRules, Game, Malformed, RulesError, Variant, View, action_text, find_game
from faceup.translations import guide, has_message, translate, translate_or
from faceup.translations.actions import translate_action
from faceup.translations.drawings import translate_drawing
from faceup.translations.environment import environment_language


def text(key: str, /, **values: object) -> str:
    """Return a message of the catalogue `terminal`.

    >>> text("seat", number=2)
    'Seat 2'
    """
    return message(f"terminal.{key}", **values)


def message(key: str, /, **values: object) -> str:
    """Return a message of any catalogue."""
    return translate(environment_language(), key, **values)


def message_or(key: str, english: str) -> str:
    """Return a message of any catalogue, or an English text if there is no such message."""
    return translate_or(environment_language(), key, english)


def draw_view(rules: AnyRules, view: View, names: Sequence[str]) -> str:
    """Return the text drawing of a view."""
    drawing = translate_drawing(find_game(rules.game).drawings["text"], environment_language())
    return drawing(view, names=names, rules=rules)


def game_title(game: Game) -> str:
    """Return the title of a game."""
    return message_or(f"table.game.{game.name}", game.title)


def game_summary(game: Game) -> str:
    """Return the description of a game in a sentence."""
    return message_or(f"shell.game.{game.name}.summary", game.summary)


def variant_title(game: Game, variant: Variant) -> str:
    """Return the title of a variant."""
    return message_or(f"shell.variant.{game.name}.{variant.name}", variant.title)


def variant_summary(game: Game, variant: Variant) -> str:
    """Return the description of a variant in a sentence."""
    return message_or(f"shell.variant.{game.name}.{variant.name}.summary", variant.summary)


def option_summary(game: Game, option: str) -> str:
    """Return the description of an option. A game of another package may use the same name for another option."""
    english = game.options[option]
    return message_or(f"shell.option.{option}", english) if has_message(f"table.game.{game.name}") else english


def game_guide(game: Game) -> str:
    """Return the rules of play in Markdown."""
    translated = guide(environment_language(), game.name)
    return f"# {game_title(game)}\n\n{translated}" if translated else game.guide


def choice_text(rules: AnyRules, action: Action) -> str:
    """Return an action as text for the player.

    >>> from faceup.core import make
    >>> choice_text(make("nimmt"), 104)
    'take row 1'
    """
    return translate_action(environment_language(), rules.game, action_text(rules, action))


def error_text(error: RulesError, legal: Sequence[str]) -> str:
    """Return the message of an error at a table.

    Args:
        error: the error, with its English message, which is the most precise one.
        legal: the legal actions as the player sees them.
    """
    key = f"errors.{error.kind}"
    if environment_language() == "en" or isinstance(error, Malformed) or not has_message(key):
        return error.message
    return message(key, legal=", ".join(legal))
