"""The text of pictures and link previews, in the languages of the page."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Final

from faceup.core import find_game, list_games
from faceup.server.pictures import Language
from faceup.server.rooms.names import ERASED_NAME, GUEST_NAME
from faceup.server.site import SITE

_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "all": "Everyone shares first place",
        "deleted": "Deleted player",
        "guest": "Guest",
        "program": "{name} (bot)",
        "one": "{names} wins",
        "players": "{count} players",
        "score.nimmt": "{score} heads",
        "seat": "Seat {number}",
        "several": "{names} share first place",
        "party": "Our evening",
        "tournament": "Tournament",
        "tagline": "Choose in secret.\nReveal together.",
        "page.daily": "The daily deal",
        "page.daily.description": "The same cards for everyone, once a day. How few heads will you take?",
        "page.home.description": "Play {games} with friends or bots, without an account.",
        "page.replay": "A game to watch again",
        "page.table": "A table at {site}",
        "page.table.description": "Open the link to take a seat or to watch.",
        "table.active": "{game}, live",
        "table.active.description": "{names} are playing.",
        "table.finished.description": "{game}: {standings}.",
        "table.pending": "Play {game} with us",
        "table.pending.description": "At the table: {names}. Free seats: {free}.",
        "table.pending.description.empty": "Free seats: {free}. Take one.",
        "table.pending.description.full": "At the table: {names}. It starts soon.",
        "table.replay": "Replay: {title}",
        "picture": "Picture: {title}",
    },
    "de": {
        "all": "Alle teilen sich den ersten Platz",
        "deleted": "Gelöschte Person",
        "guest": "Gast",
        "program": "{name} (Bot)",
        "one": "{names} gewinnt",
        "players": "{count} Spieler",
        "seat": "Platz {number}",
        "several": "{names} teilen sich den ersten Platz",
        "party": "Unser Abend",
        "tournament": "Turnier",
        "tagline": "Geheim wählen.\nGemeinsam aufdecken.",
        "page.daily": "Die Partie des Tages",
        "page.daily.description": "Jeden Tag dieselben Karten für alle. Wie wenige Ochsenköpfe nimmst du?",
        "page.home.description": "Spiel {games} mit Freunden oder Bots, ohne Anmeldung.",
        "page.replay": "Ein Spiel zum Nachsehen",
        "page.table": "Ein Tisch bei {site}",
        "page.table.description": "Öffne den Link, um mitzuspielen oder zuzusehen.",
        "table.active": "{game}, live",
        "table.active.description": "Es spielen {names}.",
        "table.finished.description": "{game}: {standings}.",
        "table.pending": "Spiel {game} mit uns",
        "table.pending.description": "Am Tisch: {names}. Freie Plätze: {free}.",
        "table.pending.description.empty": "Freie Plätze: {free}. Nimm dir einen.",
        "table.pending.description.full": "Am Tisch: {names}. Es geht gleich los.",
        "table.replay": "Replay: {title}",
        "picture": "Bild: {title}",
        "game.war": "Krieg",
    },
    "zh": {
        "all": "所有人并列第一",
        "deleted": "玩家",
        "guest": "游客",
        "program": "{name}（机器人）",
        "one": "{names}获胜",
        "players": "{count} 人",
        "seat": "座位 {number}",
        "several": "{names}并列第一",
        "party": "今晚的聚会",
        "tournament": "比赛",
        "tagline": "暗中选择，\n一起揭晓。",
        "page.daily": "每日一局",
        "page.daily.description": "每天所有人拿到同样的牌。你能少收几个牛头？",
        "page.home.description": "和朋友或机器人一起玩{games}，无需注册。",
        "page.replay": "回看一局",
        "page.table": "{site} 的一桌",
        "page.table.description": "打开链接，入座或观战。",
        "table.active": "{game}，进行中",
        "table.active.description": "{names}正在对局。",
        "table.finished.description": "{game}：{standings}。",
        "table.pending": "来玩{game}",
        "table.pending.description": "{names}已入座，还有 {free} 个空位。",
        "table.pending.description.empty": "还有 {free} 个空位，来入座吧。",
        "table.pending.description.full": "{names}已入座，马上开始。",
        "table.replay": "回放：{title}",
        "picture": "图片：{title}",
        "game.nimmt": "谁是牛头王",
        "game.niuniu": "牛牛",
        "game.war": "拼大小",
    },
}

_MONTHS: Final[Mapping[Language, str]] = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}


def word(language: Language, key: str, **values: object) -> str:
    """Return a text in a language.

    >>> word("de", "one", names="Ann")
    'Ann gewinnt'
    """
    return _WORDS[language][key].format(**values)


def game_title(language: Language, game: str) -> str:
    """Return the title of a game.

    >>> game_title("de", "war"), game_title("de", "nimmt")
    ('Krieg', '6 nimmt!')
    """
    return SITE.get().title(game) or _WORDS[language].get(f"game.{game}") or find_game(game).title


def all_game_titles(language: Language) -> str:
    """Return the titles of all games as a list.

    >>> all_game_titles("de")
    '6 nimmt!, Niu Niu und Krieg'
    """
    return join_names(language, [game_title(language, game.name) for game in list_games()])


def player_name(language: Language, name: str, kind: str, *, program: bool = False) -> str:
    """Return the name of a player in a language: that of a bot, a deleted player or a guest without one is translated.

    The name of a player whose program plays is marked.

    >>> player_name("zh", "Clover 2", "search@64"), player_name("zh", "Deleted player 2", "person")
    ('三叶 2', '玩家 2')
    """
    if kind != "person":
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


@lru_cache(maxsize=6)
def _page_words(language: Language, namespace: str, prefix: str) -> Mapping[str, str]:
    """Return the translations with a prefix from a catalogue of the page, by the rest of their keys."""
    catalogue = files("faceup") / "web" / "i18n" / language / f"{namespace}.js"
    return dict(re.findall(rf'"{re.escape(prefix)}\.(\w+)": "([^"]+)"', catalogue.read_text("utf-8")))


def join_names(language: Language, names: Sequence[str]) -> str:
    """Join names to a list.

    >>> join_names("de", ["Ann", "Bo", "Cy"]), join_names("zh", ["Ann", "Bo", "Cy"])
    ('Ann, Bo und Cy', 'Ann、Bo和Cy')
    """
    comma, last = {"en": (", ", " and "), "de": (", ", " und "), "zh": ("、", "和")}[language]
    return last.join([comma.join(names[:-1]), names[-1]] if len(names) > 1 else names)


def winners(language: Language, names: Sequence[str], ranks: Sequence[int]) -> str:
    """Return who has won, as a sentence without a full stop.

    >>> winners("en", ["Ann", "Bo", "Cy"], [2, 1, 1])
    'Bo and Cy share first place'
    """
    first = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    if len(first) == 1:
        return word(language, "one", names=first[0])
    if len(first) == len(names):
        return word(language, "all")
    several = join_names(language, first) if len(first) < 4 else word(language, "players", count=len(first))
    return word(language, "several", names=several)


def day_text(language: Language, day: str) -> str:
    """Return a day as people write it.

    >>> [day_text(each, "2026-11-03") for each in ("en", "de", "zh")]
    ['3 November 2026', '3. November 2026', '2026年11月3日']
    """
    on = date.fromisoformat(day)
    if language == "zh":
        return f"{on.year}年{on.month}月{on.day}日"
    return f"{on.day}{'.' * (language == 'de')} {_MONTHS[language].split()[on.month - 1]} {on.year}"


def all_text(language: Language) -> str:
    """Return all text of a language in one string, for checking that the fonts have its characters."""
    page = (*bot_names(language).values(), *award_titles(language).values())
    return "".join((*_WORDS[language].values(), *page, day_text(language, "2026-11-03")))
