"""What a browser finds here: a plain page of links, until there is a page that plays.

`/` and `/t/TABLE` are the page's addresses, the second with a table, and `/static/` has its files. `/CODE` leads to the
table with these five letters, and `/password` is where a one-time link for a new password leads.
"""

import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from litestar import MediaType, get
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect

from faceup.core import list_games
from faceup.server.api.services import Asker, Services
from faceup.server.people.refusals import Missing

CODE: Final = re.compile("[A-Za-z]{5}")

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


@get("/{code:str}", include_in_schema=False, status_code=303)
async def short(code: FromPath[str], services: Given[Services], asker: Given[Asker]) -> Redirect:
    """The address that is short enough to be typed: of a table, by its five letters."""
    if not CODE.fullmatch(code):
        raise Missing("there is nothing at this address")
    services.codes.take(asker.caller.source, "codes from this address")
    row = await services.store.find(code)
    if row is None:
        raise Missing("there is no table with this code: ask for it again")
    return Redirect(f"{services.settings.base_path}/t/{row.id}", status_code=303)


@get("/password", media_type=MediaType.HTML, include_in_schema=False, sync_to_thread=False)
def password() -> str:
    """Where a one-time link leads, with its key behind the #."""
    return _file("password.html")


@get("/static/password.js", media_type="text/javascript", include_in_schema=False, sync_to_thread=False)
def password_script() -> str:
    """What that page does."""
    return _file("password.js")


@cache
def _file(name: str) -> str:
    return (files("faceup.server.api") / "pages" / name).read_text("utf-8")


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (page, short, password, password_script)
