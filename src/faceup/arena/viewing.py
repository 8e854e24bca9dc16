"""A log in a browser: its report and every one of its matches, served to this machine alone.

The pages are made from the log whenever they are asked for, so that a run can be watched; nothing is ever written.
"""

from collections.abc import Iterator
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec

from faceup.arena.log import Log, read_log
from faceup.arena.logged import told
from faceup.arena.matches import Result
from faceup.arena.pages import allowed, article, overview, sheet
from faceup.arena.replay import Watched
from faceup.arena.telling import standing
from faceup.charts import pages
from faceup.core import Malformed

HERE: Final = "127.0.0.1"
_LISTED: Final = 100
"""Matches on a page."""

_PATIENCE: Final = 10.0
"""Seconds for a browser to say what it wants."""


class Answer(msgspec.Struct, frozen=True):
    """A page, and how it went."""

    status: HTTPStatus
    page: str


def answer(path: Path, target: str) -> Answer:
    """The page that a browser asks for.

    Args:
        path: of the log.
        target: what stands behind the host in the address.
    """
    parts = urlsplit(target)
    try:
        with read_log(path) as log:
            if parts.path == "/":
                return Answer(HTTPStatus.OK, _front(path, len(log.numbers())))
            if parts.path == "/matches":
                asked = {key: values[-1] for key, values in parse_qs(parts.query).items()}
                return Answer(HTTPStatus.OK, _list(log, asked))
            number = parts.path.removeprefix("/match/")
            if parts.path.startswith("/match/") and _is_number(number):
                return Answer(HTTPStatus.OK, _match(log, int(number)))
    except Malformed as error:
        return Answer(HTTPStatus.NOT_FOUND, _refusal(error.message))
    return Answer(HTTPStatus.NOT_FOUND, _refusal("There is no such page."))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 12


@lru_cache(maxsize=1)  # the log of a long run is read through for it
def _front(path: Path, played: int) -> str:
    """The report without replays; `played` tells one state of the log from another."""
    del played
    with read_log(path) as log:
        all_told = told(log)
        body = "".join(overview(all_told, link=lambda number: f"/match/{number}"))
    links = '<p><a href="/matches">All matches</a> <a href="/matches?out=1">Those in which somebody went out</a></p>'
    return sheet(all_told.title, f"{body}<h2>Replays</h2>{links}</main>")


def _list(log: Log, asked: dict[str, str]) -> str:
    """Some matches, from the one with a number on."""
    first = int(asked["from"]) if _is_number(asked.get("from", "")) else 0
    bot, out = asked.get("bot", ""), "out" in asked
    found = list(islice(_wanted(log, first, bot, out=out), _LISTED + 1))
    rows = "".join(
        f'<tr><td><a href="/match/{result.match.number}">{result.match.number}</a></td><td>{result.match.block}</td>'
        f'<td>{result.match.rotation}</td><td class="left">{pages.words(standing(result))}</td>'
        f'<td class="left out">{pages.words(_causes(result))}</td></tr>'
        for result in found[:_LISTED]
    )
    kept = {key: asked[key] for key in ("bot", "out") if key in asked}
    on = ""
    if len(found) > _LISTED:
        query = urlencode([("from", str(found[_LISTED].match.number)), *kept.items()])
        on = f'<p class="pager"><a href="/matches?{pages.words(query)}">The next ones</a></p>'
    bots = "".join(
        f'<a href="/matches?{pages.words(urlencode([("bot", name)]))}">{pages.words(name)}</a> '
        for name in log.contest.names
    )
    title = "Matches" + (f" of {bot}" if bot else "") + (" in which somebody went out" if out else "")
    return sheet(
        title,
        f'<header><nav><a href="/">The report</a><a href="/matches">All matches</a>'
        f'<a href="/matches?out=1">Somebody went out</a></nav><h1>{pages.words(title)}</h1>'
        f'<p class="soft">of one bot: {bots}</p></header><main><div class="scroll"><table><thead><tr><th>match</th>'
        '<th>block</th><th>rotation</th><th class="left">how it ended</th><th class="left">who went out</th></tr>'
        f"</thead><tbody>{rows}</tbody></table></div>{on}</main>",
    )


def _wanted(log: Log, first: int, bot: str, *, out: bool) -> Iterator[Result]:
    for result in log.all_results(first):
        if (not bot or bot in result.match.lineup) and (not out or result.faults):
            yield result


def _causes(result: Result) -> str:
    return ", ".join(f"{result.match.lineup[fault.player]}: {fault.cause}" for fault in result.faults)


def _match(log: Log, number: int) -> str:
    contest = log.contest
    watched = Watched(log.result(number), log.transcript(number), contest.terms, contest.seed, log.bots)
    ways = '<a href="/">The report</a><a href="/matches">All matches</a>'
    if number:
        ways += f'<a href="/match/{number - 1}">Match {number - 1}</a>'
    ways += f'<a href="/match/{number + 1}">Match {number + 1}</a>'
    title = f"Match {number}"
    return sheet(
        title, f"<header><nav>{ways}</nav><h1>{title}</h1></header><main>{article(watched, opened=True)}</main>"
    )


def _refusal(words: str) -> str:
    return sheet(
        "Not found",
        f'<header><nav><a href="/">The report</a></nav><h1>Not found</h1><p>{pages.words(words)}</p></header>',
    )


class Server(ThreadingHTTPServer):
    """Serves the log at a path to this machine, until it is shut down.

    Args:
        path: of the log.
        port: 0 is any that is free; `server_port` says which it is.

    Raises:
        Malformed: the port is taken, or may not be used.
    """

    daemon_threads = True

    def __init__(self, path: Path, port: int) -> None:
        self.path = path
        if not 0 <= port < 65_536:
            raise Malformed(f"a port is 0 to 65535, not {port}", what=port, where="--port")
        try:
            super().__init__((HERE, port), _Handler)
        except OSError as error:
            raise Malformed(
                f"port {port} cannot be used: {error.strerror}; --port 0 takes one that is free",
                what=port,
                where="--port",
            ) from None

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://{HERE}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    """Answers a browser; reads only."""

    timeout = _PATIENCE
    server: Server

    def do_GET(self) -> None:
        """Answer with a page."""
        self._answer(whole=True)

    def do_HEAD(self) -> None:
        """Answer with the head of one."""
        self._answer(whole=False)

    def _answer(self, *, whole: bool) -> None:
        found = answer(self.server.path, self.path) if self._is_for_us() else _FOREIGN
        data = found.page.encode("ascii", "xmlcharrefreplace")
        self.send_response(found.status)
        for name, value in (
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(data))),
            ("Content-Security-Policy", f"{allowed()}; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if whole:
            self.wfile.write(data)

    def _is_for_us(self) -> bool:
        """Whether the browser was told our own name: a page from elsewhere can point a name of its own at this port."""
        port = self.server.server_port
        return self.headers.get("Host") in {f"{HERE}:{port}", f"localhost:{port}"}

    def log_message(self, *_: object) -> None:
        """Say nothing."""


_FOREIGN: Final = Answer(HTTPStatus.FORBIDDEN, "<!doctype html><title>Not for you</title>")
