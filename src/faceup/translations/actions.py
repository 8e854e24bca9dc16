"""Actions of games as people read them, in all languages. Their English is that of `faceup.core.action_text`."""

from collections.abc import Sequence

from faceup.translations import Language, has_message, translate


def translate_action(language: Language, game: str, english: str) -> str:
    """Return an action in a language. An action without a translation stays English.

    >>> translate_action("de", "nimmt", "take row 1")
    'Reihe 1 nehmen'
    """
    head, number = split_action(english)
    return translate_actions(language, game, head, [number])


def translate_actions(language: Language, game: str, head: str, numbers: Sequence[str]) -> str:
    """Return actions of one kind as one text.

    >>> translate_actions("en", "nimmt", "play", ["3", "45"])
    'play 3 45'

    Args:
        language: the language.
        game: the game.
        head: the English words before the number.
        numbers: the numbers; "" for an action without one.
    """
    joined = " ".join(numbers)
    key = f"actions.{game}.{head.replace(' ', '_')}"
    return translate(language, key, number=joined) if has_message(key) else f"{head} {joined}".strip()


def split_action(english: str) -> tuple[str, str]:
    """Return the words of an action before its number, and the number, or "" if it has none.

    >>> split_action("take row 1"), split_action("throw")
    (('take row', '1'), ('throw', ''))
    """
    head, _, tail = english.rpartition(" ")
    return (head, tail) if tail.isdecimal() else (english, "")
