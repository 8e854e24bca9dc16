"""The HTML pages for administration, and the forms that they send."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from importlib.resources import files
from typing import Annotated, Final, Literal, NamedTuple, cast
from urllib.parse import urlencode

import msgspec
import sqlalchemy as sa
from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromQuery, QueryParameter, URLEncodedBody
from litestar.response import Redirect

from faceup.core import Malformed, find_game
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.players import find_by_handle, find_by_name
from faceup.server.admin.page.load import address_loads, player_loads
from faceup.server.admin.page.sessions import AdminSessions, session_cookie
from faceup.server.admin.parties import end_party, list_parties
from faceup.server.admin.parties import hand_over as hand_over_party
from faceup.server.admin.players import ban, list_players
from faceup.server.admin.tables import act, list_tables
from faceup.server.admin.tournaments import end_tournament, list_tournaments
from faceup.server.admin.tournaments import hand_over as hand_over_tournament
from faceup.server.audit.log import list_acts
from faceup.server.http.client_address import Scope
from faceup.server.http.errors import problem_of, status_of
from faceup.server.http.pages import language_of
from faceup.server.http.services import AnyRequest, Services, caller_of
from faceup.server.moderation.bans import ban_address, list_bans, parse_address, remove_ban
from faceup.server.moderation.reports import close_report, count_open_reports, list_reports
from faceup.server.process.logs import LOG, log_error
from faceup.server.rooms.names import handle_of
from faceup.server.site import Site
from faceup.server.store.schema import rooms
from faceup.templates import render
from faceup.translations import html_language, translate
from faceup.web.assets import web

ROWS: Final = 200
"""The maximum number of tables, people or reports in a part of a list."""

_HOUR: Final = 3_600_000
_TERMS: Final[Mapping[str, int | None]] = {
    "1h": _HOUR,
    "1d": 24 * _HOUR,
    "7d": 7 * 24 * _HOUR,
    "30d": 30 * 24 * _HOUR,
    "forever": None,
}
"""The terms of bans that the page offers, in milliseconds."""

_LISTS: Final = ("tables", "tournaments", "parties", "people", "reports", "bans", "log")
_NAV: Final = (("/", "overview"), *[(f"/{name}", name) for name in _LISTS])

_TEMPLATES: Final = "server/admin/page/templates"

Number = Annotated[int, QueryParameter(name="part", ge=1, le=100_000)]
Text = Annotated[str, QueryParameter(max_length=200)]
Done = Annotated[Literal["", "ban", "remove", "close", "report", "end", "hand_over"], QueryParameter()]
TournamentFilter = Annotated[
    Literal["", "running", "open", "playing", "break", "paused", "finished", "cancelled"], QueryParameter(name="status")
]
PartyFilter = Annotated[Literal["", "playing", "idle"], QueryParameter(name="status")]
ActorFilter = Annotated[Literal["", "operator", "host", "player"], QueryParameter()]
Status = Annotated[Literal["", "pending", "active", "finished", "closed"], QueryParameter()]


class LoginForm(msgspec.Struct, frozen=True):
    """The form of the login."""

    token: str


class NewBan(msgspec.Struct, frozen=True):
    """The form of a new ban. `who` is a player's unique name, login or handle, or an address."""

    who: str
    term: Literal["1h", "1d", "7d", "30d", "forever"]
    reason: str = ""


class ButtonForm(msgspec.Struct, frozen=True):
    """The form of a button: the ID of what it is about."""

    id: str


class NewHost(msgspec.Struct, frozen=True):
    """The form that hands a tournament or party over. `who` is the new host's unique name, login or handle."""

    id: str
    who: str


class _Part(NamedTuple):
    """A part of a list: rows, the numbers of the first and the last one, and links to the parts around it, or ""."""

    rows: Sequence[object]
    first: int
    last: int
    previous: str
    next: str


