"""`faceup ladder`: what a server says, as a table and as JSON."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.cli.inside import Inside

RUNG = {"rating": 21.4, "mean": 27.0, "deviation": 1.9, "games": 8, "wins": 4.0}
LADDER = {
    "game": "nimmt",
    "variant": "cowheadking",
    "least": 5,
    "rungs": [
        {"place": 1, "who": {"name": "Ann [x]", "handle": "v0opqzLxmIBw"}, **RUNG},
        {"place": 2, "who": {"name": "mc", "bot": "mc"}, **RUNG},
    ],
}


class Answers(BaseHTTPRequestHandler):
    """A server as far as ladders go."""

    def do_GET(self) -> None:
        known = {
            "/api/ladder?game=nimmt&variant=": LADDER,
            "/api/ladder?game=nimmt&variant=classic": {**LADDER, "variant": "classic", "rungs": []},
            "/other/api/ladder?game=nimmt&variant=": {"something": "else"},
        }
        self.send_response(200 if self.path in known else 400)
        self.end_headers()
        self.wfile.write(json.dumps(known.get(self.path)).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- likewise
        pass


@pytest.fixture
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(monkeypatch, capsys)


def test_a_ladder_is_shown_with_everybodys_name_as_it_is(run: Inside, site: str) -> None:
    done = run("ladder", site + "/")
    assert done.status == 0
    title, head, first, second = (line.split() for line in done.out.splitlines())
    assert (title, head) == (["nimmt:cowheadking"], ["who", "rating", "games", "won"])
    assert first == ["1", "Ann", "[x]", "21.4", "8", "50%"]
    assert second == ["2", "mc", "(bot)", "21.4", "8", "50%"]


def test_programs_get_what_the_server_said(run: Inside, site: str) -> None:
    assert json.loads(run("ladder", site, "--json").out) == LADDER


def test_a_ladder_without_anybody_says_so(run: Inside, site: str) -> None:
    assert "Nobody has played 5 rated games of nimmt:classic yet." in run("ladder", site, "nimmt:classic").out


@pytest.mark.parametrize(
    ("path", "game", "says"),
    [("", "chess", "answers 400"), ("/other", "nimmt", "something else than a ladder")],
)
def test_what_is_no_ladder_is_refused_in_one_line(run: Inside, site: str, path: str, game: str, says: str) -> None:
    done = run("ladder", site + path, game)
    assert done.status == 2
    assert says in done.err
    assert len(done.err.splitlines()) == 1
