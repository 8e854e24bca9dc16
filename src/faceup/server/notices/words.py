"""The texts of notices, in the languages of the page."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from faceup.server.accounts.push_subscriptions import Language
from faceup.server.pictures.words import game_title, join_names

_TURN: Final[Mapping[Language, str]] = {
    "en": "It is your turn at {table}.",
    "de": "Du bist dran: {table}.",
    "zh": "轮到你了：{table}。",
}
_TABLE: Final[Mapping[Language, str]] = {"en": "{game} ({names})", "de": "{game} ({names})", "zh": "{game}（{names}）"}


def turn_text(summary: bytes, language: Language) -> str:
    """Return the sentence that it is the player's turn.

    Args:
        summary: the table's entry for lists of tables, as JSON. All of it is public.
        language: the language of the sentence.

    >>> turn_text(b'{"game":"nimmt","seats":[{"name":"Ann","kind":"person"},{"name":"Bo","kind":"person"}]}', "en")
    'It is your turn at 6 nimmt! (Ann and Bo).'
    """
    return _TURN[language].format(table=table_name(summary, language))


def table_name(summary: bytes, language: Language) -> str:
    """Return how a notice names a table: by its game and the names of its players."""
    found: dict[str, Any] = msgspec.json.decode(summary)  # Any: JSON
    names = [seat["name"] for seat in found["seats"] if seat is not None]
    title = game_title(language, found["game"])
    return _TABLE[language].format(game=title, names=join_names(language, names))
