"""The text of pictures and link previews, in the languages of the page."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache

from faceup.core import find_game, list_games
from faceup.core.record import PERSON
from faceup.server.rooms.names import ERASED_NAME, GUEST_NAME
from faceup.server.site import SITE
from faceup.translations import Language, catalogue, drawings, join_names, translate


def word(language: Language, key: str, **values: object) -> str:
    """Return a text in a language.

    >>> word("de", "wins", names="Ann")
    'Ann gewinnt'
    """
    return translate(language, f"site.{key}", **values)


def drawn_text(language: Language, text: str, **values: object) -> str:
    """Return a text of a drawing in a language. A text without a translation stays English.

    >>> drawn_text("de", "{name} takes row {row}", name="Ann", row=2)
    'Ann nimmt Reihe 2'
    """
    title = SITE.get().retitled(text)
    return drawings.drawn_text(language, text, **values) if title is None else title


def decimal_text(language: Language, number: str) -> str:
    """Return a number, such as 2.5, with the decimal sign of the language.

    >>> decimal_text("fr", "2.5"), decimal_text("en", "2.5")
    ('2,5', '2.5')
    """
    return number.replace(".", ",") if language in {"de", "fr"} else number


def game_title(language: Language, game: str) -> str:
    """Return the title of a game.

    >>> game_title("de", "war"), game_title("de", "nimmt")
    ('Krieg', '6 nimmt!')
    """
    return SITE.get().title(game) or catalogue(language, "site").get(f"site.game.{game}") or find_game(game).title


def all_game_titles(language: Language) -> str:
    """Return the titles of all games as a list.

    >>> all_game_titles("de")[:17]
    '6 nimmt!, Niu Niu'
    """
    return join_names(language, [game_title(language, name) for name in all_games()])


@cache
def all_games() -> tuple[str, ...]:
    """Return the names of all games, for which the metadata of all installed packages are read: 20 ms."""
    return tuple(game.name for game in list_games())


def player_name(language: Language, name: str, kind: str, *, program: bool = False) -> str:
    """Return the name of a player in a language: that of a bot, a deleted player or a guest without one is translated.

    The name of a player is marked if a program plays.

    >>> player_name("zh", "Clover 2", "search@64"), player_name("zh", "Deleted player 2", "person")
    ('三叶 2', '玩家 2')
    """
    if kind != PERSON:
        return bot_name(language, name)
    for given_name, key in ((ERASED_NAME, "deleted"), (GUEST_NAME, "guest")):
        name = re.sub(f"^{given_name}(?= \\d+$|$)", word(language, key), name)
    return word(language, "program", name=name) if program else name


def bot_name(language: Language, name: str) -> str:
    """Return the name of a bot in a language, as the page translates it.

    >>> bot_name("zh", "Clover 2"), bot_name("de", "Goofbot")
    ('三叶 2', 'Goofbot')
    """
    character = re.sub(r" \d+$", "", name)
    return bot_names(language).get(character.lower(), character) + name[len(character) :]


def bot_names(language: Language) -> Mapping[str, str]:
    """Return the translations of the names of bots, by name in lower case."""
    return _page_words(language, "bots", "bots")


def award_titles(language: Language) -> Mapping[str, str]:
    """Return the titles of the awards of an evening, by kind."""
    return _page_words(language, "party", "party.award")


@cache
def _page_words(language: Language, namespace: str, prefix: str) -> Mapping[str, str]:
    """Return the translations with a prefix from a catalogue of the page, by the rest of their keys."""
    messages = catalogue(language, namespace)
    return {rest: text for key, text in messages.items() if (rest := key.removeprefix(f"{prefix}.")).isidentifier()}


def winners(language: Language, names: Sequence[str], ranks: Sequence[int]) -> str:
    """Return who has won, as a sentence without a full stop.

    >>> winners("en", ["Ann", "Bo", "Cy"], [2, 1, 1])
    'Bo and Cy share first place'
    """
    first = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    if len(first) == 1:
        return word(language, "wins", names=first[0])
    if len(first) == len(names):
        return word(language, "shared_by_all")
    several = join_names(language, first) if len(first) < 4 else word(language, "players", count=len(first))
    return word(language, "shared_by", names=several)


def day_text(language: Language, day: str) -> str:
    """Return a day as people write it.

    >>> [day_text(language, "2026-11-03") for language in ("en", "de", "fr", "zh")]
    ['3 November 2026', '3. November 2026', '3 novembre 2026', '2026年11月3日']
    """
    on = date.fromisoformat(day)
    return word(language, "date", day=on.day, month=word(language, f"month.{on.month}"), year=on.year)


def all_text(language: Language) -> str:
    """Return all text of a language in one string, for checking that the fonts have its characters."""
    texts = (*catalogue(language, "site").values(), *catalogue(language, "drawings").values())
    return "".join((*texts, *bot_names(language).values(), *award_titles(language).values()))
