"""What pages say in browsers without JavaScript: the rules, who runs the site, the privacy text, and standings.

Such a browser is sent to the same address with the query `?text`, so that the text makes no page larger for the others.
All other pages say only that they need JavaScript.
"""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from html import escape
from typing import Final, TypeAlias

from markdown_it import MarkdownIt

from faceup.core import find_game
from faceup.server.http.services import Services
from faceup.server.http.site_routes import about_site
from faceup.server.pictures.words import all_games, decimal_text, game_title, player_name
from faceup.server.privacy import privacy_text
from faceup.server.process.site_settings import contact_uri
from faceup.server.retention_periods import retention_periods
from faceup.translations import Language, guide, translate

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_TITLE: Final = re.compile(r"# .*\n")
"""The title of an English guide. Translated guides have none."""

QUERY: Final = "text"
"""The query of the page with its text for browsers without JavaScript."""

REFRESH: Final = f'<noscript><meta http-equiv="refresh" content="0; url=?{QUERY}"></noscript>\n'
"""The element that sends browsers without JavaScript to the text."""

Article: TypeAlias = Callable[[Language, Services], Awaitable[str]]
"""Returns the text of a page as HTML, with its heading. Raises one of `EXPECTED` if the page does not exist."""

_COLUMNS: Final = ("buchholz", "direct", "score")
"""The tie-breaks in the standings of a tournament."""


def find_article(path: str) -> Article | None:
    """Return what writes the text of a page for browsers without JavaScript, or None if the page needs JavaScript.

    Args:
        path: the path of the page, without the base path.

    >>> find_article("/learn/war") is None, find_article("/learn") is None, find_article("/tournaments") is None
    (False, False, True)
    """
    match path.split("/")[1:]:
        case ["learn"]:
            return _games
        case ["learn", game]:
            return partial(_rules, game)
        case ["about"]:
            return _about
        case ["privacy"]:
            return _privacy
        case ["tournaments", tournament]:
            return partial(_tournament, tournament)
    return None


async def _games(language: Language, services: Services) -> str:
    """Return the list of games, each with a link to its rules."""
    base = services.settings.base_path
    games = [_link(f"{base}/learn/{game}", game_title(language, game)) for game in all_games()]
    return f"<h1>{escape(translate(language, 'learn.title'))}</h1>\n{_list(games)}"


async def _rules(game: str, language: Language, _: Services) -> str:
    """Return the rules of a game."""
    rules = guide(language, game) or _TITLE.sub("", find_game(game).guide, count=1)
    return str(_MARKDOWN.render(f"# {game_title(language, game)}\n\n{rules}"))


async def _privacy(language: Language, services: Services) -> str:
    """Return the privacy text."""
    periods = await services.query(retention_periods)
    return str(_MARKDOWN.render(privacy_text(language, services.settings, periods)))


async def _about(language: Language, services: Services) -> str:
    """Return who runs the site, and with which program."""
    settings = services.settings
    word, about = partial(_word, language), about_site(settings)
    age = word("about.age", count=about.minimum_age) if about.minimum_age else ""
    links = (
        (about.source, "about.source"),
        (about.imprint, "shell.footer.imprint"),
        (about.privacy or f"{settings.base_path}/privacy", "shell.footer.privacy"),
        (about.terms, "shell.footer.terms"),
        (about.contact and contact_uri(about.contact), "shell.footer.contact"),
    )
    linked = [_link(address, translate(language, key)) for address, key in links if address]
    licences = [escape(f"{licence.part} · {licence.licence}") for licence in about.licences]
    return f"""\
<h1>{word("about.title", site=about.name)}</h1>
<p>{word("about.program", version=about.version)} {age}</p>
{_list(linked)}
<h2>{word("about.trade_marks")}</h2>
<p>{word("about.trade_marks.text")}</p>
<h2>{word("about.licences")}</h2>
<p>{word("about.licences.text", licence=about.licence)}</p>
{_list(licences)}"""


async def _tournament(identifier: str, language: Language, services: Services) -> str:
    """Return the name, the status and the standings of a tournament."""
    tournament = services.tournament_views.view(await services.tournaments.get(identifier))
    word = partial(_word, language)
    names = {
        player.number: escape(player_name(language, player.name, "person", program=player.program))
        for player in tournament.players
        if player.name
    }
    number, status = len(tournament.rounds), tournament.status
    current_round = number if status == "playing" else number + 1
    heads = ("place", "player", "points", *_COLUMNS)
    rows = [
        (f"{row.place}", names[row.number], *(_number(language, getattr(row, name)) for name in ("points", *_COLUMNS)))
        for row in tournament.standings
        if row.number in names
    ]
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    head = "".join(f"<th>{word(f'tournaments.{name}')}</th>" for name in heads)
    return f"""\
<h1>{escape(tournament.settings.name) or word("tournaments.unnamed")}</h1>
<p>{word(f"tournaments.status.{status}", round=current_round, rounds=tournament.settings.rounds)}</p>
<h2>{word("tournaments.standings")}</h2>
<table>
<tr>{head}</tr>
{lines}</table>"""


def _number(language: Language, value: float | None) -> str:
    """Return a number with the decimal sign of the language."""
    return "-" if value is None else decimal_text(language, f"{value:.2f}".removesuffix(".00"))


def _word(language: Language, key: str, **values: object) -> str:
    return escape(translate(language, key, **values))


def _link(address: str, words: str) -> str:
    return f'<a href="{escape(address)}">{escape(words)}</a>'


def _list(items: list[str]) -> str:
    return f"<ul>\n{''.join(f'<li>{item}</li>' for item in items)}\n</ul>"
