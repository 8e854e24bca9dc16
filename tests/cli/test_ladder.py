"""`faceup ladder`: a server's leaderboard as a table and as JSON."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.cli.in_process import InProcessCli

ROW = {"rating": 1560, "deviation": 62, "provisional": False, "games": 8, "wins": 4.0}
LADDER = {
    "game": "nimmt",
    "variant": "cowheadking",
    "by": "rating",
    "min_hands": None,
    "ladder_rows": [
        {"place": 1, "who": {"name": "Ann [x]", "handle": "v0opqzLxmIBw"}, **ROW},
        {"place": None, "who": {"name": "mc", "bot": "mc"}, **ROW, "provisional": True},
    ],
}


TOTALS = {"hands": 120, "sum": 250, "mean": 25 / 12, "baozi": 24, "points": [12] * 10 + [0]}
HANDS = {
    "game": "niuniu",
    "variant": "battle",
    "by": "hands",
    "min_hands": 100,
    "ladder_rows": [],
    "hands": [{"place": 1, "who": {"name": "Ann", "handle": "v0opqzLxmIBw"}, "totals": TOTALS}],
}


class Answers(BaseHTTPRequestHandler):
    """A server with only the leaderboard endpoint."""

    def do_GET(self) -> None:
        rows = {
            "/api/ladder?game=nimmt&variant=": LADDER,
            "/api/ladder?game=nimmt&variant=classic": {**LADDER, "variant": "classic", "ladder_rows": []},
            "/api/ladder?game=niuniu&variant=": HANDS,
            "/api/ladder?game=niuniu&variant=battle": {**HANDS, "hands": []},
            "/other/api/ladder?game=nimmt&variant=": {"something": "else"},
        }
        self.send_response(200 if self.path in rows else 400)
        self.end_headers()
        self.wfile.write(json.dumps(rows.get(self.path)).encode())

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
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> InProcessCli:
    return InProcessCli(monkeypatch, capsys)


def test_a_leaderboard_shows_unescaped_names(run: InProcessCli, site: str) -> None:
    done = run("ladder", site + "/")
    assert done.status == 0
    title, head, first, second, note = (line.split() for line in done.out.splitlines())
    assert (title, head) == (["nimmt:cowheadking"], ["Rank", "Player", "Rating", "Games", "Win", "rate"])
    assert first == ["1", "Ann", "[x]", "1560", "8", "50%"]
    assert second == ["mc", "(bot)", "1560?", "8", "50%"]
    assert note[:2] == ["?", "provisional:"]


def test_json_is_the_servers_answer(run: InProcessCli, site: str) -> None:
    assert json.loads(run("ladder", site, "--json").out) == LADDER


def test_an_empty_leaderboard_is_reported(run: InProcessCli, site: str) -> None:
    assert "No one has played a rated game of nimmt:classic yet." in run("ladder", site, "nimmt:classic").out


@pytest.mark.parametrize(
    ("path", "game", "message"),
    [("", "chess", "answered 400"), ("/other", "nimmt", "is not a leaderboard")],
)
def test_another_response_is_rejected_in_one_line(
    run: InProcessCli, site: str, path: str, game: str, message: str
) -> None:
    done = run("ladder", site + path, game)
    assert done.status == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_an_address_without_a_scheme_is_named_as_it_was_given(run: InProcessCli) -> None:
    done = run("ladder", "cards.example.org")
    assert (done.status, done.err) == (
        2,
        "faceup: URL must start with http:// or https://; got cards.example.org\n",
    )


def test_a_ladder_of_niu_niu_shows_the_mean_score_of_the_hands(run: InProcessCli, site: str) -> None:
    title, head, first = (line.split() for line in run("ladder", site, "niuniu").out.splitlines())
    assert (title, head) == (["niuniu:battle"], ["Rank", "Player", "Mean", "Hands", "Baozi"])
    assert first == ["1", "Ann", "2.08", "120", "24"]
    assert run("ladder", site, "niuniu:battle").out == "No one has thrown 100 hands of niuniu:battle yet.\n"
