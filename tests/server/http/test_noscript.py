"""Browsers without JavaScript show the rules, who runs the site, the privacy text and the standings of tournaments."""

import httpx
import pytest
from tests.server.app_server import AppServer
from tests.server.conftest import Serve
from tests.server.tournaments.players import command, create

from faceup.server.http.noscript import REFRESH
from faceup.server.process.settings import Settings


async def article(client: httpx.AsyncClient, path: str, language: str = "en") -> str:
    """Return what a browser without JavaScript shows of a page, after it has followed the page's redirection."""
    answer = await client.get(path, headers={"accept-language": language})
    if REFRESH in answer.text:
        answer = await client.get(path, headers={"accept-language": language}, params={"text": ""})
        assert REFRESH not in answer.text
    return answer.text.partition("<noscript>")[2].partition("</noscript>")[0]


@pytest.mark.parametrize(
    ("path", "language", "texts"),
    [
        ("/learn", "de", ("<h1>Spielen lernen</h1>", '<a href="/games/learn/war">Krieg</a>')),
        ("/learn/nimmt", "en", ("<h1>6 nimmt!</h1>", "<strong>the player with the fewest bull heads wins.</strong>")),
        ("/learn/nimmt", "de", ("<h1>6 nimmt!</h1>", "<h2>Die Karten</h2>", "<td>Vielfache von 10</td>")),
        ("/about", "fr", ("https://example.org/imprint", '<a href="/games/privacy">', "mailto:host@example.org")),
        ("/privacy", "zh", ("host@example.org", "<table>")),
    ],
)
async def test_pages_to_read_need_no_javascript(serve: Serve, path: str, language: str, texts: tuple[str, ...]) -> None:
    settings = Settings(base_path="/games", contact="host@example.org", imprint_url="https://example.org/imprint")
    app = await serve(settings)
    async with app.client() as anonymous:
        shown = await article(anonymous, f"/games{path}", language)
        page = await anonymous.get(f"/games{path}", headers={"accept-language": language})
        for text in texts:
            assert text in shown
        assert "JavaScript" not in shown
        assert shown not in page.text, "the text must make no page larger for browsers with JavaScript"


async def test_standings_of_a_tournament_need_no_javascript(app: AppServer) -> None:
    async with app.guest("Host") as host, app.guest("<b>Ann</b>") as ann, app.guest("Bo") as bo:
        tournament = await create(host, name="Cards & dice")
        for player in (ann, bo):
            await command(player, tournament, "join")
        await command(host, tournament, "start_round", round=1)
        shown = await article(host, f"/tournaments/{tournament}")
        assert "<h1>Cards &amp; dice</h1>" in shown
        assert "<p>Round 1 of 2</p>" in shown
        assert "<td>&lt;b&gt;Ann&lt;/b&gt;</td><td>0</td>" in shown
        assert "<td>Bo</td>" in shown


@pytest.mark.parametrize("path", ["/", "/me", "/learn/none", "/tournaments/none", "/tournaments"])
async def test_other_pages_say_that_they_need_javascript(app: AppServer, path: str) -> None:
    async with app.client() as anonymous:
        shown = await article(anonymous, path)
        assert "This page needs JavaScript." in shown
        assert '<a href="/learn">Read the rules</a>' in shown
        assert '<a href="/about">About</a>' in shown
