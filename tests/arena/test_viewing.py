"""Every match of a log can be looked at from this machine, from nowhere else, and nothing in it can act."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread

import pytest
from tests.arena.logs import FOUR, write_log
from tests.charts.checked import Checked

from faceup.arena import Cause
from faceup.arena.viewing import Server, answer
from faceup.core import Malformed

pytestmark = pytest.mark.slow  # real programs, again and again

HOSTILE = b'</pre><script>alert("x")</script>'


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of eight matches; in one of them somebody goes out, and all write what they should not."""
    path = tmp_path_factory.mktemp("logs") / "arena.sqlite"
    return write_log(path, faults={5: {(0, 2): (Cause.MALFORMED, HOSTILE)}}, log=HOSTILE)


@pytest.fixture
def server(log: Path) -> Iterator[Server]:
    """One that serves the log."""
    with Server(log, 0) as found:
        thread = Thread(target=found.serve_forever, args=(0.01,))
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def asked(server: Server, target: str, *, method: str = "GET", host: str | None = None) -> tuple[HTTPResponse, str]:
    """What a browser is answered."""
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    headers = {} if host is None else {"Host": host}
    connection.request(method, target, headers=headers)
    response = connection.getresponse()
    page = response.read().decode()
    connection.close()
    return response, page


def test_all_matches_can_be_reached_from_the_front(log: Path) -> None:
    front = answer(log, "/")
    assert front.status == HTTPStatus.OK
    links = set(Checked(front.page).references)
    assert {"/matches", "/match/5"} <= links
    listed = Checked(answer(log, "/matches").page)
    assert {f"/match/{number}" for number in range(8)} <= set(listed.references)
    for number in range(8):
        page = answer(log, f"/match/{number}").page
        assert '<details class="replay"' in page
        assert " open>" in page


def test_matches_are_found_by_bot_and_by_fault(log: Path) -> None:
    out = Checked(answer(log, "/matches?out=1").page)
    assert [link for link in out.references if link.startswith("/match/")] == ["/match/5"]
    assert "/match/0" in Checked(answer(log, "/matches?bot=greedy").page).references
    assert "/match/0" not in Checked(answer(log, "/matches?bot=nobody").page).references
    assert "/match/0" not in Checked(answer(log, "/matches?from=3").page).references


@pytest.mark.parametrize(
    "target", ["/match/99", "/match/-1", "/match/x", "/etc/passwd", "/../arena.sqlite", "//", "/match/"]
)
def test_what_there_is_not_is_said_to_be_missing(log: Path, target: str) -> None:
    found = answer(log, target)
    assert found.status == HTTPStatus.NOT_FOUND
    assert Checked(found.page).open == []


def test_nothing_in_the_log_or_in_the_address_becomes_part_of_a_page(log: Path) -> None:
    for target in ("/", "/matches?bot=%3Cscript%3E&out=1", "/match/5", "/match/0", "/<script>"):
        page = answer(log, target).page
        checked = Checked(page)
        assert checked.open == []
        assert checked.names.count("script") == page.count('<script type="text/plain">') + 1


def test_a_browser_is_told_to_run_nothing_else_and_to_keep_nothing(server: Server) -> None:
    response, page = asked(server, "/match/5")
    assert response.status == HTTPStatus.OK
    assert "default-src 'none'" in (response.getheader("Content-Security-Policy") or "")
    assert response.getheader("X-Content-Type-Options") == "nosniff"
    assert response.getheader("Cache-Control") == "no-store"
    assert page.endswith("</html>\n")


def test_it_serves_this_machine_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"
    for host in ("evil.example", f"evil.example:{server.server_port}", "127.0.0.1", ""):
        response, page = asked(server, "/", host=host)
        assert response.status == HTTPStatus.FORBIDDEN
        assert not any(name in page for name in FOUR)


def test_nothing_can_be_sent_to_it(server: Server) -> None:
    for method in ("POST", "PUT", "DELETE"):
        response, _ = asked(server, "/", method=method)
        assert response.status == HTTPStatus.NOT_IMPLEMENTED
    response, page = asked(server, "/", method="HEAD")
    assert (response.status, page) == (HTTPStatus.OK, "")


def test_a_port_that_is_taken_is_refused_with_what_to_do(server: Server, log: Path) -> None:
    with pytest.raises(Malformed, match="--port 0 takes one that is free"):
        Server(log, server.server_port)
    with pytest.raises(Malformed, match="a port is 0 to 65535"):
        Server(log, 99_999)


def test_pages_of_a_long_list_follow_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faceup.arena.viewing._LISTED", 3)
    path, seen, target = write_log(tmp_path / "arena.sqlite"), [], "/matches?bot=greedy"
    while target:
        references = Checked(answer(path, target).page).references
        seen += [link for link in references if re.fullmatch(r"/match/\d+", link)]
        target = next((link for link in references if "from=" in link), "")
    assert seen == [f"/match/{number}" for number in range(8)]
