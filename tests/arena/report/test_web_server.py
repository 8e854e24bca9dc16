"""Web server of a log: local only, every match, everything escaped."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread

import pytest
from tests.arena.logs import FOUR, write_log
from tests.charts.html_checks import Checked

from faceup.arena import Cause
from faceup.arena.report.web_server import LogServer, respond
from faceup.core import Malformed

pytestmark = pytest.mark.slow  # real programs, again and again

HOSTILE = b'</pre><script>alert("x")</script>'


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a log of eight matches with a fault and hostile output."""
    path = tmp_path_factory.mktemp("logs") / "arena.sqlite"
    return write_log(path, faults={5: {(0, 2): (Cause.MALFORMED, HOSTILE)}}, log=HOSTILE)


@pytest.fixture
def server(log: Path) -> Iterator[LogServer]:
    """One that serves the log."""
    with LogServer(log, 0) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asked(server: LogServer, target: str, *, method: str = "GET", host: str | None = None) -> tuple[HTTPResponse, str]:
    """What a browser is answered."""
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    headers = {} if host is None else {"Host": host}
    connection.request(method, target, headers=headers)
    response = connection.getresponse()
    page = response.read().decode()
    connection.close()
    return response, page


def test_index_links_to_all_matches(log: Path) -> None:
    front = respond(log, "/")
    assert front.status == HTTPStatus.OK
    links = set(Checked(front.page).references)
    assert {"/matches", "/match/5"} <= links
    listed = Checked(respond(log, "/matches").page)
    assert {f"/match/{number}" for number in range(8)} <= set(listed.references)
    for number in range(8):
        page = respond(log, f"/match/{number}").page
        assert '<details class="replay"' in page
        assert " open>" in page


def test_matches_are_found_by_bot_and_by_fault(log: Path) -> None:
    out = Checked(respond(log, "/matches?out=1").page)
    assert [link for link in out.references if link.startswith("/match/")] == ["/match/5"]
    assert "/match/0" in Checked(respond(log, "/matches?bot=greedy").page).references
    assert "/match/0" not in Checked(respond(log, "/matches?bot=unknown").page).references
    assert "/match/0" not in Checked(respond(log, "/matches?from=3").page).references


@pytest.mark.parametrize(
    "target", ["/match/99", "/match/-1", "/match/x", "/etc/passwd", "/../arena.sqlite", "//", "/match/"]
)
def test_missing_page_is_404(log: Path, target: str) -> None:
    response = respond(log, target)
    assert response.status == HTTPStatus.NOT_FOUND
    assert Checked(response.page).open == []


def test_log_and_address_are_escaped(log: Path) -> None:
    for target in ("/", "/matches?bot=%3Cscript%3E&out=1", "/match/5", "/match/0", "/<script>"):
        page = respond(log, target).page
        checked = Checked(page)
        assert checked.open == []
        assert checked.names.count("script") == page.count('<script type="text/plain">') + 1


def test_response_headers_forbid_scripts_and_caching(server: LogServer) -> None:
    response, page = asked(server, "/match/5")
    assert response.status == HTTPStatus.OK
    assert "default-src 'none'" in (response.getheader("Content-Security-Policy") or "")
    assert response.getheader("X-Content-Type-Options") == "nosniff"
    assert response.getheader("Cache-Control") == "no-store"
    assert page.endswith("</html>\n")


def test_server_listens_on_localhost_only(server: LogServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"
    for host in ("evil.example", f"evil.example:{server.server_port}", "127.0.0.1", ""):
        response, page = asked(server, "/", host=host)
        assert response.status == HTTPStatus.FORBIDDEN
        assert not any(name in page for name in FOUR)


def test_post_is_refused(server: LogServer) -> None:
    for method in ("POST", "PUT", "DELETE"):
        response, _ = asked(server, "/", method=method)
        assert response.status == HTTPStatus.NOT_IMPLEMENTED
    response, page = asked(server, "/", method="HEAD")
    assert (response.status, page) == (HTTPStatus.OK, "")


def test_used_port_is_refused_with_advice(server: LogServer, log: Path) -> None:
    with pytest.raises(Malformed, match="--port 0 uses any free port"):
        LogServer(log, server.server_port)
    with pytest.raises(Malformed, match="port must be 0 to 65535; got 99999"):
        LogServer(log, 99_999)


def test_match_list_is_paged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faceup.arena.report.web_server._LISTED", 3)
    path, seen, target = write_log(tmp_path / "arena.sqlite"), [], "/matches?bot=greedy"
    while target:
        references = Checked(respond(path, target).page).references
        seen += [link for link in references if re.fullmatch(r"/match/\d+", link)]
        target = next((link for link in references if "from=" in link), "")
    assert seen == [f"/match/{number}" for number in range(8)]