class _PageError(Exception):
    """A form cannot be carried out, for the reason `error.REASON` in the catalogue `admin`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _page(request: AnyRequest, template: str, *, code: int = 200, **values: object) -> Response[bytes]:
    """Return a page, in the browser's language."""
    language = language_of(request)

    def word(key: str, **placeholders: object) -> str:
        return translate(language, f"admin.{key}", **placeholders)

    html = render(
        f"{_TEMPLATES}/{template}.html",
        page=template,
        language=html_language(language),
        w=word,
        nav=_NAV,
        time=_time,
        now=datetime.now(UTC).strftime("%H:%M:%S"),
        **values,
    )
    headers = {"vary": "accept-language"}
    return Response(html.encode(), status_code=code, media_type=MediaType.HTML, headers=headers)


def _part(records: Sequence[object], number: int, **query: str) -> _Part:
    """Return a part of a list.

    Args:
        records: the rows from the first one of the part on, and one more if another part follows.
        number: the number of the part, from 1.
        query: the other parameters of the page's address.
    """
    kept = {name: value for name, value in query.items() if value}
    rows, first = records[:ROWS], _offset(number) + 1
    return _Part(
        rows=rows,
        first=first,
        last=first + len(rows) - 1,
        previous=f"?{urlencode({**kept, 'part': number - 1})}" if number > 1 else "",
        next=f"?{urlencode({**kept, 'part': number + 1})}" if len(records) > ROWS else "",
    )


def _offset(number: int) -> int:
    return (number - 1) * ROWS


