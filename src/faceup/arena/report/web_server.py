"""Serve the report and all replays of a log to a browser on this machine.

Every request builds its page from the log again, so a run can be watched live. The log is not changed.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

import msgspec

from faceup.arena.match.replay import RecordedMatch
from faceup.arena.match.result import MatchResult
from faceup.arena.report.data import bot_filter, load_report_data
from faceup.arena.report.formatting import format_result
from faceup.arena.report.html import content_security_policy, index_page, render_page
from faceup.arena.report.replay_html import match_html
from faceup.arena.run.log import Log, read_log
from faceup.core import Malformed

HERE: Final = "127.0.0.1"
_LISTED: Final = 100
"""The most matches on a page."""

_REQUEST_TIMEOUT: Final = 10.0
"""Seconds within which a browser must send its request."""


class Response(msgspec.Struct, frozen=True):
    """A response with a page and its HTTP status."""

    status: HTTPStatus
    page: str


def respond(path: Path, target: str) -> Response:
    """Return the response to a request.

    Args:
        path: path of the log.
        target: path and query of the requested URL.
    """
    parts = urlsplit(target)
    try:
        with read_log(path) as log:
            query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
            if parts.path == "/":
                patterns = tuple(filter(None, query.get("only", "").split(",")))
                state = len(log.numbers()), log.contest.field
                return Response(HTTPStatus.OK, _index_page(path, state, patterns, playing="playing" in query))
            if parts.path == "/matches":
                return Response(HTTPStatus.OK, _list(log, query))
            number = parts.path.removeprefix("/match/")
            if parts.path.startswith("/match/") and _is_number(number):
                return Response(HTTPStatus.OK, _match(log, int(number)))
    except Malformed as error:
        return Response(HTTPStatus.NOT_FOUND, render_page("not_found.html", "Not found", message=error.message))
    return Response(HTTPStatus.NOT_FOUND, render_page("not_found.html", "Not found", message="Page not found."))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 12


@lru_cache(maxsize=4)  # because this function reads the complete log
def _index_page(path: Path, state: tuple[int, Sequence[str]], patterns: Sequence[str], *, playing: bool) -> str:
    """Return the page of the report, with the bots that `bot_filter` accepts.

    `state`, the number of finished matches and the bots that play now, is only part of the cache key.
    """
    del state
    with read_log(path) as log:
        return index_page(load_report_data(log, keep=bot_filter(log.contest, patterns, playing=playing)))


def _list(log: Log, query: dict[str, str]) -> str:
    """Return a page with a list of matches, which starts at the match number of the query."""
    first = int(query["from"]) if _is_number(query.get("from", "")) else 0
    bot, out = query.get("bot", ""), "out" in query
    listed = list(islice(_filter_results(log, first, bot, out=out), _LISTED + 1))
    following = {"from": str(listed[_LISTED].match.number)} if len(listed) > _LISTED else {}
    filters = {key: query[key] for key in ("bot", "out") if key in query}
    return render_page(
        "matches.html",
        "Matches" + (f" of {bot}" if bot else "") + (" with forfeits" if out else ""),
        names=log.contest.names,
        results=listed[:_LISTED],
        format_result=format_result,
        next=following and following | filters,
    )


def _filter_results(log: Log, first: int, bot: str, *, out: bool) -> Iterator[MatchResult]:
    for result in log.all_results(first):
        if (not bot or bot in result.match.lineup) and (not out or result.faults):
            yield result


def _match(log: Log, number: int) -> str:
    contest = log.contest
    watched = RecordedMatch(log.result(number), log.transcript(number), contest.terms, contest.seed, log.bots)
    return render_page("match.html", f"Match {number}", number=number, replay=match_html(watched, opened=True))


class LogServer(ThreadingHTTPServer):
    """A web server that shows a log to browsers on this machine until it is shut down.

    Args:
        path: path of the log.
        port: the port; 0 for any free port, which is then in `server_port`.

    Raises:
        Malformed: the port is out of range, in use or not permitted.
    """

    daemon_threads = True

    def __init__(self, path: Path, port: int) -> None:
        self.path = path
        if not 0 <= port < 65_536:
            raise Malformed(f"port must be 0 to 65535; got {port}", what=port, where="--port")
        try:
            super().__init__((HERE, port), _Handler)
        except OSError as error:
            raise Malformed(
                f"port {port} cannot be used: {error.strerror}; --port 0 uses any free port",
                what=port,
                where="--port",
            ) from None

    @property
    def address(self) -> str:
        """Return the URL for a browser."""
        return f"http://{HERE}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    """A handler of GET and HEAD requests."""

    timeout = _REQUEST_TIMEOUT
    server: LogServer

    def do_GET(self) -> None:
        """Send the requested page."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Send only the headers of the requested page."""
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        answered = respond(self.server.path, self.path) if self._host_allowed() else _FORBIDDEN
        data = answered.page.encode("ascii", "xmlcharrefreplace")
        self.send_response(answered.status)
        for name, value in (
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(data))),
            ("Content-Security-Policy", f"{content_security_policy()}; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(data)

    def _host_allowed(self) -> bool:
        """Return whether the Host header names this server.

        This prevents DNS rebinding, in which a foreign web site lets its own host name resolve to this machine.
        """
        port = self.server.server_port
        return self.headers.get("Host") in {f"{HERE}:{port}", f"localhost:{port}"}

    def log_message(self, *_: object) -> None:
        """Do nothing, so that requests are not logged."""


_FORBIDDEN: Final = Response(HTTPStatus.FORBIDDEN, "<!doctype html><title>Forbidden</title>")
