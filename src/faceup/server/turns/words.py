"""The texts of notices, in the languages of the page."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from faceup.server.pictures.words import game_title, join_names, player_name
from faceup.server.site import SITE
from faceup.server.turns.push_subscriptions import Language

_TURN: Final[Mapping[Language, str]] = {
    "en": "It is your turn at {table}.",
    "de": "Du bist dran: {table}.",
    "zh": "轮到你了：{table}。",
}
_TABLE: Final[Mapping[Language, str]] = {"en": "{game} ({names})", "de": "{game} ({names})", "zh": "{game}（{names}）"}


_SUBJECT: Final[Mapping[Language, str]] = {
    "en": "It is your turn: {game}",
    "de": "Du bist dran: {game}",
    "zh": "轮到你了：{game}",
}
_LINK: Final = re.compile(r"[.:/@](?=\S)")
"""Signs by which mail programs recognize a link."""

_CODE: Final[Mapping[Language, tuple[str, str]]] = {
    "en": ("Your code for {site}: {code}", "Enter this code on the page of your account: {code}\n\n{validity}\n"),
    "de": ("Dein Code für {site}: {code}", "Gib diesen Code auf der Seite deines Kontos ein: {code}\n\n{validity}\n"),
    "zh": ("你的 {site} 验证码：{code}", "请在账户页面输入此验证码：{code}\n\n{validity}\n"),
}
_VALIDITY: Final[Mapping[Language, str]] = {
    "en": "It is valid for an hour. If you did not ask for it, ignore this mail.",
    "de": "Er gilt eine Stunde. Wenn du ihn nicht angefordert hast, ignoriere diese Mail.",
    "zh": "有效期一小时。如果不是你本人操作，请忽略此邮件。",
}
_MAIL: Final[Mapping[Language, str]] = {
    "en": "{text}\n\n{link}\n\nNo more mails: {unsubscribe}\n",
    "de": "{text}\n\n{link}\n\nKeine Mails mehr: {unsubscribe}\n",
    "zh": "{text}\n\n{link}\n\n不再接收邮件：{unsubscribe}\n",
}
_UNSUBSCRIBE: Final[Mapping[Language, tuple[str, str, str]]] = {
    "en": ("No more mails from {site}?", "Turn off", "You get no more mails."),
    "de": ("Keine Mails von {site} mehr?", "Ausschalten", "Du erhältst keine Mails mehr."),
    "zh": ("不再接收 {site} 的邮件？", "关闭", "你不会再收到邮件。"),
}


def code_mail(code: str, language: Language) -> tuple[str, str]:
    """Return the subject and the text of the mail with the code that confirms an address."""
    subject, text = _CODE[language]
    return subject.format(code=code, site=SITE.get().name), text.format(code=code, validity=_VALIDITY[language])


def turn_mail(summary: bytes, language: Language, link: str, unsubscribe: str) -> tuple[str, str]:
    """Return the subject and the text of the mail that it is the player's turn."""
    title = game_title(language, msgspec.json.decode(summary)["game"])
    text = turn_text(summary, language)
    subject = _SUBJECT[language].format(game=title)  # without names, which strangers choose
    return subject, _MAIL[language].format(text=text, link=link, unsubscribe=unsubscribe)


def unsubscribe_words(language: Language) -> tuple[str, str, str]:
    """Return the question, the button and the answer of the page that turns mails off."""
    question, button, answer = _UNSUBSCRIBE[language]
    return question.format(site=SITE.get().name), button, answer


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
    table: dict[str, Any] = msgspec.json.decode(summary)  # Any: JSON
    seats = [seat for seat in table["seats"] if seat is not None]
    names = [
        _unlinked(player_name(language, seat["name"], seat["kind"], program=seat.get("program", False)))
        for seat in seats
    ]
    title = game_title(language, table["game"])
    return _TABLE[language].format(game=title, names=join_names(language, names))


def _unlinked(name: str) -> str:
    """Return a name in which no program sees a link, since strangers choose names.

    >>> _unlinked("Win at https://prize.example.com"), _unlinked("St. John")
    ('Win at https: / / prize. example. com', 'St. John')
    """
    return _LINK.sub(r"\g<0> ", name)