def _time(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "–"  # noqa: RUF001 -- a dash
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _see_other(path: str) -> Redirect:
    return Redirect(path, status_code=303)


@get("/login")
async def show_login(request: AnyRequest) -> Response[bytes]:
    """Show the form of the login."""
    return _page(request, "login", wrong=False)


@post("/login")
async def log_in(
    request: AnyRequest, data: URLEncodedBody[LoginForm], sessions: Given[AdminSessions]
) -> Response[bytes] | Redirect:
    """Open a session."""
    key = sessions.log_in(data.token.strip(), caller_of(request).source)
    if key is None:
        return _page(request, "login", code=403, wrong=True)
    answer = _see_other("/")
    answer.headers["set-cookie"] = session_cookie(key, secure=caller_of(request).secure)
    return answer


@post("/logout")
async def log_out(request: AnyRequest, sessions: Given[AdminSessions]) -> Redirect:
    """End the session."""
    sessions.log_out(cast("Scope", request.scope))
    answer = _see_other("/login")
    answer.headers["set-cookie"] = session_cookie("", secure=caller_of(request).secure)
    return answer


@get("/")
async def show_overview(request: AnyRequest, services: Given[Services]) -> Response[bytes]:
    """Show how busy the server is."""
    now = services.store.now()
    queues = [queue.load() for queue in services.queues]
    return _page(
        request,
        "overview",
        connections=services.connected.total(),
        tables=await services.query(_tables_by_status),
        bans=len(await services.query(list_bans, now)),
        reports=await services.query(count_open_reports),
        waiting=sum(queue.waiting for queue in queues),
        queues=[(queue, _mean_wait(services, queue.name)) for queue in queues],
        addresses=await address_loads(services),
        players=await player_loads(services),
    )


def _tables_by_status(connection: sa.Connection) -> Mapping[str, int]:
    query = sa.select(rooms.c.status, sa.func.count()).where(rooms.c.ended_at.is_(None)).group_by(rooms.c.status)
    return {status: count for status, count in connection.execute(query)}  # noqa: C416 -- rows are not tuples


def _mean_wait(services: Services, queue: str) -> float:
    """Return the mean seconds that requests have waited since the process started."""
    metrics = services.store.metrics
    count = metrics.value("faceup_queue_seconds_count", queue=queue)
    return metrics.value("faceup_queue_seconds_sum", queue=queue) / count if count else 0.0


@get("/tables")
async def show_tables(
    request: AnyRequest, services: Given[Services], status: Status = "", number: Number = 1, done: Done = ""
) -> Response[bytes]:
    """List tables by their public summaries."""
    records = await list_tables(services.store, status or None, ROWS + 1, offset=_offset(number))
    return _page(
        request,
        "tables",
        game=partial(_game, services.site),
        status=status,
        done=done,
        part=_part(records, number, status=status),
    )


def _game(site: Site, summary: Mapping[str, str]) -> str:
    """Return the titles of a table's game and variant."""
    name = summary.get("game", "")
    try:
        game = find_game(name)
    except Malformed:  # the package with the game is no longer installed
        return name
    titles = [variant.title for variant in game.variants if variant.name == summary.get("variant")]
    return ": ".join([site.title(name) or game.title, *titles])


@post("/tables/close")
async def close_table(data: URLEncodedBody[ButtonForm], services: Given[Services]) -> Redirect:
    """Close a table."""
    table = await act(services.store, data.id, "close")
    LOG.info("closed a table on the page for administration", extra={"fields": {"table": table}})
    return _see_other("/tables?done=close")


@get("/tournaments")
async def show_tournaments(
    request: AnyRequest,
    services: Given[Services],
    *,
    status: TournamentFilter = "",
    find: Text = "",
    number: Number = 1,
    done: Done = "",
) -> Response[bytes]:
    """List tournaments."""
    query = partial(list_tournaments, status=status, find=find.strip(), limit=ROWS + 1, offset=_offset(number))
    part = _part(await services.query(query), number, status=status, find=find)
    return _page(request, "tournaments", status=status, find=find, done=done, part=part)


@post("/tournaments/end")
async def close_tournament(data: URLEncodedBody[ButtonForm], services: Given[Services]) -> Redirect:
    """End a tournament."""
    identifier = await services.write(end_tournament, data.id)
    LOG.info("ended a tournament on the page for administration", extra={"fields": {"tournament": identifier}})
    return _see_other("/tournaments?done=end")


@post("/tournaments/hand-over")
async def change_tournament_host(data: URLEncodedBody[NewHost], services: Given[Services]) -> Redirect:
    """Hand a tournament to another host."""
    player = await services.query(_player, data.who.strip())
    identifier = await services.write(hand_over_tournament, data.id, player)
    LOG.info("handed a tournament over on the page for administration", extra={"fields": {"tournament": identifier}})
    return _see_other("/tournaments?done=hand_over")


@get("/parties")
async def show_parties(
    request: AnyRequest,
    services: Given[Services],
    *,
    status: PartyFilter = "",
    find: Text = "",
    number: Number = 1,
    done: Done = "",
) -> Response[bytes]:
    """List parties."""
    query = partial(list_parties, status=status, find=find.strip(), limit=ROWS + 1, offset=_offset(number))
    part = _part(await services.query(query), number, status=status, find=find)
    return _page(request, "parties", status=status, find=find, done=done, part=part)


@post("/parties/end")
async def close_party(data: URLEncodedBody[ButtonForm], services: Given[Services]) -> Redirect:
    """Delete a party."""
    identifier = await services.write(end_party, data.id)
    LOG.info("ended a party on the page for administration", extra={"fields": {"party": identifier}})
    return _see_other("/parties?done=end")


@post("/parties/hand-over")
async def change_party_host(data: URLEncodedBody[NewHost], services: Given[Services]) -> Redirect:
    """Hand a party to another member."""
    player = await services.query(_player, data.who.strip())
    identifier = await services.write(hand_over_party, data.id, player)
    LOG.info("handed a party over on the page for administration", extra={"fields": {"party": identifier}})
    return _see_other("/parties?done=hand_over")


@get("/log")
async def show_log(
    request: AnyRequest, services: Given[Services], by: ActorFilter = "", number: Number = 1
) -> Response[bytes]:
    """List what operators and hosts did."""
    records = await services.query(partial(list_acts, by=by, limit=ROWS + 1, offset=_offset(number)))
    return _page(request, "log", by=by, part=_part(records, number, by=by))


@get("/people")
async def show_people(
    request: AnyRequest, services: Given[Services], find: Text = "", number: Number = 1
) -> Response[bytes]:
    """List players."""
    records = await services.query(list_players, find.strip(), ROWS + 1, offset=_offset(number))
    return _page(request, "people", handle_of=handle_of, find=find, part=_part(records, number, find=find))


@get("/reports")
async def show_reports(
    request: AnyRequest,
    services: Given[Services],
    closed: FromQuery[bool] = False,
    number: Number = 1,
    done: Done = "",
) -> Response[bytes]:
    """List reports."""
    records = await services.query(list_reports, closed=closed, limit=ROWS + 1, offset=_offset(number))
    part = _part(records, number, closed="true" if closed else "")
    return _page(request, "reports", closed=closed, done=done, part=part)


@post("/reports/close")
async def end_report(data: URLEncodedBody[ButtonForm], services: Given[Services]) -> Redirect:
    """Close a report."""
    await services.write(close_report, data.id)
    LOG.info("closed a report on the page for administration", extra={"fields": {"report": data.id[:40]}})
    return _see_other("/reports?done=report")


@get("/bans")
async def show_bans(
    request: AnyRequest, services: Given[Services], who: Text = "", name: Text = "", done: Done = ""
) -> Response[bytes]:
    """List the bans. `who` fills in the form for a new one, and `name` is its player's name."""
    now = services.store.now()
    return _page(
        request,
        "bans",
        rows=await services.query(list_bans, now),
        who=who,
        name=name,
        terms=tuple(_TERMS),
        done=done,
    )


@post("/bans/add")
async def add_ban(data: URLEncodedBody[NewBan], services: Given[Services]) -> Redirect:
    """Ban a player or an address."""
    who, term = data.who.strip(), _TERMS[data.term]

    if (address := parse_address(who)) is not None:
        until = None if term is None else services.store.now() + term
        add = partial(ban_address, address=address, until=until, reason=data.reason)
        identifier = (await services.write(add)).id
    else:
        player = await services.query(_player, who)
        identifier = (await ban(services.store, player, term=term, reason=data.reason)).id
    LOG.info("added a ban on the page for administration", extra={"fields": {"ban": identifier, "term": data.term}})
    return _see_other("/bans?done=ban")


def _player(connection: sa.Connection, who: str) -> str:
    """Return the ID of the one player with this handle, name or login. Raises `_PageError`."""
    try:
        return find_by_handle(connection, who).id
    except NotFoundError:
        matching = find_by_name(connection, who)
    if len(matching) != 1:
        raise _PageError("several" if matching else "no_player")
    return matching[0]


@post("/bans/remove")
async def end_ban(data: URLEncodedBody[ButtonForm], services: Given[Services]) -> Redirect:
    """Remove a ban."""
    await services.write(remove_ban, data.id)
    LOG.info("removed a ban on the page for administration", extra={"fields": {"ban": data.id[:40]}})
    return _see_other("/bans?done=remove")


@get("/style.css", media_type=MediaType.CSS, sync_to_thread=False)
def style() -> Response[str]:
    """Return the style sheet: the tokens and global styles of the players' pages, and those of this page."""
    return Response(_style(), media_type=MediaType.CSS, headers={"cache-control": "no-cache"})


_DARK: Final = ':root[data-theme="dark"] {'


@cache
def _style() -> str:
    shared = web().assets["style.css"].plain.decode()
    # The players' pages choose a theme by a script. This page has none, so that it follows the system.
    start = shared.index(_DARK)
    dark = shared[start + len(_DARK) : shared.index("}", start)]
    own = files(__package__).joinpath("style.css").read_text("utf-8")
    return f"{shared}\n@media (prefers-color-scheme: dark) {{ :root {{{dark}}} }}\n{own}"


@get("/icon.svg", sync_to_thread=False)
def icon() -> Response[bytes]:
    """Return the icon of the site."""
    return Response(web().assets["icon.svg"].plain, media_type="image/svg+xml")


def show_error(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Show why a request failed. Log unexpected errors."""
    code, reason, message = 400, "other", ""
    if isinstance(error, _PageError):
        reason = error.reason
    elif isinstance(error, HTTPException) and error.status_code < 500:
        code, reason = error.status_code, "not_found" if error.status_code == 404 else "form"
    elif (problem := problem_of(error)) is not None:
        code = status_of(problem)
        reason, message = ("not_found", "") if problem.kind == "not_found" else ("other", problem.message)
    else:
        log_error(error)
        code, reason = 500, "internal"
    return _page(request, "error", code=code, reason=reason, message=message)


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = tuple(
    handler for handler in tuple(globals().values()) if isinstance(handler, HTTPRouteHandler)
)
"""The route handlers of this module."""
