"""What a browser finds here: a plain page of links, until there is a page that plays.

`/` and `/t/TABLE` are the page's addresses, the second with a table, and `/static/` will be its files: all of
`faceup/web`, as they are.
"""

from html import escape
from typing import Final

from litestar import MediaType, get
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler

from faceup.core import list_games
from faceup.server.api.services import Services

_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>faceup</title>
<h1>faceup</h1>
<p>Table games in which everyone chooses in secret and everything is turned face up at once.</p>
<ul>{games}</ul>
<p>This server has no page to play on yet. Programs play here by its API:
<a href="{base}/api/games">games</a>,
<a href="{base}/api/tables">open tables</a>,
<a href="{base}/api/openapi.json">what can be asked</a>.</p>
</html>
"""


@get(["/", "/t/{table:str}"], media_type=MediaType.HTML, include_in_schema=False, sync_to_thread=False)
def page(services: Given[Services]) -> str:
    """What this is, and where to go on."""
    games = "".join(f"<li>{escape(game.title)}: {escape(game.summary)}</li>" for game in list_games())
    return _PAGE.format(games=games, base=escape(services.settings.base_path))


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (page,)
