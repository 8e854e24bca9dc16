"""The texts of notices, in the languages of the page."""

import re
from typing import Any, Final

import msgspec

from faceup.server.pictures.words import game_title, player_name
from faceup.server.site import SITE
from faceup.translations import Language, join_names, translate

_LINK: Final = re.compile(r"[.:/@](?=\S)")
"""Signs by which mail programs recognize a link."""


def code_mail(code: str, language: Language) -> tuple[str, str]:
    """Return the subject and the text of the mail with the code that confirms an address."""
    subject = translate(language, "mails.code.subject", code=code, site=SITE.get().name)
    lines = (translate(language, "mails.code", code=code), translate(language, "mails.code.validity"))
    return subject, "{}\n\n{}\n".format(*lines)


def turn_mail(summary: bytes, language: Language, link: str, unsubscribe: str) -> tuple[str, str]:
    """Return the subject and the text of the mail that it is the player's turn."""
    title = game_title(language, msgspec.json.decode(summary)["game"])
    lines = (turn_text(summary, language), link, translate(language, "mails.unsubscribe", unsubscribe=unsubscribe))
    subject = translate(language, "mails.turn.subject", game=title)  # without names, which strangers choose
    return subject, "{}\n\n{}\n\n{}\n".format(*lines)


def unsubscribe_words(language: Language) -> tuple[str, str, str]:
    """Return the question, the button and the answer of the page that turns mails off."""
    question = translate(language, "mails.unsubscribe.question", site=SITE.get().name)
    return question, translate(language, "mails.unsubscribe.button"), translate(language, "mails.unsubscribe.done")


def turn_text(summary: bytes, language: Language) -> str:
    """Return the sentence that it is the player's turn.

    Args:
        summary: the table's entry for lists of tables, as JSON. All of it is public.
        language: the language of the sentence.

    >>> turn_text(b'{"game":"nimmt","seats":[{"name":"Ann","kind":"person"},{"name":"Bo","kind":"person"}]}', "en")
    'It is your turn at 6 nimmt! (Ann and Bo).'
    """
    return translate(language, "mails.turn", table=table_name(summary, language))


def table_name(summary: bytes, language: Language) -> str:
    """Return how a notice names a table: by its game and the names of its players."""
    table: dict[str, Any] = msgspec.json.decode(summary)  # Any: JSON
    seats = [seat for seat in table["seats"] if seat is not None]
    names = [
        _unlinked(player_name(language, seat["name"], seat["kind"], program=seat.get("program", False)))
        for seat in seats
    ]
    title = game_title(language, table["game"])
    return translate(language, "mails.table", game=title, names=join_names(language, names))


def _unlinked(name: str) -> str:
    """Return a name in which no program sees a link, since strangers choose names.

    >>> _unlinked("Win at https://prize.example.com"), _unlinked("St. John")
    ('Win at https: / / prize. example. com', 'St. John')
    """
    return _LINK.sub(r"\g<0> ", name)
